"""Documents as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tallystick.explaining.document import (
    Block,
    Changes,
    Code,
    Document,
    Formula,
    Items,
    Paragraph,
    Section,
    Tables,
    spans,
)

_SPECIAL = re.compile(r"([\\*_\[\]<>#|~])")


def to_markdown(document: Document) -> str:
    """The document as Markdown with fenced formulas."""
    lines = [f"# {_SPECIAL.sub(_escape, document.title)}"]
    for block in document.blocks:
        lines += ["", *_block(block, 2)]
    return "\n".join(lines) + "\n"


def _block(block: Block, level: int) -> Iterator[str]:
    match block:
        case Paragraph(markup):
            yield _inline(markup)
        case Formula(lines):
            yield from ("```text", *lines, "```")
        case Code(source):
            yield from ("```python", *source.splitlines(), "```")
        case Tables(lines):
            yield from ("```text", *lines, "```")
        case Changes(lines):
            yield from ("```diff", *(f"{sign} {line}".rstrip() for sign, line in lines), "```")
        case Items(entries):
            for depth, entry in entries:
                yield f"{'  ' * depth}- {_inline(entry)}"
        case Section(title, blocks):
            yield f"{'#' * min(level, 6)} {_inline(title)}"
            for inner in blocks:
                yield ""
                yield from _block(inner, level + 1)


def _inline(markup: str) -> str:
    return "".join(f"`{part}`" if is_formula else _SPECIAL.sub(_escape, part) for is_formula, part in spans(markup))


def _escape(found: re.Match[str]) -> str:
    return f"\\{found.group()}"
