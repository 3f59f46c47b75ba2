"""Row numbers, neighbours and first rows: proved where the order says which row is meant, and only there."""

from __future__ import annotations

import pytest
from tallystick.core.queries.assumptions import Assumption, required
from tallystick.decision.queries.deciding import ProofLimits, Proved, decide
from tallystick.frontends.sql.dialects import DIALECTS
from tallystick.frontends.sql.reader import SqlPair, read_pair, read_schema
from tallystick.frontends.sql.source import SqlText

SCHEMA = """
CREATE TABLE r (s INT NOT NULL, t INT NOT NULL, v INT, w INT NOT NULL, PRIMARY KEY (s, t));
CREATE TABLE l (s INT NOT NULL, t INT NOT NULL, v INT, PRIMARY KEY (s, t));
CREATE TABLE n (s INT, t INT NOT NULL PRIMARY KEY, v INT);
CREATE TABLE d (day DATE NOT NULL, a INT, b INT);
CREATE TABLE c (name VARCHAR(9) NOT NULL PRIMARY KEY, v INT)
"""
NEWEST = "SELECT s, t, v FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY s ORDER BY {}) AS k FROM {}) x WHERE k {}"
UNBEATEN = "SELECT s, t, v FROM {} x WHERE NOT EXISTS (SELECT 1 FROM {} y WHERE y.s {} x.s AND y.t > x.t)"

SECOND = "SELECT MAX(w) AS m FROM r WHERE w < (SELECT MAX(w) FROM r)"
ALONE = "SELECT w FROM r x WHERE NOT EXISTS (SELECT 1 FROM r y WHERE y.w = x.w AND (y.s <> x.s OR y.t <> x.t))"


def read(left: str, right: str) -> SqlPair:
    dialect = DIALECTS["duckdb"]
    return read_pair(SqlText(left, "left"), SqlText(right, "right"), read_schema(SCHEMA, dialect), dialect)


def is_proved(left: str, right: str) -> bool:
    pair = read(left, right)
    return isinstance(decide(pair.left, pair.right, pair.catalogue, ProofLimits(10)), Proved)


