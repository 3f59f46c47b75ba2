"""Differences on databases with MySQL's TIMESTAMP: the search knows it as a moment of any year."""

from __future__ import annotations

from tallystick.core.errors import TallystickError
from tallystick.core.queries.catalogue import Database
from tallystick.core.queries.interpreter.evaluation import evaluate
from tallystick.core.queries.interpreter.running import STEP_LIMIT
from tallystick.core.queries.types import MICROSECONDS_A_DAY, SqlValue
from tallystick.decision.queries.counterexamples.search import DistinguishingDatabase
from tallystick.frontends.sql.instants import END, FIRST, has_room
from tallystick.frontends.sql.reader import SqlPair


def with_instants(pair: SqlPair, found: DistinguishingDatabase) -> DistinguishingDatabase | None:
    """The difference with moments that columns of instants have room for, those before and after at the ends of the
    range, in their order; None if the statements do not surely differ then."""
    database = found.database
    kept = [row[place] for table, place in pair.instants for row in database.get(table, ())]
    outside = sorted({value for value in kept if isinstance(value, int) and not has_room(value)})
    if not outside:
        return found
    early = [value for value in outside if value < FIRST]
    late = [value for value in outside if value >= END]
    made: dict[SqlValue, SqlValue] = {value: FIRST + at * MICROSECONDS_A_DAY for at, value in enumerate(early)}
    made |= {value: END - (len(late) - at) * MICROSECONDS_A_DAY for at, value in enumerate(late)}
    if not set(made.values()).isdisjoint(kept):
        return None
    moved: Database = {
        table: tuple(
            tuple(
                made.get(value, value) if (table, place) in pair.instants else value for place, value in enumerate(row)
            )
            for row in rows
        )
        for table, rows in database.items()
    }
    try:
        left, right = (evaluate(each, moved, STEP_LIMIT, True) for each in (pair.left, pair.right))
    except TallystickError:
        return None
    return None if left.may_equal(right) else DistinguishingDatabase(moved, left, right)
