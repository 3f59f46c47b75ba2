"""Random databases that satisfy a catalogue."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from tallystick.core.queries.catalogue import Catalogue, Database, Table
from tallystick.core.queries.interpreter.constraints import Violation, constraints
from tallystick.core.queries.types import (
    BOOLEAN,
    MICROSECONDS,
    MICROSECONDS_A_DAY,
    TIMESTAMP,
    SqlRow,
    SqlType,
    SqlValue,
)

CHANGED = 0.4
"""How often a column has other values in rows that are alike."""
PoolOf = Callable[[str, int], Sequence[SqlValue]]
"""The values that a column of a table takes, by the table's name and its index."""


class RandomDatabases:
    """Draws databases of a catalogue: keys are unique, foreign keys refer to rows, checks are not false, and
    columns have room for their values.

    Tables are filled after those that they refer to. Rows that break a constraint are dropped, so that also cycles of
    foreign keys come out right.
    """

    def __init__(self, catalogue: Catalogue, random: Random) -> None:
        self.catalogue = catalogue
        self.random = random
        self.violation = constraints(catalogue)
        self.tables = _parents_first(catalogue)

    def draw(self, pool_of: PoolOf, rows: Callable[[Table], int], nulls: float) -> Database:
        """A database with at most so many rows a table, where a nullable column is NULL with this probability."""
        database: dict[str, tuple[SqlRow, ...]] = {}
        for table in self.tables:
            database[table.name] = ()
            for _ in range(rows(table)):
                if database[table.name] and not table.keys and self.random.random() < 0.2:
                    row = self.random.choice(database[table.name])
                else:
                    row = self.row(table, database, pool_of, nulls)
                database[table.name] += (row,)
        return repaired(database, self.violation)

    def row(self, table: Table, database: Database, pool_of: PoolOf, nulls: float) -> SqlRow:
        """A row whose foreign keys refer to rows of the database if there are any."""
        row = [
            None if column.nullable and self.random.random() < nulls else self.random.choice(pool_of(table.name, index))
            for index, column in enumerate(table.columns)
        ]
        for key in table.foreign_keys:
            targets = database.get(key.table, ())
            if any(row[index] is None for index in key.columns):
                continue
            if targets:
                target = self.random.choice(targets)
                for index, referenced in zip(key.columns, key.referenced, strict=True):
                    row[index] = target[referenced]
            elif table.name != key.table:
                nullable = [index for index in key.columns if table.columns[index].nullable]
                if nullable:
                    row[nullable[0]] = None
        return tuple(row)


def repaired(database: Database, violation: Callable[[Database], Violation | None]) -> Database:
    """The database without rows that break a constraint: the first is dropped until there is none."""
    while (found := violation(database)) is not None:
        name, number, _ = found
        database = {**database, name: database[name][:number] + database[name][number + 1 :]}
    return database


def crowded(database: Database, table: Table, number: int, random: Random) -> Database:
    """The database with so many rows more of a table that are like one of its rows, but for some columns, its keys'
    among them, where each has another value."""
    row = random.choice(database[table.name])
    references = {index for key in table.foreign_keys for index in key.columns}
    keys = {index for key in table.keys for index in key}
    changed = [
        index
        for index in range(len(row))
        if index not in references and (index in keys or random.random() < CHANGED) and row[index] is not None
    ]
    crowd = []
    for each in range(1, number + 1):
        other = list(row)
        for index in changed:
            other[index] = _nth(row[index], table.columns[index].type, each)
        crowd.append(tuple(other))
    return {**database, table.name: (*database[table.name], *crowd)}


def _nth(value: Any, type_: SqlType, number: int) -> SqlValue:
    """Another value of a type for each number, if it has so many."""
    if type_ is BOOLEAN:
        return value
    if isinstance(value, str):
        return f"{value}{number}"
    return value + number * (MICROSECONDS_A_DAY if type_ in (TIMESTAMP, MICROSECONDS) else 1)


def _parents_first(catalogue: Catalogue) -> list[Table]:
    """The tables, each after those that it refers to as far as there are no cycles."""
    placed: dict[str, Table] = {}
    visited: set[str] = set()

    def place(table: Table) -> None:
        if table.name not in visited:
            visited.add(table.name)
            for key in table.foreign_keys:
                place(catalogue.by_name[key.table])
            placed[table.name] = table

    for table in catalogue.tables:
        place(table)
    return list(placed.values())
