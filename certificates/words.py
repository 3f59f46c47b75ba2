"""Claims in words that say one thing: names in quotes, and lines that can be read back."""

from __future__ import annotations

import textwrap
from typing import Final

WIDTH: Final = 80
INDENT, DEEPER = " " * 10, " " * 16


def quoted(value: object) -> str:
    """A name or a text in quotes, or another value, so that no two are shown alike.

    Letters beyond ASCII, signs that a terminal would obey, and every other one of several blanks are escaped: a line
    that is broken at a blank can be read back.
    """
    return ascii(value).replace("  ", " \\x20")


def filled(name: str, text: str) -> str:
    """A part of a report: its name, and lines of text, broken at blanks only, which go on further to the right."""
    first, *lines = text.splitlines()
    return "\n".join(
        (
            _wrapped(f"{name:<10}{first}", "", DEEPER if lines else INDENT),
            *(_wrapped(line, INDENT, DEEPER) for line in lines),
        )
    )


def _wrapped(text: str, first: str, others: str) -> str:
    return textwrap.fill(
        text,
        WIDTH,
        initial_indent=first,
        subsequent_indent=others,
        break_long_words=False,
        break_on_hyphens=False,
    )
