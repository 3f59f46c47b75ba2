"""Functions that migrations take for the same in all dialects return the same on all engines, on hard values."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from math import isfinite
from typing import Any, Final

import pytest
from tallystick.core.queries.expressions import CHOICE, Function
from tallystick.core.queries.traversal import nodes
from tallystick.frontends.sql.dialects import dialect_named
from tallystick.frontends.sql.migration.functions import SHARED, in_own_names
from tallystick.frontends.sql.reader import read_schema, read_unverified
from tallystick.frontends.sql.source import SqlText

from conformance.engines import Engine, FailedError, RejectedError

pytestmark = pytest.mark.xdist_group("conformance")
ENGINES: Final = ("duckdb", "postgres", "mysql", "spark")
TEXTS: Final = (
    *("", " ", "a", " a b ", "ab%c_d", "a\\b", "É", "e\u0301x", "😀a", "straße", "ŉ", "\u00a0x\u3000", "\tx\n", "aaaa"),
    *("İi", "a'b", "ﬀ", "ß", "a\u200bb"),
)
NUMBERS: Final = (0, 1, -1, 7, -7, 255, 2**31 - 1, -(2**31), 2**53 + 1, -(2**53) - 1, 10**17 + 1)
DECIMALS: Final = [
    "0.0000",
    "0.5000",
    "-0.5000",
    "1.5000",
    "2.5000",
    "-2.5000",
    "0.0050",
    "-0.0050",
    "99999999.9999",
    "-99999999.9999",
    "0.4999",
    "0.0001",
    "12.3450",
]
DAYS: Final = (
    *("2000-01-31", "2000-02-29", "1999-12-31", "1970-01-01", "1969-12-31", "1900-02-28", "2100-02-28", "1000-01-01"),
    *("9000-12-31", "2024-12-30"),
)
MOMENTS: Final = (
    *("2000-01-31 23:59:59.999999", "1969-12-31 23:59:59.999999", "1970-01-01 00:00:00", "1900-02-28 12:30:15.5"),
    *("2000-02-29 00:00:00.000001", "2024-12-30 23:30:59", "1582-10-15 01:02:03", "1000-01-01 10:00:00"),
)
DOUBLES: Final = ("0.1", "1e300", "-1e300", "1e-300", "9007199254740993", "1.5", "-2.5", "100000000000000001", "0")
NOT_FINITE: Final = ("NaN", "Infinity", "-Infinity")
"""Floating-point numbers that MariaDB has none of; there they are NULL."""
ROWS: Final = max(map(len, (TEXTS, NUMBERS, DECIMALS, DAYS, MOMENTS, (*DOUBLES, *NOT_FINITE))))
SCHEMA: Final = {
    "duckdb": "id INT, i BIGINT, x DECIMAL(14, 4), s VARCHAR, d DATE, m TIMESTAMP, r DOUBLE",
    "postgres": "id INT, i BIGINT, x DECIMAL(14, 4), s TEXT, d DATE, m TIMESTAMP, r DOUBLE PRECISION",
    "mysql": "id INT, i BIGINT, x DECIMAL(14, 4), s VARCHAR(50), d DATE, m DATETIME(6), r DOUBLE",
    "spark": "id INT, i BIGINT, x DECIMAL(14, 4), s STRING, d DATE, m TIMESTAMP, r DOUBLE",
}
CALLS: Final[dict[str, str | dict[str, str]]] = {
    "||": "CONCAT(s, 'é', s)",
    "LENGTH": {"": "LENGTH(s)", "mysql": "CHAR_LENGTH(s)"},
    "MD5": "MD5(s)",
    "LIKE": "s LIKE '%a_%'",
    "SUBSTRING": "SUBSTRING(s, 2, 2)",
    "RIGHT": "RIGHT(s, 2)",
    "REPLACE": "REPLACE(s, 'a', 'xé')",
    "POSITION": "POSITION('a' IN s)",
    "STARTSWITH": {"duckdb": "STARTS_WITH(s, 'a')", "postgres": "STARTS_WITH(s, 'a')", "spark": "STARTSWITH(s, 'a')"},
    "CONTAINS": {"spark": "CONTAINS(s, 'a')", "duckdb": "CONTAINS(s, 'a')"},
    "CEIL": "CEIL(x)",
    "FLOOR": "FLOOR(x)",
    "ROUND": "ROUND(x, 2)",
    "cast decimal as integer": {
        "": "CAST(x AS BIGINT)",
        "mysql": "CAST(x AS SIGNED)",
        "spark": "",
    },
    "round to scale 2": "CAST(x AS DECIMAL(12, 2))",
    "cast integer as text": {
        "": "CAST(i AS VARCHAR(30))",
        "mysql": "CAST(i AS CHAR(30))",
        "spark": "CAST(i AS STRING)",
    },
    "&": {"": "i & 12", "mysql": ""},
    "|": {"": "i | 12", "mysql": ""},
    "^": {"duckdb": "xor(i, 12)", "postgres": "i # 12", "spark": "i ^ 12"},
    "YEAR": "EXTRACT(YEAR FROM m)",
    "QUARTER": "EXTRACT(QUARTER FROM m)",
    "MONTH": "EXTRACT(MONTH FROM d)",
    "DAY": "EXTRACT(DAY FROM m)",
    "DAYOFYEAR": {"duckdb": "EXTRACT(DOY FROM d)", "postgres": "EXTRACT(DOY FROM d)", "": "DAYOFYEAR(d)"},
    "HOUR": "EXTRACT(HOUR FROM m)",
    "MINUTE": "EXTRACT(MINUTE FROM m)",
    **{
        f"DATE_TRUNC {unit}": {"": f"DATE_TRUNC('{unit}', m)", "mysql": ""}
        for unit in ("YEAR", "QUARTER", "MONTH", "DAY", "HOUR", "MINUTE")
    },
    "add months": "m + INTERVAL '13' MONTH",
    "LAST_DAY": {"": "LAST_DAY(d)", "postgres": ""},
    "cast timestamp as date": "CAST(m AS DATE)",
    "- double": "-r",
    "ABS of double": "ABS(r)",
    "double = integer": "r = 9007199254740993",
    "double < integer": "r < 100000000000000001",
    "double <= integer": "r <= i",
    "double > integer": "r > i",
    "double >= integer": "r >= 100000000000000001",
    "double = decimal": "r = 0.1",
    "double < decimal": "r < 0.1",
    "double <= decimal": "r <= 1.5",
    "double > decimal": "r > -2.5",
    "double >= decimal": "r >= 0.1",
    "double + double": "r + r",
    "double - double": "r - r",
    "double + integer": "r + i",
    "double - integer": "r - i",
    "double * integer": "r * 3",
    "integer + double": "i + r",
    "integer - double": "i - r",
    "integer * double": "3 * r",
    "double + decimal": "r + 0.1",
    "double - decimal": "r - 0.1",
    "double * decimal": "r * 0.1",
    "decimal + double": "0.1 + r",
    "decimal - double": "0.1 - r",
    "decimal * double": "0.1 * r",
}
"""Texts in which dialects have the functions; "" is the text of dialects that are not named."""
NOT_ASKED: Final = {
    CHOICE: "is constant",
    "nearest integer": "no dialect but MySQL reads it",
    "- real": "as of DOUBLE",
    "ABS of real": "as of DOUBLE",
    "double * double": "overflows on the values",
    **dict.fromkeys((f"double {each} double" for each in ("=", "<", "<=", ">", ">=")), "is a comparison of the core"),
    **{
        f"{each} {sign} double": "is written the other way round"
        for each in ("integer", "decimal")
        for sign in ("=", "<", "<=", ">", ">=")
    },
    **{f"round to scale {digits}": "as of two digits" for digits in range(10) if digits != 2},
}


def text_of(name: str, dialect: str) -> str:
    """The text of a call in a dialect; "" if there is none."""
    call = CALLS[name]
    return call if isinstance(call, str) else call.get(dialect, call.get("", ""))


def rows_of(dialect: str) -> list[tuple[str, ...]]:
    """The rows, as constants of a dialect."""

    def text(value: str) -> str:
        if dialect in ("mysql", "spark"):
            value = value.replace("\\", "\\\\")
        return "'" + (value.replace("'", "\\'") if dialect == "spark" else value.replace("'", "''")) + "'"

    def at(values: tuple[Any, ...], index: int) -> Any:
        return values[index % len(values)]

    def double(value: str) -> str:
        if value in NOT_FINITE and dialect == "mysql":
            return "NULL"
        return f"CAST('{value}' AS {'DOUBLE PRECISION' if dialect == 'postgres' else 'DOUBLE'})"

    return [
        (
            str(index),
            str(at(NUMBERS, index)),
            at(DECIMALS, index),
            text(at(TEXTS, index)),
            f"DATE '{at(DAYS, index)}'",
            f"TIMESTAMP '{at(MOMENTS, index)}'",
            double(at((*DOUBLES, *NOT_FINITE), index)),
        )
        for index in range(ROWS)
    ]


def load(engine: Engine) -> None:
    """Makes the table `hard`."""
    columns = SCHEMA[engine.name]
    rows = [f"({', '.join(row)})" for row in rows_of(engine.name)]
    if engine.name == "spark":
        casts = ", ".join(f"CAST({name} AS {kind}) AS {name}" for name, kind in _columns(columns))
        names = ", ".join(name for name, _ in _columns(columns))
        engine.run(
            f"CREATE OR REPLACE TEMPORARY VIEW hard AS SELECT {casts} FROM VALUES {', '.join(rows)} AS v({names})"
        )
        return
    engine.run("DROP TABLE IF EXISTS hard")
    engine.run(f"CREATE TABLE hard ({columns})")
    engine.run(f"INSERT INTO hard VALUES {', '.join(rows)}")


def _columns(columns: str) -> list[tuple[str, str]]:
    kinds = columns.replace("DECIMAL(14, 4)", "DECIMAL(14;4)").split(", ")
    return [(name, kind.replace(";", ", ")) for name, _, kind in (each.partition(" ") for each in kinds)]


def value_of(value: Any) -> Any:
    """A value as all engines have it: truth values are numbers, and so are decimals."""
    match value:
        case bool() | int() | Decimal():
            return Fraction(value)
        case float():
            return Fraction(value) if isfinite(value) else str(value)
        case datetime():
            return value.replace(tzinfo=None)
        case date():
            return datetime(value.year, value.month, value.day)
        case _:
            return value


def returned(engine: Engine, name: str) -> dict[int, Any]:
    """What an engine returns for a call, by the number of the row."""
    answer = engine.run(f"SELECT id, {text_of(name, engine.name)} AS q FROM hard")
    return {int(row[0]): value_of(row[1]) for row in answer.rows}


def names_read(dialect: str, text: str) -> set[str]:
    """The functions by name in what a text is read as, with the names of their own."""
    meaning = dialect_named(dialect, "binary")
    schema = read_schema(f"CREATE TABLE hard ({SCHEMA[dialect]})", meaning).with_floats()
    statement, *_ = read_unverified(SqlText(f"SELECT {text} AS q FROM hard", "the query"), schema, meaning)
    found = nodes(in_own_names(statement, meaning).query)
    return {each.name for each in found if isinstance(each, Function)}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("dialect", ENGINES)
def test_a_text_is_read_as_the_shared_function(name: str, dialect: str):
    text = text_of(name, dialect)
    if text and name not in ("CEIL", "FLOOR", "cast decimal as integer"):
        assert names_read(dialect, text) <= {name}


def test_each_shared_function_is_asked_or_says_why_not():
    assert SHARED.keys() == CALLS.keys() | NOT_ASKED.keys()


@pytest.mark.parametrize("engine", ["postgres", "mysql"], indirect=True)
def test_servers_return_what_duckdb_returns(engine: Engine, duckdb: Engine):
    assert_same(engine, duckdb)


@pytest.mark.spark
@pytest.mark.slow
def test_spark_returns_what_duckdb_returns(spark: Engine, duckdb: Engine):
    assert_same(spark, duckdb)


def assert_same(engine: Engine, other: Engine):
    load(engine)
    load(other)
    wrong = []
    for name in CALLS:
        if not text_of(name, engine.name) or not text_of(name, other.name):
            continue
        try:
            one, two = returned(engine, name), returned(other, name)
        except (RejectedError, FailedError) as problem:
            wrong.append(f"{name}: {problem}")
            continue
        wrong += [
            f"{name} of row {key} {rows_of('duckdb')[key]}: {one[key]!r} in {engine.name}, {two[key]!r} in {other.name}"
            for key in one
            if one[key] != two[key] and not (rows_of(engine.name)[key][-1] == "NULL" and one[key] is None)
        ]
    assert not wrong, "\n".join(wrong)
