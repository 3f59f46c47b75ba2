"""AggOneᵖ_sync: folds that collapse in synchrony (TR and CAV Theorem 3, with its missing case).

Statement    If every pair of accumulated values that two elements give is also given by one element (CAV eq. 8),
             the reachable states are M = i ∨ ∃a. M = step(i, a). The programs are equivalent iff they agree there.
             CAV eq. 10 leaves out the step from no element to one and is unsound; this invariant has both cases.
Fragment     at most one fold on each side, over one index set; the result is a value.
Complete     yes, where eq. 8 holds and no bag is multiplied by itself: a state of the invariant on which the results
             differ is reached by the input with that one element, or by empty bags.
Certificate  FOLD with the invariant, its ∃ eliminated (Cooper).
"""

from __future__ import annotations

from dataclasses import replace

from tallystick.certificates.rules.fold import Transitions, fold_transitions, inductive
from tallystick.core.interpreter import Environment
from tallystick.core.monomials import rows_of
from tallystick.core.presburger.limits import DEFAULT_LIMITS, LimitError, Limits
from tallystick.core.terms import (
    Term,
    aggregates,
    conjunction,
    disjunction,
    equal,
    substitute,
)
from tallystick.core.types import BagType
from tallystick.decision.invariants.induction import Induction, values
from tallystick.decision.invariants.runs import Contents, holds
from tallystick.decision.methods.constant_fold import initial_facts
from tallystick.decision.outcome import Goal, MethodContext, Outcome, Unknown
from tallystick.decision.tactics import evidence_for

NAME = "agg_one_sync"


def agg_one_sync(goal: Goal, context: MethodContext) -> Outcome | None:
    """Decides a goal whose folds collapse in synchrony; None unless it is in the class AggOneᵖ, over one index set."""
    induction = one_fold_a_side(goal)
    if induction is None:
        return None
    initial, [step] = conjunction(*initial_facts(induction)), _transitions(induction).steps
    element = {slot: goal.fresh(f"x{number}", slot.type) for number, slot in enumerate(rows_of(step.sources), 1)}

    def run(environment: Environment) -> Contents:
        contents, known = Contents(), values(environment)
        if not holds(initial, environment):
            contents.add(step.sources, {slot: known[name] for slot, name in element.items() if name in known})
        return contents

    reached = disjunction(initial, substitute(_one_step(induction), element))
    found = induction.refuted(reached, context, NAME, run)
    if found is not None:
        return found
    invariant = collapsed_states(induction, context)
    return invariant if isinstance(invariant, Unknown) else induction.prove(invariant, context, NAME)


def collapses_in_synchrony(goal: Goal, context: MethodContext, caps: Limits = DEFAULT_LIMITS) -> bool:
    """Whether CAV eq. 8 was shown to hold: two elements give no state that no single element gives.

    That is to say, the collapsed states are closed under steps. False when it fails or was not decided, and for
    self-products, which the papers exclude: an element of one is no input by itself.
    """
    induction = one_fold_a_side(goal)
    if induction is None:
        return False
    if any(len(set(step.sources)) < len(step.sources) for step in _transitions(induction).steps):
        return False
    invariant = collapsed_states(induction, context, caps)
    if isinstance(invariant, Unknown):
        return False
    required = inductive(goal.hypothesis, invariant, _transitions(induction))
    return isinstance(evidence_for(required, context.prover), tuple)


def one_fold_a_side(goal: Goal) -> Induction | None:
    """The induction over a goal about a value with at most one fold on each side, all over one index set."""
    if isinstance(goal.left.type, BagType) or max(len(aggregates(goal.left)), len(aggregates(goal.right))) != 1:
        return None
    induction = Induction.over(goal)
    return induction if induction.folds and len(_transitions(induction).steps) == 1 else None


def collapsed_states(induction: Induction, context: MethodContext, caps: Limits = DEFAULT_LIMITS) -> Term | Unknown:
    """M = i ∨ ∃a. M = step(i, a) without its quantifier; Unknown when the elimination meets a limit."""
    from tallystick.core.presburger.validity import exists

    [step] = _transitions(induction).steps
    try:
        after_one = exists(rows_of(step.sources), _one_step(induction), replace(caps, deadline=context.prover.deadline))
    except LimitError as limit:
        return Unknown(f"eliminating the quantifier of the collapsed states: {limit}")
    return disjunction(conjunction(*initial_facts(induction)), after_one)


def _one_step(induction: Induction) -> Term:
    """M = step(i, a)."""
    transitions = _transitions(induction)
    [step] = transitions.steps
    return conjunction(*(equal(state, substitute(term, transitions.initial)) for state, term in step.after.items()))


def _transitions(induction: Induction) -> Transitions:
    return fold_transitions(induction.folds, induction.accumulators)
