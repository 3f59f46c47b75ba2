# Names and parameters are PySpark's.
# ruff: noqa: N802, N803
"""`LocalDStream`: the operations of a PySpark DStream in pure Python, batch by batch.

Names, arguments and results are those of `pyspark.streaming.DStream`, so that one program runs on both;
where PySpark defines an operation by others, so does this file. A stream computes the batches that it is
asked for, and keeps them. Functions must not change their arguments, as Spark asks of them too.

Two facts of Spark that a reader may not expect: a stream with a slide of s batches has a batch at every
s-th instant only; and PySpark ignores the inverse function of a windowed reduction unless the window is at
least five slides long.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from datetime import datetime
from itertools import chain
from typing import Any, NoReturn

from tallystick.streaming.describe import arity
from tallystick.streaming.engines.local_rdd import LocalRDD
from tallystick.streaming.errors import UnsupportedOperationError

Function = Callable[..., Any]


class LocalStreamingContext:
    """The clock and the output operations of one test case."""

    def __init__(self, batch_interval: int) -> None:
        self.batch_interval = batch_interval
        self.actions: list[tuple[LocalDStream, Function]] = []

    def time_of(self, number: int) -> datetime:
        """Return the time of a batch as PySpark passes it to `transform` and `foreachRDD`."""
        return datetime.fromtimestamp(number * self.batch_interval)

    def run_actions(self, number: int) -> None:
        """Run the `foreachRDD` actions of one batch."""
        for stream, action in self.actions:
            rdd = stream.rdd(number)
            if rdd is not None:
                action(self.time_of(number), rdd)

    def batches_in(self, seconds: float, stream: LocalDStream, what: str) -> int:
        """Return a duration as a number of batches. Raises `ValueError` unless it is a multiple of the
        slide."""
        milliseconds, slide = int(seconds * 1000), stream.slide * self.batch_interval * 1000
        if milliseconds < 0 or milliseconds % slide:
            raise ValueError(f"{what} must be multiple of the parent dstream's slide (batch) duration ({slide} ms)")
        return milliseconds // (self.batch_interval * 1000)


class LocalDStream:
    """A stream given by a function from a batch number (from 1) to the list of its records."""

    def __init__(
        self, context: LocalStreamingContext, compute: Callable[[int], list[Any] | None], slide: int = 1
    ) -> None:
        self._context = context
        self._compute = compute
        self.slide = slide
        self._known: dict[int, list[Any] | None] = {}

    def batch(self, number: int) -> list[Any] | None:
        """Return the records of a batch, or None when the stream has no batch at that instant."""
        if number < 1 or number % self.slide:
            return None
        if number not in self._known:
            self._known[number] = self._compute(number)
        return self._known[number]

    def rdd(self, number: int) -> LocalRDD | None:
        """Return a batch as an RDD, or None when there is none."""
        records = self.batch(number)
        return None if records is None else LocalRDD(records)

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)
        raise UnsupportedOperationError(f"the local engine has no DStream operation {name!r}; use Spark")

    # Each batch by itself

    def transform(self, func: Function) -> LocalDStream:
        """A batch is the result of a function of the RDD, or of the time and the RDD."""
        timed = func if arity(func) == 2 else lambda _, rdd: func(rdd)

        def compute(number: int) -> list[Any] | None:
            rdd = self.rdd(number)
            return None if rdd is None else timed(self._context.time_of(number), rdd).collect()

        return LocalDStream(self._context, compute, self.slide)

    def map(self, f: Function, preservesPartitioning: bool = False) -> LocalDStream:
        return self.transform(lambda rdd: rdd.map(f))

    def flatMap(self, f: Function, preservesPartitioning: bool = False) -> LocalDStream:
        return self.transform(lambda rdd: rdd.flatMap(f))

    def filter(self, f: Function) -> LocalDStream:
        return self.transform(lambda rdd: rdd.filter(f))

    def mapValues(self, f: Function) -> LocalDStream:
        return self.transform(lambda rdd: rdd.mapValues(f))

    def flatMapValues(self, f: Function) -> LocalDStream:
        return self.transform(lambda rdd: rdd.flatMapValues(f))

    def reduceByKey(self, func: Function, numPartitions: int | None = None) -> LocalDStream:
        return self.transform(lambda rdd: rdd.reduceByKey(func))

    def groupByKey(self, numPartitions: int | None = None) -> LocalDStream:
        return self.transform(lambda rdd: rdd.groupByKey())

    def combineByKey(
        self,
        createCombiner: Function,
        mergeValue: Function,
        mergeCombiners: Function,
        numPartitions: int | None = None,
    ) -> LocalDStream:
        return self.transform(lambda rdd: rdd.combineByKey(createCombiner, mergeValue, mergeCombiners))

    def reduce(self, func: Function) -> LocalDStream:
        return self.map(lambda x: (None, x)).reduceByKey(func).map(lambda x: x[1])

    def count(self) -> LocalDStream:
        return self.transform(lambda rdd: LocalRDD((rdd.count(),)))

    def countByValue(self) -> LocalDStream:
        return self.map(lambda x: (x, 1)).reduceByKey(operator.add)

    def repartition(self, numPartitions: int) -> LocalDStream:
        return self

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

    # Two streams

    def transformWith(self, func: Function, other: LocalDStream, keepSerializer: bool = False) -> LocalDStream:
        """A batch is the result of a function of two RDDs, or of the time and two RDDs.

        Streams of different slides are refused, as in Scala; PySpark lets them pass, with results that are
        not defined.
        """
        if self.slide != other.slide:
            raise ValueError("the two DStream should have same slide duration")
        timed = func if arity(func) == 3 else lambda _, left, right: func(left, right)

        def compute(number: int) -> list[Any] | None:
            left, right = self.rdd(number), other.rdd(number)
            if left is None or right is None:
                return None
            return timed(self._context.time_of(number), left, right).collect()

        return LocalDStream(self._context, compute, self.slide)

    def union(self, other: LocalDStream) -> LocalDStream:
        return self.transformWith(lambda left, right: left.union(right), other)

    def join(self, other: LocalDStream, numPartitions: int | None = None) -> LocalDStream:
        return self.transformWith(lambda left, right: left.join(right), other)

    def cogroup(self, other: LocalDStream, numPartitions: int | None = None) -> LocalDStream:
        return self.transformWith(lambda left, right: left.cogroup(right), other)

    def leftOuterJoin(self, other: LocalDStream, numPartitions: int | None = None) -> LocalDStream:
        return self.transformWith(lambda left, right: left.leftOuterJoin(right), other)

    def rightOuterJoin(self, other: LocalDStream, numPartitions: int | None = None) -> LocalDStream:
        return self.transformWith(lambda left, right: left.rightOuterJoin(right), other)

    def fullOuterJoin(self, other: LocalDStream, numPartitions: int | None = None) -> LocalDStream:
        return self.transformWith(lambda left, right: left.fullOuterJoin(right), other)

    # Windows

    def window(self, windowDuration: float, slideDuration: float | None = None) -> LocalDStream:
        """The records of the batches of the last `windowDuration` seconds."""
        width, slide = self._window(windowDuration, slideDuration)
        return LocalDStream(self._context, lambda number: self._between(number - width + 1, number), slide)

    def reduceByWindow(
        self,
        reduceFunc: Function,
        invReduceFunc: Function | None,
        windowDuration: float,
        slideDuration: float,
    ) -> LocalDStream:
        keyed = self.map(lambda x: (1, x))
        return keyed.reduceByKeyAndWindow(reduceFunc, invReduceFunc, windowDuration, slideDuration).map(
            lambda pair: pair[1]
        )

    def countByWindow(self, windowDuration: float, slideDuration: float) -> LocalDStream:
        ones = self.map(lambda x: 1)
        return ones.reduceByWindow(operator.add, operator.sub, windowDuration, slideDuration)

    def countByValueAndWindow(
        self,
        windowDuration: float,
        slideDuration: float,
        numPartitions: int | None = None,
    ) -> LocalDStream:
        keyed = self.map(lambda x: (x, 1))
        counted = keyed.reduceByKeyAndWindow(operator.add, operator.sub, windowDuration, slideDuration)
        return counted.filter(lambda pair: pair[1] > 0)

    def groupByKeyAndWindow(
        self,
        windowDuration: float,
        slideDuration: float,
        numPartitions: int | None = None,
    ) -> LocalDStream:
        lists = self.mapValues(lambda x: [x])
        return lists.reduceByKeyAndWindow(operator.add, lambda a, b: a[len(b) :], windowDuration, slideDuration)

    def reduceByKeyAndWindow(
        self,
        func: Function,
        invFunc: Function | None,
        windowDuration: float,
        slideDuration: float | None = None,
        numPartitions: int | None = None,
        filterFunc: Callable[[Any], bool] | None = None,
    ) -> LocalDStream:
        """Reduce the values of each key over a window; with an inverse, from the window before (see
        above)."""
        reduced = self.reduceByKey(func)
        width, slide = self._window(windowDuration, slideDuration)
        if invFunc is None:
            return reduced.window(windowDuration, slideDuration).reduceByKey(func)
        keep = filterFunc or (lambda _: True)

        def compute(number: int) -> list[Any]:
            before = result.batch(number - slide)
            if before is None or width < 5 * slide:
                entered = LocalRDD(reduced._between(number - width + 1, number))
                return entered.reduceByKey(func).filter(keep).collect()
            left = LocalRDD(reduced._between(number - slide - width + 1, number - width)).reduceByKey(func)
            joined = LocalRDD(before).leftOuterJoin(left)
            rest = joined.mapValues(lambda pair: pair[0] if pair[1] is None else invFunc(*pair))
            entered = LocalRDD(reduced._between(number - slide + 1, number)).reduceByKey(func)
            return rest.union(entered).reduceByKey(func).filter(keep).collect()

        result = LocalDStream(self._context, compute, slide)
        return result

    # State

    def updateStateByKey(
        self,
        updateFunc: Function,
        numPartitions: int | None = None,
        initialRDD: LocalRDD | Iterable[Any] | None = None,
    ) -> LocalDStream:
        """The state of each key after each batch: updateFunc(new values, old state or None); None forgets
        the key."""
        initial = initialRDD.collect() if isinstance(initialRDD, LocalRDD) else list(initialRDD or ())

        def compute(number: int) -> list[Any]:
            before = result.batch(number - self.slide)
            old = dict(initial if before is None else before)
            new = dict(LocalRDD(self.batch(number) or ()).groupByKey().records)
            states = ((key, updateFunc(list(new.get(key, ())), old.get(key))) for key in {**old, **new})
            return [(key, state) for key, state in states if state is not None]

        result = LocalDStream(self._context, compute, self.slide)
        return result

    def mapWithState(self, function: Function) -> LocalDStream:
        """See `tallystick.streaming.stateful.map_with_state`, which works on both engines."""
        from tallystick.streaming.stateful import map_with_state

        return map_with_state(self, function)

    def _window(self, width: float, slide: float | None) -> tuple[int, int]:
        batches = self._context.batches_in(width, self, "windowDuration")
        if slide is None:
            return batches, self.slide
        return batches, self._context.batches_in(slide, self, "slideDuration")

    def _between(self, first: int, last: int) -> list[Any]:
        """Return the records of the batches with numbers in [first, last]."""
        return list(chain.from_iterable(self.batch(number) or () for number in range(max(first, 1), last + 1)))
