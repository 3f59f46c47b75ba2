"""Functions of dates and timestamps: what dialects call alike and mean differently is kept apart."""

from __future__ import annotations

import pytest
from tallystick.core.queries.expressions import Cast, Expression, Function, Literal
from tallystick.core.queries.syntax import Project
from tallystick.core.queries.types import DATE, DECIMAL, INTEGER, TIMESTAMP
from tallystick.frontends.sql.dialects import DIALECTS
from tallystick.frontends.sql.reader import read_statement
from tallystick.frontends.sql.schema_statements import schema_from_statements
from tallystick.frontends.sql.source import SqlText

SCHEMA = "CREATE TABLE r (d DATE, t TIMESTAMP)"


def expression(text: str, dialect: str) -> Expression:
    named = DIALECTS[dialect]
    schema = schema_from_statements(SqlText(SCHEMA, "schema"), named)
    query = read_statement(SqlText(f"SELECT {text} AS x FROM r", "q"), schema, named).query
    assert isinstance(query, Project)
    return query.expressions[0]


def names(text: str, dialect: str) -> list[str]:
    """The functions of an expression, from the outside."""
    found, each = [], expression(text, dialect)
    while isinstance(each, Function | Cast):
        if isinstance(each, Function):
            found.append(each.name)
        each = each.operands[0]
    return found


@pytest.mark.parametrize(
    ("text", "dialect"),
    [
        ("TO_DATE(t)", "spark"),
        ("DATE(t)", "spark"),
        ("DATE(t)", "mysql"),
        ("DATE(t)", "bigquery"),
        ("DATE(t)", "postgres"),
        ("DATE(t)", "duckdb"),
        ("TO_DATE(t)", "snowflake"),
        ("CAST(t AS DATE)", "calcite"),
    ],
)
def test_the_date_of_a_timestamp_is_a_cast(text: str, dialect: str) -> None:
    assert names(text, dialect) == ["cast timestamp as date"]
    assert expression(text, dialect).type == DATE


@pytest.mark.parametrize(
    ("text", "dialect", "type_"),
    [
        ("DATE_ADD(t, 1)", "spark", DATE),
        ("ADD_MONTHS(t, 1)", "spark", DATE),
        ("TRUNC(t, 'MM')", "spark", DATE),
        ("LAST_DAY(t)", "spark", DATE),
        ("DATE_TRUNC('MM', t)", "spark", TIMESTAMP),
        ("DATE_TRUNC('MM', d)", "spark", TIMESTAMP),
        ("DATE_TRUNC('month', d)", "postgres", TIMESTAMP),
        ("DATE_TRUNC('month', d)", "snowflake", DATE),
        ("DATE_TRUNC(d, MONTH)", "bigquery", DATE),
        ("ADD_MONTHS(t, 1)", "snowflake", TIMESTAMP),
        ("DATE_ADD(t, INTERVAL 1 DAY)", "mysql", TIMESTAMP),
        ("DATE_SUB(d, INTERVAL 1 MONTH)", "mysql", DATE),
        ("DATE_ADD(d, INTERVAL 1 DAY)", "bigquery", DATE),
        ("DATEDIFF(t, d)", "mysql", INTEGER),
        ("DATEDIFF(day, t, d)", "snowflake", INTEGER),
        ("EXTRACT(SECOND FROM t)", "postgres", DECIMAL),
        ("EXTRACT(SECOND FROM t)", "spark", DECIMAL),
        ("SECOND(t)", "spark", INTEGER),
        ("EXTRACT(SECOND FROM t)", "duckdb", INTEGER),
    ],
)
def test_types_are_those_of_the_dialect(text: str, dialect: str, type_: object) -> None:
    assert expression(text, dialect).type == type_


@pytest.mark.parametrize(
    ("one", "other", "dialect"),
    [
        ("WEEK(d)", "WEEKOFYEAR(d)", "mysql"),
        ("ADD_MONTHS(d, 1)", "d + INTERVAL '1' MONTH", "snowflake"),
        ("EXTRACT(SECOND FROM t)", "SECOND(t)", "spark"),
        ("TRUNC(t, 'MM')", "DATE_TRUNC('MM', t)", "spark"),
        ("TO_DATE(t)", "t", "spark"),
    ],
)
def test_what_differs_is_read_differently(one: str, other: str, dialect: str) -> None:
    assert expression(one, dialect) != expression(other, dialect)


@pytest.mark.parametrize(
    ("one", "other", "dialect"),
    [
        ("WEEK(d)", "EXTRACT(WEEK FROM d)", "mysql"),
        ("WEEKOFYEAR(d)", "EXTRACT(WEEK FROM d)", "spark"),
        ("TRUNC(d, 'MM')", "TRUNC(d, 'mon')", "spark"),
        ("DATE_TRUNC('DD', t)", "DATE_TRUNC('day', t)", "spark"),
        ("DATE_TRUNC('hour', d)", "CAST(d AS TIMESTAMP)", "postgres"),
        ("ADD_MONTHS(d, 1)", "d + INTERVAL '1' MONTH", "spark"),
    ],
)
def test_what_is_the_same_is_read_alike(one: str, other: str, dialect: str) -> None:
    assert expression(one, dialect) == expression(other, dialect)


@pytest.mark.parametrize("text", ["TRUNC(d, 'DD')", "TRUNC(t, 'hour')", "TRUNC(d, 'Q')", "DATE_TRUNC('fortnight', t)"])
def test_of_units_that_spark_does_not_know_it_makes_null(text: str) -> None:
    assert expression(text, "spark") == Literal(None, DATE if text.startswith("TRUNC") else TIMESTAMP)


def test_months_that_keep_last_days_are_no_months_that_do_not() -> None:
    """In Snowflake ADD_MONTHS('2023-02-28', 1) is March 31, and DATEADD(month, 1, '2023-02-28') is March 28."""
    assert names("ADD_MONTHS(d, 1)", "snowflake") == ["add months, last days to last days"]
    assert names("DATEADD(month, 1, d)", "snowflake") == ["add months"]
