"""Cooper's theorem: one existential quantifier over the integers is a finite disjunction (Cooper 1972).

For a quantifier-free φ in negation normal form in which x has coefficients ±1 only, let δ be the least common
multiple of the divisors of atoms with x, and B the set of terms b such that some atom with x turns from
false to true, as x grows, just after b. Then

    ∃x. φ(x)  ⟺  ⋁_{j=1..δ} φ₋∞(j)  ∨  ⋁_{b∈B} ⋁_{j=1..δ} φ(b + j)

where φ₋∞ is what φ becomes for all small enough x. The mirror image uses φ₊∞, the set A and φ(a - j); the
form with the smaller set is taken. Names follow Cooper, and Harrison, "Handbook of Practical Logic", section
5.7.

`cooper` is the step as printed, complete and meant to be read. `choose_test_point` picks from the same points the
one that serves at given values; it keeps coefficients, since φ(x) at x = p/a, for a | p, is linear again.
That is how elimination (projection.py) and witness terms (witnesses.py) expand only the disjuncts that they
need.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import gcd, lcm
from typing import NamedTuple

from tallystick.core.presburger.formulas import (
    FALSE,
    TRUE,
    And,
    Atom,
    Formula,
    Relation,
    at_point,
    atoms,
    conjunction,
    disjunction,
    divides,
    map_atoms,
    remake,
    unit_for,
)
from tallystick.core.presburger.fourier_motzkin import Values
from tallystick.core.presburger.limits import DEFAULT_LIMITS, Limits
from tallystick.core.presburger.linear import Linear, balanced, constant, unknown

DIVISIBILITY = (Relation.DIVIDES, Relation.INDIVISIBLE)


@dataclass(frozen=True, slots=True)
class Elimination:
    """What Cooper's theorem says about ∃ name. body.

    Attributes:
        name: the unknown; in `unified` it stands for `factor` times its value.
        factor: the common multiple of the unknown's coefficients.
        unified: the body with coefficients ±1, `factor | name` included; atoms not yet simplified by gcds.
        delta: δ, the period of the divisibilities.
        from_below: whether the form with -∞ and lower bounds is taken, rather than +∞ and upper bounds.
        boundary: the set B, or A.
        infinite: φ₋∞, or φ₊∞.
    """

    name: str
    factor: int
    unified: Formula
    delta: int
    from_below: bool
    boundary: tuple[Linear, ...]
    infinite: Formula

    def disjuncts(self) -> Iterator[tuple[Linear, Formula]]:
        """The instances of the theorem's disjunction: a test point and the formula there, -∞ or +∞ first."""
        sign = 1 if self.from_below else -1
        residues = self.delta if self.name in _names(self.infinite) else 1
        for j in range(1, residues + 1):
            yield constant(sign * j), _instance(self.infinite, self.name, constant(sign * j))
        for bound in self.boundary:
            for j in range(1, self.delta + 1):
                point = bound.shift(sign * j)
                yield point, _instance(self.unified, self.name, point)

    def result(self, limits: Limits = DEFAULT_LIMITS) -> Formula:
        """The disjunction, quantifier-free; raises LimitError at the cap `test_points`."""
        parts: list[Formula] = []
        for index, (_, instance) in enumerate(self.disjuncts()):
            limits.check("test_points", index)
            if instance == TRUE:
                return TRUE
            if instance != FALSE:
                parts.append(instance)
        return disjunction(parts)


def cooper(name: str, body: Formula) -> Elimination:
    """Cooper's step for ∃ name. body, for a quantifier-free body in negation normal form."""
    factor, unified = unify(name, body)
    below, above = lower_bounds(name, unified), upper_bounds(name, unified)
    from_below = len(below) <= len(above)
    infinite = minus_infinity(name, unified) if from_below else plus_infinity(name, unified)
    boundary = below if from_below else above
    return Elimination(name, factor, unified, period(name, unified), from_below, boundary, infinite)


def unify(name: str, body: Formula) -> tuple[int, Formula]:
    """(c, ψ) with ∃x. body ⟺ ∃x. ψ where x stands in ψ for c·x and has coefficients ±1 in ψ."""
    factor = lcm(*(abs(c) for atom in atoms(body) if (c := atom.term.coefficient(name))))

    def scale(atom: Atom) -> Formula:
        coefficient = atom.term.coefficient(name)
        if coefficient == 0:
            return atom
        times = factor // abs(coefficient)
        sign = 1 if coefficient > 0 else -1
        term = atom.term.without(name).times(times).plus(unknown(name, sign))
        return remake(atom, term, atom.divisor * times)

    unified = map_atoms(body, scale)
    return factor, conjunction((unified, divides(factor, unknown(name)))) if factor > 1 else unified


