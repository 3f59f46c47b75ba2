"""What values a column's declared type has room for: fewer than its type in the core has, as VARCHAR(3) says."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from tallystick.core.queries.types import BOOLEAN, DECIMAL, TEXT, TIMESTAMP, SqlType, SqlValue

MOST_DIGITS: Final = 1_000
"""Digits after the point of a number, at most."""
MICROSECOND: Final = 6
"""Digits of a second that moments have."""


@dataclass(frozen=True)
class Range:
    """The values of a declared type, and NULL.

    Attributes:
        scale: the digits after the point of a decimal; 0 for integers, days, and other types that count. Moments, which
            count microseconds, have a scale below 0 where they have no digits behind: -6 if seconds are whole.
        least, greatest: of numbers, in units of the last digit; None where there is no such bound.
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
        units, rest = divmod(value.numerator * 10 ** max(self.scale, 0), value.denominator * 10 ** max(-self.scale, 0))
        if rest:
            return False
        return (self.least is None or self.least <= units) and (self.greatest is None or units <= self.greatest)

    @property
    def unit(self) -> Fraction:
        """What the last digit counts."""
        return Fraction(10) ** -(self.scale or 0)

    @property
    def bounded(self) -> bool:
        """Whether numbers have a bound."""
        return self.least is not None or self.greatest is not None

    def is_of(self, type_: SqlType) -> bool:
        """Whether it says something of the values of a type, and nothing of others."""
        if type_ in (TEXT, BOOLEAN):
            return type_ == TEXT and self.length is not None and self.scale is None and not self.bounded
        counts = self.scale == 0 and self.bounded
        digits = type_ == DECIMAL and self.scale is not None and 0 <= self.scale <= MOST_DIGITS
        moments = type_ == TIMESTAMP and self.scale is not None and -MICROSECOND <= self.scale < 0
        return self.length is None and (counts or digits or moments)

    def is_within(self, other: Range) -> bool:
        """Whether each value is in the other range, which is of the same type."""
        if self.scale is None or other.scale is None:
            return self.scale == other.scale and (self.length or 0) <= (other.length or 0)
        own, others = self.unit, other.unit
        above = other.least is None or (self.least is not None and other.least * others <= self.least * own)
        below = other.greatest is None or (self.greatest is not None and self.greatest * own <= other.greatest * others)
        return self.scale <= other.scale and above and below
