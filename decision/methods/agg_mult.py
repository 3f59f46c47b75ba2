"""AggMultᵖ: several folds, not nested, and a value for a result (TR Lemma 6).

Statement    As Lemma 2, with vectors of accumulators. Folds over different bags may stand side by side (which
             TR Example 4 asks for): each index set is a step of its own, and of each constant fold it is known
             that its accumulator keeps its initial value.
Fragment     folds over NoAgg bags, none inside another; the result is a value.
Complete     no.
Certificate  FOLD with the invariant g₁(M̄₁) = g₂(M̄₂) ∧ ⋀ M = i for the constant folds.
"""

from __future__ import annotations

from tallystick.certificates.rules.fold import fold_transitions, inductive
from tallystick.core.terms import TRUE, Term, aggregates, conjunction, equal
from tallystick.core.types import BagType
from tallystick.decision.invariants.induction import Induction
from tallystick.decision.methods.constant_fold import initial_facts
from tallystick.decision.outcome import Goal, MethodContext, Outcome
from tallystick.decision.tactics import Failed, evidence_for

NAME = "agg_mult"


def agg_mult(goal: Goal, context: MethodContext) -> Outcome | None:
    """Proves a goal by Lemma 6; None unless it has several folds, none nested, and a value for a result."""
    if isinstance(goal.left.type, BagType) or len(aggregates(goal.left)) + len(aggregates(goal.right)) < 2:
        return None
    induction = Induction.over(goal)
    claim = induction.conclusion(TRUE)
    if not induction.folds or aggregates(claim.left) or aggregates(claim.right):
        return None
    constant = [fact for fact in initial_facts(induction) if _is_inductive(induction, fact, context)]
    return induction.prove(conjunction(equal(claim.left, claim.right), *constant), context, NAME)


def _is_inductive(induction: Induction, fact: Term, context: MethodContext) -> bool:
    transitions = fold_transitions(induction.folds, induction.accumulators)
    required = inductive(induction.goal.hypothesis, fact, transitions)
    return not isinstance(evidence_for(required, context.prover), Failed)
