"""Choices of SQL texts: the same only where they are made from rows that come in the same order."""

from __future__ import annotations

import pytest
from tallystick.core.queries.expressions import CHOICE, Function, Literal
from tallystick.core.queries.traversal import nodes
from tallystick.frontends.sql.dialects import DIALECTS
from tallystick.frontends.sql.reader import SqlPair, read_pair, read_schema
from tallystick.frontends.sql.source import SqlText
from tallystick.queries.checking import check_sql

SCHEMA = "".join(f"CREATE TABLE {name} (id INT PRIMARY KEY, k INT, v INT, w INT);" for name in "tu")
BY_W = "(SELECT * FROM t ORDER BY w) AS t"
FIRST = "SELECT v FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY {}) AS n FROM {}) x WHERE n = 1"
JOINED = "SELECT t.id, u.v FROM {} ON {} LIMIT 5"
OTHER = {
    "a sort below LIMIT": ("SELECT * FROM t LIMIT 3", f"SELECT * FROM {BY_W} LIMIT 3"),
    "ties of LIMIT": ("SELECT * FROM t ORDER BY v LIMIT 3", f"SELECT * FROM {BY_W} ORDER BY v LIMIT 3"),
    "a sort by another order": (
        f"SELECT * FROM {BY_W} LIMIT 3",
        "SELECT * FROM (SELECT * FROM t ORDER BY w DESC) x LIMIT 3",
    ),
    "sides of a union": (
        "SELECT * FROM (SELECT * FROM t UNION ALL SELECT * FROM u) x LIMIT 3",
        "SELECT * FROM (SELECT * FROM u UNION ALL SELECT * FROM t) x LIMIT 3",
    ),
    "sides of a join": (JOINED.format("t JOIN u", "t.k = u.k"), JOINED.format("u JOIN t", "t.k = u.k")),
    "ROW_NUMBER in ties": (FIRST.format("w", "t"), FIRST.format("w", "(SELECT * FROM t ORDER BY v) AS t")),
    "FIRST_VALUE in ties": (
        "SELECT id, FIRST_VALUE(v) OVER (PARTITION BY k ORDER BY w) AS f FROM t",
        "SELECT id, FIRST_VALUE(v) OVER (PARTITION BY k ORDER BY w) AS f FROM (SELECT * FROM t ORDER BY v) AS t",
    ),
    "choices exchanged": (
        f"SELECT a.v, b.v FROM (SELECT v FROM t LIMIT 1) a, (SELECT v FROM {BY_W} LIMIT 1) b",
        f"SELECT a.v, b.v FROM (SELECT v FROM {BY_W} LIMIT 1) a, (SELECT v FROM t LIMIT 1) b",
    ),
    "DISTINCT ON": (
        "SELECT DISTINCT ON (k) k, v FROM t ORDER BY k",
        "SELECT DISTINCT ON (k) k, v FROM (SELECT * FROM t ORDER BY v) AS t ORDER BY k",
    ),
}
SAME = {
    "other columns": ("SELECT id FROM t LIMIT 3", "SELECT id FROM (SELECT id, v + 1 AS x FROM t) x LIMIT 3"),
    "conditions": (
        "SELECT * FROM t WHERE v > 1 AND w > 1 LIMIT 3",
        "SELECT * FROM (SELECT * FROM t WHERE w > 1) x WHERE v > 1 LIMIT 3",
    ),
    "where conditions of joins stand": (
        "SELECT t.id FROM t JOIN u ON t.k = u.k WHERE u.v > 1 LIMIT 5",
        "SELECT t.id FROM t, (SELECT * FROM u WHERE v > 1) u WHERE u.k = t.k LIMIT 5",
    ),
    "a total order": ("SELECT * FROM t ORDER BY id LIMIT 3", f"SELECT * FROM {BY_W} ORDER BY id LIMIT 3"),
    "a total order of rows": (FIRST.format("w, id", "t"), FIRST.format("w, id", BY_W)),
    "what is read is ordered": (
        "SELECT v FROM t ORDER BY v LIMIT 3",
        f"SELECT v FROM {BY_W} ORDER BY v LIMIT 3",
    ),
    "a subquery that nothing reads": (
        "SELECT id FROM (SELECT id, (SELECT MAX(v) FROM (SELECT v FROM u LIMIT 2) x) AS m FROM t) y",
        "SELECT id FROM t",
    ),
    "a window that nothing reads": (
        "SELECT id FROM (SELECT id, MAX('a') OVER (ORDER BY w ROWS BETWEEN 1 PRECEDING AND 0 FOLLOWING) AS m FROM t) y",
        "SELECT id FROM t",
    ),
    "nothing is read": (
        "SELECT COUNT(*) FROM (SELECT * FROM t LIMIT 5) x",
        "SELECT COUNT(*) FROM (SELECT id FROM t ORDER BY v LIMIT 5) x",
    ),
    "an unread number": (
        "SELECT v FROM t",
        f"SELECT v FROM (SELECT *, ROW_NUMBER() OVER (ORDER BY k) AS n FROM {BY_W}) x",
    ),
    "a choice in a value that nobody reads": (
        "SELECT COUNT(*) FROM (SELECT v, (SELECT u.w FROM u WHERE u.k = t.k ORDER BY u.v LIMIT 1) AS w FROM t) x",
        "SELECT COUNT(*) FROM t",
    ),
    "a number in a value that nobody reads": (
        "SELECT v FROM (SELECT v, (SELECT MAX(n) FROM (SELECT RANK() OVER (ORDER BY k) AS n FROM u) y) AS m FROM t) x",
        "SELECT v FROM t",
    ),
    "one LIMIT for two": (
        "SELECT * FROM (SELECT * FROM t ORDER BY v LIMIT 5) x ORDER BY v LIMIT 3",
        "SELECT * FROM t ORDER BY v LIMIT 3",
    ),
}


