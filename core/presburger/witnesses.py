"""Witness terms for ∀u ∃w. φ: Cooper's test points for w, as core terms over u.

At given values of u, values for w are found first. The literals of φ that hold there are then solved for one
unknown after the other; each becomes a test point over the unknowns that remain, in the end over u alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import gcd

from tallystick.core import terms
from tallystick.core.answers import Model, falsifies
from tallystick.core.presburger.conjunctions import Conjunction, tighten
from tallystick.core.presburger.conversion import Conversion, linear_term
from tallystick.core.presburger.cooper import Point, choose_test_point
from tallystick.core.presburger.formulas import Relation, at_point, conjunction, divides, equal, free_names
from tallystick.core.presburger.fourier_motzkin import Values
from tallystick.core.presburger.limits import Limits
from tallystick.core.presburger.linear import Linear, unknown
from tallystick.core.presburger.projection import implicant, side_of
from tallystick.core.presburger.search import satisfy
from tallystick.core.terms import Operator, Term
from tallystick.core.types import BOOL, TupleType


def witness_terms(existentials: Sequence[Term], body: Term, model: Model, limits: Limits) -> tuple[Term, ...] | None:
    """Terms over the model's variables, one for each existential, that satisfy the body at the model.

    None when ∃ existentials. body is false there. Raises LimitError.
    """
    conversion = Conversion()
    formula = conversion.formula(body)
    names = [name for variable in existentials for name in conversion.unknowns(variable)]
    known = {n: v for variable, value in model.items() for n, v in _flatten(conversion, variable, value)}
    fixed = [equal(unknown(name).shift(-value)) for name, value in known.items()]
    values = satisfy(conjunction((formula, *fixed)), limits)
    if values is None:
        return None
    pending = frozenset((*names, *conversion.auxiliary))
    values = {**dict.fromkeys(free_names(formula) | pending, 0), **values, **known}
    points = solve_for(pending, implicant(formula, values, pending), values, limits)
    found = _terms(points, conversion.paths)
    result = tuple(_assemble(variable, conversion, found) for variable in existentials)
    served = terms.substitute(body, dict(zip(existentials, result, strict=True)))
    if falsifies(model, served):
        raise AssertionError("the witness does not serve the values that it was found for")
    return result


def solve_for(names: frozenset[str], literals: Conjunction, values: Values, limits: Limits) -> list[tuple[str, Point]]:
    """A test point for each name in the order of elimination: over the names after it and the other unknowns.

    At the values, which satisfy the literals, the points taken from last to first satisfy them too.
    """
    points: list[tuple[str, Point]] = []
    pending = set(names)
    while pending:
        limits.check_time()
        name = min(pending, key=lambda name: _preference(name, literals))
        mine = (side_of(atom, values) if atom.term.coefficient(name) else atom for atom in literals)
        literals = tighten(mine)
        point = choose_test_point(literals, name, values)
        points.append((name, point))
        replaced = [at_point(atom, name, point.factor, point.term) for atom in literals]
        literals = tighten([*replaced, divides(point.factor, point.term)])
        pending.remove(name)
    return points


def _preference(name: str, literals: Conjunction) -> tuple[int, int, str]:
    """Unknowns with an equation first, the smallest coefficient first."""
    mine = [(atom, abs(c)) for atom in literals if (c := atom.term.coefficient(name))]
    equations = [factor for atom, factor in mine if atom.relation is Relation.EQUAL]
    if equations:
        return 0, min(equations), name
    return 1, sum(factor for _, factor in mine), name


def _terms(points: list[tuple[str, Point]], paths: Mapping[str, Term]) -> dict[str, Term]:
    """The points as terms over the unknowns that are not solved for."""
    known = dict(paths)
    solved: list[tuple[str, Linear]] = []
    for name, point in reversed(points):
        bound = point.bound
        for other, solution in solved:
            bound = bound.substitute(other, solution)
        bound, divisor = _reduced(bound.shift(point.factor - 1 if point.from_below else 0), point.factor)
        if divisor > 1:
            known[name] = terms.build(Operator.DIV, (linear_term(bound, known),), divisor)
            bound = unknown(name)
        solved.append((name, bound.shift(point.offset)))
    return {name: linear_term(solution, known) for name, solution in solved}


def _reduced(term: Linear, divisor: int) -> tuple[Linear, int]:
    """(t, d) with ⌊term / divisor⌋ = ⌊t / d⌋ and d as small as possible."""
    common = gcd(term.content(), divisor)
    pairs = tuple((name, factor // common) for name, factor in term.coefficients)
    return Linear(pairs, term.constant // common), divisor // common


def _assemble(path: Term, conversion: Conversion, found: Mapping[str, Term]) -> Term:
    """The term for a variable, put together from those of its components."""
    if isinstance(path.type, TupleType):
        components = range(len(path.type.components))
        return terms.tuple_of(*(_assemble(terms.project(path, i), conversion, found) for i in components))
    (name,) = conversion.unknowns(path)
    term = found[name]
    if path.type != BOOL:
        return term
    if term.operator is Operator.CONSTANT and type(term.parameter) is int:
        return terms.constant(term.parameter >= 1)
    return terms.less_equal(terms.constant(1), term)


def _flatten(conversion: Conversion, variable: Term, value: object) -> list[tuple[str, int]]:
    if isinstance(variable.type, TupleType) and isinstance(value, tuple):
        pairs = ((terms.project(variable, i), inner) for i, inner in enumerate(value))
        return [found for path, inner in pairs for found in _flatten(conversion, path, inner)]
    (name,) = conversion.unknowns(variable)
    return [(name, int(value))]  # type: ignore[call-overload]
