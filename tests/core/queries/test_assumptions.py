"""What claims have to assume, by what statements compute."""

from __future__ import annotations

import pytest
from tallystick.core.queries.assumptions import Assumption, required
from tallystick.core.queries.syntax import Statement
from tallystick.frontends.sql.dialects import dialect_named
from tallystick.frontends.sql.reader import read_schema, read_statement
from tallystick.frontends.sql.source import SqlText

SCHEMA = "CREATE TABLE t (id INT, ts TIMESTAMP, tz TIMESTAMPTZ, d DATE)"


def statement(text: str, dialect: str) -> Statement:
    meaning = dialect_named(dialect)
    return read_statement(SqlText(text, "query"), read_schema(SCHEMA, meaning), meaning)


@pytest.mark.parametrize("dialect", ["duckdb", "postgres"])
@pytest.mark.parametrize(
    "text",
    [
        "SELECT id FROM t WHERE tz = ts",
        "SELECT id FROM t WHERE tz IN (SELECT ts FROM t)",
        "SELECT CASE tz WHEN ts THEN 1 END FROM t",
        "SELECT EXTRACT(HOUR FROM tz) FROM t",
        "SELECT tz + INTERVAL '1' DAY FROM t",
        "SELECT CAST(tz AS DATE) FROM t",
        "SELECT id FROM t WHERE tz > d",
        "SELECT MAX(tz) FROM t",
        "SELECT DISTINCT tz FROM t",
        "SELECT id FROM t ORDER BY tz",
        "SELECT ROW_NUMBER() OVER (ORDER BY tz, id) FROM t",
        "SELECT tz FROM t UNION SELECT ts FROM t",
        "SELECT COUNT(*) FROM t GROUP BY tz",
    ],
)
def test_what_is_computed_with_moments_assumes_fixed_clocks(text: str, dialect: str) -> None:
    assert Assumption.FIXED_CLOCKS in required(statement(text, dialect))


@pytest.mark.parametrize("text", ["SELECT tz FROM t", "SELECT id FROM t WHERE tz IS NULL", "SELECT MAX(d) FROM t"])
def test_what_hands_moments_on_does_not(text: str) -> None:
    assert Assumption.FIXED_CLOCKS not in required(statement(text, "duckdb"))
