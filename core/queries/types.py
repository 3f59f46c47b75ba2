"""The types of SQL values and of columns.

Values are exact. A decimal is a rational number, so neither precision nor scale is part of its type; a date is a number
of days and a timestamp a number of microseconds since 1 January 1970; an interval is a number of months or of
microseconds. NULL is None and belongs to every type.

Of the values of REAL, DOUBLE and OPAQUE (arrays, documents and the like) nothing is known but that they have an order.
They have no constants and no arithmetic, so that integers may stand for them: any finite number of them, in their
order. What is computed of them is a function by its name.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any
from typing import Literal as Choice

from tallystick.core.errors import SortError

SqlValue = int | bool | Fraction | str | None
SqlRow = tuple[SqlValue, ...]
Rounding = Choice["exact", "truncate", "floor"]
"""How a quotient is rounded: not at all (a decimal), towards zero, or down (an integer)."""


class SqlType(Enum):
    """The types of SQL values."""

    __hash__ = object.__hash__  # each is one object
    BOOLEAN = "boolean"
    INTEGER = "integer"
    DECIMAL = "decimal"
    TEXT = "text"
    DATE = "date"
    TIMESTAMP = "timestamp"
    MONTHS = "interval of months"
    MICROSECONDS = "interval of microseconds"
    REAL = "real"
    DOUBLE = "double"
    OPAQUE = "opaque"

    def __str__(self) -> str:
        return self.value


BOOLEAN = SqlType.BOOLEAN
INTEGER = SqlType.INTEGER
DECIMAL = SqlType.DECIMAL
TEXT = SqlType.TEXT
DATE = SqlType.DATE
TIMESTAMP = SqlType.TIMESTAMP
MONTHS = SqlType.MONTHS
MICROSECONDS = SqlType.MICROSECONDS
REAL = SqlType.REAL
DOUBLE = SqlType.DOUBLE
OPAQUE = SqlType.OPAQUE
FLOATS = frozenset({REAL, DOUBLE})
ORDERED_ONLY = FLOATS | {OPAQUE}
"""The types whose values are known by their order alone."""

MICROSECONDS_A_DAY = 86_400_000_000

PYTHON_TYPES: dict[SqlType, type] = {
    BOOLEAN: bool,
    INTEGER: int,
    DECIMAL: Fraction,
    TEXT: str,
    DATE: int,
    TIMESTAMP: int,
    MONTHS: int,
    MICROSECONDS: int,
    REAL: int,
    DOUBLE: int,
    OPAQUE: int,
}
"""The Python type, exactly, of the values of a SQL type that are not NULL."""


def convert(value: Any, source: SqlType, target: SqlType) -> SqlValue:
    """The conversion of a value that is not NULL: see `CASTS` in `expressions.py`."""
    if source == DATE:
        return value * MICROSECONDS_A_DAY
    return int(value) if target == INTEGER else Fraction(value)


@dataclass(frozen=True)
class ColumnType:
    """What a column may hold: values of `type`, and NULL if it is nullable."""

    type: SqlType
    nullable: bool

    def admits(self, value: object) -> bool:
        """Whether a Python value may stand in the column: True is no integer, and 1 is no decimal."""
        return self.nullable if value is None else type(value) is PYTHON_TYPES[self.type]

    def __str__(self) -> str:
        return f"{self.type}{'' if self.nullable else ' NOT NULL'}"


RowType = tuple[ColumnType, ...]


def admits_row(columns: RowType, row: object) -> bool:
    """Whether a Python value is a row of these columns."""
    return (
        isinstance(row, tuple)
        and len(row) == len(columns)
        and all(column.admits(value) for column, value in zip(columns, row, strict=True))
    )


def padded(columns: Iterable[ColumnType]) -> RowType:
    """The columns of the side of an outer join that is padded with NULLs."""
    return tuple(ColumnType(column.type, True) for column in columns)


def require(condition: bool, message: str) -> None:
    """Raises SortError with the message unless the condition holds."""
    if not condition:
        raise SortError(message)
