"""Sums in two parts: equations that lemmas may prove (untrusted).

A sum over rows of which one is known is that row's weight, and the sum over the others:

    Sum⟨y : R | φ(y) ↦ w(y)⟩  =  Sum⟨y : R | φ(y) ∧ y.key ≠ r.key ↦ w(y)⟩ + w(r)        for a row r of R with φ(r)

So COUNT(*) = 1 says that there is no other row, and COUNT(*) ≥ 2 that there is one. R has a key without NULL, or is ★
for COUNT(DISTINCT v), where a value is its own key. The proof goes through the sum of both halves,
⟨y | φ ∧ y.key ≠ r.key⟩ and ⟨y | φ ∧ y.key = r.key⟩; rule ONE makes y the row r in the latter.

A sum whose rows are partly those of another is that other one, and the sum over the rest, as COUNT(*) - COUNT(x) is:

    Sum⟨ȳ | φ ↦ w⟩  =  Sum⟨ȳ | φ ∧ ψ ↦ w⟩ + Sum⟨ȳ | φ ∧ ¬ψ ↦ w⟩
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from tallystick.core.binders import bind, instantiate, summation, total
from tallystick.core.operators import Operator
from tallystick.core.terms import Term, add, conjunction, default_term, equal, ite, negation, project
from tallystick.core.types import OptionType, TupleType
from tallystick.decision.queries.trees.instances import instances
from tallystick.decision.queries.trees.opened import FRESH, Opened, opened
from tallystick.decision.queries.trees.slots import conjuncts
from tallystick.decision.queries.trees.structure import Structure
from tallystick.decision.queries.trees.theory import Theory

MOST_ROWS = 3
"""So many rows, or values of ★, are split off one sum, each after the other."""


def splits(term: Term, structure: Structure, theory: Theory) -> Iterator[Term]:
    """What a sum is, where it has not the value that its known rows give it: the first of these, and the rest.

    That the row is one of the sum may follow from more than a lemma knows; then the lemma says what it weighs if it is.
    """
    if not _is_simple(term):
        return
    monomial = term.arguments[0].arguments[0]
    summed = opened(monomial, FRESH)
    if len(summed.sources) != 1:
        return
    (source,), (own,) = summed.sources, summed.rows
    counts_values = source.operator is Operator.EVERY and summed.head.operator is Operator.CONSTANT
    key = _key(theory, source)
    if key is None and not counts_values:
        return
    without = sum(1 for each in summed.conditions if each.operator is Operator.NOT)
    if without > MOST_ROWS or (key is None and without == MOST_ROWS):
        return
    known: dict[Any, Term] = {}
    for (row,) in instances(structure, monomial):
        known.setdefault(tuple(map(structure.value, _cells(row, key))), row)
    weights = [structure.value(instantiate(monomial, (row,)).head) for row in known.values()]
    if not known or structure.leaf(term) == sum(weights):
        return
    row = next(iter(known.values()))
    same = conjunction(*map(equal, _cells(own, key), _cells(row, key)))
    others = replace(summed, conditions=(*summed.conditions, negation(same))).monomial
    rest = total(summation((others,), term.type))  # type: ignore[arg-type]
    part = instantiate(monomial, (row,))
    yield add(rest, part.head)
    yield add(rest, ite(part.condition, part.head, default_term(part.head.type)))  # type: ignore[arg-type]


def complements(terms: Sequence[Term]) -> Iterator[tuple[Term, Term]]:
    """Sums, and what they are with another of the sums as a part, which is about no other rows than they are."""
    alone = {term: opened(term.arguments[0].arguments[0], FRESH) for term in terms if _is_simple(term)}
    for part, summed in alone.items():
        narrow = _narrow(summed)
        for whole, wide in alone.items():
            if narrow.sources == wide.sources and narrow.head is wide.head:
                extra = [each for each in narrow.conditions if each not in wide.conditions]
                if extra and set(wide.conditions) < set(narrow.conditions) and part.rows <= whole.rows:
                    condition = conjunction(*wide.conditions, negation(conjunction(*extra)))
                    rest = bind(wide.rows, wide.sources, condition, wide.head)
                    yield whole, add(part, total(summation((rest,), whole.type)))  # type: ignore[arg-type]


def _narrow(summed: Opened) -> Opened:
    """⟨ȳ | φ ∧ ψ ↦ w⟩ for ⟨ȳ | φ ↦ ite(ψ, w, 0)⟩."""
    head = summed.head
    if head.operator is not Operator.ITE:
        return summed
    condition, then, otherwise = head.arguments
    zero = default_term(head.type)  # type: ignore[arg-type]
    if then is zero:
        condition, then, otherwise = negation(condition), otherwise, then
    if otherwise is not zero:
        return summed
    return replace(summed, conditions=(*summed.conditions, *conjuncts(condition)), head=then)


def _is_simple(term: Term) -> bool:
    return term.operator is Operator.SUM and len(term.arguments[0].arguments) == 1


def halves(left: tuple[Term, ...], right: tuple[Term, ...]) -> tuple[Term, Term] | None:
    """Both halves of the only monomial on the left, if the right side is what `splits` makes of it."""
    over = [monomial for monomial in right if len(monomial.arguments) == 3]
    if len(left) != 1 or len(left[0].arguments) != 3 or len(over) != 1 or len(right) != 2:
        return None
    whole, rest = opened(left[0], FRESH), opened(over[0], FRESH)
    extra = [part for part in rest.conditions if part not in whole.conditions]
    if whole.sources != rest.sources or whole.head is not rest.head or len(extra) != 1:
        return None
    if not set(whole.conditions) <= set(rest.conditions):
        return None
    condition = conjunction(*whole.conditions, negation(extra[0]))
    return over[0], bind(whole.rows, whole.sources, condition, whole.head)


def _key(theory: Theory, source: Term) -> tuple[int, ...] | None:
    """A key of a table whose columns are not NULL."""
    for key in theory.keys(source):
        of = source.type.element  # type: ignore[union-attr]
        if isinstance(of, TupleType) and not any(isinstance(of.components[index], OptionType) for index in key):
            return key
    return None


def _cells(row: Term, key: tuple[int, ...] | None) -> list[Term]:
    """The columns of a key; the value itself where there is none."""
    return [row] if key is None else [project(row, index) for index in key]
