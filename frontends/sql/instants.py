"""MySQL's TIMESTAMP: an instant from 1970 to 2038 in UTC, shown in the time zone of the session.

Which moments a column has room for hangs on that zone, so that proofs take none to be out of range, and differences are
shown on moments alone that each zone has. Source: MySQL 8, "The DATE, DATETIME, and TIMESTAMP Types".
"""

from __future__ import annotations

from typing import Final

from tallystick.core.queries.types import MICROSECONDS_A_DAY, SqlValue
from tallystick.frontends.sql.dialects import Dialect
from tallystick.frontends.sql.schema import Schema

NAME: Final = "TIMESTAMP"
FIRST: Final = 1 * MICROSECONDS_A_DAY
"""1970-01-02, a day behind the first instant."""
END: Final = 24_854 * MICROSECONDS_A_DAY
"""2038-01-18, a day before the last one."""


def instant_columns(schema: Schema, dialect: Dialect) -> frozenset[tuple[str, int]]:
    """The columns of that type, by their tables and places."""
    if dialect.name != "mysql":
        return frozenset()
    return frozenset(place for place, of in schema.types.items() if of.exact.partition("(")[0] == NAME)


def has_room(value: SqlValue) -> bool:
    """Whether such a column has room for a moment, whatever the time zone is."""
    return value is None or (isinstance(value, int) and FIRST <= value < END)
