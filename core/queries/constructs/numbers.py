"""Arithmetic, division and conversions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING
from typing import Literal as Choice

from tallystick.core.queries.nodes import Binary, ExpressionNode, Literal
from tallystick.core.queries.types import (
    BOOLEAN,
    DATE,
    DECIMAL,
    INTEGER,
    MICROSECONDS,
    MONTHS,
    TIMESTAMP,
    Rounding,
    SqlType,
    require,
)

if TYPE_CHECKING:
    from tallystick.core.queries.expressions import Expression


OnZero = Choice["null", "error"]
"""What a division by zero gives."""


def _arithmetic() -> dict[tuple[str, SqlType, SqlType], SqlType]:
    table = {}
    for number in (INTEGER, DECIMAL):
        table |= {(operator, number, number): number for operator in "+-*"}
    for interval in (MONTHS, MICROSECONDS):
        table |= {(operator, interval, interval): interval for operator in "+-"}
        table |= {("*", interval, INTEGER): interval, ("*", INTEGER, interval): interval}
    table |= {("+", DATE, INTEGER): DATE, ("+", INTEGER, DATE): DATE, ("-", DATE, INTEGER): DATE}
    table |= {("+", TIMESTAMP, MICROSECONDS): TIMESTAMP, ("+", MICROSECONDS, TIMESTAMP): TIMESTAMP}
    table |= {("-", TIMESTAMP, MICROSECONDS): TIMESTAMP}
    return table | {("-", DATE, DATE): INTEGER, ("-", TIMESTAMP, TIMESTAMP): MICROSECONDS}


ARITHMETIC = _arithmetic()
"""The type of `left operator right`. Adding months to a date is a function, since it is not linear."""


@dataclass(frozen=True)
class Arithmetic(Binary):
    """`left operator right`, exact, NULL if either is. A date plus an integer counts days."""

    operator: Choice["+", "-", "*"]
    left: Expression
    right: Expression

    def __post_init__(self) -> None:
        require(
            (self.operator, self.left.type, self.right.type) in ARITHMETIC,
            f"{self.operator} does not apply to {self.left.type} and {self.right.type}",
        )

    @cached_property
    def type(self) -> SqlType:
        return ARITHMETIC[self.operator, self.left.type, self.right.type]


@dataclass(frozen=True)
class Division(Binary):
    """A quotient or a remainder, of numbers of one type."""

    left: Expression
    right: Expression
    rounding: Rounding
    on_zero: OnZero

    def __post_init__(self) -> None:
        numbers = self.left.type == self.right.type and self.left.type in (INTEGER, DECIMAL)
        require(numbers, f"{type(self).__name__} does not apply to {self.left.type} and {self.right.type}")
        require(self.rounding in ("exact", "truncate", "floor"), f"there is no rounding {self.rounding!r}")
        require(self.on_zero in ("null", "error"), f"a division by zero gives null or error, not {self.on_zero!r}")

    @cached_property
    def nullable(self) -> bool:
        never_zero = self.on_zero == "error" or (isinstance(self.right, Literal) and self.right.value != 0)
        return self.left.nullable or self.right.nullable or not never_zero


@dataclass(frozen=True)
class Divide(Division):
    """The quotient of two integers or two decimals: a decimal if exact, else an integer."""

    @property
    def type(self) -> SqlType:
        return DECIMAL if self.rounding == "exact" else INTEGER


@dataclass(frozen=True)
class Remainder(Division):
    """`left − right · q` where q is the quotient, rounded towards zero or down."""

    def __post_init__(self) -> None:
        super().__post_init__()
        require(self.rounding != "exact", "an exact quotient has no remainder")

    @property
    def type(self) -> SqlType:
        return self.left.type


CASTS = frozenset({(INTEGER, DECIMAL), (DATE, TIMESTAMP), (BOOLEAN, INTEGER), (BOOLEAN, DECIMAL)})
"""The conversions that are exact, total and the same in every dialect; true is 1. Others are functions."""


@dataclass(frozen=True)
class Cast(ExpressionNode):
    """One of the conversions in `CASTS`."""

    operand: Expression
    type: SqlType

    def __post_init__(self) -> None:
        known = (self.operand.type, self.type) in CASTS
        require(known, f"the cast of {self.operand.type} to {self.type} is a function, not a Cast")

    @property
    def nullable(self) -> bool:
        return self.operand.nullable

    @property
    def operands(self) -> tuple[Expression, ...]:
        return (self.operand,)
