"""Quantifier elimination: the skeleton that pushes quantifiers in and eliminates blocks, innermost first.

∃x̄. φ is covered lazily: while some values satisfy φ outside what is found, a conjunction of literals of φ
that holds there is projected (projection.py), and the projection joins the result. Each projection is one of
finitely many disjuncts of the full expansion, so this ends; the disjuncts that nothing needs are never made.
"""

from __future__ import annotations

from collections.abc import Iterable

from tallystick.core.presburger.conjunctions import Conjunction, refuse, union
from tallystick.core.presburger.formulas import (
    FALSE,
    TRUE,
    And,
    Atom,
    Exists,
    Forall,
    Formula,
    Or,
    conjunction,
    disjunction,
    free_names,
    nnf,
    normal_form,
    size,
)
from tallystick.core.presburger.fourier_motzkin import Values
from tallystick.core.presburger.limits import DEFAULT_LIMITS, Limits
from tallystick.core.presburger.minimize import minimize
from tallystick.core.presburger.projection import implicant, project
from tallystick.core.presburger.search import satisfy_lazily


def eliminate(formula: Formula, limits: Limits = DEFAULT_LIMITS) -> Formula:
    """An equivalent quantifier-free formula in negation normal form, simplified; raises LimitError."""
    normal = normal_form(formula, limits)
    lifted = lift(normal, limits)
    return lifted if isinstance(normal, Exists) else simplify(lifted, limits)


def simplify(formula: Formula, limits: Limits = DEFAULT_LIMITS) -> Formula:
    """An equivalent of a quantifier-free formula that no smaller one found replaces; raises LimitError.

    It is the smallest of the formula, an irredundant disjunction of conjunctions, and the dual of that.
    """
    start = normal_form(formula, limits)
    disjunctive = union(cover(frozenset(), start, limits))
    if disjunctive in (TRUE, FALSE):
        return disjunctive
    dual = nnf(union(cover(frozenset(), nnf(start, positive=False), limits)), positive=False)
    return min((disjunctive, dual, start), key=size)


def lift(formula: Formula, limits: Limits) -> Formula:
    """An equivalent quantifier-free formula of a formula in negation normal form, block by block, innermost
    first."""
    match formula:
        case Atom():
            return formula
        case And(parts):
            return conjunction(lift(part, limits) for part in parts)
        case Or(parts):
            return disjunction(lift(part, limits) for part in parts)
        case Exists(names, body):
            return eliminate_block(names, lift(body, limits), limits)
        case Forall(names, body):
            negated = nnf(lift(body, limits), positive=False)
            return nnf(eliminate_block(names, negated, limits), positive=False)
        case _:
            raise ValueError("expected a formula in negation normal form")


def eliminate_block(names: Iterable[str], body: Formula, limits: Limits = DEFAULT_LIMITS) -> Formula:
    """∃ names. body without the quantifier, for a quantifier-free body in negation normal form.

    Conjuncts without the names stay as they are, and the others are covered in groups that share no name.
    """
    parts = body.parts if isinstance(body, And) else (body,)
    result: list[Formula] = []
    for group_names, group in _groups(frozenset(names), parts):
        if group_names:
            result.append(union(cover(group_names, conjunction(group), limits)))
        else:
            result.extend(group)
    return conjunction(result)


def _groups(names: frozenset[str], parts: Iterable[Formula]) -> list[tuple[frozenset[str], tuple[Formula, ...]]]:
    """The parts in groups connected by shared names, each with the names that occur in it."""
    groups: list[tuple[frozenset[str], tuple[Formula, ...]]] = []
    for part in parts:
        mine = free_names(part) & names
        touched = [group for group in groups if group[0] & mine or not (mine or group[0])]
        groups = [group for group in groups if group not in touched]
        joined = tuple(inner for group in touched for inner in group[1])
        groups.append((mine.union(*(group[0] for group in touched)), (*joined, part)))
    return groups


def cover(names: frozenset[str], body: Formula, limits: Limits) -> list[Conjunction]:
    """Conjunctions whose disjunction is ∃ names. body, none of them needless; raises LimitError."""
    found: list[Conjunction] = []

    def outside(values: Values) -> Formula:
        values = {**dict.fromkeys(free_names(body), 0), **values}
        found.append(project(implicant(body, values, names), names, values, limits))
        limits.check("disjuncts", len(found))
        return refuse(found[-1])

    satisfy_lazily(body, outside, limits)
    return minimize(found, limits)
