"""SUM: two numbers that are made from sums over bags are equal (THEORY-SQL section 4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tallystick.certificates.judgements import Goal, Judgement, Premise, Requirements, Subgoal, related
from tallystick.certificates.rules.flattening import flatten
from tallystick.certificates.rules.matching import (
    Group,
    Match,
    Pair,
    group,
    opened,
    pair,
    sources_at,
    unmatched,
)
from tallystick.core.binders import Instance, beyond
from tallystick.core.errors import KernelError
from tallystick.core.terms import Term, add, conjunction, default_term, disjunction, equal, implies, ite
from tallystick.core.types import INT, RATIONAL


@dataclass(frozen=True, slots=True)
class Weighs:
    """Where a monomial's condition holds, so does that of the one it is matched with, or its weight is 0."""

    monomial: int
    side: str
    partner: int

    def __str__(self) -> str:
        return f"{self.side} monomial {self.monomial} weighs something only where its partner {self.partner} does"


@dataclass(frozen=True, slots=True)
class WeightsAgree:
    """Where the conditions of both matched monomials hold, their weights are equal."""

    left: int
    right: int

    def __str__(self) -> str:
        return f"weights of left monomial {self.left} and right monomial {self.right} agree"


@dataclass(frozen=True, slots=True)
class TotalsAgree:
    """The weights of a group have the same total on both sides, for each choice of rows."""

    group: int

    def __str__(self) -> str:
        return f"weights of group {self.group} have the same total on both sides"


@dataclass(frozen=True, slots=True)
class WeighsNothing:
    """The weight of a monomial is 0 wherever its condition holds."""

    side: str
    monomial: int

    def __str__(self) -> str:
        return f"{self.side} monomial {self.monomial} weighs nothing"


@dataclass(frozen=True, slots=True)
class Sum:
    """
    x̄; φ ⊢ ψσ ∨ w = 0    x̄; ψσ ⊢ φ ∨ w'σ = 0    x̄; φ, ψσ ⊢ w = w'σ      for each pair
    x̄ ⊢ Σⱼ ite(φⱼ, wⱼ, 0) = Σₖ ite(ψₖ, w'ₖ, 0)                            for each group
    x̄; φ ⊢ w = 0                                                          for each other monomial
    ---------------------------------------------------------------------------------------------  SUM
    Γ; Δ ⊢ s ≡ t

    under Γ and Δ everywhere, where ⟨x̄ | φ ↦ w⟩ are the monomials of s, and ⟨ȳ | ψ ↦ w'⟩ those of t, once they are
    flattened. Corresponding index tuples contribute the same.

    Fails when the sides are no numbers, a sum might be infinite, or the monomials do not correspond (see BAG).
    """

    pairs: tuple[Match, ...]
    groups: tuple[Group, ...]

    def requirements(self, goal: Judgement) -> Requirements:
        """The premises of pairs, groups and other monomials, in this order; equal blocks of pairs."""
        goal = related(goal)
        if goal.left.type not in (INT, RATIONAL):
            raise KernelError("SUM relates two numbers")
        left, right = (flatten(side, len(goal.rows)) for side in (goal.left, goal.right))
        zero = default_term(goal.left.type)
        premises: list[Premise] = []
        subgoals: list[Subgoal] = []
        for match in self.pairs:
            both = pair(goal, match, left, right)
            subgoals += both.blocks
            premises += _matched(goal, match, both, zero)
        for number, members in enumerate(self.groups):
            found = group(goal, members, (left, right))
            parts = (found[: len(members.left)], found[len(members.left) :])
            same = implies(goal.hypothesis, equal(*(_total(part, zero) for part in parts)))
            sources = sources_at(found[0], (*members.left, *members.right)[0])
            premises.append(Premise(TotalsAgree(number), same, sources))
        for side, monomials in (("left", left), ("right", right)):
            for number in unmatched(len(monomials), side, self.pairs, self.groups):
                nothing = opened(monomials[number], len(goal.rows))
                formula = implies(conjunction(goal.hypothesis, nothing.condition), equal(nothing.head, zero))
                premises.append(Premise(WeighsNothing(side, number), formula, nothing.sources))
        return Requirements(tuple(premises), tuple(subgoals))


def _matched(goal: Goal, match: Match, both: Pair, zero: Term) -> Iterator[Premise]:
    left, right = both.left, both.right
    here, there = conjunction(goal.hypothesis, left.condition), conjunction(goal.hypothesis, right.condition)
    forth = implies(here, disjunction(beyond(here, right.condition), equal(left.head, zero)))
    back = implies(there, disjunction(beyond(there, left.condition), equal(right.head, zero)))
    yield Premise(Weighs(match.left, "left", match.right), forth, both.sources)
    yield Premise(Weighs(match.right, "right", match.left), back, both.sources)
    weights = implies(conjunction(here, right.condition), equal(left.head, right.head))
    yield Premise(WeightsAgree(match.left, match.right), weights, both.sources)


def _total(members: Sequence[Instance], zero: Term) -> Term:
    """What monomials contribute together, for one choice of rows."""
    return add(zero, *(ite(member.condition, member.head, zero) for member in members)) if members else zero
