"""Arrays and documents that are equal and not the same: of these, engines show one where they group, sort or compare.

PostgreSQL's JSONB has 1.0 = 1.00, as its NUMERIC has; an interval of 24 hours is equal to one of a day. Elsewhere
the claim says that it assumes none of them (`same-values`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from tallystick.core.queries.calls import AggregateCall
from tallystick.core.queries.expressions import ForSome
from tallystick.core.queries.syntax import Aggregate, Distinct, Limit, SetOperation, Window
from tallystick.core.queries.traversal import Node, nodes
from tallystick.core.queries.types import OPAQUE, SqlType
from tallystick.frontends.sql.results import Result
from tallystick.frontends.sql.scopes import QueryReading

INTERVAL: Final = re.compile(r"\bINTERVAL\b", re.IGNORECASE)


def require_representatives(reading: QueryReading, result: Result) -> None:
    """Raises SourceError where equal arrays or documents that a text compares may not be the same."""
    if not _has_equals(reading):
        return
    keys = [key.expression for key in result.order]
    found = any(OPAQUE in _compared(node) for node in nodes(result.query, *keys))
    if found or any(key.type == OPAQUE for key in keys):
        hint = "cast them to TEXT"
        message = "arrays or documents are grouped, sorted or compared, of which equal ones may not be the same"
        raise reading.error(None, message, hint)


def _has_equals(reading: QueryReading) -> bool:
    match reading.dialect.evidence:
        case "postgres":
            return True
        case "duckdb":
            made = bool(reading.schema.above) or INTERVAL.search(reading.source.text) is not None
            return made or any(INTERVAL.search(each.exact) for each in reading.schema.types.values())
        case _:
            return False


def _compared(node: Node) -> Iterator[SqlType]:
    """The types of the values that a node compares; what a text compares itself is a function by its name."""
    match node:
        case ForSome():
            yield from (column.type for column in node.query.columns)
        case Distinct():
            yield from (column.type for column in node.columns)
        case SetOperation() if node.kind != "union" or not node.all:
            yield from (column.type for column in node.columns)
        case Limit():
            yield from (key.expression.type for key in node.order)
        case Aggregate():
            yield from (key.type for key in node.keys)
            for call in node.calls:
                yield from _of_call(call) if isinstance(call, AggregateCall) else ()
        case Window():
            for call in node.calls:
                yield from (each.type for each in (*call.partition, *(key.expression for key in call.order)))
                yield from _of_call(call.call) if isinstance(call.call, AggregateCall) else ()
        case _:
            pass


def _of_call(call: AggregateCall) -> Iterator[SqlType]:
    """What a call compares: what it counts once, the keys of its order, and the values of which it takes the first."""
    yield from (key.expression.type for key in call.order)
    if call.distinct or call.function in ("min", "max"):
        yield from (each.type for each in call.arguments)
