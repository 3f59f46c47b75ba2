"""Schemas: read from DDL, as generators of records, and as a check of the records that are fed to a program.

>>> parse_ddl("word string NOT NULL, places array<struct<x: int, y: decimal(4,1)>>").simpleString()
'struct<word:string,places:array<struct<x:int,y:decimal(4,1)>>>'
>>> misfit((1.5, ["a"]), parse_ddl("n int, words array<string>"))
'field n: 1.5 is no int'
"""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Any, NoReturn

from hypothesis import strategies as st
from pyspark.sql import types as t
from tallystick.streaming.errors import RecordDoesNotFitError
from tallystick.streaming.letters import Batch

_INTEGERS: dict[type, tuple[str, int]] = {
    t.ByteType: ("byte", 8),
    t.ShortType: ("short", 16),
    t.IntegerType: ("int", 32),
    t.LongType: ("long", 64),
}
_SIMPLE: dict[str, type[t.DataType]] = {
    "boolean": t.BooleanType,
    "byte": t.ByteType,
    "tinyint": t.ByteType,
    "short": t.ShortType,
    "smallint": t.ShortType,
    "int": t.IntegerType,
    "integer": t.IntegerType,
    "long": t.LongType,
    "bigint": t.LongType,
    "float": t.FloatType,
    "real": t.FloatType,
    "double": t.DoubleType,
    "string": t.StringType,
    "binary": t.BinaryType,
    "date": t.DateType,
    "timestamp": t.TimestampType,
    "timestamp_ntz": t.TimestampNTZType,
}
_TOKEN = re.compile(r"\s*(`[^`]+`|\w+|[<>(),:])")


def as_schema(schema: Any) -> t.StructType:
    """Return the schema that DDL stands for, or the schema itself. Raises `ValueError` on what is neither."""
    if isinstance(schema, t.StructType):
        return schema
    if not isinstance(schema, str):
        raise ValueError(f'a schema is DDL, as "word string, n long", or a StructType, not {schema!r}')
    return parse_ddl(schema)


def parse_ddl(ddl: str) -> t.StructType:
    """Read columns as Spark's DDL writes them, without a running Spark. Raises `ValueError` with the place."""
    return _Reader(ddl).schema()


class _Reader:
    """Reads DDL by recursive descent."""

    def __init__(self, ddl: str) -> None:
        self._ddl = ddl
        self._place = 0

    def schema(self) -> t.StructType:
        fields = self._fields("")
        if self._place < len(self._ddl.rstrip()):
            self._fail("a comma or the end")
        return t.StructType(fields)

    def _fields(self, end: str) -> list[t.StructField]:
        fields = []
        while True:
            name = self._next("a column's name").strip("`")
            if self._peek() == ":":
                self._next(":")
            kind = self._type()
            nullable = self._peek().lower() != "not"
            if not nullable:
                self._next("NOT")
                self._take("null")
            fields.append(t.StructField(name, kind, nullable))
            if self._peek() != ",":
                break
            self._next(",")
        if end:
            self._take(end)
        return fields

    def _type(self) -> t.DataType:
        name = self._next("a type").lower()
        if name in _SIMPLE:
            return _SIMPLE[name]()
        if name in ("decimal", "numeric", "dec"):
            return self._decimal()
        if name == "array":
            self._take("<")
            element = self._type()
            self._take(">")
            return t.ArrayType(element)
        if name == "map":
            self._take("<")
            key = self._type()
            self._take(",")
            value = self._type()
            self._take(">")
            return t.MapType(key, value)
        if name == "struct":
            self._take("<")
            return t.StructType(self._fields(">"))
        return self._fail(f"a type, not {name!r}")

    def _decimal(self) -> t.DecimalType:
        if self._peek() != "(":
            return t.DecimalType(10, 0)
        self._take("(")
        precision, scale = int(self._next("a precision")), 0
        if self._peek() == ",":
            self._take(",")
            scale = int(self._next("a scale"))
        self._take(")")
        return t.DecimalType(precision, scale)

    def _peek(self) -> str:
        found = _TOKEN.match(self._ddl, self._place)
        return found[1] if found else ""

    def _next(self, wanted: str) -> str:
        found = _TOKEN.match(self._ddl, self._place)
        if not found:
            self._fail(wanted)
        self._place = found.end()
        return found[1]

    def _take(self, wanted: str) -> None:
        if self._next(wanted).lower() != wanted:
            self._fail(wanted)

    def _fail(self, wanted: str) -> NoReturn:
        raise ValueError(f"the schema {self._ddl!r} has at column {self._place + 1} something else than {wanted}")


def letters_of(schema: Any, min_size: int = 0, max_size: int = 3, **columns: st.SearchStrategy[Any]) -> Any:
    """A strategy for batches of records of a schema; `columns` are strategies for some of the columns.

    >>> from hypothesis import find
    >>> find(letters_of("word string NOT NULL, n int NOT NULL", 2), lambda batch: True)
    (('', 0), ('', 0))
    """
    return st.lists(records_of(schema, **columns), min_size=min_size, max_size=max_size).map(tuple)


