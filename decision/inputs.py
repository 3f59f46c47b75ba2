"""Inputs to try: from the models of failed premises, and at random."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from tallystick.core.errors import EvaluationError
from tallystick.core.interpreter import Bag, Environment, evaluate
from tallystick.core.monomials import rows_of
from tallystick.core.terms import Operator, Term, free_variables, subterms
from tallystick.core.types import (
    BagType,
    BoolType,
    IntType,
    OptionType,
    RationalType,
    TextType,
    TupleType,
    Type,
    Value,
    default_value,
    is_basic,
)
from tallystick.decision.outcome import Goal, Model

STEP_LIMIT = 200_000
WEIGHTS = ((1,), (2, 3, 5, 7, 11, 13, 17), (19, 5, 13, 2, 23, 3, 29), (101, 211, 307, 401, 503, 601, 701))
"""Multiplicities for the distinct elements of an input, tried in turn; a polynomial vanishes on few of them."""


def differs(goal: Goal, environment: Environment) -> bool:
    """Whether the hypothesis holds on an input and the two sides give different values there."""
    try:
        return evaluate(goal.hypothesis, _only(environment, goal.hypothesis), STEP_LIMIT) is True and (
            evaluate(goal.left, environment, STEP_LIMIT) != evaluate(goal.right, environment, STEP_LIMIT)
        )
    except EvaluationError:
        return False


def _only(environment: Environment, term: Term) -> Environment:
    return {name: environment[name] for name in free_variables(term) if name in environment}


def parameters(goal: Goal) -> tuple[Term, ...]:
    """The variables of a goal, in order of occurrence."""
    occurring = (node for side in (goal.left, goal.right, goal.hypothesis) for node in subterms(side))
    return tuple(dict.fromkeys(node for node in occurring if node.operator is Operator.VARIABLE))


def input_bags(values: Model, sources: Sequence[Term]) -> Model:
    """A model of a premise as a model of the goal: each input bag has the values of its rows for its elements."""
    found: dict[Term, Value] = {name: value for name, value in values.items() if name.operator is Operator.VARIABLE}
    for slot, source in zip(rows_of(sources), sources, strict=True):
        if source.operator is Operator.VARIABLE and slot in values:
            found[source] = (*found.get(source, ()), values[slot])  # type: ignore[misc]
    return found


def inputs_from_model(goal: Goal, model: Model) -> Iterator[dict[Term, Value | Bag]]:
    """Inputs whose bags hold the elements that a model gives them, in growing multiplicities.

    A bag of which the model says nothing is empty at first, and then has one element, which it cannot tell apart.
    """
    names = parameters(goal)
    basics = {name: model.get(name, default_value(name.type)) for name in names if is_basic(name.type)}  # type: ignore
    supports = {name: _support(name, model) for name in names if name not in basics}
    full = {name: support or [default_value(name.type.element)] for name, support in supports.items()}  # type: ignore
    for chosen in (supports, full) if full != supports else (supports,):
        for weights in WEIGHTS:
            remaining = iter(weights * sum(map(len, chosen.values())))
            bags = {name: {value: next(remaining) for value in values} for name, values in chosen.items()}
            yield {**basics, **bags}


def _support(bag: Term, model: Model) -> list[Value]:
    """The elements of a bag, each once."""
    return list(dict.fromkeys(model.get(bag, ())))  # type: ignore[arg-type]


def smallest(of: Type) -> Value | Bag:
    """The smallest value of a type; the empty bag for bags."""
    return {} if isinstance(of, BagType) else default_value(of)


def random_value(of: Type, generator: random.Random) -> Any:
    """A value of a basic type: integers mostly small, now and then large."""
    match of:
        case IntType():
            return generator.choice((generator.randint(-9, 9), generator.randint(-200, 200), generator.getrandbits(20)))
        case BoolType():
            return generator.random() < 0.5
        case TextType():
            return "".join(generator.choice("ab A1,") for _ in range(generator.randint(0, 4)))
        case RationalType():
            return Fraction(generator.randint(-200, 200), generator.choice((1, 1, 2, 4)))
        case OptionType(inner):
            return None if generator.random() < 0.3 else random_value(inner, generator)
        case TupleType(components):
            return tuple(random_value(component, generator) for component in components)
    raise TypeError("bags are no values of a basic type")
