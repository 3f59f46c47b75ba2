"""The reference, made from the code: docs/reference/.

python docs/generate.py
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import command_pages
import commits_page
import configuration_page
import json_page
import plans_page
import python_pages
import speed_page
import sql_pages

FOLDER: Final = Path(__file__).parent / "reference"
PAGES: Final[dict[str, Callable[[], str]]] = {
    "commands.md": command_pages.commands,
    "configuration.md": configuration_page.configuration,
    "errors.md": python_pages.errors,
    "python.md": python_pages.python,
    "dialects.md": sql_pages.dialects,
    "functions.md": sql_pages.functions,
    "migration.md": sql_pages.migration,
    "assumptions.md": sql_pages.assumptions,
    "json.md": json_page.json_page,
    "speed.md": speed_page.speed,
    "commits.md": commits_page.commits,
    "plans.md": plans_page.plans,
}
SCHEMA: Final = "answer.schema.json"


def files() -> dict[str, str]:
    """The texts of all files of the reference."""
    return {**{name: page(name) for name in PAGES}, SCHEMA: json_page.schema_file()}


def page(name: str) -> str:
    """The text of a page of the reference."""
    title, _, body = PAGES[name]().partition("\n")
    return f"# {title}\n\nThis page is made from the code by `python docs/generate.py`.\n\n{body.strip()}\n"


def main() -> None:
    """Writes all files."""
    FOLDER.mkdir(exist_ok=True)
    for name, text in files().items():
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
