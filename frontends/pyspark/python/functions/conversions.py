"""Functions that make a value of another type: bool, int, str, float, Decimal, Fraction, round."""

from __future__ import annotations

import ast
from fractions import Fraction
from typing import Final

from tallystick.core.terms import Term, conjunction, constant, disjunction, equal, ite, less
from tallystick.core.types import BOOL, INT, RATIONAL
from tallystick.frontends.pyspark.python import arithmetic, texts
from tallystick.frontends.pyspark.python.arithmetic import combine, exactly, integer
from tallystick.frontends.pyspark.python.functions.arguments import number_or_bool, only_argument, value_of_bool
from tallystick.frontends.pyspark.python.truth import truth
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values import dates
from tallystick.frontends.pyspark.values.describing import basic, constant_value, literal
from tallystick.frontends.pyspark.values.kinds import (
    Builtin,
    Value,
)
from tallystick.frontends.pyspark.values.nominal_types import DECIMAL, EXACT, FRACTION, PARTIAL_FLOATS, wrapped
from tallystick.frontends.pyspark.values.partial_floats import computed, is_nan

MOST_DIGITS: Final = 40


def _bool(place: Place, values: list[Value]) -> Term:
    """Python's truth of a value."""
    return truth(only_argument(place, values, "bool"), place, "the argument of `bool`")


def _int(place: Place, values: list[Value]) -> Term:
    """int of an int, a bool or a text, which raises for a text that is no number."""
    if values and isinstance(values[0], Term) and values[0].type in (RATIONAL, *EXACT):
        return texts.applied("truncate", arithmetic.rational(values[0], place, "the argument of `int`"))
    if values and texts.is_text(values[0]):
        return texts.applied("int", texts.text(only_argument(place, values, "int"), place, "the argument of `int`"))
    return number_or_bool(only_argument(place, values, "int"), place, "the argument of `int`")


def _str(place: Place, values: list[Value]) -> Term:
    """str of a text, an int, a bool, a date or a datetime."""
    if len(values) == 1 and isinstance(values[0], Term) and (known := dates.shown(values[0], "", place)) is not None:
        return known
    return texts.shown(only_argument(place, values, "str"), place, "the argument of `str`")


def _decimal(place: Place, values: list[Value]) -> Value:
    """Decimal of an int, a text or a Decimal; of a float it is not what people mean."""
    whole = only_argument(place, values, "Decimal")
    if texts.is_text(whole):
        number = texts.applied("number", texts.text(whole, place, "the argument of `Decimal`"))
        return wrapped(DECIMAL, number)
    if isinstance(whole, Term) and whole.type == RATIONAL:
        raise place.error("`Decimal` of a float is not supported", "give it a text or an int")
    return wrapped(DECIMAL, arithmetic.rational(whole, place, "the argument of `Decimal`"))


def _fraction(place: Place, values: list[Value]) -> Term:
    """Fraction of one number, or the exact quotient of two ints or Fractions, which raises where the second is 0."""
    if len(values) == 1 and texts.is_text(values[0]):
        return wrapped(FRACTION, constant(_of_constant(values[0], place)))
    if not 1 <= len(values) <= 2:
        raise place.error(f"`Fraction` is supported of one or two arguments, not of {len(values)}")
    numbers = [basic(each, place, "an argument of `Fraction`") for each in values]
    if any(each.type in (RATIONAL, DECIMAL) for each in numbers):
        raise place.error("`Fraction` of a float or a Decimal is not supported", "make it of ints")
    if len(numbers) == 1:
        return wrapped(FRACTION, arithmetic.rational(numbers[0], place, "the argument of `Fraction`"))
    quotient = arithmetic.divide(place, *numbers)
    return quotient if quotient.type == FRACTION else wrapped(FRACTION, quotient)


def _of_constant(value: Value, place: Place) -> Fraction:
    """The number that a constant text means, as in `Fraction("1/3")`."""
    known = constant_value(value)
    try:
        if isinstance(known, str) and len(known) <= MOST_DIGITS and "e" not in known.lower():
            return Fraction(known)
    except (ValueError, ZeroDivisionError):
        raise place.error("this text is no fraction, which raises ValueError", "write `Fraction(1, 3)`") from None
    raise place.error("`Fraction` of a text that is no constant is not supported", "write `Fraction(int(a), int(b))`")


def _float(place: Place, values: list[Value]) -> Term:
    """float of a number or of a text."""
    whole = only_argument(place, values, "float")
    if isinstance(whole, Term) and whole.type in PARTIAL_FLOATS:
        return whole
    if texts.is_text(whole):
        return texts.applied("number", texts.text(whole, place, "the argument of `float`"))
    if isinstance(whole, Term) and whole.type == BOOL:
        return arithmetic.rational(value_of_bool(whole), place, "the argument of `float`")
    return arithmetic.rational(whole, place, "the argument of `float`")


def _rounded(place: Place, values: list[Value]) -> Value:
    """round of a number, perhaps to constant digits."""
    if not 1 <= len(values) <= 2:
        raise place.error(f"`round` takes one or two arguments, not {len(values)}")
    number = basic(values[0], place, "the argument of `round`")
    if is_nan(number) and len(values) == 2:
        digits = integer(values[1], place, "the digits of `round`")
        return computed(lambda exact: texts.applied("round to", exact, digits), [number])
    if number.type == INT:
        return number if len(values) == 1 else _to_multiple(number, values[1], place)
    exact = arithmetic.rational(number, place, "the argument of `round`")
    if len(values) == 1:
        return texts.applied("round", exact)
    digits = integer(values[1], place, "the digits of `round`")
    return arithmetic.as_number(number.type, texts.applied("round to", exact, digits))


def _to_multiple(number: Term, digits: Value, place: Place) -> Term:
    """round of an int to constant digits: itself, or the next multiple of 10, 100, …; of two, that of the even one."""
    known = literal(digits)
    if type(known) is not int or known < -MOST_DIGITS:
        raise place.error("the digits of `round` of an int must be a constant", "divide by a constant")
    if known >= 0:
        return number
    unit = constant(10**-known)
    below = arithmetic.floor_divide(place, number, unit)
    rest = arithmetic.times(place, constant(2), arithmetic.remainder(place, number, unit))
    is_odd = equal(arithmetic.remainder(place, below, constant(2)), constant(1))
    up = disjunction(less(unit, rest), conjunction(equal(unit, rest), is_odd))
    return arithmetic.times(place, unit, arithmetic.plus(place, below, ite(up, constant(1), constant(0))))


def _power(place: Place, values: list[Value]) -> Term:
    """pow of a number and a constant exponent."""
    return combine(place, ast.Pow, *exactly(place, values, 2, "pow"))


FRACTIONS_MODULE: Final = {"Fraction": Builtin("Fraction", _fraction)}
FUNCTIONS: Final = {
    "Decimal": Builtin("Decimal", _decimal),
    "abs": Builtin("abs", arithmetic.absolute),
    "bool": Builtin("bool", _bool),
    "divmod": Builtin("divmod", arithmetic.quotient_and_remainder),
    "float": Builtin("float", _float),
    "int": Builtin("int", _int),
    "pow": Builtin("pow", _power),
    "round": Builtin("round", _rounded),
    "str": Builtin("str", _str),
}
