"""Spark's own folds and SparkLite's (THEORY section 5).

Spark folds each partition from the zero, then folds the partial results from the zero again; by key, it merges the
partial results of a key with the same function. SparkLite takes all elements one after the other, once, from the
zero. Here `RDD.fold` and `RDD.foldByKey` are replaced for a while, so that a program runs unchanged in either.
"""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import reduce
from types import FrameType
from typing import Any

from pyspark.core.rdd import RDD, portable_hash
from tallystick.replay import wire

FOLDS = ("fold", "foldByKey")
MERGING = (
    *FOLDS,
    "reduce",
    "treeReduce",
    "aggregate",
    "treeAggregate",
    "reduceByKey",
    "aggregateByKey",
    "combineByKey",
)
"""The methods whose functions also merge the results of partitions."""


@contextmanager
def recording_folds() -> Iterator[list[str]]:
    """Folds as Spark does, and records the names of the folds that user code calls."""
    called: list[str] = []

    def recorder(name: str, original: Callable[..., Any]) -> Callable[..., Any]:
        def folded(*arguments: Any, **named: Any) -> Any:
            if _is_users(sys._getframe(1)):
                called.append(name)
            return original(*arguments, **named)

        return folded

    with _replaced({name: recorder(name, getattr(RDD, name)) for name in FOLDS}):
        yield called


def _is_users(frame: FrameType) -> bool:
    """Whether user code runs there: Spark's own count and sum call fold too, and theirs have one meaning."""
    return not frame.f_globals.get("__name__", "").startswith("pyspark.")


@contextmanager
def observed_folds(outcome: Callable[[Callable[[], Any]], wire.Json]) -> Iterator[list[dict[str, Any]]]:
    """Folds as Spark does, and notes for each call by user code where it stands, what was folded, and its outcome.

    `outcome` runs a fold and writes down what it returned, or raised.
    """
    calls: list[dict[str, Any]] = []

    def observer(name: str, original: Callable[..., Any]) -> Callable[..., Any]:
        def folded(self: RDD[Any], *arguments: Any, **named: Any) -> Any:
            frame = sys._getframe(1)
            if _is_users(frame):
                # The line of a call is that of the method's name, also where a chain of calls has several lines.
                call = {"method": name, "path": frame.f_code.co_filename, "line": frame.f_lineno}
                spread = wire.encode_partitions(self.glom().collect())
                calls.append({**call, **spread, "outcome": outcome(lambda: original(self, *arguments, **named))})
            return original(self, *arguments, **named)

        return folded

    with _replaced({name: observer(name, getattr(RDD, name)) for name in MERGING}):
        yield calls


@contextmanager
def one_left_fold() -> Iterator[None]:
    """Folds as SparkLite does."""
    with _replaced({"fold": _fold, "foldByKey": _fold_by_key}):
        yield


@contextmanager
def _replaced(methods: dict[str, Callable[..., Any]]) -> Iterator[None]:
    originals = {name: getattr(RDD, name) for name in methods}
    try:
        for name, method in methods.items():
            setattr(RDD, name, method)
        yield
    finally:
        for name, original in originals.items():
            setattr(RDD, name, original)


def _fold(self: RDD[Any], zeroValue: Any, op: Callable[[Any, Any], Any]) -> Any:  # noqa: N803 - Spark's name
    def whole(elements: Iterable[Any]) -> list[Any]:
        return [reduce(op, elements, zeroValue)]

    results = self.coalesce(1).mapPartitions(whole).collect()
    return results[0] if results else zeroValue  # an RDD without partitions has no elements


def _fold_by_key(
    self: RDD[Any],
    zeroValue: Any,  # noqa: N803 - Spark's name
    func: Callable[[Any, Any], Any],
    numPartitions: int | None = None,  # noqa: N803 - Spark's name
    partitionFunc: Callable[[Any], int] = portable_hash,  # noqa: N803 - Spark's name
) -> RDD[Any]:
    def whole(values: Iterable[Any]) -> Any:
        return reduce(func, values, copy.deepcopy(zeroValue))

    return self.groupByKey(numPartitions, partitionFunc).mapValues(whole)
