"""Where PySpark puts records and how it keeps them: slices, random numbers, pickled batches.

>>> slices([1, 2, 3, 4, 5], 2)
[[1, 2], [3, 4, 5]]
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from itertools import chain, islice, pairwise
from types import FunctionType, ModuleType
from typing import Any, NoReturn

from tallystick.streaming.engines.base import SparkError

#: The types of values that nobody can change.
_ATOMS = frozenset({int, str, float, bool, bytes, complex, type(None), date, datetime, time, timedelta, Decimal})
_PROTOCOL = 5
#: How many records `repartition` moves together.
MOVED_TOGETHER = 10


class PySparkRuntimeError(SparkError):
    """What PySpark raises of its own, by a code."""

    def __init__(self, code: str) -> None:
        super().__init__(f"pyspark.errors.exceptions.base.PySparkRuntimeError: [{code}]")


class ResultIterable:
    """The values of one key, as `groupByKey` and `cogroup` give them: they can be counted and iterated.

    As in PySpark, two of these are equal only if they are the same object: compare `list(values)`.
    """

    def __init__(self, data: Sequence[Any]) -> None:
        self.data = data
        self.index = 0
        self.maxindex = len(data)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.data)

    def __len__(self) -> int:
        return len(self.data)


class Stored:
    """Records of a partition as Spark keeps them from one stage to the next: pickled in batches.

    Whoever iterates gets records of their own; those of one batch may share parts. Raises `PicklingError` for what
    cannot be pickled, such as a generator.
    """

    def __init__(self, batches: Iterable[Any]) -> None:
        self.batches = list(batches)

    @classmethod
    def of(cls, records: Iterable[Any], width: int | None = None) -> Stored:
        """Store records in batches of a width; without one, each batch is twice as large as the one before."""
        found, iterator = [], iter(records)
        size = 1 if width is None else width
        while batch := list(islice(iterator, size)):
            found.append(batch if all(map(_is_fixed, batch)) else _Pickled(batch))
            size *= 2 if width is None else 1
        return cls(found)

    def __iter__(self) -> Iterator[Any]:
        for batch in self.batches:
            yield from batch if isinstance(batch, list) else batch.records()


class Unreadable:
    """A batch that raises when it is read."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def records(self) -> NoReturn:
        raise self._error


class _Pickled:
    """A pickled list. Functions and classes, which Spark's pickler sends by value where it must, stay what they are."""

    def __init__(self, records: list[Any]) -> None:
        self._kept: list[Any] = []
        try:
            self._text = pickle.dumps(records, _PROTOCOL)
        except Exception:
            self._text = self._by_value(records)

    def records(self) -> list[Any]:
        """The list, anew each time."""
        reader = pickle.Unpickler(io.BytesIO(self._text))
        reader.persistent_load = self._kept.__getitem__  # type: ignore[method-assign]
        return reader.load()

    def _by_value(self, records: list[Any]) -> bytes:
        text = io.BytesIO()
        pickler = pickle.Pickler(text, _PROTOCOL)
        pickler.persistent_id = self._place_of  # type: ignore[method-assign,assignment]
        try:
            pickler.dump(records)
        except pickle.PickleError:
            raise
        except Exception as error:
            message = f"Could not serialize object: {type(error).__name__}: {error}"
            raise pickle.PicklingError(message) from error
        return text.getvalue()

    def _place_of(self, value: Any) -> int | None:
        if not isinstance(value, FunctionType | type | ModuleType):
            return None
        self._kept.append(value)
        return len(self._kept) - 1


def _is_fixed(value: Any) -> bool:
    kind = type(value)
    return kind in _ATOMS or (kind in (tuple, frozenset) and all(map(_is_fixed, value)))


def copied(value: Any) -> Any:
    """Return a value as a worker gets it that is sent a function which uses it."""
    return next(iter(Stored.of([value])))


def int_of_java(value: Any) -> int:
    """Return a number for a parameter of the JVM, to which no other type can be given."""
    if type(value) is not int:
        raise SparkError(f"py4j.Py4JException: no method takes {value!r} for a number of partitions")
    return value


def slices(records: Sequence[Any], count: int) -> list[list[Any]]:
    """Return the partitions that `parallelize` makes: it cuts the list into batches, and slices the batches."""
    size = batch_size(len(records), count)
    batches = [records[start : start + size] for start in range(0, len(records), size)]
    return [list(chain.from_iterable(part)) for part in cut(batches, count)]


def batch_size(records: int, count: int) -> int:
    """Return how many records `parallelize` pickles together."""
    return max(1, min(records // count, 1024))


def cut(items: Sequence[Any], count: int) -> list[Sequence[Any]]:
    """Return a sequence in so many neighbouring parts, as equal in length as can be."""
    ends = [index * len(items) // max(count, 1) for index in range(count + 1)]
    return [items[start:end] for start, end in pairwise(ends)]


def dealt(parts: Sequence[Sequence[Any]], count: int) -> list[list[Any]]:
    """Return the items of partitions as `repartition` deals them out, to one new partition after another.

    Where it begins is random in Spark too, by the number of the old partition as the seed.
    """
    found: list[list[Any]] = [[] for _ in range(count)]
    for index, part in enumerate(parts):
        start = _first_random_number(index, count)
        for place, item in enumerate(part, start + 1):
            found[place % count].append(item)
    return found


def _first_random_number(seed: int, bound: int) -> int:
    """Return the first number below a bound of Spark's `XORShiftRandom` with a seed."""
    state = _with_bits_throughout(seed)
    while True:
        state ^= state << 21 & _LONG
        state ^= state >> 35
        state ^= state << 4 & _LONG
        drawn = state & 0x7FFFFFFF
        if bound & -bound == bound:
            return bound * drawn >> 31
        if drawn - drawn % bound + bound - 1 <= 0x7FFFFFFF:
            return drawn % bound


_INT, _LONG = 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF
#: Scala's seed of the hash of an array.
_ARRAY_SEED = 0x3C074A61


def _with_bits_throughout(seed: int) -> int:
    words = [int.from_bytes(part[::-1]) for part in (seed.to_bytes(8)[:4], seed.to_bytes(8)[4:])]
    low = _murmur(words, _ARRAY_SEED)
    return _murmur(words, low) << 32 | low


def _murmur(words: Sequence[int], seed: int) -> int:
    """Return MurmurHash3 of 32-bit words."""
    found = seed
    for word in words:
        found ^= _rotated(word * 0xCC9E2D51 & _INT, 15) * 0x1B873593 & _INT
        found = _rotated(found, 13) * 5 + 0xE6546B64 & _INT
    found ^= 4 * len(words)
    found = (found ^ found >> 16) * 0x85EBCA6B & _INT
    found = (found ^ found >> 13) * 0xC2B2AE35 & _INT
    return found ^ found >> 16


def _rotated(word: int, bits: int) -> int:
    return (word << bits | word >> 32 - bits) & _INT
