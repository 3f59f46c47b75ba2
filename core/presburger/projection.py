"""Projection of conjunctions: ∃x̄. ⋀ literals, as far as it concerns given values.

The result is a conjunction without x̄ that holds at the values and implies the quantified formula. There are
finitely many results for one conjunction, so covering model after model gives all of ∃x̄ (lift.py). The
steps, in order of preference; only the last two depend on the values:

1. an equation a·x = p replaces x by p/a, and adds a | p;
2. a divisibility d | g·x + t with g | d replaces x by (d·k - t)/g for a new unknown k, and adds g | t;
3. an unknown without lower or without upper bounds is dropped with its bounds;
4. bounds with unit coefficients on one side are combined pairwise (Fourier and Motzkin), which is exact;
5. bounds are combined with Pugh's margin, and room for each ≠, where the values allow that (dark shadow);
6. Cooper's test point.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count
from math import gcd

from tallystick.core.presburger.conjunctions import Conjunction, tighten
from tallystick.core.presburger.cooper import choose_test_point, period
from tallystick.core.presburger.formulas import (
    And,
    Atom,
    Formula,
    Or,
    Relation,
    at_most,
    at_point,
    divides,
    holds,
    unit_for,
)
from tallystick.core.presburger.fourier_motzkin import Values
from tallystick.core.presburger.limits import Limits
from tallystick.core.presburger.linear import Linear, combine, constant, unknown


def implicant(formula: Formula, values: Values, names: frozenset[str]) -> tuple[Atom, ...]:
    """Literals of the formula (quantifier-free, negation normal form) that hold at the values and imply it.

    Among the disjuncts that hold, those that add fewest literals, and fewest literals with `names`, are
    taken.
    """
    chosen: dict[Atom, None] = {}
    postponed: list[Or] = []

    def visit(part: Formula) -> None:
        match part:
            case Atom():
                chosen[part] = None
            case And(parts):
                for inner in parts:
                    visit(inner)
            case Or():
                postponed.append(part)
            case _:
                raise ValueError("expected a quantifier-free formula in negation normal form")

    def cost(part: Formula) -> int:
        match part:
            case Atom(_, term, _):
                return 0 if part in chosen else 10 if names.isdisjoint(term.names()) else 11
            case And(parts):
                return sum(map(cost, parts))
            case Or(parts):
                return min(cost(inner) for inner in parts if holds(inner, values))
        raise ValueError("expected a quantifier-free formula in negation normal form")

    visit(formula)
    while postponed:
        disjuncts = postponed.pop(0).parts
        visit(min((part for part in disjuncts if holds(part, values)), key=cost))
    return tuple(chosen)


def project(literals: Iterable[Atom], names: Iterable[str], values: Values, limits: Limits) -> Conjunction:
    """A conjunction without `names` that holds at `values` and implies ∃ names. ⋀ literals.

    The values satisfy the literals, and give one to each unknown. Raises LimitError.
    """
    pending = set(names)
    known = dict(values)
    found = tighten(literals)
    fresh = (f"%{index}" for index in count())
    while mine := tuple(atom for atom in found if not pending.isdisjoint(atom.term.names())):
        limits.check("constraints", len(found))
        found = tighten(_step(found, mine, pending, known, fresh))
    return found


def _step(
    literals: Conjunction, mine: Conjunction, pending: set[str], values: Values, fresh: Iterator[str]
) -> Iterable[Formula]:
    equation = _smallest(mine, Relation.EQUAL, pending)
    if equation is not None:
        name, atom = equation
        coefficient = atom.term.coefficient(name)
        point = atom.term.without(name).times(-1 if coefficient > 0 else 1)
        return _replace(literals, name, abs(coefficient), point)
    divisibility = _smallest(mine, Relation.DIVIDES, pending)
    if divisibility is not None:
        name, atom = divisibility
        parameter = next(fresh)
        pending.add(parameter)
        return _parametrize(literals, name, atom, parameter, values)
    names = sorted({name for atom in mine for name in atom.term.names() if name in pending})
    return _eliminate(literals, min(names, key=lambda name: _cost(mine, name)), values)


def _smallest(mine: Conjunction, relation: Relation, pending: set[str]) -> tuple[str, Atom] | None:
    """The pending unknown whose coefficient in a literal of this relation is smallest, with that literal."""
    choices = [
        (gcd(coefficient, atom.divisor), name, atom)
        for atom in mine
        if atom.relation is relation
        for name, coefficient in atom.term.coefficients
        if name in pending
    ]
    return min(choices, key=lambda choice: choice[:2])[1:] if choices else None


def _replace(literals: Conjunction, name: str, factor: int, point: Linear) -> list[Formula]:
    """The literals at name = point / factor, and that the factor divides the point."""
    return [*(at_point(atom, name, factor, point) for atom in literals), divides(factor, point)]


def _parametrize(literals: Conjunction, name: str, atom: Atom, parameter: str, values: Values) -> list[Formula]:
    """The literals with name = (d·parameter - t)/g for the solutions of the atom d | g·name + t."""
    divisor = atom.divisor
    unit = unit_for(atom.term.coefficient(name), divisor)
    factor = atom.term.coefficient(name) * unit % divisor or divisor
    rest = atom.term.without(name).times(unit)
    values[parameter] = (factor * values[name] + rest.value(values)) // divisor
    point = unknown(parameter, divisor).minus(rest)
    others = (other for other in literals if other != atom)
    return _replace(tuple(others), name, factor, point)


def _cost(mine: Conjunction, name: str) -> tuple[bool, int]:
    """Exact steps first, then those that leave the fewest literals."""
    below, above = _bounds(mine, name)
    exact = not below or not above or _combines(mine, name, below, above)
    return not exact, len(below) * len(above) - len(below) - len(above)


def _bounds(literals: Iterable[Atom], name: str) -> tuple[list[Linear], list[Linear]]:
    """The terms of the bounds `term ≤ 0` that limit the unknown from below, and from above."""
    bounds = [atom.term for atom in literals if atom.relation is Relation.AT_MOST]
    below = [term for term in bounds if term.coefficient(name) < 0]
    return below, [term for term in bounds if term.coefficient(name) > 0]


def _combines(literals: Iterable[Atom], name: str, below: list[Linear], above: list[Linear]) -> bool:
    """Whether combining the bounds pairwise is exact: nothing else mentions the unknown, one side has
    units."""
    if any(atom.term.coefficient(name) for atom in literals if atom.relation is not Relation.AT_MOST):
        return False
    return any(all(abs(term.coefficient(name)) == 1 for term in side) for side in (below, above))


def _eliminate(literals: Conjunction, name: str, values: Values) -> Iterable[Formula]:
    """Steps 3 to 6, for an unknown that only bounds, ≠ and ∤ mention."""
    mine = [atom for atom in literals if atom.term.coefficient(name)]
    rest = [atom for atom in literals if not atom.term.coefficient(name)]
    below, above = _bounds(mine, name)
    if not below or not above:
        periodic = [atom for atom in mine if atom.relation is Relation.INDIVISIBLE]
        residue = constant(values[name] % period(name, And(tuple(periodic))))
        return [*rest, *(at_point(atom, name, 1, residue) for atom in periodic)]
    differing = sum(atom.relation is Relation.DIFFERS for atom in mine)
    shadow = [_combine(p, q, name, differing) for p in below for q in above]
    aperiodic = all(atom.relation is not Relation.INDIVISIBLE for atom in mine)
    if aperiodic and all(holds(atom, values) for atom in shadow):
        return [*rest, *shadow]
    if differing:
        return [*rest, *(side_of(atom, values) for atom in mine)]
    point = choose_test_point(mine, name, values)
    return _replace(literals, name, point.factor, point.term)


def _combine(below: Linear, above: Linear, name: str, spare: int) -> Formula:
    """b·p + (a-1)·(b-1) + a·b·spare ≤ a·q for p ≤ a·x and b·x ≤ q: at least spare + 1 integers x lie
    between."""
    a, b = -below.coefficient(name), above.coefficient(name)
    margin = (a - 1) * (b - 1) + a * b * spare
    return at_most(combine(b, below, a, above).shift(margin))


def side_of(atom: Atom, values: Values) -> Formula:
    """t < 0 or t > 0, whichever holds at the values, for t ≠ 0; another atom stays."""
    if atom.relation is not Relation.DIFFERS:
        return atom
    term = atom.term if atom.term.value(values) < 0 else atom.term.times(-1)
    return at_most(term.shift(1))
