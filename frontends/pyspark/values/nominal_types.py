"""Types of values that are one number with a class of its own: dates, times, decimals, fractions, members of enums.

While a program is read, the type says the class, so that `day.year` is understood and a date is no int. What the
program means in the end has tuples of one component: days or microseconds since 2000-01-01, the value of a decimal
or of a fraction, the place of a member.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from tallystick.core.terms import Operator, Term, build, project
from tallystick.core.types import BOOL, INT, RATIONAL, BasicType, TupleType, Type

EPOCH: Final = datetime(2000, 1, 1)
DAY: Final = 86_400_000_000
"""Microseconds of a day."""


@dataclass(frozen=True, slots=True)
class NominalType(TupleType):
    """The type of a class's values, which are one component in core programs.

    Attributes:
        name: of the class.
        members: of an enum, in order, and their values; whether a member is a value of another class, too: is_mixed.
        by_identity: whether a value equals nothing but itself, so that values are never compared, hashed or returned.
    """

    name: str
    members: tuple[str, ...] = ()
    values: tuple[Term, ...] = ()
    is_mixed: bool = False
    by_identity: bool = False

    def __str__(self) -> str:
        return self.name


def _nominal(name: str, of: BasicType = INT) -> NominalType:
    return NominalType((of,), name)


DATE: Final = _nominal("date")
DATETIME: Final = _nominal("datetime")
TIMEDELTA: Final = _nominal("timedelta")
DECIMAL: Final = _nominal("Decimal", RATIONAL)
FRACTION: Final = _nominal("Fraction", RATIONAL)
EXACT: Final = (DECIMAL, FRACTION)
"""Classes of numbers that are exact quotients in core programs."""

_PARTIAL: Final = TupleType((BOOL, RATIONAL))
FLOAT_OR_NAN: Final = _nominal("float or nan", _PARTIAL)
FLOAT_OR_INFINITY: Final = _nominal("float or inf", _PARTIAL)
PARTIAL_FLOATS: Final = (FLOAT_OR_NAN, FLOAT_OR_INFINITY)
"""Floats of which some values are no exact numbers: pairs of whether it is one, and it; or 0 for nan, ±1 for ±inf."""


def is_nominal(of: Type) -> bool:
    """Whether values of a type are of a class of their own."""
    return isinstance(of, NominalType)


def wrapped(of: NominalType, content: Term) -> Term:
    """The value of a class with this content."""
    return build(Operator.TUPLE, (content,), of)


def content(term: Term) -> Term:
    """What a value of a class holds."""
    return project(term, 0)


def days(day: date) -> int:
    """The number of a day."""
    return day.toordinal() - EPOCH.toordinal()


def microseconds(moment: datetime) -> int:
    """The number of a microsecond."""
    difference = moment - EPOCH
    return difference.days * DAY + difference.seconds * 1_000_000 + difference.microseconds
