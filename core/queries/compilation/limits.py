"""LIMIT and OFFSET as blocks, and one row at a place of an order where more is known of it (THEORY-SQL section 2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tallystick.core.binders import exists, limit, summation
from tallystick.core.queries.compilation.bags import Scopes, Summand, same_rows
from tallystick.core.queries.compilation.cells import Cell, Row, row_type
from tallystick.core.queries.compilation.distinct import distinct, has
from tallystick.core.queries.compilation.extremes import extreme
from tallystick.core.queries.compilation.orders import is_total, keys_of, precedes, with_order
from tallystick.core.queries.compilation.scalars import Scalars
from tallystick.core.queries.constructs.functions import is_choice
from tallystick.core.queries.constructs.limits import Limit
from tallystick.core.queries.nodes import Project
from tallystick.core.queries.references import references
from tallystick.core.terms import (
    Term,
    add,
    conjunction,
    constant,
    disjunction,
    equal,
    less,
    less_equal,
    negation,
)

if TYPE_CHECKING:
    from tallystick.core.queries.expressions import Expression
    from tallystick.core.queries.syntax import Query


def limited(node: Limit, scalars: Scalars, outer: Scopes) -> Term:
    """A block of the rows with their order keys, or what is known of a single row."""
    columns = node.columns
    while isinstance(inner := _direct(node.input), Limit) and inner.order == node.order:
        node = _merged(node, inner)
    if node.count == 0:
        return summation([], row_type(columns))
    rows = scalars.summation(node.input, outer)
    if node.count is None and node.offset == 0:
        return rows
    if node.count == 1 and (one := _one(node, rows, scalars, outer)) is not None:
        return one
    wide, bag, directions = with_order(rows, node.input, node.order, scalars, outer)
    return scalars.bags.source(limit(bag, node.count, node.offset, directions), columns, wide)


def keys_of_first(
    first: Limit, expressions: Sequence[Expression], scalars: Scalars, outer: Scopes
) -> Iterator[Summand] | None:
    """Order keys of the first row, which are those of all its peers: which of these is the first does not matter.

    None where others are asked for, or another row.
    """
    if (first.count, first.offset) != (1, 0) or not {*expressions} <= {*keys_of(first.order)}:
        return None
    of_keys = Project(first.input, keys_of(first.order))
    at = dict(zip(of_keys.expressions, references(of_keys), strict=True))
    keys = (replace(key, expression=at[key.expression]) for key in first.order if key.expression in at)
    chosen = Limit(of_keys, tuple(keys), 1)
    rows = scalars.bags.opened(limited(chosen, scalars, outer), chosen.columns)
    return (row.of(scalars.row([at[e] for e in expressions], (row.head, *outer))) for row in rows)


def _one(node: Limit, rows: Term, scalars: Scalars, outer: Scopes) -> Term | None:
    """The row at an offset of an order that tells all rows, or all that differ, apart; None if it may not."""
    columns, bags = node.columns, scalars.bags
    order = [key for key in node.order if not is_choice(key.expression)]
    keys = [key.expression for key in order]

    def is_there(row: Row, alone: bool) -> Term:
        """Whether so many rows are earlier; those of its peers are at the next offsets, unless it is alone."""
        own = scalars.row(keys, (row, *outer))
        earlier = lambda other: precedes(order, scalars.row(keys, (other, *outer)), own)  # noqa: E731
        if node.offset == 0:
            return negation(bags.some(rows, columns, earlier))
        place, offset = bags.size(rows, columns, earlier), constant(node.offset)
        if alone:
            return equal(place, offset)
        peers = bags.size(rows, columns, lambda other: same_rows(scalars.row(keys, (other, *outer)), own))
        return conjunction(less_equal(place, offset), less(offset, add(place, peers)))

    if len(keys) == 1 and tuple(keys) == references(node.input) and node.offset == 0:
        (key,) = order
        least = extreme(bags, "max" if key.descending else "min", rows, columns, columns[0])
        nulls = bags.some(rows, columns, lambda row: row[0].null)
        null = disjunction(least.null, nulls) if key.nulls_first else least.null
        return summation([Summand((), (), exists(rows), (Cell(null, least.value),)).closed(columns)], row_type(columns))
    every = set(references(node.input)) <= {*keys}
    total = bool(keys) and is_total(keys, rows, columns, scalars, outer)
    total = total or (every and _differ(_direct(node.input)))
    if every and not (total and node.offset):
        return distinct(bags, columns, lambda row: conjunction(has(bags, rows, columns, row), is_there(row, False)))
    return bags.restricted(rows, columns, lambda row: is_there(row, True)) if total else None


def _differ(query: Query) -> bool:
    """Whether all rows differ."""
    kind = type(query).__name__
    return kind == "Distinct" or (kind == "Aggregate" and query.grouping_sets is None)  # type: ignore[union-attr]


def _direct(query: Query) -> Query:
    """What a query hands on as it is."""
    while isinstance(query, Project) and tuple(query.expressions) == tuple(references(query.input)):
        query = query.input
    return query


def _merged(outer: Limit, inner: Limit) -> Limit:
    """One LIMIT for two of one order: the rows that the inner one takes, less those that the outer one leaves out."""
    left = None if inner.count is None else max(inner.count - outer.offset, 0)
    count = left if outer.count is None else outer.count if left is None else min(outer.count, left)
    return replace(inner, count=count, offset=inner.offset + outer.offset)
