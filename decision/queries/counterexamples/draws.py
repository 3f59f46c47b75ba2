"""Random databases over the constants of queries, mostly of few rows and values, so that rows meet."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random

from tallystick.core.queries.catalogue import Catalogue, Database, Table
from tallystick.core.queries.syntax import Query
from tallystick.core.queries.types import SqlType, SqlValue
from tallystick.decision.queries.counterexamples.databases import RandomDatabases, crowded
from tallystick.decision.queries.counterexamples.pools import Constants, Place

SIZES = (1, 2, 2, 3, 3, 4, 5)
"""The most rows a table, of one database after the other."""
MANY, MANY_EVERY = 14, 20
"""The most rows a table in one of so many databases."""
CROWD_FROM, CROWDS, LARGEST_CROWD = 20, 0.25, 2_000
"""From this database on, this part of all has as many rows of one table as a count or LIMIT of the queries says."""
CROWDED_ROWS = 10
"""The rows that crowds add to a database, on the average: large crowds, which take long, are rare."""
NULLS = (0.0, 0.15, 0.4)
"""How often a nullable column is NULL; one of these for each database."""


class Draws:
    """Databases of the tables that queries read, and of those that these refer to."""

    def __init__(self, queries: Iterable[Query], catalogue: Catalogue, seed: int) -> None:
        self.constants = Constants(queries, catalogue)
        self.catalogue = restricted(catalogue, self.constants.tables)
        self.random = Random(seed)
        self.databases = RandomDatabases(self.catalogue, self.random)
        self.violation = self.databases.violation
        self.sizes = [size for size in self.constants.sizes() if 2 < size <= LARGEST_CROWD]

    def draw(self, number: int) -> Database:
        """A database, mostly of few rows and values, so that rows meet; now and then of many rows in large groups."""
        many = number % MANY_EVERY == MANY_EVERY - 1
        crowd = self.random.choice(self.sizes) if self.sizes and number >= CROWD_FROM else 0
        if crowd and self.random.random() >= min(CROWDS, CROWDED_ROWS / crowd):
            crowd = 0
        most = MANY if many else SIZES[number % len(SIZES)]
        few = self.random.random() < 0.6
        general = {type_: self.sample(self.constants.pool(type_), few and not many) for type_ in SqlType}
        if crowd:  # rows have to meet to be many
            general = {type_: (self.random.choice(pool),) for type_, pool in general.items()}
        pools: dict[Place, tuple[SqlValue, ...]] = {}
        for table in self.catalogue.tables:
            for index, column in enumerate(table.columns):
                place = table.name, index
                pool = self.pool(place, column.type, general[column.type], True)
                single = many and self.random.random() < 0.5
                pools[place] = (self.random.choice(pool),) if single else pool
        drawn = self.databases.draw(lambda name, index: pools[name, index], self.rows(most), self.random.choice(NULLS))
        return self.crowded(drawn, crowd) if crowd else drawn

    def crowded(self, database: Database, rows: int) -> Database:
        """The database with so many rows in one table, if constraints permit it."""
        filled = [table for table in self.catalogue.tables if database[table.name]]
        if not filled:
            return database
        table = self.random.choice(filled)
        found = crowded(database, table, rows - len(database[table.name]), self.random)
        return database if self.violation(found) else found

    def full(self, rows: int) -> Database:
        """A database of so many rows a table, as far as its keys permit, with all constants of the queries."""

        def pool_of(name: str, index: int) -> tuple[SqlValue, ...]:
            type_ = self.catalogue.by_name[name].columns[index].type
            return self.pool((name, index), type_, self.constants.pool(type_), False)

        return self.databases.draw(pool_of, lambda _: rows, NULLS[1])

    def pool(self, place: Place, type_: SqlType, general: tuple[SqlValue, ...], few: bool) -> tuple[SqlValue, ...]:
        """The values of a column: what it is compared with, and some of those of its type, or all."""
        own = self.constants.column_pool(place, type_)
        rest = self.constants.fitting(place, general)
        return own * 2 + self.sample(rest, few and bool(own)) or self.constants.any_of(place, type_)

    def sample(self, pool: tuple[SqlValue, ...], few: bool) -> tuple[SqlValue, ...]:
        """A few values of a pool, or all."""
        size = self.random.randint(2, 4)
        return tuple(self.random.sample(pool, size)) if few and len(pool) > size else pool

    def rows(self, most: int) -> Callable[[Table], int]:
        """How many rows a table gets: none now and then."""
        return lambda table: 0 if self.random.random() < 0.08 else self.random.randint(1, most)


def restricted(catalogue: Catalogue, names: dict[str, None]) -> Catalogue:
    """The tables of these names, and those that their foreign keys refer to."""
    kept: dict[str, Table] = {}
    pending = [name for name in names if name in catalogue.by_name]
    while pending:
        table = catalogue.by_name[pending.pop()]
        if table.name not in kept:
            kept[table.name] = table
            pending += [key.table for key in table.foreign_keys]
    return Catalogue(tuple(table for table in catalogue.tables if table.name in kept))
