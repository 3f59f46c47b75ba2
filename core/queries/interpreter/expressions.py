"""The values of scalar expressions, in three-valued logic.

An expression is compiled to a closure once and evaluated on many rows. All operands are evaluated, except in CASE,
which looks at no branch behind the one that it takes: a failure is never hidden by an order of evaluation.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import floor, trunc
from operator import eq, ge, gt, le, lt, ne
from typing import Any, assert_never

from tallystick.core.queries.expressions import (
    And,
    Arithmetic,
    Case,
    Cast,
    Comparison,
    ComparisonOperator,
    Divide,
    Exists,
    Expression,
    ForSome,
    Function,
    IsNull,
    Literal,
    Not,
    Or,
    Reference,
    Remainder,
    Rounding,
    ScalarSubquery,
)
from tallystick.core.queries.interpreter.running import Evaluator, QueryFailure, RowsOf, bounded
from tallystick.core.queries.syntax import Query
from tallystick.core.queries.traversal import without_limit
from tallystick.core.queries.types import SqlValue, convert

_TESTS: dict[ComparisonOperator, Callable[[Any, Any], bool]] = {
    "=": eq,
    "<>": ne,
    "<": lt,
    "<=": le,
    ">": gt,
    ">=": ge,
}
_OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
}


def compare(operator: ComparisonOperator, left: Any, right: Any) -> bool | None:
    """The truth value of a comparison."""
    if operator == "<=>":
        return left == right
    return None if left is None or right is None else _TESTS[operator](left, right)


def conjunction(truths: list[Any]) -> bool | None:
    """False if one is, else NULL if one is, else true."""
    return False if False in truths else None if None in truths else True


def disjunction(truths: list[Any]) -> bool | None:
    """True if one is, else NULL if one is, else false."""
    return True if True in truths else None if None in truths else False


def quotient(left: Any, right: Any, rounding: Rounding) -> Any:
    """The quotient by a number that is not 0, rounded."""
    exact = Fraction(left, right)
    match rounding:
        case "exact":
            return exact
        case "truncate":
            return trunc(exact)
        case "floor":
            return floor(exact)
        case _:
            assert_never(rounding)


def evaluator(expression: Expression, rows_of: Callable[[Query], RowsOf], partly: bool = False) -> Evaluator:
    """The closure that evaluates the expression; `rows_of` gives that of a subquery.

    If `partly`, functions without an implementation have Unknown values; else they raise FragmentError here.
    """

    def compiled(operand: Expression) -> Evaluator:
        return evaluator(operand, rows_of, partly)

    match expression:
        case Literal(value):
            return lambda environment: value
        case Reference(level, index):
            return lambda environment: environment[level][index]
        case Arithmetic(operator, left, right):
            return _strict(_OPERATIONS[operator], compiled(left), compiled(right))
        case Comparison("<=>", left, right):
            first, second = compiled(left), compiled(right)
            return lambda environment: first(environment) == second(environment)
        case Comparison(operator, left, right):
            return _strict(_TESTS[operator], compiled(left), compiled(right))
        case Divide() | Remainder():
            return _strict(_division(expression), compiled(expression.left), compiled(expression.right))
        case Cast(operand, target):
            return _strict(lambda value: convert(value, operand.type, target), compiled(operand))
        case Function():
            from tallystick.core.queries.interpreter.functions import applied, implementation

            implemented = (applied if partly else implementation)(expression)
            return _call(implemented, expression.strict, [compiled(argument) for argument in expression.arguments])
        case And(operands):
            conjuncts = [compiled(operand) for operand in operands]
            return lambda environment: conjunction([conjunct(environment) for conjunct in conjuncts])
        case Or(operands):
            disjuncts = [compiled(operand) for operand in operands]
            return lambda environment: disjunction([disjunct(environment) for disjunct in disjuncts])
        case Not(operand):
            return _strict(lambda truth: not truth, compiled(operand))
        case IsNull(operand):
            tested = compiled(operand)
            return lambda environment: tested(environment) is None
        case Case(branches, default):
            return _case([(compiled(test), compiled(value)) for test, value in branches], compiled(default))
        case Exists(query):
            rows = rows_of(without_limit(query))
            return lambda environment: bool(rows(environment))
        case ForSome(operator, expressions, query):
            return _for_some(operator, [compiled(part) for part in expressions], rows_of(query))
        case ScalarSubquery(query):
            return _scalar(rows_of(query))
        case _:
            assert_never(expression)


def _strict(function: Callable[..., SqlValue], *operands: Evaluator) -> Evaluator:
    """Applies a function to operands that are not NULL; else the value is NULL."""
    if len(operands) == 1:
        return _call(function, True, list(operands))
    first, second = operands

    def value(environment: Any) -> SqlValue:
        left, right = first(environment), second(environment)
        return None if left is None or right is None else bounded(function(left, right))

    return value


def _call(function: Callable[..., SqlValue], strict: bool, arguments: list[Evaluator]) -> Evaluator:
    def value(environment: Any) -> SqlValue:
        values = [argument(environment) for argument in arguments]
        return None if strict and None in values else bounded(function(*values))

    return value


def _division(node: Divide | Remainder) -> Callable[[Any, Any], SqlValue]:
    def value(left: Any, right: Any) -> SqlValue:
        if right == 0:
            if node.on_zero == "error":
                raise QueryFailure("a division by zero is an error")
            return None
        rounded = quotient(left, right, node.rounding)
        return rounded if isinstance(node, Divide) else left - right * rounded

    return value


def _case(branches: list[tuple[Evaluator, Evaluator]], default: Evaluator) -> Evaluator:
    def value(environment: Any) -> SqlValue:
        for condition, result in branches:
            if condition(environment) is True:
                return result(environment)
        return default(environment)

    return value


def _for_some(operator: ComparisonOperator, expressions: list[Evaluator], rows: RowsOf) -> Evaluator:
    def value(environment: Any) -> SqlValue:
        sought = [expression(environment) for expression in expressions]
        found = rows(environment)
        environment[-1].spend(len(found))
        return disjunction(
            [
                conjunction([compare(operator, left, right) for left, right in zip(sought, row, strict=True)])
                for row in found
            ]
        )

    return value


def _scalar(rows: RowsOf) -> Evaluator:
    def value(environment: Any) -> SqlValue:
        result = rows(environment)
        if len(result) > 1:
            raise QueryFailure("a scalar subquery with several rows is an error")
        return result[0][0] if result else None

    return value
