"""Quotients and roots of exact numbers."""

from __future__ import annotations

from fractions import Fraction
from math import floor, isqrt, trunc
from typing import Any, assert_never

from tallystick.core.queries.interpreter.running import Undetermined
from tallystick.core.queries.types import Rounding


def quotient(left: Any, right: Any, rounding: Rounding) -> Any:
    """The quotient by a number that is not 0, rounded."""
    exact = Fraction(left, right)
    match rounding:
        case "exact":
            return exact
        case "truncate":
            return trunc(exact)
        case "floor":
            return floor(exact)
        case _:
            assert_never(rounding)


def square_root(number: Fraction) -> Fraction:
    """The root of a square. Raises Undetermined for other numbers."""
    root = Fraction(isqrt(max(number.numerator, 0)), isqrt(number.denominator))
    if root**2 != number:
        raise Undetermined("dialects differ in roots that are no rational numbers")
    return root
