"""What is to be linted: the programs of functions, files and folders that a user names, and what cannot be read."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tallystick.core.errors import TallystickError
from tallystick.frontends.pyspark import SourceError, programs_in

SOURCES = (".py", ".ipynb")
SKIPPED = {"__pycache__", "node_modules", "site-packages", "venv"}
"""Folders that hold nobody's own programs; so do hidden ones."""


@dataclass(frozen=True, slots=True)
class Unread:
    """A program, or a whole file, that could not be read, and why.

    Attributes:
        program: the reference, "path.py:function", or the path of the file.
        message: what is wrong and where, for people.
        path, line, column: where; 0 when no position applies.
    """

    program: str
    message: str
    path: str
    line: int = 0
    column: int = 0

    @classmethod
    def of(cls, program: str, error: TallystickError) -> Unread:
        """What an error says of a program."""
        if isinstance(error, SourceError):
            return cls(program, str(error), error.path, error.line, error.column)
        return cls(program, str(error), program)

    def __str__(self) -> str:
        return f"not read: {self.message}"

    def to_json(self) -> dict[str, Any]:
        """The same as one JSON object."""
        return asdict(self)


def targets(references: Iterable[str]) -> Iterator[str | Unread]:
    """The programs that references stand for, each once, and the files that cannot be read.

    A reference is "path.py:function", a file, for all its functions with a parameter annotated as an RDD, or a folder,
    for all files below it.

    Raises SourceError when there is no such file or folder.
    """
    seen: set[str] = set()
    for reference in references:
        for found in _of(reference):
            name = found if isinstance(found, str) else found.program
            if name not in seen:
                seen.add(name)
                yield found


def _of(reference: str) -> Iterator[str | Unread]:
    path = Path(reference)
    if not path.is_dir() and path.suffix not in SOURCES:
        yield reference
        return
    if not path.exists():
        raise SourceError("there is no such file or folder", reference)
    for file in _files(path) if path.is_dir() else (path,):
        try:
            yield from programs_in(str(file))
        except SourceError as error:
            yield Unread.of(str(file), error)


def _files(folder: Path) -> Iterator[Path]:
    """The source files below a folder, in alphabetical order."""
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(each for each in folders if not each.startswith(".") and each not in SKIPPED)
        yield from (Path(place, file) for file in sorted(files) if Path(file).suffix in SOURCES)
