"""Window calls: aggregates with frames, and ROW_NUMBER, RANK, LAG and the like."""

from __future__ import annotations

from typing import Final
from typing import Literal as Choice

from sqlglot import exp
from tallystick.core.queries.assumptions import Assumption
from tallystick.core.queries.calls import (
    UP_TO_PEERS,
    WHOLE_PARTITION,
    WINDOW_FUNCTIONS,
    AggregateCall,
    Frame,
    OrderKey,
    WindowCall,
    WindowFunction,
)
from tallystick.core.queries.expressions import Expression, Literal
from tallystick.core.queries.types import INTEGER, OPAQUE, TEXT
from tallystick.frontends.sql import literals
from tallystick.frontends.sql.aggregates import aggregate_call, as_declared, read_call
from tallystick.frontends.sql.coercion import collated, convert
from tallystick.frontends.sql.expressions import Expressions
from tallystick.frontends.sql.first_rows import ORDERED
from tallystick.frontends.sql.nulls import UntypedNull
from tallystick.frontends.sql.parts import Parts
from tallystick.frontends.sql.scopes import QueryReading, unwrapped
from tallystick.frontends.sql.skipped_nulls import FRAMES, read_skipping, skips
from tallystick.frontends.sql.window_calls import Windows

FUNCTIONS: Final[dict[type[exp.Expr], str]] = {
    exp.RowNumber: "row_number",
    exp.Rank: "rank",
    exp.DenseRank: "dense_rank",
    exp.PercentRank: "percent_rank",
    exp.CumeDist: "cume_dist",
    exp.Ntile: "ntile",
    exp.Lag: "lag",
    exp.Lead: "lead",
    exp.FirstValue: "first_value",
    exp.LastValue: "last_value",
    exp.NthValue: "nth_value",
}


def read_window(expressions: Expressions, node: Parts) -> Expression:
    """A call with OVER."""
    windows = expressions.windows
    if windows is None:
        raise expressions.reading.error(node, f"a window function may not stand in {expressions.place}")
    expressions.windows = None
    try:
        call = _call(expressions, windows, node)
    finally:
        expressions.windows = windows
    return as_declared(expressions, node.this, windows.value_of(call))


def _call(expressions: Expressions, windows: Windows, node: Parts) -> WindowCall:
    partition, order, spec = _definition(expressions, windows, node)
    ordering = [] if order is None else [ordered(expressions.reading, each)[0] for each in order.expressions]
    for each in (*partition, *ordering):
        _require_column(expressions, windows, each)
    keys = tuple(collated(expressions.reading, expressions.typed(each)) for each in partition)
    order_keys = () if order is None else _order_keys(expressions, order)
    if any(key.type == TEXT for key in (*keys, *(each.expression for each in order_keys))):
        expressions.reading.assumptions.add(Assumption.CODE_POINTS)
    function = _function(expressions, node.this, order_keys)
    reads_frame = isinstance(function, AggregateCall) or WINDOW_FUNCTIONS[function.function][1]
    default = FRAMES.get(type(node.this.this)) if skips(node.this) else None
    if default is not None and spec is not None:
        raise expressions.reading.error(spec, "a frame of LAG or LEAD is not understood", "leave the frame out")
    default = default or (UP_TO_PEERS if order_keys else WHOLE_PARTITION)
    frame = default if spec is None else _frame(expressions, spec, bool(order_keys))
    if not reads_frame and expressions.reading.dialect.name in ("spark", "databricks"):
        if spec is not None:
            raise expressions.reading.error(spec, "Spark gives this function no frame", "leave the frame out")
        if not order_keys:
            raise expressions.reading.error(node, "Spark asks for an order of this function", "add ORDER BY")
    call = WindowCall(function, keys, order_keys, frame if reads_frame else None)
    extremum = as_extremum(call)
    if extremum is None and call.reads_places:
        expressions.reading.chooses(node, f"{call.call.function.upper()} OVER")
    return extremum or call


