"""In BigQuery a constant with a point is a FLOAT64: known by its name, or exact by assumption."""

from __future__ import annotations

import pytest
from tallystick import check_sql
from tallystick.frontends.errors import SourceError

SCHEMA = "CREATE TABLE t (a INT64, n NUMERIC)"
INEXACT = [
    ("SELECT 0.1 + 0.2 = 0.3 AS q", "SELECT TRUE AS q"),
    ("SELECT a FROM t WHERE a * 0.1 = 0.3", "SELECT a FROM t WHERE a = 3"),
    ("SELECT a FROM t WHERE a IN (0.1 + 0.2, 1)", "SELECT a FROM t WHERE a IN (0.3, 1)"),
]
BESIDE_A_COLUMN = [
    ("SELECT n * 0.1 AS q FROM t", "SELECT n * c AS q FROM t, (SELECT 0.1 AS c) u"),
    ("SELECT n / 0.1 AS q FROM t", "SELECT n / c AS q FROM t, (SELECT 0.1 AS c) u"),
    ("SELECT a FROM t WHERE 0.1 < n", "SELECT a FROM t, (SELECT 0.1 AS c) u WHERE c < n"),
    ("SELECT COALESCE(n, 0.1) AS q FROM t", "SELECT COALESCE(n, c) AS q FROM t, (SELECT 0.1 AS c) u"),
]
OTHERS = [("SELECT CAST(-0.0 AS STRING) AS q", "SELECT CAST(0.0 AS STRING) AS q")]
SAME = [
    ("SELECT n * 0.10 AS q FROM t", "SELECT n * 0.1 AS q FROM t WHERE TRUE"),
    ("SELECT a FROM t WHERE n BETWEEN 0.5 AND 1.5", "SELECT a FROM t WHERE n >= 0.5 AND n <= 1.5"),
    ("SELECT a FROM t WHERE a * 2 = 6", "SELECT a FROM t WHERE a = 3"),
]


@pytest.mark.parametrize(("left", "right"), [*INEXACT, *BESIDE_A_COLUMN, *OTHERS])
def test_floats_are_known_by_name(left: str, right: str) -> None:
    assert check_sql(left, right, schema=SCHEMA, dialect="bigquery", timeout=1).verdict == "unknown"


@pytest.mark.parametrize(("left", "right"), SAME)
def test_what_is_the_same_by_name_is_proved(left: str, right: str) -> None:
    assert check_sql(left, right, schema=SCHEMA, dialect="bigquery", timeout=2).verdict == "equivalent"


@pytest.mark.parametrize(("left", "right"), INEXACT)
def test_they_are_exact_by_assumption(left: str, right: str) -> None:
    verdict = check_sql(left, right, schema=SCHEMA, dialect="bigquery", assume=("exact-floats",), timeout=2)
    assert verdict.verdict == "equivalent"
    assert "assuming: floating-point numbers are exact" in str(verdict)


@pytest.mark.parametrize("dialect", ["snowflake", "postgres"])
def test_elsewhere_they_are_decimals(dialect: str) -> None:
    schema = "CREATE TABLE t (a INT, n DECIMAL(10, 2))"
    assert check_sql(*INEXACT[1], schema=schema, dialect=dialect, timeout=2).verdict == "equivalent"


def test_a_constant_in_decimals_of_a_query_is_refused() -> None:
    with pytest.raises(SourceError, match="the left query:1:23: whether this constant is a DECIMAL is not known"):
        check_sql(
            "SELECT a FROM t WHERE 0.1 IN (SELECT n FROM t)", "SELECT a FROM t", schema=SCHEMA, dialect="bigquery"
        )
