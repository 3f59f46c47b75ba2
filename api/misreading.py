"""A defect that was found while a reading was tried: it stands in the place of a verdict."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from tallystick.core.errors import TallystickError

DEFECT = "this is a defect of Tallystick, and no verdict: please report it, with the queries"


class MisreadingError(TallystickError):
    """An engine does not return what was read, or different rows for what was proved equivalent.

    Attributes:
        names: what is compared.
        problem: what is wrong, in a sentence.
        script: the statements that make the database on which it shows.
        content: the database, what was read and what the engine returned, as JSON has them.
    """

    def __init__(
        self,
        names: tuple[str, str],
        problem: str,
        tables: Sequence[str],
        script: Sequence[str],
        content: Mapping[str, Any],
    ) -> None:
        self.names, self.problem, self.content = names, problem, dict(content)
        self.script = "".join(f"{each};\n" for each in script)
        lines = [
            f"misread: {names[0]} ? {names[1]}",
            *textwrap.wrap(problem, 118, initial_indent="  ", subsequent_indent="    "),
            *(f"  {line}".rstrip() for line in tables),
            "  the database as a script:",
            *(f"    {line}" for line in self.script.splitlines()),
            f"  {DEFECT}",
        ]
        super().__init__("\n".join(lines))

    def to_json(self) -> dict[str, Any]:
        """What was found, as one JSON object."""
        found = {"verdict": "misread", "programs": list(self.names), "problem": self.problem, "script": self.script}
        return {**found, **self.content}


def problem_of(names: tuple[str, str], side: int | None, engine: str, translated: bool = False) -> str:
    """What is wrong, in a sentence: of one query, or of two that were proved equivalent."""
    if side is None:
        what = f"the reading of {names[0]} or of {names[1]}"
        why = f"they are proved equivalent, and {engine} returns different rows"
    else:
        what = f"the reading of {names[side]}"
        why = f"{engine} returns other rows than the reference interpreter"
    return f"{what}{', or its translation for the engine,' if translated else ''} is wrong: {why}"
