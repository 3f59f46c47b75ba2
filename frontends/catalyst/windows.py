"""Window and WindowGroupLimit."""

from __future__ import annotations

from tallystick.core.queries.calls import AggregateCall, Frame, OrderKey, WindowCall, WindowFunction
from tallystick.core.queries.expressions import Comparison, Expression, Literal
from tallystick.core.queries.syntax import Filter, Project, Window, reference, references
from tallystick.core.queries.types import INTEGER
from tallystick.frontends.catalyst.aggregates import Aggregated, known_end, read_aggregate, require_complete
from tallystick.frontends.catalyst.conditionals import of_type
from tallystick.frontends.catalyst.expressions import Expressions
from tallystick.frontends.catalyst.grouping import ReadQuery, parts
from tallystick.frontends.catalyst.nodes import Node, malformed, refused
from tallystick.frontends.catalyst.reading import Attribute, PlanReading, Relation, Scopes, expression_id
from tallystick.frontends.catalyst.subqueries import bare
from tallystick.frontends.catalyst.types import DOUBLE, INT, SparkType
from tallystick.frontends.catalyst.values import Struct, Value, integer
from tallystick.frontends.substitution import windowed

RANKS = {
    "Rank": ("rank", INT),
    "DenseRank": ("dense_rank", INT),
    "RowNumber": ("row_number", INT),
    "PercentRank": ("percent_rank", DOUBLE),
    "CumeDist": ("cume_dist", DOUBLE),
}


def read_window(reading: PlanReading, node: Node, outer: Scopes, read: ReadQuery) -> Relation:
    """The columns of the child, then one for each window expression."""
    rows = bare(read(node.one("child"), outer))
    expressions = Expressions(reading, (rows.frame(), *outer), read)
    aliases = node.many("windowExpressions")
    found = [part for alias in aliases for part in parts(alias) if part.name == "WindowExpression"]
    read_calls = [read_call(expressions, part) for part in found]
    window = windowed(rows.query, [call for calls, _ in read_calls for call in calls])
    values: dict[Node, Value | Struct] = {}
    start = len(rows.query.columns)
    for part, (calls, result) in zip(found, read_calls, strict=True):
        own = [reference(window, index) for index in range(start, start + len(calls))]
        values[part] = result.result(own) if isinstance(result, Aggregated) else Value(own[0], result)
        start += len(calls)
    over_calls = Expressions(reading, (Relation(window, rows.attributes).frame(), *outer), read, values.get)
    columns: list[Expression] = [reference(window, index) for index in range(rows.width)]
    attributes = list(rows.attributes)
    for alias in aliases:
        value = over_calls.read(alias)
        attributes.append(Attribute(expression_id(alias), alias.text("name"), value.type, len(columns)))
        columns.append(value.expression)
    return Relation(Project(window, tuple(columns)), tuple(attributes))


Called = tuple[list[WindowCall], Aggregated | SparkType]
"""Window calls, and the type of the only one, or how a value is computed from them."""


def read_call(expressions: Expressions, node: Node) -> Called:
    """What is called over a window."""
    function, spec = node.one("windowFunction"), node.one("windowSpec")
    partition = tuple(value.expression for value in expressions.all(spec.many("partitionSpec")))
    order = order_keys(expressions, spec.many("orderSpec"))
    if function.name == "AggregateExpression" and function.one("aggregateFunction").name in ENDS:
        return _end_value(expressions, function, partition, order, spec)
    if function.name == "AggregateExpression":
        return _over(expressions, read_aggregate(expressions, function, order), partition, order, spec)
    spec.one("frameSpecification")  # Spark has found it to be the one that the function has
    if function.name in RANKS:
        name, type_ = RANKS[function.name]
        return [_noted(expressions, WindowCall(WindowFunction(name), partition, order, None))], type_
    if function.name in ("Lag", "Lead"):
        call, type_ = _shifted(expressions, function)
        return [_noted(expressions, WindowCall(call, partition, order, None))], type_
    if function.name == "NTile":
        tiles = expressions.read(function.one("buckets")).expression
        return [_noted(expressions, WindowCall(WindowFunction("ntile", (tiles,)), partition, order, None))], INT
    if function.name == "NthValue":
        return _nth_value(expressions, function, partition, order, read_frame(expressions, spec))
    raise refused(function, f"the window function {function.name} is not understood")


ENDS = {"First": "first_value", "AnyValue": "first_value", "Last": "last_value"}
"""Aggregates that are a value of a frame's first or last row."""


def _over(
    expressions: Expressions,
    aggregated: Aggregated,
    partition: tuple[Expression, ...],
    order: tuple[OrderKey, ...],
    spec: Node,
) -> Called:
    """An aggregate over a frame."""
    frame = read_frame(expressions, spec)
    calls = [_noted(expressions, WindowCall(call, partition, order, frame)) for call in aggregated.calls]
    return calls, aggregated


def _end_value(
    expressions: Expressions, node: Node, partition: tuple[Expression, ...], order: tuple[OrderKey, ...], spec: Node
) -> Called:
    """FIRST or LAST of a frame."""
    require_complete(node)
    function = node.one("aggregateFunction")
    if node.maybe("filter") is not None or node.flag("isDistinct"):
        raise refused(function, f"{function.name} of some of the rows of a frame is not understood")
    if function.plain("ignoreNulls"):
        return _over(expressions, known_end(expressions, function, order), partition, order, spec)
    value = expressions.read(function.one("child"))
    call = WindowFunction(ENDS[function.name], (value.expression,))
    over = WindowCall(call, partition, order, read_frame(expressions, spec))
    return [_noted(expressions, over)], value.type


