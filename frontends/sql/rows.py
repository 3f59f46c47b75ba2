"""Rows as values: their comparisons, and how COUNT counts them.

In the standard a comparison of rows is one of their columns, three-valued. In Spark and DuckDB a row is a struct: NULL
equals NULL in it, and has a place in the order, so that comparisons are two-valued.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from sqlglot import exp
from tallystick.core.queries.expressions import (
    And,
    Case,
    ComparisonOperator,
    Expression,
    IsNull,
    Literal,
    Not,
    Or,
)
from tallystick.core.queries.types import DECIMAL, TEXT, SqlType
from tallystick.frontends.sql.coercion import convert
from tallystick.frontends.sql.expressions import Expressions
from tallystick.frontends.sql.literals import truth
from tallystick.frontends.sql.nulls import UntypedNull, Value
from tallystick.frontends.sql.parts import Place
from tallystick.frontends.sql.predicates import compared
from tallystick.frontends.sql.scopes import row_of

STRICT: Final[dict[ComparisonOperator, ComparisonOperator]] = {"<": "<", "<=": "<", ">": ">", ">=": ">"}
"""What decides between rows before their last columns."""


def compared_rows(
    expressions: Expressions, operator: ComparisonOperator, left: exp.Expr, right: exp.Expr, node: Place
) -> Expression:
    """`left operator right` of two rows of one length; raises SourceError where the dialect does not compare them."""
    if not (isinstance(left, exp.Tuple) and isinstance(right, exp.Tuple)):
        raise expressions.reading.error(node, "this comparison of rows is not understood", "compare their columns")
    sides = [[expressions.read(each) for each in row_of(expressions.reading, side)] for side in (left, right)]
    if len(sides[0]) != len(sides[1]):
        raise expressions.reading.error(node, "rows of different length are compared")
    pairs = list(zip(*sides, strict=True))
    structs = expressions.reading.dialect.null_in_rows != "unknown"
    if structs:
        _require_one_type(expressions, pairs, node)
    if operator == "<>":
        return Not(_equal(expressions, "<=>" if structs else "=", pairs, node))
    if operator in ("=", "<=>"):
        return _equal(expressions, "<=>" if structs else operator, pairs, node)
    return _ordered(expressions, operator, pairs, node)


def _equal(
    expressions: Expressions, operator: ComparisonOperator, pairs: Sequence[tuple[Value, Value]], node: Place
) -> Expression:
    return And(tuple(compared(expressions, operator, left, right, node) for left, right in pairs))


def _ordered(
    expressions: Expressions, operator: ComparisonOperator, pairs: Sequence[tuple[Value, Value]], node: Place
) -> Expression:
    """The order of rows: that of the first columns that differ."""
    [(left, right), *rest] = pairs
    if not rest:
        return _columns_ordered(expressions, operator, left, right, node)
    same: ComparisonOperator = "=" if expressions.reading.dialect.null_in_rows == "unknown" else "<=>"
    before = _columns_ordered(expressions, STRICT[operator], left, right, node)
    equal = compared(expressions, same, left, right, node)
    return Or((before, And((equal, _ordered(expressions, operator, rest, node)))))


def _columns_ordered(
    expressions: Expressions, operator: ComparisonOperator, left: Value, right: Value, node: Place
) -> Expression:
    nulls = expressions.reading.dialect.null_in_rows
    if isinstance(left, UntypedNull) and not isinstance(right, UntypedNull):
        left = left.of(right.type)
    elif isinstance(right, UntypedNull) and not isinstance(left, UntypedNull):
        right = right.of(left.type)
    known = compared(expressions, operator, left, right, node)
    if nulls == "unknown":
        return known
    if isinstance(left, UntypedNull) or isinstance(right, UntypedNull):
        return truth(operator in ("<=", ">="))
    one, other = IsNull(left), IsNull(right)
    first = one if (operator in ("<", "<=")) == (nulls == "smallest") else other
    decided = And((first, Not(other if first is one else one)))
    both = (And((one, other)),) if operator in ("<=", ">=") else ()
    return Or((decided, *both, And((Not(one), Not(other), known))))


def _require_one_type(expressions: Expressions, pairs: Sequence[tuple[Value, Value]], node: Place) -> None:
    """Spark compares rows of equal types only, and a NULL without a type has none; DuckDB converts them."""
    if expressions.reading.dialect.converts_rows:
        return
    for left, right in pairs:
        if isinstance(left, UntypedNull) or isinstance(right, UntypedNull) or left.type != right.type:
            hint = "cast the columns of one row to the types of the other"
            raise expressions.reading.error(node, "rows of different types are compared", hint)


def never_null(expressions: Expressions, row: exp.Expr, node: Place) -> tuple[Expression, ...]:
    """Values that are never NULL, and equal where rows are the same: NULL is NULL in them."""
    found: list[Expression] = []
    for each in row_of(expressions.reading, row):
        value = expressions.typed(each)
        if not value.nullable:
            found.append(value)
            continue
        other = convert(expressions.reading, _some_value(value.type), value.type, node)
        found += [IsNull(value), Case(((Not(IsNull(value)), value),), other)]
    return tuple(found)


def _some_value(of: SqlType) -> Literal:
    match of:
        case SqlType.TEXT:
            return Literal("", TEXT)
        case SqlType.BOOLEAN:
            return truth(False)
        case SqlType.DECIMAL:
            return Literal(Fraction(0), DECIMAL)
        case _:
            return Literal(0, of)
