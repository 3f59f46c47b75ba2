"""The types of one dialect in another: the table by which a schema moves.

A type has a counterpart if the values of both are the same ones: integers, decimals, texts, days, moments without a
time zone, truth values, and floating-point numbers of as many bits. Where the counterpart has less room, claims are
about values for which both have room. Other types have none: moments that are shown in a zone (the session's, of which
two engines have two), texts that are padded (the LENGTH of a `CHAR(3)` is 3 here and 1 there), intervals, arrays,
documents, and a BOOLEAN where truth values are numbers.
"""

from __future__ import annotations

from math import ceil, floor
from typing import Final

from tallystick.core.queries.ranges import Range
from tallystick.core.queries.types import BOOLEAN, DATE, DECIMAL, DOUBLE, FLOATS, INTEGER, REAL, TEXT, TIMESTAMP
from tallystick.frontends.sql.dialects import DIALECTS, Dialect
from tallystick.frontends.sql.schema import by_order
from tallystick.frontends.sql.schema_json import parsed_type
from tallystick.frontends.sql.type_names import TypeName

_WIDTHS: Final = "SMALLINT:16 INT:32 BIGINT:64"
_INTEGERS: Final = {
    "spark": f"TINYINT:8 {_WIDTHS}",
    "databricks": f"TINYINT:8 {_WIDTHS}",
    "postgres": _WIDTHS,
    "mysql": f"TINYINT:8 {_WIDTHS}",
    "duckdb": f"TINYINT:8 {_WIDTHS} HUGEINT:128",
    "bigquery": "INT64:64",
    "snowflake": "INT:128",
    "calcite": f"TINYINT:8 {_WIDTHS}",
}
"""The types of integers, from narrow to wide, with their bits."""
_NAMES: Final = {
    "spark": ("STRING", "TIMESTAMP", "DOUBLE", "FLOAT"),
    "databricks": ("STRING", "TIMESTAMP", "DOUBLE", "FLOAT"),
    "postgres": ("TEXT", "TIMESTAMP", "DOUBLE PRECISION", "REAL"),
    "mysql": ("TEXT", "DATETIME(6)", "DOUBLE", ""),
    "duckdb": ("VARCHAR", "TIMESTAMP", "DOUBLE", "REAL"),
    "bigquery": ("STRING", "DATETIME", "FLOAT64", ""),
    "snowflake": ("VARCHAR", "TIMESTAMP_NTZ", "DOUBLE", ""),
    "calcite": ("VARCHAR", "TIMESTAMP(6)", "DOUBLE", ""),
}
"""Texts of any length, moments of six digits, and floating-point numbers of 64 and 32 bits; "" where there are none."""
_MOST_DIGITS: Final = {"postgres": 1000, "mysql": 65, "bigquery": 38}
"""Digits of a decimal, where these are not 38."""
_ANY_DECIMAL: Final = "DECIMAL(38, 18)"
"""The counterpart of decimals with room for all numbers, where there is none."""
_ZONED: Final = frozenset({"TIMESTAMPTZ", "TIMESTAMPLTZ"})
EXAMPLES: Final = (
    *("BOOLEAN", "SMALLINT", "INT", "BIGINT", "DECIMAL(10, 2)", "REAL", "DOUBLE PRECISION"),
    *("VARCHAR(20)", "CHAR(3)", "TEXT", "DATE", "TIMESTAMP", "TIMESTAMP WITH TIME ZONE"),
)
"""Types of PostgreSQL that the documentation shows the counterparts of."""


def counterpart(declared: TypeName, to: Dialect) -> TypeName | None:
    """The type in another dialect that a declared type becomes; None if no type there has the same values."""
    if declared.zoned or declared.kind in _ZONED or declared.padded:
        return None
    text = written(declared, to)
    found = None if text is None else parsed_type(text, to)
    if found is not None and declared.type in FLOATS:
        found = TypeName(by_order(found) or found.type)
    same = found is not None and found.type == declared.type and found.floating == declared.floating
    return found if same else None


def written(declared: TypeName, dialect: Dialect) -> str | None:
    """A declared type in the words of a dialect, the narrowest that has room for it; None if there is none."""
    if dialect.name not in _NAMES:
        return None
    text, moment, double, single = _NAMES[dialect.name]
    if declared.floating or declared.type in FLOATS:
        wide = declared.type == DOUBLE or declared.double
        return (double if wide else single if declared.double is False or declared.type == REAL else "") or None
    match declared.type:
        case t if t == BOOLEAN:
            return "BOOLEAN"
        case t if t == DATE:
            return "DATE"
        case t if t == TIMESTAMP:
            return moment
        case t if t == INTEGER:
            return _integer(declared, dialect)
        case t if t == DECIMAL:
            return _decimal(declared, dialect)
        case t if t == TEXT:
            return _text(declared, dialect, text)
        case _:
            return None


def _integer(declared: TypeName, dialect: Dialect) -> str:
    names = [each.split(":") for each in _INTEGERS[dialect.name].split()]
    if declared.least is not None and declared.greatest is not None:
        for name, bits in names:
            half = 2 ** (int(bits) - 1)
            if -half <= declared.least and declared.greatest < half:
                return name
    return names[-1][0]


def _decimal(declared: TypeName, dialect: Dialect) -> str | None:
    if declared.greatest is None:
        return "NUMERIC" if dialect.decimal is None else _ANY_DECIMAL
    digits = max(len(str(declared.greatest)), declared.scale or 0)
    if digits > _MOST_DIGITS.get(dialect.name, 38):
        return None
    return f"DECIMAL({digits}, {declared.scale or 0})"


def _text(declared: TypeName, dialect: Dialect, unbounded: str) -> str:
    if declared.length is None:
        return unbounded
    if dialect.name == "bigquery":
        return f"STRING({declared.length})"
    return f"{'CHAR' if declared.padded else 'VARCHAR'}({declared.length})"


def common_range(one: Range | None, other: Range | None) -> Range | None:
    """The values of a type for which two declared types have room; None for all of them."""
    if one is None or other is None:
        return one or other
    if one.scale is None or other.scale is None:
        return Range(length=min(each.length for each in (one, other) if each.length is not None))
    coarse = one if one.scale <= other.scale else other
    least = [each.least * each.unit for each in (one, other) if each.least is not None]
    greatest = [each.greatest * each.unit for each in (one, other) if each.greatest is not None]
    return Range(
        coarse.scale,
        ceil(max(least) / coarse.unit) if least else None,
        floor(min(greatest) / coarse.unit) if greatest else None,
    )


def examples(source: Dialect = DIALECTS["postgres"]) -> dict[str, dict[str, str]]:
    """What becomes of some types of a dialect in each dialect, "" where nothing does."""
    found: dict[str, dict[str, str]] = {}
    for text in EXAMPLES:
        declared = parsed_type(text, source)
        assert declared is not None
        found[text] = {
            name: (written(declared, to) or "") if counterpart(declared, to) is not None else ""
            for name, to in DIALECTS.items()
        }
    return found
