"""Small disjunctions of conjunctions: literals and disjuncts that are not needed go, bounds grow and
merge."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tallystick.core.presburger.conjunctions import Conjunction, refuse, tighten
from tallystick.core.presburger.formulas import Atom, Formula, Relation, conjunction, holds, negate
from tallystick.core.presburger.fourier_motzkin import Values
from tallystick.core.presburger.limits import Limits
from tallystick.core.presburger.linear import Linear
from tallystick.core.presburger.search import satisfy

MANY = 40
"""From how many disjuncts on what minimization costs exceeds what it saves."""


def minimize(disjuncts: Sequence[Conjunction], limits: Limits) -> list[Conjunction]:
    """An equivalent disjunction in which no literal and no disjunct can be left out; the same if they are MANY.

    Raises LimitError.
    """
    if len(disjuncts) >= MANY:
        return list(disjuncts)
    found = _irredundant(sorted(disjuncts, key=len, reverse=True), limits)
    outside = conjunction(map(refuse, found))
    points: list[Values] = []
    found = [_generalize(literals, found, outside, points, limits) for literals in found]
    return _irredundant(sorted(dict.fromkeys(found), key=len, reverse=True), limits)


def _irredundant(disjuncts: list[Conjunction], limits: Limits) -> list[Conjunction]:
    kept = list(disjuncts)
    for literals in disjuncts:
        others = [other for other in kept if other is not literals]
        if satisfy(conjunction((*literals, *map(refuse, others))), limits) is None:
            kept = others
    return kept


def _generalize(
    literals: Conjunction, all_: list[Conjunction], outside: Formula, points: list[Values], limits: Limits
) -> Conjunction:
    """The conjunction with literals left out, or else weakened, as long as the disjunction contains it.

    `points` are known to be outside of the disjunction; those that the search finds join them.
    """
    current = list(literals)
    for literal in literals:
        others = [other for other in current if other != literal]
        for weaker in ((), *((atom,) for atom in _weaker(literal, all_))):
            wider = (*others, *weaker)
            if any(all(holds(atom, point) for atom in wider) for point in points):
                continue
            gained = satisfy(conjunction((*wider, negate(literal), outside)), limits)
            if gained is None:
                current = list(wider)
                break
            points.append(gained)
    return tighten(current)


def _weaker(literal: Atom, disjuncts: list[Conjunction]) -> Iterator[Atom]:
    """Weaker bounds of the literal's term that occur in the disjunction, the weakest first."""
    if literal.relation not in (Relation.AT_MOST, Relation.EQUAL):
        return
    occurring = {bound for literals in disjuncts for atom in literals for bound in _bounds(atom)}
    for pairs, tightest in _bounds(literal):
        least = tightest if literal.relation is Relation.EQUAL else tightest - 1
        weaker = sorted(c for other, c in occurring if other == pairs and c <= least)
        yield from (Atom(Relation.AT_MOST, Linear(pairs, c)) for c in weaker)


def _bounds(atom: Atom) -> tuple[Linear, ...]:
    """The terms t of the bounds t ≤ 0 that a literal consists of."""
    if atom.relation is Relation.AT_MOST:
        return (atom.term,)
    return (atom.term, atom.term.times(-1)) if atom.relation is Relation.EQUAL else ()
