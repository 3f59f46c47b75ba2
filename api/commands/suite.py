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

    NAME is sparklite-cav, sparklite-tr, errata, beyond, generated, or a file of pairs (.jsonl, .parquet, .py).
    With --spark, an interrupted run goes on where it was when the command is given again.
    """
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
