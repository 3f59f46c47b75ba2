"""An order for what has none: slots, conjuncts, sides of equations and monomials, by their form alone (untrusted).

Slots are told apart by their colours (`colours.py`); those that have one colour keep their order.
"""

from __future__ import annotations

from dataclasses import dataclass

from tallystick.certificates.rules.matching import Match
from tallystick.core.binders import bind, summation
from tallystick.core.terms import Term, conjunction, row
from tallystick.decision.queries.proofs.colours import digest, histories, oriented
from tallystick.decision.queries.trees.opened import mentions, opened
from tallystick.decision.queries.trees.slots import conjuncts, replaced


@dataclass(frozen=True, slots=True)
class Ordered:
    """A bag in order, and the pairs of monomials that match the one before with it."""

    bag: Term
    pairs: tuple[Match, ...]


def ordered(bag: Term, first: int) -> Ordered:
    """A bag in order; rows from number `first` on are fresh."""
    of = bag.type.element  # type: ignore[union-attr]
    made = [_monomial(monomial, first) for monomial in bag.arguments]
    places = sorted(range(len(made)), key=lambda place: (digest(made[place][0]), place))
    pairs = tuple(Match(place, number, made[place][1]) for number, place in enumerate(places))
    return Ordered(summation((made[place][0] for place in places), of), pairs)


def _monomial(monomial: Term, first: int) -> tuple[Term, tuple[int, ...]]:
    """A monomial in order, and which of its slots each new one is."""
    parts = opened(monomial, first)
    conditions = [part for each in parts.conditions for part in conjuncts(oriented(each))]
    head = oriented(parts.head)
    order = list(range(len(parts.rows)))
    own = frozenset(parts.rows)
    if not any(mentions(source, own) for source in parts.sources):
        colours = histories(parts.rows, parts.sources, (*conditions, head))
        order.sort(key=lambda place: (colours[place][-1], place))
    new = {parts.rows[place]: row(first + number, parts.rows[place].type) for number, place in enumerate(order)}  # type: ignore[arg-type]
    moved = {oriented(replaced(each, new)): None for each in conditions}
    conjunction_ = conjunction(*sorted(moved, key=digest))
    rows = [new[parts.rows[place]] for place in order]
    sources = [replaced(parts.sources[place], new) for place in order]
    return bind(rows, sources, conjunction_, oriented(replaced(head, new))), tuple(order)
