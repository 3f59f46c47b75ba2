"""Fingerprints of terms, and the colours of slots: what tells the slots of a monomial apart (untrusted).

Slots are told apart by what they range over and by the conditions and the head that mention them, as in the refinement
of colours of graphs (Weisfeiler and Leman, 1968). Monomials that are the same but for the names and the order of their
slots have the same colours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from weakref import WeakKeyDictionary

from tallystick.core.operators import Operator
from tallystick.core.terms import Term, less, less_equal
from tallystick.decision.queries.trees.slots import remake

COMMUTATIVE = (Operator.AND, Operator.OR, Operator.EQUAL, Operator.ADD, Operator.MULTIPLY)
ROUNDS = 32
"""So often the colours of slots are refined at most."""

_digests: WeakKeyDictionary[Term, bytes] = WeakKeyDictionary()
_oriented_terms: WeakKeyDictionary[Term, Term] = WeakKeyDictionary()


def digest(term: Term) -> bytes:
    """A fingerprint of a term."""
    known = _digests.get(term)
    if known is None:
        known = _digests[term] = _fingerprint(term, [digest(argument) for argument in term.arguments])
    return known


def histories(rows: Sequence[Term], sources: Sequence[Term], parts: Sequence[Term]) -> list[tuple[bytes, ...]]:
    """For each row, its colours: by its source, and as refined more and more by formulas and terms about the rows.

    Refinement ends when it tells no more rows apart.
    """
    found = [(digest(source),) for source in sources]
    known = 0
    for _ in range(ROUNDS):
        last = [history[-1] for history in found]
        if len(set(last)) in (known, len(rows)):
            break
        known = len(set(last))
        refined = []
        for place, row in enumerate(rows):
            labels = _Labelled({**dict(zip(rows, last, strict=True)), row: b"this"})
            near = sorted(labels.digest(part) for part in parts if row in part.rows)
            refined.append((*found[place], _hashed(last[place], *near)))
        found = refined
    return found


class _Labelled:
    """Fingerprints of terms in which some rows have labels."""

    def __init__(self, labels: Mapping[Term, bytes]) -> None:
        self._rows = frozenset(labels)
        self._known = dict(labels)

    def digest(self, term: Term) -> bytes:
        if term.rows.isdisjoint(self._rows):
            return digest(term)
        known = self._known.get(term)
        if known is None:
            known = self._known[term] = _fingerprint(term, [self.digest(argument) for argument in term.arguments])
        return known


def oriented(term: Term) -> Term:
    """An equal term in which comparisons are not negated, and arguments without an order have one."""
    known = _oriented_terms.get(term)
    if known is None:
        known = _oriented_terms[term] = _orient(term)
    return known


def _orient(term: Term) -> Term:
    if term.operator in (Operator.EXISTS, Operator.SUM, Operator.EXTREMUM, Operator.AGGREGATE) or not term.arguments:
        return term
    arguments = tuple(map(oriented, term.arguments))
    if term.operator is Operator.NOT and arguments[0].operator in (Operator.LESS, Operator.LESS_EQUAL):
        left, right = arguments[0].arguments
        return less_equal(right, left) if arguments[0].operator is Operator.LESS else less(right, left)
    if term.operator in COMMUTATIVE:
        arguments = tuple(sorted(arguments, key=digest))
    return term if arguments == term.arguments else remake(term, arguments)


def _fingerprint(term: Term, parts: list[bytes]) -> bytes:
    if term.operator in COMMUTATIVE:
        parts.sort()
    return _hashed(f"{term.operator.value} {term.parameter!r} {term.type!r}".encode(), *parts)


def _hashed(*parts: bytes) -> bytes:
    return blake2b(b"\0".join(parts), digest_size=10).digest()
