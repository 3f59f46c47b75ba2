"""Template invariants: bounds, remainders and minima that hold on sampled runs and prove inductive.

Statement    Let a, b be integer components of the accumulators, and c a constant near those that the steps mention.
             The facts a ≥ c, a ≤ c, a = b mod c, a = min(b, c), a = max(b, c), c ≤ a ⇔ b that all sampled states
             satisfy are candidates; the largest inductive set of them (`houdini`) is the invariant.
Fragment     folds over NoAgg bags whose accumulators are integers, booleans or tuples of these.
Complete     no.
Certificate  FOLD with those of the facts that are needed (`readable`).

Counting modulo 10, `(M2 + 1) % 10`, against counting to 5 with a reset: `M1 = M2 mod 5` and `M1 <= 4` for the reset.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from tallystick.certificates.rules.fold import Transitions, fold_transitions
from tallystick.core.interpreter import evaluate
from tallystick.core.terms import (
    Operator,
    Term,
    build,
    conjunction,
    constant,
    equal,
    free_variables,
    ite,
    less_equal,
)
from tallystick.core.types import BOOL, INT
from tallystick.decision.invariants.houdini import houdini
from tallystick.decision.invariants.induction import Induction
from tallystick.decision.invariants.readable import prove_shortly
from tallystick.decision.methods.affine_invariants import candidate_equations, components, sample_states
from tallystick.decision.outcome import Goal, MethodContext, Model, Outcome
from tallystick.decision.telling import constants

NAME = "template_invariants"
CONSTANTS = 16
STATES = 120


def template_invariants(goal: Goal, context: MethodContext) -> Outcome | None:
    """Proves a goal by template facts about the accumulators of its innermost folds; None without folds."""
    induction = Induction.over(goal)
    if not induction.folds:
        return None
    transitions = fold_transitions(induction.folds, induction.accumulators)
    states = sample_states(transitions, STATES)
    numbers = _numbers(goal)
    equations = candidate_equations(transitions)
    found = [fact for fact in templates(transitions, numbers) if all(_holds(fact, state) for state in states)]
    facts = houdini(goal.hypothesis, [*equations, *found], transitions, context)
    invariant = conjunction(*facts)
    return prove_shortly(induction, invariant, context, NAME)


def _numbers(goal: Goal) -> list[int]:
    """The constants of a goal and their neighbours, and divisors of its remainders."""
    return constants((goal.left, goal.right))[:CONSTANTS]


def templates(transitions: Transitions, numbers: list[int]) -> Iterator[Term]:
    """The candidate facts, equations first."""
    leaves = [leaf for state in transitions.initial for leaf in components(state)]
    integers = [leaf for leaf in leaves if leaf.type == INT]
    booleans = [leaf for leaf in leaves if leaf.type == BOOL]
    for number in numbers:
        bound = constant(number)
        for one, other in permutations(integers, 2):
            if number > 1:
                yield equal(one, build(Operator.MOD, (other,), number))
            yield equal(one, ite(less_equal(other, bound), other, bound))
            yield equal(one, ite(less_equal(bound, other), other, bound))
        for one in integers:
            yield less_equal(bound, one)
            yield less_equal(one, bound)
            for other in booleans:
                yield equal(other, less_equal(bound, one))
                yield equal(other, equal(one, bound))


def _holds(fact: Term, state: Model) -> bool:
    return evaluate(fact, {name: state[name] for name in free_variables(fact)}) is True
