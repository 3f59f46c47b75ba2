"""Whether a database satisfies a catalogue."""

from __future__ import annotations

from collections.abc import Callable

from tallystick.core.queries.catalogue import Catalogue, Database, ForeignKey, Table
from tallystick.core.queries.interpreter.queries import Compiled
from tallystick.core.queries.interpreter.running import STEP_LIMIT, Run
from tallystick.core.queries.types import SqlRow, admits_row

Violation = tuple[str, int, str]
"""The table and number of a row that breaks a constraint, and what it breaks."""


def constraints(catalogue: Catalogue) -> Callable[[Database], Violation | None]:
    """The catalogue, compiled: a function that gives the first violation of a database, or None.

    Raises FragmentError for a check with a function without an implementation; the function raises QueryFailure when
    a check fails at run time.
    """
    compiled = Compiled()
    checks = {table.name: [compiled.expression(check) for check in table.checks] for table in catalogue.tables}

    def violation(database: Database) -> Violation | None:
        run = Run(database, STEP_LIMIT)
        for name in database:
            if name not in catalogue.by_name:
                return name, 0, "there is no such table"
        for table in catalogue.tables:
            rows = database.get(table.name, ())
            referred = [_referred(key, database) for key in table.foreign_keys]
            seen: list[set[SqlRow]] = [set() for _ in table.keys]
            for number, row in enumerate(rows):
                broken = None if admits_row(table.row, row) else "the types of the columns"
                broken = broken or _without_room(table, row) or _broken_key(table, seen, row)
                if broken is None and any(check((row, run)) is False for check in checks[table.name]):
                    broken = "a check"
                if broken is None:
                    pairs = zip(table.foreign_keys, referred, strict=True)
                    broken = next(
                        (f"a foreign key to {key.table}" for key, to in pairs if not _is_in(key, row, to)), None
                    )
                if broken is not None:
                    return table.name, number, broken
        return None

    return violation


def _without_room(table: Table, row: SqlRow) -> str | None:
    """The range of the first column that has no room for its value."""
    found = (index for index, room in table.ranges.items() if row[index] not in room)
    return next((f"the range of column {table.columns[index].name}" for index in found), None)


def _broken_key(table: Table, seen: list[set[SqlRow]], row: SqlRow) -> str | None:
    """ "a key" if the row agrees with an earlier one on one; `seen` has the values of each key in earlier rows."""
    for key, values in zip(table.keys, seen, strict=True):
        value = tuple(row[index] for index in key)
        if None not in value:
            if value in values:
                return "a key"
            values.add(value)
    return None


def _referred(key: ForeignKey, database: Database) -> set[SqlRow]:
    """The values that rows of the referenced table have in the columns that a foreign key refers to."""
    return {tuple(target[index] for index in key.referenced) for target in database.get(key.table, ())}


def _is_in(key: ForeignKey, row: SqlRow, referred: set[SqlRow]) -> bool:
    value = tuple(row[index] for index in key.columns)
    return None in value or value in referred
