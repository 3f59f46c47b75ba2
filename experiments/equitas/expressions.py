"""ConstExpr and ConstPred (algorithms 2 and 3): expressions and predicates over a symbolic tuple."""

from __future__ import annotations

from fractions import Fraction
from itertools import count
from typing import Any

import z3
from tallystick.core.queries.expressions import (
    And,
    Arithmetic,
    Case,
    Cast,
    Comparison,
    Divide,
    Expression,
    Function,
    IsNull,
    Literal,
    Not,
    Or,
    Reference,
    Remainder,
)
from tallystick.core.queries.types import SqlType
from tallystick.experiments.equitas.representation import SORTS, Cell, Tuple, UnsupportedError, fresh

_OPERATORS = {
    "=": lambda a, b: a == b,
    "<>": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}
NO, YES = z3.BoolVal(False), z3.BoolVal(True)


class Expressions:
    """Encodes expressions; `assign` collects what relates the variables of CASE (section 3.4.3).

    Attributes:
        texts: the literals of both queries, in their order.
        printed: whether CASE is related to its branches as the paper prints it, by a disjunction of implications.
    """

    def __init__(self, texts: list[str], prefix: str, printed: bool) -> None:
        self.texts, self.prefix, self.printed = texts, prefix, printed
        self.assign: list[Any] = []
        self._numbers = count()

    def holds(self, predicate: Expression, row: Tuple) -> Any:
        """ConstPred: true, and not unknown."""
        cell = self.cell(predicate, row)
        return z3.And(cell.value, z3.Not(cell.null))

    def cell(self, expression: Expression, row: Tuple) -> Cell:
        """ConstExpr; raises UnsupportedError for what the paper's grammar does not have."""
        match expression:
            case Reference(0, index):
                return row[index]
            case Literal(value, type_):
                return Cell(self.constant(value, type_), z3.BoolVal(value is None))
            case Arithmetic(operator, left, right):
                return self.arithmetic(operator, self.cell(left, row), self.cell(right, row))
            case Divide() | Remainder():
                name = f"{type(expression).__name__} {expression.rounding}"
                parts = [self.cell(expression.left, row), self.cell(expression.right, row)]
                return self.applied(name, parts, expression.type, strict=True)
            case Function(name, arguments, type_, strict):
                return self.applied(name, [self.cell(each, row) for each in arguments], type_, strict)
            case Comparison(operator, left, right):
                return self.comparison(operator, self.cell(left, row), self.cell(right, row))
            case And(operands) | Or(operands):
                return self.connective(isinstance(expression, And), [self.cell(each, row) for each in operands])
            case Not(operand):
                cell = self.cell(operand, row)
                return Cell(z3.Not(cell.value), cell.null)
            case IsNull(operand):
                return Cell(self.cell(operand, row).null, NO)
            case Case():
                return self.case(expression, row)
            case Cast(operand, type_):
                cell = self.cell(operand, row)
                number: Any = z3.ToReal(cell.value) if type_ is SqlType.DECIMAL and cell.value.is_int() else cell.value
                if number.sort() != SORTS[type_]():
                    raise UnsupportedError("CAST")
                return Cell(number, cell.null)
            case _:
                raise UnsupportedError(type(expression).__name__)

    def constant(self, value: Any, type_: SqlType) -> Any:
        """A literal; 0 in the place of NULL."""
        match type_:
            case SqlType.BOOLEAN:
                return z3.BoolVal(bool(value))
            case SqlType.TEXT:
                return z3.RealVal(0 if value is None else 1 + self.texts.index(value))
            case SqlType.DECIMAL:
                number = Fraction(value or 0)
                return z3.Q(number.numerator, number.denominator)
            case _:
                return z3.IntVal(value or 0)

    def arithmetic(self, operator: str, left: Cell, right: Cell) -> Cell:
        """ConstBin: a product of two unknowns is an uninterpreted function of both."""
        null = z3.Or(left.null, right.null)
        if operator != "*":
            return Cell(left.value + right.value if operator == "+" else left.value - right.value, null)
        if any(
            z3.is_rational_value(z3.simplify(each.value)) or z3.is_int_value(z3.simplify(each.value))
            for each in (left, right)
        ):
            return Cell(left.value * right.value, null)
        sort = left.value.sort()
        return Cell(z3.Function(f"times {sort}", sort, sort, sort)(left.value, right.value), null)

    def applied(self, name: str, arguments: list[Cell], type_: SqlType, strict: bool) -> Cell:
        """A function known by its name: one uninterpreted function for values, one for NULL."""
        parts = [part for each in arguments for part in (each.value, each.null)]
        sorts = [part.sort() for part in parts]
        words = f"{name} {' '.join(map(str, sorts))}"
        if not parts:
            raise UnsupportedError("a function without arguments")
        value = z3.Function(f"{words} value", *sorts, SORTS[type_]())(*parts)
        missing = z3.Or([each.null for each in arguments])
        return Cell(value, missing if strict else z3.Function(f"{words} null", *sorts, z3.BoolSort())(*parts))

    @staticmethod
    def comparison(operator: str, left: Cell, right: Cell) -> Cell:
        """ConstComp; unknown if a side is NULL."""
        if operator == "<=>":
            return Cell(z3.And(left.null == right.null, z3.Or(left.null, left.value == right.value)), NO)
        a, b = left.value, right.value
        if z3.is_bool(a) and operator not in ("=", "<>"):
            raise UnsupportedError("an order of truth values")
        return Cell(_OPERATORS[operator](a, b), z3.Or(left.null, right.null))

    @staticmethod
    def connective(conjunction: bool, cells: list[Cell]) -> Cell:
        """ConstLogic: three-valued AND and OR."""
        deciding = [z3.And(z3.Not(each.null), z3.Not(each.value) if conjunction else each.value) for each in cells]
        decided = z3.Or(deciding)
        null = z3.And(z3.Not(decided), z3.Or([each.null for each in cells]))
        return Cell(z3.Not(decided) if conjunction else decided, null)

    def case(self, expression: Case, row: Tuple) -> Cell:
        """A new cell that is related to the branches."""
        result = fresh(f"{self.prefix}case{next(self._numbers)}", expression.type)
        earlier: list[Any] = []
        implications = []
        branches = [(self.holds(when, row), self.cell(then, row)) for when, then in expression.branches]
        for condition, cell in (*branches, (YES, self.cell(expression.default, row))):
            taken = z3.And(condition, *map(z3.Not, earlier))
            equal = z3.And(result.value == cell.value, result.null == cell.null)
            implications.append(z3.Implies(taken, equal))
            earlier.append(condition)
        self.assign.append(z3.Or(implications) if self.printed else z3.And(implications))
        return result
