"""Hypothesis strategies for batches, and for stream prefixes made of them (sscheck's `BatchGen`).

A batch is a tuple of records. Here the temporal operators take strategies for batches; in
`tallystick.streaming.prefixes` the same operators take strategies for whole prefixes.

>>> from hypothesis import find, strategies as st
>>> find(always(of_n(2, st.integers(0, 9)), 3), lambda prefix: True)
((0, 0), (0, 0), (0, 0))
>>> find(until(of_n(1, st.just("a")), of_n(1, st.just("b")), 5), lambda prefix: len(prefix) > 2)
(('a',), ('a',), ('b',))
"""

from __future__ import annotations

from typing import Any, TypeAlias

from hypothesis import strategies as st
from tallystick.streaming import prefixes
from tallystick.streaming.letters import Batch
from tallystick.streaming.prefixes import Prefixes

Batches: TypeAlias = st.SearchStrategy[Batch]

#: The batch without records.
empty: Batches = st.just(())


def of_n(size: int, records: st.SearchStrategy[Any]) -> Batches:
    """A batch of exactly `size` records."""
    return of_n_to_m(size, size, records)


def of_n_to_m(min_size: int, max_size: int, records: st.SearchStrategy[Any]) -> Batches:
    """A batch of `min_size` to `max_size` records, both included."""
    return st.lists(records, min_size=min_size, max_size=max_size).map(tuple)


def union(*parts: Batches) -> Batches:
    """The records of all the batches (sscheck's `+` on batches)."""
    return st.tuples(*parts).map(lambda batches: sum(batches, ()))


def single(batch: Batches) -> Prefixes:
    """A prefix of one batch."""
    return batch.map(lambda records: (records,))


def next(batch: Batches, times: int = 1) -> Prefixes:  # noqa: A001
    """`times` empty batches, then the batch."""
    return prefixes.next(single(batch), times)


def always(batch: Batches, timeout: int) -> Prefixes:
    """□ₜ: exactly t batches."""
    return prefixes.always(single(batch), timeout)


def eventually(batch: Batches, timeout: int) -> Prefixes:
    """◇ₜ: 0 to t − 1 empty batches, then the batch."""
    return prefixes.eventually(single(batch), timeout)


def until(before: Batches, then: Batches, timeout: int) -> Prefixes:
    """Uₜ: 0 to t − 1 batches `before`, then one batch `then`."""
    return prefixes.until(single(before), single(then), timeout)


def release(release_by: Batches, held: Batches, timeout: int) -> Prefixes:
    """Rₜ: batches `held`, the last one united with a batch `release_by`; or t batches `held`."""
    return prefixes.release(single(release_by), single(held), timeout)
