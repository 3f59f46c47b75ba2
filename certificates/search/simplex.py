"""The general simplex with bounds, exact and incremental (Dutertre and de Moura, CAV 2006, section 3).

Each variable of the tableau is an integer unknown or a linear form in unknowns. A row states
denominator · basic = Σ coefficient · nonbasic, in integers. Bounds are integers, each with the atom that
gives it, so nonbasic variables always have integer values. A conflict is a combination of atoms whose sum is
contradictory (Farkas' lemma). Bounds are undone by a trail; rows and values stay, since they satisfy looser
bounds as well.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import gcd

from tallystick.certificates.forms import Form

Conflict = list[tuple[Form, int]]


class Row:
    """denominator · basic = Σ coefficients[x] · x over nonbasic x; `numerator` is the value of that sum."""

    __slots__ = ("coefficients", "denominator", "numerator")

    def __init__(self, denominator: int, coefficients: dict[int, int], numerator: int) -> None:
        self.denominator = denominator
        self.coefficients = coefficients
        self.numerator = numerator


class Simplex:
    """A tableau, bounds on its variables, and values that satisfy the tableau and the nonbasic bounds."""

    def __init__(self) -> None:
        self.lower: list[int | None] = []
        self.upper: list[int | None] = []
        self.lower_atom: list[Form | None] = []
        self.upper_atom: list[Form | None] = []
        self.rows: dict[int, Row] = {}
        self._values: list[int] = []
        self._trail: list[tuple[bool, int, int | None, Form | None]] = []

    def new_variable(self) -> int:
        """A fresh unbounded variable of value 0."""
        self.lower.append(None)
        self.upper.append(None)
        self.lower_atom.append(None)
        self.upper_atom.append(None)
        self._values.append(0)
        return len(self._values) - 1

    def start(self, variable: int, value: int) -> None:
        """Give a fresh variable another value than 0 to start from."""
        self._values[variable] = value

    def new_form(self, form: Iterable[tuple[int, int]]) -> int:
        """A fresh variable that equals Σ coefficient · variable."""
        row = Row(1, {}, 0)
        for variable, coefficient in form:
            self._add_multiple(row, variable, coefficient)
        result = self.new_variable()
        self.rows[result] = row
        return result

    def _add_multiple(self, row: Row, variable: int, coefficient: int) -> None:
        basic = self.rows.get(variable)
        if basic is None:
            _add(row.coefficients, variable, coefficient * row.denominator)
            row.numerator += coefficient * row.denominator * self._values[variable]
            return
        factor = basic.denominator // gcd(basic.denominator, row.denominator)
        _multiply(row, factor)
        scale = coefficient * row.denominator // basic.denominator
        for other, part in basic.coefficients.items():
            _add(row.coefficients, other, scale * part)
        row.numerator += scale * basic.numerator

    def value(self, variable: int) -> int | Fraction:
        """The present value of a variable."""
        row = self.rows.get(variable)
        if row is None:
            return self._values[variable]
        quotient, remainder = divmod(row.numerator, row.denominator)
        return Fraction(row.numerator, row.denominator) if remainder else quotient

    def mark(self) -> int:
        """The present bounds, for `restore`."""
        return len(self._trail)

    def restore(self, mark: int) -> None:
        """Undo the bounds that were asserted since `mark`."""
        while len(self._trail) > mark:
            is_upper, variable, bound, atom = self._trail.pop()
            if is_upper:
                self.upper[variable], self.upper_atom[variable] = bound, atom
            else:
                self.lower[variable], self.lower_atom[variable] = bound, atom

    def assert_upper(self, variable: int, bound: int, atom: Form) -> Conflict | None:
        """Assume variable ≤ bound; the conflict with its lower bound, if any."""
        old = self.upper[variable]
        if old is not None and old <= bound:
            return None
        lower = self.lower[variable]
        if lower is not None and lower > bound:
            return [(self.lower_atom[variable], 1), (atom, 1)]  # type: ignore[list-item]
        self._trail.append((True, variable, old, self.upper_atom[variable]))
        self.upper[variable], self.upper_atom[variable] = bound, atom
        if variable not in self.rows and self._values[variable] > bound:
            self._move(variable, bound)
        return None

    def assert_lower(self, variable: int, bound: int, atom: Form) -> Conflict | None:
        """Assume variable ≥ bound; the conflict with its upper bound, if any."""
        old = self.lower[variable]
        if old is not None and old >= bound:
            return None
        upper = self.upper[variable]
        if upper is not None and upper < bound:
            return [(self.upper_atom[variable], 1), (atom, 1)]  # type: ignore[list-item]
        self._trail.append((False, variable, old, self.lower_atom[variable]))
        self.lower[variable], self.lower_atom[variable] = bound, atom
        if variable not in self.rows and self._values[variable] < bound:
            self._move(variable, bound)
        return None

    def _move(self, nonbasic: int, value: int) -> None:
        difference = value - self._values[nonbasic]
        self._values[nonbasic] = value
        for row in self.rows.values():
            coefficient = row.coefficients.get(nonbasic)
            if coefficient is not None:
                row.numerator += coefficient * difference

    def check(self) -> Conflict | None:
        """Move to values that satisfy all bounds, by Bland's rule; or a conflict when there are none."""
        lower, upper = self.lower, self.upper
        while True:
            violated, above = -1, False
            for basic, row in self.rows.items():
                if violated < 0 or basic < violated:
                    bound = lower[basic]
                    if bound is not None and row.numerator < bound * row.denominator:
                        violated, above = basic, False
                        continue
                    bound = upper[basic]
                    if bound is not None and row.numerator > bound * row.denominator:
                        violated, above = basic, True
            if violated < 0:
                return None
            row = self.rows[violated]
            entering = self._entering(row, above)
            if entering < 0:
                return self._explain(violated, row, above)
            self._pivot(violated, entering)
            bound = upper[violated] if above else lower[violated]
            self._move(violated, bound)  # type: ignore[arg-type]

    def _entering(self, row: Row, above: bool) -> int:
        """The smallest nonbasic variable that can move the row towards its bound, or -1."""
        best = -1
        for variable, coefficient in row.coefficients.items():
            if best < 0 or variable < best:
                if (coefficient > 0) is above:
                    bound = self.lower[variable]
                    movable = bound is None or self._values[variable] > bound
                else:
                    bound = self.upper[variable]
                    movable = bound is None or self._values[variable] < bound
                if movable:
                    best = variable
        return best

    def _explain(self, basic: int, row: Row, above: bool) -> Conflict:
        conflict = [((self.upper_atom if above else self.lower_atom)[basic], row.denominator)]
        for variable, coefficient in row.coefficients.items():
            atoms = self.lower_atom if (coefficient > 0) is above else self.upper_atom
            conflict.append((atoms[variable], abs(coefficient)))
        divisor = gcd(*(multiplier for _, multiplier in conflict))
        return [(atom, multiplier // divisor) for atom, multiplier in conflict]  # type: ignore[misc]

    def _pivot(self, leaving: int, entering: int) -> None:
        """Swap a basic with a nonbasic variable. The leaving one has value 0 until it is moved."""
        row = self.rows.pop(leaving)
        pivot = row.coefficients.pop(entering)
        if pivot > 0:
            solved = {variable: -coefficient for variable, coefficient in row.coefficients.items()}
            solved[leaving] = row.denominator
            denominator = pivot
        else:
            solved = row.coefficients
            solved[leaving] = -row.denominator
            denominator = -pivot
        values = self._values
        values[leaving] = 0
        numerator = sum([coefficient * values[variable] for variable, coefficient in solved.items()])
        new = Row(denominator, solved, numerator)
        for other in self.rows.values():
            coefficient = other.coefficients.pop(entering, 0)
            if coefficient:
                other.numerator -= coefficient * values[entering]
                _substitute(other, coefficient, new)
        self.rows[entering] = new


def _substitute(row: Row, coefficient: int, by: Row) -> None:
    """Replace coefficient · x in a row from which x has been removed, where `by` is the row of x."""
    divisor = gcd(coefficient, by.denominator)
    factor = by.denominator // divisor
    if factor != 1:
        _multiply(row, factor)
    scale = coefficient // divisor
    coefficients = row.coefficients
    for variable, part in by.coefficients.items():
        updated = coefficients.get(variable, 0) + scale * part
        if updated:
            coefficients[variable] = updated
        else:
            del coefficients[variable]
    row.numerator += scale * by.numerator
    if row.denominator != 1:
        common = gcd(row.denominator, *coefficients.values())
        if common != 1:
            row.denominator //= common
            row.numerator //= common
            row.coefficients = {variable: part // common for variable, part in coefficients.items()}


def _multiply(row: Row, factor: int) -> None:
    row.denominator *= factor
    row.numerator *= factor
    for variable in row.coefficients:
        row.coefficients[variable] *= factor


def _add(coefficients: dict[int, int], variable: int, amount: int) -> None:
    updated = coefficients.get(variable, 0) + amount
    if updated:
        coefficients[variable] = updated
    else:
        coefficients.pop(variable, None)
