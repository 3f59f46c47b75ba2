"""References to the columns of a query."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallystick.core.queries.nodes import Reference
from tallystick.core.queries.types import require

if TYPE_CHECKING:
    from tallystick.core.queries.syntax import Query


def reference(query: Query, index: int, level: int = 0) -> Reference:
    """The reference to a column of a query whose row is `level` scopes out."""
    require(0 <= index < len(query.columns), f"there is no column {index} among {len(query.columns)}")
    column = query.columns[index]
    return Reference(level, index, column.type, column.nullable)


def references(query: Query) -> tuple[Reference, ...]:
    """References to all columns of a query, whose row is the input row."""
    return tuple(reference(query, index) for index in range(len(query.columns)))
