"""Window calls: for each row, an aggregate over the rows of its partition and frame; or a block.

A call is *relative* if its value for a row follows from the bag of rows and the row itself: aggregates over frames that
take peers together, and ranks; where no row has a peer, places are ranks, and a row has neighbours. Others depend on
places in an order: they are functions of the bag of which nothing is known but their names.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from tallystick.core.binders import exists
from tallystick.core.operators import Operator
from tallystick.core.queries.compilation.aggregates import aggregate_cell, direction
from tallystick.core.queries.compilation.arithmetic import computed, quotient
from tallystick.core.queries.compilation.bags import Scopes, same_rows
from tallystick.core.queries.compilation.cells import Cell, Row, row_type, symbol
from tallystick.core.queries.compilation.distinct import without_duplicates
from tallystick.core.queries.compilation.extremes import extreme
from tallystick.core.queries.compilation.orders import is_total, keys_of, precedes
from tallystick.core.queries.compilation.scalars import Scalars
from tallystick.core.queries.constructs.aggregates import AggregateCall
from tallystick.core.queries.constructs.windows import RANKS, Frame, Window, WindowCall, WindowFunction
from tallystick.core.queries.nodes import Literal, OrderKey
from tallystick.core.queries.types import RowType
from tallystick.core.terms import (
    FALSE,
    TRUE,
    Term,
    build,
    conjunction,
    constant,
    equal,
    ite,
    less_equal,
    negation,
)

if TYPE_CHECKING:
    from tallystick.core.queries.expressions import Expression


def widened(node: Window, rows: Term, scalars: Scalars, outer: Scopes) -> Term:
    """Each row with the values of the calls: of blocks first, then of calls relative to the row."""
    columns, bags = node.input.columns, scalars.bags

    def relative(call: WindowCall) -> bool:
        keys = (*call.partition, *keys_of(call.order))
        return is_relative(call) or (is_relative(call, True) and is_total(keys, rows, columns, scalars, outer))

    near = [relative(call) for call in node.calls]
    placed = [call for call, is_near in zip(node.calls, near, strict=True) if not is_near]
    types = (*columns, *(call.column for call in placed))
    bag = rows
    if placed:
        operands = [operand for call in placed for operand in call.operands]
        wide = (*columns, *(operand.column for operand in operands))
        inside = bags.projected(rows, columns, wide, lambda row: (*row, *scalars.row(operands, (row, *outer))))
        name = f"window {len(columns)} {'; '.join(map(description, placed))}"
        block = build(Operator.OPAQUE_BAG, (inside,), (name, row_type(types)))
        bag = bags.source(block, types)

    def with_calls(row: Row) -> Row:
        own, values = row[: len(columns)], iter(row[len(columns) :])
        cells = (
            relative_cell(call, own, rows, columns, scalars, outer) if is_near else placed_cell(call, next(values))
            for call, is_near in zip(node.calls, near, strict=True)
        )
        return (*own, *cells)

    return bags.projected(bag, types, node.columns, with_calls)


def is_relative(call: WindowCall, total: bool = False) -> bool:
    """Whether the value for a row follows from the bag of rows and the row itself, in an order that may be total."""
    frame = call.frame
    match call.call:
        case WindowFunction("lag" | "lead", (_, distance, _)):
            return total and isinstance(distance, Literal) and distance.value == 1
        case WindowFunction("first_value"):
            return total and frame is not None and frame.start is None and frame.end in (None, 0)
        case WindowFunction("last_value"):
            return total and frame is not None and frame.end is None and frame.start in (None, 0)
        case WindowFunction(function):
            return function in RANKS or (total and function == "row_number")
    return frame is not None and (
        (frame.start, frame.end) == (None, None)
        or ((total or frame.unit != "rows") and {frame.start, frame.end} <= {None, 0} and not call.call.order)
    )


def relative_cell(call: WindowCall, row: Row, rows: Term, columns: RowType, scalars: Scalars, outer: Scopes) -> Cell:
    """The value of a relative call for a row of a bag of rows of these columns."""
    bags, keys = scalars.bags, [key.expression for key in call.order]

    def of(expressions: Sequence[Expression], other: Row) -> Row:
        return scalars.row(expressions, (other, *outer))

    own_partition, own = of(call.partition, row), of(keys, row)
    partition = bags.restricted(rows, columns, lambda other: same_rows(of(call.partition, other), own_partition))
    if isinstance(call.call, AggregateCall):
        frame = call.frame
        seen = bags.restricted(partition, columns, lambda other: in_frame(frame, call.order, of(keys, other), own))
        return aggregate_cell(call.call, seen, columns, scalars, outer, may_be_empty=False)
    before = bags.restricted(partition, columns, lambda other: precedes(call.order, of(keys, other), own))

    def value_at_end(part: Term, last: bool) -> Cell:
        """The value of the first argument in the row of a part before, or after, which no other row of it is."""

        def at_end(other: Row) -> Term:
            mine = of(keys, other)
            beyond = lambda each: precedes(call.order, *((mine, of(keys, each)) if last else (of(keys, each), mine)))  # noqa: E731
            return negation(bags.some(part, columns, beyond))

        argument = call.call.arguments[0]  # type: ignore[union-attr]
        end = bags.restricted(part, columns, at_end)
        values = bags.projected(end, columns, (argument.column,), lambda other: of([argument], other))
        found = extreme(bags, "max", values, (argument.column,), argument.column)
        return found if argument.nullable else Cell(negation(exists(part)), found.value)

    size, one = bags.size(partition, columns), constant(1)
    match call.call.function:
        case "rank" | "row_number":
            return Cell(FALSE, computed("+", bags.size(before, columns), one))
        case "first_value" | "last_value":
            return value_at_end(partition, call.call.function == "last_value")
        case "lag" | "lead":
            lead = call.call.function == "lead"
            after = bags.restricted(partition, columns, lambda other: precedes(call.order, own, of(keys, other)))
            near = after if lead else before
            value, (default,) = value_at_end(near, not lead), of(call.call.arguments[2:], row)
            present = exists(near)
            return Cell(ite(present, value.null, default.null), ite(present, value.value, default.value))
        case "dense_rank":
            types = tuple(key.column for key in keys)
            values = bags.projected(before, columns, types, lambda other: of(keys, other))
            return Cell(FALSE, computed("+", bags.size(without_duplicates(bags, values, types), types), one))
        case "percent_rank":
            rank = quotient(bags.size(before, columns), computed("-", size, one), "exact")
            return Cell(FALSE, ite(equal(size, one), constant(Fraction(0)), rank))
        case "cume_dist":
            peers = bags.size(partition, columns, lambda other: precedes(call.order, of(keys, other), own, peers=True))
            return Cell(FALSE, quotient(peers, size, "exact"))
    raise ValueError(f"{call.call.function} is no rank")


def placed_cell(call: WindowCall, cell: Cell) -> Cell:
    """The value of a call that is not relative: of its values, it is known that places are counted from 1."""
    if call.call.function != "row_number":
        return cell
    return Cell(FALSE, ite(less_equal(constant(1), cell.value), cell.value, constant(1)))


def in_frame(frame: Frame | None, order: Sequence[OrderKey], other: Row, own: Row) -> Term:
    """Whether a row with these order keys is in the frame of another; frames end at peers or not at all."""
    if frame is None:
        return TRUE
    after = TRUE if frame.start is None else precedes(order, own, other, peers=True)
    before = TRUE if frame.end is None else precedes(order, other, own, peers=True)
    return conjunction(after, before)


def description(call: WindowCall) -> str:
    """The name of a call that is not relative: all that is not among its operands."""
    inner, frame = call.call, call.frame
    parts = [symbol(inner.function, (operand.type for operand in call.operands), call.column.type)]
    if isinstance(inner, AggregateCall):
        parts += ["distinct"] * inner.distinct + ["filter"] * (inner.filter is not None)
        parts += [f"rounding {inner.rounding}"] * (inner.rounding is not None) + [*map(direction, inner.order)]
    parts += [f"{len(call.partition)} partition", *map(direction, call.order)]
    return " ".join(parts + ([] if frame is None else [f"{frame.unit} from {frame.start} to {frame.end}"]))
