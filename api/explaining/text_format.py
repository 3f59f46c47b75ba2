"""Documents as plain text of at most 80 columns."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from tallystick.explaining.document import Block, Changes, Code, Document, Formula, Items, Paragraph, Section, Tables

WIDTH = 80
INDENT = 4


def to_text(document: Document) -> str:
    """The document as text, with underlined titles."""
    title = textwrap.wrap(document.title, WIDTH)
    lines = [*title, "=" * max(map(len, title))]
    for block in document.blocks:
        lines += ["", *_block(block, 1)]
    return "\n".join(lines) + "\n"


def _block(block: Block, level: int) -> Iterator[str]:
    match block:
        case Paragraph(markup):
            yield from textwrap.wrap(_plain(markup), WIDTH)
        case Formula(lines):
            yield from (" " * INDENT + line for line in lines)
        case Code(source):
            yield from (" " * INDENT + line if line else "" for line in source.splitlines())
        case Tables(lines):
            yield from (" " * INDENT + line if line else "" for line in lines)
        case Changes(lines):
            yield from (f"{' ' * INDENT}{sign} {line}".rstrip() for sign, line in lines)
        case Items(entries):
            for depth, entry in entries:
                lead = "  " * min(depth, 12)
                yield from textwrap.wrap(
                    _plain(entry), WIDTH, initial_indent=f"{lead}- ", subsequent_indent=f"{lead}  "
                )
        case Section(title, blocks):
            yield from _title(_plain(title), level)
            for inner in blocks:
                yield ""
                yield from _block(inner, level + 1)


def _title(title: str, level: int) -> Iterator[str]:
    lines = textwrap.wrap(title, WIDTH)
    yield from lines
    if level <= 2:
        yield ("-" if level == 1 else "·") * max(map(len, lines))


def _plain(markup: str) -> str:
    return markup.replace("`", "")
