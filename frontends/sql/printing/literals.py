"""Types, constants and names in the words of an engine."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal as Choice
from typing import assert_never

from tallystick.core.errors import FragmentError
from tallystick.core.queries.types import (
    DECIMAL,
    SqlType,
    SqlValue,
)
from tallystick.frontends.calendar import day_text, moment_text

Dialect = Choice["duckdb", "spark"]
"""The engines that queries are printed for."""


def type_text(type_: SqlType, dialect: Dialect) -> str:
    """What a dialect calls the type. Decimals get six digits after the point."""
    match type_:
        case SqlType.BOOLEAN:
            return "BOOLEAN"
        case SqlType.INTEGER:
            return "BIGINT"
        case SqlType.DECIMAL:
            return "DECIMAL(18, 6)"
        case SqlType.TEXT | SqlType.OPAQUE:  # of the latter, NULL alone has a text
            return "VARCHAR" if dialect == "duckdb" else "STRING"
        case SqlType.DATE:
            return "DATE"
        case SqlType.TIMESTAMP:
            return "TIMESTAMP" if dialect == "duckdb" else "TIMESTAMP_NTZ"
        case SqlType.MONTHS:
            return "INTERVAL" if dialect == "duckdb" else "INTERVAL MONTH"
        case SqlType.MICROSECONDS:
            return "INTERVAL" if dialect == "duckdb" else "INTERVAL DAY TO SECOND"
        case SqlType.REAL:
            return "FLOAT"
        case SqlType.DOUBLE:
            return "DOUBLE"
        case _:
            assert_never(type_)


def value_text(value: SqlValue, type_: SqlType, dialect: Dialect) -> str:
    """A constant. Raises FragmentError for an OPAQUE one, and a decimal that has no six digits after the point."""
    if value is None:
        return f"CAST(NULL AS {type_text(type_, dialect)})"
    match type_:
        case SqlType.BOOLEAN:
            return str(value).upper()
        case SqlType.INTEGER:
            return f"CAST({value} AS BIGINT)"
        case SqlType.REAL | SqlType.DOUBLE:
            return f"CAST({value} AS {type_text(type_, dialect)})"
        case SqlType.OPAQUE:
            raise FragmentError("a value that is known by its order alone has no text")
        case SqlType.DECIMAL:
            return f"CAST('{decimal_text(Fraction(value))}' AS {type_text(DECIMAL, dialect)})"
        case SqlType.TEXT:
            return quoted(str(value), dialect)
        case SqlType.DATE:
            return f"DATE '{day_text(int(value))}'"
        case SqlType.TIMESTAMP:
            return f"{'TIMESTAMP' if dialect == 'duckdb' else 'TIMESTAMP_NTZ'} '{moment_text(int(value))}'"
        case SqlType.MONTHS:
            return f"INTERVAL '{value}' MONTH"
        case SqlType.MICROSECONDS:
            return f"INTERVAL '{decimal_text(Fraction(int(value), 1_000_000))}' SECOND"
        case _:
            assert_never(type_)


def quoted(text: str, dialect: Dialect) -> str:
    """A text as a literal."""
    if dialect == "spark":
        escaped = text.replace("\\", "\\\\").replace("'", "\\'")
        return f"'{escaped}'"
    return "'" + text.replace("'", "''") + "'"


def decimal_text(number: Fraction) -> str:
    """The number with at most six digits after the point. Raises FragmentError if that is not exact."""
    scaled = number * 1_000_000
    if scaled.denominator != 1:
        raise FragmentError(f"{number} is no decimal with six digits after the point")
    whole, part = divmod(abs(scaled.numerator), 1_000_000)
    return f"{'-' if number < 0 else ''}{whole}" + (f".{part:06}".rstrip("0") if part else "")


def name_text(name: str, dialect: Dialect) -> str:
    """A name, quoted."""
    quote = '"' if dialect == "duckdb" else "`"
    return f"{quote}{name.replace(quote, 2 * quote)}{quote}"
