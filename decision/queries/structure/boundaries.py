"""The nodes at which the bodies of queries end: what they read of the rows below, and the same nodes over other rows.

Joins, filters and projections become parts of one monomial. A *boundary* does not: groups, windows, limits, outer
joins. What it reads is a bag of rows and some expressions over them, its *operands*; with tables that hold the values
of the operands, it is the same node with references in their places.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from tallystick.core.queries.calls import AggregateCall, OrderKey, WindowCall, WindowFunction
from tallystick.core.queries.expressions import And, Expression, Literal, Reference, WithQuery
from tallystick.core.queries.syntax import (
    Aggregate,
    Distinct,
    Filter,
    Join,
    Limit,
    Project,
    Query,
    SetOperation,
    Window,
    reference,
    references,
)
from tallystick.core.queries.traversal import nodes

Place = Callable[[Expression], Expression]
"""Where the value of an operand stands."""


@dataclass(frozen=True)
class Input:
    """Rows that a boundary reads, and what it reads of each of them."""

    query: Query
    operands: tuple[Expression, ...]


@dataclass(frozen=True)
class Boundary:
    """A boundary, taken apart.

    Attributes:
        kind: what two boundaries must have in common to be compared.
        keys: the operands of the first input by which its rows are grouped or partitioned: what depends on these
            alone may be decided before or after.
    """

    node: Query
    kind: tuple[object, ...]
    inputs: tuple[Input, ...]
    keys: tuple[Expression, ...] = ()


def boundary(node: Query) -> Boundary | None:
    """The boundary that a node is; None where it is part of a monomial."""
    match node:
        case Aggregate(input_, keys, calls, grouping_sets):
            operands = (*keys, *(part for call in calls for part in call.operands))
            kind = ("groups", bool(keys), grouping_sets, len(keys) if grouping_sets else 0)
            pulled = keys if grouping_sets is None else ()
            return Boundary(node, kind, (Input(input_, _distinct(operands)),), pulled)
        case Distinct(input_):
            return Boundary(node, ("groups", True, None, 0), (Input(input_, references(input_)),), references(input_))
        case SetOperation("union", False, left, right):
            both = SetOperation("union", True, left, right)
            return Boundary(node, ("groups", True, None, 0), (Input(both, references(both)),), references(both))
        case SetOperation("intersect" | "except", all_, left, right):
            sides = tuple(Input(side, references(side)) for side in (left, right))
            return Boundary(node, (node.kind, all_, len(node.columns)), sides)
        case Window(input_, calls):
            operands = (*references(input_), *(part for call in calls for part in call.operands))
            partitions = [frozenset(call.partition) for call in calls]
            shared = partitions[0].intersection(*partitions) if partitions else frozenset[Expression]()
            common = tuple(each for each in calls[0].partition if each in shared) if calls else ()
            return Boundary(node, ("window",), (Input(input_, _distinct(operands)),), common)
        case Limit(input_, order, count, offset):
            operands = (*references(input_), *(key.expression for key in order))
            directions = tuple((key.descending, key.nulls_first) for key in order)
            return Boundary(node, ("limit", count, offset, directions), (Input(input_, _distinct(operands)),))
        case Join("left" | "right" | "full", left, right, _, False):
            sides = tuple(Input(side, references(side)) for side in (left, right))
            return Boundary(node, ("join", node.kind), sides)
        case _:
            return None


def _distinct(operands: Sequence[Expression]) -> tuple[Expression, ...]:
    return tuple(dict.fromkeys(each for each in operands if not isinstance(each, Literal)))


def rebuilt(node: Query, tables: Sequence[Query], places: Sequence[Place]) -> Query:
    """The node with `tables` for inputs, whose columns hold the values of the operands."""
    of = places[0]

    def refer(parts: Sequence[Expression]) -> tuple[Expression, ...]:
        return tuple(map(of, parts))

    match node:
        case Aggregate(_, keys, calls, grouping_sets):
            changed = tuple(_call(call, of) if isinstance(call, AggregateCall) else call for call in calls)
            return Aggregate(tables[0], refer(keys), changed, grouping_sets)
        case Distinct(input_):
            return Aggregate(tables[0], refer(references(input_)), ())
        case SetOperation("union"):
            return Aggregate(tables[0], refer(references(node)), ())
        case SetOperation():
            from_left, from_right = (
                tuple(map(place, references(side))) for place, side in zip(places, (node.left, node.right), strict=True)
            )
            return replace(node, left=Project(tables[0], from_left), right=Project(tables[1], from_right))
        case Window(_, calls):
            return Window(tables[0], tuple(window_call(call, of) for call in calls))
        case Limit(_, order, _, _):
            keys = tuple(replace(key, expression=of(key.expression)) for key in order)
            return replace(node, input=tables[0], order=keys)
        case Join(kind, left, right, condition):
            width = len(left.columns)
            sides = (*references(left), *references(right))

            def moved(reference: Reference) -> Expression:
                own = sides[reference.index]
                if reference.index < width:
                    return places[0](own)
                found = places[1](own)
                if not isinstance(found, Reference):
                    return found
                return replace(found, index=found.index + len(tables[0].columns))

            return Join(kind, tables[0], tables[1], substituted(condition, moved))
        case _:
            raise ValueError(f"a {type(node).__name__} is no boundary")


def outputs(node: Query, new: Query, tables: Sequence[Query], places: Sequence[Place]) -> tuple[Expression, ...]:
    """The columns of a node, over those of the same node rebuilt."""
    match node:
        case Window(input_, calls):
            behind = len(tables[0].columns)
            values = (reference(new, behind + number) for number in range(len(calls)))
            return (*map(places[0], references(input_)), *values)
        case Limit(input_, _, _, _):
            return tuple(map(places[0], references(input_)))
        case Join(_, left, right, _):
            moved = [*map(places[0], references(left)), *map(places[1], references(right))]
            skipped = [0] * len(left.columns) + [len(tables[0].columns)] * len(right.columns)
            return tuple(_moved(new, each, by) for each, by in zip(moved, skipped, strict=True))
        case _:
            return references(new)


def _moved(query: Query, place: Expression, by: int) -> Expression:
    if not isinstance(place, Reference):
        raise ValueError("the columns of a join are references")
    return reference(query, place.index + by)


def _call(call: AggregateCall, of: Place) -> AggregateCall:
    condition = None if call.filter is None else of(call.filter)
    order = tuple(OrderKey(of(key.expression), key.descending, key.nulls_first) for key in call.order)
    return replace(call, arguments=tuple(map(of, call.arguments)), filter=condition, order=order)


def window_call(call: WindowCall, of: Place) -> WindowCall:
    """A call with other operands."""
    inner: Any = call.call
    if isinstance(inner, WindowFunction):
        inner = replace(inner, arguments=tuple(map(of, inner.arguments)))
    else:
        inner = _call(inner, of)
    order = tuple(OrderKey(of(key.expression), key.descending, key.nulls_first) for key in call.order)
    return replace(call, call=inner, partition=tuple(map(of, call.partition)), order=order)


class CorrelatedError(ValueError):
    """An expression has a subquery that refers to the row."""


def substituted(expression: Expression, image: Callable[[Reference], Expression]) -> Expression:
    """An expression with others in the place of references to its row; raises CorrelatedError where a subquery has
    some."""
    if isinstance(expression, Reference):
        return image(expression) if expression.level == 0 else expression
    if isinstance(expression, WithQuery) and any(each.level == 0 for each in expression.query.free):
        raise CorrelatedError("a subquery refers to the row")

    def part(value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(map(part, value))
        if isinstance(value, Expression):
            return substituted(value, image)
        return value

    if not is_dataclass(expression):
        raise ValueError(f"{expression!r} is no expression")
    return type(expression)(*(part(getattr(expression, field.name)) for field in fields(expression)))


def source(query: Query) -> tuple[Query, tuple[Expression, ...], tuple[Expression, ...]]:
    """What filters and projections stand above, and their values and conditions over its rows.

    Raises CorrelatedError like `substituted`.
    """
    if not isinstance(query, Filter | Project):
        return query, references(query), ()
    below, values, conditions = source(query.input)
    if isinstance(query, Project):
        return below, tuple(map(over(values), query.expressions)), conditions
    return below, values, (*conditions, *map(over(values), conjuncts(query.condition)))


def over(values: Sequence[Expression]) -> Place:
    """An expression with values in the place of references; raises CorrelatedError like `substituted`."""
    return lambda expression: substituted(expression, lambda own: values[own.index])


def conjuncts(condition: Expression) -> tuple[Expression, ...]:
    """The conditions of which a condition is the conjunction."""
    if isinstance(condition, And):
        return tuple(part for each in condition.operands for part in conjuncts(each))
    return (condition,)


def boundaries(*roots: Query) -> Iterator[Query]:
    """The closed boundaries of queries, those below before those above them."""
    found = [node for node in nodes(*roots) if isinstance(node, Query) and not node.free and boundary(node) is not None]
    depth = {id(node): sum(1 for other in nodes(node) if isinstance(other, Query)) for node in found}
    yield from sorted(found, key=lambda node: depth[id(node)])