def _require_column(expressions: Expressions, windows: Windows, node: exp.Expr) -> None:
    """Refuses the name of a column that is the name of another value in the SELECT list, where MySQL may take that one.

    MariaDB 10.11 does so in ORDER BY, and not in PARTITION BY; the manual of MySQL does not say.
    """
    reading = expressions.reading
    name = reading.bare(unwrapped(reading, node)) if reading.dialect.name == "mysql" else None
    item = None if name is None else windows.aliases.get(name)
    if item is None:
        return
    if not isinstance(item, exp.Column) or expressions.typed(item) != expressions.typed(node):
        message = f"{node.sql()} is both a column and a name of the SELECT list"
        raise reading.error(node, message, "qualify the column with its table, or choose another name")


def as_extremum(call: WindowCall) -> WindowCall | None:
    """FIRST_VALUE or LAST_VALUE of what the partition is ordered by, as MIN or MAX of the partition.

    None for other calls, where the frame lacks that end of the partition, and where a NULL may stand there before a
    value.
    """
    function = call.call
    if not isinstance(function, WindowFunction) or function.function not in ("first_value", "last_value"):
        return None
    key, frame = next(iter(call.order), None), call.frame
    if key is None or frame is None or key.expression != function.arguments[0] or key.expression.type not in ORDERED:
        return None
    first = function.function == "first_value"
    starts, ends = frame.start is None, frame.end is None
    reaches = starts and (ends or frame.end >= 0) if first else ends and (starts or frame.start <= 0)  # type: ignore[operator]
    if not reaches or (key.expression.nullable and key.nulls_first == first):
        return None
    extremum = AggregateCall("min" if first != key.descending else "max", (key.expression,))
    return WindowCall(extremum, call.partition, (), WHOLE_PARTITION)


def _definition(
    expressions: Expressions, windows: Windows, node: Parts
) -> tuple[list[exp.Expr], exp.Expr | None, exp.Expr | None]:
    """PARTITION BY, ORDER BY and the frame, of the call itself or of the window that it names."""
    over = node.args.get("over")
    if over not in (None, "OVER"):
        raise expressions.reading.error(node, f"{over} is not understood", "write OVER")
    name, own = node.args.get("alias"), _clauses(node)
    if name is None:
        return own
    definition = windows.named.get(expressions.reading.folded(name))
    if definition is None:
        raise expressions.reading.error(name, f"there is no window {name.name}")
    with expressions.reading.parts(definition) as parts:
        assert parts.this  # the name by which it was found
        if parts.args.get("alias") is not None or own != ([], None, None):
            raise expressions.reading.error(name, "a window that extends another is not understood")
        return _clauses(parts)


def _clauses(node: Parts) -> tuple[list[exp.Expr], exp.Expr | None, exp.Expr | None]:
    return node.args.get("partition_by") or [], node.args.get("order"), node.args.get("spec")


def _order_keys(expressions: Expressions, order: exp.Expr) -> tuple[OrderKey, ...]:
    with expressions.reading.parts(order) as parts:
        return tuple(order_key(expressions, each) for each in parts.expressions)


def order_key(expressions: Expressions, node: exp.Expr) -> OrderKey:
    """A key of ORDER BY, over the row that `expressions` reads."""
    key, *directions = ordered(expressions.reading, node)
    return OrderKey(collated(expressions.reading, expressions.typed(key)), *directions)


def ordered(reading: QueryReading, node: exp.Expr) -> tuple[exp.Expr, bool, bool]:
    """What a key of ORDER BY orders by, whether it is descending, and whether NULLs come first.

    The parser knows the default of the dialect.
    """
    if not isinstance(node, exp.Ordered):
        return node, False, reading.dialect.null_order == "smallest"
    with reading.parts(node) as parts:
        return parts.this, bool(parts.args.get("desc")), bool(parts.args.get("nulls_first"))


DISTINCT_OVER: Final = frozenset({"snowflake", "bigquery"})
"""Dialects whose windows have calls with DISTINCT."""


