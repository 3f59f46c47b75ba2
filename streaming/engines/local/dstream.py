# Names and parameters are PySpark's.
# ruff: noqa: N802, N803
"""`LocalDStream`: the operations of a PySpark DStream in pure Python, batch by batch.

Names, arguments and results are those of `pyspark.streaming.DStream`, so that one program runs on both;
where PySpark defines an operation by others, so does this file. A stream computes the batches that it is
asked for, and keeps them.

Facts of Spark that a reader may not expect: a stream with a slide of s batches has a batch at every s-th instant
only; a `transform` that returns None has no batch; and what follows a `transform` without a window, a state, a second
stream, `cache` or `checkpoint` between becomes one function of an RDD with it, called for each consumer.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from datetime import datetime
from itertools import chain
from typing import Any, NoReturn

from tallystick.streaming.engines.base import SparkError
from tallystick.streaming.engines.local.context import LocalStreamingContext, division_by_zero
from tallystick.streaming.engines.local.hashing import portable_hash
from tallystick.streaming.engines.local.rdd import Function, LocalRDD
from tallystick.streaming.engines.local.windows import Windows

Compute = Callable[[int], LocalRDD | None]


class LocalDStream(Windows):
    """A stream given by a function from a batch number (from 1) to the RDD of its records, or None.

    `keeps_state` says that Spark looks at the stream's checkpoints before the first batch.
    """

    def __init__(
        self, context: LocalStreamingContext, compute: Compute, slide: int = 1, keeps_state: bool = False
    ) -> None:
        self._context = context
        self._compute = compute
        self.slide = slide
        self._known: dict[int, LocalRDD | None] = {}
        self._is_kept = False
        if keeps_state:
            context.checks.append(self._check_slide)

    def rdd(self, number: int) -> LocalRDD | None:
        """Return a batch as an RDD, or None when the stream has no batch at that instant."""
        if number < 1 or (number % self.slide if self.slide else division_by_zero()):
            return None
        if number not in self._known:
            self._known[number] = self._compute(number)
        return self._known[number]

    def handed_over(self, number: int) -> LocalRDD | None:
        """Return a batch as another stream gets it."""
        rdd = self.rdd(number)
        return None if rdd is None else rdd.handed_over()

    def between(self, first: int, last: int) -> list[LocalRDD]:
        """Return the batches with numbers in [first, last], as Spark slices a stream by its slide."""
        if not self.slide:
            division_by_zero()
        ends = [int(number / self.slide) * self.slide for number in (first, last)]
        numbers = range(ends[0], ends[1] + (1 if self.slide > 0 else -1), self.slide)
        rdds = [self.handed_over(number) for number in numbers]
        return [rdd for rdd in rdds if rdd is not None]

    def derived(self, compute: Compute, slide: int | None = None, keeps_state: bool = False) -> LocalDStream:
        """Return another stream of the same context, by default with the same slide."""
        return LocalDStream(self._context, compute, self.slide if slide is None else slide, keeps_state)

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)
        self._context.sparkContext.refuse("DStream", name)

    def context(self) -> LocalStreamingContext:
        return self._context

    # Each batch by itself

    def transform(self, func: Function) -> LocalDStream:
        """A batch is the result of a function of the RDD, or of the time and the RDD."""
        return _Transformed(self, _timed(func, 1, "func should take one or two arguments"))

    def map(self, f: Function, preservesPartitioning: bool = False) -> LocalDStream:
        return self.mapPartitions(lambda part: map(f, part), preservesPartitioning)

    def flatMap(self, f: Function, preservesPartitioning: bool = False) -> LocalDStream:
        return self.mapPartitions(lambda part: chain.from_iterable(map(f, part)), preservesPartitioning)

    def filter(self, f: Function) -> LocalDStream:
        return self.mapPartitions(lambda part: filter(f, part), True)

    def mapPartitions(self, f: Function, preservesPartitioning: bool = False) -> LocalDStream:
        return self.mapPartitionsWithIndex(lambda _, part: f(part), preservesPartitioning)

    def mapPartitionsWithIndex(self, f: Function, preservesPartitioning: bool = False) -> LocalDStream:
        return self.transform(lambda rdd: rdd.mapPartitionsWithIndex(f, preservesPartitioning))

    def glom(self) -> LocalDStream:
        return self.mapPartitions(lambda part: iter([list(part)]))

    def mapValues(self, f: Function) -> LocalDStream:
        return self.map(lambda pair: (pair[0], f(pair[1])), True)

    def flatMapValues(self, f: Function) -> LocalDStream:
        return self.flatMap(lambda pair: ((pair[0], each) for each in f(pair[1])), True)

    def partitionBy(self, numPartitions: int, partitionFunc: Callable[[Any], int] = portable_hash) -> LocalDStream:
        return self.transform(lambda rdd: rdd.partitionBy(numPartitions, partitionFunc))

    def reduceByKey(self, func: Function, numPartitions: int | None = None) -> LocalDStream:
        return self.combineByKey(lambda value: value, func, func, numPartitions)

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
        self._is_kept = True
        return self

    def persist(self, storageLevel: Any) -> LocalDStream:
        """Keep the records of each batch. PySpark's DStreams, unlike its RDDs, have no storage level by default."""
        if type(storageLevel).__name__ != "StorageLevel":
            raise TypeError("storageLevel must be of type pyspark.StorageLevel")
        return self.cache()

    def checkpoint(self, interval: float) -> LocalDStream:
        self._context.checks.append(lambda: self._check_checkpoints(int(interval * 1000)))
        return self.cache()

    def _check_slide(self) -> None:
        if self.slide == 0:
            division_by_zero()

    def _check_checkpoints(self, milliseconds: int) -> None:
        slide = self.slide * self._context.batch_interval * 1000
        said = f"requirement failed: The checkpoint interval has been set to {milliseconds} ms"
        if milliseconds < slide:
            raise SparkError(f"java.lang.IllegalArgumentException: {said}, less than the slide of {slide} ms")
        if milliseconds % slide if slide else division_by_zero():
            raise SparkError(f"java.lang.IllegalArgumentException: {said}, no multiple of the slide of {slide} ms")

    def foreachRDD(self, func: Function) -> None:
        """Run a function of the RDD, or of time and RDD, on every batch."""
        self._context.actions.append((self, _timed(func, 1)))

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

        It has the slide of the first stream. Where one of them has no batch, the function gets an empty RDD.
        """
        timed = _timed(func, 2, "func should take two or three arguments")
        if not isinstance(other, LocalDStream):
            raise AttributeError(f"{type(other).__name__!r} object has no attribute '_jrdd_deserializer'")
        empty = self._context.sparkContext.emptyRDD

        def compute(number: int) -> LocalRDD | None:
            left, right = (stream.handed_over(number) or empty() for stream in (self, other))
            return _as_batch(timed(self._context.time_of(number), left, right))

        return self.derived(compute)

    def union(self, other: LocalDStream) -> LocalDStream:
        if not isinstance(other, LocalDStream):
            raise AttributeError(f"{type(other).__name__!r} object has no attribute '_slideDuration'")
        if self.slide != other.slide:
            raise ValueError("the two DStream should have same slide duration")
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


class _Transformed(LocalDStream):
    """A stream whose batches are what a function of time and RDD makes of those of another."""

    def __init__(self, before: LocalDStream, func: Function) -> None:
        if type(before) is _Transformed and not before._is_kept:
            first = before.func
            self.before: LocalDStream = before.before
            self.func: Function = lambda time, rdd: func(time, first(time, rdd))
        else:
            self.before, self.func = before, func
        super().__init__(before._context, self._made, before.slide)

    def _made(self, number: int) -> LocalRDD | None:
        rdd = self.before.handed_over(number)
        return None if rdd is None else _as_batch(self.func(self._context.time_of(number), rdd))


def _as_batch(made: Any) -> LocalRDD | None:
    """Return what a function of RDDs makes as PySpark takes it: what is not true is no batch."""
    if made and not isinstance(made, LocalRDD):
        raise AttributeError(f"{type(made).__name__!r} object has no attribute '_jrdd'")
    return made or None


def _timed(func: Function, rdds: int, refusal: str | None = None) -> Function:
    """Return the function as one of the time too. As PySpark does, count all parameters, those with defaults too."""
    code: Any = func.__code__
    if code.co_argcount == rdds:
        return lambda _, *given: func(*given)
    if refusal is not None and code.co_argcount != rdds + 1:
        raise AssertionError(refusal)
    return func
