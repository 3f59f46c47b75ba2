"""Databases from the open branch of a failed premise: its rows, with the values that it gives them.

A branch knows the rows that it opened and what its atoms say of their columns. What it does not know is made up: rows
that foreign keys refer to, texts that are no literals, and how often a row occurs in a table without a key.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from fractions import Fraction
from math import floor
from typing import Any, Final

from tallystick.core.queries.catalogue import Catalogue, Database, ForeignKey, Table
from tallystick.core.queries.compilation.cells import table_variable
from tallystick.core.queries.interpreter.constraints import constraints
from tallystick.core.queries.types import DECIMAL, TEXT, ColumnType, SqlRow, SqlValue
from tallystick.decision.queries.counterexamples.databases import repaired
from tallystick.decision.queries.counterexamples.pools import COMMON
from tallystick.decision.queries.trees.structure import OpenBranch

MOST_REFERRED: Final = 20
"""Rows that are added because foreign keys refer to them."""
TIMES: Final = (1, 2, 3)
"""How often the rows of a table without a key occur."""


def candidates(branch: OpenBranch, catalogue: Catalogue) -> Iterator[Database]:
    """Databases of the catalogue that a branch suggests."""
    texts = _Texts(branch)
    database: Database = {
        table.name: tuple(
            tuple(_value(*cell, texts) for cell in zip(row, table.row, strict=True))
            for row in branch.rows.get(table_variable(table.name, table.row), ())
        )
        for table in catalogue.tables
    }
    closed = _with_referred(database, catalogue)
    for times in TIMES:
        multiplied = {table.name: closed[table.name] * (1 if table.keys else times) for table in catalogue.tables}
        yield repaired(multiplied, constraints(catalogue))


class _Texts:
    """Texts for the numbers that a branch has in their place."""

    def __init__(self, branch: OpenBranch) -> None:
        self.known = sorted((number, text) for text, number in {"": 0, **branch.texts}.items())

    def text(self, number: Any) -> str:
        """The literal of this number, or a text behind the greatest one below."""
        place = bisect_right(self.known, number, key=lambda known: known[0])
        if not place:
            return ""
        value, text = self.known[place - 1]
        return text if value == number else f"{text}{floor(number) % 1000}"


def _value(value: Any, column: ColumnType, texts: _Texts) -> SqlValue:
    if value is None:
        return None if column.nullable else COMMON[column.type][0]
    if column.type is TEXT:
        return texts.text(value)
    if column.type is DECIMAL:
        return Fraction(value)
    return value if isinstance(value, bool) else floor(value)


def _with_referred(database: Database, catalogue: Catalogue) -> Database:
    """With a row for each that a foreign key refers to in vain, a few times over."""
    tables = {name: list(rows) for name, rows in database.items()}
    for _ in range(MOST_REFERRED):
        missing = next(_missing(tables, catalogue), None)
        if missing is None:
            break
        table, row = missing
        tables[table.name].append(row)
    return {name: tuple(rows) for name, rows in tables.items()}


def _missing(tables: dict[str, list[SqlRow]], catalogue: Catalogue) -> Iterator[tuple[Table, SqlRow]]:
    for table in catalogue.tables:
        for key in table.foreign_keys:
            target = catalogue.by_name[key.table]
            there = {tuple(row[index] for index in key.referenced) for row in tables[key.table]}
            for row in tables[table.name]:
                values = tuple(row[index] for index in key.columns)
                if None not in values and values not in there:
                    yield target, _referred(target, key, values)


def _referred(table: Table, key: ForeignKey, values: tuple[SqlValue, ...]) -> SqlRow:
    given = dict(zip(key.referenced, values, strict=True))
    return tuple(
        given.get(index, None if column.nullable else COMMON[column.type][0]) for index, column in enumerate(table.row)
    )
