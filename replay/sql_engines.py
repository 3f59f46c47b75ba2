"""Queries run on real engines: DuckDB in this process, or a Spark session; on one database, or on many.

The database and the queries are texts in the dialect of the engine. What comes back is turned into the values of the
reference interpreter; decimals are rounded, since engines divide and average with few digits or with floats.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from math import isfinite
from threading import Timer
from typing import TYPE_CHECKING, Any

from tallystick.core.errors import TallystickError
from tallystick.core.queries.interpreter.outcomes import Outcome
from tallystick.core.queries.types import DATE, DECIMAL, MICROSECONDS, TIMESTAMP, RowType, SqlRow, SqlType, SqlValue

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

DIGITS = 4
"""Digits after the point that decimals are compared by."""


class EngineError(TallystickError, RuntimeError):
    """An engine is not installed, or refuses or fails to run a text; the message is the engine's."""


Rows = list[tuple[Any, ...]]
Result = Rows | EngineError
"""What a query gave: rows as the engine's Python has them, or why there are none."""


@dataclass(frozen=True)
class Ran:
    """What queries gave on databases.

    Attributes:
        engine: its name and version.
        results: for each database that there was time for, and each query, rows or why there are none.
    """

    engine: str
    results: tuple[tuple[Result, ...], ...]


def on_databases(
    run: Callable[[str], Result],
    databases: Sequence[Sequence[str]],
    queries: Sequence[Sequence[str]],
    seconds: float,
) -> Iterator[tuple[Result, ...]]:
    """What queries give on databases, for each of which they are given, until the time is over. The text of a database
    is what fills its tables."""
    deadline = time.monotonic() + seconds
    for statements, texts in zip(databases, queries, strict=True):
        filled = next((each for each in map(run, statements) if isinstance(each, EngineError)), None)
        results = tuple(run(text) if filled is None else filled for text in texts)
        if time.monotonic() > deadline:
            return
        yield results


def on_duckdb(setup: Sequence[str], queries: Sequence[str]) -> list[Rows]:
    """The rows that DuckDB returns for each query on a database made by the setup. Raises EngineError."""
    [results] = databases_on_duckdb(setup, [()], [queries]).results
    return [_rows(each) for each in results]


def databases_on_duckdb(
    setup: Sequence[str],
    databases: Sequence[Sequence[str]],
    queries: Sequence[Sequence[str]],
    seconds: float = float("inf"),
) -> Ran:
    """What DuckDB returns for the queries of each database, which are filled one after the other.

    Raises EngineError if it is not there, or fails at the setup.
    """
    try:
        import duckdb
    except ImportError as error:
        raise EngineError("DuckDB is not installed") from error

    def run(text: str) -> Result:
        try:
            return connection.execute(text).fetchall()
        except (duckdb.Error, OverflowError, ValueError) as error:  # the latter are values that Python lacks
            return EngineError(str(error))

    with duckdb.connect() as connection, _interrupted(connection.interrupt, seconds):
        for text in setup:
            _rows(run(text))
        return Ran(f"DuckDB {duckdb.__version__}", tuple(on_databases(run, databases, queries, seconds)))


@contextmanager
def _interrupted(interrupt: Callable[[], None], seconds: float) -> Iterator[None]:
    """Interrupts what runs in its block after some time."""
    if seconds == float("inf"):
        yield
        return
    timer = Timer(seconds, interrupt)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def on_spark(session: SparkSession, setup: Sequence[str], queries: Sequence[str]) -> list[Rows]:
    """The rows that Spark returns for each query after the setup. Raises EngineError."""
    [results] = databases_on_spark(session, setup, [()], [queries]).results
    return [_rows(each) for each in results]


def databases_on_spark(
    session: SparkSession,
    setup: Sequence[str],
    databases: Sequence[Sequence[str]],
    queries: Sequence[Sequence[str]],
    seconds: float = float("inf"),
) -> Ran:
    """What Spark returns for the queries of each database. Raises EngineError if it fails at the setup."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    def run(text: str) -> Result:
        try:
            return [tuple(row) for row in session.sql(text).collect()]
        except (PySparkException, Py4JError, OverflowError, ValueError) as error:
            return EngineError(str(error))

    for text in setup:
        _rows(run(text))
    return Ran(f"Spark {session.version}", tuple(on_databases(run, databases, queries, seconds)))


def _rows(result: Result) -> Rows:
    if isinstance(result, EngineError):
        raise result
    return result


def agrees(outcome: Outcome, rows: Sequence[Sequence[Any]], columns: RowType) -> bool:
    """Whether an engine's rows are a result that the interpreter permits, with decimals rounded."""
    expected = tuple(tuple(rounded(row) for row in group) for group in outcome.groups)
    return Outcome(expected).is_list([as_row(row, columns) for row in rows])


def as_row(row: Sequence[Any], columns: RowType) -> SqlRow:
    """An engine's row as values of the columns' types, rounded."""
    return rounded(tuple(as_value(value, column.type) for value, column in zip(row, columns, strict=True)))


def as_value(value: Any, type_: SqlType) -> SqlValue:
    """An engine's value as a value of a type; a number, day or moment of another type is no value of this one.

    Raises EngineError if it is a value of other kinds.
    """
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, date) and type_ != (TIMESTAMP if isinstance(value, datetime) else DATE):
        return str(value)
    if isinstance(value, datetime):
        return ((value.astimezone(UTC).replace(tzinfo=None) if value.tzinfo else value) - datetime(1970, 1, 1)) // _UNIT
    if isinstance(value, date):
        return (value - date(1970, 1, 1)).days
    if isinstance(value, timedelta) and type_ == MICROSECONDS:
        return value // _UNIT
    if isinstance(value, float | Decimal) and not isfinite(value):
        raise EngineError(f"{value} is no exact number")
    if isinstance(value, int | float | Decimal):
        number = Fraction(value)
        return number if type_ == DECIMAL or number.denominator != 1 else int(number)
    raise EngineError(f"{value!r} is no value of type {type_}")


_UNIT = timedelta(microseconds=1)


def rounded(row: SqlRow) -> SqlRow:
    """The row with decimals of few digits."""
    return tuple(round(value, DIGITS) if isinstance(value, Fraction) else value for value in row)
