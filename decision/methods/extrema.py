"""Extrema: folds whose every step is a minimum, a maximum, a disjunction or a conjunction.

Statement    Let every step be M' = max(M, h(x)), or M where the element does not take part, or the same with min, or
             and and for booleans. A vector of accumulators is reached iff no element of the bag exceeds it and each
             component is initial or attained by some element: one witness a component is enough (THEORY section 3,
             source 6). So the reachable states are ⋀ⱼ Mⱼ ≥ iⱼ ∧ ⋀ⱼ (Mⱼ = iⱼ ∨ ∃x. step(M, x) = M ∧ x attains Mⱼ), and
             with these for its invariant FOLD decides the goal. Each conjunct is preserved by itself, also when the
             witness need not respect all other components: the invariant has only those that the goal needs.
Fragment     any number of folds over NoAgg bags; each component of an accumulator steps by itself. What a step does is
             found out by asking, not by its looks: `x if x > a else a` and `max(a, x)` are the same.
Complete     yes, where the index set of each fold is one input bag, and where no input bag that is folded occurs in
             the rest of the programs: the witnesses are an input. Over products the invariant is sound, but no two
             bags may realise the witnesses.
Certificate  FOLD with facts about the reachable states, their quantifiers eliminated.

For the minimum and the maximum of the same bag from 0, `M1 <= 0 <= M2`: any such pair is reached by the bag {M1, M2}.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tallystick.certificates.rules.fold import fold_transitions
from tallystick.core.clock import clock
from tallystick.core.presburger.conversion import component as component_of
from tallystick.core.presburger.limits import DEFAULT_LIMITS, LimitError
from tallystick.core.terms import (
    TRUE,
    Operator,
    Parameter,
    Term,
    aggregates,
    conjunction,
    equal,
    free_variables,
    implies,
    ite,
    less,
    less_equal,
    rebuild,
    simplified,
    subterms,
    variable,
)
from tallystick.core.types import BOOL, INT
from tallystick.decision.invariants.extremal_facts import Extremum, Fact, Facts, at
from tallystick.decision.invariants.induction import Induction
from tallystick.decision.invariants.runs import Contents, realised
from tallystick.decision.methods.affine_invariants import components
from tallystick.decision.methods.no_agg import no_agg
from tallystick.decision.outcome import Differs, Goal, MethodContext, Outcome, Proved, Unknown

NAME = "extrema"
OTHER = "·"
"""The name of another value of a component; no parameter has it."""
SECONDS = 5.0


def extrema(goal: Goal, context: MethodContext) -> Outcome | None:
    """Decides a goal whose innermost folds all are extrema; None for other goals."""
    induction = Induction.over(goal)
    found = extremal_components(induction, context)
    if not found:
        return None
    steps = fold_transitions(induction.folds, induction.accumulators).steps
    facts = needed_facts(induction, Facts.of(goal, found, [step.sources for step in steps]), context)
    if isinstance(facts, Differs):
        return facts
    limits = replace(DEFAULT_LIMITS, deadline=min(context.prover.deadline, clock() + SECONDS))
    try:
        invariant = conjunction(*(fact.closed(limits) for fact in facts))
    except LimitError as limit:
        return Unknown(f"the extrema that are reached: {limit}")
    return induction.prove(invariant, context, NAME)


def needed_facts(induction: Induction, facts: Facts, context: MethodContext) -> Sequence[Fact] | Differs:
    """Facts that imply the conclusion of an induction, or an input on which the sides of its goal differ.

    A fact is assumed when it fails in a state in which the conclusion fails. A state in which none fails is reached, by
    the elements that witness the exact facts. Where the conclusion is not decided, all exact facts are returned.
    """
    claim = induction.conclusion(TRUE)
    is_nested = bool(aggregates(claim.left) or aggregates(claim.right))
    needed = list(facts.exact) if is_nested else []
    while True:
        answer = context.decide(induction.conclusion(_assumed(needed)))
        if isinstance(answer, Proved):
            return needed if is_nested else _shortened(needed, induction, context)
        if isinstance(answer, Unknown):
            return facts.exact
        state = induction.state(answer.environment)
        untried = (fact for fact in (*facts.simple, *facts.exact) if fact not in needed)
        failing = next((fact for fact in untried if fact.at(state, context.prover) is None), None)
        if failing is None:
            elements = (fact.at(state, context.prover) or Contents() for fact in facts.exact)
            contents = Contents([element for each in elements for element in each.elements])
            found = realised(induction.goal, [state], contents)
            return facts.exact if found is None else Differs(found, NAME)
        needed.append(failing)


def _shortened(facts: Sequence[Fact], induction: Induction, context: MethodContext) -> Sequence[Fact]:
    """The facts without those, long ones first, that the conclusion was easily seen to follow without."""
    quick = MethodContext(context.prover.quick(), context.decide)
    for fact in sorted(facts, key=lambda fact: sum(1 for _ in subterms(fact.open)), reverse=True):
        rest = [other for other in facts if other is not fact]
        if isinstance(no_agg(induction.conclusion(_assumed(rest)), quick), Proved):
            facts = rest
    return facts


def _assumed(facts: Sequence[Fact]) -> Term:
    return conjunction(*(fact.open for fact in facts))


def extremal_components(induction: Induction, context: MethodContext) -> list[Extremum] | None:
    """The components of an induction's accumulators as extrema; None when one is none, or depends on another one."""
    states = induction.accumulators
    transitions = fold_transitions(induction.folds, states)
    found: list[Extremum] = []
    for state in states:
        initial = components(transitions.initial[state])
        moved = [components(projected(step.after.get(state, state))) for step in transitions.steps]
        for index, component in enumerate(components(state)):
            if component.type not in (INT, BOOL):
                return None
            steps = tuple(projected(parts[index]) for parts in moved)
            if any(name in states for step in steps for name in free_variables(at(step, component, initial[index]))):
                return None
            upwards = _direction(component, steps, context)
            if upwards is None:
                return None
            found.append(Extremum(component, initial[index], steps, upwards))
    return found


def projected(term: Term) -> Term:
    """The term with projections pushed into conditionals and tuples."""

    def make(operator: Operator, arguments: tuple[Term, ...], parameter: Parameter) -> Term:
        if operator is Operator.PROJECTION and type(parameter) is int:
            return component_of(arguments[0], parameter)
        return simplified(operator, arguments, parameter)

    return rebuild(term, {}, inside=True, make=make)


def _direction(component: Term, steps: tuple[Term, ...], context: MethodContext) -> bool | None:
    """Whether a component steps upwards by maxima, downwards by minima, or (None) otherwise."""
    for upwards in (True, False):
        required = (fact for step in steps for fact in _facts(step, component, upwards))
        if isinstance(context.prover.evidence(required), tuple):
            return upwards
    return None


def _facts(step: Term, component: Term, upwards: bool) -> Iterator[Term]:
    """That M ↦ step is the identity or an extremum with a value, for each element.

    It never falls (rises), and where it rises to a value once, it is the maximum with that value everywhere.
    """
    if component.type == BOOL:
        yield implies(component, step) if upwards else implies(step, component)
        return
    other = variable(OTHER, INT)
    elsewhere = at(step, component, other)
    if upwards:
        yield less_equal(component, step)
        yield implies(less(component, step), equal(elsewhere, ite(less(other, step), step, other)))
    else:
        yield less_equal(step, component)
        yield implies(less(step, component), equal(elsewhere, ite(less(step, other), step, other)))
