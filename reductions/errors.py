"""The error of machine files: what cannot be read, where, and what to write instead."""

from __future__ import annotations

from tallystick.core.errors import TallystickError


class MachineError(TallystickError, ValueError):
    """A machine cannot be read, or cannot exist.

    Attributes:
        message: what is wrong, in one line.
        path: the file, as the user named it.
        line, column: where the offending text starts, both from 1; 0 when no position applies.
        hint: what to write instead, or "".
        excerpt: the line and carets under the offending text, or "".
    """

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
        lines = [f"{position}: {self.message}", self.excerpt, f"  help: {self.hint}" if self.hint else ""]
        return "\n".join(line for line in lines if line)

    def __reduce__(self) -> tuple[type[MachineError], tuple[str | int, ...]]:
        fields = (self.message, self.path, self.line, self.column, self.hint, self.excerpt)
        return type(self), fields
