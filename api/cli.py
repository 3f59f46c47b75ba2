"""The command line: its commands, loaded one by one, and what becomes of their errors.

A command is a module of `tallystick.commands` with a click command of the same name; it imports what it needs when it
runs, so that `--help` and `audit` start fast.
"""

from __future__ import annotations

import errno
import json
import re
import sys
import traceback
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

import click
from click.core import ParameterSource
from tallystick.answers import answer
from tallystick.core.errors import TallystickError
from tallystick.core.version import VERSION
from tallystick.extras import missing
from tallystick.failures import reported, to_json
from tallystick.output import OutputError, standard_output

EXIT_BAD_INPUT, EXIT_INTERNAL, EXIT_INTERRUPTED = 3, 4, 130
CONFIGURATION = "tallystick.configuration"
"""Where a context keeps the file that gave defaults."""
LONGEST_NAME = 200
"""Characters of a file's name in a message."""

COMMANDS = (
    "check",
    "audit",
    "lint",
    "explain",
    "transpile",
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
    "serve",
    "playground",
    "doctor",
    "completion",
)
"""In the order in which `--help` lists them."""


class _CommandLine(click.Group):
    """Loads commands when they are named; ends with a message and a status whatever happens."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """A command and its arguments; a file of configuration gives defaults, but where help is asked for."""
        name, command, rest = super().resolve_command(ctx, args)
        from tallystick import configuration  # `--help` and `--version` have no use for it

        file: Path | None = ctx.params["config"]
        if name in configuration.COMMANDS and command is not None and not {"-h", "--help"} & set(rest):
            file = file or (None if ctx.params["no_config"] else configuration.found(Path.cwd()))
            if file is not None:
                takes = {each.name or "" for each in command.params}
                ctx.default_map = {name: configuration.defaults(file, name, takes)}
                ctx.meta[CONFIGURATION] = file
        return name, command, rest

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        return getattr(import_module(f"tallystick.commands.{cmd_name}"), cmd_name)

    def main(  # type: ignore[override]
        self, args: Sequence[str] | None = None, prog_name: str | None = None, **options: Any
    ) -> NoReturn:
        """Runs a command and ends with its status."""
        given = list(sys.argv[1:] if args is None else args)
        asked = next((each for each in given if each in COMMANDS), ""), _shape(given)
        sys.exit(_status(partial(super().main, args, prog_name, **{**options, "standalone_mode": False}), asked))


def _shape(arguments: Sequence[str]) -> str:
    """How the answer is to be written: "json", "junit", …; "text" if nothing else is asked for."""
    if "--json" in arguments:
        return "json"
    given = " ".join(arguments)
    return found[1] if (found := re.search(r"(?:^| )--format[ =](github|junit|sarif)(?: |$)", given)) else "text"


def _status(command: Callable[[], Any], asked: tuple[str, str]) -> int:
    """The status of a command: 3 with a message for expected errors, 4 for others, 130 for an interrupt.

    `asked` is the command, and the shape of its answer: in all but text, errors are answers, too.
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
            if (file := _configured(error)) is not None:
                click.echo(f"The value stands in {file}.", err=True)
        else:
            click.echo(f"error: {message}", err=True)
        name, shape = asked
        if shape == "json" and not isinstance(error, OutputError):
            click.echo(json.dumps(answer(name, {"error": to_json(error, message)}), indent=2, ensure_ascii=False))
        elif shape != "text" and not isinstance(error, OutputError):
            click.echo(reported(name, shape, error, message), nl=False)
        return status


def _configured(error: click.ClickException) -> Path | None:
    """The file of configuration that gave the value which an error is about."""
    match error:
        case click.BadParameter(ctx=click.Context() as context, param=click.Parameter(name=str(name))):
            from_file = context.get_parameter_source(name) is ParameterSource.DEFAULT_MAP
            return context.find_root().meta[CONFIGURATION] if from_file else None
    return None


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
@click.version_option(VERSION, message="%(prog)s %(version)s")
@click.option(
    "--config",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Defaults of options; if not given: tallystick.toml, or [tool.tallystick] of pyproject.toml, in this folder "
    "or above it in the same repository.",
)
@click.option("--no-config", is_flag=True, help="Look for no file of configuration.")
def main(config: Path | None, no_config: bool) -> None:
    """Decides whether two data programs return the same on every input: functions of PySpark, queries of SQL, or the
    models of two versions of a dataflow.

    Exit status: 0 equivalent or accepted, 1 inequivalent or rejected, 2 unknown, 3 bad input or output that cannot be
    written, 4 a defect of Tallystick, 130 interrupted.
    """
