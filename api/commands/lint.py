"""`tallystick lint`: finds folds whose value depends on partitions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
from tallystick.commands.options import (
    AS_JSON,
    EXIT_BAD_INPUT,
    EXIT_EQUIVALENT,
    EXIT_INEQUIVALENT,
    EXIT_UNKNOWN,
    SOLVER,
    TYPES,
    timeout,
)
from tallystick.commands.printing import print_json, print_text
from tallystick.core.errors import FragmentError
from tallystick.decision.service.spawning import spawn_ahead
from tallystick.progress import waiting

if TYPE_CHECKING:
    from tallystick.findings import LintReport
    from tallystick.lint_targets import Unread


@click.command()
@click.argument("paths", nargs=-1, required=True)
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
@click.option("--strict", is_flag=True, help="Fail when a function that is found in a file cannot be read.")
@AS_JSON
def lint(paths: tuple[str, ...], strict: bool, as_json: bool, **options: Any) -> None:
    """Find folds whose value depends on how Spark partitions their elements.

    Each of PATHS is PATH.py:FUNCTION, a file (.py or .ipynb) for all its functions with a parameter annotated as an
    RDD, or a folder for all files below it. Functions found in files that cannot be read are reported.
    Exit status: 1 a fold is unsafe, else 3 bad input (with --strict, a function that cannot be read), else 2 one is not
    known to be safe, else 0; 4 internal error.
    """
    from tallystick.findings import Safety, worst

    spawn_ahead()
    with waiting("linting"):
        reports, unread = _linted(paths, options)
    safety = worst(report.safety for report in reports)
    if as_json:
        found = {"reports": [each.to_json() for each in reports], "unread": [each.to_json() for each in unread]}
        seconds = sum(each.seconds for each in reports)
        programs = [each.program for each in (*reports, *unread)]
        print_json({"verdict": str(safety), "programs": programs, "seconds": seconds, **found})
    else:
        for report in (*reports, *unread):
            print_text(str(report))
    failed = any(each.program in paths or strict for each in unread)
    status = EXIT_BAD_INPUT if failed else EXIT_UNKNOWN if safety is Safety.UNKNOWN else EXIT_EQUIVALENT
    raise SystemExit(EXIT_INEQUIVALENT if safety is Safety.UNSAFE else status)


def _linted(paths: tuple[str, ...], options: dict[str, Any]) -> tuple[list[LintReport], list[Unread]]:
    """The reports on all programs, and what could not be read."""
    from tallystick.frontends.pyspark import SourceError
    from tallystick.lint_targets import Unread, targets
    from tallystick.linting import lint as lint_one

    reports: list[LintReport] = []
    unread: list[Unread] = []
    for target in targets(paths):
        if isinstance(target, Unread):
            unread.append(target)
            continue
        try:
            reports.append(lint_one(target, **options))
        except (SourceError, FragmentError) as error:
            unread.append(Unread.of(target, error))
    return reports, unread
