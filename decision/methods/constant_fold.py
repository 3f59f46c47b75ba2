"""Constant folds: every fold returns its initial value (TR section 3.2, "constant folds").

Statement    If f(i, μ) = i for every element of each fold, the programs are equivalent iff they agree when each
             fold is replaced by its initial value.
Fragment     any number of folds over NoAgg bags.
Complete     where it applies: the programs agree iff they agree on empty bags, which the remaining goal decides.
Certificate  FOLD with the invariant M = i.
"""

from __future__ import annotations

from tallystick.core.terms import conjunction, equal
from tallystick.decision.invariants.induction import Induction
from tallystick.decision.invariants.runs import Contents
from tallystick.decision.outcome import Goal, MethodContext, Outcome

NAME = "constant_fold"


def constant_fold(goal: Goal, context: MethodContext) -> Outcome | None:
    """Proves a goal whose innermost folds all return their initial values; None without folds."""
    induction = Induction.over(goal)
    if not induction.folds:
        return None
    return induction.prove(conjunction(*initial_facts(induction)), context, NAME, lambda _: Contents())


def initial_facts(induction: Induction) -> list:
    """For each fold, that its accumulator has its initial value."""
    return [equal(state, start) for state, start in zip(induction.accumulators, induction.initial, strict=True)]
