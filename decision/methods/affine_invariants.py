"""Affine invariants: linear equations between accumulators that hold on sampled runs and prove inductive.

Statement    Run the folds side by side on random elements. The equations c₀ + Σ cₖ·Mₖ = 0 that all sampled states
             satisfy span the affine hull of the samples; those that are inductive are kept. FOLD then needs only
             that they imply the conclusion (THEORY section 3, source 3). `M2 = 3·M1` proves the sums modulo 5.
             Where folds are nested and all innermost folds at once are not enough, those on whose values others
             depend come first, and the rest later, beside the folds that depended on them.
Fragment     folds over NoAgg bags whose accumulators are integers, booleans or tuples of these.
Complete     no: it finds conjunctions of linear equations between integer components, of boolean components that
             are equal or opposite, of components that never change, and of the claim itself if it is a formula.
Certificate  FOLD with the conjunction of these.
"""

from __future__ import annotations

import random
from fractions import Fraction
from math import gcd, lcm

from tallystick.certificates.rules.fold import Transitions, fold_transitions
from tallystick.core.errors import EvaluationError
from tallystick.core.interpreter import evaluate
from tallystick.core.terms import (
    TRUE,
    Operator,
    Term,
    add,
    aggregates,
    conjunction,
    constant,
    equal,
    free_variables,
    negation,
    project,
    scale,
)
from tallystick.core.types import BOOL, INT, BagType, TupleType, Value
from tallystick.decision.inputs import random_value
from tallystick.decision.invariants.houdini import houdini
from tallystick.decision.invariants.induction import Induction
from tallystick.decision.outcome import Goal, MethodContext, Model, Outcome, Proved

NAME = "affine_invariants"
RUNS = 4


def affine_invariants(goal: Goal, context: MethodContext) -> Outcome | None:
    """Proves a goal by equations between the accumulators of its innermost folds; None without folds."""
    induction, stage = Induction.over(goal), Induction.first_stage(goal)
    if not induction.folds:
        return None
    outcome: Outcome | None = None
    for claims in ([], _claims(induction)):  # the claim is no part of an invariant that implies it
        facts = inductive_equations(induction, claims, context)
        outcome = induction.prove(conjunction(*facts), context, NAME) if facts else outcome
        if isinstance(outcome, Proved):
            return outcome
    if stage is None:
        return outcome
    return stage.prove(conjunction(*inductive_equations(stage, _claims(stage), context)), context, NAME)


def inductive_equations(induction: Induction, claims: list[Term], context: MethodContext) -> list[Term]:
    """The candidate equations and `claims` that together are inductive."""
    transitions = fold_transitions(induction.folds, induction.accumulators)
    return houdini(induction.goal.hypothesis, [*candidate_equations(transitions), *claims], transitions, context)


def _claims(induction: Induction) -> list[Term]:
    """The claim that both sides are equal, if it is a formula about the accumulators."""
    claim = induction.conclusion(TRUE)
    if isinstance(claim.left.type, BagType) or aggregates(claim.left) or aggregates(claim.right):
        return []
    return [equal(claim.left, claim.right)]


def candidate_equations(transitions: Transitions) -> list[Term]:
    """Equations between components of the accumulators, and basic integer parameters, that hold on sampled runs.

    There are none where a run needs the value of a function of which nothing is known.
    """
    leaves = [leaf for state in transitions.initial for leaf in components(state)]
    parameters = {name for start in transitions.initial.values() for name in free_variables(start)}
    inputs = [leaf for name in sorted(parameters, key=repr) for leaf in components(name)]
    try:
        states = sample_states(transitions, len(leaves) + len(inputs))
    except EvaluationError:
        return []
    integers = [leaf for leaf in (*inputs, *leaves) if leaf.type == INT]
    booleans = [leaf for leaf in leaves if leaf.type == BOOL]
    rows: list[list[int]] = [[1, *(_value(leaf, state) for leaf in integers)] for state in states]  # type: ignore
    basis = [vector for vector in null_space(rows) if any(vector[1:])]
    equations = [linear_equation(vector, integers) for vector in basis]
    for index, one in enumerate(booleans):
        equations += [
            same for other in booleans[index + 1 :] for same in (equal(one, other), equal(one, negation(other)))
        ]
    return equations


