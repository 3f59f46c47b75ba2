"""Sums, products and quotients of terms."""

from __future__ import annotations

from fractions import Fraction

from tallystick.core.operators import Operator
from tallystick.core.queries.compilation.cells import to_decimal
from tallystick.core.queries.types import Rounding
from tallystick.core.terms import Term, add, apply_function, build, constant, ite, less, multiply, scale
from tallystick.core.types import INT, RATIONAL


def computed(operator: str, left: Term, right: Term) -> Term:
    """The sum, the difference or the product of two terms; a product with a constant is linear."""
    if operator != "*":
        return add(left, right if operator == "+" else scale(-1, right))
    for factor, other in ((left, right), (right, left)):
        if factor.operator is Operator.CONSTANT:
            return scale(factor.parameter, other)  # type: ignore[arg-type]
    return multiply(left, right)


def quotient(left: Term, right: Term, rounding: Rounding) -> Term:
    """A quotient of two integers, or of two rationals."""
    divisor = right.parameter if right.operator is Operator.CONSTANT else 0
    if divisor and rounding == "exact":
        return scale(Fraction(1, divisor), to_decimal(left))  # type: ignore[arg-type]
    if divisor and left.type == INT:
        size, dividend = abs(divisor), left if divisor > 0 else scale(-1, left)  # type: ignore[operator, arg-type]
        floor = build(Operator.DIV, (dividend,), size)
        if rounding == "floor" or size == 1:
            return floor
        negative = scale(-1, build(Operator.DIV, (scale(-1, dividend),), size))
        return ite(less(dividend, constant(0)), negative, floor)
    of = RATIONAL if rounding == "exact" else INT
    return apply_function(f"quotient {rounding}", of, to_decimal(left), to_decimal(right))
