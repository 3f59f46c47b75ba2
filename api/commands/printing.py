"""How commands print: one JSON object, or text whose answers have a colour on a terminal."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

import click
from tallystick.answers import answer
from tallystick.commands.options import EXIT_DEFECT, FUNCTION
from tallystick.misreading import MisreadingError
from tallystick.output import write
from tallystick.showing import ANSWER, COLOURS

if TYPE_CHECKING:
    from tallystick.reports import Entry, Form

Shape = Literal["text", "json", "github", "junit", "sarif"]
"""How an answer is written."""


def shape_of(form: str, as_json: bool) -> Shape:
    """The shape that --format and --json ask for; raises UsageError where they contradict each other."""
    if as_json and form != "text":
        raise click.UsageError(f"--json contradicts --format {form}")
    return "json" if as_json else cast(Shape, form)


def command_name() -> str:
    """What the user has called: `changes`, too, while it runs `dataflow`."""
    context = click.get_current_context()
    while context.parent is not None and context.parent.parent is not None:
        context = context.parent
    return context.info_name or ""


def print_as(
    shape: Shape, text: Callable[[], str], content: Callable[[], dict[str, Any]], entries: Callable[[], Sequence[Entry]]
) -> None:
    """Prints an answer in its shape: as text, as one JSON object, or as a report of its entries."""
    if shape == "text":
        print_text(text())
    elif shape == "json":
        print_json(content())
    else:
        print_report(shape, entries())


def print_report(form: Form, entries: Sequence[Entry]) -> None:
    """Prints answers for other programs."""
    from tallystick.reports import FORMS

    click.echo(FORMS[form](command_name(), entries), nl=False)


def path_of(program: Any) -> str:
    """The file of a program or query as it stands on the command line; "" if it has none."""
    if not isinstance(program, str) or (any(map(str.isspace, program)) and not os.path.exists(program)):
        return ""
    return program.rpartition(":")[0] if FUNCTION.search(program) else program


@contextmanager
def misreadings(shape: Shape, script: Path | None = None) -> Iterator[None]:
    """Prints what an engine contradicts as the answer, writes the database, and ends with the status of a defect."""
    try:
        yield
    except MisreadingError as found:
        _print_misreading(shape, found)
        if script is not None:
            write(script, found.script)
        raise SystemExit(EXIT_DEFECT) from None


def _print_misreading(shape: Shape, found: MisreadingError) -> None:
    from tallystick.reports import Entry

    name = " and ".join(found.names)
    print_as(shape, lambda: str(found), found.to_json, lambda: [Entry(name, "misread", str(found))])


def on_a_terminal() -> bool:
    """Whether somebody sees what is printed as it is printed."""
    return sys.stdout.isatty()


def print_json(content: dict[str, Any], indent: int | None = 2) -> None:
    """Prints the answer of the command as one JSON object."""
    click.echo(json.dumps(answer(command_name(), content), indent=indent, ensure_ascii=False))


def print_text(text: str) -> None:
    """Prints text; answers at the beginnings of lines have a colour on a terminal, unless NO_COLOR is set."""
    click.echo(text if os.environ.get("NO_COLOR") else ANSWER.sub(_coloured, text))


def _coloured(found: re.Match[str]) -> str:
    return f"{found[1]}{click.style(found[2], fg=COLOURS[found[2]], bold=True)}"
