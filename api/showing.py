"""How answers are shown: in one line where Python shows a value, in colour in a notebook."""

from __future__ import annotations

import re
from html import escape
from typing import Final

COLOURS: Final = {
    "equivalent": "green",
    "accepted": "green",
    "safe": "green",
    "inequivalent": "red",
    "rejected": "red",
    "unsafe": "red",
    "unknown": "yellow",
    "misread": "red",
    "unchanged": "green",
    "changed": "red",
    "added": "cyan",
    "removed": "cyan",
}
"""The answers, with their colours on a terminal."""
ANSWER: Final = re.compile(rf"^((?:\S+: )?)({'|'.join(COLOURS)})(?=[ :]|$)", re.MULTILINE)
"""An answer at the beginning of a line, behind a place if there is one."""
_ON_A_PAGE: Final = {"green": "green", "red": "firebrick", "yellow": "darkgoldenrod", "cyan": "teal"}


class Shown:
    """An answer, whose text begins with it: `str` gives the whole text, `repr` its first line, a notebook its colours.

    A dataclass that is `Shown` is made with `repr=False`.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {str(self).splitlines()[0]}>"

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return f"<pre>{ANSWER.sub(_coloured, escape(str(self), quote=False))}</pre>"


def _coloured(found: re.Match[str]) -> str:
    return f'{found[1]}<b style="color: {_ON_A_PAGE[COLOURS[found[2]]]}">{found[2]}</b>'
