"""What claims about queries assume, as lines of an answer: the standard assumptions in one line."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from typing import Final

from tallystick.core.queries.assumptions import Assumption

STANDARD: Final = {
    Assumption.EXACT_NUMBERS: "exact numbers",
    Assumption.NO_ERROR: "no errors",
    Assumption.NOT_ENFORCED: "enforced constraints",
    Assumption.CODE_POINTS: "binary collation",
    Assumption.FIXED_CLOCKS: "fixed clocks",
}
"""What nearly every claim about queries assumes, in a word or two."""


def assumption_lines(assumptions: Iterable[Assumption], in_full: bool = False) -> list[str]:
    """The lines that say what a claim about queries assumes: the standard ones in one line, unless it is `in_full`."""
    found = list(assumptions)
    short, special = ([], found) if in_full else parted(found)
    lines = [f"assuming: {', '.join(short)} (--assumptions)"] if short else []
    return wrapped([*lines, *(f"assuming: {each.value}" for each in special)])


def parted(assumptions: Iterable[Assumption]) -> tuple[list[str], list[Assumption]]:
    """The words for the standard assumptions, and the others."""
    found = list(assumptions)
    return [STANDARD[each] for each in found if each in STANDARD], [each for each in found if each not in STANDARD]


def wrapped(lines: Iterable[str], indent: int = 2) -> list[str]:
    """Lines of at most 80 columns, indented; what goes on is indented further."""
    first, later = " " * indent, " " * (indent + 2)
    return [
        part
        for line in lines
        for part in textwrap.wrap(line, 80, initial_indent=first, subsequent_indent=later, break_on_hyphens=False)
    ]
