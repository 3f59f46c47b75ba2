"""SET: bags that repeat nothing are equal when each has the elements of the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Literal

from tallystick.certificates.judgements import Judgement, Premise, Requirements, equivalence
from tallystick.certificates.rules.no_agg import PERMUTATION_LIMIT
from tallystick.core.errors import FragmentError
from tallystick.core.monomials import Monomial, monomials
from tallystick.core.terms import Operator, Term, build, conjunction, disjunction, equal, implies
from tallystick.core.types import BagType


@dataclass(frozen=True, slots=True)
class IsOnOtherSide:
    """The value of a monomial of one side is one of the other side, on the same elements."""

    side: Literal["left", "right"]
    monomial: int

    def __str__(self) -> str:
        return f"{self.side} monomial {self.monomial} is on the other side"


@dataclass(frozen=True, slots=True)
class Distinct:
    """
    over arbitrary elements, each value of one side is one of the other, on the same elements
    -------------------------------------------------------------------------------------------  SET
    Γ ⊢ P₁ ≡ P₂

    Fails when a side may repeat an element, or has an aggregate, or when there are too many cases.
    """

    def requirements(self, goal: Judgement) -> Requirements:
        """One premise for each monomial of each side."""
        sides = equivalence(goal)
        if not (_is_set(sides.left) and _is_set(sides.right)):
            raise FragmentError("SET relates bags that repeat nothing: distinct, and filters and products of such bags")
        left, right = monomials(support(sides.left)), monomials(support(sides.right))
        contained = (
            *_contained("left", sides.hypothesis, left, right),
            *_contained("right", sides.hypothesis, right, left),
        )
        return Requirements(contained)


def _contained(
    side: Literal["left", "right"], hypothesis: Term, here: tuple[Monomial, ...], there: tuple[Monomial, ...]
) -> Iterator[Premise]:
    for index, monomial in enumerate(here):
        placed = (other.put(slots) for other in there for slots in _placements(other, monomial, len(there)))
        same = (conjunction(other.exists, equal(other.value, monomial.value)) for other in placed)
        known = conjunction(hypothesis, monomial.exists)
        yield Premise(IsOnOtherSide(side, index), implies(known, disjunction(*same)), monomial.sources)


def _is_set(bag: Term) -> bool:
    bags = [part for part in bag.arguments if isinstance(part.type, BagType)]
    filters = bag.operator in (Operator.FILTER, Operator.CARTESIAN)
    return bag.operator is Operator.DISTINCT or (filters and all(map(_is_set, bags)))


def support(bag: Term) -> Term:
    """A bag with the same elements, without distinct and without unions of a bag with itself."""
    parts = tuple(support(part) if isinstance(part.type, BagType) else part for part in bag.arguments)
    repeats = bag.operator is Operator.UNION and parts[0] is parts[1]
    return parts[0] if repeats or bag.operator is Operator.DISTINCT else build(bag.operator, parts, bag.parameter)


def _placements(monomial: Monomial, target: Monomial, uses: int) -> Iterator[tuple[Term, ...]]:
    """The ways to put each slot of a monomial into some slot of the same bag of another: few for so many `uses`."""
    rows = list(zip(target.slots, target.sources, strict=True))
    places = [[slot for slot, source in rows if source is bag] for bag in monomial.sources]
    if prod(map(len, places)) * uses > PERMUTATION_LIMIT:
        raise FragmentError(f"there are more than {PERMUTATION_LIMIT} ways to place slots")
    return product(*places)
