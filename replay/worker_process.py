"""A process that runs Spark and answers requests, one JSON object a line; it ends with its caller in any way."""

from __future__ import annotations

import json
import os
import selectors
import shutil
import subprocess
import tempfile
import time
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tallystick.replay import processes
from tallystick.replay.errors import ReplayUnavailable


@dataclass(frozen=True, slots=True)
class _Resources:
    """What a worker holds of this machine."""

    process: subprocess.Popen[bytes]
    folder: str
    owner: int

    def release(self) -> None:
        if os.getpid() != self.owner:  # a fork of the caller has no say in this
            return
        processes.end_session(self.process.pid)
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


class WorkerProcess:
    """A process with a folder of its own, and the two pipes to it."""

    def __init__(self, command: Callable[[str], list[str]], python: str) -> None:
        """
        Args:
            command: what is started, given the folder in which it may write.
            python: the interpreter that Spark's own workers run.
        """
        folder = tempfile.mkdtemp(prefix="tallystick-spark-")
        self.folder = folder
        self._log = Path(folder, "log.txt")
        with self._log.open("wb") as log:
            process = subprocess.Popen(
                command(folder),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                bufsize=0,
                env=os.environ | _variables(folder, python),
                start_new_session=True,
            )
        self._process = process
        self._unread = b""
        # Runs at the latest when the interpreter exits.
        self.end = weakref.finalize(self, _Resources(process, folder, os.getpid()).release)

    def first_answer(self, seconds: float) -> dict[str, Any]:
        """The answer that says that Spark runs; raises ReplayUnavailable when it does not start."""
        try:
            return self._answer(seconds)
        except (EOFError, TimeoutError):
            lines = self._log.read_text(errors="replace").splitlines()
            told = [line for line in lines if line and not line.startswith((" ", "\t", "Traceback"))]
            shown = "\n".join(f"  {line}" for line in told[-4:])
            raise ReplayUnavailable(f"Spark does not start; the end of its log says:\n{shown}") from None

    def ask(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        """The answer to a request; raises TimeoutError after `seconds`, EOFError when the process has ended."""
        self.send(request)
        return self._answer(seconds)

    def send(self, request: dict[str, Any]) -> None:
        """Sends a request; raises EOFError when the process has ended."""
        assert self._process.stdin is not None
        message = memoryview(json.dumps(request).encode("ascii") + b"\n")
        try:
            while message:  # an unbuffered pipe may take a part only; the worker reads whole lines before it works
                message = message[self._process.stdin.write(message) or 0 :]
        except BrokenPipeError:
            raise EOFError from None

    def _answer(self, seconds: float) -> dict[str, Any]:
        assert self._process.stdout is not None
        deadline = time.monotonic() + seconds
        chunks = [self._unread]
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            while b"\n" not in chunks[-1]:
                left = deadline - time.monotonic()
                if left <= 0 or not selector.select(left):
                    raise TimeoutError
                chunk = self._process.stdout.read(1 << 16)
                if not chunk:
                    raise EOFError
                chunks.append(chunk)
        line, _, self._unread = b"".join(chunks).partition(b"\n")
        return json.loads(line)


def _variables(folder: str, python: str) -> dict[str, str]:
    return {
        "PYSPARK_DRIVER_PYTHON": python,
        "PYSPARK_PYTHON": python,
        "PYTHONSAFEPATH": "1",  # files in the caller's folder must not stand in for Python's own modules
        "SPARK_LOCAL_DIRS": folder,
        "TMPDIR": folder,
    }
