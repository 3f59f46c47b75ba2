"""What is missing for a proof is named by the construct on which two queries differ."""

from __future__ import annotations

import pytest
from tallystick.decision.queries.differing import columns_in_question, missing_rule
from tallystick.experiments.sql_suites.outcomes import Decided
from tallystick.experiments.sql_suites.tables import by_reason
from tallystick.frontends.sql.dialects import SPARK
from tallystick.frontends.sql.reader import read_pair
from tallystick.frontends.sql.schema_statements import schema_from_statements
from tallystick.frontends.sql.source import SqlText

SCHEMA = "CREATE TABLE t (a INT NOT NULL PRIMARY KEY, b INT, c STRING, d DATE)"
LIMITS = "the queries differ in LIMIT: several rows of a LIMIT are the same over the same rows alone"
LISTS = "the queries differ in ORDER BY: results are lists, which are compared key by key"
PLAIN = "nothing shows that the joins, filters and unions are the same"
OPEN = "the head of member 0 of group 0 is as frequent on both sides: a branch stays open"


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        (
            "SELECT a FROM t LIMIT 1",
            "SELECT a FROM t",
            LIMITS,
        ),
        (
            "SELECT a FROM (SELECT a FROM t ORDER BY a LIMIT 2) WHERE a > 1",
            "SELECT a FROM (SELECT a FROM t WHERE a > 1 ORDER BY a LIMIT 2)",
            "nothing shows that the LIMITs over different rows are the same",
        ),
        (
            "SELECT STDDEV_POP(b) FROM t",
            "SELECT VAR_POP(b) FROM t",
            "the queries differ in STDDEV_POP, VAR_POP: such an aggregate is known by its name alone",
        ),
        (
            "SELECT a FROM t WHERE DAYOFYEAR(d) = 1",
            "SELECT a FROM t WHERE d >= DATE '2020-01-01' AND d < DATE '2021-01-01'",
            "the queries differ in DAYOFYEAR: such a function is known by its name alone",
        ),
        (
            "SELECT ROW_NUMBER() OVER (ORDER BY a) FROM t",
            "SELECT RANK() OVER (ORDER BY a) FROM t",
            "the queries differ in RANK OVER, ROW_NUMBER OVER: windows of different rows, or in ties, are not compared",
        ),
        (
            "SELECT b FROM t EXCEPT ALL SELECT a FROM t",
            "SELECT b FROM t EXCEPT SELECT a FROM t",
            "the queries differ in EXCEPT ALL: they are the same of the same rows alone",
        ),
        (
            "SELECT a * b * b FROM t",
            "SELECT a * b FROM t",
            "the queries differ in a product of columns: a product is known by its factors alone",
        ),
        (
            "SELECT COUNT(*) FROM t LEFT JOIN t AS u ON t.a = u.b",
            "SELECT COUNT(u.a) FROM t LEFT JOIN t AS u ON t.a = u.b",
            "nothing shows that the aggregates and outer joins are the same",
        ),
        (
            "SELECT a FROM t WHERE b > 1",
            "SELECT a FROM t",
            PLAIN,
        ),
        (
            "SELECT a FROM t ORDER BY a",
            "SELECT a FROM t",
            LISTS,
        ),
    ],
)
def test_the_construct_is_named(left, right, expected):
    schema = schema_from_statements(SqlText(SCHEMA, "schema"), SPARK)
    pair = read_pair(SqlText(left, "left"), SqlText(right, "right"), schema, SPARK)
    assert missing_rule(pair.left, pair.right, OPEN) == expected


def test_unknown_pairs_are_counted_by_what_is_missing_with_examples():
    def unknown(pair: str, lacks: str) -> Decided:
        return Decided(pair, "s", pair, "equivalent", "unknown", OPEN, 1.0, 0.0, lacks)

    results = [unknown(str(number), "LIMIT") for number in range(5)] + [unknown("9", "GROUPING SETS")]
    assert by_reason(results, "unknown") == [(5, "LIMIT", ("s 0", "s 1", "s 2")), (1, "GROUPING SETS", ("s 9",))]


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("SELECT a, DAYOFYEAR(d) AS day FROM t", "SELECT a, DAYOFWEEK(d) AS day FROM t", ("day",)),
        ("SELECT a, b + 1 AS x, a AS y FROM t ORDER BY a", "SELECT a, b AS x, b AS y FROM t ORDER BY a", ("x", "y")),
        ("SELECT a, b FROM t WHERE b > 1", "SELECT a, b FROM t WHERE b > 2", ()),
        ("SELECT a, b FROM t", "SELECT b, a FROM t", ()),
        ("SELECT b FROM t", "SELECT a FROM t", ()),
    ],
)
def test_columns_without_which_both_are_the_same_are_named(left: str, right: str, expected: tuple[str, ...]) -> None:
    schema = schema_from_statements(SqlText(SCHEMA, "schema"), SPARK)
    pair = read_pair(SqlText(left, "left"), SqlText(right, "right"), schema, SPARK)
    assert columns_in_question(pair.left, pair.right, pair.catalogue) == expected
