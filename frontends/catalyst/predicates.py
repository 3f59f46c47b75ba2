"""Conditions: comparisons, membership in lists, tests for NULL, AND, OR and NOT."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallystick.core.queries.assumptions import Assumption
from tallystick.core.queries.expressions import (
    And,
    Arithmetic,
    Case,
    Comparison,
    Exists,
    Expression,
    IsNull,
    Literal,
    Not,
    Or,
    ScalarSubquery,
)
from tallystick.core.queries.types import BOOLEAN, INTEGER
from tallystick.frontends.calendar import conjoined, on_days
from tallystick.frontends.catalyst.nodes import Node, refused
from tallystick.frontends.catalyst.orders import at_most_one_row
from tallystick.frontends.catalyst.types import BOOL, core_value
from tallystick.frontends.catalyst.values import Value, folded, integer, scaled

if TYPE_CHECKING:
    from tallystick.core.queries.expressions import ComparisonOperator
    from tallystick.frontends.catalyst.expressions import Expressions

OPERATORS: dict[str, ComparisonOperator] = {
    "EqualTo": "=",
    "EqualNullSafe": "<=>",
    "LessThan": "<",
    "LessThanOrEqual": "<=",
    "GreaterThan": ">",
    "GreaterThanOrEqual": ">=",
}


def truth(expression: Expression) -> Value:
    """A boolean value."""
    return Value(folded(expression), BOOL)


def read_comparison(self: Expressions, node: Node) -> Value:
    """A comparison of two values of one type."""
    left, right = self.all((node.one("left"), node.one("right")))
    return truth(compared(self, node, OPERATORS[node.name], left, right))


def compared(self: Expressions, node: Node, operator: ComparisonOperator, left: Value, right: Value) -> Expression:
    """A comparison; decimals of different scales are counted in the smaller units."""
    if left.type.is_float:
        return Comparison(operator, left.expression, right.expression)
    first, second = typed_null(left, right), typed_null(right, left)
    if first.type.name == second.type.name == "decimal":
        scale = max(first.type.scale, second.type.scale)
        first, second = (Value(scaled(each.expression, scale - each.type.scale), each.type) for each in (first, second))
    elif first.type != second.type and first.type.name.split()[0] != "interval":
        raise refused(node, f"a comparison of {first.type} with {second.type} is not understood")
    found = folded(Comparison(operator, first.expression, second.expression))
    return on_days(found) if isinstance(found, Comparison) else found


def typed_null(value: Value, other: Value) -> Value:
    """An untyped NULL as one of the other's type."""
    return Value(Literal(None, other.type.core), other.type) if value.type.name == "void" else value


def read_in(self: Expressions, node: Node) -> Value:
    """`value IN (list)`: the disjunction of the comparisons."""
    value = self.read(node.one("value"))
    return truth(Or(tuple(compared(self, node, "=", value, each) for each in self.all(node.many("list")))))


def read_in_set(self: Expressions, node: Node) -> Value:
    """IN with a set of constants, which the plan holds as internal values."""
    value = self.read(node.one("child"))
    try:
        constants = [Literal(core_value(text, value.type), value.type.core) for text in node.items("hset")]
    except (ValueError, TypeError):
        raise refused(node, f"a set of values of type {value.type} is not understood") from None
    return truth(Or(tuple(Comparison("=", value.expression, each) for each in constants)))


def read_null_test(self: Expressions, node: Node) -> Value:
    """IS NULL and IS NOT NULL; of a subquery of one value that is never NULL, EXISTS."""
    value = self.read(node.one("child")).expression
    if isinstance(value, ScalarSubquery) and at_most_one_row(value.query) and not value.query.columns[0].nullable:
        is_null: Expression = Not(Exists(value.query))
    else:
        is_null = folded(IsNull(value))
    return truth(is_null if node.name == "IsNull" else negated(is_null))


def negated(condition: Expression) -> Expression:
    """NOT, without two of them."""
    return condition.operand if isinstance(condition, Not) else Not(condition)


def read_junction(self: Expressions, node: Node) -> Value:
    """AND and OR, whose nested operands become those of one."""
    kind = And if node.name == "And" else Or
    pending, operands = [node], list[Expression]()
    while pending:
        part = pending.pop()
        if part.name == node.name:
            pending += [part.one("right"), part.one("left")]
        else:
            operands.append(self.condition(part))
    return truth(conjoined(operands) if kind is And else Or(tuple(operands)))


def read_not(self: Expressions, node: Node) -> Value:
    """NOT."""
    return truth(Not(self.condition(node.one("child"))))


def read_is_nan(self: Expressions, node: Node) -> Value:
    """Whether a double is NaN: never, by assumption."""
    self.read(node.one("child"))
    self.reading.assumptions.add(Assumption.EXACT_FLOATS)
    return truth(Literal(False, BOOLEAN))


def read_at_least(self: Expressions, node: Node) -> Value:
    """Whether at least n of the values are not NULL; NaN counts as NULL, and there is none by assumption."""
    values = self.all(node.many("children"))
    if any(value.type.is_float for value in values):
        self.reading.assumptions.add(Assumption.EXACT_FLOATS)
    tests = [IsNull(value.expression) for value in values]
    known: Expression = integer(0)
    for test in tests:
        known = Arithmetic("+", known, Case(((test, integer(0)),), Literal(1, INTEGER)))
    return truth(Comparison(">=", known, integer(node.number("n"))))


HANDLERS = {
    **dict.fromkeys(OPERATORS, read_comparison),
    "In": read_in,
    "InSet": read_in_set,
    "IsNull": read_null_test,
    "IsNotNull": read_null_test,
    "And": read_junction,
    "Or": read_junction,
    "Not": read_not,
    "IsNaN": read_is_nan,
    "AtLeastNNonNulls": read_at_least,
}
