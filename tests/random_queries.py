"""A small catalogue for tests of queries, and random statements and databases over it."""

from __future__ import annotations

from random import Random

from tallystick.core.queries.catalogue import Catalogue, Column, Database, ForeignKey, Table
from tallystick.core.queries.syntax import Statement
from tallystick.core.queries.types import BOOLEAN, DATE, DECIMAL, INTEGER, TEXT, SqlValue
from tallystick.decision.queries.counterexamples.databases import RandomDatabases
from tallystick.experiments.queries.random_queries import POOLS, Options, RandomQueries

T = Table("t", (Column("a", INTEGER, nullable=False), Column("b", INTEGER), Column("c", TEXT)), keys=((0,),))
S = Table(
    "s",
    (Column("x", INTEGER), Column("d", DECIMAL), Column("e", DATE), Column("f", BOOLEAN)),
    foreign_keys=(ForeignKey((0,), "t", (0,)),),
)
CATALOGUE = Catalogue((T, S))


def pool_of(table: str, index: int) -> tuple[SqlValue, ...]:
    """The values of a column."""
    return POOLS[CATALOGUE.by_name[table].columns[index].type]


def random_case(seed: int, options: Options, databases: int = 2) -> tuple[Statement, list[Database]]:
    """A statement and some databases."""
    random = Random(seed)
    statement = RandomQueries(CATALOGUE, random, options).statement(random.choice((1, 2, 3, 4)))
    drawn = RandomDatabases(CATALOGUE, random)
    return statement, [drawn.draw(pool_of, lambda table: random.randint(0, 4), 0.3) for _ in range(databases)]
