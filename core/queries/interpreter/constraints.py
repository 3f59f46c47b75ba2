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
            for number, row in enumerate(rows):
                broken = _broken_alone(table, row) or _broken_key(table, rows[:number], row)
                if broken is None and any(check((row, run)) is False for check in checks[table.name]):
                    broken = "a check"
                if broken is None:
                    keys = (key for key in table.foreign_keys if not refers(key, row, database))
                    broken = next((f"a foreign key to {key.table}" for key in keys), None)
                if broken is not None:
                    return table.name, number, broken
        return None

    return violation


def _broken_alone(table: Table, row: SqlRow) -> str | None:
    return None if admits_row(table.row, row) else "the types of the columns"


def _broken_key(table: Table, earlier: tuple[SqlRow, ...], row: SqlRow) -> str | None:
    for key in table.keys:
        values = tuple(row[index] for index in key)
        if None not in values and any(tuple(other[index] for index in key) == values for other in earlier):
            return "a key"
    return None


def refers(key: ForeignKey, row: SqlRow, database: Database) -> bool:
    """Whether the row has a NULL in the foreign key, or there is a row that it refers to."""
    values = tuple(row[index] for index in key.columns)
    targets = database.get(key.table, ())
    return None in values or any(tuple(target[index] for index in key.referenced) == values for target in targets)
