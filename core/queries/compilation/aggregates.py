"""GROUP BY, and aggregate calls over the rows of a group as binders over its summation (THEORY-SQL section 2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallystick.core.binders import aggregate, total
from tallystick.core.queries.compilation.arithmetic import quotient
from tallystick.core.queries.compilation.bags import Bags, OpenRows, Scopes, Summand, same_rows
from tallystick.core.queries.compilation.cells import (
    Cell,
    Row,
    literal,
    row_type,
    symbol,
    to_decimal,
    unpacked,
    value_type,
)
from tallystick.core.queries.compilation.distinct import distinct, union, without_duplicates
from tallystick.core.queries.compilation.extremes import extreme
from tallystick.core.queries.compilation.scalars import Scalars
from tallystick.core.queries.constructs.aggregates import Aggregate, AggregateCall
from tallystick.core.queries.nodes import OrderKey
from tallystick.core.queries.types import DECIMAL, INTEGER, RowType, padded
from tallystick.core.terms import FALSE, TRUE, Term, conjunction, negation
from tallystick.core.types import OptionType

if TYPE_CHECKING:
    from tallystick.core.queries.expressions import Expression


def grouped(node: Aggregate, rows: OpenRows, scalars: Scalars, outer: Scopes) -> Term:
    """For each grouping ⟨k̄:★ | Ex(B | g ≐ k̄) ↦ k̄, aggregates over (B | g ≐ k̄)⟩; one row for the one by no key."""
    columns, bags = node.input.columns, scalars.bags
    parts = []
    for grouping in node.groupings:
        expressions = [node.keys[index] for index in grouping]
        types = tuple(expression.column for expression in expressions)

        def group(keys: Row, chosen: list[Expression] = expressions) -> OpenRows:
            return tuple(row.where(same_rows(scalars.row(chosen, (row.head, *outer)), keys)) for row in rows)

        def head(keys: Row, at: tuple[int, ...] = grouping, group=group) -> Row:
            own = group(keys)
            present = dict(zip(at, keys, strict=True))
            absent = [literal(None, key.type) for key in node.keys]
            cells = [present.get(index, cell) for index, cell in enumerate(absent)]
            for call in node.calls:
                if isinstance(call, AggregateCall):
                    cells.append(aggregate_cell(call, own, columns, scalars, outer, () in node.groupings))
                else:
                    cells.append(literal(call.value(at), INTEGER))
            return tuple(cells)

        keys = distinct(bags, types, lambda keys, group=group: bags.some(group(keys), columns) if keys else TRUE)
        parts.append(bags.projected(keys, types, node.columns, head))
    return union(parts, row_type(node.columns))


def aggregate_cell(
    call: AggregateCall, group: Term | OpenRows, columns: RowType, scalars: Scalars, outer: Scopes, may_be_empty: bool
) -> Cell:
    """The value of a call for a group, which has rows of these columns, and may be empty or not."""
    bags = scalars.bags
    expressions = (*call.arguments, *(key.expression for key in call.order))
    types = tuple(expression.column for expression in expressions)

    def values(part: Summand) -> Summand:
        given = TRUE if call.filter is None else scalars.truth(call.filter, (part.head, *outer)).true
        return part.where(given).of(scalars.row(expressions, (part.head, *outer)))

    rows = tuple(bags.kept(map(values, bags.opened(group, columns)), types))
    if call.distinct:
        rows = tuple(bags.opened(without_duplicates(bags, rows, types), types))
    cell = _of_rows(call, rows, types, bags)
    return cell if call.column_of(may_be_empty).nullable else Cell(FALSE, cell.value)


def _of_rows(call: AggregateCall, rows: OpenRows, types: RowType, bags: Bags) -> Cell:
    """The value of a call for the rows of its arguments and order keys."""
    match call.function:
        case "count":
            return Cell(FALSE, bags.size(rows, types, _known))
        case "min" | "max":
            return extreme(bags, call.function, rows, types, types[0])
        case "sum":
            return Cell(_none_known(rows, types, bags), _summed(rows, types, bags))
        case "avg":
            values, number = _summed(rows, types, bags), bags.size(rows, types, _known)
            divisor = to_decimal(number) if types[0].type == DECIMAL else number
            return Cell(_none_known(rows, types, bags), quotient(values, divisor, call.rounding or "exact"))
        case _:
            name = symbol(call.function, (column.type for column in types), call.type, *map(direction, call.order))
            options = bags.projected(rows, types, padded(types), lambda row: row)
            return unpacked(aggregate(name, OptionType(value_type(call.type)), options))


def _known(row: Row) -> Term:
    return conjunction(*(negation(cell.null) for cell in row))


def _summed(rows: OpenRows, types: RowType, bags: Bags) -> Term:
    return total(bags.mapped(rows, types, lambda row: row[0].value, value_type(types[0].type), _known))


def _none_known(rows: OpenRows, types: RowType, bags: Bags) -> Term:
    return negation(bags.some(rows, types, _known))


def direction(key: OrderKey) -> str:
    """An order key's direction, as part of the name of what takes rows in an order."""
    return f"{'descending' if key.descending else 'ascending'} nulls {'first' if key.nulls_first else 'last'}"
