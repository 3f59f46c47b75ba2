"""The atoms of a branch in a simplex, rational and strict ones included (untrusted).

The simplex knows integer bounds only. Where rationals occur, all values are counted in units of 1 / `UNITS`, and a
strict bound is one unit tighter. A conflict that rests on that unit alone is no contradiction: `contradictory` tells.
Unknown numbers start from different values, lest equations hold by accident.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Final
from weakref import WeakKeyDictionary

from tallystick.certificates.forms import Form, total
from tallystick.certificates.search.arithmetic import Arithmetic, Place
from tallystick.certificates.search.simplex import Conflict
from tallystick.core.terms import Term
from tallystick.core.types import RATIONAL, BagType, BoolType, OptionType, TupleType

UNITS: Final = 1_000_000_007
"""A prime, and more than products of the literals that queries have; a strict bound is 1 / UNITS tighter."""


_rational: WeakKeyDictionary[Term, bool] = WeakKeyDictionary()


def units(term: Term) -> int:
    """In which fraction of 1 to count, for what a term says: wholes where all its numbers are integers."""
    return UNITS if _is_rational(term) else 1


def _is_rational(term: Term) -> bool:
    known = _rational.get(term)
    if known is None:
        of = term.type.element if isinstance(term.type, BagType) else term.type
        parts = of.components if isinstance(of, TupleType) else (of,)
        found = RATIONAL in parts or OptionType(RATIONAL) in parts
        known = _rational[term] = found or any(map(_is_rational, term.arguments))
    return known


def contradictory(conflict: Conflict) -> bool:
    """Whether the combination of a conflict says 0 < 0 or c ≤ 0 for some c > 0."""
    combined = total(*((multiplier, atom) for atom, multiplier in conflict))
    if combined.coefficients:
        return False
    return combined.constant > 0 or (combined.constant == 0 and any(atom.strict for atom, _ in conflict))


class QueryArithmetic(Arithmetic):
    """The atoms of the present branch, in units."""

    def __init__(self, units: int) -> None:
        super().__init__()
        self._units = units

    def _place(self, atom: Form) -> Place:
        known = self._places.get(atom)
        if known is None:
            form = sorted([(self._variable(unknown), part) for unknown, part in atom.coefficients.items()])
            bound = -atom.constant * self._units - (1 if atom.strict else 0)
            is_upper = form[0][1] > 0
            if not is_upper:
                form = [(variable, -part) for variable, part in form]
                bound = -bound
            known = self._places[atom] = tuple(form), is_upper, bound
        return known

    def _variable(self, unknown: Term) -> int:
        known = self.variables.get(unknown)
        if known is None:
            known = self.variables[unknown] = self.simplex.new_variable()
            if not isinstance(unknown.type, BoolType):
                self.simplex.start(known, self._units * (1_000 + 7 * known * (known + 11)))
        return known

    def known_value(self, unknown: Term) -> int | Fraction | None:
        """The value of an unknown; None if no atom mentions it."""
        variable = self.variables.get(unknown)
        if variable is None:
            return None
        value = self.simplex.value(variable)
        if value.denominator == 1 and value % self._units == 0:
            return value.numerator // self._units
        result = Fraction(value, self._units)
        return result.numerator if result.denominator == 1 else result

    def bounds(self, unknown: Term) -> tuple[bool, bool]:
        """Whether a boolean unknown is true on the branch, and whether it is false."""
        variable = self.variables.get(unknown)
        if variable is None:
            return False, False
        lower, upper = self.simplex.lower[variable], self.simplex.upper[variable]
        return lower is not None and lower >= self._units, upper is not None and upper <= 0

    def without_integer(self, unknowns: Iterable[Term]) -> Term | None:
        """An unknown integer whose value is none."""
        rows, units = self.simplex.rows, self._units
        for unknown in unknowns:
            variable = self.variables.get(unknown)
            row = rows.get(variable) if variable is not None else None
            if row is not None and row.numerator % (row.denominator * units):
                return unknown
        return None
