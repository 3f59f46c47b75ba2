"""Queries run on real engines: DuckDB in this process, or a Spark session.

The database and the queries are texts in the dialect of the engine. What comes back is turned into the values of the
reference interpreter; decimals are rounded, since engines divide and average with few digits or with floats.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from math import isfinite
from typing import TYPE_CHECKING, Any

from tallystick.core.errors import TallystickError
from tallystick.core.queries.interpreter.outcomes import Outcome
from tallystick.core.queries.types import DECIMAL, INTEGER, RowType, SqlRow, SqlType, SqlValue

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

DIGITS = 4
"""Digits after the point that decimals are compared by."""


class EngineError(TallystickError, RuntimeError):
    """An engine is not installed, or refuses or fails to run a text; the message is the engine's."""


def on_duckdb(setup: Sequence[str], queries: Sequence[str]) -> list[list[tuple[Any, ...]]]:
    """The rows that DuckDB returns for each query on a database made by the setup. Raises EngineError."""
    try:
        import duckdb
    except ImportError as error:
        raise EngineError("DuckDB is not installed") from error
    with duckdb.connect() as connection:
        try:
            for text in setup:
                connection.execute(text)
            return [connection.execute(text).fetchall() for text in queries]
        except duckdb.Error as error:
            raise EngineError(str(error)) from error


def on_spark(session: SparkSession, setup: Sequence[str], queries: Sequence[str]) -> list[list[tuple[Any, ...]]]:
    """The rows that Spark returns for each query after the setup. Raises EngineError."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        for text in setup:
            session.sql(text)
        return [[tuple(row) for row in session.sql(text).collect()] for text in queries]
    except (PySparkException, Py4JError) as error:
        raise EngineError(str(error)) from error


def agrees(outcome: Outcome, rows: Sequence[Sequence[Any]], columns: RowType) -> bool:
    """Whether an engine's rows are a result that the interpreter permits, with decimals rounded."""
    expected = tuple(tuple(rounded(row) for row in group) for group in outcome.groups)
    return Outcome(expected).is_list([as_row(row, columns) for row in rows])


def as_row(row: Sequence[Any], columns: RowType) -> SqlRow:
    """An engine's row as values of the columns' types, rounded."""
    return rounded(tuple(as_value(value, column.type) for value, column in zip(row, columns, strict=True)))


def as_value(value: Any, type_: SqlType) -> SqlValue:
    """An engine's value as a value of a type. Raises EngineError if it is none."""
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, datetime):
        return (value - datetime(1970, 1, 1)) // timedelta(microseconds=1)
    if isinstance(value, date):
        return (value - date(1970, 1, 1)).days
    if isinstance(value, float | Decimal) and not isfinite(value):
        raise EngineError(f"{value} is no exact number")
    if isinstance(value, int | float | Decimal) and type_ in (INTEGER, DECIMAL):
        number = Fraction(value)
        if type_ == DECIMAL or number.denominator == 1:
            return number if type_ == DECIMAL else int(number)
    if isinstance(value, int):
        return value
    raise EngineError(f"{value!r} is no value of type {type_}")


def rounded(row: SqlRow) -> SqlRow:
    """The row with decimals of few digits."""
    return tuple(round(value, DIGITS) if isinstance(value, Fraction) else value for value in row)
