"""REFUTE for programs: the theorem that two programs differ on an input, and what it takes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cmp_to_key
from itertools import pairwise
from typing import Any, Final

from tallystick.core.errors import KernelError
from tallystick.core.interpreter import Environment, evaluate
from tallystick.core.programs import LIST, MEAN, Program, comparable
from tallystick.core.terms import Operator, Term, apply, row
from tallystick.core.types import Bag, BagType, Value
from tallystick.core.work import STEP_LIMIT

MOST_STEPS: Final = 5_000
"""How many steps of a fold may be taken to see that each order of some elements gives one value."""


@dataclass(frozen=True, slots=True)
class Inequivalent:
    """A theorem: on `environment` the programs return the different values `outputs`."""

    left: Program
    right: Program
    environment: Environment
    outputs: tuple[object, object] = field(compare=False)


def inequivalent(left: Program, right: Program, environment: Environment, steps: int = STEP_LIMIT) -> Inequivalent:
    """
    ⟦P₁⟧(ρ) ≠ ⟦P₂⟧(ρ)
    ------------------  REFUTE
    P₁ ≢ P₂

    Fails when the programs are not comparable, ρ is not an input, or both return the same. Raises EvaluationError
    when an evaluation takes more than `steps` steps.
    """
    if not comparable(left, right) or set(environment) != set(left.parameters):
        raise KernelError("REFUTE needs comparable programs and one value for each parameter")
    outputs = evaluate(left.expression, environment, steps), evaluate(right.expression, environment, steps)
    if not differ(left, *outputs):
        raise KernelError("both programs return the same value on this input")
    return Inequivalent(left, right, environment, outputs)


def differ(program: Program, left: Any, right: Any) -> bool:
    """Whether two values of a program's expression stand for different results."""
    if program.may_raise:
        (left_returns, left), (right_returns, right) = left, right
        if not (left_returns and right_returns):
            return left_returns != right_returns
    if program.returns == MEAN:
        (left_sum, left_count), (right_sum, right_count) = left, right
        if left_count and right_count:
            return left_sum * right_count != right_sum * left_count
        return (left_count != 0 and left_sum != 0) or (right_count != 0 and right_sum != 0)
    if program.returns == LIST:
        return _lists_differ(left, right)
    return left != right


def _lists_differ(left: Bag, right: Bag) -> bool:
    """Whether the lists differ that two bags of pairs stand for, however elements with equal keys are placed."""
    (one, ties), (other, other_ties) = listed(left), listed(right)
    if not (ties or other_ties):
        return one != other
    limits = {order[0] for order, _ in (*left, *right)}  # type: ignore[index, misc]
    return limits == {-1} and Counter(one) != Counter(other)


def listed(pairs: Bag) -> tuple[list[Any], bool]:
    """The list that a bag of pairs stands for, and whether elements that differ have equal keys."""

    def compared(first: Any, second: Any) -> int:
        (_, *one), (_, *other) = first[0], second[0]
        for index in range(0, len(one) - 1, 2):
            if one[index + 1] != other[index + 1]:
                return -1 if (one[index + 1] < other[index + 1]) is not one[index] else 1
        return 0

    found: list[Any] = sorted(pairs, key=cmp_to_key(compared))
    ties = any(not compared(first, second) for first, second in pairwise(found))
    elements = [pair[1] for pair in found for _ in range(pairs[pair])]
    limit = found[0][0][0] if found else -1
    return (elements if limit < 0 else elements[:limit]), ties


def require_one_value(fold: Term, environment: Environment, steps: int) -> None:
    """Raises KernelError unless a fold has the same value on an input in each order of the elements, as far as tried.

    All orders are tried: states that some order of the same elements reaches are kept together. Raises EvaluationError
    like `evaluate`.
    """
    initial, udf, bag = fold.arguments
    by_key = fold.operator is Operator.FOLD_BY_KEY
    element = bag.type.element if isinstance(bag.type, BagType) else None
    of = element.components[1] if by_key else element  # type: ignore[union-attr]
    state, folded = row(0, initial.type), row(1, of)  # type: ignore[arg-type]
    step, left = apply(udf, folded, state), MOST_STEPS
    start: Any = evaluate(initial, environment, steps)
    for elements in _groups(evaluate(bag, environment, steps), by_key):  # type: ignore[arg-type]
        reached: dict[tuple[tuple[Value, int], ...], set[Any]] = {tuple(sorted(elements.items())): {start}}
        for _ in range(sum(elements.values())):
            later: dict[tuple[tuple[Value, int], ...], set[Any]] = {}
            for rest, states in reached.items():
                for item, count in rest:
                    fewer = tuple((each, number - (each == item)) for each, number in rest if each != item or count > 1)
                    left -= len(states)
                    if left < 0:
                        raise KernelError("a fold has too many orders of its elements on this input, and no proof")
                    values = ({**environment, state: each, folded: item} for each in states)
                    later.setdefault(fewer, set()).update(evaluate(step, each, steps) for each in values)
            reached = later
        if any(len(states) > 1 for states in reached.values()):
            raise KernelError("a fold has several values on this input: the order of its elements matters")


def _groups(bag: Bag, by_key: bool) -> Iterator[Bag]:
    """The elements that are folded together: all, or the values of one key."""
    if not by_key:
        yield bag
        return
    buckets: dict[Value, Bag] = {}
    for (key, value), count in bag.items():  # type: ignore[misc]
        buckets.setdefault(key, {})[value] = count
    yield from buckets.values()
