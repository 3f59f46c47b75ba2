"""Values of core programs as Python has them: lists and sets for their codes, dates for numbers of days."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from fractions import Fraction
from math import inf, nan
from typing import Any

from tallystick.core.types import RATIONAL, BagType, IntType, RationalType, TupleType, Type
from tallystick.frontends.pyspark.named_functions.coding import decoded
from tallystick.frontends.pyspark.named_functions.pure_types import pure_type
from tallystick.frontends.pyspark.values.coded_types import CodedType
from tallystick.frontends.pyspark.values.nominal_types import (
    DATE,
    DATETIME,
    DECIMAL,
    EPOCH,
    FRACTION,
    PARTIAL_FLOATS,
    TIMEDELTA,
    NominalType,
)
from tallystick.frontends.pyspark.values.options import is_option


class Written(str):
    """A text that is shown without quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def as_python(value: Any, of: Type | None) -> Any:
    """The value that a program has for one of a core program.

    Args:
        value: as `options.python_value` gives it; a bag as the list of its elements.
        of: its type in the source; None, or another one, where that is not known, and the value is kept.

    Floats that are exact quotients only stay such, and so do days and moments that Python has no date for.
    """
    match of:
        case BagType(element) if isinstance(value, list):
            return [as_python(each, element) for each in value]
        case RationalType() | IntType() if isinstance(value, Fraction):
            return _number(value, of)
        case CodedType():
            return Written(_written(decoded(pure_type(of, {}), value)))
        case NominalType() if isinstance(value, tuple) and len(value) == 1:
            return _of_class(of, value[0])
        case TupleType() if is_option(of) and value is not None:
            return as_python(value, of.components[1])
        case TupleType(parts) if isinstance(value, tuple) and len(parts) == len(value):
            return tuple(map(as_python, value, parts))
    return value


def _number(number: Fraction, of: Type) -> int | float | Fraction:
    if isinstance(of, IntType):
        return int(number) if number.denominator == 1 else number
    try:
        return float(number) if Fraction(float(number)) == number else number
    except OverflowError:
        return number


def _of_class(of: NominalType, content: Any) -> Any:
    """A value of a class, of what core programs have for it."""
    if of in PARTIAL_FLOATS:
        there, number = content
        return _number(number, RATIONAL) if there else {0: nan, 1: inf, -1: -inf}[number]
    if of.members:
        return Written(f"{of}.{of.members[content]}") if 0 <= content < len(of.members) else (content,)
    try:
        match of:
            case _ if of == DATE:
                return (EPOCH + timedelta(days=content)).date()
            case _ if of == DATETIME:
                return EPOCH + timedelta(microseconds=content)
            case _ if of == TIMEDELTA:
                return timedelta(microseconds=content)
            case _ if of == FRACTION:
                return content
            case _ if of == DECIMAL and _is_decimal(content):
                return Decimal(content.numerator) / Decimal(content.denominator)
    except OverflowError:
        pass
    return (content,)


def _is_decimal(number: Fraction) -> bool:
    """Whether a number has a decimal of so many digits as Python computes with."""
    exact = Decimal(number.numerator) / Decimal(number.denominator)
    return Fraction(exact) == number


def _written(value: Any) -> str:
    """A list, set or tuple in Python's notation; sets in order, so that equal ones are shown alike."""
    if isinstance(value, frozenset):
        return "{" + ", ".join(sorted(map(_written, value))) + "}" if value else "set()"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_written(key)}: {_written(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return f"[{', '.join(map(_written, value))}]"
    if isinstance(value, tuple):
        return f"({', '.join(map(_written, value))}{',' * (len(value) == 1)})"
    return repr(value)
