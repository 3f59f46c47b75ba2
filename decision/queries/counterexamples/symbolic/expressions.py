"""Scalar expressions over cells, in three-valued logic."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, assert_never

import z3
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
from tallystick.core.queries.syntax import Query
from tallystick.core.queries.traversal import without_limit
from tallystick.core.queries.types import BOOLEAN, DATE, DECIMAL, INTEGER, MICROSECONDS_A_DAY, SqlType, SqlValue
from tallystick.decision.queries.counterexamples.symbolic.cells import (
    Rows,
    SymbolicValue,
    Truth,
    both,
    choice,
    chosen,
    compared,
    default,
    disj,
    neg,
    null,
    number,
    same,
    truth_of,
)
from tallystick.decision.queries.counterexamples.symbolic.texts import Functions

Scopes = tuple[tuple[SymbolicValue, ...], ...]
"""The rows in scope, level 0 first."""
RowsOf = Callable[[Query, Scopes], Rows]


class Expressions:
    """Encodes expressions; `asked` collects what must hold so that no evaluation fails."""

    def __init__(self, rows_of: RowsOf, functions: Functions) -> None:
        self.rows_of, self.functions = rows_of, functions
        self.asked: list[Truth] = functions.asked

    def literal(self, value: SqlValue, type_: SqlType) -> SymbolicValue:
        """A constant."""
        if value is None:
            cell = null(type_)
        elif type_ is DECIMAL:
            cell = SymbolicValue(number(value, type_), False, type_)
        else:
            cell = SymbolicValue(self.functions.encoded(value), False, type_)
        return self.functions.constant(cell, value)

    def truth(self, condition: Expression, scopes: Scopes) -> Truth:
        """Whether a condition is true."""
        return truth_of(self.cell(condition, scopes))

    def cell(self, expression: Expression, scopes: Scopes) -> SymbolicValue:
        """The value of an expression. Raises NoEncodingError for what has none here."""
        match expression:
            case Reference(level, index):
                return scopes[level][index]
            case Literal(value, type_):
                return self.literal(value, type_)
            case Arithmetic():
                return self._arithmetic(expression, scopes)
            case Divide() | Remainder():
                return self._division(expression, scopes)
            case Cast(operand, type_):
                return _converted(self.cell(operand, scopes), type_)
            case Function(_, arguments):
                return self.functions.apply(expression, [self.cell(each, scopes) for each in arguments])
            case Comparison(operator, left, right):
                return comparison(operator, self.cell(left, scopes), self.cell(right, scopes))
            case And(operands):
                return conjunction([self.cell(each, scopes) for each in operands])
            case Or(operands):
                return disjunction([self.cell(each, scopes) for each in operands])
            case Not(operand):
                cell = self.cell(operand, scopes)
                return SymbolicValue(neg(cell.value), cell.null, BOOLEAN)
            case IsNull(operand):
                return SymbolicValue(self.cell(operand, scopes).null, False, BOOLEAN)
            case Case(branches, otherwise):
                cell = self.cell(otherwise, scopes)
                for condition, value in reversed(branches):
                    cell = choice(self.truth(condition, scopes), self.cell(value, scopes), cell)
                return cell
            case Exists(query):
                rows = self.rows_of(without_limit(query), scopes)
                return SymbolicValue(disj(row.present for row in rows), False, BOOLEAN)
            case ForSome():
                return self._for_some(expression, scopes)
            case ScalarSubquery(query):
                return self._scalar(self.rows_of(query, scopes), expression.type)
            case _:
                assert_never(expression)

    def _arithmetic(self, node: Arithmetic, scopes: Scopes) -> SymbolicValue:
        left, right = self.cell(node.left, scopes), self.cell(node.right, scopes)
        missing = disj((left.null, right.null))
        match node.operator:
            case "+":
                value = left.value + right.value
            case "-":
                value = left.value - right.value
            case "*":
                value = left.value * right.value
        return SymbolicValue(value, missing, node.type)

    def _division(self, node: Divide | Remainder, scopes: Scopes) -> SymbolicValue:
        left, right = self.cell(node.left, scopes), self.cell(node.right, scopes)
        missing, zero = disj((left.null, right.null)), compared("=", right, _zero(right.type))
        if node.on_zero == "error":
            self.asked.append(disj((missing, neg(zero))))
        else:
            missing = disj((missing, zero))
        first, second = number(left.value, left.type), number(right.value, right.type)
        rounded = quotient(first, second, node.rounding)
        if isinstance(node, Divide):
            return SymbolicValue(rounded, missing, node.type)
        product = second * (z3.ToReal(rounded) if node.type is DECIMAL else rounded)
        return SymbolicValue(first - product, missing, node.type)

    def _for_some(self, node: ForSome, scopes: Scopes) -> SymbolicValue:
        sought = [self.cell(each, scopes) for each in node.expressions]
        truths: list[SymbolicValue] = []
        for row in self.rows_of(node.query, scopes):
            pairs = zip(sought, row.cells, strict=True)
            compared_ = conjunction([comparison(node.operator, *pair) for pair in pairs])
            truths.append(choice(row.present, compared_, SymbolicValue(False, False, BOOLEAN)))
        return disjunction(truths)

    def _scalar(self, rows: Rows, type_: SqlType) -> SymbolicValue:
        for place, row in enumerate(rows):
            self.asked += [neg(both(row.present, other.present)) for other in rows[:place]]
        cell = null(type_)
        for row in rows:
            cell = choice(row.present, row.cells[0], cell)
        return cell


def comparison(operator: ComparisonOperator, left: SymbolicValue, right: SymbolicValue) -> SymbolicValue:
    """A comparison; NULL if a side is, but for `<=>`."""
    if operator == "<=>":
        return SymbolicValue(same(left, right), False, BOOLEAN)
    return SymbolicValue(compared(operator, left, right), disj((left.null, right.null)), BOOLEAN)


def conjunction(cells: list[SymbolicValue]) -> SymbolicValue:
    """False if one is, else NULL if one is, else true."""
    false = disj(both(neg(cell.null), neg(cell.value)) for cell in cells)
    return SymbolicValue(neg(false), both(neg(false), disj(cell.null for cell in cells)), BOOLEAN)


def disjunction(cells: list[SymbolicValue]) -> SymbolicValue:
    """True if one is, else NULL if one is, else false."""
    true = disj(map(truth_of, cells))
    return SymbolicValue(true, both(neg(true), disj(cell.null for cell in cells)), BOOLEAN)


def quotient(left: Any, right: Any, rounding: Rounding) -> Any:
    """The quotient of two terms by one that is not 0."""
    if rounding == "exact":
        first, second = _real(left), _real(right)
        return first / second
    if left.is_int():  # z3 rounds so that the remainder is not negative
        down: Any = z3.If(right > 0, left / right, (-left) / (-right))
        negated: Any = z3.If(right > 0, (-left) / right, left / (-right))
    else:
        exact: Any = left / right
        down, negated = z3.ToInt(exact), z3.ToInt(-exact)
    if rounding == "floor":
        return down
    return z3.If((left >= 0) == (right > 0), down, -negated)


def _real(term: Any) -> Any:
    return z3.ToReal(term) if term.is_int() else term


def _zero(type_: SqlType) -> SymbolicValue:
    return SymbolicValue(default(type_), False, type_)


def _converted(cell: SymbolicValue, type_: SqlType) -> SymbolicValue:
    """The conversion of a cell: see CASTS."""
    value = cell.value
    if cell.type is BOOLEAN:
        value = chosen(value, 1, 0, INTEGER)
    if cell.type is DATE:
        value = value * MICROSECONDS_A_DAY
    if type_ is DECIMAL:
        value = z3.ToReal(number(value, INTEGER))
    return SymbolicValue(value, cell.null, type_)
