"""`tallystick lint`: finds folds whose value depends on partitions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click
from tallystick.commands.options import (
    AS_JSON,
    EXIT_BAD_INPUT,
    EXIT_EQUIVALENT,
    EXIT_INEQUIVALENT,
    EXIT_UNKNOWN,
    FORMAT,
    SOLVER,
    TYPES,
    timeout,
)
from tallystick.commands.printing import print_as, shape_of
from tallystick.core.errors import FragmentError
from tallystick.progress import waiting

if TYPE_CHECKING:
    from tallystick.findings import LintReport
    from tallystick.lint_targets import Unread
    from tallystick.reports import Entry


@click.command()
@click.argument("paths", nargs=-1)
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
@FORMAT
@AS_JSON
def lint(paths: tuple[str, ...], strict: bool, form: str, as_json: bool, **options: Any) -> None:
    """Find folds whose value depends on how Spark partitions their elements.

    Each of PATHS is PATH.py:FUNCTION, a file (.py or .ipynb) for all its functions with a parameter annotated as an
    RDD, or a folder for all files below it; if none is given, `sources` of the configuration. Functions found in files
    that cannot be read are reported.
    Exit status: 1 a fold is unsafe, else 3 bad input (with --strict, a function that cannot be read), else 2 one is not
    known to be safe, else 0; 4 internal error.
    """
    from tallystick.findings import Safety, worst

    shape = shape_of(form, as_json)
    paths = paths or tuple(click.get_current_context().lookup_default("paths") or ())
    if not paths:
        raise click.UsageError("Missing argument 'PATHS...'")

    reports, unread = _linted(paths, options)
    safety = worst(report.safety for report in reports)

    def content() -> dict[str, Any]:
        found = {"reports": [each.to_json() for each in reports], "unread": [each.to_json() for each in unread]}
        seconds = sum(each.seconds for each in reports)
        programs = [each.program for each in (*reports, *unread)]
        return {"verdict": str(safety), "programs": programs, "seconds": seconds, **found}

    failing = {each.program for each in unread if strict or each.program in paths}
    texts = [str(report) for report in (*reports, *unread)]
    print_as(shape, lambda: "\n".join(texts), content, lambda: list(_entries(reports, unread, failing)))
    status = EXIT_BAD_INPUT if failing else EXIT_UNKNOWN if safety is Safety.UNKNOWN else EXIT_EQUIVALENT
    raise SystemExit(EXIT_INEQUIVALENT if safety is Safety.UNSAFE else status)


def _entries(reports: list[LintReport], unread: list[Unread], failing: set[str]) -> Iterator[Entry]:
    """A line of a report for each fold, for each program without one, and for what could not be read."""
    from tallystick.reports import NOT_READ, Entry

    for report in reports:
        path, _, _ = report.program.rpartition(":")
        if not report.findings:
            yield Entry(report.program, str(report.safety), str(report), path, seconds=report.seconds)
        for each in report.findings:
            name = f"{each.method} in {report.program}"
            yield Entry(name, str(each.safety), str(each), each.path, each.line, each.column)
    for each in unread:
        answer = "error" if each.program in failing else NOT_READ
        yield Entry(each.program, answer, str(each), each.path, each.line, each.column)


def _linted(paths: tuple[str, ...], options: dict[str, Any]) -> tuple[list[LintReport], list[Unread]]:
    """The reports on all programs, and what could not be read."""
    from tallystick.decision.service.process import shared_prover
    from tallystick.frontends.pyspark import SourceError
    from tallystick.lint_targets import Unread, targets
    from tallystick.linting import lint as lint_one

    reports: list[LintReport] = []
    unread: list[Unread] = []
    shared_prover.fork()
    with waiting("linting"):
        for target in targets(paths):
            if isinstance(target, Unread):
                unread.append(target)
                continue
            try:
                reports.append(lint_one(target, **options))
            except (SourceError, FragmentError) as error:
                unread.append(Unread.of(target, error))
    return reports, unread
