"""Differences of programs whose folds depend on the order of the elements: inputs on which each fold has one value."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tallystick.certificates.refuting import differ, require_one_value
from tallystick.core.errors import TallystickError
from tallystick.core.interpreter import Environment, evaluate
from tallystick.core.programs import Program
from tallystick.core.terms import TRUE, Term
from tallystick.decision.inputs import STEP_LIMIT
from tallystick.decision.methods.refute import candidates, first_difference, shrink
from tallystick.decision.outcome import Goal


def difference_with_one_value(
    left: Program, right: Program, environment: Environment, folds: Sequence[Term], expired: Callable[[], bool]
) -> Environment | None:
    """An input on which two programs differ, and on which some folds of theirs have one value in every order.

    `environment`, on which the programs differ, is tried first. None when none was found in time.
    """
    goal = Goal(TRUE, left.expression, right.expression)

    def tells(_: Goal, tried: Environment) -> bool:
        try:
            if not differ(left, *(evaluate(each.expression, tried, STEP_LIMIT) for each in (left, right))):
                return False
            for fold in folds:
                require_one_value(fold, tried, STEP_LIMIT)
        except TallystickError:
            return False
        return True

    if tells(goal, environment):
        return environment
    found = first_difference(goal, candidates(goal, ()), expired, tells)
    return None if found is None else {**environment, **shrink(found, lambda smaller: tells(goal, smaller))}
