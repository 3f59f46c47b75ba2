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
from tallystick.streaming.stateful import map_with_state

_SLIDES_FOR_AN_INVERSE = 5


class Windows:
    """The part of `LocalDStream` that remembers batches; `self` is one, and so is each result."""

    def window(self: Any, windowDuration: float, slideDuration: float | None = None) -> Any:
        """The records of the batches of the last `windowDuration` seconds."""
        width, slide = self._window(windowDuration, slideDuration)
        return self.derived(lambda number: self._between(number - width + 1, number), slide)

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
        lists = self.mapValues(lambda x: [x])
        without = lambda a, b: a[len(b) :]  # noqa: E731
        grouped = lists.reduceByKeyAndWindow(operator.add, without, windowDuration, slideDuration, numPartitions)
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
        if invFunc is None:
            return reduced.window(windowDuration, slideDuration).reduceByKey(func, numPartitions)
        keep = filterFunc or (lambda _: True)

        def over(first: int, last: int) -> LocalRDD:
            return reduced._between(first, last).reduceByKey(func, numPartitions)

        def compute(number: int) -> LocalRDD:
            before = result.rdd(number - slide)
            if before is None or width < _SLIDES_FOR_AN_INVERSE * slide:
                return over(number - width + 1, number).filter(keep)
            joined = before.leftOuterJoin(over(number - slide - width + 1, number - width), numPartitions)
            rest = joined.mapValues(lambda pair: pair[0] if pair[1] is None else invFunc(*pair))
            return rest.union(over(number - slide + 1, number)).reduceByKey(func, numPartitions).filter(keep)

        result = self.derived(compute, slide)
        return result

    def updateStateByKey(
        self: Any,
        updateFunc: Function,
        numPartitions: int | None = None,
        initialRDD: LocalRDD | Iterable[Any] | None = None,
    ) -> Any:
        """The state of each key after each batch: updateFunc(new values, old state or None); None forgets
        the key."""
        context = self._context.sparkContext
        given = initialRDD if isinstance(initialRDD, LocalRDD) else context.parallelize(initialRDD or ())

        def compute(number: int) -> LocalRDD | None:
            before, rdd = result.rdd(number - self.slide), self.rdd(number)
            if rdd is None:
                return before
            old = given if before is None else before
            groups = old.cogroup(rdd.partitionBy(numPartitions), numPartitions)
            states = groups.mapValues(lambda pair: updateFunc(list(pair[1]), next(iter(pair[0]), None)))
            return states.filter(lambda pair: pair[1] is not None)

        result = self.derived(compute)
        return result

    def mapWithState(self: Any, function: Function, **options: Any) -> Any:
        """See `tallystick.streaming.stateful.map_with_state`, which works on both engines."""
        return map_with_state(self, function, **options)

    def _window(self: Any, width: float, slide: float | None) -> tuple[int, int]:
        batches = self._context.batches_in(width, self, "windowDuration")
        return batches, self.slide if slide is None else self._context.batches_in(slide, self, "slideDuration")

    def _between(self: Any, first: int, last: int) -> LocalRDD:
        """Return the records of the batches with numbers in [first, last]."""
        rdds = [self.rdd(number) for number in range(max(first, 1), last + 1)]
        return self._context.sparkContext.union(rdd for rdd in rdds if rdd is not None)
