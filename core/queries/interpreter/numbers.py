"""The values of arithmetic, divisions and conversions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tallystick.core.queries.constructs.numbers import Arithmetic, Cast, Divide, Remainder
from tallystick.core.queries.interpreter.expressions import strict
from tallystick.core.queries.interpreter.rounding import quotient
from tallystick.core.queries.interpreter.running import Evaluator, QueryFailure
from tallystick.core.queries.types import SqlValue, convert

_OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
}


def calculated(node: Arithmetic | Divide | Remainder | Cast, compiled: Callable[[Any], Evaluator]) -> Evaluator:
    """The closure that evaluates an expression."""
    match node:
        case Arithmetic(operator, left, right):
            return strict(_OPERATIONS[operator], compiled(left), compiled(right))
        case Divide() | Remainder():
            return strict(_division(node), compiled(node.left), compiled(node.right))
        case Cast(operand, target):
            return strict(lambda value: convert(value, operand.type, target), compiled(operand))


def _division(node: Divide | Remainder) -> Callable[[Any, Any], SqlValue]:
    def value(left: Any, right: Any) -> SqlValue:
        if right == 0:
            if node.on_zero == "error":
                raise QueryFailure("a division by zero is an error")
            return None
        rounded = quotient(left, right, node.rounding)
        return rounded if isinstance(node, Divide) else left - right * rounded

    return value
