"""CONG for what is made from bags: equal bags give equal blocks, sums, extrema, and values of unknown functions."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tallystick.certificates.judgements import Judgement, Requirements, Subgoal, related
from tallystick.core.errors import KernelError
from tallystick.core.operators import Operator

FUNCTIONS_OF_BAGS = (
    Operator.LIMIT,
    Operator.EXCEPT_ALL,
    Operator.INTERSECT_ALL,
    Operator.OPAQUE_BAG,
    Operator.EXISTS,
    Operator.SUM,
    Operator.EXTREMUM,
    Operator.AGGREGATE,
)


@dataclass(frozen=True, slots=True)
class CongruenceOfBags:
    """
    Γ; Δ ⊢ Bᵢ ≡ Cᵢ for each i
    ----------------------------------  CONG
    Γ; Δ ⊢ f(B₁, …, Bₙ) ≡ f(C₁, …, Cₙ)

    for the same function f, parameter included: a block, a sum, an extremum, or one of which nothing is known.

    Fails when the sides are not values of one such function.
    """

    def requirements(self, goal: Judgement) -> Requirements:
        """That the bags are equal, one by one."""
        goal = related(goal)
        left, right = goal.left, goal.right
        same = left.operator is right.operator and left.parameter == right.parameter
        if not same or left.operator not in FUNCTIONS_OF_BAGS or len(left.arguments) != len(right.arguments):
            raise KernelError("both sides are values of one function of bags")
        pairs = zip(left.arguments, right.arguments, strict=True)
        goals = (replace(goal, left=one, right=other) for one, other in pairs)
        return Requirements(subgoals=tuple(Subgoal(f"bag{place}", each) for place, each in enumerate(goals)))
