"""Cuts from divisibility: bounds tightened modulo the equalities that hold on a branch.

The integer solutions of equalities E x = b form a shifted lattice. A unimodular change of variables brings E
to lower triangular form H (Hermite's normal form; Schrijver, Theory of Linear and Integer Programming,
section 4.1): the first coordinates are fixed by H, the others are free. A form a·x is then a constant plus
the gcd of its free coefficients times an integer, so its bounds round. The cut is the form's bound plus the
combination λ of equalities with λ H = the form's fixed coordinates; and a fixed coordinate that is no integer
is itself a form whose two rounded bounds contradict each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

from tallystick.certificates.forms import Form

Vector = dict[int, int]


@dataclass(frozen=True, slots=True)
class Equality:
    """A form that has one value only: `upper` states form ≤ value, `lower` states form ≥ value."""

    form: Vector
    value: int
    upper: Form
    lower: Form


@dataclass(frozen=True, slots=True)
class Bound:
    """form ≤ value, stated by an atom; a lower bound is the upper bound of the negated form."""

    form: Vector
    value: int
    atom: Form


class Lattice:
    """The integer solutions of some equalities."""

    def __init__(self, equalities: list[Equality]) -> None:
        self._forms: dict[int, Vector] = {}  # each new coordinate as a form in unknowns
        self._columns: dict[int, Vector] = {}  # each unknown in the new coordinates
        self._pivots: list[tuple[int, Vector, Equality]] = []  # the rows of H with their diagonal coordinates
        self._values: dict[int, Fraction] = {}  # of the fixed coordinates
        self._fixed: set[int] = set()
        self.inconsistent: list[list[tuple[Form, int]]] | None = None
        for equality in equalities:
            self._fix(equality)
            if self.inconsistent is not None:
                return

    def include(self, unknowns: Iterable[int]) -> None:
        """Give each unknown that no equality mentions a coordinate of its own."""
        for unknown in sorted(unknowns):
            if unknown not in self._columns:
                self._columns[unknown] = {unknown: 1}
                self._forms[unknown] = {unknown: 1}

    def _coordinates(self, form: Vector) -> Vector:
        self.include(form)
        result: Vector = {}
        for unknown, coefficient in form.items():
            for coordinate, part in self._columns[unknown].items():
                result[coordinate] = result.get(coordinate, 0) + coefficient * part
        return {coordinate: part for coordinate, part in result.items() if part}

    def _triangulate(self, form: Vector) -> tuple[int, Vector] | None:
        """Change coordinates until the form has one free coordinate, its pivot, which then counts as fixed.

        The form's row of H, or None when the form has no free coordinate.
        """
        while True:
            row = self._coordinates(form)
            free = [coordinate for coordinate in row if coordinate not in self._fixed]
            if not free:
                return None
            pivot = min(free, key=lambda coordinate: (abs(row[coordinate]), coordinate))
            others = [(other, row[other] // row[pivot]) for other in free if other != pivot]
            if not others:
                self._fixed.add(pivot)
                return pivot, row
            self._substitute(pivot, others)

    def _fix(self, equality: Equality) -> None:
        found = self._triangulate(equality.form)
        if found is None:
            return
        pivot, row = found
        self._pivots.append((pivot, row, equality))
        rest = sum(part * self._values[other] for other, part in row.items() if other != pivot)
        value = Fraction(equality.value - rest) / row[pivot]
        self._values[pivot] = value
        if value.denominator != 1:
            combination = self._solve({pivot: 1})
            opposite = [(equation, -factor) for equation, factor in combination]
            self.inconsistent = [_scaled(combination, None), _scaled(opposite, None)]

    def _substitute(self, pivot: int, others: list[tuple[int, int]]) -> None:
        """Replace coordinate `pivot` by itself plus Σ factor · other, a unimodular change."""
        form = self._forms[pivot]
        for other, factor in others:
            for unknown, part in self._forms[other].items():
                form[unknown] = form.get(unknown, 0) + factor * part
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

    def cut(self, bound: Bound) -> list[tuple[Form, int]] | None:
        """The combination that tightens a bound, or None when rounding gains nothing."""
        coordinates = self._coordinates(bound.form)
        fixed = {coordinate: part for coordinate, part in coordinates.items() if coordinate in self._values}
        divisor = gcd(*(part for coordinate, part in coordinates.items() if coordinate not in fixed))
        rest = bound.value - sum(part * self._values[coordinate] for coordinate, part in fixed.items())
        if divisor < 2 or rest % divisor == 0:
            return None
        return _scaled([(equality, -factor) for equality, factor in self._solve(fixed)], bound.atom)

    def nearby(self, value: Callable[[int], int | Fraction]) -> Vector:
        """Integers that satisfy the equalities: the coordinates of values that do, rounded down."""
        point = {coordinate: int(_at(form, value) // 1) for coordinate, form in self._forms.items()}
        return {
            unknown: sum(part * point[coordinate] for coordinate, part in column.items())
            for unknown, column in self._columns.items()
        }

    def narrow(self, forms: list[Vector], value: Callable[[int], int | Fraction]) -> tuple[Vector, int] | None:
        """The narrowest direction across some bounded forms: a coordinate, and its value rounded down.

        Where the forms were equalities, each would fix a coordinate; a bounded form has that coordinate's
        range times the diagonal entry of H. So the coordinate with the greatest entry varies least; one with
        entry 1 or integer value is no gain. The forms' coordinates count as fixed from now on.
        """
        best, width = None, 1
        for form in forms:
            found = self._triangulate(form)
            if found is not None:
                pivot, row = found
                at = _at(self._forms[pivot], value)
                if abs(row[pivot]) > width and at % 1:
                    best, width = (self._forms[pivot], int(at // 1)), abs(row[pivot])
        return best

    def fractional(self, value: Callable[[int], int | Fraction]) -> tuple[Vector, int]:
        """The coordinate that is farthest from an integer at some values, and that value rounded down."""
        form = max(self._forms.values(), key=lambda form: min(_at(form, value) % 1, -_at(form, value) % 1))
        return form, int(_at(form, value) // 1)


def _at(form: Vector, value: Callable[[int], int | Fraction]) -> int | Fraction:
    return sum([part * value(unknown) for unknown, part in form.items()])


def _scaled(combination: list[tuple[Equality, Fraction]], atom: Form | None) -> list[tuple[Form, int]]:
    """Integer multipliers for a combination of equalities, plus once an atom."""
    scale = lcm(*(factor.denominator for _, factor in combination))
    result = [] if atom is None else [(atom, scale)]
    for equality, factor in combination:
        result.append((equality.upper if factor > 0 else equality.lower, int(abs(factor) * scale)))
    return result
