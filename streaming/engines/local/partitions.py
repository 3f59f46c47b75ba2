"""Where PySpark puts records: the slices of `parallelize`, the hash of a key, the copies that pickling makes.

>>> slices([1, 2, 3, 4, 5], 2)
[[1, 2], [3, 4, 5]]
"""

from __future__ import annotations

import copy
import sys
import zlib
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

#: The types of values that nobody can change.
_ATOMS = frozenset({int, str, float, bool, bytes, complex, type(None)})


class ResultIterable:
    """The values of one key, as `groupByKey` and `cogroup` give them: they can be counted and iterated.

    As in PySpark, two of these are equal only if they are the same object: compare `list(values)`.
    """

    def __init__(self, data: Sequence[Any]) -> None:
        self.data = data

    def __iter__(self) -> Iterator[Any]:
        return iter(self.data)

    def __len__(self) -> int:
        return len(self.data)


def snapshot(records: list[Any]) -> list[Any]:
    """Return records that nobody else can change: the same list if no record can change at all, else a copy.

    Spark pickles records between any two consumers. Raises what copying raises, a `TypeError` as a rule, on a
    record that cannot be pickled either.
    """
    return records if all(_is_fixed(record) for record in records) else copy.deepcopy(records)


def _is_fixed(value: Any) -> bool:
    kind = type(value)
    return kind in _ATOMS or (kind in (tuple, frozenset) and all(map(_is_fixed, value)))


def slices(records: Sequence[Any], count: int) -> list[list[Any]]:
    """Return the partitions that `parallelize` makes: it cuts the list into batches, and slices the batches."""
    size = max(1, min(len(records) // count, 1024))
    batches = [records[start : start + size] for start in range(0, len(records), size)]
    ends = [index * len(batches) // count for index in range(count + 1)]
    return [[each for batch in batches[start:end] for each in batch] for start, end in pairwise(ends)]


def portable_hash(key: Any) -> int:
    """PySpark's hash of a key, which chooses its partition; of texts a hash that is the same in each process.

    >>> portable_hash((None, 1)) & 0xffffffff
    219750521
    """
    if key is None:
        return 0
    if isinstance(key, tuple):
        mixed = 0x345678
        for part in key:
            mixed = ((mixed ^ portable_hash(part)) * 1000003) & sys.maxsize
        return mixed ^ len(key)
    if isinstance(key, (str, bytes)):
        return zlib.crc32(key.encode("utf-8", "surrogatepass") if isinstance(key, str) else key)
    return hash(key)