def components(term: Term) -> list[Term]:
    """The integer and boolean components of a term, itself if it is one."""
    if isinstance(term.type, TupleType):
        return [leaf for index in range(len(term.type.components)) for leaf in components(project(term, index))]
    return [term]


def sample_states(transitions: Transitions, dimension: int) -> list[Model]:
    """States on random runs, each with the parameters of its run: more than `dimension` + 1 of them."""
    generator = random.Random(1)
    moving = [term for step in transitions.steps for term in step.after.values()]
    names = {name for term in (*moving, *transitions.initial.values()) for name in free_variables(term)}
    inputs = sorted(names - set(transitions.initial), key=repr)
    states: list[Model] = []
    for _ in range(RUNS):
        run = {name: random_value(name.type, generator) for name in inputs}
        for state, start in transitions.initial.items():
            run[state] = _value(start, run)
        states.append(dict(run))
        for index in range(2 + dimension // RUNS):
            after = transitions.steps[index % len(transitions.steps)].after
            slots = {name for term in after.values() for name in free_variables(term)} - set(transitions.initial)
            element = {name: random_value(name.type, generator) for name in slots if name.operator is Operator.ROW}
            current = run | element
            run |= {state: _value(term, current) for state, term in after.items()}
            states.append(dict(run))
    return states


def _value(term: Term, state: Model) -> Value:
    return evaluate(term, {name: state[name] for name in free_variables(term)})  # type: ignore[return-value]


def null_space(rows: list[list[int]]) -> list[list[int]]:
    """A basis, in coprime integers, of the vectors that are orthogonal to every row."""
    width = len(rows[0])
    pivots: dict[int, list[Fraction]] = {}
    for row in rows:
        reduced = [Fraction(entry) for entry in row]
        for column, pivot in pivots.items():
            factor = reduced[column]
            reduced = [entry - factor * other for entry, other in zip(reduced, pivot, strict=True)]
        lead = next((column for column in range(width) if reduced[column]), None)
        if lead is None:
            continue
        reduced = [entry / reduced[lead] for entry in reduced]
        for column, pivot in pivots.items():
            factor = pivot[lead]
            pivots[column] = [entry - factor * other for entry, other in zip(pivot, reduced, strict=True)]
        pivots[lead] = reduced
    return [_orthogonal(free, pivots, width) for free in range(width) if free not in pivots]


def _orthogonal(free: int, pivots: dict[int, list[Fraction]], width: int) -> list[int]:
    vector = [Fraction(int(column == free)) for column in range(width)]
    for column, pivot in pivots.items():
        vector[column] = -pivot[free]
    whole = lcm(*(entry.denominator for entry in vector))
    integers = [int(entry * whole) for entry in vector]
    divisor = gcd(*integers)
    return [entry // divisor for entry in integers]


def linear_equation(vector: list[int], terms: list[Term]) -> Term:
    """c₀ + Σ cₖ·tₖ = 0, written with positive coefficients on both sides and the last term on the left."""
    offset, *coefficients = vector
    if next(c for c in reversed(coefficients) if c) < 0:
        offset, coefficients = -offset, [-c for c in coefficients]
    left = [_multiple(c, term) for c, term in zip(coefficients, terms, strict=True) if c > 0]
    right = [_multiple(-c, term) for c, term in zip(coefficients, terms, strict=True) if c < 0]
    if offset:
        (left if offset > 0 else right).append(constant(abs(offset)))
    return equal(_sum(left), _sum(right))


def _multiple(factor: int, term: Term) -> Term:
    return term if factor == 1 else scale(factor, term)


def _sum(terms: list[Term]) -> Term:
    return add(*terms) if len(terms) > 1 else terms[0] if terms else constant(0)
