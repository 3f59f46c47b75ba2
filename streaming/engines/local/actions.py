# Names and parameters are PySpark's.
# ruff: noqa: N802, N803, N815
"""`Actions`: what takes values out of an RDD, partition by partition first and then together, as Spark does.

Where PySpark defines an action by others, so does this file: what one partition gives is pickled on its way, and a
partition that an action does not need is not computed.
"""

from __future__ import annotations

import heapq
import math
import operator
import os
import random
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from itertools import islice
from typing import Any

from tallystick.streaming.engines.base import Py4JJavaError
from tallystick.streaming.engines.local.hashing import portable_hash
from tallystick.streaming.engines.local.partitions import PySparkRuntimeError, Stored, copied
from tallystick.streaming.errors import EngineUnavailableError, StreamingError

Function = Callable[..., Any]


class Actions:
    """The actions of an RDD."""

    mapPartitions: Callable[..., Any]
    getNumPartitions: Callable[[], int]
    stored: Callable[[int], Stored]
    partitioner: Any

    def of_partitions(self, numbers: Iterable[int]) -> list[Any]:
        """Return the records of some partitions. Raises `Py4JJavaError` for what a function raises on the way."""
        try:
            parts = [self.stored(k) for k in numbers]
        except StreamingError:
            raise
        except Exception as error:
            raise Py4JJavaError(error) from error
        return [record for part in parts for record in part]

    def collect(self) -> list[Any]:
        return self.of_partitions(range(self.getNumPartitions()))

    def toLocalIterator(self, prefetchPartitions: bool = False) -> Iterator[Any]:
        return (record for k in range(self.getNumPartitions()) for record in self.of_partitions([k]))

    def collectAsMap(self) -> dict[Any, Any]:
        return dict(self.collect())

    def count(self) -> int:
        return self.mapPartitions(lambda part: [sum(1 for _ in part)]).sum()

    def countByValue(self) -> dict[Any, int]:
        def counted(part: Iterable[Any]) -> Iterator[dict[Any, int]]:
            counts: dict[Any, int] = defaultdict(int)
            for record in part:
                counts[record] += 1
            yield counts

        def together(left: dict[Any, int], right: dict[Any, int]) -> dict[Any, int]:
            for record, number in right.items():
                left[record] += number
            return left

        return self.mapPartitions(counted).reduce(together)

    def countByKey(self: Any) -> dict[Any, int]:
        return self.map(lambda pair: pair[0]).countByValue()

    def isEmpty(self) -> bool:
        return self.getNumPartitions() == 0 or not self.take(1)

    def first(self) -> Any:
        found = self.take(1)
        if not found:
            raise ValueError("RDD is empty")
        return found[0]

    def take(self, num: int) -> list[Any]:
        """Look at the first partition, then at more and more, for no more records than are needed."""
        found: list[Any] = []
        tried, total = 0, self.getNumPartitions()
        while len(found) < num and tried < total:
            more = 1
            if tried > 0:
                more = 4 * tried
                if found:
                    more = min(max(int(1.5 * num * tried / len(found)) - tried, 1), more)
            needed = num - len(found)
            some = self.mapPartitions(lambda part, needed=needed: islice(part, needed))
            found += some.of_partitions(range(tried, min(tried + more, total)))
            tried += more
        return found[:num]

    def takeOrdered(self, num: int, key: Function | None = None) -> list[Any]:
        if num < 0:
            raise ValueError("top N cannot be negative.")
        if num == 0 or self.getNumPartitions() == 0:
            return []
        smallest = self.mapPartitions(lambda part: [heapq.nsmallest(num, part, key)])
        return smallest.reduce(lambda left, right: heapq.nsmallest(num, left + right, key))

    def top(self, num: int, key: Function | None = None) -> list[Any]:
        largest = self.mapPartitions(lambda part: iter([heapq.nlargest(num, part, key)]))
        return largest.reduce(lambda left, right: heapq.nlargest(num, left + right, key))

    def lookup(self: Any, key: Any) -> list[Any]:
        values = self.filter(lambda pair: pair[0] == key).values()
        if self.partitioner is None:
            return values.collect()
        count, place = self.partitioner
        if place is portable_hash and "PYTHONHASHSEED" not in os.environ:
            raise PySparkRuntimeError("PYTHON_HASH_SEED_NOT_SET")
        return values.of_partitions([place(key) % count])

    def reduce(self, f: Function) -> Any:
        def reduced(part: Iterable[Any]) -> Iterator[Any]:
            iterator = iter(part)
            for first in iterator:
                yield reduce(f, iterator, first)

        parts = self.mapPartitions(reduced).collect()
        if not parts:
            raise ValueError("Can not reduce() empty RDD")
        return reduce(f, parts)

    def treeReduce(self: Any, f: Function, depth: int = 2) -> Any:
        if depth < 1:
            raise ValueError(f"Depth cannot be smaller than 1 but got {depth}.")

        def either(left: tuple[Any, bool], right: tuple[Any, bool]) -> tuple[Any, bool]:
            if left[1] or right[1]:
                return right if left[1] else left
            return f(left[0], right[0]), False

        found = self.map(lambda record: (record, False)).treeAggregate((None, True), either, either, depth)
        if found[1]:
            raise ValueError("Cannot reduce empty RDD.")
        return found[0]

    def takeSample(self: Any, withReplacement: bool, num: int, seed: int | None = None) -> list[Any]:
        """The same sample as PySpark's for the same seed."""
        if num < 0:
            raise ValueError("Sample size cannot be negative.")
        size = self.count() if num and self.getNumPartitions() else 0
        if not size:
            return []
        numbers = random.Random(seed)
        if not withReplacement and num >= size:
            found = self.collect()
        else:
            fraction = _fraction_for(num, size, withReplacement)
            found = self.sample(withReplacement, fraction, seed).collect()
            while len(found) < num:
                found = self.sample(withReplacement, fraction, numbers.randint(0, sys.maxsize)).collect()
        numbers.shuffle(found)
        return found[:num]

    def fold(self, zeroValue: Any, op: Function) -> Any:
        return self.aggregate(zeroValue, op, op)

    def aggregate(self, zeroValue: Any, seqOp: Function, combOp: Function) -> Any:
        """`zeroValue` is used once in each partition, and once more to combine these."""
        parts = self.mapPartitions(lambda part: iter([reduce(seqOp, part, copied(zeroValue))])).collect()
        return reduce(combOp, parts, zeroValue)

    def treeAggregate(self: Any, zeroValue: Any, seqOp: Function, combOp: Function, depth: int = 2) -> Any:
        """Unlike `aggregate`, no `zeroValue` is used to combine the partitions. Many are combined in several rounds."""
        if depth < 1:
            raise ValueError(f"Depth cannot be smaller than 1 but got {depth}.")
        if self.getNumPartitions() == 0:
            return zeroValue
        parts = self.mapPartitions(lambda part: iter([reduce(seqOp, part, copied(zeroValue))]))
        number: float = parts.getNumPartitions()
        scale = max(math.ceil(number ** (1.0 / depth)), 2)
        while number > scale + number / scale:
            number /= scale
            count = int(number)
            keyed = parts.mapPartitionsWithIndex(lambda k, part, count=count: ((k % count, each) for each in part))
            parts = keyed.reduceByKey(combOp, count).values()
        return parts.reduce(combOp)

    def reduceByKeyLocally(self, func: Function) -> dict[Any, Any]:
        def merged(found: dict[Any, Any], pairs: Iterable[Any]) -> dict[Any, Any]:
            for key, value in pairs:
                found[key] = func(found[key], value) if key in found else value
            return found

        parts = self.mapPartitions(lambda part: iter([merged({}, part)]))
        return parts.reduce(lambda left, right: merged(left, right.items()))

    def sum(self) -> Any:
        return self.mapPartitions(lambda part: [sum(part)]).fold(0, operator.add)

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
        return self.mapPartitions(lambda part: [StatCounter(part)]).reduce(StatCounter.mergeStats)

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
        self.foreachPartition(lambda part: [None for record in part if f(record) is f])

    def foreachPartition(self, f: Function) -> None:
        def acted(part: Iterable[Any]) -> Iterator[Any]:
            made = f(part)
            return iter(made) if isinstance(made, Iterable) else iter(())

        self.mapPartitions(acted).count()


def _fraction_for(wanted: int, size: int, again: bool) -> float:
    """Return which part of the records makes it all but certain that a sample has so many (Spark's bounds)."""
    fraction = wanted / size
    if again:
        return fraction + (9 if wanted < 12 else 5) * math.sqrt(fraction / size)
    gamma = -math.log(0.00005) / size
    return min(1, fraction + gamma + math.sqrt(gamma * gamma + 2 * gamma * fraction))
