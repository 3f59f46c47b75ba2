"""Expressions that have a query in them, as pairs of formulas and cells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallystick.core.binders import exists
from tallystick.core.queries.compilation.bags import Scopes
from tallystick.core.queries.compilation.cells import Cell, Row, Truth, certain
from tallystick.core.queries.compilation.scalars import Scalars, compared
from tallystick.core.queries.compilation.single import single
from tallystick.core.queries.constructs.limits import Limit, without_limit
from tallystick.core.queries.constructs.subqueries import Exists, ForSome, ScalarSubquery
from tallystick.core.queries.nodes import Filter, Project
from tallystick.core.terms import conjunction, disjunction, negation

if TYPE_CHECKING:
    from tallystick.core.queries.syntax import Query


def truth(node: Exists | ForSome, scalars: Scalars, scopes: Scopes) -> Truth:
    """When a boolean expression is true, and when it is false."""
    if isinstance(node, Exists):
        return certain(exists(scalars.summation(without_limit(node.query), scopes)))
    return _for_some(node, scalars, scopes)


def cell(node: ScalarSubquery, scalars: Scalars, scopes: Scopes) -> Cell:
    """The value of the only row, NULL without one."""
    query, (column,) = node.query, node.query.columns
    found = single(scalars.bags, scalars.summation(query, scopes), column, _is_limited_to_one(query))
    if without_limit(query) is query or column.nullable:
        return found
    return Cell(negation(exists(scalars.summation(without_limit(query), scopes))), found.value)


def _for_some(node: ForSome, scalars: Scalars, scopes: Scopes) -> Truth:
    """A comparison with the rows of a query: true if true of one, false if false of all."""
    row, columns = scalars.row(node.expressions, scopes), node.query.columns
    rows = scalars.summation(node.query, scopes)

    def test(other: Row) -> Truth:
        truths = [compared(node.operator, *pair) for pair in zip(row, other, strict=True)]
        return Truth(conjunction(*(each.true for each in truths)), disjunction(*(each.false for each in truths)))

    true = scalars.bags.some(rows, columns, lambda other: test(other).true)
    not_false = scalars.bags.some(rows, columns, lambda other: negation(test(other).false))
    return Truth(true, negation(not_false))


def _is_limited_to_one(query: Query) -> bool:
    """Whether a query has one row at most, since a LIMIT says so."""
    return (
        _is_limited_to_one(query.input)
        if isinstance(query, Project | Filter)
        else (isinstance(query, Limit) and query.count is not None and query.count <= 1)
    )
