# Names and parameters are PySpark's.
"""`LocalStreamingContext`: the clock, the output operations and the SparkContext of one test case."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any

from tallystick.streaming.engines.base import SparkError
from tallystick.streaming.engines.local.rdd import LocalContext


class LocalStreamingContext:
    """What `stream.context()` gives: `sparkContext` makes RDDs and broadcast variables."""

    def __init__(self, batch_interval: int = 1, parallelism: int = 2) -> None:
        self.batch_interval = batch_interval
        self.sparkContext = LocalContext(parallelism)
        #: The streams with an action, and the action of time and RDD.
        self.actions: list[tuple[Any, Any]] = []
        #: What Spark looks at before the first batch.
        self.checks: list[Any] = []

    def time_of(self, number: int) -> datetime:
        """Return the time of a batch as PySpark passes it to `transform` and `foreachRDD`."""
        return datetime.fromtimestamp(number * self.batch_interval)

    def rdds_of_actions(self, number: int) -> list[Callable[[], None]]:
        """Make the RDDs of the `foreachRDD` actions of one batch, and return what runs the actions on them."""
        time = self.time_of(number)
        made = [(stream.handed_over(number), action) for stream, action in self.actions]
        return [partial(action, time, rdd) for rdd, action in made if rdd is not None]

    def batches_in(self, seconds: float, stream: Any, what: str) -> int:
        """Return a duration as a number of batches. Raises `ValueError` unless it is a multiple of the slide."""
        milliseconds, slide = int(seconds * 1000), stream.slide * self.batch_interval * 1000
        if milliseconds % slide if slide else division_by_zero():
            raise ValueError(f"{what} must be multiple of the parent dstream's slide (batch) duration ({slide} ms)")
        return milliseconds // (self.batch_interval * 1000)


def division_by_zero() -> int:
    """What the JVM does with a slide of no batch."""
    raise SparkError("java.lang.ArithmeticException: / by zero")
