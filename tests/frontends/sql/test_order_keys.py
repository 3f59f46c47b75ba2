"""Keys of ORDER BY that part no rows are left out, and only these."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from random_queries import CATALOGUE, random_case
from tallystick.core.queries.calls import OrderKey
from tallystick.core.queries.catalogue import Database
from tallystick.core.queries.interpreter.evaluation import evaluate
from tallystick.core.queries.interpreter.running import Undetermined
from tallystick.core.queries.syntax import Query, Statement, references
from tallystick.core.queries.traversal import nodes
from tallystick.core.queries.types import SqlValue
from tallystick.decision.queries.deciding import ProofLimits, Proved, decide
from tallystick.experiments.queries.random_queries import Options
from tallystick.frontends.choices.order_keys import determined, has_at_most_one_row, parting_keys
from tallystick.frontends.sql.dialects import DIALECTS
from tallystick.frontends.sql.reader import SqlPair, read_pair, read_schema, read_statement
from tallystick.frontends.sql.schema import Schema
from tallystick.frontends.sql.source import SqlText

SCHEMA = """
CREATE TABLE c (id INT PRIMARY KEY, name VARCHAR(9), mail VARCHAR(9) UNIQUE);
CREATE TABLE o (id INT PRIMARY KEY, c INT, n INT NOT NULL, m INT);
CREATE TABLE l (o INT, line INT, q INT, PRIMARY KEY (o, line))
"""


def read(left: str, right: str, dialect: str = "spark") -> SqlPair:
    chosen = DIALECTS[dialect]
    return read_pair(SqlText(left, "left"), SqlText(right, "right"), read_schema(SCHEMA, chosen), chosen)


def order(query: str, keys: str) -> int:
    """How many keys are left of an order."""
    ordered = f"{query} ORDER BY {keys}"
    return len(parting_keys(_statement(ordered).query, _statement(ordered).order, _schema().catalogue))


def _schema() -> Schema:
    return read_schema(SCHEMA, DIALECTS["spark"])


def _statement(query: str) -> Statement:
    return read_statement(SqlText(query, "query"), _schema())


@pytest.mark.parametrize(
    ("query", "keys", "left"),
    [
        ("SELECT n, m FROM o", "n, m, n DESC", 2),
        ("SELECT id, name FROM c", "id, name", 1),
        ("SELECT id, name FROM c", "name, id", 2),
        ("SELECT mail, name FROM c", "mail, name", 2),  # several rows may have no mail
        ("SELECT o, line, q FROM l", "o, q, line", 3),
        ("SELECT o, line, q FROM l", "o, line, q", 2),
        ("SELECT id, name FROM c WHERE id = 3", "name", 0),
        ("SELECT c, n FROM o WHERE c = 3", "c, n", 1),
        ("SELECT c, n FROM o WHERE c >= 3", "c, n", 2),
        ("SELECT c, n FROM o WHERE c = n", "n, c", 1),
        ("SELECT c, n FROM o WHERE c = n OR m = 1", "n, c", 2),
        ("SELECT n, n + 1 AS k FROM o", "n, k", 1),
        ("SELECT n, n + m AS k FROM o", "n, k", 2),
        ("SELECT c, COUNT(*) AS k FROM o GROUP BY c", "c, k", 1),
        ("SELECT c, COUNT(*) AS k FROM o GROUP BY c, n", "c, k", 2),
        ("SELECT c, COUNT(*) AS k FROM o GROUP BY ROLLUP (c)", "c, k", 2),
        ("SELECT COUNT(*) AS k, SUM(n) AS s FROM o", "k, s", 0),
        ("SELECT o.id, c.name FROM o JOIN c ON o.c = c.id", "o.id, c.name", 1),
        ("SELECT o.id, c.name FROM o JOIN c ON o.c = c.id", "o.c, c.name", 1),
        ("SELECT o.id, c.name FROM o JOIN c ON o.c > c.id", "o.id, c.name", 2),
        ("SELECT o.id, c.name FROM o LEFT JOIN c ON o.c = c.id", "o.id, c.name", 1),
        ("SELECT o.n, c.name FROM o LEFT JOIN c ON o.c = c.id AND o.m = 1", "o.c, c.name", 2),  # padded or not, by m
        ("SELECT o.id, c.name FROM o LEFT JOIN c ON c.mail = 'a'", "o.id, c.name", 2),
        ("SELECT o.id, c.name FROM c RIGHT JOIN o ON o.c = c.id AND o.n = 1", "c.id, c.name", 2),
        ("SELECT o.id, c.name FROM o FULL JOIN c ON o.c = c.id", "o.id, c.name", 2),
        ("SELECT id, n FROM o UNION ALL SELECT id, n FROM o", "id, n", 2),
        ("SELECT id, n FROM o EXCEPT SELECT c, n FROM o", "id, n", 1),
        ("SELECT id, RANK() OVER (ORDER BY n) AS r FROM o", "id, r", 2),
        ("SELECT DISTINCT id, n FROM o", "id, n", 1),
    ],
)
def test_keys_that_are_left(query: str, keys: str, left: int) -> None:
    assert order(query, keys) == left


def test_a_limit_that_cuts_nothing_is_none() -> None:
    assert isinstance(_proof("SELECT COUNT(*) FROM o LIMIT 1", "SELECT COUNT(*) FROM o"), Proved)
    groups = "SELECT COUNT(*) FROM o GROUP BY c"
    assert not isinstance(_proof(f"{groups} LIMIT 1", groups), Proved)
    assert not isinstance(_proof("SELECT COUNT(*) FROM o LIMIT 1 OFFSET 1", "SELECT COUNT(*) FROM o"), Proved)


def test_one_row_has_no_order() -> None:
    assert read("SELECT n FROM o ORDER BY n LIMIT 1", "SELECT MIN(n) FROM o ORDER BY 1").left.order == ()


def _proof(left: str, right: str) -> object:
    pair = read(left, right)
    return decide(pair.left, pair.right, pair.catalogue, ProofLimits(4.0))


def test_keys_stay_where_only_one_side_shows_that_they_part_nothing() -> None:
    """The right side has one row for each id, too, but its text does not say so."""
    left = "SELECT id, n FROM o ORDER BY id, n"
    right = "SELECT id, n FROM o WHERE id > 1 UNION ALL SELECT id, n FROM o WHERE NOT id > 1 ORDER BY id, n"
    assert [len(each.order) for each in (read(left, right).left, read(left, right).right)] == [2, 2]
    assert isinstance(_proof(left, right), Proved)


def test_superfluous_keys_are_left_out() -> None:
    query = "SELECT id, n FROM o ORDER BY {}"
    assert isinstance(_proof(query.format("id, n"), query.format("id")), Proved)
    assert not isinstance(_proof(query.format("n, id"), query.format("n")), Proved)


def test_a_union_ordered_by_an_expression_is_converted() -> None:
    union = "SELECT n FROM o UNION SELECT m FROM o"
    pair = read(f"{union} ORDER BY n + 1", f"SELECT CAST(n AS DECIMAL(10, 2)) AS n FROM ({union}) u")
    assert len(pair.left.order) == 1
    assert len(pair.left.columns) == 1


def test_columns_are_determined_on_random_databases() -> None:
    """Rows that agree on some columns agree on what these determine, in every closed part of random queries."""
    found = checked = 0
    for seed in range(400):
        statement, databases = random_case(seed, Options(), databases=3)
        random = Random(seed)
        for query in {node for node in nodes(statement.query) if isinstance(node, Query) and not node.free}:
            subsets = [frozenset(each) for size in (0, 1, 2) for each in combinations(range(len(query.columns)), size)]
            for known in random.sample(subsets, min(4, len(subsets))):
                more = determined(query, known, CATALOGUE)
                assert more >= known
                found += more > known
                checked += _require_determined(query, sorted(known), more, databases)
    assert found > 300
    assert checked > 1000


def _require_determined(query: Query, known: list[int], more: frozenset[int], databases: list[Database]) -> int:
    count = 0
    for database in databases:
        try:
            rows = evaluate(Statement(query, tuple(map(str, range(len(query.columns))))), database).rows
        except Undetermined:
            continue
        seen: dict[tuple[SqlValue, ...], tuple[SqlValue, ...]] = {}
        for row in rows:
            values = tuple(row[index] for index in sorted(more))
            assert seen.setdefault(tuple(row[index] for index in known), values) == values, query
            count += 1
        assert len(rows) <= 1 or not has_at_most_one_row(query)
    return count


def test_each_key_is_judged_by_those_before_it() -> None:
    scan = CATALOGUE.tables[0].scan()
    keys = tuple(OrderKey(each, descending=False, nulls_first=True) for each in references(scan))
    assert len(parting_keys(scan, (*keys, *keys), CATALOGUE)) <= len(keys)
