"""An order for what has none: slots, conjuncts, sides of equations and monomials, by their form alone (untrusted).

Slots are told apart by what they range over and by the conditions and the head that mention them, as in the refinement
of colours of graphs (Weisfeiler and Leman, 1968); those that it does not tell apart keep their order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from weakref import WeakKeyDictionary

from tallystick.certificates.rules.matching import Match
from tallystick.core.binders import bind, summation
from tallystick.core.operators import Operator
from tallystick.core.terms import Term, conjunction, less, less_equal, row
from tallystick.decision.queries.trees.opened import mentions, opened
from tallystick.decision.queries.trees.slots import conjuncts, remake, replaced

ROUNDS = 2
"""So often the colours of slots are refined."""
COMMUTATIVE = (Operator.AND, Operator.OR, Operator.EQUAL, Operator.ADD, Operator.MULTIPLY)


@dataclass(frozen=True, slots=True)
class Ordered:
    """A bag in order, and the pairs of monomials that match the one before with it."""

    bag: Term
    pairs: tuple[Match, ...]


def ordered(bag: Term, first: int) -> Ordered:
    """A bag in order; rows from number `first` on are fresh."""
    of = bag.type.element  # type: ignore[union-attr]
    made = [_monomial(monomial, first) for monomial in bag.arguments]
    places = sorted(range(len(made)), key=lambda place: (_digest(made[place][0], {}), place))
    pairs = tuple(Match(place, number, made[place][1]) for number, place in enumerate(places))
    return Ordered(summation((made[place][0] for place in places), of), pairs)


def _monomial(monomial: Term, first: int) -> tuple[Term, tuple[int, ...]]:
    """A monomial in order, and which of its slots each new one is."""
    parts = opened(monomial, first)
    conditions = [part for each in parts.conditions for part in conjuncts(_oriented(each))]
    head = _oriented(parts.head)
    order = list(range(len(parts.rows)))
    own = frozenset(parts.rows)
    if not any(mentions(source, own) for source in parts.sources):
        colours = _colours(parts.rows, parts.sources, (*conditions, head))
        order.sort(key=lambda place: (colours[place], place))
    new = {parts.rows[place]: row(first + number, parts.rows[place].type) for number, place in enumerate(order)}  # type: ignore[arg-type]
    moved = {_oriented(replaced(each, new)): None for each in conditions}
    conjunction_ = conjunction(*sorted(moved, key=lambda each: _digest(each, {})))
    rows = [new[parts.rows[place]] for place in order]
    sources = [replaced(parts.sources[place], new) for place in order]
    return bind(rows, sources, conjunction_, _oriented(replaced(head, new))), tuple(order)


def _colours(rows: tuple[Term, ...], sources: tuple[Term, ...], parts: tuple[Term, ...]) -> list[bytes]:
    colours = [_digest(source, {}) for source in sources]
    for _ in range(ROUNDS):
        named = dict(zip(rows, colours, strict=True))
        refined = []
        for place, each in enumerate(rows):
            labels = {**named, each: b"this"}
            near = sorted(_digest(part, labels) for part in parts if each in part.rows)
            refined.append(_hashed(colours[place], *near))
        colours = refined
    return colours


_oriented_terms: WeakKeyDictionary[Term, Term] = WeakKeyDictionary()


def _oriented(term: Term) -> Term:
    """An equal term in which comparisons are not negated, and arguments without an order have one."""
    known = _oriented_terms.get(term)
    if known is None:
        known = _oriented_terms[term] = _orient(term)
    return known


def _orient(term: Term) -> Term:
    if term.operator in (Operator.EXISTS, Operator.SUM, Operator.EXTREMUM, Operator.AGGREGATE) or not term.arguments:
        return term
    arguments = tuple(map(_oriented, term.arguments))
    if term.operator is Operator.NOT and arguments[0].operator in (Operator.LESS, Operator.LESS_EQUAL):
        left, right = arguments[0].arguments
        return less_equal(right, left) if arguments[0].operator is Operator.LESS else less(right, left)
    if term.operator in COMMUTATIVE:
        arguments = tuple(sorted(arguments, key=lambda each: _digest(each, {})))
    return term if arguments == term.arguments else remake(term, arguments)


_digests: WeakKeyDictionary[Term, bytes] = WeakKeyDictionary()


def _digest(term: Term, labels: Mapping[Term, bytes]) -> bytes:
    """A fingerprint of a term in which some rows have labels."""
    if labels and not term.rows.isdisjoint(labels):
        label = labels.get(term)
        return label if label is not None else _fingerprint(term, labels)
    known = _digests.get(term)
    if known is None:
        known = _digests[term] = _fingerprint(term, {})
    return known


def _fingerprint(term: Term, labels: Mapping[Term, bytes]) -> bytes:
    parts = [_digest(argument, labels) for argument in term.arguments]
    if term.operator in COMMUTATIVE:
        parts.sort()
    return _hashed(f"{term.operator.value} {term.parameter!r} {term.type!r}".encode(), *parts)


def _hashed(*parts: bytes) -> bytes:
    return blake2b(b"\0".join(parts), digest_size=10).digest()
