"""Refutation: the search for an input on which two programs differ (kernel rule REFUTE).

Statement    An input on which the reference interpreter gives different results proves inequivalence.
Fragment     all programs.
Complete     no: inputs are tried smallest first, from a pool of values at which the programs may change their
             behaviour, up to the caps below. What is found is then made smaller.
Certificate  the input.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from math import floor
from typing import Any

from tallystick.core.interpreter import Bag, Environment, bag_of
from tallystick.core.terms import Term
from tallystick.core.types import BagType, BasicType, TupleType, Value
from tallystick.decision.inputs import (
    differs,
    inputs_from_model,
    parameters,
    random_value,
)
from tallystick.decision.made_values import Maker
from tallystick.decision.outcome import Goal, Model
from tallystick.decision.telling import Telling

SMALL_BAG = 2
INPUTS_OF_A_SIZE = 160
RANDOM_INPUTS = 200
MADE_INPUTS = 600
POOLED_INPUTS = 1000
MANY = 3, 40
MOST_COUNTS = 6
LARGE_INPUTS = 12
ALIKE_INPUTS = 300
COPIES = (3, 5, 8, 16, 40)
SHRINKING_STEPS = 600


def find_difference(
    goal: Goal,
    models: tuple[Model, ...] = (),
    expired: Callable[[], bool] = lambda: False,
    tells: Callable[[Goal, Environment], bool] = differs,
) -> Environment | None:
    """An input on which the sides of a goal differ; None when none was found.

    Inputs made of `models`, of premises that failed, come first. `expired` says when to stop, `tells` when
    the sides differ.
    """
    return first_difference(goal, candidates(goal, models), expired, tells)


def first_difference(
    goal: Goal,
    environments: Iterator[Environment],
    expired: Callable[[], bool],
    tells: Callable[[Goal, Environment], bool],
) -> Environment | None:
    """The first of some inputs on which the sides of a goal differ; what comes after it, or after the time, is left."""
    for environment in environments:
        if expired():
            return None
        if tells(goal, environment):
            return environment
    return None


def candidates(goal: Goal, models: tuple[Model, ...]) -> Iterator[Environment]:
    """Inputs to try: from models, small ones and ones made for their uses, many copies of an element, random ones."""
    for model in models:
        yield from inputs_from_model(goal, model)
    yield from _in_turn(small_inputs(goal), _made(goal), _pooled(goal))
    yield from _large(goal)
    generator = random.Random(2)
    names, telling = parameters(goal), _telling(goal)
    counts = [each for each in telling.integers if COPIES[0] < each <= COPIES[-1]]
    for copies in dict.fromkeys((*COPIES, *counts)):
        yield {
            name: {telling.value(name.type.element, generator): copies}
            if isinstance(name.type, BagType)
            else telling.value(name.type, generator)
            for name in names
        }
    for _ in range(ALIKE_INPUTS):
        yield {
            name: _alike(name.type.element, telling, generator)
            if isinstance(name.type, BagType)
            else telling.value(name.type, generator)
            for name in names
        }
    for _ in range(RANDOM_INPUTS):
        yield {name: _random_input(name, generator) for name in names}


def _made(goal: Goal) -> Iterator[Environment]:
    """Inputs made for what the programs do with them; none where nothing is said of them."""
    maker = Maker((goal.left, goal.right, goal.hypothesis), random.Random(5))
    yield from maker.environments(parameters(goal), MADE_INPUTS)


def _pooled(goal: Goal) -> Iterator[Environment]:
    """Inputs of a few values for each component."""
    maker = Maker((goal.left, goal.right, goal.hypothesis), random.Random(11))
    yield from maker.pooled_environments(parameters(goal), POOLED_INPUTS)


def _large(goal: Goal) -> Iterator[Environment]:
    """Inputs of a few more elements than constants say, such as how many are taken of an order."""
    generator = random.Random(13)
    maker = Maker((goal.left, goal.right, goal.hypothesis), generator)
    counts = [each for each in _telling(goal).integers if MANY[0] <= each <= MANY[1]]
    chosen = sorted(generator.sample(counts, min(len(counts), MOST_COUNTS)))
    yield from maker.large_environments(parameters(goal), [each + 1 for each in chosen], LARGE_INPUTS)


def _in_turn(*streams: Iterator[Environment]) -> Iterator[Environment]:
    """The elements of streams, one of each in turn."""
    waiting = deque(streams)
    while waiting:
        stream = waiting.popleft()
        for environment in stream:
            yield environment
            waiting.append(stream)
            break


def _alike(of: BasicType, telling: Telling, generator: random.Random) -> Bag:
    """A bag of a few elements that have components in common, some of them several times."""
    first = telling.value(of, generator)
    bag: Bag = {first: generator.choice((1, 1, 2, 3))}
    for _ in range(generator.randint(0, 3)):
        bag[_varied(first, of, telling, generator)] = generator.choice((1, 1, 2, 3))
    return bag


def _varied(value: Value, of: BasicType, telling: Telling, generator: random.Random) -> Value:
    """A value with some components of another."""
    if isinstance(value, tuple) and isinstance(of, TupleType):
        return tuple(_varied(part, kind, telling, generator) for part, kind in zip(value, of.components, strict=True))
    return value if generator.random() < 0.5 else telling.value(of, generator)


def small_inputs(goal: Goal) -> Iterator[Environment]:
    """Inputs with at most SMALL_BAG elements a bag, fewest elements first, of telling values."""
    generator = random.Random(3)
    names, telling = parameters(goal), _telling(goal)
    bags = [name for name in names if isinstance(name.type, BagType)]
    basics = [name for name in names if name not in bags]
    for size in sorted(product(range(SMALL_BAG + 1), repeat=len(bags)), key=lambda size: (sum(size), size)):
        elements = [bag.type.element for bag, count in zip(bags, size, strict=True) for _ in range(count)]  # type: ignore
        for chosen in _choices([*elements, *(name.type for name in basics)], telling, generator):  # type: ignore
            remaining = iter(chosen)
            contents = {
                bag: bag_of(next(remaining) for _ in range(count)) for bag, count in zip(bags, size, strict=True)
            }
            yield {**contents, **dict(zip(basics, remaining, strict=True))}


def _choices(types: list[BasicType], telling: Telling, generator: random.Random) -> Iterator[tuple[Value, ...]]:
    """All choices of one telling value of each type, or a sample where there are too many."""
    whole = TupleType(tuple(types)) if types else None
    if whole is None:
        yield ()
    elif telling.number(whole) <= INPUTS_OF_A_SIZE:
        yield from telling.all(whole)
    else:
        for _ in range(INPUTS_OF_A_SIZE):
            yield telling.value(whole, generator)


def _telling(goal: Goal) -> Telling:
    return Telling.of((goal.left, goal.right, goal.hypothesis))


def _random_input(name: Term, generator: random.Random) -> Value | Bag:
    if isinstance(name.type, BagType):
        element = name.type.element
        return bag_of(random_value(element, generator) for _ in range(generator.randint(0, 5)))
    return random_value(name.type, generator)


def shrink(environment: Environment, holds: Callable[[Environment], bool]) -> Environment:
    """An input of which `holds` is still true, with fewer elements and values nearer to 0 where possible."""
    budget = SHRINKING_STEPS
    improved = True
    while improved and budget > 0:
        improved = False
        for smaller in _smaller(environment):
            budget -= 1
            if holds(smaller):
                environment, improved = smaller, True
                break
            if budget <= 0:
                break
    return environment


def _smaller(environment: Environment) -> Iterator[Environment]:
    for name, content in environment.items():
        if isinstance(content, dict):
            for element, count in content.items():
                for fewer in dict.fromkeys((0, count // 2, count - 1)):
                    yield {**environment, name: _with_count(content, element, fewer)}
    for name, content in environment.items():
        if isinstance(content, dict):
            for element, count in content.items():
                for simpler in _simpler(element):
                    if simpler not in content:
                        rest = _with_count(content, element, 0)
                        yield {**environment, name: {**rest, simpler: count}}
        else:
            for simpler in _simpler(content):
                yield {**environment, name: simpler}


def _with_count(bag: Bag, element: Value, count: int) -> Bag:
    rest = {other: n for other, n in bag.items() if other != element}
    return {**rest, element: count} if count else rest


def _simpler(value: Any) -> Iterator[Any]:
    """Values that are simpler: nearer to 0, positive rather than negative, False rather than True."""
    if isinstance(value, tuple):
        for index, component in enumerate(value):
            for simpler in _simpler(component):
                yield (*value[:index], simpler, *value[index + 1 :])
    elif value is True:
        yield False
    elif isinstance(value, str) and value:
        yield from dict.fromkeys(("", "a" if value != "a" else "", value[: len(value) // 2], value[:-1], value[1:]))
    elif isinstance(value, Fraction) and value.denominator > 1:
        near = (
            round(value),
            floor(value),
            floor(value) + 1,
            Fraction(round(2 * value), 2),
            Fraction(round(4 * value), 4),
        )
        yield from dict.fromkeys(map(Fraction, near))
    elif type(value) in (int, Fraction) and value:
        step = 1 if value > 0 else -1
        yield from dict.fromkeys(
            type(value)(number)
            for number in (
                0,
                step,
                -value if value < 0 else 0,
                value // 2 if value > 0 else -(-value // 2),
                value - step,
            )
            if abs(number) < abs(value) or number == -value
        )