def _function(expressions: Expressions, node: exp.Expr, order: tuple[OrderKey, ...]) -> AggregateCall | WindowFunction:
    if skips(node):
        return read_skipping(expressions, node, order)
    name = FUNCTIONS.get(type(node))
    if name is not None:
        with expressions.reading.parts(node) as parts:
            return _window_function(expressions, name, parts)
    if aggregate_call(node) is None:
        raise expressions.reading.refused(node)
    call = read_call(expressions, node, order)
    if call.distinct and expressions.reading.dialect.name not in DISTINCT_OVER:
        raise expressions.reading.error(node, "DISTINCT with OVER is not understood")
    return call


def _window_function(expressions: Expressions, name: str, node: Parts) -> WindowFunction:
    match name:
        case "lag" | "lead":
            return _neighbour(expressions, name, node)
        case "first_value" | "last_value":
            return WindowFunction(name, (expressions.typed(node.this),))
        case "nth_value":
            return WindowFunction(name, (expressions.typed(node.this), _count(expressions, node.args["offset"], 1)))
        case "ntile":
            return WindowFunction(name, (_count(expressions, node.this, 1),))
        case _:
            return WindowFunction(name)


def _count(expressions: Expressions, node: exp.Expr, least: int | None = None) -> Expression:
    value = expressions.typed(node)
    if not (isinstance(value, Literal) and isinstance(value.value, int) and value.type == INTEGER):
        raise expressions.reading.error(node, "a number is expected here")
    if least is not None and value.value < least:
        raise expressions.reading.error(node, f"the number is less than {least}: not all engines raise then")
    return value


def _neighbour(expressions: Expressions, name: str, node: Parts) -> WindowFunction:
    value = expressions.typed(node.this)
    offset = node.args.get("offset")
    default = node.args.get("default")
    other = Literal(None, value.type) if default is None else expressions.read(default)
    if isinstance(other, UntypedNull) or other.type != value.type:
        other = convert(expressions.reading, other, value.type, node)
    if default is not None and value.type == OPAQUE and expressions.reading.dialect.name != "snowflake":
        raise expressions.reading.error(node, "a default is not understood for arrays and documents", "use COALESCE")
    distance = literals.integer(1) if offset is None else _count(expressions, offset)
    return WindowFunction(name, (value, distance, other))


def _frame(expressions: Expressions, node: exp.Expr, ordered: bool) -> Frame:
    with expressions.reading.parts(node) as spec:
        return _frame_of(expressions, spec, ordered)


def _frame_of(expressions: Expressions, spec: Parts, ordered: bool) -> Frame:
    unit: Choice["rows", "range", "groups"] = str(spec.args["kind"]).lower()  # type: ignore[assignment]
    start = _end(expressions, spec, "start")
    end = 0 if spec.args.get("end") is None else _end(expressions, spec, "end")
    if unit == "range" and not ordered and {start, end} <= {None, 0}:
        return WHOLE_PARTITION
    if unit == "range" and {start, end} == {None}:
        return WHOLE_PARTITION
    return Frame(unit, start, end)


def _end(expressions: Expressions, spec: Parts, part: str) -> int | None:
    """An end of a frame: rows before the current one are negative; None is unbounded."""
    value, side = spec.args[part], str(spec.args.get(f"{part}_side") or "").upper()
    if isinstance(value, str):
        if value.upper() == "CURRENT ROW":
            return 0
        if value.upper() != "UNBOUNDED" or side != {"start": "PRECEDING", "end": "FOLLOWING"}[part]:
            raise expressions.reading.error(spec, "a frame does not begin or end there")
        return None
    number = _count(expressions, value)
    assert isinstance(number, Literal)
    assert isinstance(number.value, int)
    return -number.value if side == "PRECEDING" else number.value


def read_without_over(expressions: Expressions, node: Parts) -> Expression:
    """Refused: a window function without OVER."""
    raise expressions.reading.error(node, f"{FUNCTIONS[type(node.of)].upper()} needs OVER")


HANDLERS = {
    **dict.fromkeys(set(FUNCTIONS) - {exp.FirstValue, exp.LastValue}, read_without_over),
    exp.Window: read_window,
}
