"""Aggregate and window calls in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallystick.certificates.queries.expressions import Lines, Scopes
from tallystick.certificates.words import quoted
from tallystick.core.queries.constructs.aggregates import Aggregate, AggregateCall, GroupingCall

if TYPE_CHECKING:
    from tallystick.core.queries.constructs.windows import Frame, WindowCall


def grouped(node: Aggregate, text: Lines, scopes: Scopes) -> str:
    """GROUP BY, with the calls."""
    calls = ", ".join(_aggregate(call, text, scopes) for call in node.calls) or "nothing else"
    shown = [f"({', '.join(map(str, each))})" for each in node.grouping_sets or ()]
    sets = "" if node.grouping_sets is None else f" in sets {', '.join(shown)}"
    return f"group by ({text.listed(node.keys, scopes)}){sets} with {calls}"


def _aggregate(call: AggregateCall | GroupingCall, text: Lines, scopes: Scopes) -> str:
    """An aggregate call, or GROUPING of the positions of keys."""
    if isinstance(call, GroupingCall):
        return f"grouping({', '.join(map(str, call.keys))})"
    name = quoted(call.function) if call.opaque else call.function
    inside = ("distinct " if call.distinct else "") + (text.listed(call.arguments, scopes) or "*")
    if call.order:
        inside += f" {text.order(call.order, scopes)}"
    shown = f"{name}({inside})"
    if call.rounding is not None:
        shown += f" rounding {call.rounding}"
    if call.filter is not None:
        shown += f" filter {text.expression(call.filter, scopes)}"
    return shown if call.result is None else f"{shown} as {call.result}"


def window_call(call: WindowCall, text: Lines, scopes: Scopes) -> str:
    """A window call."""
    inner = call.call
    if isinstance(inner, AggregateCall):
        name = _aggregate(inner, text, scopes)
    else:
        name = f"{inner.function}({text.listed(inner.arguments, scopes)})"
    frame = "" if call.frame is None else f" {_frame(call.frame)}"
    partition = f"partition by ({text.listed(call.partition, scopes)})"
    return f"{name} over ({partition} {text.order(call.order, scopes)}{frame})"


def _frame(frame: Frame) -> str:
    start = "unbounded" if frame.start is None else frame.start
    end = "unbounded" if frame.end is None else frame.end
    return f"{frame.unit} from {start} to {end}"
