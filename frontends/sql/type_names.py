"""The names of SQL types, and the types of values that they stand for."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date
from functools import cache
from typing import Final

from sqlglot import exp
from tallystick.core.queries.ranges import MICROSECOND, Range
from tallystick.core.queries.types import (
    BOOLEAN,
    DATE,
    DECIMAL,
    INTEGER,
    MICROSECONDS,
    MICROSECONDS_A_DAY,
    MONTHS,
    OPAQUE,
    TEXT,
    TIMESTAMP,
    SqlType,
)
from tallystick.frontends.calendar import EPOCH
from tallystick.frontends.sql.dialects import Dialect

_NAMES: Final[dict[SqlType, str]] = {
    BOOLEAN: "BOOLEAN",
    INTEGER: "TINYINT SMALLINT MEDIUMINT INT BIGINT INT128 INT256 UTINYINT USMALLINT UMEDIUMINT UINT UBIGINT",
    DECIMAL: "DECIMAL DECIMAL32 DECIMAL64 DECIMAL128 DECIMAL256 BIGDECIMAL UDECIMAL MONEY FLOAT DOUBLE UDOUBLE",
    TEXT: "CHAR NCHAR VARCHAR NVARCHAR TEXT TINYTEXT MEDIUMTEXT LONGTEXT BPCHAR UUID",
    DATE: "DATE DATE32",
    TIMESTAMP: "TIMESTAMP TIMESTAMPNTZ TIMESTAMPTZ TIMESTAMPLTZ TIMESTAMP_S TIMESTAMP_MS DATETIME DATETIME2 DATETIME64",
    MICROSECONDS: "TIME",
    OPAQUE: "ARRAY LIST MAP STRUCT OBJECT JSON JSONB VARIANT BINARY VARBINARY BLOB GEOGRAPHY GEOMETRY INTERVAL",
}
_TYPES: Final = {name: sql_type for sql_type, names in _NAMES.items() for name in names.split()}
_FLOATS: Final = frozenset({"FLOAT", "DOUBLE", "UDOUBLE"})
_OF_64_BITS: Final = frozenset({"bigquery", "snowflake", "sqlite"})
"""Dialects whose floating-point numbers all have 64 bits."""
_AMBIGUOUS: Final = frozenset({"mysql", "calcite"})
"""Dialects whose FLOAT and REAL are not of the same width, and to the parser are one type."""
_NOT_SIZED: Final = frozenset({"MONEY"})
_BITS: Final = {"TINYINT": 8, "SMALLINT": 16, "MEDIUMINT": 24, "INT": 32, "BIGINT": 64, "INT128": 128, "INT256": 256}
_ONE_TYPE: Final = {"bigquery": (-(2**63), 2**63 - 1), "snowflake": (1 - 10**38, 10**38 - 1)}
"""The integers of dialects in which all names of types of integers stand for one."""
_UNSIZED: Final = {"BIGDECIMAL": (76, 38)}
_PADDED: Final = frozenset({"CHAR", "NCHAR", "BPCHAR"})
_PRECISIONS: Final = {"TIMESTAMP_S": 0, "TIMESTAMP_MS": 3}


@dataclass(frozen=True)
class TypeName:
    """What a type's name says.

    Attributes:
        type: the type of the values.
        floating: whether they are floating-point numbers, of so many bits as `double` says if that is known.
        length: the greatest length of a text, or None.
        scale: the digits after the point of a decimal, or None.
        padded: whether texts are padded with blanks.
        least, greatest: of numbers in units of the last digit, of days, and of moments in microseconds.
        precision: the digits of a moment's seconds that are kept after the point; None if those of a microsecond are.
        zoned: whether the text of a moment shows a time zone.
        whole_days: whether the unit of an interval is a day, or several.
        kind: the name of a type of moments, if it is not the one that the dialect calls TIMESTAMP.
        exact: the type as the engine has it, if that is known: its width, digits, blanks, zone and elements.
    """

    type: SqlType
    floating: bool = False
    length: int | None = None
    scale: int | None = None
    padded: bool = False
    least: int | None = None
    greatest: int | None = None
    precision: int | None = None
    zoned: bool = False
    whole_days: bool = False
    double: bool | None = None
    kind: str = ""
    exact: str = field(default="", compare=False)

    @property
    def range(self) -> Range | None:
        """The values that a column of this type has room for; None for all values of its type."""
        found = Range(self.scale if self.type == DECIMAL else 0, self.least, self.greatest, None)
        found = Range(length=self.length) if self.type == TEXT else found
        if self.type == TIMESTAMP and self.precision is not None:
            unit = 10 ** (MICROSECOND - self.precision)
            ends = (None if end is None else end // unit for end in (self.least, self.greatest))
            found = Range(self.precision - MICROSECOND, *ends)
        return found if found.is_of(self.type) else None

    @property
    def size(self) -> int | None:
        """The length of a text, or the scale of a decimal."""
        return self.scale if self.type == DECIMAL else self.length


MOST_DIGITS: Final = 1_000
"""Digits that a decimal may declare: PostgreSQL has the most."""


def type_name(node: exp.DataType, dialect: Dialect) -> TypeName | None:
    """What a type in a text stands for; None if values of that type are not understood."""
    found = _type_name(node, dialect)
    return None if found is None else replace(found, exact=node.sql(dialect.parser).upper())


def _type_name(node: exp.DataType, dialect: Dialect) -> TypeName | None:
    if isinstance(node.this, exp.DType) and _TYPES.get(node.this.name) == OPAQUE:
        return TypeName(OPAQUE)
    if any(value for part, value in node.args.items() if part not in ("this", "expressions")):
        return None
    if isinstance(node.this, exp.Interval):
        unit = node.this.args.get("unit")
        return TypeName(MONTHS if unit is not None and unit.name.upper() in ("YEAR", "MONTH") else MICROSECONDS)
    name = node.this.name if isinstance(node.this, exp.DType) else str(node.this)
    if name == "TIMESTAMPTZ" and dialect.name == "snowflake":
        return TypeName(OPAQUE)  # each value has a zone of its own
    if name not in _TYPES:
        return None
    if any(size.args.get("expression") is not None or not size.name.isdecimal() for size in node.expressions):
        return None  # a scale below zero, or a length in bytes, say
    sizes = [int(size.name) for size in node.expressions]
    sql_type = _TYPES[name]
    match sql_type:
        case SqlType.BOOLEAN if dialect.truth_as_number:
            return integers(8)
        case SqlType.TEXT:
            length = sizes[0] if sizes else 1 if name in _PADDED and dialect.pads_texts else None
            return TypeName(TEXT, length=length, padded=name in _PADDED and dialect.pads_texts)
        case SqlType.DATE:
            least, greatest = _days(dialect)
            return TypeName(DATE, least=least, greatest=greatest)
        case SqlType.TIMESTAMP:
            usual = dialect.precision if name.startswith("DATETIME") else dialect.timestamp_precision
            digits = sizes[0] if sizes else _PRECISIONS.get(name, usual)
            least, greatest = (None if day is None else day * MICROSECONDS_A_DAY for day in _days(dialect, end=1))
            kept = digits if digits < MICROSECOND else None
            last = None if greatest is None else greatest - 1
            zoned = name == "TIMESTAMPTZ" and dialect.shows_zones
            kind = "" if name in (_timestamp(dialect), "TIMESTAMP_S", "TIMESTAMP_MS") else name
            return TypeName(TIMESTAMP, least=least, greatest=last, precision=kept, zoned=zoned, kind=kind)
        case SqlType.DECIMAL if name not in _FLOATS | _NOT_SIZED:
            if max(sizes, default=0) > MOST_DIGITS:
                return None
            precision, scale = (*sizes, 0)[:2] if sizes else _UNSIZED.get(name, dialect.decimal) or (None, None)
            most = None if precision is None else 10**precision - 1
            least = 0 if name.startswith("U") else None if most is None else -most
            return TypeName(DECIMAL, scale=scale, least=least, greatest=most)
        case SqlType.INTEGER if name.removeprefix("U") in _BITS:
            if dialect.name in _ONE_TYPE:
                least, greatest = _ONE_TYPE[dialect.name]
                return TypeName(INTEGER, least=least, greatest=greatest)
            return integers(_BITS[name.removeprefix("U")], name.startswith("U"))
        case _:
            floating = name in _FLOATS
            wide = name != "FLOAT" or dialect.name in _OF_64_BITS
            double = None if not floating or (name == "FLOAT" and dialect.name in _AMBIGUOUS) else wide
            return TypeName(sql_type, floating=floating, double=double)


@cache
def _timestamp(dialect: Dialect) -> str:
    """What the parser calls the type that a dialect calls TIMESTAMP; in MySQL, DATETIME."""
    return exp.DataType.build("DATETIME" if dialect.name == "mysql" else "TIMESTAMP", dialect=dialect.parser).this.name


def _days(dialect: Dialect, end: int = 0) -> tuple[int | None, int | None]:
    """The first and the last day of a dialect, or with `end` that after it."""
    if dialect.years is None:
        return None, None
    first, last = dialect.years
    return (date(first, 1, 1) - EPOCH).days, (date(last, 12, 31) - EPOCH).days + end


def integers(bits: int, unsigned: bool = False) -> TypeName:
    """The type of integers of so many bits."""
    half = 2 ** (bits - 1)
    return (
        TypeName(INTEGER, least=0, greatest=2 * half - 1)
        if unsigned
        else TypeName(INTEGER, least=-half, greatest=half - 1)
    )
