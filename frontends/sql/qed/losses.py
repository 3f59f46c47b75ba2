"""What the JSON of a plan does not say as the text beside it does: ends of spans, and groups of no rows.

* A scan of a part of an index has spans: `[/1 - /3]` has its ends, `(/1 - /3]` has not the first. The JSON treats both
  ends alike. Those of floating-point numbers are neighbours of the bound that is meant: exact numbers have none.
* CockroachDB's `group-by` without columns has no row of no rows, its `scalar-group-by` has one. The JSON has one node
  for both.
"""

from __future__ import annotations

import re
from typing import Final

_FRAME: Final = " │├└─"
_SPAN: Final = re.compile(r"([\[(])(.*?) - (.*?)([\])])(?= [\[(]|$)")
_NEIGHBOUR: Final = re.compile(r"\d\.\d{7,}|\d[eE][-+]?\d")
_GROUP: Final = re.compile(r"group-by(?: \(\w+\))?")


def lost_ends(text: str) -> bool:
    """Whether a span has an end that the JSON does not state as the text does."""
    return any(_inexact(*parts) for span in _spans(text) for parts in _SPAN.findall(span))


def _inexact(opening: str, first: str, last: str, closing: str) -> bool:
    if _NEIGHBOUR.search(first) or _NEIGHBOUR.search(last):
        return True
    return closing == ")" or (opening == "(" and (first, last) != ("/NULL", ""))


def _spans(text: str) -> list[str]:
    """The spans of the scans in a text: behind `constraint: /columns`, in its line or in the lines below it."""
    found: list[str] = []
    listing = False
    for line in text.splitlines():
        body = line.strip(_FRAME)
        if body.startswith("constraint: /"):
            listing = True
            found.append(body.removeprefix("constraint: ").partition(": ")[2])
        elif listing and body[:1] in ("[", "("):
            found.append(body)
        else:
            listing = False
    return found


def lost_groups(text: str) -> bool:
    """Whether a group without columns has no row of no rows."""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        depth = len(line) - len(line.lstrip(_FRAME))
        if not _GROUP.fullmatch(line[depth:].strip()):
            continue
        own = _properties(lines[number + 1 :], depth)
        if own and not any(each.startswith("grouping columns:") for each in own):
            return True
    return False


def _properties(lines: list[str], depth: int) -> list[str]:
    """What the text says of a node at a depth: the lines one level below it, with those of its inputs."""
    levels: list[tuple[int, str]] = []
    for line in lines:
        body = line.lstrip(_FRAME)
        if len(line) - len(body) <= depth:
            break
        levels.append((len(line) - len(body), body))
    return [body for level, body in levels if level == min(each for each, _ in levels)]
