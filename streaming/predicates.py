"""Predicates over a batch, to be used in `at(stream, predicate)`; any function of a batch will do as well.

>>> for_each_record(lambda x: x > 0)((1, 2)), exists_record(lambda x: x > 2)((1, 2)), is_empty((1,))
(True, False, False)
>>> equal_as_set(["a", "b"])(("b", "a", "b")), equal_as_bag(["a", "b"])(("b", "a", "b"))
(True, False)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from tallystick.streaming.describe import describe
from tallystick.streaming.letters import Batch


@dataclass(frozen=True)
class OneOf:
    """Whether a record is one of these."""

    records: tuple[Any, ...]


@dataclass(frozen=True)
class Number:
    """How many records of a batch there are of which a test says `wanted`: between `least` and `most`, if there is one.

    Without a test, all records count.
    """

    test: Callable[[Any], Any] | OneOf | None
    wanted: bool
    least: int
    most: int | None


@dataclass(frozen=True)
class BatchPredicate:
    """A named predicate over a batch; `numbers` says the same, all of it together, for proofs."""

    name: str
    holds: Callable[[Batch], bool]
    numbers: tuple[Number, ...]

    def __call__(self, batch: Batch) -> bool:
        return self.holds(batch)

    def __str__(self) -> str:
        return self.name


def for_each_record(predicate: Callable[[Any], bool]) -> BatchPredicate:
    """Every record satisfies the predicate; true of an empty batch."""
    return BatchPredicate(
        f"each: {describe(predicate)}", lambda batch: all(map(predicate, batch)), (_none(predicate, False),)
    )


def exists_record(predicate: Callable[[Any], bool]) -> BatchPredicate:
    """Some record satisfies the predicate; false of an empty batch."""
    return BatchPredicate(f"some: {describe(predicate)}", lambda batch: any(map(predicate, batch)), (_some(predicate),))


def contains(record: Any) -> BatchPredicate:
    """The record is in the batch."""
    return BatchPredicate(f"has {record!r}", lambda batch: record in batch, (_some(OneOf((record,))),))


def equal_as_set(expected: Iterable[Any]) -> BatchPredicate:
    """The batch has the same records, whatever their order and number. Records must be hashable."""
    records = set(expected)
    numbers = [_none(OneOf(tuple(records)), False), *(_some(OneOf((record,))) for record in records)]
    return BatchPredicate(f"= {_braces(records)} as a set", lambda batch: set(batch) == records, tuple(numbers))


def equal_as_bag(expected: Iterable[Any]) -> BatchPredicate:
    """The batch has the same records, each as often, whatever their order."""
    records = tuple(expected)

    def holds(batch: Batch) -> bool:
        missing = list(records)
        for record in batch:
            if record not in missing:
                return False
            missing.remove(record)
        return not missing

    numbers = [_none(OneOf(records), False)]
    numbers += [Number(OneOf((each,)), True, records.count(each), records.count(each)) for each in records]
    return BatchPredicate(f"= {_braces(records)} as a bag", holds, tuple(numbers))


def has_size(size: int) -> BatchPredicate:
    """The batch has exactly so many records."""
    numbers = (Number(None, True, size, size),)
    return BatchPredicate(f"has {size} record{'s' * (size != 1)}", lambda batch: len(batch) == size, numbers)


def _some(test: Callable[[Any], Any] | OneOf) -> Number:
    return Number(test, True, 1, None)


def _none(test: Callable[[Any], Any] | OneOf, wanted: bool) -> Number:
    return Number(test, wanted, 0, 0)


is_empty = BatchPredicate("is empty", lambda batch: not batch, (Number(None, True, 0, 0),))


def _braces(records: Iterable[Any]) -> str:
    return "{" + ", ".join(sorted(map(repr, records))) + "}"
