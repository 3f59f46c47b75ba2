"""Cuts from divisibility: bounds tightened modulo the equalities that hold on a branch.

The integer solutions of equalities E x = b form a shifted lattice. A unimodular change of variables brings E
to lower triangular form H (Hermite's normal form; Schrijver, Theory of Linear and Integer Programming, section
4.1): the first coordinates are fixed by H, the others are free. A form a·x is then a constant plus the gcd of
its free coefficients times an integer, so its bounds round. The cut is the form's bound plus the combination
λ of equalities with λ H = the form's fixed coordinates; and a fixed coordinate that is no integer is itself a
form whose two rounded bounds contradict each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

from tallystick.certificates.facts import Atom

Vector = dict[int, int]


@dataclass(frozen=True, slots=True)
class Equality:
    """A form that has one value only: `upper` states form ≤ value, `lower` states form ≥ value."""

    form: Vector
    value: int
    upper: Atom
    lower: Atom


@dataclass(frozen=True, slots=True)
class Bound:
    """form ≤ value, stated by an atom; a lower bound is the upper bound of the negated form."""

    form: Vector
    value: int
    atom: Atom


class Lattice:
    """The integer solutions of some equalities."""

    def __init__(self, equalities: list[Equality]) -> None:
        self._columns: dict[int, Vector] = {}  # each unknown in the new coordinates
        self._pivots: list[tuple[int, Vector, Equality]] = []  # the rows of H with their diagonal coordinates
        self._values: dict[int, Fraction] = {}  # of the fixed coordinates
        self.inconsistent: list[list[tuple[Atom, int]]] | None = None
        for equality in equalities:
            self._fix(equality)
            if self.inconsistent is not None:
                return

    def _coordinates(self, form: Vector) -> Vector:
        result: Vector = {}
        for unknown, coefficient in form.items():
            column = self._columns.get(unknown)
            if column is None:
                column = self._columns[unknown] = {unknown: 1}
            for coordinate, part in column.items():
                result[coordinate] = result.get(coordinate, 0) + coefficient * part
        return {coordinate: part for coordinate, part in result.items() if part}

    def _fix(self, equality: Equality) -> None:
        row = self._coordinates(equality.form)
        while True:
            free = [coordinate for coordinate in row if coordinate not in self._values]
            if not free:
                return
            pivot = min(free, key=lambda coordinate: (abs(row[coordinate]), coordinate))
            others = [(other, row[other] // row[pivot]) for other in free if other != pivot]
            if not others:
                break
            self._substitute(pivot, others)
            row = self._coordinates(equality.form)
        self._pivots.append((pivot, row, equality))
        rest = sum(part * self._values[other] for other, part in row.items() if other != pivot)
        value = Fraction(equality.value - rest) / row[pivot]
        self._values[pivot] = value
        if value.denominator != 1:
            combination = self._solve({pivot: 1})
            opposite = [(equation, -factor) for equation, factor in combination]
            self.inconsistent = [_scaled(combination, None), _scaled(opposite, None)]

    def _substitute(self, pivot: int, others: list[tuple[int, int]]) -> None:
        """Replace coordinate `pivot` by itself minus Σ factor · other, a unimodular change."""
        for column in self._columns.values():
            amount = column.get(pivot, 0)
            if amount:
                for other, factor in others:
                    column[other] = column.get(other, 0) - amount * factor

    def _solve(self, fixed: Vector) -> list[tuple[Equality, Fraction]]:
        """λ with λ H = the given fixed coordinates, by back substitution."""
        remaining = {coordinate: Fraction(part) for coordinate, part in fixed.items()}
        result: list[tuple[Equality, Fraction]] = []
        for pivot, row, equality in reversed(self._pivots):
            amount = remaining.get(pivot, 0)
            if amount:
                factor = Fraction(amount) / row[pivot]
                result.append((equality, factor))
                for coordinate, part in row.items():
                    remaining[coordinate] = remaining.get(coordinate, Fraction(0)) - factor * part
        return result

    def cut(self, bound: Bound) -> list[tuple[Atom, int]] | None:
        """The combination that tightens a bound, or None when rounding gains nothing."""
        coordinates = self._coordinates(bound.form)
        fixed = {coordinate: part for coordinate, part in coordinates.items() if coordinate in self._values}
        divisor = gcd(*(part for coordinate, part in coordinates.items() if coordinate not in fixed))
        rest = bound.value - sum(part * self._values[coordinate] for coordinate, part in fixed.items())
        if divisor < 2 or rest % divisor == 0:
            return None
        return _scaled([(equality, -factor) for equality, factor in self._solve(fixed)], bound.atom)


def _scaled(combination: list[tuple[Equality, Fraction]], atom: Atom | None) -> list[tuple[Atom, int]]:
    """Integer multipliers for a combination of equalities, plus once an atom."""
    scale = lcm(*(factor.denominator for _, factor in combination))
    result = [] if atom is None else [(atom, scale)]
    for equality, factor in combination:
        result.append((equality.upper if factor > 0 else equality.lower, int(abs(factor) * scale)))
    return result
