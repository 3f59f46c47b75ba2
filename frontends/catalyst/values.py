"""Values with their Spark types, and what is done with numbers whatever they are of."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tallystick.core.errors import TallystickError
from tallystick.core.queries.expressions import (
    Arithmetic,
    Cast,
    Divide,
    Expression,
    Function,
    Literal,
    OnZero,
    Reference,
    WithQuery,
)
from tallystick.core.queries.interpreter.expressions import evaluator
from tallystick.core.queries.interpreter.running import RowsOf
from tallystick.core.queries.syntax import Query
from tallystick.core.queries.types import DECIMAL, INTEGER, TEXT
from tallystick.frontends.catalyst.types import SparkType


@dataclass(frozen=True)
class Value:
    """An expression of the core, and the Spark type of its values."""

    expression: Expression
    type: SparkType


@dataclass(frozen=True)
class Struct:
    """A struct as its fields; with their names if it is never NULL itself."""

    fields: tuple[Value, ...]
    names: tuple[str, ...] = ()

    @property
    def type(self) -> SparkType:
        """The type of the struct."""
        return SparkType("struct", fields=tuple(field.type for field in self.fields), names=self.names)

    @property
    def whole(self) -> Value | None:
        """The struct as one value, which is never NULL; None if it may be NULL, so that its fields do not tell it."""
        if not self.names:
            return None
        type_ = SparkType(self.type.ddl, parts=self.type.fields, kind="whole")
        values = tuple(field.expression for field in self.fields)
        return Value(Function(f"struct of {type_}", values, TEXT, strict=False), type_)


def field_of(struct: Value, ordinal: int) -> Value:
    """A field of a struct that is one value."""
    type_ = struct.type.parts[ordinal]
    called = f"field {ordinal} of {struct.type}"
    return Value(Function(called, (struct.expression,), type_.core, strict=False), type_)


def folded(expression: Expression) -> Expression:
    """The value of an expression whose operands are all constants, as far as the interpreter knows it."""
    constant = not isinstance(expression, Literal | Reference | WithQuery)
    if not constant or not all(isinstance(operand, Literal) for operand in expression.operands):
        return expression
    try:
        return Literal(evaluator(expression, _no_queries)(()), expression.type)
    except TallystickError:
        return expression


def _no_queries(query: Query) -> RowsOf:
    raise AssertionError(query)


def integer(value: int) -> Literal:
    """An integral constant."""
    return Literal(value, INTEGER)


def rational(value: int | Fraction) -> Literal:
    """An exact constant that stands for a double."""
    return Literal(Fraction(value), DECIMAL)


NEAREST = "nearest integer"
"""The name of the function that rounds to an integer, and halves away from zero."""


def nearest(expression: Expression) -> Expression:
    """A rational number rounded to an integer, halves away from zero: Spark's HALF_UP."""
    return folded(Function(NEAREST, (expression,), INTEGER, strict=True))


def scaled(units: Expression, by: int) -> Expression:
    """Units of a decimal as units that are 10**by times smaller; rounded if they are larger."""
    if by >= 0:
        return units if by == 0 else folded(Arithmetic("*", integer(10**by), units))
    return nearest(folded(Divide(units, integer(10**-by), "exact", "error")))


def exact(value: Value) -> Expression:
    """A number of any type as a rational number."""
    if value.type.is_float:
        return value.expression
    return folded(Arithmetic("*", rational(Fraction(1, 10**value.type.scale)), folded(Cast(value.expression, DECIMAL))))


def quotient(left: Expression, right: Expression, on_zero: OnZero) -> Expression:
    """The exact quotient of two integers, or of two rational numbers."""
    return folded(Divide(left, right, "exact", on_zero))


def times(number: Fraction, expression: Expression) -> Expression:
    """A rational number, multiplied."""
    return expression if number == 1 else folded(Arithmetic("*", rational(number), expression))
