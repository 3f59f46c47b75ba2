"""Tables of constants."""

from __future__ import annotations

from dataclasses import dataclass

from tallystick.core.queries.nodes import QueryNode, Reference
from tallystick.core.queries.types import RowType, SqlRow, admits_row, require


@dataclass(frozen=True)
class Values(QueryNode):
    """Rows of constants. One row of no columns, `UNIT`, is what a query without FROM reads."""

    rows: tuple[SqlRow, ...]
    columns: RowType

    free = frozenset[Reference]()
    inputs = ()
    operands = ()

    def __post_init__(self) -> None:
        for row in self.rows:
            require(admits_row(self.columns, row), f"{row!r} is no row of ({', '.join(map(str, self.columns))})")


UNIT = Values(((),), ())
