"""The paper's Fig. 1 beside ours: seconds and number of cases of the six AMP Camp properties, by engine.

Run `python -m tallystick.streaming.reproduce`. The paper measured on an Intel Core i7-3517U (two cores, 1.9
GHz) with Spark in local mode and real batch intervals.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from tallystick.streaming.engines import make_engine
from tallystick.streaming.engines.base import Engine
from tallystick.streaming.engines.dstreams import DStreamEngine
from tallystick.streaming.examples import figure_1
from tallystick.streaming.report import Report

#: At most this part of the paper's time is wanted of each engine.
GOALS = {"local": 100, "dstream": 10}


@dataclass(frozen=True)
class Row:
    """One property on one engine: the paper's seconds and ours, for the same number of cases."""

    name: str
    engine: str
    cases: int
    paper_seconds: int
    seconds: float
    report: Report

    @property
    def speedup(self) -> float:
        """How many times faster than the paper."""
        return self.paper_seconds / self.seconds

    @property
    def reaches_goal(self) -> bool:
        """Whether it takes at most the wanted part of the paper's time."""
        return self.speedup >= GOALS[self.engine]


def measure(engines: Sequence[str] = ("local", "dstream"), seed: int = 0) -> list[Row]:
    """Check every property of Fig. 1 on each engine, and return the measurements.

    A batch is one partition, since it is small. Generation, running and evaluation are measured. The start of Spark
    and its first batch are not: the paper has one Spark for all properties too.

    Raises `AssertionError` if a property fails.
    """
    rows = []
    for name in engines:
        with _engine(name) as engine:
            if name != "local":
                _warm_up(engine)
            for example in figure_1():
                start = time.perf_counter()
                report = example.property_of(example.subject, engine=engine, seed=seed).check()
                seconds = time.perf_counter() - start
                rows.append(Row(example.name, name, len(report.runs), example.paper_seconds or 0, seconds, report))
    return rows


def sscheck_table(
    engines: Sequence[str] = ("local", "dstream"), seed: int = 0, console: Console | None = None
) -> list[Row]:
    """Print the paper's Fig. 1 beside our measurements, one row for each property and engine; return the
    rows."""
    console = console or Console()
    with console.status("checking the properties of Fig. 1 …") if console.is_terminal else nullcontext():
        rows = measure(engines, seed)
    table = Table(
        title="Fig. 1: AMP Camp's sscheck properties",
        caption="paper: an Intel Core i7-3517U, 2 cores of 1.9 GHz, real batch intervals; ours: one partition",
        caption_justify="left",
        box=SIMPLE_HEAD,
        pad_edge=False,
        show_edge=False,
        padding=(0, 1, 0, 0),
    )
    table.add_column("property", no_wrap=True)
    table.add_column("engine")
    for column in ("cases", "?", "paper", "ours", "faster", "goal"):
        table.add_column(column, justify="right")
    for row in rows:
        table.add_row(
            row.name,
            row.engine,
            str(row.cases),
            str(row.report.count("inconclusive")),
            f"{row.paper_seconds} s",
            f"{row.seconds:.2f} s",
            f"{row.speedup:.0f}×",
            f"{GOALS[row.engine]}×{'✓' if row.reaches_goal else '✗'}",
        )
    console.print(table)
    return rows


def _engine(name: str) -> Engine:
    return DStreamEngine(partitions=1) if name == "dstream" else make_engine(name)


def _warm_up(engine: Engine) -> None:
    example = figure_1()[0]
    example.property_of(example.subject, engine=engine, seed=0, examples=1).check()


def main(arguments: Sequence[str] | None = None) -> None:
    """The command line: which engines, which seed."""
    parser = argparse.ArgumentParser(description=sscheck_table.__doc__)
    parser.add_argument("--engine", action="append", choices=sorted(GOALS), help="may be given several times")
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args(arguments)
    sscheck_table(tuple(chosen.engine or GOALS), chosen.seed)


if __name__ == "__main__":
    main()
