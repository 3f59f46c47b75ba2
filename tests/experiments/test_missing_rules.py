"""What is missing for a proof is named by the construct on which two queries differ."""

from __future__ import annotations

import pytest
from tallystick.experiments.sql_suites.missing import missing
from tallystick.experiments.sql_suites.outcomes import Decided
from tallystick.experiments.sql_suites.tables import by_reason
from tallystick.frontends.sql.dialects import SPARK
from tallystick.frontends.sql.reader import read_pair
from tallystick.frontends.sql.schema_statements import schema_from_statements
from tallystick.frontends.sql.source import SqlText

SCHEMA = "CREATE TABLE t (a INT NOT NULL PRIMARY KEY, b INT, c STRING, d DATE)"
OPEN = "the head of member 0 of group 0 is as frequent on both sides: a branch stays open"


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("SELECT a FROM t LIMIT 1", "SELECT a FROM t", "LIMIT by congruence and LIMIT-MAP alone: LIMIT"),
        (
            "SELECT a FROM (SELECT a FROM t ORDER BY a LIMIT 2) WHERE a > 1",
            "SELECT a FROM (SELECT a FROM t WHERE a > 1 ORDER BY a LIMIT 2)",
            "a premise without evidence: LIMITs over different rows",
        ),
        (
            "SELECT STDDEV_POP(b) FROM t",
            "SELECT VAR_POP(b) FROM t",
            "aggregates that are known by name alone: STDDEV_POP, VAR_POP",
        ),
        (
            "SELECT a FROM t WHERE YEAR(d) = 2020",
            "SELECT a FROM t WHERE d >= DATE '2020-01-01' AND d < DATE '2021-01-01'",
            "functions that are known by name alone: YEAR",
        ),
        (
            "SELECT ROW_NUMBER() OVER (ORDER BY a) FROM t",
            "SELECT RANK() OVER (ORDER BY a) FROM t",
            "window calls by congruence alone: RANK OVER, ROW_NUMBER OVER",
        ),
        (
            "SELECT b FROM t EXCEPT ALL SELECT a FROM t",
            "SELECT b FROM t EXCEPT SELECT a FROM t",
            "bag operations by congruence alone: EXCEPT ALL",
        ),
        (
            "SELECT a * b * b FROM t",
            "SELECT a * b FROM t",
            "products are uninterpreted but for their factors: a product of columns",
        ),
        (
            "SELECT COUNT(*) FROM t LEFT JOIN t AS u ON t.a = u.b",
            "SELECT COUNT(u.a) FROM t LEFT JOIN t AS u ON t.a = u.b",
            "a premise without evidence: aggregates and outer joins",
        ),
        ("SELECT a FROM t WHERE b > 1", "SELECT a FROM t", "a premise without evidence: joins, filters and unions"),
        ("SELECT a FROM t ORDER BY a", "SELECT a FROM t", "ORDER BY by different keys: lists are compared key by key"),
        (
            "SELECT b FROM t",
            "SELECT c FROM t",
            "columns of different types: results are compared value by value",
        ),
    ],
)
def test_the_construct_is_named(left, right, expected):
    schema = schema_from_statements(SqlText(SCHEMA, "schema"), SPARK)
    pair = read_pair(SqlText(left, "left"), SqlText(right, "right"), schema, SPARK)
    assert missing(pair.left, pair.right, OPEN) == expected


def test_unknown_pairs_are_counted_by_what_is_missing_with_examples():
    def unknown(pair: str, lacks: str) -> Decided:
        return Decided(pair, "s", pair, "equivalent", "unknown", OPEN, 1.0, 0.0, lacks)

    results = [unknown(str(number), "LIMIT") for number in range(5)] + [unknown("9", "GROUPING SETS")]
    assert by_reason(results, "unknown") == [(5, "LIMIT", ("s 0", "s 1", "s 2")), (1, "GROUPING SETS", ("s 9",))]
