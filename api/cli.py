"""The command line: its commands, loaded one by one, and what becomes of their errors.

A command is a module of `tallystick.commands` with a click command of the same name; it imports what it needs when it
runs, so that `--help` and `audit` start fast.
"""

from __future__ import annotations

import errno
import json
import sys
import traceback
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

import click
from tallystick.answers import answer
from tallystick.core.errors import TallystickError
from tallystick.extras import missing
from tallystick.failures import to_json
from tallystick.output import OutputError, standard_output

EXIT_BAD_INPUT, EXIT_INTERNAL, EXIT_INTERRUPTED = 3, 4, 130
LONGEST_NAME = 200
"""Characters of a file's name in a message."""

COMMANDS = (
    "check",
    "audit",
    "lint",
    "explain",
    "plans",
    "dataflow",
    "changes",
    "suite",
    "compare",
    "reproduce",
    "machine",
    "qe",
    "export",
    "trusted",
)
"""In the order in which `--help` lists them."""


class _CommandLine(click.Group):
    """Loads commands when they are named; ends with a message and a status whatever happens."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        return getattr(import_module(f"tallystick.commands.{cmd_name}"), cmd_name)

    def main(  # type: ignore[override]
        self, args: Sequence[str] | None = None, prog_name: str | None = None, **options: Any
    ) -> NoReturn:
        """Runs a command and ends with its status."""
        given = list(sys.argv[1:] if args is None else args)
        asked = next((each for each in given if each in COMMANDS), "") if "--json" in given else None
        sys.exit(_status(partial(super().main, args, prog_name, **{**options, "standalone_mode": False}), asked))


def _status(command: Callable[[], Any], asked: str | None) -> int:
    """The status of a command: 3 with a message for expected errors, 4 for others, 130 for an interrupt.

    `asked` is the command of which JSON is asked for, on standard output: errors are answers, too.
    """
    try:
        with standard_output():
            result = command()
        return result if isinstance(result, int) else 0
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else EXIT_INTERNAL
    except (KeyboardInterrupt, click.Abort):
        return EXIT_INTERRUPTED
    except Exception as error:
        message, status = _told(error)
        if isinstance(error, click.ClickException):
            error.show()
        else:
            click.echo(f"error: {message}", err=True)
        if asked is not None and not isinstance(error, OutputError):
            click.echo(json.dumps(answer(asked, {"error": to_json(error, message)}), indent=2, ensure_ascii=False))
        return status


def _told(error: Exception) -> tuple[str, int]:
    """What is said of an error, and the status that it ends with."""
    match error:
        case click.ClickException():
            return error.format_message(), EXIT_BAD_INPUT
        case TallystickError():
            return str(error), getattr(error, "exit_status", EXIT_BAD_INPUT)
        case RecursionError():
            return "the programs are nested too deeply", EXIT_BAD_INPUT
        case OSError() if error.filename is not None:  # of a file that the user has named
            return f"{str(error.filename)[:LONGEST_NAME]}: {error.strerror}", EXIT_BAD_INPUT
        case OSError(errno=errno.EIO):  # such a file, while it is read: of a device, or of a process
            return f"a file cannot be read: {error.strerror}", EXIT_BAD_INPUT
        case ModuleNotFoundError() if what := missing(error):
            return what, EXIT_BAD_INPUT
    *_, place = traceback.extract_tb(error.__traceback__)
    where = f"{Path(place.filename).name}, line {place.lineno}"
    message = f"internal error: {type(error).__name__}: {error} ({where})\nPlease report this, with the programs."
    return message, EXIT_INTERNAL


@click.group(cls=_CommandLine, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="tallystick", message="%(prog)s %(version)s")
def main() -> None:
    """Decides whether two data programs return the same on every input: functions of PySpark, queries of SQL, or the
    models of two versions of a dataflow.

    Exit status: 0 equivalent or accepted, 1 inequivalent or rejected, 2 unknown, 3 bad input or output that cannot be
    written, 4 a defect of Tallystick, 130 interrupted.
    """
