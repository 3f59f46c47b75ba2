"""BAG: two sums of monomials have the same elements equally often (THEORY-SQL section 4; NOAGG, generalised)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tallystick.certificates.judgements import Goal, Judgement, Premise, Requirements, Subgoal, related
from tallystick.certificates.rules.matching import (
    Group,
    Match,
    Sides,
    group,
    opened,
    pair,
    sources_at,
    unmatched,
)
from tallystick.core.binders import Instance, beyond
from tallystick.core.errors import KernelError
from tallystick.core.operators import Operator
from tallystick.core.terms import FALSE, Term, add, conjunction, constant, equal, implies, ite


@dataclass(frozen=True, slots=True)
class ConditionHolds:
    """Where a monomial's condition holds, so does that of the one it is matched with."""

    monomial: int
    side: str
    partner: int

    def __str__(self) -> str:
        return f"condition of {self.side} monomial {self.monomial} implies that of its partner {self.partner}"


@dataclass(frozen=True, slots=True)
class HeadsAgree:
    """Where the conditions of both matched monomials hold, their heads are equal."""

    left: int
    right: int

    def __str__(self) -> str:
        return f"heads of left monomial {self.left} and right monomial {self.right} agree"


@dataclass(frozen=True, slots=True)
class CountsAgree:
    """The head of a monomial of a group occurs equally often on both sides, for each choice of rows."""

    group: int
    member: int

    def __str__(self) -> str:
        return f"the head of member {self.member} of group {self.group} is as frequent on both sides"


@dataclass(frozen=True, slots=True)
class Empty:
    """The condition of a monomial never holds."""

    side: str
    monomial: int

    def __str__(self) -> str:
        return f"{self.side} monomial {self.monomial} has no element"


@dataclass(frozen=True, slots=True)
class Bag:
    """
    x̄; φ ⊢ ψσ    x̄; ψσ ⊢ φ    x̄; φ, ψσ ⊢ h ≐ h'σ      for each pair ⟨x̄ | φ ↦ h⟩, ⟨ȳ | ψ ↦ h'⟩ and σ: ȳ → x̄
    x̄; φⱼ ⊢ Σᵢ [φᵢ ∧ hᵢ ≐ hⱼ] = Σₖ [ψₖ ∧ h'ₖ ≐ hⱼ]       for each j of a group, and likewise for each right one
    x̄; φ ⊢ ⊥                                             for each other monomial
    ----------------------------------------------------------------------------------------------------  BAG
    Γ; Δ ⊢ Σ ⟨x̄ | φ ↦ h⟩ ≡ Σ ⟨ȳ | ψ ↦ h'⟩

    under Γ and Δ everywhere. The index tuples of matched monomials correspond and have the same weight, the product of
    the multiplicities of their rows; in a group the sum of what all of them contribute is the same for each tuple.

    Fails when a side is no sum, a monomial is matched twice, or matched slots differ in their sources, unless these are
    blocks, which subgoals prove equal.
    """

    pairs: tuple[Match, ...]
    groups: tuple[Group, ...]

    def requirements(self, goal: Judgement) -> Requirements:
        """The premises of pairs, groups and other monomials, in this order; equal blocks of pairs."""
        goal = related(goal)
        if not goal.left.operator is goal.right.operator is Operator.SUMMATION:
            raise KernelError("BAG relates two sums of monomials")
        left, right = goal.left.arguments, goal.right.arguments
        premises: list[Premise] = []
        subgoals: list[Subgoal] = []
        for match in self.pairs:
            both = pair(goal, match, left, right)
            subgoals += both.blocks
            premises += _matched(goal, match, both.sources, both.left, both.right)
        for number, members in enumerate(self.groups):
            premises += _counted(goal, number, members, (left, right))
        for side, monomials in (("left", left), ("right", right)):
            for number in unmatched(len(monomials), side, self.pairs, self.groups):
                nothing = opened(monomials[number], len(goal.rows))
                formula = implies(conjunction(goal.hypothesis, nothing.condition), FALSE)
                premises.append(Premise(Empty(side, number), formula, nothing.sources))
        return Requirements(tuple(premises), tuple(subgoals))


def _matched(goal: Goal, match: Match, sources: tuple[Term, ...], left: Instance, right: Instance) -> Iterator[Premise]:
    here, there = conjunction(goal.hypothesis, left.condition), conjunction(goal.hypothesis, right.condition)
    forth, back = implies(here, beyond(here, right.condition)), implies(there, beyond(there, left.condition))
    yield Premise(ConditionHolds(match.left, "left", match.right), forth, sources)
    yield Premise(ConditionHolds(match.right, "right", match.left), back, sources)
    heads = implies(conjunction(here, right.condition), equal(left.head, right.head))
    yield Premise(HeadsAgree(match.left, match.right), heads, sources)


def _counted(goal: Goal, number: int, members: Group, sides: Sides) -> Iterator[Premise]:
    found = group(goal, members, sides)
    sources = sources_at(found[0], (*members.left, *members.right)[0])
    for place, member in enumerate(found):
        same = equal(*(_count(member.head, side) for side in (found[: len(members.left)], found[len(members.left) :])))
        formula = implies(conjunction(goal.hypothesis, member.condition), same)
        yield Premise(CountsAgree(number, place), formula, sources)


def _count(head: Term, members: Sequence[Instance]) -> Term:
    """How often a value occurs among the heads of monomials, for one choice of rows."""
    one, zero = constant(1), constant(0)
    counts = [ite(conjunction(member.condition, equal(member.head, head)), one, zero) for member in members]
    return add(zero, *counts) if counts else zero
