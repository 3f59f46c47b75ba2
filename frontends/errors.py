"""The error of the front-ends: what cannot be read, where, and what to write instead."""

from __future__ import annotations

from textwrap import fill
from typing import Final

from tallystick.core.errors import TallystickError

EXCERPT_WIDTH: Final = 76


class SourceError(TallystickError, ValueError):
    """A text cannot be read as a program, a query or a schema, or cannot be found.

    Attributes:
        path: the file, as the user named it.
        line, column: where the offending code starts, both from 1; 0 when no position applies.
        message: what is wrong, in one line.
        hint: what is supported instead, or "".
        excerpt: the source line and a line of carets under the offending code, or "".
        side: which of two it is about, 0 or 1, where two were given at once; else None.
    """

    side: int | None = None

    def __init__(
        self, message: str, path: str, line: int = 0, column: int = 0, hint: str = "", excerpt: str = ""
    ) -> None:
        super().__init__(message)
        self.message = message
        self.path = path
        self.line = line
        self.column = column
        self.hint = hint
        self.excerpt = excerpt

    def __str__(self) -> str:
        position = f"{self.path}:{self.line}:{self.column}" if self.line else self.path
        hint = fill(f"  help: {self.hint}", 80, subsequent_indent=" " * 8, break_on_hyphens=False)
        lines = [f"{position}: {self.message}", self.excerpt, hint if self.hint else ""]
        return "\n".join(line for line in lines if line)

    def __reduce__(self) -> tuple[type[SourceError], tuple[str | int, ...]]:
        fields = (self.message, self.path, self.line, self.column, self.hint, self.excerpt)
        return type(self), fields


class UnknownNameError(SourceError):
    """A query names a column, or the table of a column, that is not there."""


LONGEST_NAME: Final = 200
"""Characters of a name in a message."""


def shortened(name: str) -> str:
    """A name, cut off where it is long."""
    return name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}…"


def kind_of(thing: object) -> str:
    """What something is, in words."""
    name = type(thing).__name__
    return "None" if thing is None else f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def excerpt_of(text: str, start: int, end: int) -> str:
    """A source line and carets under its characters from `start` to `end`, without the indentation."""
    indentation = len(text) - len(text.lstrip())
    fits = len(text.rstrip()) - indentation <= EXCERPT_WIDTH
    first = indentation if fits else max(indentation, start - EXCERPT_WIDTH // 2)
    shown = text.rstrip()[first : first + EXCERPT_WIDTH]
    if not shown:
        return ""
    shown = "".join(each if each.isprintable() or each == "\t" else "\N{REPLACEMENT CHARACTER}" for each in shown)
    padding = "".join(each if each == "\t" else " " for each in text[first:start])
    carets = "^" * max(1, min(end, first + EXCERPT_WIDTH) - start)
    return f"    {shown}\n    {padding}{carets}"
