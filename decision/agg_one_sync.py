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

from collections.abc import Iterator
from dataclasses import replace

from tallystick.certificates import premises
from tallystick.core.interpreter import Environment
from tallystick.core.monomials import is_slot, monomials
from tallystick.core.presburger.limits import DEFAULT_LIMITS, LimitError, Limits
from tallystick.core.terms import (
    Term,
    aggregates,
    conjunction,
    disjunction,
    equal,
    free_variables,
    negation,
    substitute,
)
from tallystick.core.types import BagType
from tallystick.decision.constant_fold import initial_facts
from tallystick.decision.induction import Induction, values
from tallystick.decision.outcome import Context, Goal, Outcome, Unknown
from tallystick.decision.prover import Countermodel
from tallystick.decision.runs import Contents, fold_slots, literals, realised

NAME = "agg_one_sync"


def agg_one_sync(goal: Goal, context: Context) -> Outcome | None:
    """Decides a goal whose folds collapse in synchrony; None unless it is in the class AggOneᵖ, over one index set."""
    collapsed = _collapsed(goal, context)
    if collapsed is None or isinstance(collapsed, Unknown):
        return collapsed
    induction, transitions, invariant = collapsed

    def realise(environment: Environment) -> Environment | None:
        """No element, or the one that makes the accumulators of an input of the conclusion."""
        return next((each for each in _inputs(environment, induction, transitions, context) if each is not None), None)

    return induction.prove(invariant, context, NAME, realise, refute_first=True)


def _inputs(
    environment: Environment, induction: Induction, transitions: premises.Transitions, context: Context
) -> Iterator[Environment | None]:
    yield realised(induction.goal, [environment], Contents())
    known = literals(values(environment))
    one_step = _one_step(transitions)
    answer = context.prover.answer(substitute(negation(one_step), known))
    if isinstance(answer, Countermodel):
        contents, [slots] = Contents(), fold_slots(induction.folds)
        contents.add(slots, answer.values)
        yield realised(induction.goal, [environment], contents)


def collapses_in_synchrony(goal: Goal, context: Context, caps: Limits = DEFAULT_LIMITS) -> bool:
    """Whether CAV eq. 8 was shown to hold: two elements give no state that no single element gives.

    That is to say, the collapsed states are closed under steps. False when it fails or was not decided, and for
    self-products, which the papers exclude: an element of one is no input by itself.
    """
    collapsed = _collapsed(goal, context, caps)
    if collapsed is None or isinstance(collapsed, Unknown):
        return False
    induction, transitions, invariant = collapsed
    bags = [fold.arguments[2] for fold in induction.folds]
    if any(count > 1 for bag in bags for monomial in monomials(bag) for _, count in monomial.degree):
        return False
    required = premises.inductive(goal.hypothesis, invariant, transitions)
    return isinstance(context.prover.evidence(formula for _, formula in required), tuple)


def _collapsed(
    goal: Goal, context: Context, caps: Limits = DEFAULT_LIMITS
) -> tuple[Induction, premises.Transitions, Term] | Unknown | None:
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
    states = collapsed_states(induction, transitions, context, caps)
    return states if isinstance(states, Unknown) else (induction, transitions, states)


def collapsed_states(
    induction: Induction, transitions: premises.Transitions, context: Context, caps: Limits = DEFAULT_LIMITS
) -> Term | Unknown:
    """M = i ∨ ∃a. M = step(i, a) without its quantifier; Unknown when the elimination meets a limit."""
    from tallystick.core.presburger.validity import exists

    one_step = _one_step(transitions)
    try:
        after_one = exists(_slots(one_step), one_step, replace(caps, deadline=context.prover.deadline))
    except LimitError as limit:
        return Unknown(f"eliminating the quantifier of the collapsed states: {limit}")
    return disjunction(conjunction(*initial_facts(induction)), after_one)


def _one_step(transitions: premises.Transitions) -> Term:
    """M = step(i, a)."""
    [(_, _, after)] = transitions.steps
    return conjunction(*(equal(state, substitute(term, transitions.initial)) for state, term in after.items()))


def _slots(formula: Term) -> list[Term]:
    return sorted(filter(is_slot, free_variables(formula)), key=repr)
