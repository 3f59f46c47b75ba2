# Names and parameters are PySpark's.
# ruff: noqa: N802, N803
"""`LocalDStream`: the operations of a PySpark DStream in pure Python, batch by batch.

Names, arguments and results are those of `pyspark.streaming.DStream`, so that one program runs on both;
where PySpark defines an operation by others, so does this file. A stream computes the batches that it is
asked for, and keeps them.

Two facts of Spark that a reader may not expect: a stream with a slide of s batches has a batch at every
s-th instant only; and a `transform` that returns None has no batch.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from datetime import datetime
from typing import Any, NoReturn

from tallystick.streaming.describe import arity
from tallystick.streaming.engines.local.context import LocalStreamingContext
from tallystick.streaming.engines.local.partitions import portable_hash
from tallystick.streaming.engines.local.rdd import Function, LocalRDD
from tallystick.streaming.engines.local.windows import Windows
from tallystick.streaming.errors import UnsupportedOperationError


class LocalDStream(Windows):
    """A stream given by a function from a batch number (from 1) to the RDD of its records, or None."""

    def __init__(
        self, context: LocalStreamingContext, compute: Callable[[int], LocalRDD | None], slide: int = 1
    ) -> None:
        self._context = context
        self._compute = compute
        self.slide = slide
        self._known: dict[int, LocalRDD | None] = {}

    def rdd(self, number: int) -> LocalRDD | None:
        """Return a batch as an RDD, or None when the stream has no batch at that instant."""
        if number < 1 or number % self.slide:
            return None
        if number not in self._known:
            self._known[number] = self._compute(number)
        return self._known[number]

    def derived(self, compute: Callable[[int], LocalRDD | None], slide: int | None = None) -> LocalDStream:
        """Return another stream of the same context, by default with the same slide."""
        return LocalDStream(self._context, compute, slide or self.slide)

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)
        raise UnsupportedOperationError(f"the local engine has no DStream operation {name!r}; use Spark")

    def context(self) -> LocalStreamingContext:
        return self._context

    # Each batch by itself

    def transform(self, func: Function) -> LocalDStream:
        """A batch is the result of a function of the RDD, or of the time and the RDD."""
        timed = func if arity(func) == 2 else lambda _, rdd: func(rdd)

        def compute(number: int) -> LocalRDD | None:
            rdd = self.rdd(number)
            return None if rdd is None else timed(self._context.time_of(number), rdd)

        return self.derived(compute)

    def map(self, f: Function, preservesPartitioning: bool = False) -> LocalDStream:
        return self.transform(lambda rdd: rdd.map(f))

    def flatMap(self, f: Function, preservesPartitioning: bool = False) -> LocalDStream:
        return self.transform(lambda rdd: rdd.flatMap(f))

    def filter(self, f: Function) -> LocalDStream:
        return self.transform(lambda rdd: rdd.filter(f))

    def mapPartitions(self, f: Function, preservesPartitioning: bool = False) -> LocalDStream:
        return self.transform(lambda rdd: rdd.mapPartitions(f))

    def mapPartitionsWithIndex(self, f: Function, preservesPartitioning: bool = False) -> LocalDStream:
        return self.transform(lambda rdd: rdd.mapPartitionsWithIndex(f))

    def glom(self) -> LocalDStream:
        return self.transform(lambda rdd: rdd.glom())

    def mapValues(self, f: Function) -> LocalDStream:
        return self.transform(lambda rdd: rdd.mapValues(f))

    def flatMapValues(self, f: Function) -> LocalDStream:
        return self.transform(lambda rdd: rdd.flatMapValues(f))

    def partitionBy(self, numPartitions: int, partitionFunc: Callable[[Any], int] = portable_hash) -> LocalDStream:
        return self.transform(lambda rdd: rdd.partitionBy(numPartitions, partitionFunc))

    def reduceByKey(self, func: Function, numPartitions: int | None = None) -> LocalDStream:
        return self.transform(lambda rdd: rdd.reduceByKey(func, numPartitions))

    def groupByKey(self, numPartitions: int | None = None) -> LocalDStream:
        return self.transform(lambda rdd: rdd.groupByKey(numPartitions))

    def combineByKey(
        self,
        createCombiner: Function,
        mergeValue: Function,
        mergeCombiners: Function,
        numPartitions: int | None = None,
    ) -> LocalDStream:
        return self.transform(lambda rdd: rdd.combineByKey(createCombiner, mergeValue, mergeCombiners, numPartitions))

    def reduce(self, func: Function) -> LocalDStream:
        return self.map(lambda x: (None, x)).reduceByKey(func, 1).map(lambda x: x[1])

    def count(self) -> LocalDStream:
        return self.mapPartitions(lambda part: [sum(1 for _ in part)]).reduce(operator.add)

    def countByValue(self) -> LocalDStream:
        return self.map(lambda x: (x, 1)).reduceByKey(operator.add)

    def repartition(self, numPartitions: int) -> LocalDStream:
        return self.transform(lambda rdd: rdd.repartition(numPartitions))

    def cache(self) -> LocalDStream:
        return self

    def persist(self, storageLevel: Any = None) -> LocalDStream:
        return self

    def checkpoint(self, interval: int) -> LocalDStream:
        return self

    def foreachRDD(self, func: Function) -> None:
        """Run a function of the RDD, or of time and RDD, on every batch."""
        timed = func if arity(func) == 2 else lambda _, rdd: func(rdd)
        self._context.actions.append((self, timed))

    def pprint(self, num: int = 10) -> None:
        """Print the time and the first records of each batch."""

        def print_batch(time: datetime, rdd: LocalRDD) -> None:
            taken = rdd.take(num + 1)
            line = "-" * 43
            print(line, f"Time: {time}", line, *taken[:num], sep="\n")
            print("...\n" if len(taken) > num else "")

        self.foreachRDD(print_batch)

    # Two streams

    def transformWith(self, func: Function, other: LocalDStream, keepSerializer: bool = False) -> LocalDStream:
        """A batch is the result of a function of two RDDs, or of the time and two RDDs.

        Streams of different slides are refused, as in Scala; PySpark lets them pass, with results that are
        not defined.
        """
        if self.slide != other.slide:
            raise ValueError("the two DStream should have same slide duration")
        timed = func if arity(func) == 3 else lambda _, left, right: func(left, right)

        def compute(number: int) -> LocalRDD | None:
            left, right = self.rdd(number), other.rdd(number)
            return None if left is None or right is None else timed(self._context.time_of(number), left, right)

        return self.derived(compute)

    def union(self, other: LocalDStream) -> LocalDStream:
        return self.transformWith(lambda left, right: left.union(right), other)

    def join(self, other: LocalDStream, numPartitions: int | None = None) -> LocalDStream:
        return self.transformWith(lambda left, right: left.join(right, numPartitions), other)

    def cogroup(self, other: LocalDStream, numPartitions: int | None = None) -> LocalDStream:
        return self.transformWith(lambda left, right: left.cogroup(right, numPartitions), other)

    def leftOuterJoin(self, other: LocalDStream, numPartitions: int | None = None) -> LocalDStream:
        return self.transformWith(lambda left, right: left.leftOuterJoin(right, numPartitions), other)

    def rightOuterJoin(self, other: LocalDStream, numPartitions: int | None = None) -> LocalDStream:
        return self.transformWith(lambda left, right: left.rightOuterJoin(right, numPartitions), other)

    def fullOuterJoin(self, other: LocalDStream, numPartitions: int | None = None) -> LocalDStream:
        return self.transformWith(lambda left, right: left.fullOuterJoin(right, numPartitions), other)
