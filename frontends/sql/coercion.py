"""Types that meet: the common type of several values, and the conversion of each to it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Final
from typing import Literal as Choice

from tallystick.core.queries.expressions import CASTS, Cast, Comparison, Expression, Function, Literal
from tallystick.core.queries.types import (
    BOOLEAN,
    DATE,
    DECIMAL,
    DOUBLE,
    FLOATS,
    INTEGER,
    MICROSECONDS_A_DAY,
    OPAQUE,
    REAL,
    TEXT,
    TIMESTAMP,
    SqlType,
)
from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.literals import converted
from tallystick.frontends.sql.nulls import UntypedNull, Value
from tallystick.frontends.sql.parts import Parts, Place
from tallystick.frontends.sql.scopes import QueryReading

NUMBERS = frozenset({INTEGER, DECIMAL})
TIMES = frozenset({DATE, TIMESTAMP})


def typed(value: Value, default: SqlType = INTEGER) -> Expression:
    """The value; a NULL without a type gets the default."""
    return Literal(None, default) if isinstance(value, UntypedNull) else value


Meeting = Choice["compared", "branches", "rows"]
"""Where values meet: in a comparison; as values of CASE, COALESCE or VALUES; or in a column of a set operation."""


def common_type(
    reading: QueryReading, values: Sequence[Value], node: Place, meeting: Meeting = "compared", column: str = ""
) -> SqlType | None:
    """The type that all values, of a column if one is named, are converted to; None if all are NULL without a type.

    Raises SourceError if there is no such type.
    """
    known = [value for value in values if not isinstance(value, UntypedNull)]
    types = {value.type for value in known}
    if not types:
        return None
    joined = _joined(reading, types, known, meeting)
    if joined is None:
        names = " and ".join(sorted(str(each) for each in types))
        where = f" in the column {column}" if column else ""
        raise reading.error(node, f"values of the types {names} meet{where}", "convert one of them with CAST")
    return joined


def _joined(
    reading: QueryReading, types: set[SqlType], values: Sequence[Expression], meeting: Meeting
) -> SqlType | None:
    if len(types) == 1:
        return next(iter(types))
    if types <= NUMBERS:
        return DECIMAL
    if types & FLOATS and types <= FLOATS | NUMBERS:
        return DOUBLE if DOUBLE in types or DECIMAL in types else REAL
    if types <= TIMES:
        return TIMESTAMP
    if OPAQUE in types:
        return OPAQUE if reading.dialect.name == "snowflake" else None
    if TEXT in types:
        rest = _joined(reading, types - {TEXT}, values, meeting)
        texts = [value for value in values if value.type == TEXT]
        if rest is None:
            return None
        if meeting != "compared" and reading.dialect.mixed_values == "texts":
            return TEXT if rest in (INTEGER, DATE) else None
        if meeting == "rows" and reading.dialect.mixed_values == "columns of texts":
            return None
        if all(isinstance(text, Literal) for text in texts):
            whole = all(converted(text, INTEGER) is not None for text in texts if isinstance(text, Literal))
            return rest if whole or rest not in NUMBERS else taken_by_fractions(reading, rest)
        if reading.dialect.texts_as_doubles:
            return DECIMAL if rest in NUMBERS and reading.exact_floats else None
        if reading.dialect.name == "snowflake" and rest == INTEGER:
            return None  # the text becomes a number with digits after its point, how many is not said
        return rest if reading.dialect.text_as_number or rest in TIMES else None
    if BOOLEAN in types and reading.dialect.truth_as_number:
        rest = _joined(reading, types - {BOOLEAN}, values, meeting)
        return rest if rest in NUMBERS else None
    return None


def taken_by_fractions(reading: QueryReading, met: SqlType) -> SqlType | None:
    """What numbers of a type and constant texts that are no integers are converted to."""
    taken = reading.dialect.texts_take
    return DECIMAL if taken == "nothing" or (taken == "types" and met == DECIMAL) else None


def convert(reading: QueryReading, value: Value, to: SqlType, node: Place) -> Expression:
    """The value as one of another type: exactly where that is defined, else by a named function."""
    if isinstance(value, UntypedNull):
        return value.of(to)
    if value.type == to:
        return value
    given = "constant" if isinstance(value, Literal) else "value"
    of = node.of if isinstance(node, Parts) else node
    reading.cases.setdefault(f"{type(of).__name__}: {given} of type {value.type} as {to}", of)
    if isinstance(value, Literal):
        literal = converted(value, to)
        if literal is not None:
            return literal
        if value.type == TEXT and to in NUMBERS | TIMES:
            raise reading.error(node, f"{value.value!r} is no {to}")
    if (value.type, to) in CASTS:
        return Cast(value, to)
    return cast_function(value, to)


def cast_function(value: Expression, to: SqlType) -> Function:
    """A conversion that is known by its types alone; a text, and a float of a number, is NULL for NULL alone."""
    strict = value.type != OPAQUE and (to == TEXT or (to in FLOATS and value.type in NUMBERS | FLOATS))
    return Function(f"cast {value.type} as {to}", (value,), to, strict=strict)


def unified(
    reading: QueryReading, values: Sequence[Value], node: Place, meeting: Meeting = "compared"
) -> list[Expression] | None:
    """The values, all of one type; None if all are NULL without a type."""
    joined = common_type(reading, values, node, meeting)
    if joined is None:
        return None
    beside = joined == DOUBLE and any(map(is_float_constant, values))
    converted = [
        Function("cast decimal as double beside a constant", (value,), DOUBLE, strict=True)
        if beside and not isinstance(value, UntypedNull) and value.type == DECIMAL
        else convert(reading, value, joined, node)
        for value in values
    ]
    return converted if meeting == "compared" else met(reading, converted, node)


FLOAT_CONSTANT: Final = "the constant "
"""How the name of a constant begins that is a floating-point number."""


def is_float_constant(value: Value) -> bool:
    """Whether a value is such a constant: beside a DECIMAL, BigQuery makes a DECIMAL of it, not of a column with it."""
    return isinstance(value, Function) and not value.arguments and value.name.startswith(FLOAT_CONSTANT)


def named_kinds(left: Expression, right: Expression) -> tuple[str, str]:
    """What the name of an operation says of its sides: the types, and which side is a constant beside a DECIMAL."""
    return (
        f"constant {left.type}" if is_float_constant(left) and right.type == DECIMAL else str(left.type),
        f"constant {right.type}" if is_float_constant(right) and left.type == DECIMAL else str(right.type),
    )


def met(reading: QueryReading, values: Sequence[Expression], node: Place) -> list[Expression]:
    """Values of which one is chosen: documents and arrays have the type of all of them then, which is not known, so
    that each is what is made of it at this place of the text alone. In Snowflake, all documents are of one type."""
    of = node.of if isinstance(node, Parts) else node
    known = {value for value in values if not (isinstance(value, Literal) and value.value is None)}
    if len(known) < 2 or reading.dialect.name == "snowflake" or all(value.type != OPAQUE for value in known):
        return [*values]
    place = f"`{of.sql(reading.dialect.parser, comments=False)}` in {reading.place(of)}"
    return [
        Function(f"what is value {number} of {place}", (value,), value.type, strict=False) if value in known else value
        for number, value in enumerate(values)
    ]


def narrowed(comparison: Comparison) -> Comparison:
    """A comparison without conversions that keep the order: of both sides, or of one beside a constant."""
    sides = [comparison.left, comparison.right]
    casts = [each for each in sides if isinstance(each, Cast)]
    kinds = {each.operand.type for each in casts}
    if len(kinds) != 1:
        return comparison
    [kind] = kinds
    inner = [each.operand if isinstance(each, Cast) else _without_cast(each, kind) for each in sides]
    left, right = inner
    return comparison if left is None or right is None else Comparison(comparison.operator, left, right)


def _without_cast(value: Expression, kind: SqlType) -> Literal | None:
    """The constant of a type whose conversion a constant is; None if there is none."""
    if not isinstance(value, Literal):
        return None
    match value.value, value.type, kind:
        case None, _, _:
            return Literal(None, kind)
        case Fraction(denominator=1), _, SqlType.INTEGER:
            return Literal(int(value.value), kind)
        case int(), SqlType.TIMESTAMP, SqlType.DATE if value.value % MICROSECONDS_A_DAY == 0:
            return Literal(value.value // MICROSECONDS_A_DAY, kind)
        case _:
            return None


COLLATED: Final = re.compile("[A-Za-z0-9 ./-]*")
"""Texts in the order of which collations that ignore the case of letters agree, unless they end with a blank."""


def collated(reading: QueryReading, value: Expression) -> Expression:
    """What stands for a value in comparisons: of a text, its key in the collation of the dialect."""
    if value.type != TEXT or reading.dialect.collation == "binary":
        return value
    text = value.value if isinstance(value, Literal) else None
    if isinstance(text, str) and COLLATED.fullmatch(text) and not text.endswith(" "):
        return Literal(text.lower(), TEXT)
    return value if isinstance(value, Literal) and text is None else Function("collation key", (value,), TEXT, True)


def require_spelling(reading: QueryReading, values: Iterable[Expression], node: Place, what: str) -> None:
    """Raises SourceError where one of several texts is chosen that are equal in the collation of the dialect."""
    if reading.dialect.collation != "binary" and any(value.type == TEXT for value in values):
        raise reading.error(node, f"{what} shows one of several texts that differ in case alone", SAY_BINARY)


SAY_BINARY: Final = "say --collation binary if the case of letters matters in the database"


def condition(reading: QueryReading, value: Value, node: Place) -> Expression:
    """The value as a truth value. Raises SourceError if it is none."""
    if isinstance(value, UntypedNull):
        return value.of(BOOLEAN)
    if value.type == BOOLEAN:
        return value
    if value.type == OPAQUE and reading.dialect.name == "snowflake":
        return cast_function(value, BOOLEAN)
    if value.type in NUMBERS and reading.dialect.truth_as_number:
        return Comparison("<>", value, Literal(0 if value.type == INTEGER else Fraction(0), value.type))
    raise type_error(reading, node, "a condition", value)


def type_error(reading: QueryReading, node: Place, expected: str, value: Expression) -> SourceError:
    """The error of a value that is not of the type expected."""
    return reading.error(node, f"{expected} is expected, not a value of type {value.type}")
