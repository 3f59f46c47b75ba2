"""The least and the greatest value of some rows."""

from __future__ import annotations

from collections.abc import Callable

from tallystick.core.binders import extremum
from tallystick.core.queries.compilation.bags import Bags, OpenRows
from tallystick.core.queries.compilation.cells import Cell, truth_of, value_type
from tallystick.core.queries.types import BOOLEAN, ColumnType, RowType
from tallystick.core.terms import Term, negation


def extreme(bags: Bags, which: str, bag: Term | OpenRows, columns: RowType, column: ColumnType) -> Cell:
    """The least ("min") or greatest ("max") value in the first column that is not NULL; NULL without one."""

    def found(test: Callable[[Cell], Term]) -> Term:
        return bags.some(bag, columns, lambda row: test(row[0]))

    null = negation(found(lambda cell: negation(cell.null)))
    if column.type == BOOLEAN:
        if which == "max":
            return Cell(null, found(lambda cell: truth_of(cell).true))
        return Cell(null, negation(found(lambda cell: truth_of(cell).false)))
    of = value_type(column.type)
    values = bags.mapped(bag, columns, lambda row: row[0].value, of, lambda row: negation(row[0].null))
    return Cell(null, extremum(which, values))
