"""Groups of groups: sums of sums, and extrema of extrema, are those of the rows (untrusted).

In `SELECT g, SUM(q) FROM (SELECT g, w, SUM(v) AS q FROM t GROUP BY g, w) AS p GROUP BY g`, each group of p's rows has
the rows of some of its groups.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from tallystick.core.queries.calls import AggregateCall
from tallystick.core.queries.expressions import Expression, Reference
from tallystick.core.queries.syntax import Aggregate, Project, Query
from tallystick.decision.queries.structure.boundaries import CorrelatedError
from tallystick.decision.queries.structure.unread import composed

ADD_UP: Final = ("sum", "min", "max")
"""Aggregates of which that of all values is that of the parts."""


def regrouped(node: Query) -> Iterator[tuple[Query, tuple[Query, ...]]]:
    """Groups of groups as groups of rows, with these rows, which may be any."""
    if not isinstance(node, Aggregate) or node.grouping_sets is not None:
        return
    outer: Project | Aggregate = node
    try:
        while isinstance(outer.input, Project):
            outer, _ = composed(outer, [], outer.input)
    except CorrelatedError:
        return
    inner = outer.input
    if not (isinstance(outer, Aggregate) and isinstance(inner, Aggregate) and inner.keys and not inner.grouping_sets):
        return
    width = len(inner.keys)
    keys = [inner.keys[place] for place in map(_place, outer.keys) if place is not None and place < width]
    calls = [call for call in (_added_up(each, inner) for each in outer.calls) if call is not None]
    if (len(keys), len(calls)) == (len(outer.keys), len(outer.calls)):
        yield replace(inner, keys=tuple(keys), calls=tuple(calls)), (inner.input,)


def _place(expression: Expression) -> int | None:
    """Which column an expression is."""
    return expression.index if isinstance(expression, Reference) and expression.level == 0 else None


def _added_up(call: object, inner: Aggregate) -> AggregateCall | None:
    """The call of the groups below that a call adds up."""
    if not (isinstance(call, AggregateCall) and call.function in ADD_UP and not call.distinct and call.filter is None):
        return None
    place = _place(call.arguments[0])
    below = inner.calls[place - len(inner.keys)] if place is not None and place >= len(inner.keys) else None
    alike = isinstance(below, AggregateCall) and below.function == call.function and not below.distinct
    return below if alike else None  # type: ignore[return-value]
