"""The lessons as notebooks and as handouts, made from their pages: build/lessons/*.ipynb and *.pdf.

    python lessons/lesson_forms.py [FOLDER]

A notebook shows what the page shows, and runs at the root of the repository. A handout has the size of a slide, and a
new slide where the page has a heading.
"""

from __future__ import annotations

import doctest
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import nbformat
import typst
from markdown_it import MarkdownIt
from markdown_it.token import Token
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

LESSONS = Path(__file__).parent
ROOT = LESSONS.parent
PAGES = tuple(sorted(LESSONS.glob("[0-9]-*.md")))

SLIDE: Final = """\
#set page(paper: "presentation-16-9", margin: (x: 16mm, y: 12mm), numbering: "1")
#set text(font: "Libertinus Serif", size: 15pt, lang: "en")
#show raw: set text(font: "DejaVu Sans Mono", size: 10.5pt)
#show raw.where(block: true): it => block(fill: luma(94%), inset: 6pt, radius: 3pt, width: 100%, it)
#show heading.where(level: 2): it => { pagebreak(weak: true); it }
"""


def markdown(page: str) -> list[Token]:
    """The tokens of a page."""
    return MarkdownIt().parse(page)


def notebook(page: str, root: str) -> NotebookNode:
    """A page as a notebook: a cell for each text and each example, with what it prints.

    Args:
        root: the root of the repository, seen from the notebook's folder, where its first cell goes.

    Raises:
        nbformat.ValidationError: the notebook is not well-formed.
    """
    cells = [new_code_cell(f"%cd -q {root}")]
    lines, read = page.splitlines(), 0
    for token in markdown(page):
        if token.type == "fence" and token.map is not None:
            start, end = token.map
            cells += _text("\n".join(lines[read:start]))
            cells += map(_example, doctest.DocTestParser().get_examples(token.content))
            read = end
    cells += _text("\n".join(lines[read:]))
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"  # not at random: the same page is the same file
    found = new_notebook(cells=cells, metadata={"language_info": {"name": "python"}})
    nbformat.validate(found)
    return found


def _text(text: str) -> list[NotebookNode]:
    return [new_markdown_cell(text.strip())] if text.strip() else []


def _example(example: doctest.Example) -> NotebookNode:
    shown = [new_output("stream", name="stdout", text=example.want)] if example.want else []
    return new_code_cell(example.source.rstrip("\n"), outputs=shown)


def slides(page: str) -> bytes:
    """A page as slides, in Typst's language. Raises KeyError for Markdown that has no form there."""
    return (SLIDE + "".join(_typst(markdown(page)))).encode()


def handout(page: str) -> bytes:
    """A page as slides, a PDF; raises as `slides` does."""
    return typst.compile(slides(page), ignore_system_fonts=True)


OPEN: Final = {
    "paragraph_open": "\n#par[",
    "em_open": "#emph[",
    "strong_open": "#strong[",
    "bullet_list_open": "\n#list(",
    "ordered_list_open": "\n#enum(",
    "list_item_open": "[",
    "blockquote_open": "\n#quote(block: true)[",
}
CLOSE: Final = {
    "heading_close": "]\n",
    "paragraph_close": "]\n",
    "em_close": "]",
    "strong_close": "]",
    "link_close": "]",
    "bullet_list_close": ")\n",
    "ordered_list_close": ")\n",
    "list_item_close": "],",
    "blockquote_close": "]\n",
}


def _typst(tokens: Sequence[Token]) -> Iterator[str]:
    """The source of Typst; texts are strings there, so that none of their characters has a meaning."""
    for token in tokens:
        match token.type:
            case "inline":
                yield from _typst(token.children or ())
            case "text":
                yield f"#{_quoted(token.content)}"
            case "softbreak":
                yield " "
            case "code_inline":
                yield f"#raw({_quoted(token.content)})"
            case "fence" | "code_block":
                yield f"\n#raw(block: true, {_quoted(token.content.strip())})\n"
            case "heading_open":
                yield f"\n#heading(level: {token.tag[1:]})["
            case "link_open":  # pages of the repository are no targets in a file of its own
                yield "#underline["
            case _:
                yield {**OPEN, **CLOSE}[token.type]


def _quoted(text: str) -> str:
    """A string of Typst."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def publish(folder: Path) -> Iterator[Path]:
    """Writes both forms of each lesson to a folder; yields what was written."""
    folder.mkdir(parents=True, exist_ok=True)
    root = (
        Path(*[".."] * len(folder.resolve().relative_to(ROOT).parts)) if folder.resolve().is_relative_to(ROOT) else ROOT
    )
    for path in PAGES:
        page = path.read_text(encoding="utf-8")
        written = folder / f"{path.stem}.ipynb"
        written.write_text(json.dumps(notebook(page, str(root)), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        yield written
        written = folder / f"{path.stem}.pdf"
        written.write_bytes(handout(page))
        yield written


if __name__ == "__main__":
    for each in publish(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build" / "lessons"):
        print(each)
