"""`streams_of(records)`: all streams of records of a type, to draw cases from and to prove properties about.

>>> from hypothesis import find
>>> find(streams_of(tuple[int, bool]).prefixes(2, max_size=1), lambda prefix: prefix[0])
(((0, False),), ())
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import GenericAlias
from typing import Any, get_args, get_origin

from hypothesis import strategies as st
from tallystick.streaming import batches
from tallystick.streaming.describe import describe
from tallystick.streaming.prefixes import Prefixes

#: Batches of a case that is drawn, if the formula does not say how many it needs.
_BATCHES = 6
_MAX_SIZE = 3


@dataclass(frozen=True)
class EveryStream:
    """All streams whose records are of a type and satisfy `where`, if it is given."""

    records: Any
    where: Callable[[Any], bool] | None = None

    def prefixes(self, length: int | None, max_size: int = _MAX_SIZE) -> Prefixes:
        """A strategy for prefixes of so many batches, of up to `max_size` records each."""
        records = _strategy(self.records)
        if self.where is not None:
            records = records.filter(self.where)
        return batches.always(batches.of_n_to_m(0, max_size, records), length or _BATCHES)

    def __str__(self) -> str:
        kind = self.records.__name__ if isinstance(self.records, type) else str(self.records)
        kind = str(self.records) if isinstance(self.records, GenericAlias) else kind
        return kind if self.where is None else f"{kind} where {describe(self.where)}"


def streams_of(records: Any, where: Callable[[Any], bool] | None = None) -> EveryStream:
    """All streams of records of a type: int, bool, or tuples of such types, as in `streams_of(tuple[int, bool])`.

    `where`, a function of a record, says which records there are. Raises `TypeError` for other types.
    """
    _strategy(records)
    return EveryStream(records, where)


def _strategy(of: Any) -> st.SearchStrategy[Any]:
    if of is int:
        return st.integers(-99, 99)
    if of is bool:
        return st.booleans()
    parts = get_args(of)
    if get_origin(of) is tuple and parts and Ellipsis not in parts:
        return st.tuples(*map(_strategy, parts))
    raise TypeError(f"streams_of takes int, bool, and tuples of these such as tuple[int, bool], not {of!r}")
