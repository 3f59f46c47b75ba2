"""Atoms as bounds in a simplex, and what integers add: cuts, nearby integer points, points to split at."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Final

from tallystick.certificates.forms import Form, tightened, total
from tallystick.certificates.search.lattice import Bound, Equality, Lattice, Vector
from tallystick.certificates.search.simplex import Conflict, Simplex
from tallystick.core.terms import Term
from tallystick.core.types import RationalType

Place = tuple[tuple[tuple[int, int], ...], bool, int]
"""An atom as a form with positive first coefficient, whether it bounds that from above, and the bound."""


RATIONAL_SCALE: Final = 2**24 * 3**4 * 5**6 * 7
"""Where there are rationals, the simplex has integer bounds for this multiple of all unknowns, and 1 for the least of
positive numbers; so a strict atom is one that is not."""


class Arithmetic:
    """The atoms of the present branch.

    Attributes:
        scale: the multiple of all unknowns for which the simplex has values.
        simplex: values for unknowns and forms, once `check` has found no conflict.
        variables: the simplex variable of each unknown that has one, of this branch or another.
    """

    def __init__(self, scale: int = 1) -> None:
        self.scale = scale
        self.simplex = Simplex()
        self.variables: dict[Term, int] = {}
        self._forms: dict[tuple[tuple[int, int], ...], int] = {}
        self._vectors: dict[int, Vector] = {}
        self._places: dict[Form, Place] = {}

    def assume(self, atom: Form) -> Conflict | None:
        """Assume an atom; the conflict with one other atom, if that is immediate."""
        if not atom.coefficients:
            return [(atom, 1)] if atom.contradictory else None
        form, is_upper, bound = self._place(atom)
        variable = self._forms.get(form)
        if variable is None:
            variable = form[0][0] if len(form) == 1 and form[0][1] == 1 else self.simplex.new_form(form)
            self._forms[form] = variable
            self._vectors[variable] = dict(form)
        return (self.simplex.assert_upper if is_upper else self.simplex.assert_lower)(variable, bound, atom)

    def _place(self, atom: Form) -> Place:
        known = self._places.get(atom)
        if known is None:
            form = sorted([(self._variable(unknown), part) for unknown, part in atom.coefficients.items()])
            is_upper = form[0][1] > 0
            if not is_upper:
                form = [(variable, -part) for variable, part in form]
            least = atom.constant * self.scale + atom.strict
            known = self._places[atom] = tuple(form), is_upper, -least if is_upper else least
        return known

    def _variable(self, unknown: Term) -> int:
        known = self.variables.get(unknown)
        if known is None:
            known = self.variables[unknown] = self.simplex.new_variable()
        return known

    def contradicts(self, atom: Form) -> bool:
        """Whether an atom contradicts one bound."""
        if not atom.coefficients:
            return atom.contradictory
        form, is_upper, bound = self._place(atom)
        variable = self._forms.get(form)
        if variable is None:
            return False
        opposite = self.simplex.lower[variable] if is_upper else self.simplex.upper[variable]
        return opposite is not None and (opposite > bound if is_upper else opposite < bound)

    def tightens(self, atom: Form) -> bool:
        """Whether an atom says more than the bounds of its form."""
        if not atom.coefficients:
            return atom.contradictory
        form, is_upper, bound = self._place(atom)
        variable = self._forms.get(form)
        if variable is None:
            return True
        known = self.simplex.upper[variable] if is_upper else self.simplex.lower[variable]
        return known is None or (known > bound if is_upper else known < bound)

    def is_integral(self, unknowns: Iterable[Term]) -> bool:
        """Whether the unknowns have integer values."""
        rows = self.simplex.rows
        for unknown in unknowns:
            row = rows.get(self.variables[unknown])
            if row is not None and row.numerator % row.denominator:
                return False
        return True

    def value(self, unknown: Term) -> int | Fraction:
        """The present value of an unknown."""
        value = self.simplex.value(self.variables[unknown])
        return value if self.scale == 1 else Fraction(value, self.scale)

    def fractional(self, unknowns: Iterable[Term]) -> tuple[dict[Term, int], int] | None:
        """An unknown that stands for an integer and whose value is none, and the integer below."""
        for unknown in unknowns:
            value = self.value(unknown)
            if not isinstance(unknown.type, RationalType) and value != value // 1:
                return {unknown: 1}, int(value // 1)
        return None

    def constraints(self) -> tuple[list[Equality], list[Bound]]:
        """The forms that have one value only, and the bounds of the others."""
        simplex = self.simplex
        equalities: list[Equality] = []
        bounds: list[Bound] = []
        for variable, vector in self._vectors.items():
            lower, upper = simplex.lower[variable], simplex.upper[variable]
            below, above = simplex.lower_atom[variable], simplex.upper_atom[variable]
            if upper is not None and above is not None:
                if lower == upper and below is not None:
                    equalities.append(Equality(vector, upper, above, below))
                    continue
                bounds.append(Bound(vector, upper, above))
            if lower is not None and below is not None:
                bounds.append(Bound({unknown: -part for unknown, part in vector.items()}, -lower, below))
        return equalities, bounds

    def ranges(self) -> list[tuple[Vector, int]]:
        """The forms with both bounds, and an integer between: fractional values and small ranges first."""
        simplex = self.simplex
        found: list[tuple[bool, int, int, int]] = []
        for variable in self._vectors:
            lower, upper = simplex.lower[variable], simplex.upper[variable]
            if lower is not None and upper is not None and lower < upper:
                value = simplex.value(variable)
                found.append((isinstance(value, int), upper - lower, variable, min(int(value // 1), upper - 1)))
        return [(self._vectors[variable], between) for _, _, variable, between in sorted(found)]


class Rounding:
    """What integers are left when the simplex' values are none: the lattice of the equalities, and bounds."""

    def __init__(self, arithmetic: Arithmetic) -> None:
        self._arithmetic = arithmetic
        equalities, self._bounds = arithmetic.constraints()
        self._lattice = Lattice(equalities)
        unknowns = {unknown for bound in self._bounds for unknown in bound.form}
        if self._lattice.inconsistent is None:
            self._lattice.include(unknowns)

    def cuts(self) -> list[tuple[Conflict, Form]]:
        """Combinations of atoms that round to tighter bounds, with the atoms that they give."""
        lattice = self._lattice
        found = lattice.inconsistent or [cut for bound in self._bounds if (cut := lattice.cut(bound))]
        cuts = [(combination, tightened(total(*((part, atom) for atom, part in combination)))) for combination in found]
        return [(combination, atom) for combination, atom in cuts if self._arithmetic.tightens(atom)]

    def nearby(self) -> dict[Term, int] | None:
        """Integers near the simplex' values that satisfy the equalities, if they satisfy the bounds too."""
        arithmetic = self._arithmetic
        point = self._lattice.nearby(arithmetic.simplex.value)
        for bound in self._bounds:
            if sum([part * point[unknown] for unknown, part in bound.form.items()]) > bound.value:
                return None
        return {term: point[unknown] for term, unknown in arithmetic.variables.items() if unknown in point}

    def split(self) -> tuple[dict[Term, int], int]:
        """A form to split at an integer: a narrow direction, a form with both bounds, or any coordinate."""
        ranges, at = self._arithmetic.ranges(), self._arithmetic.simplex.value
        narrow = self._lattice.narrow([form for form, _ in ranges], at)
        form, value = narrow or (ranges[0] if ranges else self._lattice.fractional(at))
        variables = self._arithmetic.variables
        return {term: form[unknown] for term, unknown in variables.items() if form.get(unknown)}, value