EQUAL = [
    (NEWEST.format("t DESC", "r", "= 1"), UNBEATEN.format("r", "r", "=")),
    (NEWEST.format("w, t DESC", "r", "= 1"), NEWEST.format("w, t DESC", "r", "< 2")),
    (NEWEST.format("v", "r", "= 1"), NEWEST.format("v", "r", "<= 1")),  # ties, but counted from 1
    (
        NEWEST.format("t DESC", "r", "= 1"),
        "SELECT r.s, r.t, r.v FROM r JOIN (SELECT s, MAX(t) AS t FROM r GROUP BY s) m ON m.s = r.s AND m.t = r.t",
    ),
    (NEWEST.format("t DESC", "n", "= 1"), UNBEATEN.format("n", "n", "IS NOT DISTINCT FROM")),
    (
        "SELECT s, t, LAG(v) OVER (PARTITION BY s ORDER BY t) AS p FROM l",
        "SELECT s, t, (SELECT y.v FROM l y WHERE y.s = x.s AND y.t = (SELECT MAX(z.t) FROM l z "
        "WHERE z.s = x.s AND z.t < x.t)) AS p FROM l x",
    ),
    (
        "SELECT s, t, LEAD(v, 1, 0) OVER (PARTITION BY s ORDER BY t) IS NULL AS p FROM r",
        "SELECT s, t, LAG(v, 1, 0) OVER (PARTITION BY s ORDER BY t DESC) IS NULL AS p FROM r",
    ),
    (
        "SELECT s, t FROM (SELECT s, t, LEAD(t) OVER (PARTITION BY s ORDER BY t) AS p FROM r) x WHERE p IS NULL",
        "SELECT s, t FROM r x WHERE NOT EXISTS (SELECT 1 FROM r y WHERE y.s = x.s AND y.t > x.t)",
    ),
    (
        "SELECT t, SUM(w) OVER (PARTITION BY s ORDER BY t ROWS UNBOUNDED PRECEDING) AS c FROM r",
        "SELECT t, (SELECT SUM(w) FROM r y WHERE y.s = x.s AND y.t <= x.t) AS c FROM r x",
    ),
    ("SELECT (SELECT v FROM r ORDER BY v NULLS LAST LIMIT 1) AS m", "SELECT MIN(v) AS m FROM r"),
    ("SELECT (SELECT v FROM r ORDER BY v DESC NULLS LAST LIMIT 1) AS m", "SELECT MAX(v) AS m FROM r"),
    (
        "SELECT s, t FROM r ORDER BY s, t LIMIT 1",
        "SELECT s, t FROM r x WHERE NOT EXISTS (SELECT 1 FROM r y WHERE y.s < x.s OR (y.s = x.s AND y.t < x.t)) "
        "ORDER BY s, t",
    ),
    (SECOND, "SELECT (SELECT DISTINCT w FROM r ORDER BY w DESC LIMIT 1 OFFSET 1) AS m"),
    (
        SECOND.replace("w", "v"),
        "SELECT MAX(v) AS m FROM (SELECT v, DENSE_RANK() OVER (ORDER BY v DESC NULLS LAST) AS k FROM r) x WHERE k = 2",
    ),
    (
        "SELECT s, t FROM (SELECT *, ROW_NUMBER() OVER (ORDER BY s, t) AS k FROM r) x WHERE k = 3",
        "SELECT s, t FROM (SELECT s, t FROM r ORDER BY s, t LIMIT 1 OFFSET 2) x",
    ),
    (
        "SELECT s, t, LEAD(t) OVER (PARTITION BY s ORDER BY t) AS p FROM r",
        "SELECT s, t, (SELECT MIN(y.t) FROM r y WHERE y.s = x.s AND y.t > x.t) AS p FROM r x",
    ),
    (
        "SELECT s, t FROM (SELECT s, t, LAG(t) OVER (PARTITION BY s ORDER BY t) AS p FROM r) x WHERE t - p = 1",
        "SELECT x.s, x.t FROM r x JOIN r y ON x.s = y.s AND y.t = x.t - 1",
    ),
    (ALONE, "SELECT w FROM r GROUP BY w HAVING COUNT(*) = 1"),
    (ALONE, "SELECT w FROM r GROUP BY w HAVING COUNT(*) < 2"),
    (ALONE, ALONE.replace("SELECT w", "SELECT DISTINCT w")),
]
DIFFERENT = [
    (SECOND, "SELECT (SELECT w FROM r ORDER BY w DESC LIMIT 1 OFFSET 1) AS m"),  # the greatest twice
    (SECOND, "SELECT (SELECT DISTINCT w FROM r ORDER BY w DESC LIMIT 1 OFFSET 2) AS m"),
    (SECOND.replace("w", "v"), "SELECT (SELECT DISTINCT v FROM r ORDER BY v DESC NULLS FIRST LIMIT 1 OFFSET 1) AS m"),
    (
        "SELECT s, t, LEAD(t) OVER (PARTITION BY s ORDER BY t) AS p FROM r",
        "SELECT s, t, (SELECT MIN(y.t) FROM r y WHERE y.s = x.s AND y.t <> x.t) AS p FROM r x",
    ),
    (
        "SELECT s, t FROM (SELECT s, t, LAG(t) OVER (PARTITION BY s ORDER BY t) AS p FROM r) x WHERE t - p = 2",
        "SELECT x.s, x.t FROM r x JOIN r y ON x.s = y.s AND y.t = x.t - 2",
    ),
    (ALONE, "SELECT w FROM r GROUP BY w HAVING COUNT(*) <= 2"),
    (ALONE, "SELECT w FROM r GROUP BY w HAVING COUNT(DISTINCT s) = 1"),
    (NEWEST.format("w DESC", "r", "= 1"), UNBEATEN.format("r", "r", "=").replace("y.t > x.t", "y.w > x.w")),  # ties
    (NEWEST.format("t DESC", "r", "= 1"), NEWEST.format("t DESC", "r", "<= 2")),
    (NEWEST.format("t DESC", "r", "= 1"), NEWEST.format("t", "r", "= 1")),
    (NEWEST.format("v", "r", "= 1"), NEWEST.format("v", "r", ">= 1")),
    (NEWEST.format("t DESC", "n", "= 1"), UNBEATEN.format("n", "n", "=")),  # s may be NULL
    (
        "SELECT s, t, LAG(v) OVER (PARTITION BY s ORDER BY t) AS p FROM r",
        "SELECT s, t, (SELECT MAX(y.v) FROM r y WHERE y.s = x.s AND y.t < x.t) AS p FROM r x",
    ),
    (
        "SELECT s, t, LAG(v, 1, 0) OVER (PARTITION BY s ORDER BY t) AS p FROM r",
        "SELECT s, t, COALESCE(LAG(v) OVER (PARTITION BY s ORDER BY t), 0) AS p FROM r",
    ),
    (
        "SELECT s, t, LAG(t, 2) OVER (PARTITION BY s ORDER BY t) AS p FROM r",
        "SELECT s, t, LAG(t) OVER (PARTITION BY s ORDER BY t) AS p FROM r",
    ),
    (
        "SELECT t, SUM(w) OVER (PARTITION BY s ORDER BY v ROWS UNBOUNDED PRECEDING) AS c FROM r",
        "SELECT t, SUM(w) OVER (PARTITION BY s ORDER BY v) AS c FROM r",  # peers
    ),
    ("SELECT (SELECT v FROM r ORDER BY v NULLS FIRST LIMIT 1) AS m", "SELECT MIN(v) AS m FROM r"),
    ("SELECT v FROM r ORDER BY v NULLS LAST LIMIT 1", "SELECT MIN(v) AS v FROM r ORDER BY v NULLS LAST"),  # no rows
    ("SELECT s FROM r ORDER BY t LIMIT 1", "SELECT MIN(s) AS s FROM r"),
    ("SELECT d.a * d.b AS p FROM d WHERE a = b", "SELECT a * 2 AS p FROM d WHERE a = b"),
    ("SELECT x.b * y.b AS p FROM d x JOIN d y ON x.a = y.a", "SELECT x.a * y.b AS p FROM d x JOIN d y ON x.a = y.a"),
]


