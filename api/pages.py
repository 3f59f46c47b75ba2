"""The one style of pages: explanations, pictures of workflows, the playground. Nothing is loaded from elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

from tallystick.showing import COLOURS

SYMBOLS: Final = {"green": "✓", "red": "≠", "yellow": "?", "cyan": "±"}
"""What stands beside a colour, for those who do not see it."""

STYLE: Final = """
:root { color-scheme: light dark; --paper: #fff; --ink: #1b1b1b; --faint: #5b6570; --line: #d4dbe2; --panel: #f4f6f8;
  --link: #0a5c9e; --green: #1c6b2c; --red: #b3261e; --yellow: #7a5900; --cyan: #0b6478; --green-fill: #d9efdc;
  --red-fill: #f8d9d5; --yellow-fill: #fbeec2; --cyan-fill: #d3ebf2; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #15181c; --ink: #e4e7ea; --faint: #a0a9b2; --line: #39424b; --panel: #1e2329; --link: #7ab8ef;
    --green: #83d393; --red: #ff9c92; --yellow: #eac65a; --cyan: #7fd0e2; --green-fill: #1d3a24; --red-fill: #47211d;
    --yellow-fill: #41360f; --cyan-fill: #123842; } }
* { box-sizing: border-box; }
body { max-width: 60rem; margin: 1.5rem auto; padding: 0 1rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 "DejaVu Sans", "Segoe UI", Helvetica, Arial, sans-serif; overflow-wrap: anywhere; }
a { color: var(--link); }
h1 { font-size: 1.35rem; line-height: 1.3; margin: 0 0 .6rem; }
h2, summary.level-1 { font-size: 1.15rem; }
h3 { font-size: 1rem; margin: 1.2rem 0 .3rem; }
.verdict { border-left: .4rem solid; padding: .5rem .8rem; margin: 0 0 1rem; border-radius: 3px; font-size: 1.05rem; }
.verdict b { margin-right: .3em; }
.green { color: var(--green); background: var(--green-fill); } .red { color: var(--red); background: var(--red-fill); }
.yellow { color: var(--yellow); background: var(--yellow-fill); }
.cyan { color: var(--cyan); background: var(--cyan-fill); }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: 4px; padding: .6rem .8rem;
  overflow-x: auto; line-height: 1.4; overflow-wrap: normal; }
pre, code, textarea { font-family: "DejaVu Sans Mono", "Cascadia Mono", Consolas, Menlo, monospace; font-size: .86rem; }
code { background: var(--panel); padding: 0 .2em; border-radius: 3px; }
details { margin: .5rem 0; }
details details { margin-left: .2rem; padding-left: .8rem; border-left: 3px solid var(--line); }
summary { cursor: pointer; font-weight: 600; padding: .25rem 0; }
ul.items { list-style: none; padding-left: 0; margin: .4rem 0; }
ul.items li { margin: .1rem 0; padding-left: 1rem; text-indent: -1rem; }
ul.items li::before { content: "–"; display: inline-block; width: 1rem; text-indent: 0; color: var(--faint); }
.depth-1 { margin-left: 1.2rem !important; } .depth-2 { margin-left: 2.4rem !important; }
.depth-3 { margin-left: 3.6rem !important; } .depth-4 { margin-left: 4.8rem !important; }
.changes del, .changes ins { text-decoration: none; } .changes del { color: var(--red); background: var(--red-fill); }
.changes ins { color: var(--green); background: var(--green-fill); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; margin: .3rem 0 1rem; font-size: .9rem; overflow-wrap: normal; }
th, td { border: 1px solid var(--line); padding: .15rem .55rem; text-align: left; white-space: nowrap; }
th { background: var(--panel); } td.null { color: var(--faint); font-style: italic; }
caption { text-align: left; font-weight: 600; padding-bottom: .2rem; white-space: nowrap; }
@media print { details > summary { list-style: none; } }
"""
_DEEPEST: Final = 4


def page(title: str, body: str, style: str = "", script: str = "") -> str:
    """A page of a title and a body in HTML, with style and script of its own besides."""
    scripted = f"<script>{script}</script>" if script else ""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}{style}</style></head>\n<body>\n{body}{scripted}\n</body>\n</html>\n"
    )


def verdict_line(answer: str, said: str) -> str:
    """What is said of an answer, in HTML, as the first thing on a page: in the colour of the answer, with a symbol."""
    colour = COLOURS[answer]
    return f'<p class="verdict {colour}"><b>{SYMBOLS[colour]}</b>{said}</p>'


def html_table(title: str, names: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Rows under the names of their columns, in HTML; a cell is what SQL writes there."""
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    none = f'<tr><td class="null" colspan="{max(1, len(names))}">no rows</td></tr>'
    return f'<div class="scroll"><table><caption>{escape(title)}</caption><tr>{head}</tr>{body or none}</table></div>'


def _cell(cell: str) -> str:
    return f'<td class="null">{cell}</td>' if cell == "NULL" else f"<td>{escape(cell)}</td>"


def depth_class(depth: int) -> str:
    """The class of an item of a list at a depth, as an attribute."""
    return f' class="depth-{min(depth, _DEEPEST)}"' if depth else ""
