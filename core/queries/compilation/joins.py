"""Joins as products of monomials, and rows without a partner (THEORY-SQL section 2)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from tallystick.core.queries.compilation.bags import Scopes, Summand
from tallystick.core.queries.compilation.cells import Row, literal
from tallystick.core.queries.compilation.queries import Queries
from tallystick.core.queries.constructs.joins import Join
from tallystick.core.queries.types import RowType
from tallystick.core.terms import FALSE, Term, negation


def joined(node: Join, queries: Queries, outer: Scopes) -> Iterator[Summand]:
    """Pairs of rows on which the condition is true; and rows without a partner, padded with NULLs."""
    left, right = node.left, node.right

    def on(row: Row, other: Row) -> Term:
        return queries.holds(node.condition, (*row, *other), outer)

    for first in queries.opened(left, outer):
        around, alone = (first.head, *outer) if node.lateral else outer, FALSE
        if node.kind in ("left", "full", "semi", "anti"):
            matching = queries.summation(right, around)
            alone = negation(queries.bags.some(matching, right.columns, partial(on, first.head)))
        if node.kind in ("semi", "anti"):
            yield first.where(alone if node.kind == "anti" else negation(alone))
            continue
        for second in queries.opened(right, around):
            yield first.beside(second).where(on(first.head, second.head))
        yield first.where(alone).of((*first.head, *_nulls(right.columns)))
    if node.kind in ("right", "full"):
        for second in queries.opened(right, outer):
            matching = queries.summation(left, outer)
            found = queries.bags.some(matching, left.columns, lambda row, one=second: on(row, one.head))
            yield second.where(negation(found)).of((*_nulls(left.columns), *second.head))


def _nulls(columns: RowType) -> Row:
    return tuple(literal(None, column.type) for column in columns)
