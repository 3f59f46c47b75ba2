"""Differences on databases with UUIDs: the search knows them as texts, few of which an engine takes for UUIDs."""

from __future__ import annotations

from tallystick.core.errors import TallystickError
from tallystick.core.queries.catalogue import Database
from tallystick.core.queries.interpreter.evaluation import evaluate
from tallystick.core.queries.interpreter.running import STEP_LIMIT
from tallystick.core.queries.types import SqlValue
from tallystick.decision.queries.counterexamples.search import DistinguishingDatabase
from tallystick.frontends.sql.reader import SqlPair
from tallystick.frontends.sql.uuids import is_shown


def with_uuids(pair: SqlPair, found: DistinguishingDatabase) -> DistinguishingDatabase | None:
    """The difference with UUIDs in the columns of UUIDs, in the order of the texts that they replace there, and
    wherever else these stand, or there alone; None if the statements do not surely differ then."""
    database = found.database
    texts = {
        row[place] for table, place in pair.uuids for row in database.get(table, ()) if isinstance(row[place], str)
    }
    others = sorted(str(text) for text in texts if not is_shown(str(text)))
    if not others:
        return found
    made: dict[SqlValue, SqlValue] = {
        text: f"{number:08x}-0000-4000-8000-000000000000" for number, text in enumerate(others)
    }
    for columns in (None, pair.uuids):
        renamed: Database = {
            table: tuple(
                tuple(
                    made.get(value, value) if columns is None or (table, place) in columns else value
                    for place, value in enumerate(row)
                )
                for row in rows
            )
            for table, rows in database.items()
        }
        try:
            left, right = (evaluate(each, renamed, STEP_LIMIT, True) for each in (pair.left, pair.right))
        except TallystickError:
            continue
        if not left.may_equal(right):
            return DistinguishingDatabase(renamed, left, right)
    return None
