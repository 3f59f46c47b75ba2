"""The site of the documentation: `make docs`. Its source is the repository, its navigation the lists of docs/index.md.

What Markdown of the repository links to is checked: a page, a heading or a file that is not there is an error.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from sphinx.application import Sphinx

ROOT: Final = Path(__file__).parents[1]

project = "Tallystick"
root_doc = "docs/index"
include_patterns = ["*.md", "*/**.md"]
exclude_patterns = [".*", "build"]
extensions = ["myst_parser"]
myst_heading_anchors = 6
suppress_warnings = ["toc.not_included"]
"""Of pages that others link to and that no list has: the README of a folder, a lesson."""
smartquotes = False
highlight_language = "none"
html_theme = "furo"
html_title = "Tallystick"
html_show_sphinx = False
html_show_copyright = False
html_copy_source = False


def navigation(index: str) -> str:
    """The lists of docs/index.md as tables of contents, below their headings."""
    tables = []
    for section in index.split("\n## ")[1:]:
        heading, _, body = section.partition("\n")
        links = re.findall(r"\[([^\]]+)\]\(([^)]+)\)", body)
        pages = [f"{title} </{(ROOT / 'docs' / link).resolve().relative_to(ROOT)}>" for title, link in links]
        tables.append("\n".join(["```{toctree}", f":caption: {heading}", ":hidden:", "", *pages, "```", ""]))
    return "\n".join(tables)


def with_navigation(app: Sphinx, name: str, content: list[str]) -> None:
    """Adds the navigation to the page of the lists."""
    if name == root_doc:
        content[0] += f"\n{navigation(content[0])}"


def first_page(app: Sphinx, failure: Exception | None) -> None:
    """Leads from the folder of the site to its first page."""
    if failure is None:
        text = f'<!doctype html><meta http-equiv="refresh" content="0; url={root_doc}.html">\n'
        (Path(app.outdir) / "index.html").write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    app.connect("source-read", with_navigation)
    app.connect("build-finished", first_page)
