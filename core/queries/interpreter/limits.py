"""LIMIT and OFFSET: the rows after the first ones in an order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tallystick.core.queries.constructs.limits import Limit
from tallystick.core.queries.interpreter.orders import in_order
from tallystick.core.queries.interpreter.running import Environment, Evaluator, RowsOf, Undetermined
from tallystick.core.queries.types import SqlRow


def limited(node: Limit, rows: RowsOf, compiled: Callable[[Any], Evaluator]) -> RowsOf:
    """The closure of a query with a LIMIT, over the rows of its input.

    The closure raises Undetermined where the cut goes through rows that tie and differ.
    """
    keys = [compiled(key.expression) for key in node.order]

    def kept(outer: Environment) -> list[SqlRow]:
        keyed = [(tuple(key((row, *outer)) for key in keys), row) for row in rows(outer)]
        ordered = in_order(keyed, node.order)
        first, behind = node.offset, len(keyed) if node.count is None else node.offset + node.count
        place = 0
        for peers in ordered:
            end = place + len(peers)
            cut = any(place < at < end for at in (first, behind)) and first < behind
            if cut and len({row for _, row in peers}) > 1:
                raise Undetermined("a LIMIT or OFFSET cuts through different rows that tie in its order")
            place = end
        return [row for peers in ordered for _, row in peers][first:behind]

    return kept
