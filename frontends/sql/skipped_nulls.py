"""FIRST_VALUE, LAST_VALUE, LAG and LEAD with IGNORE NULLS: the first or last value in the order of a window.

They are functions of the values in the frame as a list by that order, in which rows that tie are a choice. The names of
the first and the last are different ones: where rows tie, the last is not the first in the reverse order.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from sqlglot import exp
from tallystick.core.queries.calls import AggregateCall, Frame, OrderKey
from tallystick.core.queries.expressions import IsNull, Not
from tallystick.frontends.sql.expressions import Expressions
from tallystick.frontends.sql.ordered_calls import ALL_TIE
from tallystick.frontends.sql.parts import Parts

NAMES: Final[Mapping[type[exp.Expr], str]] = {
    exp.FirstValue: "first value in order",
    exp.LastValue: "last value in order",
    exp.Lag: "last value in order",
    exp.Lead: "first value in order",
}
FRAMES: Final[Mapping[type[exp.Expr], Frame]] = {exp.Lag: Frame("rows", None, -1), exp.Lead: Frame("rows", 1, None)}
"""The rows among which LAG and LEAD look for the nearest value."""


def skips(node: exp.Expr) -> bool:
    """Whether a node is such a call."""
    return isinstance(node, exp.IgnoreNulls) and type(node.this) in NAMES


def read_skipping(expressions: Expressions, node: exp.Expr, order: tuple[OrderKey, ...]) -> AggregateCall:
    """Such a call in an order. Raises SourceError at LAG and LEAD that look farther, or say what else they give."""
    reading = expressions.reading
    with reading.parts(node) as around, reading.parts(around.this) as parts:
        name, frame = NAMES[type(parts.of)], FRAMES.get(type(parts.of))
        value = expressions.typed(parts.this)
        if frame is not None and not (_is_nearest(parts) and order):
            raise reading.error(node, "only the nearest value in an order is understood with IGNORE NULLS")
        reading.chooses(node, f"{parts.of.sql_name()} IGNORE NULLS")  # type: ignore[attr-defined]
    present = Not(IsNull(value)) if value.nullable else None
    return AggregateCall(name, (value,), filter=present, result=value.type, order=order or (ALL_TIE,))


def _is_nearest(parts: Parts) -> bool:
    distance, default = parts.args.get("offset"), parts.args.get("default")
    return default is None and (distance is None or (isinstance(distance, exp.Literal) and distance.name == "1"))
