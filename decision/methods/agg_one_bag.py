"""AggOneᵇ: folds whose values are used to filter or map a bag (TR Lemma 5).

Statement    Let ψ₁, ψ₂ be the program terms. If ψ₁[i₁] = ψ₂[i₂], and ∀u. ψ₁[M₁](u) = ψ₂[M₂](u) implies that it still
             holds after one more element of the folded bag, the programs are equivalent.
Fragment     folds over NoAgg bags, none inside another; a bag for a result.
Complete     no: the claim itself must be inductive.
Certificate  FOLD with the invariant ∀u. ψ₁[M₁](u) = ψ₂[M₂](u), its quantifier eliminated (Cooper).
"""

from __future__ import annotations

from tallystick.certificates.rules.no_agg import NoAgg
from tallystick.core.errors import FragmentError
from tallystick.core.terms import TRUE, aggregates, conjunction, negation
from tallystick.core.types import BagType
from tallystick.decision.invariants.induction import Induction
from tallystick.decision.methods.no_agg import find_matching
from tallystick.decision.outcome import Goal, MethodContext, Outcome, Unknown
from tallystick.decision.tactics import formulas

NAME = "agg_one_bag"


def agg_one_bag(goal: Goal, context: MethodContext) -> Outcome | None:
    """Proves a goal by Lemma 5; None unless it has folds, none nested, and a bag for a result."""
    induction = Induction.over(goal)
    if not isinstance(goal.left.type, BagType) or not induction.folds:
        return None
    claim = induction.conclusion(TRUE)
    if aggregates(claim.left) or aggregates(claim.right):
        return None
    from tallystick.core.presburger.limits import LimitError, Limits
    from tallystick.core.presburger.validity import exists

    try:
        claimed = Goal(goal.hypothesis, claim.left, claim.right)
        claims = conjunction(*formulas(NoAgg(find_matching(claim)).requirements(claimed).premises))
        slots = sorted(claims.rows, key=repr)
        invariant = negation(exists(slots, negation(claims), Limits(deadline=context.prover.deadline)))
    except (LimitError, FragmentError) as limit:
        return Unknown(str(limit))
    return induction.prove(invariant, context, NAME)
