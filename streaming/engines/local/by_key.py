# Names and parameters are PySpark's.
# ruff: noqa: N802, N803
"""`ByKey`: the operations of an RDD that move records to the partitions of their keys."""

from __future__ import annotations

import bisect
import struct
from collections.abc import Callable, Iterable, Sequence
from functools import cache, reduce
from typing import Any

from tallystick.streaming.engines.local.actions import Function
from tallystick.streaming.engines.local.hashing import portable_hash
from tallystick.streaming.engines.local.partitions import ResultIterable, Stored, copied, int_of_java


class ByKey:
    """The part of `LocalRDD` that works on pairs of a key and a value; `self` is one."""

    def partitionBy(self: Any, numPartitions: int | None, partitionFunc: Callable[[Any], int] = portable_hash) -> Any:
        count = self.context.defaultParallelism if numPartitions is None else int_of_java(numPartitions)
        partitioner = count, partitionFunc
        if self.partitioner == partitioner:
            return self
        source = self.mapPartitions(lambda part: part, True)

        @cache
        def placed() -> list[Stored]:
            moved: list[list[Any]] = [[] for _ in range(count)]
            for k in range(self._count):
                buckets: dict[int, list[Any]] = {}
                for key, value in source._compute(k):
                    buckets.setdefault(partitionFunc(key) % count, []).append((key, value))
                for place, records in buckets.items():
                    struct.pack("!q", place)  # As PySpark sends it: no other type of numbers will do.
                    moved[place] += Stored.of(records, len(records)).batches
            return [Stored(batches) for batches in moved]

        return self._made(max(count, 0), lambda k: placed()[k], partitioner, partitioner, width=-1)

    def combineByKey(
        self: Any,
        createCombiner: Function,
        mergeValue: Function,
        mergeCombiners: Function,
        numPartitions: int | None = None,
        partitionFunc: Callable[[Any], int] = portable_hash,
    ) -> Any:
        """Combine in each partition first, and merge what the partitions have for a key after the shuffle."""

        def in_partition(part: Iterable[Any]) -> Iterable[Any]:
            found: dict[Any, Any] = {}
            for key, value in part:
                found[key] = mergeValue(found[key], value) if key in found else createCombiner(value)
            return iter(found.items())

        def together(part: Iterable[Any]) -> Iterable[Any]:
            found: dict[Any, Any] = {}
            for key, value in part:
                found[key] = mergeCombiners(found[key], value) if key in found else value
            return iter(found.items())

        combined = self.mapPartitions(in_partition, True)
        return combined.partitionBy(numPartitions, partitionFunc).mapPartitions(together, True)

    def reduceByKey(
        self: Any,
        func: Function,
        numPartitions: int | None = None,
        partitionFunc: Callable[[Any], int] = portable_hash,
    ) -> Any:
        return self.combineByKey(lambda value: value, func, func, numPartitions, partitionFunc)

    def foldByKey(
        self: Any,
        zeroValue: Any,
        func: Function,
        numPartitions: int | None = None,
        partitionFunc: Callable[[Any], int] = portable_hash,
    ) -> Any:
        return self.aggregateByKey(zeroValue, func, func, numPartitions, partitionFunc)

    def aggregateByKey(
        self: Any,
        zeroValue: Any,
        seqFunc: Function,
        combFunc: Function,
        numPartitions: int | None = None,
        partitionFunc: Callable[[Any], int] = portable_hash,
    ) -> Any:
        first = lambda value: seqFunc(copied(zeroValue), value)  # noqa: E731
        return self.combineByKey(first, seqFunc, combFunc, numPartitions, partitionFunc)

    def groupByKey(
        self: Any, numPartitions: int | None = None, partitionFunc: Callable[[Any], int] = portable_hash
    ) -> Any:
        def add(values: list[Any], value: Any) -> list[Any]:
            values.append(value)
            return values

        def join(left: list[Any], right: list[Any]) -> list[Any]:
            left.extend(right)
            return left

        lists = self.combineByKey(lambda value: [value], add, join, numPartitions, partitionFunc)
        return lists.mapValues(ResultIterable)

    def groupBy(
        self: Any,
        f: Function,
        numPartitions: int | None = None,
        partitionFunc: Callable[[Any], int] = portable_hash,
    ) -> Any:
        return self.keyBy(f).groupByKey(numPartitions, partitionFunc)

    def distinct(self: Any, numPartitions: int | None = None) -> Any:
        return self.map(lambda record: (record, None)).reduceByKey(lambda x, _: x, numPartitions).keys()

    def repartitionAndSortWithinPartitions(
        self: Any,
        numPartitions: int | None = None,
        partitionFunc: Callable[[Any], int] = portable_hash,
        ascending: bool = True,
        keyfunc: Function = lambda key: key,
    ) -> Any:
        return self.partitionBy(numPartitions, partitionFunc).mapPartitions(_in_order(ascending, keyfunc), True)

    def sortByKey(
        self: Any, ascending: bool = True, numPartitions: int | None = None, keyfunc: Function = lambda key: key
    ) -> Any:
        """A range of keys is in each partition; the partitions are in order too."""
        in_order = _in_order(ascending, keyfunc)
        count = self.context.defaultParallelism if numPartitions is None else numPartitions
        if count == 1:
            return (self.coalesce(1) if self._count > 1 else self).mapPartitions(in_order, True)
        size = self.count()
        if not size:
            return self
        samples = self.sample(False, min(count * 20.0 / size, 1.0), 1).keys().collect()
        keys = sorted(samples, key=keyfunc)
        bounds = [keyfunc(keys[len(keys) * (k + 1) // count]) for k in range(count - 1)]

        def place(key: Any) -> int:
            before = bisect.bisect_left(bounds, keyfunc(key))
            return before if ascending else count - 1 - before

        return self.partitionBy(count, place).mapPartitions(in_order, True)

    def sortBy(self: Any, keyfunc: Function, ascending: bool = True, numPartitions: int | None = None) -> Any:
        return self.keyBy(keyfunc).sortByKey(ascending, numPartitions).values()

    def cogroup(self: Any, other: Any, numPartitions: int | None = None) -> Any:
        return _cogrouped((self, other), numPartitions)

    def groupWith(self: Any, other: Any, *others: Any) -> Any:
        return _cogrouped((self, other, *others), None)

    def join(self: Any, other: Any, numPartitions: int | None = None) -> Any:
        return self._joined(other, numPartitions, (), ())

    def leftOuterJoin(self: Any, other: Any, numPartitions: int | None = None) -> Any:
        return self._joined(other, numPartitions, (), (None,))

    def rightOuterJoin(self: Any, other: Any, numPartitions: int | None = None) -> Any:
        return self._joined(other, numPartitions, (None,), ())

    def fullOuterJoin(self: Any, other: Any, numPartitions: int | None = None) -> Any:
        return self._joined(other, numPartitions, (None,), (None,))

    def _joined(
        self: Any, other: Any, numPartitions: int | None, no_left: tuple[None, ...], no_right: tuple[None, ...]
    ) -> Any:
        def pairs(groups: Any) -> Iterable[Any]:
            return [(left, right) for left in list(groups[0]) or no_left for right in list(groups[1]) or no_right]

        return self.cogroup(other, numPartitions).flatMapValues(pairs)

    def subtractByKey(self: Any, other: Any, numPartitions: int | None = None) -> Any:
        kept = self.cogroup(other, numPartitions).filter(lambda pair: pair[1][0] and not pair[1][1])
        return kept.flatMapValues(lambda groups: groups[0])

    def subtract(self: Any, other: Any, numPartitions: int | None = None) -> Any:
        marked = other.map(lambda record: (record, True))
        return self.map(lambda record: (record, True)).subtractByKey(marked, numPartitions).keys()

    def intersection(self: Any, other: Any) -> Any:
        marked = other.map(lambda record: (record, None))
        return self.map(lambda record: (record, None)).cogroup(marked).filter(lambda pair: all(pair[1])).keys()


def _cogrouped(rdds: Sequence[Any], count: int | None) -> Any:
    """For each key, the values that it has in each of the RDDs."""
    tagged = [rdd.mapValues(lambda value, side=side: (side, value)) for side, rdd in enumerate(rdds)]

    def by_side(values: Iterable[Any]) -> tuple[ResultIterable, ...]:
        found: list[list[Any]] = [[] for _ in rdds]
        for side, value in values:
            found[side].append(value)
        return tuple(map(ResultIterable, found))

    return reduce(lambda left, right: left.union(right), tagged).groupByKey(count).mapValues(by_side)


def _in_order(ascending: bool, keyfunc: Function) -> Function:
    return lambda part: iter(sorted(part, key=lambda pair: keyfunc(pair[0]), reverse=not ascending))
