"""`tallystick suite`: decides all pairs of a suite."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from tallystick.commands.options import EXIT_INEQUIVALENT, MEMORY, OUTPUT_FOLDER, PAIRS, SEED, SOLVER, only, timeout

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


def _names(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The suites whose names begin with what is typed, and files."""
    from click.shell_completion import CompletionItem
    from tallystick.experiments.suites import names

    found = [each for each in (*names(), "generated", "sql") if each.startswith(incomplete)]
    return [*map(CompletionItem, found), CompletionItem(incomplete, type="file")]


@click.command()
@click.argument("name", shell_complete=_names)
@SOLVER
@timeout("a pair")
@MEMORY
@click.option(
    "--spark", metavar="MASTER", help='Decide on this Spark, such as "local[2]", and check verdicts by running there.'
)
@click.option("--results", type=OUTPUT_FOLDER, help="Records go here; with --spark, to results/NAME.")
@click.option(
    "--validate",
    type=click.IntRange(min=0),
    default=8,
    show_default=True,
    help="With --spark, run equivalent pairs on so many inputs; inequivalent ones always run on their counterexamples.",
)
@PAIRS
@SEED
def suite(
    name: str,
    solver: str,
    timeout: float,
    memory: int,
    spark: str | None,
    results: Path | None,
    validate: int,
    pairs: int,
    seed: int,
) -> None:
    """Decide all pairs of a suite, and compare with the known verdicts.

    NAME is sparklite-cav, sparklite-tr, errata, beyond, generated, or a file of pairs (.jsonl, .parquet, .py). Of SQL
    queries it is sql, a file of pairs (.jsonl, .jsonl.gz), a folder of such, or a clone of SPES, SQLSolver or VeriEQL;
    --timeout, --results and --spark apply to these. With --spark or --results, an interrupted run goes on where it was
    when the command is given again.
    """
    if may_be_of_queries(name):
        from tallystick.experiments.sql_suites.sources import is_of_queries

        if is_of_queries(name):
            only("suites of queries", "timeout", "results", "spark")
            raise SystemExit(_suite_of_queries(name, timeout, results, spark))
    from tallystick.experiments.cross_validation import Disagreement
    from tallystick.experiments.questions import Options
    from tallystick.experiments.suite_command import Request, run_suite

    options = Options(solver, None, timeout, memory)
    try:
        right = run_suite(Request(name, options, spark, results, validate, pairs, seed))
    except Disagreement as found:
        click.echo(f"error: {found}", err=True)
        raise SystemExit(EXIT_INEQUIVALENT) from None
    raise SystemExit(0 if right else 1)


def may_be_of_queries(name: str) -> bool:
    """Whether a name may stand for a suite of queries: what it holds decides, which is read only then."""
    return name == "sql" or Path(name).is_dir() or name.endswith((".jsonl", ".jsonl.gz"))


def _suite_of_queries(name: str, seconds: float, results: Path | None, master: str | None) -> int:
    """Decides a suite of queries and prints its tables; the status is 1 if a verdict contradicts a label."""
    from tallystick.experiments.sql_suites.running import run
    from tallystick.experiments.sql_suites.sources import records_of
    from tallystick.experiments.sql_suites.tables import report

    kept = results / "queries.jsonl" if results is not None else None
    found = run(records_of(name), seconds, kept, master)
    for line in report(found):
        click.echo(line)
    return EXIT_INEQUIVALENT if any(each.is_wrong for each in found) else 0
