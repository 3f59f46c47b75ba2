"""Arithmetic, divisions and conversions as cells (THEORY-SQL section 1)."""

from __future__ import annotations

from fractions import Fraction

from tallystick.core.operators import Operator
from tallystick.core.queries.compilation.arithmetic import computed, quotient
from tallystick.core.queries.compilation.bags import Scopes
from tallystick.core.queries.compilation.cells import Cell, literal, to_decimal
from tallystick.core.queries.compilation.scalars import Scalars
from tallystick.core.queries.constructs.numbers import Arithmetic, Cast, Divide, Remainder
from tallystick.core.queries.types import BOOLEAN, DATE, INTEGER, MICROSECONDS_A_DAY, SqlType, convert
from tallystick.core.terms import FALSE, TRUE, Term, constant, disjunction, equal, ite, scale, to_rational


def cell(node: Arithmetic | Divide | Remainder | Cast, scalars: Scalars, scopes: Scopes) -> Cell:
    """The value of an expression."""
    match node:
        case Arithmetic(operator, left, right):
            cells = scalars.cell(left, scopes), scalars.cell(right, scopes)
            value = computed(operator, *(each.value for each in cells))
            return Cell(disjunction(*(each.null for each in cells)), value)
        case Divide() | Remainder():
            return _division(node, scalars, scopes)
        case Cast(operand, type_):
            return _cast(scalars.cell(operand, scopes), operand.type, type_)


def _division(node: Divide | Remainder, scalars: Scalars, scopes: Scopes) -> Cell:
    """A quotient, or left − right · quotient. Division by a constant is linear; else the quotient is unknown."""
    left, right = scalars.cell(node.left, scopes), scalars.cell(node.right, scopes)
    zero = equal(right.value, literal(0 if node.right.type == INTEGER else Fraction(0), node.right.type).value)
    is_zero = _known_truth(zero)
    by_zero = FALSE if node.on_zero == "error" else is_zero
    value = quotient(left.value, right.value, node.rounding)
    if isinstance(node, Remainder):
        whole = value if node.type == INTEGER else to_decimal(value)
        value = computed("-", left.value, computed("*", right.value, whole))
    return Cell(disjunction(left.null, right.null, by_zero), value)


def _known_truth(formula: Term) -> Term:
    """An equation of two constants as a truth value; other formulas as they are."""
    if all(part.operator is Operator.CONSTANT for part in formula.arguments) and formula.operator is Operator.EQUAL:
        return TRUE if formula.arguments[0] is formula.arguments[1] else FALSE
    return formula


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
