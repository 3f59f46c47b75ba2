"""Short queries about which a reader or a prover is easily wrong mean what DuckDB and Spark say.

`risky_queries.txt` has families of expressions that look alike: divisions, casts and comparisons between types, dates,
LIKE, NULL in conditions, COUNT and its kin, empty groups, outer joins, set operations. Each query is read, interpreted
on random databases and compared with an engine; pairs of a family that are proved must return the same there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import pytest
from sampling import sampled
from tallystick.core.errors import EvaluationError, FragmentError
from tallystick.core.queries.catalogue import Catalogue, Database
from tallystick.core.queries.interpreter.evaluation import interpreter
from tallystick.core.queries.types import (
    BOOLEAN,
    DATE,
    DECIMAL,
    INTEGER,
    MICROSECONDS_A_DAY,
    TEXT,
    TIMESTAMP,
    SqlType,
    SqlValue,
)
from tallystick.decision.queries.counterexamples.databases import RandomDatabases
from tallystick.decision.queries.deciding import ProofLimits, Proved, decide
from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.dialects import DIALECTS
from tallystick.frontends.sql.printing.databases import script, views
from tallystick.frontends.sql.reader import SqlPair, read_pair
from tallystick.frontends.sql.schema_statements import schema_from_statements
from tallystick.frontends.sql.source import SqlText
from tallystick.replay.session import spark_session
from tallystick.replay.sql_engines import EngineError, agrees, on_spark

FILE = Path(__file__).with_name("risky_queries.txt")
SCHEMA = """
CREATE TABLE r (a INT, b INT, d DECIMAL(10, 2), s VARCHAR(20), u DATE, f BOOLEAN, t TIMESTAMP);
CREATE TABLE q (k INT, v INT);
"""
JANUARY_30_2020 = 18_291
NEAR = tuple(JANUARY_30_2020 + days for days in (-1, 0, 1, 30, -30, 337, 336))
POOLS: dict[SqlType, tuple[SqlValue, ...]] = {
    INTEGER: (-3, -2, -1, 0, 1, 1, 2, 3, 4, 5),
    DECIMAL: tuple(Fraction(cents, 100) for cents in (0, 100, 50, 51, -50, 150, -150, 250, 199, 1_000)),
    TEXT: ("", " ", "a", "A", "ab", "b", " a", "a ", "1", "01", " 1", "1.0", "1.5", "x", "%", "a%", "true", "é"),
    DATE: NEAR,
    BOOLEAN: (False, True),
    TIMESTAMP: tuple(day * MICROSECONDS_A_DAY + time for day in NEAR for time in (0, 1, 37_801_500_000)),
}
Run = Callable[[str], Sequence[Sequence[Any]]]


def families(dialect: str) -> list[list[str]]:
    """The queries of each family: those that a heading makes of the lines below it, one family for each form.

    A heading may begin with the one dialect that has them.
    """
    found: list[list[str]] = []
    for section in FILE.read_text(encoding="utf-8").strip().split("\n\n"):
        heading, *lines = section.splitlines()
        of, _, forms = heading.removeprefix("# ").rpartition(": ")
        if of in ("", dialect):
            found += [[form.replace("{}", line) for line in lines] for form in forms.split(" | ")]
    return found


def read(left: str, right: str, dialect: str) -> SqlPair:
    named = DIALECTS[dialect]
    schema = schema_from_statements(SqlText(SCHEMA, "schema"), named)
    return read_pair(SqlText(left, "left"), SqlText(right, "right"), schema, named, exact_floats=True)


def database_of(catalogue: Catalogue, seed: int) -> Database:
    def pool_of(table: str, index: int) -> tuple[SqlValue, ...]:
        return POOLS[catalogue.by_name[table].columns[index].type]

    sizes = {"r": 12, "q": 3} if seed else {"r": 0, "q": 0}
    return RandomDatabases(catalogue, Random(seed)).draw(pool_of, lambda table: sizes[table.name], 0.2)


def compared(dialect: str, database: Database, run: Run, every: int = 1) -> Counter[str]:
    """How many queries return what they are read as; fails on one that does not."""
    outcomes: Counter[str] = Counter()
    for query in [query for family in families(dialect) for query in family][::every]:
        try:
            pair = read(query, query, dialect)
        except SourceError:
            outcomes["refused"] += 1
            continue
        try:
            outcome = interpreter(pair.left)(database)
        except (EvaluationError, FragmentError) as error:
            outcomes[type(error).__name__] += 1
            continue
        try:
            rows = run(query)
        except (EngineError, duckdb.Error):
            outcomes["the engine fails"] += 1
            continue
        assert agrees(outcome, rows, pair.left.columns), (query, database, outcome.rows, rows)
        outcomes["agrees"] += 1
    return outcomes


def catalogue_of(dialect: str) -> Catalogue:
    return read("SELECT a FROM r", "SELECT k FROM q", dialect).catalogue


@pytest.mark.parametrize("seed", sampled([0, 1], 2))
def test_duckdb_returns_what_queries_are_read_as(seed: int) -> None:
    catalogue = catalogue_of("duckdb")
    database = database_of(catalogue, seed)
    with duckdb.connect() as connection:
        for statement in script(catalogue, database, "duckdb"):
            connection.execute(statement)
        outcomes = compared("duckdb", database, lambda query: connection.execute(query).fetchall())
    assert outcomes["agrees"] > 500
    assert outcomes["the engine fails"] < 5


def as_floats(row: tuple[object, ...]) -> tuple[object, ...]:
    """A row with its decimals as floats: quotients are floats in DuckDB."""
    return tuple(round(float(value), 9) if isinstance(value, Decimal | float) else value for value in row)


@pytest.mark.slow
def test_pairs_that_are_proved_return_the_same_on_duckdb() -> None:
    """Of the pairs that look alike, each seventh: those that differ somewhere must not be proved."""
    catalogue = catalogue_of("duckdb")
    proved = 0
    with duckdb.connect() as connection:
        for statement in script(catalogue, database_of(catalogue, 1), "duckdb"):
            connection.execute(statement)
        for left, right in pairs()[::7]:
            try:
                pair = read(left, right, "duckdb")
                rows = [Counter(map(as_floats, connection.execute(query).fetchall())) for query in (left, right)]
            except (SourceError, duckdb.Error):
                continue
            if isinstance(decide(pair.left, pair.right, pair.catalogue, ProofLimits(seconds=0.5)), Proved):
                proved += 1
                assert rows[0] == rows[1], (left, right)
    assert proved > 40


def pairs() -> list[tuple[str, str]]:
    return [pair for family in families("duckdb") for pair in combinations(family, 2)]


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    with spark_session("local[2]") as session:
        session.conf.set("spark.sql.ansi.enabled", "false")
        yield session


@pytest.mark.spark
@pytest.mark.slow
def test_spark_returns_what_queries_are_read_as(spark: Any) -> None:
    catalogue = catalogue_of("spark")
    database = database_of(catalogue, 1)
    on_spark(spark, views(catalogue, database, "spark"), [])
    outcomes = compared("spark", database, lambda query: on_spark(spark, [], [query])[0], every=2)
    assert outcomes["agrees"] > 200
    assert outcomes["the engine fails"] < 30
