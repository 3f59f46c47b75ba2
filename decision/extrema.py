"""Extrema: folds whose every step is a minimum, a maximum, a disjunction or a conjunction.

Statement    Let every step be M' = max(M, h(x)), or M where the element does not take part, or the same with min, or
             and and for booleans. A vector of accumulators is reached iff no element of the bag exceeds it and each
             component is initial or attained by some element: one witness a component is enough (THEORY section 3,
             source 6). So the reachable states are ⋀ⱼ Mⱼ ≥ iⱼ ∧ ⋀ⱼ (Mⱼ = iⱼ ∨ ∃x. step(M, x) = M ∧ x attains Mⱼ), and
             with these for its invariant FOLD decides the goal.
Fragment     any number of folds over NoAgg bags; each component of an accumulator steps by itself. What a step does is
             found out by asking, not by its looks: `x if x > a else a` and `max(a, x)` are the same.
Complete     yes, where the index set of each fold is one input bag, and where no input bag that is folded occurs in
             the rest of the programs: the witnesses are an input. Over products the invariant is sound, but no two
             bags may realise the witnesses.
Certificate  FOLD with the reachable states, their quantifiers eliminated.

For the minimum and the maximum of the same bag from 0, `M1 <= 0 <= M2`: any such pair is reached by the bag {M1, M2}.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

from tallystick.certificates import premises
from tallystick.core.interpreter import Environment
from tallystick.core.presburger.conversion import component as component_of
from tallystick.core.presburger.limits import DEFAULT_LIMITS, LimitError, Limits
from tallystick.core.presburger.validity import exists
from tallystick.core.terms import (
    Operator,
    Parameter,
    Term,
    add,
    conjunction,
    constant,
    disjunction,
    equal,
    free_variables,
    implies,
    ite,
    less,
    less_equal,
    negation,
    rebuild,
    simplified,
    substitute,
    variable,
)
from tallystick.core.types import BOOL, INT
from tallystick.decision.affine_invariants import components
from tallystick.decision.induction import Induction
from tallystick.decision.outcome import Context, Goal, Outcome, Unknown
from tallystick.decision.prover import Countermodel
from tallystick.decision.runs import Contents, fold_slots, literals, realised

NAME = "extrema"
OTHER = "·"
"""The name of another value of a component; no parameter has it."""
SECONDS = 5.0


def extrema(goal: Goal, context: Context) -> Outcome | None:
    """Decides a goal whose innermost folds all are extrema; None for other goals."""
    induction = Induction.over(goal)
    system = extremal_system(induction, context)
    if system is None:
        return None
    limits = replace(DEFAULT_LIMITS, deadline=min(context.prover.deadline, time.monotonic() + SECONDS))
    try:
        invariant = system.reachable(limits)
    except LimitError as limit:
        return Unknown(f"the extrema that are reached: {limit}")

    def realise(environment: Environment) -> Environment | None:
        contents = system.witnesses(environment, context)
        return realised(goal, [environment], contents) if contents else None

    return induction.prove(invariant, context, NAME, realise, refute_first=True)


@dataclass(frozen=True, slots=True)
class Extremum:
    """A component that steps by an extremum.

    Attributes:
        component: the component of an accumulator, with its initial value.
        steps: for each step of the system, what it makes of the component.
        upwards: whether it grows: a maximum, or a disjunction.
    """

    component: Term
    initial: Term
    steps: tuple[Term, ...]
    upwards: bool

    @property
    def beyond(self) -> Term:
        """That the component is its initial value, or on the far side of it."""
        near, far = (self.initial, self.component) if self.upwards else (self.component, self.initial)
        return implies(near, far) if far.type == BOOL else less_equal(near, far)

    def attained(self, step: int) -> Term:
        """That the element of a step gives the component its value: from just before it, it is reached."""
        if self.component.type == BOOL:
            moved = self.after(step, constant(not self.upwards))
            return conjunction(self.component, moved) if self.upwards else negation(disjunction(self.component, moved))
        before = add(self.component, constant(-1 if self.upwards else 1))
        return equal(self.after(step, before), self.component)

    def after(self, step: int, value: Term) -> Term:
        """What a step makes of the component when it has a value."""
        return _at(self.steps[step], self.component, value)


@dataclass(frozen=True, slots=True)
class ExtremalSystem:
    """Accumulators all of whose components step by extrema; for each step, the slots of its index set."""

    extrema: tuple[Extremum, ...]
    slots: tuple[tuple[Term, ...], ...]

    def reachable(self, limits: Limits) -> Term:
        """The states that some set of elements reaches; raises LimitError."""
        parts = [extremum.beyond for extremum in self.extrema]
        for extremum in self.extrema:
            attained = (exists(slots, self.witness(extremum, step), limits) for step, slots in enumerate(self.slots))
            parts.append(disjunction(equal(extremum.component, extremum.initial), *attained))
        return conjunction(*parts)

    def witness(self, extremum: Extremum, step: int) -> Term:
        """That the element of a step attains a component, and exceeds none."""
        kept = (equal(other.steps[step], other.component) for other in self.extrema)
        return conjunction(extremum.attained(step), *kept)

    def witnesses(self, environment: Environment, context: Context) -> Contents | None:
        """An element for each component that is not initial in an environment; None when one is not found."""
        known = literals({name: value for name, value in environment.items() if not isinstance(value, dict)})
        contents = Contents()
        for extremum in self.extrema:
            initial = equal(extremum.component, extremum.initial)
            if not isinstance(context.prover.answer(substitute(initial, known)), Countermodel):
                continue
            for step, slots in enumerate(self.slots):
                answer = context.prover.answer(substitute(negation(self.witness(extremum, step)), known))
                if isinstance(answer, Countermodel):
                    contents.add(slots, answer.values)
                    break
            else:
                return None
        return contents


def extremal_system(induction: Induction, context: Context) -> ExtremalSystem | None:
    """The folds of an induction as extrema; None when a component is none, or depends on another one."""
    states = induction.accumulators
    transitions = premises.fold_transitions(induction.folds, states)
    found: list[Extremum] = []
    for state in states:
        initial = components(transitions.initial[state])
        moved = [components(projected(after.get(state, state))) for _, _, after in transitions.steps]
        for index, component in enumerate(components(state)):
            steps = tuple(projected(parts[index]) for parts in moved)
            if any(name in states for step in steps for name in free_variables(_at(step, component, initial[index]))):
                return None
            upwards = _direction(component, steps, context)
            if upwards is None:
                return None
            found.append(Extremum(component, initial[index], steps, upwards))
    return ExtremalSystem(tuple(found), fold_slots(induction.folds)) if found else None


def projected(term: Term) -> Term:
    """The term with projections pushed into conditionals and tuples."""

    def make(operator: Operator, arguments: tuple[Term, ...], parameter: Parameter) -> Term:
        if operator is Operator.PROJECTION and type(parameter) is int:
            return component_of(arguments[0], parameter)
        return simplified(operator, arguments, parameter)

    return rebuild(term, {}, inside=True, make=make)


def _direction(component: Term, steps: tuple[Term, ...], context: Context) -> bool | None:
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
    elsewhere = _at(step, component, other)
    if upwards:
        yield less_equal(component, step)
        yield implies(less(component, step), equal(elsewhere, ite(less(other, step), step, other)))
    else:
        yield less_equal(step, component)
        yield implies(less(step, component), equal(elsewhere, ite(less(step, other), step, other)))


def _at(step: Term, component: Term, value: Term) -> Term:
    return substitute(step, {component: value})
