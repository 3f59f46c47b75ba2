"""The first rows of partitions, of which nothing is read that a tie could change, as groups.

    SELECT k, v FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC) AS n FROM t) WHERE n = 1
    SELECT k, MAX(v) FROM t GROUP BY k

ROW_NUMBER is 1 in one row of each partition, in which the first order key has its first value, whatever row that is:
its extremum, or NULL, where NULLs come first and there are some. Under DISTINCT, RANK and DENSE_RANK do as well. Where
other columns are read, or the second order key, nothing is changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tallystick.core.queries.calls import AggregateCall, OrderKey, WindowCall, WindowFunction
from tallystick.core.queries.expressions import And, Case, Comparison, Expression, Literal, Reference, WithQuery
from tallystick.core.queries.syntax import Aggregate, Filter, Project, Query, Window, reference
from tallystick.core.queries.traversal import parts
from tallystick.core.queries.types import DATE, DECIMAL, INTEGER, TEXT, TIMESTAMP
from tallystick.frontends.choices.marks import InOrder
from tallystick.frontends.substitution import CorrelatedError, conjuncts, replaced

ORDERED: Final = frozenset({INTEGER, DECIMAL, TEXT, DATE, TIMESTAMP})
"""Types whose values have a least and a greatest one in the order of ORDER BY."""
NUMBERS: Final = ("row_number",)
RANKS: Final = ("row_number", "rank", "dense_rank")
ONE: Final = Literal(1, INTEGER)


class _OtherRowsError(ValueError):
    """Something is read that the groups do not have."""


def first_rows(query: Project, distinct: bool) -> Query:
    """A projection of first rows as one of groups; any other as it is.

    Args:
        distinct: whether duplicates of its rows are dropped.
    """
    values: list[Expression] = list(query.expressions)
    conditions: list[Expression] = []
    below = query.input
    while isinstance(below, Filter | Project) and not isinstance(below, InOrder):
        if isinstance(below, Filter):
            conditions += conjuncts(below.condition)
        else:
            inner = below.expressions
            try:
                values, conditions = (
                    [replaced(each, lambda at, inner=inner: inner[at.index]) for each in part]
                    for part in (values, conditions)
                )
            except CorrelatedError:
                return query
        below = below.input
    if not isinstance(below, Window) or not conditions:
        return query
    if any(isinstance(part, WithQuery) for each in (*values, *conditions) for part in parts(each)):
        return query
    width = len(below.input.columns)
    for place, call in enumerate(below.calls, start=width):
        asked = [each for each in conditions if not _is_first(each, place)]
        if len(asked) < len(conditions) and _is_rank(call, RANKS if distinct else NUMBERS):
            try:
                return _of_groups(below, call, place, values, asked)
            except _OtherRowsError:
                continue
    return query


def _is_rank(call: WindowCall, functions: tuple[str, ...]) -> bool:
    known = isinstance(call.call, WindowFunction) and call.call.function in functions
    return known and bool(call.partition) and all(_is_column(each) for each in call.partition)


def _is_column(expression: Expression) -> bool:
    return isinstance(expression, Reference) and expression.level == 0


def _is_first(condition: Expression, place: int) -> bool:
    """Whether a condition says that a number that counts from 1 is 1."""
    if not isinstance(condition, Comparison):
        return False
    operator, left, right = condition.operator, condition.left, condition.right
    if isinstance(left, Literal):
        operator, left, right = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(operator, operator), right, left
    if not (isinstance(left, Reference) and (left.level, left.index) == (0, place) and isinstance(right, Literal)):
        return False
    return (operator, right.value) in (("=", 1), ("<=>", 1), ("<=", 1), ("<", 2))


def _of_groups(
    window: Window, call: WindowCall, place: int, values: Sequence[Expression], conditions: Sequence[Expression]
) -> Query:
    """The values of the first rows that satisfy the conditions."""
    keys = tuple(dict.fromkeys(call.partition))
    first = call.order[0] if call.order else None
    calls = () if first is None else _calls(first)
    groups = Aggregate(window.input, keys, calls)
    known = {key: reference(groups, number) for number, key in enumerate(keys)}

    def of_group(at: Reference) -> Expression:
        if at.index == place:
            return ONE
        if at in known:
            return known[at]
        if first is not None and calls and at == first.expression:
            return _first_value(first, groups, len(keys))
        raise _OtherRowsError

    shown = [replaced(each, of_group) for each in conditions]
    kept = Filter(groups, And(tuple(shown))) if shown else groups
    return Project(kept, tuple(replaced(each, of_group) for each in values))


def _calls(key: OrderKey) -> tuple[AggregateCall, ...]:
    """What the first value of an order key is computed from; nothing, if it is no column that has such a value."""
    of = key.expression
    if not _is_column(of) or of.type not in ORDERED:
        return ()
    extremum = AggregateCall("max" if key.descending else "min", (of,))
    return (extremum, AggregateCall("count", (of,)), AggregateCall("count")) if _may_be_null(key) else (extremum,)


def _may_be_null(key: OrderKey) -> bool:
    """Whether NULL may be the first of several values."""
    return key.nulls_first and key.expression.nullable


def _first_value(key: OrderKey, groups: Aggregate, place: int) -> Expression:
    extremum = reference(groups, place)
    if not _may_be_null(key):
        return extremum
    there, every = reference(groups, place + 1), reference(groups, place + 2)
    return Case(((Comparison("<", there, every), Literal(None, extremum.type)),), extremum)
