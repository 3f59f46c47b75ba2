"""How commands print: one JSON object, or text whose answers have a colour on a terminal."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from tallystick.answers import answer
from tallystick.commands.options import EXIT_DEFECT
from tallystick.misreading import MisreadingError
from tallystick.output import write
from tallystick.showing import ANSWER, COLOURS


@contextmanager
def misreadings(as_json: bool, script: Path | None = None) -> Iterator[None]:
    """Prints what an engine contradicts as the answer, writes the database, and ends with the status of a defect."""
    try:
        yield
    except MisreadingError as found:
        if as_json:
            print_json(found.to_json())
        else:
            print_text(str(found))
        if script is not None:
            write(script, found.script)
        raise SystemExit(EXIT_DEFECT) from None


def on_a_terminal() -> bool:
    """Whether somebody sees what is printed as it is printed."""
    return sys.stdout.isatty()


def print_json(content: dict[str, Any], indent: int | None = 2) -> None:
    """Prints the answer of the command as one JSON object."""
    command = click.get_current_context().info_name or ""
    click.echo(json.dumps(answer(command, content), indent=indent, ensure_ascii=False))


def print_text(text: str) -> None:
    """Prints text; answers at the beginnings of lines have a colour on a terminal, unless NO_COLOR is set."""
    click.echo(text if os.environ.get("NO_COLOR") else ANSWER.sub(_coloured, text))


def _coloured(found: re.Match[str]) -> str:
    return f"{found[1]}{click.style(found[2], fg=COLOURS[found[2]], bold=True)}"
