"""DISTINCT ON, and columns that a grouped key determines: what is read, what is refused, and what is not the same."""

from __future__ import annotations

import pytest
from tallystick.decision.queries.counterexamples.search import DistinguishingDatabase, find
from tallystick.decision.queries.deciding import Proved, decide
from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.dialects import DIALECTS
from tallystick.frontends.sql.reader import SqlPair, read_pair, read_schema
from tallystick.frontends.sql.source import SqlText

SCHEMA = """
CREATE TABLE c (id INT PRIMARY KEY, name VARCHAR(9), city VARCHAR(9));
CREATE TABLE o (id INT PRIMARY KEY, c INT, n INT);
CREATE TABLE loose (k INT UNIQUE, v INT, w INT);
"""


def pair(left: str, right: str, dialect: str) -> SqlPair:
    chosen = DIALECTS[dialect]
    return read_pair(SqlText(left, "left"), SqlText(right, "right"), read_schema(SCHEMA, chosen), chosen)


EQUAL = [
    ("SELECT DISTINCT ON (c) c, n FROM o ORDER BY c, n", "SELECT c, MIN(n) FROM o GROUP BY c ORDER BY c", "postgres"),
    (
        "SELECT DISTINCT ON (c) c, n FROM o ORDER BY c, n DESC NULLS LAST",
        "SELECT c, MAX(n) FROM o GROUP BY c ORDER BY 1",
        "duckdb",
    ),
    (
        "SELECT DISTINCT ON (o.c) id AS first FROM o WHERE n > 1 ORDER BY c, first",
        "SELECT MIN(id) FROM o WHERE n > 1 GROUP BY c ORDER BY c",
        "postgres",
    ),
    ("SELECT DISTINCT ON (1, c) c FROM o", "SELECT DISTINCT c FROM o", "postgres"),
    (
        "SELECT c.id, c.name, SUM(n) FROM c JOIN o ON o.c = c.id GROUP BY c.id HAVING c.city = 'x'",
        "SELECT c.id, c.name, SUM(n) FROM c JOIN o ON o.c = c.id WHERE c.city = 'x' GROUP BY c.id, c.name",
        "postgres",
    ),
    (
        "SELECT c.id, ANY_VALUE(c.name), SUM(n) FROM o LEFT JOIN c ON o.c = c.id GROUP BY c.id",
        "SELECT c.id, c.name, SUM(n) FROM o LEFT JOIN c ON o.c = c.id GROUP BY c.id, c.name",
        "bigquery",
    ),
    (
        "SELECT id, FIRST(name) FROM (SELECT * FROM c WHERE city = 'x') GROUP BY id",
        "SELECT id, name FROM c WHERE city = 'x'",
        "spark",
    ),
    ("SELECT ANY_VALUE(c) FROM o GROUP BY c", "SELECT DISTINCT c FROM o", "snowflake"),
]


@pytest.mark.parametrize(("left", "right", "dialect"), EQUAL)
def test_equal(left: str, right: str, dialect: str) -> None:
    read = pair(left, right, dialect)
    assert isinstance(decide(read.left, read.right, read.catalogue), Proved)


DIFFERENT = [
    (
        "SELECT DISTINCT ON (c) c, n FROM o ORDER BY c, n DESC",
        "SELECT c, MAX(n) FROM o GROUP BY c ORDER BY c",
        "postgres",
    ),
    ("SELECT DISTINCT ON (c) c, n FROM o ORDER BY c, n", "SELECT DISTINCT c, n FROM o ORDER BY c, n", "postgres"),
    ("SELECT DISTINCT ON (c, n) c, n FROM o ORDER BY c", "SELECT c, MIN(n) FROM o GROUP BY c ORDER BY c", "postgres"),
    (
        "SELECT DISTINCT ON (c) c, n FROM o ORDER BY c, n LIMIT 2",
        "SELECT c, MIN(n) FROM o GROUP BY c ORDER BY c LIMIT 3",
        "postgres",
    ),
    (
        "SELECT c.id, c.name FROM o LEFT JOIN c ON o.c = c.id GROUP BY c.id",
        "SELECT c.id, c.name FROM o JOIN c ON o.c = c.id GROUP BY c.id",
        "postgres",
    ),
]


@pytest.mark.parametrize(("left", "right", "dialect"), DIFFERENT)
def test_different(left: str, right: str, dialect: str) -> None:
    read = pair(left, right, dialect)
    assert isinstance(find(read.left, read.right, read.catalogue), DistinguishingDatabase)


REFUSED = [
    ("SELECT DISTINCT ON (c) id FROM o ORDER BY id", "postgres", "what DISTINCT ON lists begins the list of ORDER BY"),
    ("SELECT DISTINCT ON (c) id FROM o ORDER BY c", "spark", "ON in DISTINCT is not understood"),
    ("SELECT c.id, o.n FROM c JOIN o ON o.c = c.id GROUP BY c.id", "postgres", "the column o.n is neither grouped"),
    ("SELECT a.id, b.name FROM c a, c b GROUP BY a.id", "postgres", "the column b.name is neither grouped"),
    ("SELECT k, v FROM loose GROUP BY k", "postgres", "the column v is neither grouped"),
    ("SELECT id, name FROM c GROUP BY id", "spark", "the column name is neither grouped"),
    ("SELECT id, name FROM c GROUP BY ROLLUP (id)", "postgres", "the column name is neither grouped"),
    ("SELECT id + 1, name FROM c GROUP BY id + 1", "postgres", "the column name is neither grouped"),
    ("SELECT ANY_VALUE(id) FILTER (WHERE n > 1) FROM o GROUP BY id", "spark", "was not compared with Spark"),
]


@pytest.mark.parametrize(("query", "dialect", "message"), REFUSED)
def test_refused(query: str, dialect: str, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        pair(query, query, dialect)
