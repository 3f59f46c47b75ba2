# Names and parameters are PySpark's.
# ruff: noqa: N802, N803
"""`Windows`: the operations of a DStream that look at several batches: windows and state.

PySpark ignores the inverse function of a windowed reduction unless the window is at least five slides long.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from typing import Any

from tallystick.streaming.engines.local.partitions import ResultIterable
from tallystick.streaming.engines.local.rdd import Function, LocalRDD
from tallystick.streaming.errors import UnsupportedOperationError
from tallystick.streaming.stateful import map_with_state

_SLIDES_FOR_AN_INVERSE = 5


class Windows:
    """The part of `LocalDStream` that remembers batches; `self` is one, and so is each result."""

    def window(self: Any, windowDuration: float, slideDuration: float | None = None) -> Any:
        """The records of the batches of the last `windowDuration` seconds."""
        width, slide = self._window(windowDuration, slideDuration)

        def compute(number: int) -> LocalRDD:
            return self._context.sparkContext.united(self.between(number - width + self.slide, number))

        self._keep()
        return self.derived(compute, slide)

    def reduceByWindow(
        self: Any, reduceFunc: Function, invReduceFunc: Function | None, windowDuration: float, slideDuration: float
    ) -> Any:
        keyed = self.map(lambda x: (1, x))
        reduced = keyed.reduceByKeyAndWindow(reduceFunc, invReduceFunc, windowDuration, slideDuration, 1)
        return reduced.map(lambda pair: pair[1])

    def countByWindow(self: Any, windowDuration: float, slideDuration: float) -> Any:
        return self.map(lambda x: 1).reduceByWindow(operator.add, operator.sub, windowDuration, slideDuration)

    def countByValueAndWindow(
        self: Any, windowDuration: float, slideDuration: float, numPartitions: int | None = None
    ) -> Any:
        keyed = self.map(lambda x: (x, 1))
        counted = keyed.reduceByKeyAndWindow(operator.add, operator.sub, windowDuration, slideDuration, numPartitions)
        return counted.filter(lambda pair: pair[1] > 0)

    def groupByKeyAndWindow(
        self: Any, windowDuration: float, slideDuration: float, numPartitions: int | None = None
    ) -> Any:
        def extended(left: list[Any], right: list[Any]) -> list[Any]:
            left.extend(right)
            return left

        lists = self.mapValues(lambda x: [x])
        without = lambda a, b: a[len(b) :]  # noqa: E731
        grouped = lists.reduceByKeyAndWindow(extended, without, windowDuration, slideDuration, numPartitions)
        return grouped.mapValues(ResultIterable)

    def reduceByKeyAndWindow(
        self: Any,
        func: Function,
        invFunc: Function | None,
        windowDuration: float,
        slideDuration: float | None = None,
        numPartitions: int | None = None,
        filterFunc: Callable[[Any], bool] | None = None,
    ) -> Any:
        """Reduce the values of each key over a window; with an inverse, from the window before (see above)."""
        width, slide = self._window(windowDuration, slideDuration)
        reduced = self.reduceByKey(func, numPartitions)
        if not invFunc:
            return reduced.window(windowDuration, slideDuration).reduceByKey(func, numPartitions)
        _refuse_the_future(slide)

        def with_new(before: LocalRDD | None, new: list[LocalRDD]) -> LocalRDD | None:
            if not new:
                return before
            rdd = self._context.sparkContext.united(new).reduceByKey(func, numPartitions)
            made = rdd if before is None else before.union(rdd).reduceByKey(func, numPartitions)
            return made.filter(filterFunc) if filterFunc else made

        def without_old(before: LocalRDD, old: list[LocalRDD]) -> LocalRDD:
            if not old:
                return before
            rdd = self._context.sparkContext.united(old).reduceByKey(func, numPartitions)
            joined = before.leftOuterJoin(rdd, numPartitions)
            return joined.mapValues(lambda pair: pair[0] if pair[1] is None else invFunc(*pair)).handed_over()

        def compute(number: int) -> LocalRDD | None:
            before = result.handed_over(number - slide)
            if before is None or width < _SLIDES_FOR_AN_INVERSE * slide:
                return with_new(None, reduced.between(number - width + reduced.slide, number))
            rest = without_old(before, reduced.between(number - slide - width + reduced.slide, number - width))
            return with_new(rest, reduced.between(number - slide + reduced.slide, number))

        result = self.derived(compute, slide, keeps_state=True)
        result._keep()
        return result

    def updateStateByKey(
        self: Any,
        updateFunc: Function,
        numPartitions: int | None = None,
        initialRDD: LocalRDD | Iterable[Any] | None = None,
    ) -> Any:
        """The state of each key after each batch: updateFunc(new values, old state or None); None forgets
        the key."""
        _refuse_the_future(self.slide)
        given: Any = initialRDD
        if initialRDD and not isinstance(initialRDD, LocalRDD):
            given = self._context.sparkContext.parallelize(initialRDD)

        def compute(number: int) -> LocalRDD | None:
            before, rdd = result.handed_over(number - self.slide), self.handed_over(number)
            if rdd is None:
                return before
            old = before or (given and given.handed_over())
            if not old:
                groups = rdd.groupByKey(numPartitions).mapValues(lambda values: (list(values), None))
            else:
                both = old.cogroup(rdd.partitionBy(numPartitions), numPartitions)
                groups = both.mapValues(lambda pair: (list(pair[1]), next(iter(pair[0]), None)))
            states = groups.mapValues(lambda pair: updateFunc(pair[0], pair[1]))
            return states.filter(lambda pair: pair[1] is not None)

        result = self.derived(compute, keeps_state=True)
        result._keep()
        return result

    def mapWithState(self: Any, function: Function, **options: Any) -> Any:
        """See `tallystick.streaming.stateful.map_with_state`, which works on both engines."""
        return map_with_state(self, function, **options)

    def _window(self: Any, width: float, slide: float | None) -> tuple[int, int]:
        batches = self._context.batches_in(width, self, "windowDuration")
        if slide is None:
            return batches, self.slide
        if not slide:
            return batches, 0
        return batches, self._context.batches_in(slide, self, "slideDuration")

    def _keep(self: Any) -> None:
        """Keep the records of each batch, as Spark does for windows and for states."""
        compute = self._compute

        def kept(number: int) -> LocalRDD | None:
            rdd = compute(number)
            return None if rdd is None else rdd.handed_over().cache()

        self._compute = kept


def _refuse_the_future(slide: int) -> None:
    """Before its first batch, Spark asks such a stream for the state of a later one, and so on without an end."""
    if slide < 0:
        raise UnsupportedOperationError("a state with a negative slide: Spark never comes to its first batch")
