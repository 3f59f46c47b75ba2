"""What commands write: text to a terminal or a pipe, and files; what cannot be written is an error with a sentence."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from tallystick.core.errors import TallystickError


class OutputError(TallystickError, OSError):
    """A result cannot be written where it was asked for."""


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Says of an OSError in its block that `path` cannot be written; raises OutputError."""
    try:
        yield
    except OSError as error:
        raise OutputError(f"cannot write {error.filename or path}: {error.strerror or error}") from None


def write(path: Path, content: str | bytes) -> None:
    """Writes a file; raises OutputError."""
    with writing(path):
        path.write_bytes(content.encode() if isinstance(content, str) else content)


def append(path: Path, content: str) -> None:
    """Writes behind what a file has; raises OutputError."""
    with writing(path), path.open("a", encoding="utf-8") as file:
        file.write(content)


def require_writable(folder: Path) -> None:
    """Makes a folder if it is missing; raises OutputError when no file can be written there."""
    import tempfile  # most commands write no folder

    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"0")


class _Output:
    """Standard output that may cease to take text: what is written from then on is dropped.

    Attributes:
        failure: why it ceased, unless its reader went away.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.failure: OSError | None = None

    def write(self, text: str) -> int:
        """Writes to the stream."""
        with self._until_it_fails():
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        """Writes what is still held back."""
        with self._until_it_fails():
            self._stream.flush()

    @contextmanager
    def _until_it_fails(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self._stream.fileno())
            os.close(nowhere)
            if not isinstance(error, BrokenPipeError):
                self.failure = error

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def standard_output() -> Iterator[None]:
    """Standard output that outlives its reader, and writes what its encoding lacks as escapes.

    Raises OutputError at the end when it could not be written, as on a full disk; a pipe that is closed early is no
    error.
    """
    stream = sys.stdout
    if stream is None:  # it was closed before the start
        yield
        return
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")
    output = _Output(stream)
    sys.stdout = output  # type: ignore[assignment]
    try:
        yield
    finally:
        output.flush()
        sys.stdout = stream
        if output.failure is not None:
            raise OutputError(f"cannot write the output: {output.failure.strerror or output.failure}")
