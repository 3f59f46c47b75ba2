"""Aggregates whose value hangs on the order of rows: ANY_VALUE, MAX_BY, lists and texts of all values.

They are functions of the rows in the order that ORDER BY gives. Where rows tie in it, or there is none, nothing fixes
the value: it is a choice, see `frontends/choices`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from sqlglot import exp
from tallystick.core.queries.assumptions import Assumption
from tallystick.core.queries.calls import AggregateCall, OrderKey
from tallystick.core.queries.expressions import And, Expression, IsNull, Literal, Not
from tallystick.core.queries.types import INTEGER, OPAQUE, TEXT, SqlType
from tallystick.frontends.sql.arguments import argument
from tallystick.frontends.sql.coercion import collated
from tallystick.frontends.sql.exact_types import written_type
from tallystick.frontends.sql.expressions import Expressions
from tallystick.frontends.sql.parts import Parts
from tallystick.frontends.sql.scopes import unwrapped

ORDERED: Final = (
    *(exp.AnyValue, exp.ArrayAgg, exp.ArrayUniqueAgg, exp.ArrayConcatAgg, exp.GroupConcat, exp.ArgMax, exp.ArgMin),
)
AROUND: Final = (exp.WithinGroup, exp.IgnoreNulls, exp.RespectNulls)
"""What may stand around such a call."""
ALL_TIE: Final = OrderKey(Literal(0, INTEGER), False, False)
"""The key of an order that is not given."""
READ: Final[Mapping[str, frozenset[type[exp.Expr]]]] = {
    "duckdb": frozenset({exp.AnyValue, exp.ArgMax, exp.ArgMin, exp.ArrayAgg, exp.GroupConcat}),
    "postgres": frozenset({exp.ArrayAgg, exp.GroupConcat}),
    "spark": frozenset({exp.AnyValue, exp.ArgMax, exp.ArgMin, exp.ArrayAgg, exp.ArrayUniqueAgg}),
}
"""Such calls that were compared with engines, by their evidence."""
SKIPS_NULL: Final = frozenset({"bigquery", "duckdb"})
"""Dialects whose ANY_VALUE is no NULL if there is a value."""


def inner_call(node: exp.Expr) -> exp.Expr | None:
    """The call of ORDERED that a node is, or stands around; None if it is none."""
    while isinstance(node, AROUND):
        node = node.this
    return node if isinstance(node, ORDERED) else None


def read_ordered(expressions: Expressions, node: exp.Expr, condition: Expression | None) -> AggregateCall:
    """Such a call over the rows that `expressions` reads. Raises SourceError where it is not understood."""
    reading, order, skips = expressions.reading, [], False
    call = inner_call(node)
    if not reading.dialect.by_manual and type(call) not in READ.get(reading.dialect.evidence, ()):
        hint = "use MIN or MAX, or compare the queries without it"
        assert isinstance(call, exp.Func)
        raise reading.error(node, f"the result of {call.sql_name()} depends on the order of rows", hint)
    while isinstance(node, AROUND):
        with reading.parts(node) as around:
            skips = skips or isinstance(node, exp.IgnoreNulls)
            node = around.this
            if isinstance(around.of, exp.WithinGroup):
                with reading.parts(around.expression) as given:
                    order = given.expressions
    with reading.parts(node) as parts:
        match node:
            case exp.AnyValue():
                return _any_value(expressions, parts, condition, skips)
            case exp.ArgMax() | exp.ArgMin():
                return _at_extreme(expressions, parts, condition)
            case _:
                return _array_call(expressions, parts, order, condition, skips)


def read_over(
    expressions: Expressions, node: exp.Expr, condition: Expression | None, order: tuple[OrderKey, ...]
) -> AggregateCall:
    """Such a call over the rows of a window, in the order of the window unless it has one of its own."""
    call = read_ordered(expressions, node, condition)
    if call.function == "any_value":
        return replace(call, function="any value in order", order=order or (ALL_TIE,))
    return replace(call, order=order) if order and call.order == (ALL_TIE,) else call


def _any_value(expressions: Expressions, node: Parts, condition: Expression | None, skips: bool) -> AggregateCall:
    reading = expressions.reading
    if isinstance(node.this, exp.HavingMax):
        with reading.parts(node.this) as having:
            first = bool(having.args.get("max"))
            return _first_by(expressions, node, having.this, having.expression, first, condition)
    value = expressions.typed(node.this)
    reading.assumptions.add(Assumption.ONE_CHOICE)
    reading.chooses(node, "ANY_VALUE")
    kept = _not_null(value, condition) if skips or reading.dialect.name in SKIPS_NULL else condition
    return AggregateCall("any_value", (value,), filter=kept, result=value.type)


def _at_extreme(expressions: Expressions, node: Parts, condition: Expression | None) -> AggregateCall:
    return _first_by(expressions, node, node.this, node.expression, isinstance(node.of, exp.ArgMax), condition)


def _first_by(
    expressions: Expressions, node: Parts, value: exp.Expr, by: exp.Expr, largest: bool, condition: Expression | None
) -> AggregateCall:
    """MAX_BY(value, key): the value of the first row by the key, of those where it is not NULL.

    DuckDB skips rows without a value; BigQuery, whose MAX_BY is ANY_VALUE(value HAVING MAX key), only in ties.
    """
    reading, chosen, key = expressions.reading, expressions.typed(value), expressions.typed(by)
    order = (OrderKey(collated(reading, key), largest, False),)
    reading.chooses(node, "MAX_BY" if largest else "MIN_BY")
    kept = _not_null(key, condition)
    if reading.dialect.evidence == "duckdb":
        kept = _not_null(chosen, kept)
    elif reading.dialect.name == "bigquery":
        order += (OrderKey(IsNull(chosen), False, False),)
    return AggregateCall("first by order", (chosen,), filter=kept, result=chosen.type, order=order)


def _array_call(
    expressions: Expressions, node: Parts, order: list[exp.Expr], condition: Expression | None, skips: bool
) -> AggregateCall:
    """ARRAY_AGG, and STRING_AGG or LISTAGG with a separator."""
    reading, is_text = expressions.reading, isinstance(node.of, exp.GroupConcat)
    of, distinct = node.this, isinstance(node.of, exp.ArrayUniqueAgg)
    name = "STRING_AGG" if is_text else "ARRAY_CONCAT_AGG" if isinstance(node.of, exp.ArrayConcatAgg) else "ARRAY_AGG"
    skips = skips or distinct
    if isinstance(of, exp.Limit):
        with reading.parts(of) as limited:
            name, of = f"{name} of {reading.word(limited.expression)}", limited.this
    if isinstance(of, exp.Order):
        with reading.parts(of) as ordered_by:
            of, order = ordered_by.this, [*order, *ordered_by.expressions]
    of = unwrapped(reading, of)
    if isinstance(of, exp.Distinct):
        with reading.parts(of) as different:
            distinct = True
            [of] = different.expressions if len(different.expressions) == 1 else [None]
            if of is None:
                raise reading.error(node, "DISTINCT of several values is not understood here")
    value = argument(expressions, of, "text") if is_text else expressions.typed(of)
    if not is_text and (written := written_type(expressions, of, value)):
        name = f"{name} of {written}"
    if node.args.get("nulls_excluded") or skips:
        condition = _not_null(value, condition)
    separator = node.args.get("separator")
    arguments = (value,) if separator is None else (value, argument(expressions, separator, "text"))
    keys = tuple(_key(expressions, each) for each in order) or (ALL_TIE,)
    reading.chooses(node, name)
    result: SqlType = TEXT if is_text else OPAQUE
    return AggregateCall(name, arguments, distinct, condition, result=result, order=keys)


def _key(expressions: Expressions, node: exp.Expr) -> OrderKey:
    from tallystick.frontends.sql.windows import order_key

    return order_key(expressions, node)


def _not_null(value: Expression, condition: Expression | None) -> Expression | None:
    if not value.nullable:
        return condition
    present = Not(IsNull(value))
    return present if condition is None else And((condition, present))