def _nth_value(
    expressions: Expressions, node: Node, partition: tuple[Expression, ...], order: tuple[OrderKey, ...], frame: Frame
) -> Called:
    """The value in the row of a frame that has a number."""
    if node.plain("ignoreNulls"):
        raise refused(node, "NthValue that ignores NULL is not understood")
    value, offset = expressions.all((node.one("input"), node.one("offset")))
    if not isinstance(offset.expression, Literal) or type(offset.expression.value) is not int:
        raise refused(node, "NthValue of what is no constant number is not understood")
    call = WindowFunction("nth_value", (value.expression, integer(offset.expression.value)))
    return [_noted(expressions, WindowCall(call, partition, order, frame))], value.type


def _noted(expressions: Expressions, call: WindowCall) -> WindowCall:
    """A call, of which is noted if it chooses among rows that tie."""
    if call.reads_places or (isinstance(call.call, AggregateCall) and call.call.order):
        expressions.reading.choices.append(f"{call.call.function}() over a window")
    return call


def _shifted(expressions: Expressions, node: Node) -> tuple[WindowFunction, SparkType]:
    """LAG and LEAD: a value, a distance, a default."""
    if node.fields.get("ignoreNulls"):
        raise refused(node, f"{node.name} that ignores NULL is not understood")
    value, default = expressions.all((node.one("input"), node.one("default")))
    offset = expressions.read(node.one("offset" if node.name == "Lead" else "inputOffset")).expression
    if not isinstance(offset, Literal) or not isinstance(offset.value, int) or offset.value < 0:
        raise refused(node, f"{node.name} by what is no constant distance is not understood")
    if default.type.name != "void" and default.type != value.type:
        raise refused(node, f"{node.name} with a default of another type is not understood")
    arguments = (value.expression, integer(offset.value), of_type(default, value.type))
    return WindowFunction(node.name.lower(), arguments), value.type


def order_keys(expressions: Expressions, nodes: tuple[Node, ...]) -> tuple[OrderKey, ...]:
    """ORDER BY."""
    keys = []
    for node in nodes:
        if node.name != "SortOrder":
            raise malformed(f"an order is no {node.name}")
        value = expressions.read(node.one("child"))
        if value.type.kind:
            raise refused(node, f"an order by a value of type {value.type} is not understood")
        descending = {"Ascending": False, "Descending": True}.get(node.object_name("direction"))
        nulls_first = {"NullsFirst": True, "NullsLast": False}.get(node.object_name("nullOrdering"))
        if descending is None or nulls_first is None:
            raise refused(node)
        keys.append(OrderKey(value.expression, descending, nulls_first))
    return tuple(keys)


def read_frame(expressions: Expressions, spec: Node) -> Frame:
    """The frame that a specification writes out."""
    node = spec.one("frameSpecification")
    if node.name != "SpecifiedWindowFrame":
        raise refused(node, f"the frame {node.name} is not understood")
    unit = node.object_name("frameType")
    if unit not in ("RowFrame", "RangeFrame"):
        raise refused(node, f"the frame {unit} is not understood")
    ends = [_end(expressions, spec, node, field) for field in ("lower", "upper")]
    return Frame("rows" if unit == "RowFrame" else "range", *ends)


def _end(expressions: Expressions, spec: Node, frame: Node, field: str) -> int | None:
    node = frame.one(field)
    if node.name in ("UnboundedPreceding", "UnboundedFollowing"):
        if (node.name == "UnboundedPreceding") != (field == "lower"):
            raise refused(node, "a frame from behind or to before all rows is not understood")
        return None
    if node.name == "CurrentRow":
        return 0
    value = expressions.read(node)
    distance = value.expression
    if not isinstance(distance, Literal) or type(distance.value) is not int:
        raise refused(node, "a frame with an end that is no constant number is not understood")
    if frame.object_name("frameType") == "RangeFrame":
        [key] = expressions.all(tuple(each.one("child") for each in spec.many("orderSpec")))
        days = key.type.name == "date" and value.type.is_integral
        if not days and (key.type != value.type or key.type.is_float):
            raise refused(node, f"a frame by {value.type} over {key.type} is not understood")
    return distance.value


def read_group_limit(reading: PlanReading, node: Node, outer: Scopes, read: ReadQuery) -> Relation:
    """The rows of each partition whose rank is at most a limit."""
    rows = bare(read(node.one("child"), outer))
    expressions = Expressions(reading, (rows.frame(), *outer), read)
    function = node.one("rankLikeFunction").name
    if function not in ("Rank", "DenseRank", "RowNumber"):
        raise refused(node, f"a limit of groups by {function} is not understood")
    partition = tuple(value.expression for value in expressions.all(node.many("partitionSpec")))
    order = order_keys(expressions, node.many("orderSpec"))
    window = Window(rows.query, (WindowCall(WindowFunction(RANKS[function][0]), partition, order, None),))
    rank = reference(window, len(rows.query.columns))
    kept = Filter(window, Comparison("<=", rank, Literal(node.number("limit"), INTEGER)))
    return Relation(Project(kept, references(rows.query)), rows.attributes)
