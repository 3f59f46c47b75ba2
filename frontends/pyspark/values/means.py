"""Means: floats that are exact quotients of a sum and a count, and 0 of no elements.

Two means are equal where the sums and counts are, so that programs that return means are compared as programs that
return these pairs (see `tallystick.decision.means`).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tallystick.core.terms import Operator, Term, apply_function, constant, equal, ite, tuple_of
from tallystick.core.types import INT, RATIONAL
from tallystick.frontends.pyspark.values.options import converted


@dataclass(frozen=True, slots=True)
class Mean:
    """The sum and the count, both ints."""

    total: Term
    count: Term

    @property
    def pair(self) -> Term:
        """The tuple of both."""
        return tuple_of(self.total, self.count)


def over(dividend: Term, divisor: Term) -> Term:
    """The exact quotient of two numbers, which raises where the second is 0."""
    return apply_function("quotient", RATIONAL, converted(dividend, RATIONAL), converted(divisor, RATIONAL))


def mean(total: Term, count: Term) -> Term:
    """The mean as a float."""
    return ite(equal(count, constant(0)), constant(Fraction(0)), over(total, count))


def guarded_mean(term: Term) -> Mean | None:
    """The mean of ints that a float is, and 0 of no elements, which never raises; None for other values."""
    if term.operator is not Operator.ITE or term.type != RATIONAL:
        return None
    condition, then, otherwise = term.arguments
    if condition.operator is Operator.NOT:
        condition, then, otherwise = condition.arguments[0], otherwise, then
    if otherwise.operator is not Operator.APPLY or otherwise.parameter[0] != "quotient":  # type: ignore[index]
        return None
    total, count = map(_without_conversion, otherwise.arguments)
    guarded = count.type == INT and condition is equal(count, constant(0)) and then is constant(Fraction(0))
    return Mean(total, count) if guarded and total.type == INT else None


def as_mean(term: Term) -> Mean | None:
    """The mean of ints that a float is, or a choice between such; None for other values."""
    direct = guarded_mean(term)
    if direct is not None or term.operator is not Operator.ITE or term.type != RATIONAL:
        return direct
    condition, then, otherwise = term.arguments
    one, other = as_mean(then), as_mean(otherwise)
    if one is None or other is None:
        return None
    return Mean(ite(condition, one.total, other.total), ite(condition, one.count, other.count))


def _without_conversion(number: Term) -> Term:
    return number.arguments[0] if number.operator is Operator.TO_RATIONAL else number
