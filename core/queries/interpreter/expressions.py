"""The values of scalar expressions, in three-valued logic.

An expression is compiled to a closure once and evaluated on many rows. All operands are evaluated, except in CASE,
which looks at no branch behind the one that it takes: a failure is never hidden by an order of evaluation. What other
expressions mean than references, constants and comparisons is loaded for queries that have some.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import eq, ge, gt, le, lt, ne
from typing import TYPE_CHECKING, Any

from tallystick.core.errors import EvaluationError
from tallystick.core.queries.interpreter.running import Evaluator, RowsOf, bounded
from tallystick.core.queries.nodes import ComparisonOperator
from tallystick.core.queries.types import SqlValue

if TYPE_CHECKING:
    from tallystick.core.queries.expressions import Expression
    from tallystick.core.queries.syntax import Query

_TESTS: dict[ComparisonOperator, Callable[[Any, Any], bool]] = {
    "=": eq,
    "<>": ne,
    "<": lt,
    "<=": le,
    ">": gt,
    ">=": ge,
}


def compare(operator: ComparisonOperator, left: Any, right: Any) -> bool | None:
    """The truth value of a comparison."""
    if operator == "<=>":
        return left == right
    return None if left is None or right is None else _TESTS[operator](left, right)


def evaluator(expression: Expression, rows_of: Callable[[Query], RowsOf], partly: bool = False) -> Evaluator:
    """The closure that evaluates the expression; `rows_of` gives that of a subquery.

    If `partly`, functions without an implementation have Unknown values; else they raise FragmentError here.
    """
    node: Any = expression

    def compiled(operand: Expression) -> Evaluator:
        return evaluator(operand, rows_of, partly)

    match type(node).__name__:
        case "Literal":
            return lambda environment: node.value
        case "Reference":
            level, index = node.level, node.index
            return lambda environment: environment[level][index]
        case "Comparison" if node.operator == "<=>":
            first, second = compiled(node.left), compiled(node.right)
            return lambda environment: first(environment) == second(environment)
        case "Comparison":
            return strict(_TESTS[node.operator], compiled(node.left), compiled(node.right))
        case "And" | "Or" | "Not" | "IsNull" | "Case":
            from tallystick.core.queries.interpreter.truths import evaluated

            return evaluated(node, compiled)
        case "Arithmetic" | "Divide" | "Remainder" | "Cast":
            from tallystick.core.queries.interpreter.numbers import calculated

            return calculated(node, compiled)
        case "Function":
            from tallystick.core.queries.interpreter.functions import applied, implementation

            implemented = (applied if partly else implementation)(node)
            return call(implemented, node.strict, [compiled(argument) for argument in node.arguments])
        case "Exists" | "ForSome" | "ScalarSubquery":
            from tallystick.core.queries.interpreter.subqueries import asked

            return asked(node, compiled, rows_of)
        case name:
            raise EvaluationError(f"{name} is no expression that is evaluated")


def strict(function: Callable[..., SqlValue], *operands: Evaluator) -> Evaluator:
    """Applies a function to operands that are not NULL; else the value is NULL."""
    if len(operands) == 1:
        return call(function, True, list(operands))
    first, second = operands

    def value(environment: Any) -> SqlValue:
        left, right = first(environment), second(environment)
        return None if left is None or right is None else bounded(function(left, right))

    return value


def call(function: Callable[..., SqlValue], strictly: bool, arguments: list[Evaluator]) -> Evaluator:
    """Applies a function to arguments; `strictly`, the value is NULL where one is."""

    def value(environment: Any) -> SqlValue:
        values = [argument(environment) for argument in arguments]
        return None if strictly and None in values else bounded(function(*values))

    return value
