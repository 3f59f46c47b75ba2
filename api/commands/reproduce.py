"""`tallystick reproduce`: prints the papers' tables beside ours."""

from __future__ import annotations

from pathlib import Path

import click
from tallystick.commands.options import OUTPUT_FOLDER, SOLVER, timeout


@click.group()
def reproduce() -> None:
    """Print the tables of the papers beside ours, with what differs and why."""


@reproduce.command()
@SOLVER
@timeout("a pair")
def sparklite(solver: str, timeout: float) -> None:
    """The tables of the two SparkLite papers, and their benchmarks: some ten seconds."""
    from tallystick.experiments.questions import Options
    from tallystick.experiments.reproduction import reproduce_sparklite

    raise SystemExit(0 if reproduce_sparklite(Options(solver, None, timeout)) else 1)


@reproduce.command()
@click.argument("suite", default="sql")
@timeout("a pair", 5.0)
def equitas(suite: str, timeout: float) -> None:
    """The table of EQUITAS, as published and made anew, beside ours, on a suite of SQL queries: half a minute.

    SUITE is a file or folder of pairs, or a clone, as in `suite`; without it, our own pairs.
    """
    from tallystick.experiments.equitas.reproduction import reproduce_equitas
    from tallystick.experiments.sql_suites.sources import records_of

    reproduce_equitas(records_of(suite), timeout)


@reproduce.command()
@timeout("a method on a pair", 10.0)
@click.option("--plots", type=OUTPUT_FOLDER, help="Draw the figures into this folder.")
def veer(timeout: float, plots: Path | None) -> None:
    """The tables and figures of Veer, on versions of workflows, as published and made anew, beside the sweep's.

    It takes some minutes.
    """
    from tallystick.experiments.veer.reproduction import reproduce_veer

    raise SystemExit(0 if reproduce_veer(timeout, plots) else 1)


@reproduce.command()
@click.option(
    "--engine",
    "engines",
    type=click.Choice(["local", "dstream"]),
    multiple=True,
    default=("local",),
    show_default=True,
    help="What runs the programs: pure Python, or Spark Streaming; may be given twice.",
)
@click.option("--seed", type=int, default=0, show_default=True)
def sscheck(engines: tuple[str, ...], seed: int) -> None:
    """The properties of the sscheck paper, with its times and ours: a few seconds."""
    from tallystick.streaming.reproduce import sscheck_table

    sscheck_table(engines, seed)
