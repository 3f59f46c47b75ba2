"""Documents as one HTML page that needs nothing else: no scripts, fonts or styles from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

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
from tallystick.pages import depth_class, html_table, page, verdict_line

SIGNS = {" ": "span", "-": "del", "+": "ins"}
"""What a line of changes is on a page."""


def to_html(document: Document) -> str:
    """The document as a page; sections open and close."""
    return page(document.title, f"<h1>{escape(document.title)}</h1>\n{fragment(document)}")


def fragment(document: Document) -> str:
    """What stands on the page below its title."""
    blocks, lines = document.blocks, []
    if document.answer and isinstance(blocks[0], Paragraph):
        lines.append(verdict_line(document.answer, _inline(blocks[0].markup)))
        blocks = blocks[1:]
    return "".join(f"{line}\n" for line in (*lines, *(line for block in blocks for line in _block(block, 1))))


def _block(block: Block, level: int) -> Iterator[str]:
    match block:
        case Paragraph(markup):
            yield f"<p>{_inline(markup)}</p>"
        case Formula(lines):
            yield f'<pre class="formula">{escape(chr(10).join(lines))}</pre>'
        case Code(source):
            yield f"<pre>{escape(source)}</pre>"
        case Tables(_, tables):
            yield from (html_table(each.title, each.names, each.rows) for each in tables)
        case Changes(lines):
            changes = "".join(f"<{SIGNS[sign]}>{sign} {escape(line)}\n</{SIGNS[sign]}>" for sign, line in lines)
            yield f'<pre class="changes">{changes}</pre>'
        case Items(entries):
            yield '<ul class="items">'
            for depth, entry in entries:
                yield f"<li{depth_class(depth)}>{_inline(entry)}</li>"
            yield "</ul>"
        case Section(title, blocks, folded):
            yield f'<details{"" if folded else " open"}><summary class="level-{level}">{_inline(title)}</summary>'
            for inner in blocks:
                yield from _block(inner, level + 1)
            yield "</details>"


def _inline(markup: str) -> str:
    return "".join(f"<code>{escape(part)}</code>" if is_formula else escape(part) for is_formula, part in spans(markup))
