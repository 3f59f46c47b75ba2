# Names and parameters are PySpark's.
# ruff: noqa: N802, N803
"""`RecordedStream`: a DStream that notes what a subject does with it, as a graph.

A subject is called as Spark calls it, once, to set up its streams; the functions that it gives to operations are kept
and not called. Only operations that a proof understands are there: any other raises `NotUnderstoodError`.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any, Final, NoReturn
from weakref import WeakKeyDictionary

from tallystick.streaming.errors import StreamingError

Function = Callable[..., Any]

#: PySpark ignores the inverse function of a windowed reduction unless the window has so many slides.
_SLIDES_FOR_AN_INVERSE: Final = 5


class NotUnderstoodError(StreamingError):
    """Something in a property is beyond what is proved; the text says what, and in which step of the program."""

    has_step = False

    def in_step(self, node: Node) -> NotUnderstoodError:
        """The same error with the step of the program that a stream is made by."""
        step = _STEPS.get(node)
        if step is None or self.has_step:
            return self
        made = NotUnderstoodError(f"{self}; in the step {step}")
        made.has_step = True
        return made


@dataclass(frozen=True, eq=False)
class Input:
    """An input stream."""

    name: str


@dataclass(frozen=True, eq=False)
class Mapped:
    """Each record becomes what a function makes of it: one record, or several (`many`)."""

    parent: Node
    function: Function
    many: bool = False


@dataclass(frozen=True, eq=False)
class MappedValues:
    """The second component of each record becomes what a function makes of it: one value, or several (`many`)."""

    parent: Node
    function: Function
    many: bool = False


@dataclass(frozen=True, eq=False)
class Filtered:
    """The records for which a function is true."""

    parent: Node
    function: Function


@dataclass(frozen=True, eq=False)
class Keyed:
    """Each record with a key: itself and the number 1 (`counted`), or one key for all and the record itself."""

    parent: Node
    counted: bool


@dataclass(frozen=True, eq=False)
class Unkeyed:
    """The second component of each record."""

    parent: Node


@dataclass(frozen=True, eq=False)
class United:
    """The records of both."""

    left: Node
    right: Node


@dataclass(frozen=True, eq=False)
class Windowed:
    """The records of the last `length` batches."""

    parent: Node
    length: int


@dataclass(frozen=True, eq=False)
class Reduced:
    """The values of each key in a batch, combined two by two."""

    parent: Node
    function: Function


@dataclass(frozen=True, eq=False)
class State:
    """The state of each key after each batch, by a function of its new values and its state before."""

    parent: Node
    function: Function


@dataclass(frozen=True, eq=False)
class Slidden:
    """The values of each key in the last `length` batches, from those of the window before, by an inverse function.

    Only pairs for which `keep` is true are kept, if it is given.
    """

    parent: Node
    function: Function
    inverse: Function
    length: int
    keep: Function | None


Node = Input | Mapped | MappedValues | Filtered | Keyed | Unkeyed | United | Windowed | Reduced | State | Slidden


#: The operation of the program that makes a stream, and where it stands.
_STEPS: WeakKeyDictionary[Node, str] = WeakKeyDictionary()


def _step() -> str:
    """The operation that is being called, with the line of the program that calls it."""
    frame: FrameType | None = sys._getframe(2)
    name = ""
    while frame is not None and frame.f_code.co_filename == __file__:
        name, frame = frame.f_code.co_name, frame.f_back
    return name if frame is None else f"`{name}` at {Path(frame.f_code.co_filename).name}:{frame.f_lineno}"


class RecordedStream:
    """A stream of the graph, with the operations of a PySpark DStream; `interval` is that of batches, in seconds."""

    def __init__(self, node: Node, interval: int) -> None:
        self.node = node
        self._interval = interval

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)
        raise NotUnderstoodError(f"the program uses the operation {name!r} of a DStream")

    def _with(self, node: Node) -> RecordedStream:
        _STEPS[node] = _step()
        return RecordedStream(node, self._interval)

    def map(self, f: Function, preservesPartitioning: bool = False) -> RecordedStream:
        return self._with(Mapped(self.node, f))

    def flatMap(self, f: Function, preservesPartitioning: bool = False) -> RecordedStream:
        return self._with(Mapped(self.node, f, many=True))

    def filter(self, f: Function) -> RecordedStream:
        return self._with(Filtered(self.node, f))

    def mapValues(self, f: Function) -> RecordedStream:
        return self._with(MappedValues(self.node, f))

    def flatMapValues(self, f: Function) -> RecordedStream:
        return self._with(MappedValues(self.node, f, many=True))

    def union(self, other: RecordedStream) -> RecordedStream:
        if not isinstance(other, RecordedStream):
            raise NotUnderstoodError("the program unites a stream with something else")
        return self._with(United(self.node, other.node))

    def repartition(self, numPartitions: int) -> RecordedStream:
        return self

    def cache(self) -> RecordedStream:
        return self

    def persist(self, storageLevel: Any = None) -> RecordedStream:
        return self

    def checkpoint(self, interval: int) -> RecordedStream:
        return self

    def reduceByKey(self, func: Function, numPartitions: int | None = None) -> RecordedStream:
        return self._with(Reduced(self.node, func))

    def reduce(self, func: Function) -> RecordedStream:
        return self._with(Unkeyed(Reduced(Keyed(self.node, counted=False), func)))

    def countByValue(self) -> RecordedStream:
        return self._with(Reduced(Keyed(self.node, counted=True), operator.add))

    def window(self, windowDuration: float, slideDuration: float | None = None) -> RecordedStream:
        return self._with(Windowed(self.node, self._batches(windowDuration, slideDuration)))

    def reduceByKeyAndWindow(
        self,
        func: Function,
        invFunc: Function | None,
        windowDuration: float,
        slideDuration: float | None = None,
        numPartitions: int | None = None,
        filterFunc: Function | None = None,
    ) -> RecordedStream:
        length = self._batches(windowDuration, slideDuration)
        if invFunc is not None and length >= _SLIDES_FOR_AN_INVERSE:
            return self._with(Slidden(self.node, func, invFunc, length, filterFunc))
        reduced = self._with(Reduced(Windowed(Reduced(self.node, func), length), func))
        return reduced if filterFunc is None or invFunc is None else reduced.filter(filterFunc)

    def reduceByWindow(
        self, reduceFunc: Function, invReduceFunc: Function | None, windowDuration: float, slideDuration: float
    ) -> RecordedStream:
        keyed = self._with(Keyed(self.node, counted=False))
        reduced = keyed.reduceByKeyAndWindow(reduceFunc, invReduceFunc, windowDuration, slideDuration)
        return self._with(Unkeyed(reduced.node))

    def countByValueAndWindow(
        self, windowDuration: float, slideDuration: float, numPartitions: int | None = None
    ) -> RecordedStream:
        return self.window(windowDuration, slideDuration).countByValue()

    def updateStateByKey(
        self, updateFunc: Function, numPartitions: int | None = None, initialRDD: Any = None
    ) -> RecordedStream:
        if initialRDD is not None:
            raise NotUnderstoodError("the program starts from an initial state")
        return self._with(State(self.node, updateFunc))

    def _batches(self, width: float, slide: float | None) -> int:
        if slide is not None and slide != self._interval:
            raise NotUnderstoodError("the program has a window that slides by more than a batch")
        if width < self._interval or width % self._interval:
            raise NotUnderstoodError(f"the program has a window of {width} seconds, no multiple of the batch interval")
        return int(width // self._interval)
