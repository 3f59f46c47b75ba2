"""The types of Spark, what values of the core stand for their values, and the types of decimal results.

An integral number is an integer, and so is a decimal: a decimal(p, s) is the number of its units of 10**-s, which
Spark calls its unscaled value. Doubles and floats are exact rational numbers, by an assumption.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from json import dumps
from typing import Any, Final, Literal

from tallystick.core.queries.ranges import Range
from tallystick.core.queries.types import (
    BOOLEAN,
    DATE,
    DECIMAL,
    INTEGER,
    MICROSECONDS,
    MONTHS,
    TEXT,
    TIMESTAMP,
    SqlType,
    SqlValue,
)

LARGEST_PRECISION: Final = 38
SMALLEST_ADJUSTED_SCALE: Final = 6


@dataclass(frozen=True)
class SparkType:
    """A type by its JSON name; a decimal with its precision and scale, a struct with the types of its fields.

    The fields of a struct have `names` where it is never NULL itself, so that it can be made one value.
    `whole` types are those whose values are known by their equality alone: arrays, maps, binary values, and structs in
    columns of tables, whose fields are `parts`. Texts stand for them. `unknown` types have not even that, such as texts
    with a collation: their columns may be there, and nobody may read them.
    """

    name: str
    precision: int = 0
    scale: int = 0
    fields: tuple[SparkType, ...] = ()
    parts: tuple[SparkType, ...] = ()
    kind: Literal["", "whole", "unknown"] = ""
    names: tuple[str, ...] = field(default=(), compare=False)

    @property
    def core(self) -> SqlType:
        """The type of the core whose values stand for the values of this type."""
        return TEXT if self.kind else _CORE[self.name]

    @property
    def is_integral(self) -> bool:
        """Whether the type is one of whole numbers that are no decimals."""
        return self.name in _INTEGRAL

    @property
    def is_float(self) -> bool:
        """Whether the values are floating-point numbers."""
        return self.name in ("double", "float")

    @property
    def as_decimal(self) -> SparkType:
        """The decimal type with all values of an integral type; a decimal is its own."""
        return self if self.name == "decimal" else decimal(_INTEGRAL[self.name], 0)

    @property
    def range(self) -> Range | None:
        """The numbers of a type of integers, the units of a decimal; None for others."""
        if self.name == "decimal":
            return Range(0, 1 - 10**self.precision, 10**self.precision - 1)
        bits = {"byte": 7, "short": 15, "integer": 31, "long": 63}.get(self.name)
        return None if bits is None else Range(0, -(2**bits), 2**bits - 1)

    def __str__(self) -> str:
        if self.name == "decimal":
            return f"decimal({self.precision},{self.scale})"
        return f"struct<{', '.join(map(str, self.fields))}>" if self.fields else self.name

    @property
    def ddl(self) -> str:
        """The type as DDL writes it: of a struct, as one value."""
        if self.names:
            named = (f"{_quoted(name)}:{each.ddl}" for name, each in zip(self.names, self.fields, strict=True))
            return f"struct<{','.join(named)}>"
        return str(self) if self.name == "decimal" else _ddl(self.name)


_INTEGRAL: Final = {"byte": 3, "short": 5, "integer": 10, "long": 20}
"""The digits of the decimal type that Spark takes an integral type for."""
_YEAR_MONTH: Final = ("interval year", "interval month", "interval year to month")
_UNITS: Final = ("day", "hour", "minute", "second")
_DAY_TIME: Final = tuple(
    f"interval {first}" if first == last else f"interval {first} to {last}"
    for index, first in enumerate(_UNITS)
    for last in _UNITS[index:]
)
_CORE: Final[dict[str, SqlType]] = {
    **dict.fromkeys(_INTEGRAL, INTEGER),
    "decimal": INTEGER,
    "double": DECIMAL,
    "float": DECIMAL,
    "boolean": BOOLEAN,
    "string": TEXT,
    "date": DATE,
    "timestamp": TIMESTAMP,
    "timestamp_ntz": TIMESTAMP,
    "void": INTEGER,
    **dict.fromkeys(_YEAR_MONTH, MONTHS),
    **dict.fromkeys(_DAY_TIME, MICROSECONDS),
}

BOOL = SparkType("boolean")
INT = SparkType("integer")
LONG = SparkType("long")
DOUBLE = SparkType("double")
STRING = SparkType("string")
DAY = SparkType("date")
VOID = SparkType("void")


def spark_type(json: Any) -> SparkType | None:
    """The type that `DataType.jsonValue` writes; None if it is not understood."""
    if isinstance(json, dict) and json.get("type") == "struct":
        fields = [spark_type(field.get("type")) for field in json.get("fields", ())]
        return None if None in fields else SparkType("struct", fields=tuple(field for field in fields if field))
    if _is_whole(json):
        return column_type(json)
    if not isinstance(json, str):
        return None
    if found := re.fullmatch(r"decimal\((\d+),(\d+)\)", json):
        return decimal(int(found[1]), int(found[2]))
    return SparkType(json) if json in _CORE and json != "decimal" else None


def column_type(json: Any) -> SparkType:
    """The type of a column of a table: a struct is one value, and any other type may be there unread."""
    if "collat" in dumps(json).lower():  # texts in it are equal that are not the same
        return SparkType(_ddl(json), kind="unknown")
    if _is_whole(json) or (isinstance(json, dict) and json.get("type") == "struct"):
        fields = json.get("fields", ()) if isinstance(json, dict) else ()
        parts = tuple(column_type(each.get("type")) for each in fields)
        return SparkType(_ddl(json), parts=parts, kind="whole")
    found = spark_type(json)
    return SparkType(_ddl(json), kind="unknown") if found is None else found


WHOLE: Final = ("time(", "timestamp_ltz(", "timestamp_ntz(", "geometry(", "geography(")
"""How the names of types begin that have digits or places, and of which nothing but equality is known."""


def _is_whole(json: Any) -> bool:
    if isinstance(json, dict):
        return json.get("type") in ("array", "map")
    return json in ("binary", "variant", "interval") or str(json).startswith(WHOLE)


def _quoted(name: str) -> str:
    """The name of a field as DDL writes it."""
    return f"`{name.replace('`', '``')}`"


def _ddl(json: Any) -> str:
    """A type as DDL writes it, without what may be NULL in it."""
    if not isinstance(json, dict):
        return {"long": "bigint", "integer": "int", "short": "smallint", "byte": "tinyint"}.get(json, str(json))
    match json.get("type"):
        case "array":
            return f"array<{_ddl(json.get('elementType'))}>"
        case "map":
            return f"map<{_ddl(json.get('keyType'))},{_ddl(json.get('valueType'))}>"
        case "struct":
            named = ((_quoted(str(each.get("name"))), _ddl(each.get("type"))) for each in json.get("fields", ()))
            fields = ",".join(map(":".join, named))
            return f"struct<{fields}>"
        case other:
            return str(other)


def decimal(precision: int, scale: int) -> SparkType:
    """A decimal type."""
    return SparkType("decimal", precision, scale)


def bounded(precision: int, scale: int) -> SparkType:
    """A decimal type, cut to 38 digits."""
    return decimal(min(precision, LARGEST_PRECISION), min(scale, LARGEST_PRECISION))


def adjusted(precision: int, scale: int, precision_loss: bool) -> SparkType:
    """The type of an arithmetic result that needs so many digits (Spark's `DecimalType.adjustPrecisionScale`).

    Digits before the point are kept, and at least six behind it if there are as many.
    """
    if not precision_loss:
        return bounded(precision, scale)
    if precision <= LARGEST_PRECISION:
        return decimal(precision, scale)
    smallest = min(scale, SMALLEST_ADJUSTED_SCALE)
    return decimal(LARGEST_PRECISION, max(LARGEST_PRECISION - (precision - scale), smallest))


def decimal_result(operator: str, left: SparkType, right: SparkType, precision_loss: bool) -> SparkType:
    """The type of `left operator right` of two decimals."""
    p1, s1, p2, s2 = left.precision, left.scale, right.precision, right.scale
    whole, scale = max(p1 - s1, p2 - s2), max(s1, s2)
    match operator:
        case "+" | "-":
            return adjusted(whole + scale + 1, scale, precision_loss)
        case "*":
            return adjusted(p1 + p2 + 1, s1 + s2, precision_loss)
        case "%":
            return adjusted(min(p1 - s1, p2 - s2) + scale, scale, precision_loss)
        case "/" if precision_loss:
            digits = max(SMALLEST_ADJUSTED_SCALE, s1 + p2 + 1)
            return adjusted(p1 - s1 + s2 + digits, digits, precision_loss)
        case "/":
            before, behind = min(LARGEST_PRECISION, p1 - s1 + s2), min(LARGEST_PRECISION, max(6, s1 + p2 + 1))
            too_many = before + behind - LARGEST_PRECISION
            if too_many > 0:
                behind -= too_many // 2 + 1
                before = LARGEST_PRECISION - behind
            return decimal(before + behind, behind)
    raise ValueError(f"{operator} is no operator on decimals")


def core_value(text: str | None, type_: SparkType) -> SqlValue:
    """The value that a text in a plan stands for, as a value of the core. Raises ValueError if it is none."""
    if text is None:
        return None
    try:
        return _core_value(text, type_)
    except (ArithmeticError, KeyError) as error:
        raise ValueError(f"{text!r} is no {type_}") from error


def _core_value(text: str, type_: SparkType) -> SqlValue:
    match type_.core:
        case SqlType.BOOLEAN:
            return {"true": True, "false": False}[text]
        case SqlType.INTEGER:
            units = Fraction(text) * 10**type_.scale
            if units.denominator != 1:
                raise ValueError(f"{text!r} is no {type_}")
            return int(units)
        case SqlType.DECIMAL:
            return Fraction(text)
        case SqlType.TEXT:
            return text
        case SqlType.DATE | SqlType.TIMESTAMP if re.fullmatch(r"-?\d+", text):
            return int(text)
        case SqlType.DATE:
            return (date.fromisoformat(text) - _DAY_0).days
        case SqlType.TIMESTAMP:
            return (datetime.fromisoformat(text) - _MOMENT_0) // timedelta(microseconds=1)
        case SqlType.MONTHS | SqlType.MICROSECONDS:
            return int(text)


_DAY_0: Final = date(1970, 1, 1)
_MOMENT_0: Final = datetime(1970, 1, 1)


def spark_value(value: SqlValue, type_: SparkType) -> Any:
    """A value of the core as Python's value of a Spark type: decimals as Decimal, doubles as float."""
    if value is None:
        return None
    match type_.core:
        case SqlType.INTEGER if type_.name == "decimal":
            units = int(value)
            return Decimal((int(units < 0), tuple(int(digit) for digit in str(abs(units))), -type_.scale))
        case SqlType.DECIMAL:
            return float(value)
        case SqlType.DATE:
            return _DAY_0 + timedelta(days=int(value))
        case SqlType.TIMESTAMP:
            return _MOMENT_0 + timedelta(microseconds=int(value))
        case _:
            return value
