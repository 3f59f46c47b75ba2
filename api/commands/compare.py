"""`tallystick compare`: compares methods and solvers."""

from __future__ import annotations

from pathlib import Path

import click
from tallystick.commands.options import MEMORY, OUTPUT_FOLDER, PAIRS, SEED, SOLVERS, timeout


@click.command()
@click.argument("suites", nargs=-1)
@click.option("--solver", "solvers", type=SOLVERS, multiple=True, help="A solver to compare; all when none is given.")
@click.option(
    "--methods", multiple=True, help='Methods to compare: "all", "papers", or one method. [default: all, papers]'
)
@timeout("a pair", 10)
@MEMORY
@click.option("--spark", metavar="MASTER", default="local[2]", show_default=True, help="The Spark that decides.")
@click.option(
    "--results",
    type=OUTPUT_FOLDER,
    default=Path("results/compare"),
    show_default=True,
    help="Records and pictures go here.",
)
@PAIRS
@SEED
def compare(
    suites: tuple[str, ...],
    solvers: tuple[str, ...],
    methods: tuple[str, ...],
    timeout: float,
    memory: int,
    spark: str,
    results: Path,
    pairs: int,
    seed: int,
) -> None:
    """Compare methods and solvers on SUITES (sparklite-cav when none is given): tables and pictures."""
    from tallystick.decision.prover import SOLVERS as ALL_SOLVERS
    from tallystick.experiments.comparison import Comparison
    from tallystick.experiments.comparison import compare as compare_configurations

    comparison = Comparison(
        suites or ("sparklite-cav",),
        methods or ("all", "papers"),
        solvers or ALL_SOLVERS,
        timeout,
        memory,
        spark,
        results,
        pairs,
        seed,
    )
    raise SystemExit(0 if compare_configurations(comparison) else 1)