def period(name: str, formula: Formula) -> int:
    """δ: the least period in an unknown of the formula's divisibilities."""
    divisibilities = (atom for atom in atoms(formula) if atom.relation in DIVISIBILITY)
    found = [(atom.divisor, c) for atom in divisibilities if (c := atom.term.coefficient(name))]
    return lcm(*(divisor // gcd(divisor, c) for divisor, c in found))


def minus_infinity(name: str, formula: Formula) -> Formula:
    """φ₋∞: the formula for all small enough values of an unknown; only divisibilities still mention it."""
    return map_atoms(formula, lambda atom: _far(name, atom, -1))


def plus_infinity(name: str, formula: Formula) -> Formula:
    """φ₊∞: the formula for all large enough values of an unknown; only divisibilities still mention it."""
    return map_atoms(formula, lambda atom: _far(name, atom, 1))


def _far(name: str, atom: Atom, direction: int) -> Formula:
    coefficient = atom.term.coefficient(name)
    if coefficient == 0 or atom.relation in DIVISIBILITY:
        return atom
    if atom.relation is Relation.AT_MOST:
        return TRUE if coefficient * direction < 0 else FALSE
    return TRUE if atom.relation is Relation.DIFFERS else FALSE


def lower_bounds(name: str, unified: Formula) -> tuple[Linear, ...]:
    """B: the terms just above which an atom with the unknown (coefficient ±1) may begin to hold."""
    return tuple(dict.fromkeys(_bounds(name, unified, 1)))


def upper_bounds(name: str, unified: Formula) -> tuple[Linear, ...]:
    """A: the terms just below which an atom with the unknown (coefficient ±1) may cease to hold."""
    return tuple(dict.fromkeys(_bounds(name, unified, -1)))


def _bounds(name: str, unified: Formula, sign: int) -> Iterator[Linear]:
    for atom in atoms(unified):
        coefficient = atom.term.coefficient(name)
        solution = atom.term.without(name).times(-coefficient)
        if coefficient and atom.relation is Relation.DIFFERS:
            yield solution
        elif coefficient and (
            atom.relation is Relation.EQUAL or (atom.relation is Relation.AT_MOST and coefficient == -sign)
        ):
            yield solution.shift(-sign)


def _instance(formula: Formula, name: str, point: Linear) -> Formula:
    return map_atoms(formula, lambda atom: at_point(atom, name, 1, point))


def _names(formula: Formula) -> frozenset[str]:
    return frozenset(name for atom in atoms(formula) for name in atom.term.names())


class Point(NamedTuple):
    """The value term / factor of an unknown, meant where factor > 0 divides the term.

    `bound` and `offset` say the same as ⌈bound / factor⌉ + offset (rounded down when `from_below` is false).
    """

    factor: int
    term: Linear
    bound: Linear
    offset: int
    from_below: bool


def choose_test_point(literals: Iterable[Atom], name: str, values: Values) -> Point:
    """The point of Cooper's disjunction for ∃ name. ⋀ literals that serves at `values`, which satisfy them.

    No literal `t ≠ 0` with the unknown may be among them.
    """
    mine = [atom for atom in literals if atom.term.coefficient(name)]
    for atom in mine:
        if atom.relation is Relation.EQUAL:
            factor = abs(atom.term.coefficient(name))
            term = atom.term.without(name).times(-1 if atom.term.coefficient(name) > 0 else 1)
            return Point(factor, term, term, 0, True)
    delta = period(name, And(tuple(mine)))
    value = values[name]
    below = [atom.term for atom in mine if _bounds_from(atom, name, -1)]
    above = [atom.term for atom in mine if _bounds_from(atom, name, 1)]
    if not below and not above:
        return _periodic_point(mine, name, values, delta)
    from_below = bool(below) and (not above or _weight(below, name) <= _weight(above, name))
    sign = 1 if from_below else -1
    candidates = [(_nearest(term, name, values), term) for term in (below if from_below else above)]
    nearest, term = max(candidates, key=lambda pair: sign * pair[0])
    factor = abs(term.coefficient(name))
    bound = term.without(name).times(sign)
    chosen = nearest + sign * (sign * (value - nearest) % delta)
    return Point(factor, bound.shift(factor * chosen - bound.value(values)), bound, chosen - nearest, from_below)


def _periodic_point(mine: list[Atom], name: str, values: Values, delta: int) -> Point:
    """A point that serves divisibilities: on the solutions of the one with the longest period, if there is
    one.

    Of d | g·x + t with g | d these are x = (d·j - t)/g.
    """
    congruences = [atom for atom in mine if atom.relation is Relation.DIVIDES]
    if not congruences:
        residue = constant(values[name] % delta)
        return Point(1, residue, residue, 0, True)
    atom = max(congruences, key=lambda atom: atom.divisor // gcd(atom.divisor, atom.term.coefficient(name)))
    divisor = atom.divisor
    unit = unit_for(atom.term.coefficient(name), divisor)
    factor = gcd(atom.term.coefficient(name), divisor)
    rest = atom.term.without(name).times(-unit)
    pairs = tuple((n, residue) for n, c in rest.coefficients if (residue := balanced(c, divisor)))
    bound = Linear(pairs, balanced(rest.constant, divisor))
    j = (factor * values[name] - bound.value(values)) // divisor % (delta * factor // divisor)
    return Point(factor, bound.shift(divisor * j), bound, divisor // factor * j, True)


def _bounds_from(atom: Atom, name: str, sign: int) -> bool:
    return atom.relation is Relation.AT_MOST and atom.term.coefficient(name) * sign > 0


def _weight(bounds: list[Linear], name: str) -> int:
    return sum(abs(term.coefficient(name)) for term in bounds)


def _nearest(term: Linear, name: str, values: Values) -> int:
    """The least (or greatest) integer that the bound term ≤ 0 admits for the unknown."""
    factor = term.coefficient(name)
    rest = term.without(name).value(values)
    return -(rest // factor) if factor < 0 else -rest // factor
