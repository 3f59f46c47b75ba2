"""What values a column's declared type has room for: fewer than its type in the core has, as VARCHAR(3) says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from tallystick.core.queries.catalogue import Database
from tallystick.core.queries.interpreter.constraints import Violation
from tallystick.core.queries.types import SqlValue


@dataclass(frozen=True)
class Range:
    """The values of a declared type.

    Attributes:
        scale: the digits after the point of a number.
        least, greatest: of numbers, in units of the last digit.
        length: the most characters of a text.
    """

    scale: int | None = None
    least: int | None = None
    greatest: int | None = None
    length: int | None = None

    def __contains__(self, value: SqlValue) -> bool:
        if isinstance(value, str):
            return self.length is None or len(value) <= self.length
        if value is None or isinstance(value, bool) or self.scale is None:
            return True
        units = value * 10**self.scale
        if units.denominator != 1:
            return False
        return (self.least is None or self.least <= units) and (self.greatest is None or units <= self.greatest)


Ranges = Mapping[tuple[str, int], Range]
"""The ranges of columns, by table and position; a column without one has room for all values of its type."""
NO_RANGES: Ranges = MappingProxyType({})
ALL_VALUES = Range()
NO_VALUES = Range(scale=0, least=1, greatest=0, length=-1)
"""Room for NULL alone."""


def without_room(ranges: Ranges, database: Database) -> Violation | None:
    """The first value of a database that its column has no room for."""
    for (table, index), room in ranges.items():
        for number, row in enumerate(database.get(table, ())):
            if row[index] not in room:
                return table, number, f"the type of column {index + 1}"
    return None


def within(ranges: Ranges, violation: Callable[[Database], Violation | None]) -> Callable[[Database], Violation | None]:
    """What finds a broken constraint, or else a value that its column has no room for."""

    def found(database: Database) -> Violation | None:
        return violation(database) or without_room(ranges, database)

    return found if ranges else violation
