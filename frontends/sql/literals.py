"""Literals: numbers, dates, timestamps and intervals, and texts that stand for one of them."""

from __future__ import annotations

import re
from datetime import date
from fractions import Fraction
from typing import Final

from tallystick.core.queries.expressions import Literal
from tallystick.core.queries.types import (
    BOOLEAN,
    DATE,
    DECIMAL,
    INTEGER,
    MICROSECONDS,
    MONTHS,
    TEXT,
    TIMESTAMP,
    SqlType,
)
from tallystick.frontends.calendar import EPOCH, day, moment

LARGEST_EXPONENT: Final = 400

_NUMBER = re.compile(r"([+-]?)(\d+)(\.\d*)?([eE][+-]?\d+)?|([+-]?)(\.\d+)([eE][+-]?\d+)?", re.ASCII)

MONTHS_OF: Final = {"month": 1, "quarter": 3, "year": 12}
MICROSECONDS_OF: Final = {
    "microsecond": 1,
    "millisecond": 1_000,
    "second": 1_000_000,
    "minute": 60_000_000,
    "hour": 3_600_000_000,
    "day": 86_400_000_000,
    "week": 7 * 86_400_000_000,
}


def integer(value: int) -> Literal:
    """An integer literal."""
    return Literal(value, INTEGER)


def truth(value: bool) -> Literal:
    """TRUE or FALSE."""
    return Literal(value, BOOLEAN)


def number(text: str) -> Literal | None:
    """The number that a text denotes: an integer unless it has a point or an exponent; None if it is no number."""
    stripped = text.strip()
    if _NUMBER.fullmatch(stripped) is None:
        return None
    if re.fullmatch(r"[+-]?\d+", stripped):
        return integer(int(stripped)) if len(stripped) <= LARGEST_EXPONENT else None
    exponent = re.search(r"[eE]([+-]?\d+)$", stripped)
    if exponent and abs(int(exponent[1])) > LARGEST_EXPONENT:
        return None
    return Literal(Fraction(stripped), DECIMAL)


def interval(count: int, unit: str) -> Literal | None:
    """An interval of so many units; None if the unit is not known."""
    name = unit.lower().removesuffix("s")
    if name in MONTHS_OF:
        return Literal(count * MONTHS_OF[name], MONTHS)
    if name in MICROSECONDS_OF:
        return Literal(count * MICROSECONDS_OF[name], MICROSECONDS)
    return None


def converted(literal: Literal, to: SqlType) -> Literal | None:
    """A literal as a literal of another type, where all dialects agree on it; else None."""
    if literal.value is None:
        return Literal(None, to)
    if literal.type == to:
        return literal
    match literal.value, literal.type, to:
        case int(), SqlType.INTEGER, SqlType.DECIMAL:
            return Literal(Fraction(literal.value), DECIMAL)
        case Fraction(denominator=1), SqlType.DECIMAL, SqlType.INTEGER:
            return integer(int(literal.value))
        case int(), SqlType.INTEGER, SqlType.TEXT:
            return Literal(str(literal.value), TEXT)
        case int(), SqlType.DATE, SqlType.TIMESTAMP:
            return Literal(literal.value * MICROSECONDS_OF["day"], TIMESTAMP)
        case str(), SqlType.TEXT, SqlType.INTEGER | SqlType.DECIMAL:
            value = number(literal.value)
            return None if value is None or (value.type, to) == (DECIMAL, INTEGER) else converted(value, to)
        case str(), SqlType.TEXT, SqlType.DATE:
            return day(literal.value)
        case str(), SqlType.TEXT, SqlType.TIMESTAMP:
            return moment(literal.value)
        case _:
            return None


def day_before_text(text: str) -> Literal | None:
    """The date at the beginning of a text, as Spark casts it: what follows a blank or a T is ignored."""
    return day(re.split("[ T]", text.strip(), maxsplit=1)[0])


def months_later(days: int, months: int) -> Literal | None:
    """A date some months later, its last day where the month has no such day; None if no calendar has it."""
    try:
        return _months_later(days, months)
    except (ValueError, OverflowError):
        return None


def _months_later(days: int, months: int) -> Literal:
    at = date.fromordinal(EPOCH.toordinal() + days)
    year, month = divmod(at.year * 12 + at.month - 1 + months, 12)
    last = (date(year + (month == 11), (month + 1) % 12 + 1, 1) - date.resolution).day
    return Literal((date(year, month + 1, min(at.day, last)) - EPOCH).days, DATE)
