"""Scalar expressions as cells, and conditions as pairs of formulas (THEORY-SQL section 1).

What other expressions are than references, constants and comparisons is loaded for queries that have some.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from tallystick.core.errors import FragmentError
from tallystick.core.queries.compilation.bags import Bags, Scopes
from tallystick.core.queries.compilation.cells import Cell, Row, Truth, cell_of, certain, literal, same, truth_of
from tallystick.core.queries.nodes import NEGATED, ComparisonOperator
from tallystick.core.queries.types import BOOLEAN
from tallystick.core.terms import Term, conjunction, disjunction, equal, less, less_equal, negation
from tallystick.core.types import BOOL

if TYPE_CHECKING:
    from tallystick.core.queries.expressions import Expression
    from tallystick.core.queries.syntax import Query


class Scalars:
    """Compiles expressions in the scope of rows; `summation` compiles the queries in them."""

    def __init__(self, bags: Bags, summation: Callable[[Query, Scopes], Term]) -> None:
        self.bags = bags
        self.summation = summation

    def truth(self, expression: Expression, scopes: Scopes) -> Truth:
        """When a boolean expression is true, and when it is false."""
        self.bags.spend(1)
        node: Any = expression
        own: Any = self
        match type(node).__name__:
            case "Comparison":
                return compared(node.operator, self.cell(node.left, scopes), self.cell(node.right, scopes))
            case "And" | "Or" | "Not" | "IsNull" | "Case":
                from tallystick.core.queries.compilation.truths import truth

                return truth(node, own, scopes)
            case "Exists" | "ForSome":
                from tallystick.core.queries.compilation.subqueries import truth

                return truth(node, own, scopes)
            case _:
                return truth_of(self.cell(expression, scopes))

    def row(self, expressions: Sequence[Expression], scopes: Scopes) -> Row:
        """The values of expressions."""
        return tuple(self.cell(expression, scopes) for expression in expressions)

    def cell(self, expression: Expression, scopes: Scopes) -> Cell:
        """The value of an expression."""
        self.bags.spend(1)
        node: Any = expression
        own: Any = self
        match type(node).__name__:
            case "Literal":
                return literal(node.value, node.type)
            case "Reference":
                return scopes[node.level][node.index]
            case "Arithmetic" | "Divide" | "Remainder" | "Cast":
                from tallystick.core.queries.compilation.numbers import cell

                return cell(node, own, scopes)
            case "Function":
                from tallystick.core.queries.compilation.functions import cell

                return cell(node, own, scopes)
            case "Case" if node.type != BOOLEAN:
                from tallystick.core.queries.compilation.truths import cell

                return cell(node, own, scopes)
            case "ScalarSubquery":
                from tallystick.core.queries.compilation.subqueries import cell

                return cell(node, own, scopes)
            case "Comparison" | "And" | "Or" | "Not" | "IsNull" | "Exists" | "ForSome" | "Case":
                return cell_of(self.truth(expression, scopes), expression.nullable)
            case name:
                raise FragmentError(f"{name} is no expression that is compiled")


def compared(operator: ComparisonOperator, left: Cell, right: Cell) -> Truth:
    """A comparison, NULL if an operand is; `<=>` never."""
    if operator == "<=>":
        return certain(same(left, right))
    known = conjunction(negation(left.null), negation(right.null))
    test = ordered(operator, left.value, right.value)
    return Truth(conjunction(known, test), conjunction(known, negation(test)))


def ordered(operator: ComparisonOperator, left: Term, right: Term) -> Term:
    """A comparison of two values; false is less than true."""
    match operator:
        case "=":
            return equal(left, right)
        case "<>":
            return negation(equal(left, right))
        case ">" | ">=":
            return ordered("<" if operator == ">" else "<=", right, left)
        case "<":
            return conjunction(negation(left), right) if left.type == BOOL else less(left, right)
        case "<=":
            return disjunction(negation(left), right) if left.type == BOOL else less_equal(left, right)
    raise ValueError(f"{operator} is no comparison of values; it is one of {', '.join(NEGATED)}")
