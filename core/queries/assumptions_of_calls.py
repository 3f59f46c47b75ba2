"""What aggregate and window calls take for granted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from tallystick.core.queries.assumptions import Assumption, of_order
from tallystick.core.queries.constructs.aggregates import Aggregate, AggregateCall
from tallystick.core.queries.types import FLOATS

if TYPE_CHECKING:
    from tallystick.core.queries.constructs.windows import Window


def of_calls(node: Aggregate | Window) -> Iterator[Any]:
    """What the calls of a node take for granted, and the comparison of keys."""
    if isinstance(node, Aggregate):
        yield from of_order(node.keys)
        for call in node.calls:
            if isinstance(call, AggregateCall):
                yield from _of_call(call)
        return
    for call in node.calls:
        yield from of_order((*call.partition, *(key.expression for key in call.order)))
        if isinstance(call.call, AggregateCall):
            yield from _of_call(call.call)
        if call.reads_places:
            yield Assumption.ONE_CHOICE


def _of_call(call: AggregateCall) -> Iterator[Any]:
    yield from of_order(key.expression for key in call.order)
    if call.distinct or call.function in ("min", "max"):
        yield from of_order(call.arguments)
    if call.rounding == "exact":
        yield Assumption.EXACT_QUOTIENTS
    if call.opaque and any(argument.type in FLOATS for argument in call.arguments):
        yield Assumption.SAME_VALUES
    if call.order:
        yield Assumption.ONE_CHOICE
