"""Documents as one HTML page that needs nothing else: no scripts, fonts or styles from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from tallystick.explaining.document import Block, Code, Document, Formula, Items, Paragraph, Section, spans

STYLE = """
:root { color-scheme: light; }
body { max-width: 54rem; margin: 2rem auto; padding: 0 1rem; background: #fff; color: #1b1b1b;
       font: 1rem/1.5 "DejaVu Sans", "Segoe UI", Helvetica, Arial, sans-serif; }
h1 { font-size: 1.6rem; border-bottom: 3px solid #0072b2; padding-bottom: .3rem; }
summary { cursor: pointer; font-weight: 600; padding: .25rem 0; }
summary.level-1 { font-size: 1.25rem; color: #0072b2; }
details { margin: .5rem 0; }
details details { margin-left: .2rem; padding-left: .9rem; border-left: 3px solid #d5e3ee; }
pre { background: #f5f7f9; border: 1px solid #dde3e8; border-radius: 4px; padding: .6rem .8rem; overflow-x: auto;
      line-height: 1.4; }
pre, code { font-family: "DejaVu Sans Mono", "Cascadia Mono", Consolas, Menlo, monospace; font-size: .86rem; }
code { background: #f5f7f9; padding: 0 .2em; border-radius: 3px; }
pre.formula { background: #fffdf4; border-color: #e8e0c0; }
ul { list-style: none; padding-left: 0; margin: .4rem 0; }
li { margin: .1rem 0; padding-left: 1rem; text-indent: -1rem; }
li::before { content: "–"; display: inline-block; width: 1rem; text-indent: 0; color: #666; }
@media print { details > summary { list-style: none; } }
"""


def to_html(document: Document) -> str:
    """The document as a page; sections open and close."""
    title = escape(document.title)
    lines = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{title}</title>",
        f"<style>{STYLE}</style></head>",
        "<body>",
        f"<h1>{title}</h1>",
    ]
    for block in document.blocks:
        lines += _block(block, 1)
    return "\n".join([*lines, "</body>", "</html>"]) + "\n"


def _block(block: Block, level: int) -> Iterator[str]:
    match block:
        case Paragraph(markup):
            yield f"<p>{_inline(markup)}</p>"
        case Formula(lines):
            yield f'<pre class="formula">{escape(chr(10).join(lines))}</pre>'
        case Code(source):
            yield f"<pre>{escape(source)}</pre>"
        case Items(entries):
            yield "<ul>"
            for depth, entry in entries:
                yield f'<li style="margin-left: {1.2 * depth:g}rem">{_inline(entry)}</li>'
            yield "</ul>"
        case Section(title, blocks, folded):
            yield f'<details{"" if folded else " open"}><summary class="level-{level}">{_inline(title)}</summary>'
            for inner in blocks:
                yield from _block(inner, level + 1)
            yield "</details>"


def _inline(markup: str) -> str:
    return "".join(f"<code>{escape(part)}</code>" if is_formula else escape(part) for is_formula, part in spans(markup))
