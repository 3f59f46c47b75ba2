"""Linear terms over integer unknowns, in canonical form: c₁·x₁ + … + cₙ·xₙ + c, names ascending, no cᵢ = 0.

Equal polynomials are equal objects of this type, so linear terms serve as keys.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import gcd
from typing import NamedTuple

Coefficients = tuple[tuple[str, int], ...]


class Linear(NamedTuple):
    """A linear term.

    Attributes:
        coefficients: pairs of an unknown's name and its coefficient, ascending by name, no coefficient 0.
        constant: the summand without an unknown.
    """

    coefficients: Coefficients
    constant: int

    def coefficient(self, name: str) -> int:
        """The coefficient of the unknown `name`; 0 when it does not occur."""
        for other, factor in self.coefficients:
            if other == name:
                return factor
        return 0

    def plus(self, other: Linear) -> Linear:
        """The sum of two terms."""
        return combine(1, self, 1, other)

    def minus(self, other: Linear) -> Linear:
        """The difference of two terms."""
        return combine(1, self, -1, other)

    def times(self, factor: int) -> Linear:
        """`factor` times the term."""
        if factor == 0:
            return ZERO
        return Linear(tuple((name, factor * c) for name, c in self.coefficients), factor * self.constant)

    def shift(self, amount: int) -> Linear:
        """The term plus a constant."""
        return Linear(self.coefficients, self.constant + amount)

    def without(self, name: str) -> Linear:
        """The term without its summand in the unknown `name`."""
        return Linear(tuple(pair for pair in self.coefficients if pair[0] != name), self.constant)

    def content(self) -> int:
        """The greatest common divisor of the coefficients; 0 when no unknown occurs."""
        return gcd(*(factor for _, factor in self.coefficients))

    def names(self) -> tuple[str, ...]:
        """The unknowns that occur, ascending."""
        return tuple(name for name, _ in self.coefficients)

    def value(self, values: Mapping[str, int]) -> int:
        """The value of the term where unknowns have `values`; those without a value count as 0."""
        return self.constant + sum(factor * values.get(name, 0) for name, factor in self.coefficients)

    def substitute(self, name: str, replacement: Linear) -> Linear:
        """The term with `replacement` for the unknown `name`."""
        factor = self.coefficient(name)
        return combine(1, self.without(name), factor, replacement) if factor else self


def combine(a: int, left: Linear, b: int, right: Linear) -> Linear:
    """a·left + b·right."""
    merged = {name: a * factor for name, factor in left.coefficients}
    for name, factor in right.coefficients:
        merged[name] = merged.get(name, 0) + b * factor
    pairs = tuple(sorted(pair for pair in merged.items() if pair[1]))
    return Linear(pairs, a * left.constant + b * right.constant)


def constant(value: int) -> Linear:
    """The constant term `value`."""
    return Linear((), value)


def unknown(name: str, factor: int = 1) -> Linear:
    """`factor` times the unknown `name`; the factor is not 0."""
    return Linear(((name, factor),), 0)


def balanced(number: int, modulus: int) -> int:
    """The residue of a number that is nearest to 0."""
    residue = number % modulus
    return residue - modulus if 2 * residue > modulus else residue


ZERO = constant(0)
