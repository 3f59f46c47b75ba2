"""`tallystick lint`: finds folds whose value depends on partitions."""

from __future__ import annotations

from typing import Any

import click
from tallystick.commands.options import (
    AS_JSON,
    EXIT_BAD_INPUT,
    EXIT_EQUIVALENT,
    EXIT_INEQUIVALENT,
    EXIT_UNKNOWN,
    SOLVER,
    TYPES,
    print_json,
    timeout,
)
from tallystick.core.errors import TallystickError


@click.command()
@click.argument("programs", nargs=-1, required=True)
@SOLVER
@TYPES
@timeout("a program")
@click.option(
    "--replay",
    type=click.Choice(["reference", "spark"]),
    default="reference",
    show_default=True,
    help="Where two values are computed. Spark runs your functions; nothing else does.",
)
@AS_JSON
def lint(programs: tuple[str, ...], solver: str, types: str | None, timeout: float, replay: str, as_json: bool) -> None:
    """Find folds whose value depends on how Spark partitions their elements.

    Each of PROGRAMS is PATH.py:FUNCTION, or PATH.py for all functions there with a parameter annotated as an RDD.
    Exit status: 1 a fold is unsafe, else 3 bad input, else 2 one is not known to be safe, else 0; 4 internal error.
    """
    from tallystick.findings import Safety, worst
    from tallystick.linting import lint as lint_one

    options: Any = {"solver": solver, "timeout": timeout}
    reports, unread = [], False
    for name in [each for program in programs for each in _programs(program)]:
        try:
            reports.append(lint_one(name, types, replay, **options))  # type: ignore[arg-type]
        except TallystickError as error:
            click.echo(f"error: {error}", err=True)
            unread = True
    safety = worst(report.safety for report in reports)
    if as_json:
        content = {"safety": str(safety), "programs": [report.to_json() for report in reports]}
        print_json(content)
    else:
        for report in reports:
            click.echo(str(report))
    status = EXIT_BAD_INPUT if unread else EXIT_UNKNOWN if safety is Safety.UNKNOWN else EXIT_EQUIVALENT
    raise SystemExit(EXIT_INEQUIVALENT if safety is Safety.UNSAFE else status)


def _programs(reference: str) -> list[str]:
    from tallystick.frontends.pyspark import programs_in

    return programs_in(reference) if reference.endswith(".py") else [reference]
