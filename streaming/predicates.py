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
class BatchPredicate:
    """A named predicate over a batch."""

    name: str
    holds: Callable[[Batch], bool]

    def __call__(self, batch: Batch) -> bool:
        return self.holds(batch)

    def __str__(self) -> str:
        return self.name


def for_each_record(predicate: Callable[[Any], bool]) -> BatchPredicate:
    """Every record satisfies the predicate; true of an empty batch."""
    return BatchPredicate(f"each: {describe(predicate)}", lambda batch: all(map(predicate, batch)))


def exists_record(predicate: Callable[[Any], bool]) -> BatchPredicate:
    """Some record satisfies the predicate; false of an empty batch."""
    return BatchPredicate(f"some: {describe(predicate)}", lambda batch: any(map(predicate, batch)))


def contains(record: Any) -> BatchPredicate:
    """The record is in the batch."""
    return BatchPredicate(f"has {record!r}", lambda batch: record in batch)


def equal_as_set(expected: Iterable[Any]) -> BatchPredicate:
    """The batch has the same records, whatever their order and number. Records must be hashable."""
    records = set(expected)
    return BatchPredicate(f"= {_braces(records)} as a set", lambda batch: set(batch) == records)


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

    return BatchPredicate(f"= {_braces(records)} as a bag", holds)


def has_size(size: int) -> BatchPredicate:
    """The batch has exactly so many records."""
    return BatchPredicate(f"has {size} record{'s' * (size != 1)}", lambda batch: len(batch) == size)


is_empty = BatchPredicate("is empty", lambda batch: not batch)


def _braces(records: Iterable[Any]) -> str:
    return "{" + ", ".join(sorted(map(repr, records))) + "}"
