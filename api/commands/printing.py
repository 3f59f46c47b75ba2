"""How commands print: one JSON object, or text whose answers have a colour on a terminal."""

from __future__ import annotations

import json
import os
import re
from typing import Any

import click
from tallystick.showing import ANSWER, COLOURS


def print_json(content: Any) -> None:
    """Prints one JSON object."""
    click.echo(json.dumps(content, indent=2, ensure_ascii=False))


def print_text(text: str) -> None:
    """Prints text; answers at the beginnings of lines have a colour on a terminal, unless NO_COLOR is set."""
    click.echo(text if os.environ.get("NO_COLOR") else ANSWER.sub(_coloured, text))


def _coloured(found: re.Match[str]) -> str:
    return f"{found[1]}{click.style(found[2], fg=COLOURS[found[2]], bold=True)}"