@pytest.mark.parametrize(("left", "right"), EQUAL)
def test_equal_queries_about_orders_are_proved(left: str, right: str) -> None:
    assert is_proved(left, right)


@pytest.mark.parametrize(("left", "right"), DIFFERENT)
def test_queries_that_differ_in_ties_nulls_or_places_are_not(left: str, right: str) -> None:
    assert not is_proved(left, right)


def test_products_of_equal_factors_are_equal() -> None:
    left = "SELECT x.a * y.b AS p FROM d x JOIN d y ON x.a = y.a AND x.b = y.b"
    assert is_proved(left, "SELECT x.b * y.a AS p FROM d x JOIN d y ON x.a = y.a AND x.b = y.b")
    assert is_proved("SELECT a * b AS p FROM d WHERE a = b", "SELECT b * b AS p FROM d WHERE a = b")


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (
            "SELECT name FROM c ORDER BY name LIMIT 1",
            "SELECT x.name FROM (SELECT name FROM c ORDER BY name LIMIT 1) x ORDER BY 1",
        ),
        ("SELECT ROW_NUMBER() OVER (ORDER BY name) AS k FROM c", "SELECT RANK() OVER (ORDER BY name) AS k FROM c"),
        ("SELECT (SELECT name FROM c ORDER BY name LIMIT 1) AS m", "SELECT MIN(name) AS m FROM c"),
    ],
)
def test_orders_of_texts_are_those_of_code_points(left: str, right: str) -> None:
    """In a collation, texts that differ may come at the same place."""
    assert is_proved(left, right)
    pair = read(left, right)
    assert Assumption.CODE_POINTS in required(pair.left, pair.right)
    assert Assumption.CODE_POINTS in pair.assumptions
