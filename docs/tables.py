"""Tables and texts as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from inspect import cleandoc
from typing import Final

_SECTION: Final = re.compile(r"^(Args|Attributes|Raises|Returns):$")


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table with a line for each row."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(map(_cell, line))} |" for line in lines)


def code(text: str) -> str:
    """Text as code."""
    return f"`{text}`" if text else ""


def prose(docstring: str | None) -> str:
    """A docstring, whose sections are lists."""
    return "\n".join(_lines(cleandoc(docstring or "").splitlines()))


def first_sentence(docstring: str | None) -> str:
    """What a docstring begins with."""
    paragraph = " ".join(cleandoc(docstring or "").partition("\n\n")[0].split())
    return re.split(r"(?<=\.) ", paragraph)[0]


def attributes(docstring: str | None) -> dict[str, str]:
    """What the section "Attributes" says of each."""
    found: dict[str, str] = {}
    lines = cleandoc(docstring or "").splitlines()
    if "Attributes:" not in lines:
        return found
    for line in _items(lines[lines.index("Attributes:") + 1 :]):
        names, _, said = line.partition(": ")
        found |= dict.fromkeys(names.split(", "), said)
    return found


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())


def _lines(lines: list[str]) -> Iterator[str]:
    while lines:
        line = lines.pop(0)
        if not (section := _SECTION.match(line)):
            yield line
            continue
        section_lines = []
        while lines and lines[0].startswith(" "):
            section_lines.append(lines.pop(0))
        yield f"{section[1]}:\n"
        for item in _items(section_lines):
            names, colon, said = item.partition(": ")
            yield f"* {', '.join(map(code, names.split(', ')))}: {said}" if colon else f"* {item}"


def _items(lines: Iterable[str]) -> Iterator[str]:
    """The items of a section: a line that is indented further goes on with the one before."""
    item = ""
    for line in lines:
        if line and not line.startswith(" "):
            break
        if line.startswith("    ") and not line.startswith("     "):
            if item:
                yield item
            item = line.strip()
        elif line.strip():
            item += f" {line.strip()}"
    if item:
        yield item