def dialect_of(text: str) -> str:
    return "postgres" if "DISTINCT ON" in text else "spark"


def read(left: str, right: str, one_query: bool = False) -> SqlPair:
    dialect = DIALECTS[dialect_of(left)]
    texts = SqlText(left, "left"), SqlText(right, "right")
    return read_pair(*texts, read_schema(SCHEMA, dialect), dialect, one_query=one_query)


def tags(pair: SqlPair) -> list[set[object]]:
    """The numbers of the choices of both sides."""
    return [
        {
            part.arguments[0].value
            for part in nodes(side.query)
            if isinstance(part, Function) and part.name == CHOICE and isinstance(part.arguments[0], Literal)
        }
        for side in (pair.left, pair.right)
    ]


@pytest.mark.parametrize("name", OTHER)
def test_choices_from_rows_of_different_orders_are_told_apart(name: str) -> None:
    pair = read(*OTHER[name])
    assert pair.alike is not None
    assert tags(pair) == ([{1, 2}, {1, 2}] if name == "choices exchanged" else [{1}, {2}])
    assert tags(read(*OTHER[name], one_query=True)) == [set(), set()]


@pytest.mark.parametrize("name", ["a sort below LIMIT", "FIRST_VALUE in ties", "DISTINCT ON"])
def test_what_nothing_fixes_is_unknown_with_what_chooses(name: str) -> None:
    verdict = check_sql(*OTHER[name], schema=SCHEMA, dialect=dialect_of(OTHER[name][0]), timeout=2)
    assert str(verdict.verdict) == "unknown"
    assert "both keep one row of several, and nothing fixes which: " in verdict.reasons["choices"]
    assert ", the left query line 1" in verdict.reasons["choices"]


@pytest.mark.parametrize("name", SAME)
def test_choices_from_the_same_rows_and_what_is_no_choice_are_proved(name: str) -> None:
    verdict = check_sql(*SAME[name], schema=SCHEMA, timeout=15)
    assert str(verdict.verdict) == "equivalent", str(verdict)
