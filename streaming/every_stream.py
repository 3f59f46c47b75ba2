"""`streams_of(records)`: all streams of records of a kind, to draw cases from and to prove properties about.

>>> from hypothesis import find
>>> find(streams_of(tuple[str, bool]).prefixes(2, max_size=1), lambda prefix: prefix[0])
((('', False),), ())
"""

from __future__ import annotations

import dataclasses
import datetime
import enum
import types
import typing
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, get_args, get_origin

from hypothesis import strategies as st
from tallystick.streaming import batches
from tallystick.streaming.describe import describe
from tallystick.streaming.prefixes import Prefixes

#: Batches of a case that is drawn, if the formula does not say how many it needs.
_BATCHES = 6
_MAX_SIZE = 3
_MOST = 99
_FIRST, _LAST = datetime.datetime(1970, 1, 2), datetime.datetime(2099, 12, 31)
_DAY = datetime.timedelta(days=1)
_NEAR = st.integers(0, 30).map(lambda days: datetime.datetime(2000, 1, 1) + days * _DAY)
#: What is drawn for a type without parts: small numbers, and often short texts and near dates, of which some are equal.
_SIMPLE: dict[Any, st.SearchStrategy[Any]] = {
    int: st.integers(-_MOST, _MOST),
    bool: st.booleans(),
    float: st.floats(-_MOST, _MOST, allow_nan=False),
    str: st.text("ab", max_size=2) | st.text(max_size=8),
    bytes: st.binary(max_size=8),
    Decimal: st.decimals(-_MOST, _MOST, places=2),
    datetime.date: _NEAR.map(datetime.datetime.date) | st.dates(_FIRST.date(), _LAST.date()),
    datetime.datetime: _NEAR | st.datetimes(_FIRST, _LAST).map(lambda time: time.replace(fold=0)),
    datetime.timedelta: st.timedeltas(-datetime.timedelta(days=_MOST), datetime.timedelta(days=_MOST)),
    None: st.none(),
    type(None): st.none(),
}
_FROM_HYPOTHESIS = (set, frozenset, dict)
_KINDS = (
    "streams_of takes a type (int, bool, float, str, bytes, date, datetime, timedelta, Decimal, an enum, Optional[…], "
    "list[…], tuple[…], a dataclass or a NamedTuple), a schema, or a Hypothesis strategy for records"
)


@dataclass(frozen=True)
class EveryStream:
    """All streams whose records are of a kind and satisfy `where`, if it is given."""

    records: Any
    where: Callable[[Any], bool] | None = None

    def prefixes(self, length: int | None, max_size: int = _MAX_SIZE) -> Prefixes:
        """A strategy for prefixes of so many batches, of up to `max_size` records each."""
        records = _strategy(self.records)
        if self.where is not None:
            records = records.filter(self.where)
        return batches.always(batches.of_n_to_m(0, max_size, records), length or _BATCHES)

    def __str__(self) -> str:
        kind: Any = self.records
        plain = isinstance(kind, type) and not isinstance(kind, types.GenericAlias)
        schema = getattr(kind, "simpleString", None)
        text = kind.__name__ if plain else str(kind) if schema is None else schema()
        return text if self.where is None else f"{text} where {describe(self.where)}"


def streams_of(records: Any, where: Callable[[Any], bool] | None = None) -> EveryStream:
    """All streams of records of a type, of a schema, or of a Hypothesis strategy.

    A type may be one without parts (int, bool, float, str, bytes, a date, a Decimal, an enum), `Optional[…]` and other
    unions, a tuple, a list, a dataclass or a NamedTuple. A schema is a `StructType` or DDL, as `"word string, n long"`;
    its records are Spark's `Row`s, or values if it has one column, for every engine. `where`, a function of a record,
    says which records there are. Raises `TypeError` for other types, and `ValueError` for what is no schema.
    """
    _strategy(records).validate()
    return EveryStream(records, where)


def _strategy(of: Any) -> st.SearchStrategy[Any]:
    if isinstance(of, st.SearchStrategy):
        return of
    if isinstance(of, str) or hasattr(of, "simpleString"):
        return _rows(of)
    if isinstance(of, typing.Hashable) and of in _SIMPLE:
        return _SIMPLE[of]
    parts, origin = get_args(of), get_origin(of)
    if origin in (typing.Union, types.UnionType):
        return st.one_of(*map(_strategy, sorted(parts, key=lambda part: part is not type(None))))
    if origin is typing.Literal:
        return st.sampled_from(parts)
    if origin is tuple and parts[-1:] == (Ellipsis,):
        return st.lists(_strategy(parts[0]), max_size=_MAX_SIZE).map(tuple)
    if origin is tuple and parts:
        return st.tuples(*map(_strategy, parts))
    if origin is list:
        return st.lists(_strategy(parts[0]), max_size=_MAX_SIZE)
    if isinstance(of, type) and (dataclasses.is_dataclass(of) or hasattr(of, "_fields")):
        return _of_fields(of)
    if get_origin(of) in _FROM_HYPOTHESIS or (isinstance(of, type) and issubclass(of, enum.Enum)):
        return st.from_type(of)  # type: ignore[arg-type]
    raise TypeError(f"{_KINDS}, not {of!r}")


def _of_fields(of: Any) -> st.SearchStrategy[Any]:
    """Instances of a dataclass or of a NamedTuple, by the types of its fields."""
    kinds = typing.get_type_hints(of)
    made = dataclasses.fields(of) if hasattr(of, "__dataclass_fields__") else ()
    named = [each.name for each in made if each.init] if made else of._fields
    without = [name for name in named if name not in kinds]
    if without:
        raise TypeError(f"{of.__name__}.{without[0]} has no type: use typing.NamedTuple, or a strategy")
    return st.builds(of, **{name: _strategy(kinds[name]) for name in named})


def _rows(schema: Any) -> st.SearchStrategy[Any]:
    from pyspark.sql import Row
    from tallystick.streaming.schemas import as_schema, records_of

    known = as_schema(schema)
    records = records_of(known)
    if len(known.fields) == 1:
        return records
    row = Row(*(field.name for field in known.fields))
    return records.map(lambda values: row(*values))
