"""The reference, made from the code: docs/reference/.

python docs/generate.py
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import command_pages
import python_pages
import sql_pages

FOLDER: Final = Path(__file__).parent / "reference"
PAGES: Final[dict[str, Callable[[], str]]] = {
    "commands.md": command_pages.commands,
    "errors.md": python_pages.errors,
    "python.md": python_pages.python,
    "dialects.md": sql_pages.dialects,
    "functions.md": sql_pages.functions,
    "assumptions.md": sql_pages.assumptions,
}


def page(name: str) -> str:
    """The text of a page of the reference."""
    title, _, body = PAGES[name]().partition("\n")
    return f"# {title}\n\nThis page is made from the code by `python docs/generate.py`.\n\n{body.strip()}\n"


def main() -> None:
    """Writes all pages."""
    FOLDER.mkdir(exist_ok=True)
    for name in PAGES:
        (FOLDER / name).write_text(page(name), encoding="utf-8")


if __name__ == "__main__":
    main()
