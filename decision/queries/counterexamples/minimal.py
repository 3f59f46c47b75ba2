"""Smaller databases with the same property: fewer rows, simpler values, rows in order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tallystick.core.clock import clock
from tallystick.core.queries.catalogue import Catalogue, Database
from tallystick.core.queries.interpreter.constraints import Violation
from tallystick.core.queries.types import ColumnType, SqlRow, SqlValue
from tallystick.decision.queries.counterexamples.pools import COMMON

FEW = 20
"""Rows of a table that are left out one by one."""


def minimal(
    database: Database,
    holds: Callable[[Database], bool],
    violation: Callable[[Database], Violation | None],
    catalogue: Catalogue,
    deadline: float,
) -> Database:
    """A database on which `holds` and no constraint is broken, from which no row can be left out and in which no value
    can be made simpler, with the simplest rows first, so that how it was found is not seen; at the deadline, of
    `core.clock`, the smallest so far."""
    steps = (_fewer_rows, _simpler_values, _rows_in_order)
    progress = True
    while progress and clock() < deadline:
        progress = False
        for step in steps:
            for smaller in step(database, catalogue):
                if clock() >= deadline:
                    break
                if violation(smaller) is None and holds(smaller):
                    database, progress = smaller, True
                    break
            if progress:
                break
    return database


def _fewer_rows(database: Database, catalogue: Catalogue) -> Iterator[Database]:
    """A row less, and whatever refers to it by the first foreign key that would break; of many rows, first half of them
    less, then a quarter, and so on."""
    for table in catalogue.tables:
        rows = database[table.name]
        part = len(rows) // 2 if len(rows) > FEW else 1
        while part:
            for start in range(0, len(rows), part):
                yield {**database, table.name: rows[:start] + rows[start + part :]}
            part //= 2


def _simpler_values(database: Database, catalogue: Catalogue) -> Iterator[Database]:
    """One value replaced by a simpler one in all columns of its type, so that keys and foreign keys stay; or once."""
    for table in catalogue.tables:
        for number, row in enumerate(database[table.name]):
            for index, column in enumerate(table.row):
                for simpler in _simpler(row[index], column):
                    yield _everywhere(database, catalogue, column, row[index], simpler)
                    changed = (*row[:index], simpler, *row[index + 1 :])
                    yield _with_row(database, table.name, number, changed)


def _rows_in_order(database: Database, catalogue: Catalogue) -> Iterator[Database]:
    """The rows of one table in the order of their values, if they are not; a text may return them in their order."""
    for table in catalogue.tables:
        rows = database[table.name]
        ordered = tuple(sorted(rows, key=lambda row: [_place(*each) for each in zip(row, table.row, strict=True)]))
        if ordered != rows:
            yield {**database, table.name: ordered}


def _place(value: SqlValue, column: ColumnType) -> tuple[int, Any]:
    """Where a value stands: after all that are simpler. Values without a place of their own are of one type."""
    return len(list(_simpler(value, column))), value


def _simpler(value: SqlValue, column: ColumnType) -> Iterator[SqlValue]:
    """Values before this one: NULL is simplest where it is allowed, then the common values in their order."""
    candidates: tuple[SqlValue, ...] = ((None,) if column.nullable else ()) + COMMON[column.type]
    for candidate in candidates:
        if candidate == value:
            return
        yield candidate


def _everywhere(
    database: Database, catalogue: Catalogue, column: ColumnType, value: SqlValue, simpler: SqlValue
) -> Database:
    result = {}
    for table in catalogue.tables:
        types = [each.type for each in table.row]
        result[table.name] = tuple(
            tuple(
                simpler if type_ == column.type and each == value else each
                for each, type_ in zip(row, types, strict=True)
            )
            for row in database[table.name]
        )
    return result


def _with_row(database: Database, table: str, number: int, row: SqlRow) -> Database:
    rows = database[table]
    return {**database, table: (*rows[:number], row, *rows[number + 1 :])}
