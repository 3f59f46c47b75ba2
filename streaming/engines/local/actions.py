# Names and parameters are PySpark's.
# ruff: noqa: N802, N803
"""`Actions`: what takes values out of an RDD, partition by partition first and then together, as Spark does."""

from __future__ import annotations

import heapq
import operator
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import reduce
from itertools import chain
from typing import Any

from tallystick.streaming.engines.local.partitions import snapshot
from tallystick.streaming.errors import EngineUnavailableError

Function = Callable[..., Any]


class Actions:
    """The actions of an RDD, whose records are in `partitions`."""

    partitions: list[list[Any]]

    def _private(self) -> list[list[Any]]:
        """The partitions, with records that only the caller holds."""
        return [snapshot(part) for part in self.partitions]

    def collect(self) -> list[Any]:
        return list(chain.from_iterable(self._private()))

    def toLocalIterator(self, prefetchPartitions: bool = False) -> Iterator[Any]:
        return iter(self.collect())

    def collectAsMap(self) -> dict[Any, Any]:
        return dict(self.collect())

    def count(self) -> int:
        return sum(map(len, self.partitions))

    def countByValue(self) -> dict[Any, int]:
        counts: dict[Any, int] = defaultdict(int)
        for record in self.collect():
            counts[record] += 1
        return counts

    def countByKey(self) -> dict[Any, int]:
        counts: dict[Any, int] = defaultdict(int)
        for record in self.collect():
            counts[record[0]] += 1
        return counts

    def isEmpty(self) -> bool:
        return not any(self.partitions)

    def first(self) -> Any:
        found = self.take(1)
        if not found:
            raise ValueError("RDD is empty")
        return found[0]

    def take(self, num: int) -> list[Any]:
        return self.collect()[: max(num, 0)]

    def takeOrdered(self, num: int, key: Function | None = None) -> list[Any]:
        if num < 0:
            raise ValueError("top N cannot be negative.")
        parts = [heapq.nsmallest(num, part, key) for part in self._private()]
        return heapq.nsmallest(num, chain.from_iterable(parts), key)

    def top(self, num: int, key: Function | None = None) -> list[Any]:
        parts = [heapq.nlargest(num, part, key) for part in self._private()]
        return heapq.nlargest(num, chain.from_iterable(parts), key)

    def lookup(self, key: Any) -> list[Any]:
        return [value for known, value in self.collect() if known == key]

    def reduce(self, f: Function) -> Any:
        parts = [reduce(f, part) for part in self._private() if part]
        if not parts:
            raise ValueError("Can not reduce() empty RDD")
        return reduce(f, parts)

    def treeReduce(self, f: Function, depth: int = 2) -> Any:
        return self.reduce(f)

    def fold(self, zeroValue: Any, op: Function) -> Any:
        return self.aggregate(zeroValue, op, op)

    def aggregate(self, zeroValue: Any, seqOp: Function, combOp: Function) -> Any:
        """`zeroValue` is used once in each partition, and once more to combine these."""
        parts = [reduce(seqOp, part, self._copy(zeroValue)) for part in self._private()]
        return reduce(combOp, parts, self._copy(zeroValue))

    def treeAggregate(self, zeroValue: Any, seqOp: Function, combOp: Function, depth: int = 2) -> Any:
        """Unlike `aggregate`, no `zeroValue` is used to combine the partitions."""
        return reduce(combOp, [reduce(seqOp, part, self._copy(zeroValue)) for part in self._private()])

    def reduceByKeyLocally(self, func: Function) -> dict[Any, Any]:
        found: dict[Any, Any] = {}
        for part in self._private():
            for key, value in _reduced(part, func).items():
                found[key] = func(found[key], value) if key in found else value
        return found

    def sum(self) -> Any:
        return reduce(operator.add, map(sum, self.partitions), 0)

    def max(self, key: Function | None = None) -> Any:
        return self.reduce(max if key is None else lambda a, b: max(a, b, key=key))

    def min(self, key: Function | None = None) -> Any:
        return self.reduce(min if key is None else lambda a, b: min(a, b, key=key))

    def stats(self) -> Any:
        """Raises `EngineUnavailableError` without PySpark, whose own class of statistics this uses."""
        try:
            from pyspark.statcounter import StatCounter
        except ImportError as error:
            raise EngineUnavailableError("statistics need PySpark: pip install pyspark") from error
        return reduce(StatCounter.mergeStats, map(StatCounter, self.partitions))

    def mean(self) -> float:
        return self.stats().mean()

    def variance(self) -> float:
        return self.stats().variance()

    def stdev(self) -> float:
        return self.stats().stdev()

    def sampleVariance(self) -> float:
        return self.stats().sampleVariance()

    def sampleStdev(self) -> float:
        return self.stats().sampleStdev()

    def foreach(self, f: Function) -> None:
        for record in self.collect():
            f(record)

    def foreachPartition(self, f: Function) -> None:
        for part in self._private():
            f(iter(part))

    @staticmethod
    def _copy(value: Any) -> Any:
        return snapshot([value])[0]


def _reduced(pairs: list[Any], func: Function) -> dict[Any, Any]:
    found: dict[Any, Any] = {}
    for key, value in pairs:
        found[key] = func(found[key], value) if key in found else value
    return found
