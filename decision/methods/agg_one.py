"""AggOneᵖ: one fold a side, and a value for a result (TR Lemma 2, CAV Lemma 1).

Statement    Let P₁ = g₁(F₁) and P₂ = g₂(F₂). If g₁(i₁) = g₂(i₂), and g₁(M₁) = g₂(M₂) implies that it still holds
             after one more element, the programs are equivalent.
Fragment     at most one fold on each side, over NoAgg bags; the result is a value.
Complete     no: the claim itself must be inductive.
Certificate  FOLD with the invariant g₁(M₁) = g₂(M₂).
"""

from __future__ import annotations

from tallystick.core.terms import TRUE, aggregates, equal
from tallystick.core.types import BagType
from tallystick.decision.invariants.induction import Induction
from tallystick.decision.outcome import Goal, MethodContext, Outcome

NAME = "agg_one"


def agg_one(goal: Goal, context: MethodContext) -> Outcome | None:
    """Proves a goal by Lemma 2; None unless it is in the class AggOneᵖ."""
    if isinstance(goal.left.type, BagType) or not (aggregates(goal.left) or aggregates(goal.right)):
        return None
    if max(len(aggregates(goal.left)), len(aggregates(goal.right))) > 1:
        return None
    return by_claim(goal, context, NAME)


def by_claim(goal: Goal, context: MethodContext, method: str) -> Outcome | None:
    """FOLD with the claim itself as the invariant; None when an aggregate remains in it."""
    induction = Induction.over(goal)
    claim = induction.conclusion(TRUE)
    if not induction.folds or aggregates(claim.left) or aggregates(claim.right):
        return None
    return induction.prove(equal(claim.left, claim.right), context, method)
