"""Differences on values that columns of a schema have.

The search knows UUIDs as texts, and MySQL's TIMESTAMP as a moment of any year. Values that an engine does not take give
way to others in their order, and the statements are evaluated again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tallystick.core.errors import TallystickError
from tallystick.core.queries.catalogue import Database
from tallystick.core.queries.interpreter.evaluation import evaluate
from tallystick.core.queries.interpreter.running import STEP_LIMIT
from tallystick.core.queries.types import MICROSECONDS_A_DAY, SqlValue
from tallystick.decision.queries.counterexamples.search import DistinguishingDatabase
from tallystick.frontends.sql.instants import END, FIRST, has_room
from tallystick.frontends.sql.reader import SqlPair
from tallystick.frontends.sql.uuids import is_shown

Columns = frozenset[tuple[str, int]]


def with_uuids(pair: SqlPair, found: DistinguishingDatabase) -> DistinguishingDatabase | None:
    """The difference with UUIDs in the columns of UUIDs, in the order of the texts that they replace there, and
    wherever else these stand, or there alone; None if the statements do not surely differ then."""
    texts = {value for value in _values(found.database, pair.uuids) if isinstance(value, str)}
    others = sorted(text for text in texts if not is_shown(text))
    if not others:
        return found
    made = {text: f"{number:08x}-0000-4000-8000-000000000000" for number, text in enumerate(others)}
    return _with(pair, found, made, None) or _with(pair, found, made, pair.uuids)


def with_instants(pair: SqlPair, found: DistinguishingDatabase) -> DistinguishingDatabase | None:
    """The difference with moments that columns of instants have room for, those before and after at the ends of the
    range, in their order; None if the statements do not surely differ then."""
    kept = _values(found.database, pair.instants)
    outside = sorted({value for value in kept if isinstance(value, int) and not has_room(value)})
    if not outside:
        return found
    early = [value for value in outside if value < FIRST]
    late = [value for value in outside if value >= END]
    made = {value: FIRST + at * MICROSECONDS_A_DAY for at, value in enumerate(early)}
    made |= {value: END - (len(late) - at) * MICROSECONDS_A_DAY for at, value in enumerate(late)}
    return _with(pair, found, made, pair.instants) if set(made.values()).isdisjoint(kept) else None


def _values(database: Database, columns: Columns) -> list[SqlValue]:
    return [row[place] for table, place in columns for row in database.get(table, ())]


def _with(
    pair: SqlPair, found: DistinguishingDatabase, made: Mapping[Any, SqlValue], columns: Columns | None
) -> DistinguishingDatabase | None:
    """The difference with other values in some columns, or in all; None if the statements do not surely differ then.
    Whether the database is a legal one, audits ask."""
    database: Database = {
        table: tuple(
            tuple(
                made.get(value, value) if columns is None or (table, place) in columns else value
                for place, value in enumerate(row)
            )
            for row in rows
        )
        for table, rows in found.database.items()
    }
    try:
        left, right = (evaluate(each, database, STEP_LIMIT, True) for each in (pair.left, pair.right))
    except TallystickError:
        return None
    return None if left.may_equal(right) else DistinguishingDatabase(database, left, right)
