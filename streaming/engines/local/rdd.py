# Names and parameters are PySpark's.
# ruff: noqa: N802, N803
"""`LocalRDD`: a PySpark RDD as lists of records, one for each partition.

Method names, results and partitions are PySpark's, so that a merge function which Spark would call is called
here too. What a function gets is its own: changing it in place changes no other RDD. An operation that is not
here raises `UnsupportedOperationError`.
"""

from __future__ import annotations

import bisect
import math
import random
from collections.abc import Callable, Iterable
from itertools import chain
from typing import Any, NoReturn

from tallystick.streaming.engines.local.actions import Actions, Function
from tallystick.streaming.engines.local.partitions import ResultIterable, portable_hash, slices
from tallystick.streaming.errors import UnsupportedOperationError


class LocalBroadcast:
    """A broadcast variable: `value` for everyone."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def unpersist(self, blocking: bool = False) -> None:
        """Nothing is held on other machines."""

    def destroy(self, blocking: bool = False) -> None:
        """Nothing is held on other machines."""


class LocalContext:
    """What a SparkContext offers to a program: RDDs from lists, and broadcast variables."""

    def __init__(self, parallelism: int = 2) -> None:
        self.defaultParallelism = parallelism

    def parallelize(self, c: Iterable[Any], numSlices: int | None = None) -> LocalRDD:
        return LocalRDD(self, slices(list(c), self.defaultParallelism if numSlices is None else numSlices))

    def emptyRDD(self) -> LocalRDD:
        return LocalRDD(self, [])

    def union(self, rdds: Iterable[LocalRDD]) -> LocalRDD:
        return LocalRDD(self, [part for rdd in rdds for part in rdd.partitions])

    def broadcast(self, value: Any) -> LocalBroadcast:
        return LocalBroadcast(value)

    def __getattr__(self, name: str) -> NoReturn:
        _refuse("SparkContext", name)


class LocalRDD(Actions):
    """A bag of records in partitions. Immutable."""

    def __init__(self, context: LocalContext, partitions: list[list[Any]]) -> None:
        self.context = self.ctx = context
        self.partitions = partitions

    def __getattr__(self, name: str) -> NoReturn:
        _refuse("RDD", name)

    # Each partition by itself

    def mapPartitionsWithIndex(self, f: Function, preservesPartitioning: bool = False) -> LocalRDD:
        return LocalRDD(self.context, [list(f(k, iter(part))) for k, part in enumerate(self._private())])

    def mapPartitions(self, f: Function, preservesPartitioning: bool = False) -> LocalRDD:
        return LocalRDD(self.context, [list(f(iter(part))) for part in self._private()])

    def glom(self) -> LocalRDD:
        return self.mapPartitions(lambda part: [list(part)])

    def map(self, f: Function, preservesPartitioning: bool = False) -> LocalRDD:
        return self.mapPartitions(lambda part: map(f, part))

    def flatMap(self, f: Function, preservesPartitioning: bool = False) -> LocalRDD:
        return self.mapPartitions(lambda part: chain.from_iterable(map(f, part)))

    def filter(self, f: Function) -> LocalRDD:
        return self.mapPartitions(lambda part: filter(f, part))

    def mapValues(self, f: Function) -> LocalRDD:
        return self.map(lambda pair: (pair[0], f(pair[1])))

    def flatMapValues(self, f: Function) -> LocalRDD:
        return self.flatMap(lambda pair: ((pair[0], each) for each in f(pair[1])))

    def keys(self) -> LocalRDD:
        return self.map(lambda pair: pair[0])

    def values(self) -> LocalRDD:
        return self.map(lambda pair: pair[1])

    def keyBy(self, f: Function) -> LocalRDD:
        return self.map(lambda record: (f(record), record))

    def zipWithIndex(self) -> LocalRDD:
        starts = [0]
        for part in self.partitions:
            starts.append(starts[-1] + len(part))
        return self.mapPartitionsWithIndex(lambda k, part: zip(part, range(starts[k], starts[k + 1]), strict=True))

    def zipWithUniqueId(self) -> LocalRDD:
        count = len(self.partitions)
        return self.mapPartitionsWithIndex(lambda k, part: ((each, n * count + k) for n, each in enumerate(part)))

    def sample(self, withReplacement: bool, fraction: float, seed: int | None = None) -> LocalRDD:
        """The same sample as PySpark's for the same seed; without one, of Python's random numbers."""
        if not fraction >= 0:
            raise ValueError("Fraction must be nonnegative.")
        start = random.randint(0, 2**31) if seed is None else seed

        def chosen(k: int, part: Iterable[Any]) -> Iterable[Any]:
            numbers = random.Random(start ^ k)
            for _ in range(10):
                numbers.randint(0, 1)
            for record in part:
                if withReplacement:
                    yield from [record] * _poisson(numbers, fraction)
                elif numbers.random() < fraction:
                    yield record

        return self.mapPartitionsWithIndex(chosen)

    # By key: shuffles

    def partitionBy(self, numPartitions: int | None, partitionFunc: Callable[[Any], int] = portable_hash) -> LocalRDD:
        count = self.context.defaultParallelism if numPartitions is None else numPartitions
        placed: list[list[Any]] = [[] for _ in range(count)]
        for part in self._private():
            for key, value in part:
                placed[partitionFunc(key) % count].append((key, value))
        return LocalRDD(self.context, placed)

    def combineByKey(
        self,
        createCombiner: Function,
        mergeValue: Function,
        mergeCombiners: Function,
        numPartitions: int | None = None,
        partitionFunc: Callable[[Any], int] = portable_hash,
    ) -> LocalRDD:
        """Combine in each partition first, and merge what the partitions have for a key after the shuffle."""

        def in_partition(part: Iterable[Any]) -> Iterable[Any]:
            found: dict[Any, Any] = {}
            for key, value in part:
                found[key] = mergeValue(found[key], value) if key in found else createCombiner(value)
            return found.items()

        def together(part: Iterable[Any]) -> Iterable[Any]:
            found: dict[Any, Any] = {}
            for key, value in part:
                found[key] = mergeCombiners(found[key], value) if key in found else value
            return found.items()

        return self.mapPartitions(in_partition).partitionBy(numPartitions, partitionFunc).mapPartitions(together)

    def reduceByKey(self, func: Function, numPartitions: int | None = None) -> LocalRDD:
        return self.combineByKey(lambda value: value, func, func, numPartitions)

    def foldByKey(self, zeroValue: Any, func: Function, numPartitions: int | None = None) -> LocalRDD:
        return self.aggregateByKey(zeroValue, func, func, numPartitions)

    def aggregateByKey(
        self, zeroValue: Any, seqFunc: Function, combFunc: Function, numPartitions: int | None = None
    ) -> LocalRDD:
        return self.combineByKey(lambda value: seqFunc(self._copy(zeroValue), value), seqFunc, combFunc, numPartitions)

    def groupByKey(self, numPartitions: int | None = None) -> LocalRDD:
        def joined(left: list[Any], right: list[Any]) -> list[Any]:
            return [*left, *right]

        lists = self.combineByKey(lambda value: [value], lambda some, value: [*some, value], joined, numPartitions)
        return lists.mapValues(ResultIterable)

    def groupBy(self, f: Function, numPartitions: int | None = None) -> LocalRDD:
        return self.keyBy(f).groupByKey(numPartitions)

    def distinct(self, numPartitions: int | None = None) -> LocalRDD:
        return self.map(lambda record: (record, None)).reduceByKey(lambda x, _: x, numPartitions).keys()

    def sortByKey(
        self, ascending: bool = True, numPartitions: int | None = None, keyfunc: Function = lambda key: key
    ) -> LocalRDD:
        """A range of keys is in each partition; the partitions are in order too."""
        count = self.context.defaultParallelism if numPartitions is None else numPartitions
        keys = sorted((pair[0] for pair in self.collect()), key=keyfunc)
        bounds = [keyfunc(keys[len(keys) * (k + 1) // count]) for k in range(count - 1)] if keys else []

        def place(key: Any) -> int:
            before = bisect.bisect_left(bounds, keyfunc(key))
            return before if ascending else count - 1 - before

        def in_order(part: Iterable[Any]) -> Iterable[Any]:
            return sorted(part, key=lambda pair: keyfunc(pair[0]), reverse=not ascending)

        return self.partitionBy(count, place).mapPartitions(in_order)

    def sortBy(self, keyfunc: Function, ascending: bool = True, numPartitions: int | None = None) -> LocalRDD:
        return self.keyBy(keyfunc).sortByKey(ascending, numPartitions).values()

    # Two RDDs

    def union(self, other: LocalRDD) -> LocalRDD:
        return self.context.union((self, other))

    def cogroup(self, other: LocalRDD, numPartitions: int | None = None) -> LocalRDD:
        tagged = self.mapValues(lambda value: (0, value)).union(other.mapValues(lambda value: (1, value)))

        def both(values: ResultIterable) -> tuple[ResultIterable, ResultIterable]:
            return tuple(ResultIterable([value for side, value in values if side == k]) for k in (0, 1))  # type: ignore

        return tagged.groupByKey(numPartitions).mapValues(both)

    def groupWith(self, other: LocalRDD) -> LocalRDD:
        return self.cogroup(other)

    def join(self, other: LocalRDD, numPartitions: int | None = None) -> LocalRDD:
        return self._joined(other, numPartitions, (), ())

    def leftOuterJoin(self, other: LocalRDD, numPartitions: int | None = None) -> LocalRDD:
        return self._joined(other, numPartitions, (), (None,))

    def rightOuterJoin(self, other: LocalRDD, numPartitions: int | None = None) -> LocalRDD:
        return self._joined(other, numPartitions, (None,), ())

    def fullOuterJoin(self, other: LocalRDD, numPartitions: int | None = None) -> LocalRDD:
        return self._joined(other, numPartitions, (None,), (None,))

    def _joined(
        self, other: LocalRDD, numPartitions: int | None, no_left: tuple[None, ...], no_right: tuple[None, ...]
    ) -> LocalRDD:
        def pairs(groups: Any) -> Iterable[Any]:
            return [(left, right) for left in list(groups[0]) or no_left for right in list(groups[1]) or no_right]

        return self.cogroup(other, numPartitions).flatMapValues(pairs)

    def subtractByKey(self, other: LocalRDD, numPartitions: int | None = None) -> LocalRDD:
        kept = self.cogroup(other, numPartitions).filter(lambda pair: pair[1][0] and not pair[1][1])
        return kept.flatMapValues(lambda groups: groups[0])

    def subtract(self, other: LocalRDD, numPartitions: int | None = None) -> LocalRDD:
        marked = other.map(lambda record: (record, True))
        return self.map(lambda record: (record, True)).subtractByKey(marked, numPartitions).keys()

    def intersection(self, other: LocalRDD) -> LocalRDD:
        marked = other.map(lambda record: (record, None))
        return self.map(lambda record: (record, None)).cogroup(marked).filter(lambda pair: all(pair[1])).keys()

    def cartesian(self, other: LocalRDD) -> LocalRDD:
        parts = [[(a, b) for a in mine for b in theirs] for mine in self._private() for theirs in other._private()]
        return LocalRDD(self.context, parts)

    def zip(self, other: LocalRDD) -> LocalRDD:
        if len(self.partitions) != len(other.partitions):
            raise ValueError("Can only zip with RDD which has the same number of partitions")
        pairs = list(zip(self._private(), other._private(), strict=True))
        if any(len(mine) != len(theirs) for mine, theirs in pairs):
            raise ValueError("Can only zip RDDs with same number of elements in each partition")
        return LocalRDD(self.context, [list(zip(mine, theirs, strict=True)) for mine, theirs in pairs])

    # Partitions and storage

    def getNumPartitions(self) -> int:
        return len(self.partitions)

    def coalesce(self, numPartitions: int, shuffle: bool = False) -> LocalRDD:
        if shuffle:
            return self.repartition(numPartitions)
        if not numPartitions > 0:
            raise ValueError("Number of partitions must be positive.")
        have = len(self.partitions)
        if numPartitions >= have:
            return self
        ends = [k * have // numPartitions for k in range(numPartitions + 1)]
        groups = [self.partitions[ends[k] : ends[k + 1]] for k in range(numPartitions)]
        return LocalRDD(self.context, [list(chain.from_iterable(group)) for group in groups])

    def repartition(self, numPartitions: int) -> LocalRDD:
        """Deal the records out. Spark deals them out too, to other partitions."""
        records = list(chain.from_iterable(self.partitions))
        return LocalRDD(self.context, [records[k::numPartitions] for k in range(numPartitions)])

    def cache(self) -> LocalRDD:
        return self

    def persist(self, storageLevel: Any = None) -> LocalRDD:
        return self

    def unpersist(self, blocking: bool = False) -> LocalRDD:
        return self


def _poisson(numbers: random.Random, mean: float) -> int:
    """Draw as PySpark's sampler does: by the product of uniform numbers, or by waiting times for a large mean."""
    if mean < 20.0:
        limit, product, count = math.exp(-mean), 1.0, 0
        while product > limit:
            product *= numbers.random()
            count += 1
        return count - 1
    waited, count = numbers.expovariate(mean), 0
    while waited < 1.0:
        count += 1
        waited += numbers.expovariate(mean)
    return count


def _refuse(what: str, name: str) -> NoReturn:
    if name.startswith("__"):
        raise AttributeError(name)
    raise UnsupportedOperationError(f"the local engine has no {what} operation {name!r}; use Spark")
