"""Comparisons: of values, of rows, and with the rows of queries: IN, ANY and ALL."""

from __future__ import annotations

from typing import Final

from sqlglot import exp
from tallystick.core.queries.expressions import ComparisonOperator, Expression, Function, Not, Or
from tallystick.core.queries.types import BOOLEAN
from tallystick.frontends.elaboration.quantifiers import for_all, for_any, is_in
from tallystick.frontends.sql.coercion import unified
from tallystick.frontends.sql.expressions import Expressions
from tallystick.frontends.sql.memberships import in_place
from tallystick.frontends.sql.padding import require_no_padded_membership
from tallystick.frontends.sql.parts import Parts
from tallystick.frontends.sql.predicates import (
    MIRRORED,
    aligned_with,
    compared,
    mixes_order,
    of_width,
    require_one_type,
)
from tallystick.frontends.sql.rows import compared_rows
from tallystick.frontends.sql.scopes import row_of, unwrapped

COMPARISONS: Final[dict[type[exp.Expr], ComparisonOperator]] = {
    exp.EQ: "=",
    exp.NEQ: "<>",
    exp.LT: "<",
    exp.LTE: "<=",
    exp.GT: ">",
    exp.GTE: ">=",
    exp.NullSafeEQ: "<=>",
}


def read_comparison(expressions: Expressions, node: Parts) -> Expression:
    """A comparison of two values, of two rows, or of a value with the rows of a query."""
    if isinstance(node.expression, exp.In | exp.Between | exp.Like | exp.ILike | exp.RegexpLike | exp.Is | exp.Not):
        message = "dialects do not agree on what is compared here"
        raise expressions.reading.error(node.expression, message, "write parentheses")
    operator = COMPARISONS[type(node.of)]
    left, right = (unwrapped(expressions.reading, each) for each in (node.this, node.expression))
    if isinstance(right, exp.Any | exp.All):
        return _quantified(expressions, operator, left, right)
    if isinstance(left, exp.Any | exp.All):
        return _quantified(expressions, MIRRORED[operator], right, left)
    if isinstance(left, exp.Tuple) or isinstance(right, exp.Tuple):
        return compared_rows(expressions, operator, left, right, node)
    return compared(expressions, operator, expressions.read(left), expressions.read(right), node)


def _quantified(expressions: Expressions, operator: ComparisonOperator, left: exp.Expr, right: exp.Expr) -> Expression:
    if isinstance(left, exp.Tuple):
        raise expressions.reading.error(left, "ANY and ALL compare one column", "write IN or EXISTS")
    with expressions.reading.parts(right) as parts:
        query = unwrapped(expressions.reading, parts.this)
    if not isinstance(query, exp.Query):
        raise expressions.reading.error(right, f"{right.key.upper()} of a list is not understood", "write IN")
    if operator == "<=>" and isinstance(right, exp.All):
        raise expressions.reading.error(right, "a null-safe comparison with ALL is not understood", "write NOT EXISTS")
    relation = of_width(expressions, expressions.subquery(query), 1, query)
    values, aligned = aligned_with(expressions, [expressions.read(left)], relation, right)
    require_no_padded_membership(expressions, values, relation, right)
    quantified = for_all if isinstance(right, exp.All) else for_any
    return quantified(operator, values[0], aligned.query)


def read_null_safe_difference(expressions: Expressions, node: Parts) -> Expression:
    """IS DISTINCT FROM."""
    left, right = (unwrapped(expressions.reading, each) for each in (node.this, node.expression))
    if isinstance(left, exp.Tuple) or isinstance(right, exp.Tuple):
        return Not(compared_rows(expressions, "<=>", left, right, node))
    return Not(compared(expressions, "<=>", expressions.read(left), expressions.read(right), node))


def read_in(expressions: Expressions, node: Parts) -> Expression:
    """IN, of a list or of a query."""
    left = unwrapped(expressions.reading, node.this)
    query, array = node.args.get("query"), node.args.get("unnest")
    if array is not None:
        return _in_array(expressions, left, array)
    if query is None:
        return _in_list(expressions, left, node)
    nodes = row_of(expressions.reading, left) if isinstance(left, exp.Tuple) else [left]
    relation = of_width(expressions, expressions.subquery(query), len(nodes), query)
    values, aligned = aligned_with(expressions, [expressions.read(each) for each in nodes], relation, node)
    require_no_padded_membership(expressions, values, relation, node)
    return in_place(expressions, is_in(values, aligned.query), node.of)


def _in_array(expressions: Expressions, left: exp.Expr, node: exp.Expr) -> Expression:
    """`value IN UNNEST(array)` of BigQuery, by its name."""
    with expressions.reading.parts(node) as parts:
        [array] = parts.expressions if len(parts.expressions) == 1 else [None]
        if array is None or expressions.reading.dialect.name != "bigquery":
            raise expressions.reading.refused(node)
        return Function("IN UNNEST", (expressions.typed(left), expressions.typed(array)), BOOLEAN, strict=False)


def _in_list(expressions: Expressions, left: exp.Expr, node: Parts) -> Expression:
    items = [unwrapped(expressions.reading, item) for item in node.expressions]
    if isinstance(left, exp.Tuple):
        return Or(tuple(compared_rows(expressions, "=", left, item, node) for item in items))
    values = [expressions.read(left), *(expressions.read(item) for item in items)]
    value, *members = values
    require_one_type(expressions, value, members, node)
    if not any(mixes_order(value, member) for member in members):
        value, *members = unified(expressions.reading, values, node) or values
    return Or(tuple(compared(expressions, "=", value, member, node) for member in members))


def read_equal_null(expressions: Expressions, node: Parts) -> Expression:
    """EQUAL_NULL of Snowflake."""
    if expressions.reading.dialect.name != "snowflake":
        raise expressions.reading.refused(node)
    return compared(expressions, "<=>", expressions.read(node.this), expressions.read(node.expression), node)


HANDLERS = {
    exp.EqualNull: read_equal_null,
    **dict.fromkeys(COMPARISONS, read_comparison),
    exp.NullSafeNEQ: read_null_safe_difference,
    exp.In: read_in,
}
