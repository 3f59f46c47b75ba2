"""The values of conditions made of others, of the test for NULL, and of CASE."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tallystick.core.queries.constructs.truths import And, Case, IsNull, Not, Or
from tallystick.core.queries.interpreter.expressions import strict
from tallystick.core.queries.interpreter.running import Evaluator
from tallystick.core.queries.types import SqlValue


def evaluated(node: And | Or | Not | IsNull | Case, compiled: Callable[[Any], Evaluator]) -> Evaluator:
    """The closure that evaluates an expression."""
    match node:
        case And(operands):
            conjuncts = [compiled(operand) for operand in operands]
            return lambda environment: conjunction([conjunct(environment) for conjunct in conjuncts])
        case Or(operands):
            disjuncts = [compiled(operand) for operand in operands]
            return lambda environment: disjunction([disjunct(environment) for disjunct in disjuncts])
        case Not(operand):
            return strict(lambda truth: not truth, compiled(operand))
        case IsNull(operand):
            tested = compiled(operand)
            return lambda environment: tested(environment) is None
        case Case(branches, default):
            return _case([(compiled(test), compiled(value)) for test, value in branches], compiled(default))


def _case(branches: list[tuple[Evaluator, Evaluator]], default: Evaluator) -> Evaluator:
    def value(environment: Any) -> SqlValue:
        for condition, result in branches:
            if condition(environment) is True:
                return result(environment)
        return default(environment)

    return value


def conjunction(truths: list[Any]) -> bool | None:
    """False if one is, else NULL if one is, else true."""
    return False if False in truths else None if None in truths else True


def disjunction(truths: list[Any]) -> bool | None:
    """True if one is, else NULL if one is, else false."""
    return True if True in truths else None if None in truths else False
