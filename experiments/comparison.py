"""`tallystick compare`: sets of methods × solvers × suites, each pair decided once by each configuration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from tallystick.core.errors import TallystickError
from tallystick.decision.service.portfolio import METHODS
from tallystick.experiments.harness import decide_on_spark
from tallystick.experiments.questions import Options, Task
from tallystick.experiments.records import Record
from tallystick.experiments.suite_command import questions_of
from tallystick.experiments.tables import print_query
from tallystick.output import require_writable
from tallystick.replay.session import spark_session

PAPER_METHODS = ("no_agg", "constant_fold", "agg_one", "agg_mult", "agg_one_sync", "agg_one_bag", "agg_one_key")
"""The methods of the two papers, with Theorem 3 mended."""
METHOD_SETS: dict[str, tuple[str, ...] | None] = {
    "all": None,
    "papers": PAPER_METHODS,
    **{name: (name,) for name in METHODS},
}
"""What a set of methods is called: `all`, `papers`, or the name of a single method."""

_NAME = f"if(methods = '{','.join(PAPER_METHODS)}', 'papers', methods)"
IN_ALL = f"""
    select {_NAME} as methods, solver,
           count_if(verdict <> 'unknown') as decided,
           count_if(verdict <> expected and verdict <> 'unknown') as wrong,
           count_if(array_contains(caps, 'time')) as late,
           cast(round(1000 * percentile(seconds, 0.5)) as bigint) as ms,
           cast(round(1000 * max(seconds)) as bigint) as `max ms`,
           sum(solver_calls) as calls,
           cast(percentile(if(certificate_bytes > 0, certificate_bytes, null), 0.5) as bigint) as bytes,
           count_if(size(oracles) > 0) as oracles
    from records group by all order by all
"""
BY_CLASS = f"""
    select coalesce(nullif(program_class, ''), '–') as class, {_NAME} as methods, solver,
           count(*) as pairs,
           count_if(verdict <> 'unknown') as decided,
           count_if(verdict <> expected and verdict <> 'unknown') as wrong,
           count_if(array_contains(caps, 'time')) as late,
           cast(round(1000 * percentile(seconds, 0.5)) as bigint) as ms,
           cast(percentile(if(certificate_bytes > 0, certificate_bytes, null), 0.5) as bigint) as bytes
    from records group by all order by all
"""


class UnknownMethodsError(TallystickError, ValueError):
    """There is no set of methods of this name."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What is compared.

    Attributes:
        suites: their names, or files.
        methods: names of sets of methods (METHOD_SETS).
        solvers: names of solvers.
        timeout, memory: the limits for a pair.
        master: the Spark master.
        folder: where records and plots go.
        pairs, seed: of a generated suite.
    """

    suites: tuple[str, ...]
    methods: tuple[str, ...]
    solvers: tuple[str, ...]
    timeout: float
    memory: int
    master: str
    folder: Path
    pairs: int = 100
    seed: int = 1


def compare(comparison: Comparison) -> bool:
    """Prints the comparison, and draws it as pictures; returns whether no verdict is wrong.

    Raises UnknownMethodsError, and what `run_suite` raises for suites, results and Spark.
    """
    configurations = _configurations(comparison)
    from tallystick.experiments.plots import cactus_plot, scatter_plot  # a second's work, for which no error waits

    console = Console()
    require_writable(comparison.folder)
    with spark_session(comparison.master) as spark:
        questions = [
            question
            for suite in comparison.suites
            for question in questions_of(suite, comparison.pairs, comparison.seed, spark)
        ]
        tasks = [Task(question, options) for options in configurations.values() for question in questions]
        run = decide_on_spark(spark, tasks, str(comparison.folder / "records"))
        print_query(console, spark, f"All {len(questions)} pairs of {', '.join(comparison.suites)}", IN_ALL)
        print_query(console, spark, "By class", BY_CLASS)
    records = dict(zip(configurations, _chunks(run.records, len(questions)), strict=True))
    paths = [comparison.folder / "cactus.svg", comparison.folder / "scatter.svg"]
    cactus_plot(records, comparison.timeout, paths[0])
    if len(records) > 1:
        scatter_plot(records, comparison.timeout, paths[1])
    console.print(f"Pictures: {', '.join(str(path) for path in paths if path.exists())}", soft_wrap=True)
    return not any(record.is_wrong for record in run.records)


def _configurations(comparison: Comparison) -> dict[str, Options]:
    unknown = [name for name in comparison.methods if name not in METHOD_SETS]
    if unknown:
        raise UnknownMethodsError(f"there are no methods {unknown[0]!r}; there are {', '.join(METHOD_SETS)}")
    return {
        f"{methods}, {solver}": Options(solver, METHOD_SETS[methods], comparison.timeout, comparison.memory)
        for methods in comparison.methods
        for solver in comparison.solvers
    }


def _chunks(records: Sequence[Record], size: int) -> list[Sequence[Record]]:
    return [records[start : start + size] for start in range(0, len(records), size)]
