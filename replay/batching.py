"""One Spark job for what many runs of a program collect.

Runs go side by side, each in a thread of its own. All of PySpark's actions that go through every element end in
`RDD.collect`; here it waits until each run either waits too or has ended, and then one job collects all their RDDs.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from pyspark.core.rdd import RDD

MOST_RUNS = 64
"""More runs than that go one batch after the other: each has a thread, and a partition of the job."""


def run_together(run: Callable[[Any], Any], inputs: Sequence[Any]) -> list[Any]:
    """What `run` returns for each input, in their order; the runs collect their RDDs together."""
    results: list[Any] = []
    for start in range(0, len(inputs), MOST_RUNS):
        batch = inputs[start : start + MOST_RUNS]
        with _collecting(_Batch(len(batch))) as ending, ThreadPoolExecutor(len(batch)) as threads:
            results += threads.map(lambda each, ending=ending: ending(run, each), batch)
    return results


@dataclass(slots=True)
class _Wanted:
    """An RDD that a run wants to collect, and its elements or what collecting it raises, once known."""

    rdd: RDD[Any]
    elements: list[Any] | None = None
    error: Exception | None = None

    @property
    def is_done(self) -> bool:
        return self.elements is not None or self.error is not None


class _Batch:
    """Where runs that collect meet."""

    def __init__(self, runs: int) -> None:
        self._running = runs
        self._wanted: list[_Wanted] = []
        self._changed = threading.Condition()

    def collect(self, rdd: RDD[Any]) -> list[Any]:
        """The elements of an RDD, when all other runs have ended or want those of theirs."""
        wanted = _Wanted(rdd)
        with self._changed:
            self._wanted.append(wanted)
            self._go_on()
            self._changed.wait_for(lambda: wanted.is_done)
        if wanted.elements is None:
            raise wanted.error  # type: ignore[misc]
        return wanted.elements

    def ends(self) -> None:
        """Called by a run that has ended."""
        with self._changed:
            self._running -= 1
            self._go_on()

    def _go_on(self) -> None:
        if self._wanted and len(self._wanted) >= self._running:
            wanted, self._wanted = self._wanted, []
            _collect_all(wanted)
            self._changed.notify_all()


@contextmanager
def _collecting(batch: _Batch) -> Iterator[Callable[[Callable[[Any], Any], Any], Any]]:
    """Lets RDDs be collected by a batch; gives what calls a run so that the batch hears of its end."""

    def ending(run: Callable[[Any], Any], each: Any) -> Any:
        try:
            return run(each)
        finally:
            batch.ends()

    RDD.collect = lambda self: batch.collect(self)  # type: ignore[method-assign]
    try:
        yield ending
    finally:
        RDD.collect = _COLLECT  # type: ignore[method-assign]


_COLLECT = RDD.collect


def _collect_all(wanted: Sequence[_Wanted]) -> None:
    """Collects in one job; one by one when that fails, since a job does not tell whose elements it failed on."""
    try:
        if len(wanted) > 1:
            for each, elements in zip(wanted, _in_one_job([each.rdd for each in wanted]), strict=True):
                each.elements = elements
            return
    except Exception:
        pass  # each has an outcome of its own, below
    for each in wanted:
        try:
            each.elements = _COLLECT(each.rdd)
        except Exception as error:
            each.error = error


def _in_one_job(rdds: Sequence[RDD[Any]]) -> list[list[Any]]:
    """The elements of each RDD, in the order in which collecting it alone would give them."""
    tagged = [rdd.mapPartitionsWithIndex(_tagging(number)) for number, rdd in enumerate(rdds)]
    parts = _COLLECT(rdds[0].context.union(tagged))
    found: list[list[Any]] = [[] for _ in rdds]
    for number, _, elements in sorted(parts, key=lambda part: part[:2]):
        found[number] += elements
    return found


def _tagging(number: int) -> Callable[[int, Iterable[Any]], Iterable[Any]]:
    return lambda partition, elements: [(number, partition, list(elements))]
