"""Programs that return means: a verdict about pairs (sum, count), taken further to the quotients.

Equal sums and counts are equal means. Two pairs that differ may be one mean, such as 1/2 and 2/4, so a difference
counts only on an input where the exact quotients differ, and whose numbers are so small that Spark's floats differ too.
Where the first counterexample does not show that, small inputs are searched for one that does.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, islice
from typing import Any

from tallystick.core.clock import clock
from tallystick.core.errors import EvaluationError
from tallystick.core.interpreter import Environment, evaluate
from tallystick.core.programs import Program
from tallystick.core.terms import TRUE, Term, free_variables
from tallystick.decision.inputs import smallest
from tallystick.decision.methods.refute import candidates, shrink, small_inputs
from tallystick.decision.outcome import Goal

INPUTS = 2_000
STEP_LIMIT = 50_000
LARGEST = 2**16
MOST = 2**10
"""Bounds of the elements and of their number. Means that differ are then more than 2⁻²⁰ apart, and a running mean of
floats is less than 2⁻²⁴ from the exact one: each of its steps rounds by at most 2⁻⁵³ of a number below 2¹⁷."""
NOTE = "a mean is read as the exact quotient of sum and count, 0 for an empty RDD; Spark rounds it to a float"


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean: its sum and its count."""

    sum: int
    count: int

    @property
    def quotient(self) -> Fraction:
        """The exact value; 0 where there is nothing to count."""
        return Fraction(self.sum, self.count) if self.count else Fraction(0)

    def __repr__(self) -> str:
        return f"{self.quotient} (sum {self.sum}, count {self.count})"


@dataclass(frozen=True, slots=True)
class ReturnsMean:
    """A program that returns a mean, as a pair (sum, count).

    Attributes:
        program: with this pair for its value, or a pair of whether it returns, and it.
        may_raise: whether it is the latter.
        bags: the bags that it takes means of.
    """

    program: Program
    may_raise: bool
    bags: tuple[Term, ...]


def means_differ(left: ReturnsMean, right: ReturnsMean, environment: Environment) -> bool:
    """Whether two programs surely return different means on an input, or one of them raises."""
    try:
        first, second = (_value(each.program.expression, environment) for each in (left, right))
        if left.may_raise:
            if first[0] != second[0]:
                return True
            first, second = first[1], second[1]
        differ = Mean(*first).quotient != Mean(*second).quotient
        return differ and all(_is_small(_value(bag, environment)) for each in (left, right) for bag in each.bags)
    except EvaluationError:
        return False


def _value(term: Term, environment: Environment) -> Any:
    return evaluate(term, {name: environment[name] for name in free_variables(term)}, STEP_LIMIT)


def _is_small(bag: dict[int, int]) -> bool:
    return sum(bag.values()) <= MOST and all(abs(each) <= LARGEST for each in bag)


def difference_of_means(left: ReturnsMean, right: ReturnsMean, seconds: float) -> Environment | None:
    """A small input on which two programs return different means; None when none was found in time."""
    end = clock() + seconds
    goal = Goal(TRUE, left.program.expression, right.program.expression)

    def differ(environment: Environment) -> bool:
        return means_differ(left, right, environment)

    for environment in islice(chain(small_inputs(goal), candidates(goal, ())), INPUTS):
        if clock() > end:
            return None
        if differ(environment):
            small = shrink(environment, differ)
            return {name: small.get(name, smallest(name.type)) for name in left.program.parameters}
    return None
