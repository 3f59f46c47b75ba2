"""Decides tasks one after the other in this process, without Spark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from types import TracebackType
from typing import Self

from tallystick.core.programs import Program
from tallystick.core.terms import Operator, Term, accumulator, add, build, constant, element, ite, less, variable
from tallystick.core.types import INT, BagType
from tallystick.decision.service.process import ProverProcess
from tallystick.experiments.progress import shown_progress
from tallystick.experiments.questions import Task
from tallystick.experiments.records import Record, decide, record_of
from tallystick.results_file import ResultsFile


@dataclass(frozen=True, slots=True)
class Run:
    """Tasks that have been decided.

    Attributes:
        records: one for each task, in their order.
        decided: how many of them were decided now; the others had records.
        seconds: how long that took.
        busy_seconds: how much of the cores' time went into deciding and auditing.
        cores: how many tasks ran at a time.
    """

    records: list[Record]
    decided: int
    seconds: float
    busy_seconds: float
    cores: int

    @property
    def speed(self) -> float:
        """Pairs decided in a second."""
        return self.decided / self.seconds

    @property
    def overhead(self) -> float:
        """The share of the cores' time that went into anything else; 0 when nothing was decided."""
        return max(0.0, 1 - self.busy_seconds / (self.cores * self.seconds)) if self.decided else 0.0


def decide_here(tasks: Sequence[Task], kept: Path | None = None) -> Run:
    """Decides tasks in order, each with its limits of time and memory.

    Args:
        kept: a file of records, one a line: those that it has are taken from it, others are added one by one.

    Raises SourceError for a file that holds something else, and OutputError when it cannot be written.
    """
    started = perf_counter()
    results = ResultsFile(kept, asdict, record_of)
    left = [task for task in tasks if task.key not in results.results]
    try:
        with Provers() as provers, shown_progress("deciding", len(left), lambda: results.added):
            for task in left:
                results.add(decide(task, provers.of(task)))
    except KeyboardInterrupt:
        results.say_interrupted(len(left))
        raise
    busy = sum(results.results[task.key].seconds for task in left)
    return Run([results.results[task.key] for task in tasks], len(left), perf_counter() - started, busy, 1)


START_SECONDS = 60.0
_R = variable("R", BagType(INT))


def _sum(udf: Term) -> Program:
    return Program("sum", (_R,), build(Operator.FOLD, (constant(0), udf, _R)))


_EASY = (
    _sum(add(accumulator(INT), element(INT))),
    _sum(
        ite(less(element(INT), constant(0)), add(accumulator(INT), element(INT)), add(element(INT), accumulator(INT)))
    ),
)
"""Two programs that a prover decides once before all others, after which what it needs has been imported."""


class Provers:
    """Processes that decide: one for all tasks with the same limit of memory, each started when it is needed."""

    def __init__(self) -> None:
        self._processes: dict[int, ProverProcess] = {}

    def of(self, task: Task) -> ProverProcess:
        """The process for a task; it has started, so that no pair is charged for that."""
        memory = task.options.memory
        process = self._processes.setdefault(memory, ProverProcess(memory))
        if not process.is_running:
            process.settle(*_EASY, ("", ""), task.options.solver, START_SECONDS)
        return process

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process in self._processes.values():
            process.close()
