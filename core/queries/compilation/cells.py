"""SQL values as pairs of terms, and three-valued truth as a pair of formulas.

A `Cell` is an option taken apart: a formula that says whether the value is NULL, and a term for the value, which
nothing reads where it is NULL. A column that is NOT NULL has the formula FALSE. A `Truth` says when a condition is true
and when it is false; it is NULL otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from tallystick.core.operators import Operator
from tallystick.core.queries.types import BOOLEAN, DECIMAL, TEXT, ColumnType, RowType, SqlType, SqlValue
from tallystick.core.terms import (
    FALSE,
    TRUE,
    Term,
    conjunction,
    constant,
    default_term,
    disjunction,
    equal,
    is_none,
    ite,
    negation,
    none,
    project,
    some,
    to_rational,
    tuple_of,
    value_of,
    variable,
)
from tallystick.core.types import BOOL, INT, RATIONAL, BagType, BasicType, OptionType, TupleType
from tallystick.core.types import TEXT as TEXT_TERMS


@dataclass(frozen=True)
class Cell:
    """A value that is NULL where `null` holds, and else `value`."""

    null: Term
    value: Term


Row = tuple[Cell, ...]


@dataclass(frozen=True)
class Truth:
    """A condition that is true where `true` holds, false where `false` holds, and else NULL; never both."""

    true: Term
    false: Term


VALUE_TYPES: Final = {BOOLEAN: BOOL, DECIMAL: RATIONAL, TEXT: TEXT_TERMS}


def value_type(type_: SqlType) -> BasicType:
    """The type of the terms for the values of a SQL type: dates, timestamps and intervals are integers."""
    return VALUE_TYPES.get(type_, INT)


def term_type(column: ColumnType) -> BasicType:
    """The type of the terms for a column: an option if it is nullable."""
    of = value_type(column.type)
    return OptionType(of) if column.nullable else of


def symbol(name: str, arguments: Iterable[SqlType], result: SqlType, *more: str) -> str:
    """The name, in the logic, of a function that is known by its name: with its types, since values of several SQL
    types are integers there. It begins with a quote, as no name does that the compilation makes up itself."""
    return " ".join([f"{name!a}({', '.join(map(str, arguments))}): {result}", *more])


def row_type(columns: RowType) -> TupleType:
    """The type of the terms for rows; a row without columns is a tuple of one constant."""
    return TupleType(tuple(map(term_type, columns)) or (BOOL,))


def literal(value: SqlValue, type_: SqlType) -> Cell:
    """The cell of a constant."""
    return Cell(TRUE, default_term(value_type(type_))) if value is None else Cell(FALSE, constant(value))


def unpacked(term: Term) -> Cell:
    """The cell of a term for a column."""
    if isinstance(term.type, OptionType):
        return Cell(is_none(term), value_of(term))
    return Cell(FALSE, term)


def packed(cell: Cell, column: ColumnType) -> Term:
    """The term for a column that holds the cell, which is not NULL if the column is NOT NULL."""
    if not column.nullable:
        return cell.value
    null, value = cell.null, cell.value
    if null is TRUE:
        return none(value_type(column.type))
    if null is FALSE:
        return some(value)
    if _is_read(cell):
        return null.arguments[0]
    return ite(null, none(value_type(column.type)), some(value))


def stored(cell: Cell, column: ColumnType) -> Cell:
    """The cell, as it is unpacked from the term for a column that holds it."""
    if cell.null is FALSE or (column.nullable and _is_read(cell)):
        return cell
    return unpacked(packed(cell, column))


def _is_read(cell: Cell) -> bool:
    """Whether a cell is one that a term was unpacked to."""
    null, value = cell.null, cell.value
    return null.operator is Operator.IS_NONE and value.operator is Operator.VALUE and null.arguments == value.arguments


def row_of(term: Term, columns: RowType) -> Row:
    """The cells of a term for a row."""
    return tuple(unpacked(project(term, index)) for index in range(len(columns)))


def packed_row(row: Sequence[Cell], columns: RowType) -> Term:
    """The term for a row that holds the cells."""
    return tuple_of(*(packed(cell, column) for cell, column in zip(row, columns, strict=True))) if columns else UNIT_ROW


UNIT_ROW = tuple_of(TRUE)


def same(left: Cell, right: Cell) -> Term:
    """Null-safe equality, ≐: both NULL, or neither and the values are equal."""
    values = equal(left.value, right.value)
    if left.null is right.null:
        return disjunction(left.null, values)
    both = conjunction(left.null, right.null)
    neither = conjunction(negation(left.null), negation(right.null), values)
    return disjunction(both, neither)


def truth_of(cell: Cell) -> Truth:
    """The condition that is the value of a boolean cell."""
    known = negation(cell.null)
    return Truth(conjunction(known, cell.value), conjunction(known, negation(cell.value)))


def cell_of(truth: Truth, nullable: bool) -> Cell:
    """The boolean cell of a condition."""
    null = conjunction(negation(truth.true), negation(truth.false)) if nullable else FALSE
    return Cell(null, truth.true)


def certain(formula: Term) -> Truth:
    """The condition that is true where the formula holds, and else false."""
    return Truth(formula, negation(formula))


def to_decimal(term: Term) -> Term:
    """An integer as a rational; a rational as it is."""
    if term.operator is Operator.CONSTANT:
        return constant(Fraction(term.parameter))  # type: ignore[arg-type]
    return term if term.type == RATIONAL else to_rational(term)


def table_variable(name: str, columns: RowType) -> Term:
    """The source that a table is."""
    return variable(name, BagType(row_type(columns)))
