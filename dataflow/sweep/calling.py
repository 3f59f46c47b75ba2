"""Functions of the user's in a process of their own, which may take a limited time and memory, and ends with ours."""

from __future__ import annotations

import json
import selectors
import subprocess
import sys
import time
import weakref
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from tallystick.frontends.errors import SourceError

CALL_SECONDS = 2.0
"""Seconds of the processor for a call."""
PATIENCE = 5.0
"""How many times as long a call may take by the clock."""
LOAD_SECONDS = 120.0
"""Seconds by the clock until the file is loaded."""
MEBIBYTES = 4096
"""Memory of the process."""
ANSWER_MEBIBYTES = 64
"""What a call may return, as JSON."""


class CallError(Exception):
    """A function fails, or does not return in time."""


class Foreign:
    """A value that a function returned and that is none of a table."""

    def __init__(self, shown: str) -> None:
        self.shown = shown

    def __repr__(self) -> str:
        return self.shown


class FunctionsProcess:
    """The functions that a file of Python defines under its names, or in its dictionary FUNCTIONS.

    A function that was late once is not called again.

    Attributes:
        names: of the functions.
        failures: for functions that have failed, how they did the first time.
    """

    def __init__(self, path: Path, seconds: float = CALL_SECONDS) -> None:
        """Raises SourceError where the file cannot be run."""
        self.path, self.seconds = path, seconds
        self.failures: dict[str, str] = {}
        self.late: set[str] = set()
        self.names = self.start()

    def start(self) -> list[str]:
        """Starts the process; the names of the functions."""
        module = "tallystick.dataflow.sweep.calling_process"
        arguments = [str(self.path.resolve()), str(self.seconds), str(MEBIBYTES)]
        self.process = subprocess.Popen(
            [sys.executable, "-m", module, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self.end = weakref.finalize(self, _ended, self.process)
        try:
            found = self.answer(LOAD_SECONDS)
        except CallError as problem:
            raise SourceError(f"the functions cannot be loaded: {problem}", str(self.path)) from None
        if "failed" in found:
            self.end()
            raise SourceError(f"the functions cannot be loaded: {found['failed']}", str(self.path))
        return found["names"]

    def functions(self) -> dict[str, Callable[..., Any]]:
        """The functions by their names."""
        return {name: partial(self.call, name) for name in self.names}

    def call(self, name: str, *arguments: Any) -> Any:
        """What a function returns. Raises CallError where it does not."""
        if name in self.late:
            raise CallError(self.failures[name])
        if not self.end.alive:
            self.start()
        try:
            request = json.dumps([name, encoded(arguments)]).encode("ascii") + b"\n"
        except (ValueError, RecursionError):
            found = {"failed": "what it is called on cannot be written as JSON"}
        else:
            found = self.answer_to(request)
        if "failed" in found:
            self.failures.setdefault(name, found["failed"])
            self.late |= {name} if found.get("late") else set()
            raise CallError(found["failed"])
        return found["value"]

    def answer_to(self, request: bytes) -> dict[str, Any]:
        """What became of a call: its `value`, or how it `failed`. Where the process does not answer, it is ended."""
        try:
            assert self.process.stdin is not None
            self.process.stdin.write(request)
            self.process.stdin.flush()
            found = self.answer(self.seconds * PATIENCE)
            return found if "failed" in found else {"value": decoded(found["value"])}
        except (CallError, OSError) as problem:
            self.end()
            return {"failed": str(problem), "late": True}
        except RecursionError:
            return {"failed": "what it returns is nested too deeply"}

    def answer(self, seconds: float) -> dict[str, Any]:
        """The object in the next line of the process. Raises CallError where there is none in time, or it is long."""
        assert self.process.stdout is not None
        deadline, line = time.monotonic() + seconds, bytearray()
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            while not line.endswith(b"\n"):
                if not selector.select(max(0.0, deadline - time.monotonic())):
                    self.end()
                    raise CallError(f"it takes more than {seconds:g} s")
                part = self.process.stdout.read1(1 << 20)  # type: ignore[attr-defined]
                if not part:
                    self.end()
                    raise CallError("its process ended without an answer")
                line += part
                if len(line) > ANSWER_MEBIBYTES << 20:
                    self.end()
                    raise CallError(f"what it returns takes more than {ANSWER_MEBIBYTES} MiB")
        return answer_in(line)


def answer_in(line: bytes | bytearray) -> dict[str, Any]:
    """The object in a line of the process. Raises CallError where there is none."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as problem:
        raise CallError(f"what its process says is not understood: {problem}") from None
    if not isinstance(found, dict):
        raise CallError("what its process says is not understood")
    return found


def _ended(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.communicate()


def encoded(value: Any) -> Any:
    """A value as JSON: tuples, dictionaries, fractions, and what is none of a table, are objects."""
    if value is None or type(value) in (bool, int, str):
        return value
    if isinstance(value, Fraction):
        return {"fraction": [value.numerator, value.denominator]}
    if isinstance(value, list):
        return list(map(encoded, value))
    if isinstance(value, tuple):
        return {"tuple": list(map(encoded, value))}
    if isinstance(value, Mapping):
        return {"items": [[encoded(key), encoded(each)] for key, each in value.items()]}
    return {"foreign": f"{value!r:.200}"}


def decoded(data: Any) -> Any:
    """The value that `encoded` has written."""
    if isinstance(data, list):
        return list(map(decoded, data))
    if not isinstance(data, dict):
        return data
    if "fraction" in data:
        return Fraction(*data["fraction"])
    if "tuple" in data:
        return tuple(map(decoded, data["tuple"]))
    if "items" in data:
        return {decoded(key): decoded(value) for key, value in data["items"]}
    return Foreign(data["foreign"])
