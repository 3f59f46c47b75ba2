"""NOAGG: programs without aggregates make the same of arbitrary elements (TR Theorem 1, generalised)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, permutations, product
from math import factorial, prod
from typing import Literal

from tallystick.certificates.judgements import Judgement, Premise, Requirements, equivalence
from tallystick.core.errors import FragmentError
from tallystick.core.monomials import Monomial, monomials
from tallystick.core.terms import Term, add, conjunction, constant, equal, implies, ite
from tallystick.core.types import BagType

Matching = tuple[tuple[int, tuple[int, ...]], ...]
"""For each left monomial, the right monomial that it equals, and for each slot of that the left slot that it is."""

PERMUTATION_LIMIT = 720


@dataclass(frozen=True, slots=True)
class ValuesEqual:
    """Both sides, which are values, are equal."""

    def __str__(self) -> str:
        return "equal values"


@dataclass(frozen=True, slots=True)
class LeftIsRight:
    """Where the left monomial exists, so does the right one, with the same value."""

    left: int
    right: int

    def __str__(self) -> str:
        return f"left monomial {self.left} is right {self.right}"


@dataclass(frozen=True, slots=True)
class RightIsLeft:
    """Where the right monomial exists, so does the left one."""

    right: int
    left: int

    def __str__(self) -> str:
        return f"right monomial {self.right} is left {self.left}"


@dataclass(frozen=True, slots=True)
class SameMultiplicity:
    """The value of a monomial occurs equally often on both sides, over all permutations of the slots."""

    side: Literal["left", "right"]
    monomial: int

    def __str__(self) -> str:
        return f"multiplicity of {self.side} monomial {self.monomial}"


@dataclass(frozen=True, slots=True)
class NoAgg:
    """
    each premise, over arbitrary elements of the input bags
    --------------------------------------------------------  NOAGG
    Γ ⊢ P₁ ≡ P₂

    For values, one premise: they are equal. For bags with a `matching`, each pair of matched monomials is equal
    element by element, which is EqNoAgg (TR Fig. 7) for single monomials. Without one, for each degree the values of
    the monomials under all permutations of the slots form the same multiset.

    Fails when the sides lie outside the NoAgg class, the matching is none, or there are too many permutations.
    """

    matching: Matching | None

    def requirements(self, goal: Judgement) -> Requirements:
        """The premises: see above."""
        sides = equivalence(goal)
        if not isinstance(sides.left.type, BagType):
            return Requirements((Premise(ValuesEqual(), implies(sides.hypothesis, equal(sides.left, sides.right))),))
        left, right = monomials(sides.left), monomials(sides.right)
        if self.matching is not None:
            return Requirements(tuple(_matched(sides.hypothesis, left, right, self.matching)))
        return Requirements(
            (*_counted("left", sides.hypothesis, left, right), *_counted("right", sides.hypothesis, right, left))
        )


def _counted(
    side: Literal["left", "right"], hypothesis: Term, here: tuple[Monomial, ...], there: tuple[Monomial, ...]
) -> Iterator[Premise]:
    for index, monomial in enumerate(here):
        same = equal(_occurrences(monomial, there), _occurrences(monomial, here))
        known = conjunction(hypothesis, monomial.exists)
        yield Premise(SameMultiplicity(side, index), implies(known, same), monomial.sources)


def _occurrences(monomial: Monomial, among: tuple[Monomial, ...]) -> Term:
    """How often the value of `monomial` occurs among the values, under all permutations, of those over its bags."""
    comparable = [other for other in among if other.sources == monomial.sources]
    terms = [constant(0), constant(0)]
    for other, places in product(comparable, slot_permutations(monomial, len(comparable))):
        other = permuted(other, places)
        terms.append(ite(conjunction(other.exists, equal(other.value, monomial.value)), constant(1), constant(0)))
    return add(*terms)


def _matched(
    hypothesis: Term, left: tuple[Monomial, ...], right: tuple[Monomial, ...], matching: Matching
) -> Iterator[Premise]:
    if sorted(partner for partner, _ in matching) != list(range(len(right))) or len(left) != len(right):
        raise FragmentError("a matching pairs each left monomial with one right monomial")
    for index, (monomial, (partner, places)) in enumerate(zip(left, matching, strict=True)):
        other = right[partner]
        if other.sources != monomial.sources or not is_permutation(other, places):
            raise FragmentError("matched monomials are over the same bags, and slots of one bag are permuted")
        other = permuted(other, places)
        agree = conjunction(other.exists, equal(monomial.value, other.value))
        here, there = conjunction(hypothesis, monomial.exists), conjunction(hypothesis, other.exists)
        yield Premise(LeftIsRight(index, partner), implies(here, agree), monomial.sources)
        yield Premise(RightIsLeft(partner, index), implies(there, monomial.exists), monomial.sources)


def is_permutation(monomial: Monomial, places: tuple[int, ...]) -> bool:
    """Whether `places` permute the slots of each input bag among themselves."""
    sources = monomial.sources
    return sorted(places) == [*range(len(sources))] and tuple(sources[place] for place in places) == sources


def slot_permutations(monomial: Monomial, uses: int = 1) -> list[tuple[int, ...]]:
    """The permutations of the slots of one input bag, for all bags at once: where each slot goes.

    Raises FragmentError when there are too many for this number of `uses`.
    """
    slots = range(len(monomial.sources))
    blocks = [list(block) for _, block in groupby(slots, key=monomial.sources.__getitem__)]
    if prod(factorial(len(block)) for block in blocks) * max(1, uses) > PERMUTATION_LIMIT:
        raise FragmentError(f"a self-product has more than {PERMUTATION_LIMIT} permutations of its slots")
    chosen = product(*map(permutations, blocks))
    return [tuple(place for block in each for place in block) for each in chosen]


def permuted(monomial: Monomial, places: tuple[int, ...]) -> Monomial:
    """A monomial with each slot put into the place of another."""
    slots = monomial.slots
    return monomial.put([slots[place] for place in places])
