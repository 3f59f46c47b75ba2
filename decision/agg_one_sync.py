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

from tallystick.certificates import premises
from tallystick.core.monomials import is_slot, monomials
from tallystick.core.terms import Term, aggregates, conjunction, disjunction, equal, free_variables, substitute
from tallystick.core.types import BagType
from tallystick.decision.constant_fold import initial_facts
from tallystick.decision.induction import Induction
from tallystick.decision.outcome import Context, Goal, Outcome, Unknown

NAME = "agg_one_sync"


def agg_one_sync(goal: Goal, context: Context) -> Outcome | None:
    """Decides a goal whose folds collapse in synchrony; None unless it is in the class AggOneᵖ, over one index set."""
    collapsed = _collapsed(goal, context)
    if collapsed is None or isinstance(collapsed, Unknown):
        return collapsed
    induction, _, invariant = collapsed
    return induction.prove(invariant, context, NAME)


def collapses_in_synchrony(goal: Goal, context: Context) -> bool:
    """Whether CAV eq. 8 was shown to hold: two elements give no state that no single element gives.

    That is to say, the collapsed states are closed under steps. False when it fails or was not decided, and for
    self-products, which the papers exclude: an element of one is no input by itself.
    """
    collapsed = _collapsed(goal, context)
    if collapsed is None or isinstance(collapsed, Unknown):
        return False
    induction, transitions, invariant = collapsed
    bags = [fold.arguments[2] for fold in induction.folds]
    if any(count > 1 for bag in bags for monomial in monomials(bag) for _, count in monomial.degree):
        return False
    required = premises.inductive(goal.hypothesis, invariant, transitions)
    return isinstance(context.prover.evidence(formula for _, formula in required), tuple)


def _collapsed(goal: Goal, context: Context) -> tuple[Induction, premises.Transitions, Term] | Unknown | None:
    if isinstance(goal.left.type, BagType):
        return None
    if max(len(aggregates(goal.left)), len(aggregates(goal.right))) != 1:
        return None
    induction = Induction.over(goal)
    if not induction.folds:
        return None
    transitions = premises.fold_transitions(induction.folds, induction.accumulators)
    if len(transitions.steps) != 1:
        return None
    states = collapsed_states(induction, transitions, context)
    return states if isinstance(states, Unknown) else (induction, transitions, states)


def collapsed_states(induction: Induction, transitions: premises.Transitions, context: Context) -> Term | Unknown:
    """M = i ∨ ∃a. M = step(i, a) without its quantifier; Unknown when the elimination meets a limit."""
    from tallystick.core.presburger.limits import LimitError, Limits
    from tallystick.core.presburger.validity import exists

    [(_, _, after)] = transitions.steps
    initial = transitions.initial
    reached = {state: substitute(term, initial) for state, term in after.items()}
    slots = sorted({name for term in reached.values() for name in free_variables(term) if is_slot(name)}, key=repr)
    one_step = conjunction(*(equal(state, term) for state, term in reached.items()))
    try:
        after_one = exists(slots, one_step, Limits(deadline=context.prover.deadline))
    except LimitError as limit:
        return Unknown(f"eliminating the quantifier of the collapsed states: {limit}")
    return disjunction(conjunction(*initial_facts(induction)), after_one)
