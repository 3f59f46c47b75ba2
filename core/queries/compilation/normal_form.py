"""Statements as normal forms."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tallystick.core.queries.catalogue import Catalogue, Table
from tallystick.core.queries.claims import require_claim
from tallystick.core.queries.compilation.bags import Spend, free_of_charge
from tallystick.core.queries.compilation.cells import row_of
from tallystick.core.queries.compilation.queries import Queries
from tallystick.core.queries.nodes import Statement
from tallystick.core.queries.ranges import Range
from tallystick.core.queries.types import RowType
from tallystick.core.terms import TRUE, Term, conjunction, constant, disjunction, less_equal, negation
from tallystick.core.types import RATIONAL

if TYPE_CHECKING:
    from tallystick.core.queries.syntax import Query


@dataclass(frozen=True)
class NormalForm:
    """The bag of the visible rows of a statement, with the values of its order keys as last columns.

    Two statements with equal directions whose bags are equal have equal results: as bags without directions, else as
    lists up to ties.
    """

    bag: Term
    directions: tuple[tuple[bool, bool], ...]


def normal_form(query: Query, catalogue: Catalogue, spend: Spend = free_of_charge) -> Term:
    """The summation of the rows of a query that stands alone."""
    return Queries(catalogue, spend).alone(query)


def normal_forms(
    left: Statement, right: Statement, catalogue: Catalogue, spend: Spend = free_of_charge
) -> tuple[NormalForm, NormalForm]:
    """Two statements as bags of one type: a column is nullable if it is on one of the sides.

    Raises FragmentError where no claim is about them (`require_claim`), and what `spend` raises.
    """
    require_claim(left, right, catalogue)
    columns = either(left.columns, right.columns)
    queries = Queries(catalogue, spend)
    return _of_statement(left, columns, queries), _of_statement(right, columns, queries)


def _of_statement(statement: Statement, columns: RowType, queries: Queries) -> NormalForm:
    query, visible = statement.query, len(columns)
    rows = queries.summation(query, ())
    wide, bag, directions = query.columns, rows, ()
    if statement.order:
        from tallystick.core.queries.compilation.orders import with_order

        wide, bag, directions = with_order(rows, query, statement.order, queries.scalars, ())
    shown = (*columns, *wide[len(query.columns) :])
    image = queries.bags.projected(bag, wide, shown, lambda row: (*row[:visible], *row[len(query.columns) :]))
    return NormalForm(image, directions)


def either(left: RowType, right: RowType) -> RowType:
    """The columns that hold the rows of both sides."""
    return tuple(type(one)(one.type, one.nullable or other.nullable) for one, other in zip(left, right, strict=True))


def check_formulas(table: Table, row: Term, spend: Spend = free_of_charge) -> Iterator[Term]:
    """Formulas that are true of each row: that its checks are not false, then that numbers are in their ranges.

    The digits of decimals and the lengths of texts are no part of what can be said of them.
    """
    cells = row_of(row, table.row)
    scalars = Queries(Catalogue(()), spend).scalars  # a check has no subqueries: it reads no table
    for check in table.checks:
        yield negation(scalars.truth(check, (cells,)).false)
    for index in table.bounded:
        yield disjunction(cells[index].null, _in_range(table.ranges[index], cells[index].value))


def _in_range(room: Range, value: Term) -> Term:
    """The bounds of a number that is not NULL."""
    ends = [None if end is None else end * room.unit for end in (room.least, room.greatest)]
    least, greatest = (end if end is None or value.type == RATIONAL else int(end) for end in ends)
    above = TRUE if least is None else less_equal(constant(least), value)
    return conjunction(above, TRUE if greatest is None else less_equal(value, constant(greatest)))
