"""Groups of which only the row is asked that comes first in an order: MAX of structs, MAX_BY and the like.

Such a row is the one that is numbered 1, as users write it with `row_number`, so that both are one query for proofs.
"""

from __future__ import annotations

from collections.abc import Sequence

from tallystick.core.queries.calls import AggregateCall, OrderKey, WindowCall, WindowFunction
from tallystick.core.queries.expressions import Case, Comparison, Expression, IsNull, Literal, Not
from tallystick.core.queries.syntax import Aggregate, Distinct, Filter, Project, Query, Window, reference
from tallystick.frontends.catalyst.aggregates import FIRST
from tallystick.frontends.catalyst.values import folded, integer
from tallystick.frontends.choices.marks import in_order


def grouped(query: Query, keys: tuple[Expression, ...], calls: tuple[AggregateCall, ...]) -> Query:
    """The keys and calls of the groups of a query: an Aggregate, or the first rows where calls ask for these alone.

    Where all that is asked is in the order, rows that tie are the same in it, and RANK chooses none of them. Else Spark
    chooses among these, in another way than where it numbers rows: in ties, these two are not the same.
    """
    orders = {call.order for call in calls}
    if not keys or len(orders) != 1 or not all(map(_is_of_first, calls)):
        return Aggregate(query, keys, calls)
    [order] = orders
    asked = {argument for call in calls for argument in call.arguments}
    number = WindowFunction("rank" if asked <= {key.expression for key in order} else "row_number")
    rows = query if number.function == "rank" else in_order(query, "to choose from groups")
    numbered = Window(rows, (WindowCall(number, keys, order, None),))
    first = Filter(numbered, Comparison("=", reference(numbered, len(query.columns)), integer(1)))
    asked_of = Project(first, (*keys, *map(_value, calls)))
    return Distinct(asked_of) if number.function == "rank" else asked_of


def _value(call: AggregateCall) -> Expression:
    """What a call gives of the first row: NULL if its filter does not leave it."""
    [value] = call.arguments
    if call.filter is None:
        return value
    return folded(Case(((call.filter, value),), Literal(None, value.type)))


def _is_of_first(call: AggregateCall) -> bool:
    """Whether a call is about the first of all rows: those that its filter leaves come before the others."""
    return call.function == FIRST and (call.filter is None or call.filter == _known(call.order))


def _known(order: Sequence[OrderKey]) -> Expression | None:
    """That the first key is not NULL, where rows come first that have it."""
    return None if order[0].nulls_first else folded(Not(IsNull(order[0].expression)))
