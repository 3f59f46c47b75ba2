"""Which inputs a program can get: values of core types that are also values of the classes of its parameters.

A date is a number of days in core programs, of which Python has a first and a last; a line of a file is a text that
holds no end of a line. A proof about all numbers and texts is one about these, but a counterexample has to be one of
them.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, timedelta
from typing import Any, Final

from tallystick.core.types import BagType, TupleType, Type
from tallystick.frontends.pyspark.values.nominal_types import DATE, DATETIME, TIMEDELTA, NominalType, days, microseconds
from tallystick.frontends.pyspark.values.options import is_option

_MICROSECOND: Final = timedelta(microseconds=1)
_BOUNDS: Final[dict[Type, tuple[int, int]]] = {
    DATE: (days(date.min), days(date.max)),
    DATETIME: (microseconds(datetime.min), microseconds(datetime.max)),
    TIMEDELTA: (timedelta.min // _MICROSECOND, timedelta.max // _MICROSECOND),
}


def why_impossible(of: Type, value: Any) -> str | None:
    """Why a value of the core is no value of a type of the source, in words; None where it is one.

    Args:
        of: the type that the program declares.
        value: of the core type that stands for it; a bag is a dictionary from elements to how often they occur.
    """
    match of:
        case BagType(element):
            return _first(why_impossible(element, each) for each in value)
        case NominalType():
            first, last = _BOUNDS.get(of, (value[0], value[0]))
            return None if first <= value[0] <= last else f"there is no {of} with the number {value[0]}"
        case TupleType() if is_option(of) and not value[0][0]:
            return None  # what is None holds no value
        case TupleType(parts):
            return _first(why_impossible(part, each) for part, each in zip(parts, value, strict=True))
    return None


def why_no_lines(lines: Iterable[str]) -> str | None:
    """Why texts are not the lines of a file, in words; None where they may be."""
    ends = any(end in line for line in lines for end in "\n\r")
    return "a line of a file holds no end of a line" if ends else None


def _first(reasons: Iterable[str | None]) -> str | None:
    return next((reason for reason in reasons if reason is not None), None)
