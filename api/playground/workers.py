"""Processes that answer questions, one at a time: the next question ends the one before."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

SECONDS: Final = 30.0
"""On the wall, for an answer."""
LARGEST: Final = 20_000_000
"""Bytes of an answer."""


class Workers:
    """The process of the question that is asked, and one that is ready for the next.

    Each has a folder of its own below a temporary one, which `close` removes.
    """

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._folder = Path(tempfile.mkdtemp(prefix="tallystick-playground-"))
        self._number = 0
        self._lock = threading.Lock()
        self._busy: subprocess.Popen[bytes] | None = None
        self._closed = False
        self._ready = self._started()

    def ask(self, question: dict[str, Any]) -> dict[str, Any]:
        """The answer to a question, which ends the one before; a dictionary with "problem" where there is none."""
        with self._lock:
            if self._closed:
                return {"problem": "the playground has ended"}
            if self._busy is not None:
                _end(self._busy)
            mine, self._ready = self._ready, self._started()
            self._busy = mine
        assert mine.stdout is not None
        mine.stdout.readline()  # it is ready, or was ended
        late = threading.Event()

        def end() -> None:
            late.set()
            _end(mine)

        timer = threading.Timer(self._seconds, end)
        timer.start()
        try:
            said = self._said(mine, question)
        finally:
            timer.cancel()
            _end(mine)
            with self._lock:
                superseded = self._busy is not mine
                self._busy = None if not superseded else self._busy
        if late.is_set():
            return {"problem": f"unknown, because {self._seconds:g} s were not enough: use `tallystick check`"}
        if superseded:
            return {"problem": "superseded"}
        return json.loads(said) if said else {"problem": "unknown, because the process that decides has ended"}

    def close(self) -> None:
        """Ends all processes, and removes their files."""
        with self._lock:
            self._closed = True
            for each in (self._busy, self._ready):
                if each is not None:
                    _end(each)
        shutil.rmtree(self._folder, ignore_errors=True)

    def _said(self, worker: subprocess.Popen[bytes], question: dict[str, Any]) -> bytes:
        assert worker.stdin is not None
        assert worker.stdout is not None
        with suppress(OSError):  # it was ended meanwhile
            worker.stdin.write(json.dumps(question).encode() + b"\n")
            worker.stdin.flush()
        said = worker.stdout.read(LARGEST + 1)
        return said if len(said) <= LARGEST else b""

    def _started(self) -> subprocess.Popen[bytes]:
        self._number += 1
        folder = self._folder / str(self._number)
        folder.mkdir()
        return subprocess.Popen(
            [sys.executable, "-m", "tallystick.playground.worker", str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            env={**os.environ, "TMPDIR": str(folder), "PYTHONSAFEPATH": "1"},
            start_new_session=True,
        )


def _end(worker: subprocess.Popen[bytes]) -> None:
    """Ends a process and all that it has started."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(worker.pid, signal.SIGKILL)
    worker.wait()
