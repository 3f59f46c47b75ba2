"""The symbolic test for inequivalence (section 7.4): the columns of a result, and what it is sorted by.

The paper answers False where either differs. That is wrong: a filter that no row passes makes other columns equal, a
unique first key makes further ones idle, and bags have no order. So a difference in form is a *hint* here, and what
decides is an input on which the results differ (`refuting.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tallystick.core.dataflows.workflow import Opaque, Wire
from tallystick.core.queries.expressions import Expression, Reference
from tallystick.core.queries.syntax import (
    Aggregate,
    Distinct,
    Filter,
    Join,
    Limit,
    Project,
    Query,
    Scan,
    Statement,
    Window,
)
from tallystick.dataflow.pair import Pair

Columns = Callable[[str], tuple[str, ...]]
"""Where the columns of a table or wire come from."""


@dataclass(frozen=True)
class Form:
    """What is known of a result without its rows: where its columns come from, and its order."""

    columns: tuple[str, ...]
    order: tuple[str, ...]


def form_of(pair: Pair, side: int, name: str) -> Form:
    """The form of a wire."""
    wires = {wire.name: wire for wire in (pair.old, pair.new)[side]}

    def columns(name: str) -> tuple[str, ...]:
        wire = wires.get(name)
        if wire is None:
            return tuple(f"{name}.{column.name}" for column in pair.catalogue.by_name[name].columns)
        return _of_wire(wire, columns)

    wire = wires[name]
    order: tuple[str, ...] = ()
    if isinstance(wire.operator, Statement):
        below = _of_query(wire.operator.query, columns)
        order = tuple(
            f"{_of_expression(key.expression, below)}{' descending' if key.descending else ''}"
            for key in wire.operator.order
        )
    return Form(columns(name), order)


def _of_wire(wire: Wire, columns: Columns) -> tuple[str, ...]:
    if isinstance(wire.operator, Opaque):
        inputs = ", ".join(str(columns(name)) for name in wire.operator.inputs)
        return tuple(f"{wire.operator.function}({inputs}).{i}" for i in range(len(wire.operator.columns)))
    return _of_query(wire.operator.query, columns)[: len(wire.operator.names)]


def _of_query(query: Query, columns: Columns) -> tuple[str, ...]:
    match query:
        case Scan(table):
            return columns(table)
        case Filter(input_) | Limit(input_) | Distinct(input_):
            return _of_query(input_, columns)
        case Project(input_, expressions):
            below = _of_query(input_, columns)
            return tuple(_of_expression(each, below) for each in expressions)
        case Join(_, left, right):
            return (*_of_query(left, columns), *_of_query(right, columns))[: len(query.columns)]
        case Aggregate(input_, keys, calls):
            below = _of_query(input_, columns)
            called = (
                (getattr(call, "function", "grouping"), [_of_expression(each, below) for each in call.operands])
                for call in calls
            )
            return (*(_of_expression(key, below) for key in keys), *(f"{name}({of})" for name, of in called))
        case Window(input_):
            below = _of_query(input_, columns)
            return (*below, *(f"window {i} {call}" for i, call in enumerate(query.calls)))
        case _:
            return tuple(f"column {i}" for i in range(len(query.columns)))


def _of_expression(expression: Expression, below: tuple[str, ...]) -> str:
    if isinstance(expression, Reference) and expression.level == 0:
        return below[expression.index]
    parts = ", ".join(_of_expression(each, below) for each in expression.operands)
    said = getattr(expression, "value", getattr(expression, "operator", getattr(expression, "name", "")))
    return f"{type(expression).__name__} {said}({parts})"


def hints(pair: Pair, sinks: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """The results whose columns or orders have other forms in the new version: the paper calls them inequivalent."""
    return tuple((old, new) for old, new in sinks if form_of(pair, 0, old) != form_of(pair, 1, new))
