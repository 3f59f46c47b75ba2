"""Runs a suite: every pair is decided and audited, and every counterexample runs on Spark where that is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from statistics import median

from rich import box
from rich.console import Console
from rich.progress import track
from rich.table import Table
from tallystick.checking import Solver, check
from tallystick.decision.process import ProverProcess
from tallystick.experiments.suites import Pair, load
from tallystick.replay import SparkReplayer
from tallystick.verdict import Answer, Verdict


@dataclass(frozen=True, slots=True)
class Row:
    """A pair of a suite and the verdict about it."""

    pair: Pair
    verdict: Verdict

    @property
    def is_right(self) -> bool:
        """Whether the verdict is the known one."""
        return self.verdict.verdict == self.pair.expected

    @property
    def is_wrong(self) -> bool:
        """Whether the verdict contradicts the known one; unknown does not."""
        return not self.is_right and self.verdict.verdict is not Answer.UNKNOWN


def run_suite(
    name: str, *, solver: Solver = "auto", timeout: float = 30.0, replayer: SparkReplayer | None = None
) -> Iterator[Row]:
    """The rows of a suite, in order, each as soon as it is known.

    With a `replayer`, every counterexample runs on Spark. Raises UnknownSuiteError for an unknown name.
    """
    pairs = load(name)
    with ProverProcess() as prover:
        for pair in pairs:
            yield Row(
                pair,
                check(
                    pair.left,
                    pair.right,
                    solver=solver,
                    timeout=timeout,
                    replay="spark" if replayer is not None else "reference",
                    prover=prover,
                    replayer=replayer,
                ),
            )


def print_suite(name: str, *, solver: Solver = "auto", timeout: float = 30.0, master: str | None = None) -> bool:
    """Prints a suite as a table, with progress on a terminal; returns whether no verdict is wrong.

    With a Spark `master`, every counterexample runs there.
    """
    console = Console()
    pairs = load(name)
    with SparkReplayer(master) if master else nullcontext() as replayer:
        rows = list(
            track(
                run_suite(name, solver=solver, timeout=timeout, replayer=replayer),
                description=name,
                total=len(pairs),
                console=Console(stderr=True),
                transient=True,
                disable=not console.is_terminal,
            )
        )
    console.print(_table(name, rows))
    right, wrong = sum(row.is_right for row in rows), sum(row.is_wrong for row in rows)
    seconds = [row.verdict.seconds for row in rows]
    console.print(
        f"{right} of {len(rows)} verdicts are the known ones, {wrong} are wrong, "
        f"{len(rows) - right - wrong} are unknown; {sum(seconds):.2f} s for deciding and auditing: "
        f"{1000 * median(seconds):.0f} ms a pair (median), {1000 * max(seconds):.0f} ms the slowest."
    )
    return wrong == 0


def _table(name: str, rows: list[Row]) -> Table:
    """One line a pair; the reference interpreter evaluates every counterexample, so only Spark has a column."""
    found = [row.verdict.counterexample for row in rows]
    on_spark = any(each is not None and each.replayed_on[-1] == "spark" for each in found)
    table = Table(title=f"Suite {name}", box=box.SIMPLE_HEAD, title_justify="left", padding=(0, 1, 0, 0))
    table.add_column("pair", overflow="fold")
    for heading in ("class", "verdict", "method", "ms", "bytes", *(["replayed"] if on_spark else [])):
        table.add_column(heading, justify="right" if heading in ("ms", "bytes") else "left", no_wrap=True)
    for row in rows:
        verdict, counterexample = row.verdict, row.verdict.counterexample
        known = row.is_right or row.pair.undecided
        mark = " WRONG" if row.is_wrong else "" if known else f", is {row.pair.expected}"
        replayed = counterexample.replayed_on[-1] if counterexample else ""
        table.add_row(
            row.pair.name,
            verdict.program_class,
            f"{verdict.verdict}{mark}",
            verdict.method[0] if verdict.method else "",
            f"{1000 * verdict.seconds:.0f}",
            str(len(verdict.certificate)) if verdict.certificate else "",
            *([replayed] if on_spark else []),
        )
    return table
