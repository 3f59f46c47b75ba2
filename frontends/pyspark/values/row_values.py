"""`Row(name=value, …)` of Spark: a tuple whose components have names, as a NamedTuple's have."""

from __future__ import annotations

import ast
from functools import lru_cache
from pathlib import Path

from tallystick.frontends.pyspark.scoping.source import Place, parse
from tallystick.frontends.pyspark.values.describing import basic
from tallystick.frontends.pyspark.values.kinds import Builtin, RecordClass, Value
from tallystick.frontends.pyspark.values.record_types import RecordType, record_of


@lru_cache(maxsize=256)
def _class_of(names: tuple[str, ...]) -> RecordClass:
    fields = tuple((name, ast.Constant(None)) for name in names)
    return RecordClass("Row", "NamedTuple", fields, {}, {}, parse("", Path("Row"), "Row"), True)


def is_row(of: RecordType) -> bool:
    """Whether a type is one of rows of Spark's."""
    return of.definition is _class_of(of.names)


def _row(place: Place, given: list[Value], named: dict[str, Value]) -> Value:
    if given or not named:
        raise place.error("`Row` of values without names is not supported", "write `Row(name=value, …)`")
    components = [basic(value, place, f"`{name}`") for name, value in named.items()]
    of = RecordType(tuple(each.type for each in components), tuple(named), "NamedTuple", _class_of(tuple(named)))  # type: ignore[misc]
    return record_of(of, *components)


ROW = Builtin("Row", lambda place, given: _row(place, given, {}), _row)
