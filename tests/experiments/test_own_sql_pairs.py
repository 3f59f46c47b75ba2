"""The suite `sql`: its labels on random databases, and what its texts mean to DuckDB and to Spark."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from random import Random

import pytest
import sqlglot
from pyspark.sql import SparkSession
from tallystick.core.queries.catalogue import Database
from tallystick.core.queries.interpreter.evaluation import evaluate
from tallystick.core.queries.interpreter.running import QueryFailure
from tallystick.core.queries.syntax import Statement
from tallystick.core.queries.types import BOOLEAN, DATE, DECIMAL, INTEGER, TEXT, TIMESTAMP, SqlValue
from tallystick.decision.queries.counterexamples.databases import RandomDatabases
from tallystick.experiments.sql_suites.own_pairs import OwnPair, own_pairs, own_schema
from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.literals import day
from tallystick.frontends.sql.printing.databases import script, views
from tallystick.replay.sql_engines import agrees, on_duckdb, on_spark

PAIRS = own_pairs()
CATALOGUE = own_schema().catalogue
DATES = tuple(day(text).value for text in ("2024-02-29", "2024-02-01", "2024-01-31", "2024-03-01"))
POOLS = {
    INTEGER: (-3, -1, 0, 1, 2, 3),
    DECIMAL: (Fraction(-1), Fraction(0), Fraction(1), Fraction(2), Fraction(5, 2)),
    TEXT: ("a", "b", "a ", "ab"),
    BOOLEAN: (True, False),
    DATE: DATES,
    TIMESTAMP: (0,),
}
SPARK_ONLY = {"groups/rollup-as-grouping-sets", "groups/cube-is-no-rollup", "groups/grouping-tells-nulls-apart"}
"""Of no rows, the grouping set () has a row in DuckDB and none in Spark."""
REFUSED_BY_DUCKDB = {"lists/constant-key-of-an-order"}
REFUSED_BY_SPARK = {"null_logic/all-of-nothing", "null_logic/all-and-maximum", "null_logic/any-and-minimum"}
"""Spark has no ANY and ALL of queries."""


@cache
def databases() -> tuple[Database, ...]:
    random = Random(7)
    drawn = RandomDatabases(CATALOGUE, random)

    def values(table: str, column: int) -> Sequence[SqlValue]:
        return POOLS[CATALOGUE.by_name[table].columns[column].type]

    return tuple(drawn.draw(values, lambda table: random.randint(0, 3), 0.25) for _ in range(2000))


def differs(left: Statement, right: Statement, database: Database) -> bool:
    try:
        return not evaluate(left, database).may_equal(evaluate(right, database))
    except QueryFailure:
        return False


def test_there_are_pairs_of_either_kind() -> None:
    assert len(PAIRS) >= 150
    assert len({pair.name for pair in PAIRS}) == len(PAIRS)
    assert sum(pair.expected == "inequivalent" for pair in PAIRS) >= 70


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_labels_hold_on_random_databases(pair: OwnPair) -> None:
    if pair.name in NOT_SPARK:
        with pytest.raises(SourceError, match=r"Spark 4\.3\.0 does not take `"):
            pair.read()
        return
    read = pair.read()
    equivalent = pair.expected == "equivalent"
    tried = databases()[:120] if equivalent else databases()
    assert any(differs(read.left, read.right, database) for database in tried) != equivalent


NOT_SPARK = {"null_logic/all-of-nothing", "null_logic/all-and-maximum", "null_logic/any-and-minimum"}
"""Pairs with ALL and ANY of a query, which Spark 4 rejects."""


def texts_and_statements(left_out: set[str]) -> tuple[list[str], list[Statement]]:
    kept = [(pair, pair.read()) for pair in PAIRS if pair.name not in left_out | NOT_SPARK]
    texts = [text for pair, _ in kept for text in (pair.left, pair.right)]
    return texts, [statement for _, read in kept for statement in (read.left, read.right)]


def disagreeing(texts: list[str], statements: list[Statement], database: Database, returned: list[list]) -> list[str]:
    return [
        text
        for text, statement, rows in zip(texts, statements, returned, strict=True)
        if not agrees(evaluate(statement, database), rows, statement.columns)
    ]


def test_duckdb_returns_what_the_readings_mean() -> None:
    texts, statements = texts_and_statements(SPARK_ONLY | REFUSED_BY_DUCKDB)
    translated = [sqlglot.transpile(text, read="spark", write="duckdb")[0] for text in texts]
    for database in databases()[:4]:
        returned = on_duckdb(script(CATALOGUE, database, "duckdb"), translated)
        assert disagreeing(texts, statements, database, returned) == []


@pytest.mark.slow
@pytest.mark.spark
def test_spark_returns_what_the_readings_mean(spark: SparkSession) -> None:
    texts, statements = texts_and_statements(REFUSED_BY_SPARK)
    database = next(each for each in databases() if all(each.values()))
    for text in views(CATALOGUE, database, "spark"):
        spark.sql(text)
    returned = [on_spark(spark, [], [text])[0] for text in texts]
    assert disagreeing(texts, statements, database, returned) == []
