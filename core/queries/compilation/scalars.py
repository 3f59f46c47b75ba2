"""Scalar expressions as cells, and conditions as pairs of formulas (THEORY-SQL section 1)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import assert_never

from tallystick.core.binders import exists
from tallystick.core.operators import Operator
from tallystick.core.queries.compilation.bags import Bags, Scopes
from tallystick.core.queries.compilation.cells import (
    Cell,
    Row,
    Truth,
    cell_of,
    certain,
    literal,
    packed,
    same,
    symbol,
    to_decimal,
    truth_of,
    unpacked,
    value_type,
)
from tallystick.core.queries.expressions import (
    NEGATED,
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
from tallystick.core.queries.syntax import Filter, Limit, Project, Query
from tallystick.core.queries.traversal import without_limit
from tallystick.core.queries.types import (
    BOOLEAN,
    DATE,
    INTEGER,
    MICROSECONDS_A_DAY,
    ColumnType,
    SqlType,
    convert,
)
from tallystick.core.terms import (
    FALSE,
    TRUE,
    Term,
    add,
    apply_function,
    build,
    conjunction,
    constant,
    disjunction,
    equal,
    ite,
    less,
    less_equal,
    multiply,
    negation,
    scale,
    to_rational,
)
from tallystick.core.types import BOOL, INT, RATIONAL, OptionType


class Scalars:
    """Compiles expressions in the scope of rows; `summation` compiles the queries in them."""

    def __init__(self, bags: Bags, summation: Callable[[Query, Scopes], Term]) -> None:
        self.bags = bags
        self.summation = summation

    def truth(self, expression: Expression, scopes: Scopes) -> Truth:
        """When a boolean expression is true, and when it is false."""
        self.bags.spend(1)
        match expression:
            case Comparison(operator, left, right):
                return compared(operator, self.cell(left, scopes), self.cell(right, scopes))
            case And(operands):
                truths = [self.truth(operand, scopes) for operand in operands]
                return Truth(
                    conjunction(*(each.true for each in truths)), disjunction(*(each.false for each in truths))
                )
            case Or(operands):
                truths = [self.truth(operand, scopes) for operand in operands]
                return Truth(
                    disjunction(*(each.true for each in truths)), conjunction(*(each.false for each in truths))
                )
            case Not(operand):
                truth = self.truth(operand, scopes)
                return Truth(truth.false, truth.true)
            case IsNull(operand):
                return certain(self.cell(operand, scopes).null)
            case Exists(query):
                return certain(exists(self.summation(without_limit(query), scopes)))
            case ForSome():
                return self.for_some(expression, scopes)
            case Case(branches, default) if expression.type == BOOLEAN:
                truth = self.truth(default, scopes)
                for test, value in reversed(branches):
                    taken, inner = self.truth(test, scopes).true, self.truth(value, scopes)
                    truth = Truth(_chosen(taken, inner.true, truth.true), _chosen(taken, inner.false, truth.false))
                return truth
            case _:
                return truth_of(self.cell(expression, scopes))

    def for_some(self, node: ForSome, scopes: Scopes) -> Truth:
        """A comparison with the rows of a query: true if true of one, false if false of all."""
        row, rows, columns = self.row(node.expressions, scopes), self.summation(node.query, scopes), node.query.columns

        def test(other: Row) -> Truth:
            truths = [compared(node.operator, *pair) for pair in zip(row, other, strict=True)]
            return Truth(conjunction(*(each.true for each in truths)), disjunction(*(each.false for each in truths)))

        true = self.bags.some(rows, columns, lambda other: test(other).true)
        not_false = self.bags.some(rows, columns, lambda other: negation(test(other).false))
        return Truth(true, negation(not_false))

    def row(self, expressions: Sequence[Expression], scopes: Scopes) -> Row:
        """The values of expressions."""
        return tuple(self.cell(expression, scopes) for expression in expressions)

    def cell(self, expression: Expression, scopes: Scopes) -> Cell:
        """The value of an expression."""
        self.bags.spend(1)
        match expression:
            case Literal(value, type_):
                return literal(value, type_)
            case Reference(level, index):
                return scopes[level][index]
            case Arithmetic(operator, left, right):
                cells = self.cell(left, scopes), self.cell(right, scopes)
                return Cell(
                    disjunction(*(cell.null for cell in cells)), computed(operator, *(cell.value for cell in cells))
                )
            case Divide() | Remainder():
                return self.division(expression, scopes)
            case Cast(operand, type_):
                return _cast(self.cell(operand, scopes), operand.type, type_)
            case Function():
                return self.function(expression, scopes)
            case Case(branches, default) if expression.type != BOOLEAN:
                cell = self.cell(default, scopes)
                for test, value in reversed(branches):
                    taken, inner = self.truth(test, scopes).true, self.cell(value, scopes)
                    cell = Cell(ite(taken, inner.null, cell.null), ite(taken, inner.value, cell.value))
                return cell
            case ScalarSubquery(query):
                cell = self.bags.single(self.summation(query, scopes), query.columns[0], _is_limited_to_one(query))
                if without_limit(query) is query or query.columns[0].nullable:
                    return cell
                return Cell(negation(exists(self.summation(without_limit(query), scopes))), cell.value)
            case Comparison() | And() | Or() | Not() | IsNull() | Exists() | ForSome() | Case():
                return cell_of(self.truth(expression, scopes), expression.nullable)
            case _:
                assert_never(expression)

    def division(self, node: Divide | Remainder, scopes: Scopes) -> Cell:
        """A quotient, or left − right · quotient. Division by a constant is linear; else the quotient is unknown."""
        left, right = self.cell(node.left, scopes), self.cell(node.right, scopes)
        zero = equal(right.value, literal(0 if node.right.type == INTEGER else Fraction(0), node.right.type).value)
        is_zero = known_truth(zero)
        by_zero = FALSE if node.on_zero == "error" else is_zero
        value = quotient(left.value, right.value, node.rounding)
        if isinstance(node, Remainder):
            whole = value if node.type == INTEGER else to_decimal(value)
            value = computed("-", left.value, computed("*", right.value, whole))
        return Cell(disjunction(left.null, right.null, by_zero), value)

    def function(self, node: Function, scopes: Scopes) -> Cell:
        """A function that is known by its name alone: of values if strict, else of options."""
        cells = self.row(node.arguments, scopes)
        of, name = value_type(node.type), symbol(node.name, (each.type for each in node.arguments), node.type)
        if node.strict:
            value = apply_function(name, of, *(cell.value for cell in cells))
            return Cell(disjunction(*(cell.null for cell in cells)), value)
        columns = [ColumnType(argument.type, True) for argument in node.arguments]
        options = [packed(cell, column) for cell, column in zip(cells, columns, strict=True)]
        return unpacked(apply_function(name, OptionType(of), *options))


def known_truth(formula: Term) -> Term:
    """An equation of two constants as a truth value; other formulas as they are."""
    if all(part.operator is Operator.CONSTANT for part in formula.arguments) and formula.operator is Operator.EQUAL:
        return TRUE if formula.arguments[0] is formula.arguments[1] else FALSE
    return formula


def computed(operator: str, left: Term, right: Term) -> Term:
    """The sum, the difference or the product of two terms; a product with a constant is linear."""
    if operator != "*":
        return add(left, right if operator == "+" else scale(-1, right))
    for factor, other in ((left, right), (right, left)):
        if factor.operator is Operator.CONSTANT:
            return scale(factor.parameter, other)  # type: ignore[arg-type]
    return multiply(left, right)


def quotient(left: Term, right: Term, rounding: Rounding) -> Term:
    """A quotient of two integers, or of two rationals."""
    divisor = right.parameter if right.operator is Operator.CONSTANT else 0
    if divisor and rounding == "exact":
        return scale(Fraction(1, divisor), to_decimal(left))  # type: ignore[arg-type]
    if divisor and left.type == INT:
        size, dividend = abs(divisor), left if divisor > 0 else scale(-1, left)  # type: ignore[operator, arg-type]
        floor = build(Operator.DIV, (dividend,), size)
        if rounding == "floor" or size == 1:
            return floor
        negative = scale(-1, build(Operator.DIV, (scale(-1, dividend),), size))
        return ite(less(dividend, constant(0)), negative, floor)
    of = RATIONAL if rounding == "exact" else INT
    return apply_function(f"quotient {rounding}", of, to_decimal(left), to_decimal(right))


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


def _is_limited_to_one(query: Query) -> bool:
    """Whether a query has one row at most, since a LIMIT says so."""
    return (
        _is_limited_to_one(query.input)
        if isinstance(query, Project | Filter)
        else (isinstance(query, Limit) and query.count is not None and query.count <= 1)
    )


def _chosen(test: Term, one: Term, other: Term) -> Term:
    """One formula where a test holds, else another; the test itself, or its negation, if these are constants."""
    if {one, other} == {TRUE, FALSE}:
        return test if one is TRUE else negation(test)
    return ite(test, one, other)


def _cast(cell: Cell, source: SqlType, target: SqlType) -> Cell:
    value = cell.value
    if value.operator is Operator.CONSTANT:
        return Cell(cell.null, constant(convert(value.parameter, source, target)))  # type: ignore[arg-type]
    if source == DATE:
        return Cell(cell.null, scale(MICROSECONDS_A_DAY, value))
    if source == BOOLEAN:
        number = ite(value, constant(1), constant(0))
        return Cell(cell.null, number if target == INTEGER else to_rational(number))
    return Cell(cell.null, to_rational(value))