def records_of(schema: Any, **columns: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """A strategy for records of a schema: tuples, or values if there is one column. None where a column allows it."""
    fields = as_schema(schema).fields
    unknown = sorted(set(columns) - {field.name for field in fields})
    if unknown:
        raise ValueError(f"the schema has no column {', '.join(map(repr, unknown))}")
    parts = [columns[f.name] if f.name in columns else _values(f.dataType, f.nullable) for f in fields]
    return parts[0] if len(parts) == 1 else st.tuples(*parts)


def _values(kind: t.DataType, nullable: bool) -> st.SearchStrategy[Any]:
    values = _values_that_are_there(kind)
    return values | st.none() if nullable else values


def _values_that_are_there(kind: t.DataType) -> st.SearchStrategy[Any]:
    if type(kind) in _INTEGERS:
        bits = _INTEGERS[type(kind)][1]
        return st.integers(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    match kind:
        case t.BooleanType():
            return st.booleans()
        case t.FloatType():
            return st.floats(allow_nan=False, width=32)
        case t.DoubleType():
            return st.floats(allow_nan=False)
        case t.DecimalType():
            whole = 10**kind.precision - 1
            return st.integers(-whole, whole).map(lambda digits: Decimal(digits).scaleb(-kind.scale))
        case t.StringType():
            return st.text(max_size=8)
        case t.BinaryType():
            return st.binary(max_size=8)
        case t.DateType():
            return st.dates(datetime.date(1970, 1, 1), datetime.date(2099, 12, 31))
        case t.TimestampType() | t.TimestampNTZType():
            times = st.datetimes(datetime.datetime(1970, 1, 2), datetime.datetime(2099, 12, 31))
            return times.map(lambda time: time.replace(fold=0))
        case t.ArrayType():
            return st.lists(_values(kind.elementType, kind.containsNull), max_size=3)
        case t.MapType():
            values = _values(kind.valueType, kind.valueContainsNull)
            return st.dictionaries(_values_that_are_there(kind.keyType), values, max_size=3)
        case t.StructType():
            return st.tuples(*(_values(field.dataType, field.nullable) for field in kind.fields))
        case _:
            raise ValueError(f"no records can be made of the type {kind.simpleString()}: give a strategy for it")


def misfit(record: Any, schema: t.StructType) -> str | None:
    """Return what is wrong with a record of a schema, by its field; None if it fits."""
    values = as_row(record, schema)
    if len(values) != len(schema.fields):
        return f"it has {len(values)} values, and the schema has {len(schema.fields)} columns"
    pairs = zip(values, schema.fields, strict=True)
    return _first(_wrong(value, field.dataType, field.nullable, field.name) for value, field in pairs)


def as_row(record: Any, schema: t.StructType) -> tuple[Any, ...]:
    """Return a record as the tuple of its columns' values."""
    return record if isinstance(record, tuple) and (len(schema.fields) != 1 or len(record) == 1) else (record,)


def _first(problems: Iterable[str | None]) -> str | None:
    return next((problem for problem in problems if problem), None)


def _wrong(value: Any, kind: t.DataType, nullable: bool, path: str) -> str | None:
    """Return what is wrong with a value of a type, or None."""
    if value is None:
        return None if nullable else f"field {path}: it must not be null"
    match kind:
        case t.ArrayType():
            if isinstance(value, (list, tuple)):
                return _first(
                    _wrong(each, kind.elementType, kind.containsNull, f"{path}[{k}]") for k, each in enumerate(value)
                )
        case t.MapType():
            if isinstance(value, dict):
                of, null = kind.valueType, kind.valueContainsNull
                keys = (_wrong(key, kind.keyType, False, f"{path}.key") for key in value)
                return _first((*keys, *(_wrong(each, of, null, f"{path}[{k!r}]") for k, each in value.items())))
        case t.StructType():
            if isinstance(value, tuple) and len(value) == len(kind.fields):
                pairs = zip(value, kind.fields, strict=True)
                return _first(_wrong(v, f.dataType, f.nullable, f"{path}.{f.name}") for v, f in pairs)
        case _:
            if _fits(value, kind):
                return None
    return f"field {path}: {value!r} is no {_INTEGERS.get(type(kind), (kind.simpleString(),))[0]}"


def _fits(value: Any, kind: t.DataType) -> bool:
    """Whether a value is one of a type without parts, without loss."""
    if type(kind) in _INTEGERS:
        limit = 2 ** (_INTEGERS[type(kind)][1] - 1)
        return type(value) is int and -limit <= value < limit
    match kind:
        case t.BooleanType():
            return type(value) is bool
        case t.DoubleType():
            return type(value) is float
        case t.FloatType():
            return type(value) is float and (not math.isfinite(value) or abs(value) <= 3.4028234663852886e38)
        case t.DecimalType():
            return isinstance(value, Decimal) and value.is_finite() and _decimal_fits(value, kind)
        case t.StringType():
            return isinstance(value, str)
        case t.BinaryType():
            return isinstance(value, (bytes, bytearray))
        case t.DateType():
            return isinstance(value, datetime.date) and not isinstance(value, datetime.datetime)
        case t.TimestampType() | t.TimestampNTZType():
            return isinstance(value, datetime.datetime)
        case _:
            raise ValueError(f"records with the type {kind.simpleString()} cannot be fed to a program")


def _decimal_fits(value: Decimal, kind: t.DecimalType) -> bool:
    scaled = value.scaleb(kind.scale)
    return scaled == scaled.to_integral_value() and abs(scaled) < 10**kind.precision


def check_records(batch: Batch, schema: t.StructType, stream: str, number: int) -> None:
    """Raise `RecordDoesNotFitError` if a record does not fit the schema."""
    for place, record in enumerate(batch, 1):
        problem = misfit(record, schema)
        if problem:
            raise RecordDoesNotFitError(stream, number, place, problem)
