"""First rows of partitions that are read as groups: the same rows on DuckDB, whatever it does in ties."""

from __future__ import annotations

from random import Random

import pytest
from sampling import sampled
from tallystick.core.queries.assumptions import Assumption
from tallystick.core.queries.catalogue import Database
from tallystick.core.queries.interpreter.evaluation import evaluate
from tallystick.core.queries.syntax import Aggregate, Query, Window
from tallystick.core.queries.traversal import nodes
from tallystick.decision.queries.counterexamples.databases import RandomDatabases
from tallystick.frontends.sql.dialects import DIALECTS
from tallystick.frontends.sql.printing.databases import script
from tallystick.frontends.sql.reader import SqlPair, read_pair
from tallystick.frontends.sql.schema_statements import schema_from_statements
from tallystick.frontends.sql.source import SqlText
from tallystick.replay.sql_engines import agrees, on_duckdb

SCHEMA = "CREATE TABLE t (k INT, g INT NOT NULL, v INT, w INT NOT NULL, s VARCHAR(5))"
NUMBERED = "SELECT *, {call}() OVER (PARTITION BY {partition} ORDER BY {order}) AS n FROM t"
ORDERS = (
    "v",
    "v DESC",
    "v NULLS FIRST",
    "v NULLS LAST",
    "v DESC NULLS FIRST",
    "v DESC NULLS LAST, w",
    "w, v",
    "s DESC",
)


def read(query: str, dialect: str = "duckdb") -> SqlPair:
    schema = schema_from_statements(SqlText(SCHEMA, "schema"), DIALECTS[dialect])
    text = SqlText(query, "query")
    return read_pair(text, text, schema, DIALECTS[dialect])


def has(pair: SqlPair, kind: type[Query]) -> bool:
    return any(isinstance(node, kind) for node in nodes(pair.left.query))


def databases(pair: SqlPair, count: int) -> list[Database]:
    random = Random(5)
    drawn = RandomDatabases(pair.catalogue, random)
    pools = ((1, 2), (1, 2), (1, 2, 3), (1, 2), ("a", "b", ""))
    return [drawn.draw(lambda _, index: pools[index], lambda _: random.randint(0, 7), 0.3) for _ in range(count)]


@pytest.mark.parametrize("order", sampled(ORDERS, 2))
@pytest.mark.parametrize("partition", ["k", "k, g"])
@pytest.mark.parametrize(
    "query",
    [
        "SELECT k, {first} FROM ({numbered}) a WHERE n = 1",
        "SELECT {first} + 1, n FROM (SELECT k, {first}, n FROM ({numbered}) a WHERE {first} > 1) b"
        " WHERE 1 >= n AND k < 2",
        "SELECT DISTINCT {first} FROM ({numbered}) a WHERE n < 2",
    ],
)
def test_duckdb_returns_what_the_groups_have(order: str, partition: str, query: str) -> None:
    """In each second order, and in all if slow."""
    first = order.split()[0].strip(",")
    query = query.replace("+ 1", "|| 'x'").replace("> 1", "> ''") if first == "s" else query
    for call in ("ROW_NUMBER", "RANK", "DENSE_RANK") if "DISTINCT" in query else ("ROW_NUMBER",):
        numbered = NUMBERED.format(call=call, partition=partition, order=order)
        text = query.format(first=first, numbered=numbered)
        pair = read(text)
        assert has(pair, Aggregate)
        assert not has(pair, Window)
        assert Assumption.ONE_CHOICE not in pair.assumptions
        for database in databases(pair, 6):
            (rows,) = on_duckdb(script(pair.catalogue, database, "duckdb"), [text])
            assert agrees(evaluate(pair.left, database), rows, pair.left.columns), (text, database)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT k, w FROM ({}) a WHERE n = 1",  # ties differ in w
        "SELECT k, v FROM ({}) a WHERE n = 2",
        "SELECT k, v FROM ({}) a WHERE n <= 2",
        "SELECT k, v FROM ({}) a WHERE n = 1 OR k = 1",
        "SELECT k, v, (SELECT MAX(w) FROM t WHERE t.k = a.k) AS m FROM ({}) a WHERE n = 1",
        "SELECT k, v FROM ({}) a WHERE n = 1 AND w > 1",
    ],
)
def test_what_ties_could_change_stays_a_window(query: str) -> None:
    numbered = NUMBERED.format(call="ROW_NUMBER", partition="k", order="v")
    assert has(read(query.format(numbered)), Window)


def test_several_first_rows_are_no_groups_but_under_distinct() -> None:
    for call in ("RANK", "DENSE_RANK"):
        ranked = NUMBERED.format(call=call, partition="k", order="v")
        assert has(read(f"SELECT k, v FROM ({ranked}) a WHERE n = 1"), Window)
        assert not has(read(f"SELECT DISTINCT k, v FROM ({ranked}) a WHERE n = 1"), Window)


def test_no_partition_is_no_group_of_no_rows() -> None:
    numbered = "SELECT v, ROW_NUMBER() OVER (ORDER BY v) AS n FROM t"
    assert has(read(f"SELECT v FROM ({numbered}) a WHERE n = 1"), Window)


def test_where_nulls_come_first_hangs_on_the_dialect() -> None:
    """Spark has NULLs first in an ascending order, PostgreSQL and DuckDB last."""
    text = f"SELECT k, v FROM ({NUMBERED.format(call='ROW_NUMBER', partition='k', order='v')}) a WHERE n = 1"
    database: Database = {"t": ((1, 1, None, 1, None), (1, 1, 2, 1, None))}
    assert evaluate(read(text, "spark").left, database).rows == ((1, None),)
    assert evaluate(read(text, "postgres").left, database).rows == ((1, 2),)
