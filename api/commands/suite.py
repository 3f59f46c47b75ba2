"""`tallystick suite`: decides all pairs of a suite."""

from __future__ import annotations

from pathlib import Path

import click
from tallystick.commands.options import EXIT_INEQUIVALENT, MEMORY, OUTPUT_FOLDER, PAIRS, SEED, SOLVER, timeout


@click.command()
@click.argument("name")
@SOLVER
@timeout("a pair")
@MEMORY
@click.option(
    "--spark", metavar="MASTER", help='Decide on this Spark, such as "local[2]", and check verdicts by running there.'
)
@click.option("--results", type=OUTPUT_FOLDER, help="Records go here: results/NAME.")
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

    NAME is sparklite-cav, sparklite-tr, errata, beyond, generated, a file of pairs (.jsonl, .parquet, .py), or
    a folder of pairs of SQL queries (.jsonl, .jsonl.gz): --timeout and nothing else applies to those.
    With --spark, an interrupted run goes on where it was when the command is given again.
    """
    if Path(name).is_dir():
        raise SystemExit(_folder_of_queries(Path(name), timeout))
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


def _folder_of_queries(folder: Path, seconds: float) -> int:
    """Prints what comes out for each suite of queries in a folder; the status is 1 if a verdict contradicts a label."""
    from tallystick.experiments.sql_suites.folder import COLUMNS, tallies

    widths = (30, *(8 for _ in COLUMNS[1:]))
    click.echo("".join(name.ljust(width) for name, width in zip(COLUMNS, widths, strict=True)).rstrip())
    wrong = 0
    for result in tallies(folder, seconds):
        click.echo("".join(cell.ljust(width) for cell, width in zip(result.row(), widths, strict=True)).rstrip())
        for reason, count in result.reasons.most_common(8):
            click.echo(f"    {count:4} {reason[:100]}")
        for name in result.wrong:
            click.echo(f"    WRONG: {name}")
        wrong += len(result.wrong)
    return EXIT_INEQUIVALENT if wrong else 0
