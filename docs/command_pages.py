"""Commands and their options, as click knows them."""

from __future__ import annotations

from collections.abc import Iterator

import click
from tables import code, prose, table
from tallystick.cli import main


def commands() -> str:
    """Every command and option, with its default."""
    context = click.Context(main, info_name="tallystick")
    parts = ["Commands", prose(main.help)]
    for name in main.list_commands(context):
        command = main.get_command(context, name)
        if command is not None:
            parts += _command(f"tallystick {name}", command, 2)
    return "\n\n".join(parts)


def _command(name: str, command: click.Command, level: int) -> Iterator[str]:
    context = click.Context(command, info_name=name)
    yield f"{'#' * level} {name}"
    yield f"    {' '.join([name, *command.collect_usage_pieces(context)])}"
    yield prose(command.help)
    options = [each for each in command.params if isinstance(each, click.Option) and not each.hidden]
    if options:
        yield table(("option", "values", "default", "what it does"), (_option(each, context) for each in options))
    if isinstance(command, click.Group):
        for each in command.list_commands(context):
            if (found := command.get_command(context, each)) is not None:
                yield from _command(f"{name} {each}", found, level + 1)


def _option(option: click.Option, context: click.Context) -> list[str]:
    values = "" if option.is_flag else option.make_metavar(context).strip("[]")
    if not isinstance(option.type, click.Choice | click.IntRange) and option.metavar is None:
        values = values.lower()
    if option.nargs == 1 and option.multiple:
        values += ", may be repeated"
    default = option.get_default(context)
    shown = str(default) if isinstance(default, str | int | float) and not option.is_flag else ""
    return [", ".join(map(code, option.opts)), values.replace("|", ", "), code(shown), option.help or ""]
