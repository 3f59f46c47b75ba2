# Names and parameters are PySpark's.
# ruff: noqa: N802, N803
"""`LocalRDD`: the operations of a PySpark RDD that do not depend on partitions, on a Python list.

Method names and results are PySpark's. An operation that is not here raises `UnsupportedOperationError`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from functools import reduce
from itertools import chain
from typing import Any, NoReturn

from tallystick.streaming.errors import UnsupportedOperationError


class LocalContext:
    """What `rdd.context` offers: makes RDDs from lists."""

    def parallelize(self, records: Iterable[Any], numSlices: int | None = None) -> LocalRDD:
        """Return an RDD of the records; the number of slices has no effect."""
        return LocalRDD(records)

    def emptyRDD(self) -> LocalRDD:
        """Return an RDD without records."""
        return LocalRDD(())

    def union(self, rdds: Iterable[LocalRDD]) -> LocalRDD:
        """Return the records of all the RDDs."""
        return LocalRDD(chain.from_iterable(rdd.records for rdd in rdds))


class LocalRDD:
    """A bag of records with PySpark's names for what can be done with it. Immutable."""

    context = ctx = LocalContext()

    def __init__(self, records: Iterable[Any]) -> None:
        self.records = list(records)

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)
        raise UnsupportedOperationError(f"the local engine has no RDD operation {name!r}; use Spark")

    def map(self, f: Callable[[Any], Any], preservesPartitioning: bool = False) -> LocalRDD:
        return LocalRDD(map(f, self.records))

    def flatMap(self, f: Callable[[Any], Iterable[Any]], preservesPartitioning: bool = False) -> LocalRDD:
        return LocalRDD(chain.from_iterable(map(f, self.records)))

    def filter(self, f: Callable[[Any], bool]) -> LocalRDD:
        return LocalRDD(filter(f, self.records))

    def mapValues(self, f: Callable[[Any], Any]) -> LocalRDD:
        return LocalRDD((key, f(value)) for key, value in self.records)

    def flatMapValues(self, f: Callable[[Any], Iterable[Any]]) -> LocalRDD:
        return LocalRDD((key, each) for key, value in self.records for each in f(value))

    def keys(self) -> LocalRDD:
        return LocalRDD(key for key, _ in self.records)

    def values(self) -> LocalRDD:
        return LocalRDD(value for _, value in self.records)

    def keyBy(self, f: Callable[[Any], Any]) -> LocalRDD:
        return LocalRDD((f(record), record) for record in self.records)

    def union(self, other: LocalRDD) -> LocalRDD:
        return LocalRDD(self.records + other.records)

    def distinct(self, numPartitions: int | None = None) -> LocalRDD:
        return LocalRDD(dict.fromkeys(self.records))

    def intersection(self, other: LocalRDD) -> LocalRDD:
        wanted = set(other.records)
        return LocalRDD(record for record in self.distinct().records if record in wanted)

    def subtract(self, other: LocalRDD, numPartitions: int | None = None) -> LocalRDD:
        unwanted = set(other.records)
        return LocalRDD(record for record in self.records if record not in unwanted)

    def subtractByKey(self, other: LocalRDD, numPartitions: int | None = None) -> LocalRDD:
        unwanted = {key for key, _ in other.records}
        return LocalRDD(pair for pair in self.records if pair[0] not in unwanted)

    def sortBy(
        self,
        keyfunc: Callable[[Any], Any],
        ascending: bool = True,
        numPartitions: int | None = None,
    ) -> LocalRDD:
        return LocalRDD(sorted(self.records, key=keyfunc, reverse=not ascending))

    def sortByKey(
        self,
        ascending: bool = True,
        numPartitions: int | None = None,
        keyfunc: Callable[[Any], Any] = lambda key: key,
    ) -> LocalRDD:
        return self.sortBy(lambda pair: keyfunc(pair[0]), ascending)

    def groupByKey(self, numPartitions: int | None = None) -> LocalRDD:
        groups: dict[Any, list[Any]] = {}
        for key, value in self.records:
            groups.setdefault(key, []).append(value)
        return LocalRDD(groups.items())

    def groupBy(self, f: Callable[[Any], Any], numPartitions: int | None = None) -> LocalRDD:
        return self.keyBy(f).groupByKey()

    def reduceByKey(self, func: Callable[[Any, Any], Any], numPartitions: int | None = None) -> LocalRDD:
        return self.combineByKey(lambda value: value, func, func)

    def foldByKey(
        self,
        zeroValue: Any,
        func: Callable[[Any, Any], Any],
        numPartitions: int | None = None,
    ) -> LocalRDD:
        return self.combineByKey(lambda value: func(zeroValue, value), func, func)

    def combineByKey(
        self,
        createCombiner: Callable[[Any], Any],
        mergeValue: Callable[[Any, Any], Any],
        mergeCombiners: Callable[[Any, Any], Any],
        numPartitions: int | None = None,
    ) -> LocalRDD:
        combined: dict[Any, Any] = {}
        for key, value in self.records:
            combined[key] = mergeValue(combined[key], value) if key in combined else createCombiner(value)
        return LocalRDD(combined.items())

    def cogroup(self, other: LocalRDD, numPartitions: int | None = None) -> LocalRDD:
        left, right = dict(self.groupByKey().records), dict(other.groupByKey().records)
        return LocalRDD((key, (left.get(key, []), right.get(key, []))) for key in {**left, **right})

    def join(self, other: LocalRDD, numPartitions: int | None = None) -> LocalRDD:
        return self._joined(other, (), ())

    def leftOuterJoin(self, other: LocalRDD, numPartitions: int | None = None) -> LocalRDD:
        return self._joined(other, (), (None,))

    def rightOuterJoin(self, other: LocalRDD, numPartitions: int | None = None) -> LocalRDD:
        return self._joined(other, (None,), ())

    def fullOuterJoin(self, other: LocalRDD, numPartitions: int | None = None) -> LocalRDD:
        return self._joined(other, (None,), (None,))

    def _joined(self, other: LocalRDD, no_left: tuple[None, ...], no_right: tuple[None, ...]) -> LocalRDD:
        return LocalRDD(
            (key, (left, right))
            for key, (lefts, rights) in self.cogroup(other).records
            for left in lefts or no_left
            for right in rights or no_right
        )

    def cartesian(self, other: LocalRDD) -> LocalRDD:
        return LocalRDD((left, right) for left in self.records for right in other.records)

    def cache(self) -> LocalRDD:
        return self

    def persist(self, storageLevel: Any = None) -> LocalRDD:
        return self

    def unpersist(self, blocking: bool = False) -> LocalRDD:
        return self

    def repartition(self, numPartitions: int) -> LocalRDD:
        return self

    def coalesce(self, numPartitions: int, shuffle: bool = False) -> LocalRDD:
        return self

    def collect(self) -> list[Any]:
        return list(self.records)

    def collectAsMap(self) -> dict[Any, Any]:
        return dict(self.records)

    def count(self) -> int:
        return len(self.records)

    def countByValue(self) -> dict[Any, int]:
        return dict(self.map(lambda record: (record, 1)).reduceByKey(operator.add).records)

    def isEmpty(self) -> bool:
        return not self.records

    def first(self) -> Any:
        if not self.records:
            raise ValueError("RDD is empty")
        return self.records[0]

    def take(self, num: int) -> list[Any]:
        return self.records[:num]

    def takeOrdered(self, num: int, key: Callable[[Any], Any] | None = None) -> list[Any]:
        return sorted(self.records, key=key)[:num]

    def top(self, num: int, key: Callable[[Any], Any] | None = None) -> list[Any]:
        return sorted(self.records, key=key, reverse=True)[:num]

    def reduce(self, f: Callable[[Any, Any], Any]) -> Any:
        if not self.records:
            raise ValueError("Can not reduce() empty RDD")
        return reduce(f, self.records)

    def fold(self, zeroValue: Any, op: Callable[[Any, Any], Any]) -> Any:
        return reduce(op, self.records, zeroValue)

    def sum(self) -> Any:
        return sum(self.records)

    def max(self, key: Callable[[Any], Any] | None = None) -> Any:
        return max(self.records, key=key)

    def min(self, key: Callable[[Any], Any] | None = None) -> Any:
        return min(self.records, key=key)

    def foreach(self, f: Callable[[Any], None]) -> None:
        for record in self.records:
            f(record)
