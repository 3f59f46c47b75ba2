"""Queries in place of what other queries read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass
from typing import Any

from tallystick.core.queries.expressions import Case, Literal
from tallystick.core.queries.syntax import Project, Query, Scan, reference
from tallystick.core.queries.types import BOOLEAN, RowType, require


class Substitution:
    """Puts a query with the same columns in the place of each Scan. A node that occurs twice is rebuilt once.

    Sound: the queries read no row around them, so that they mean the same at each place.
    """

    def __init__(self, of: Callable[[Scan], Query]) -> None:
        self.of = of
        self.done: dict[int, tuple[Any, Any]] = {}

    def __call__(self, node: Any) -> Any:
        """A node of a query, or a tuple of such and of other parts, after the substitution."""
        if isinstance(node, tuple):
            parts = tuple(map(self, node))
            return parts if any(new is not old for new, old in zip(parts, node, strict=True)) else node
        if not is_dataclass(node):
            return node
        if id(node) not in self.done:
            # The node is kept beside its image, so that its identity is not used again.
            self.done[id(node)] = node, self.replaced(node)
        return self.done[id(node)][1]

    def replaced(self, node: Any) -> Any:
        if isinstance(node, Scan):
            image = self.of(node)
            require(image.columns == node.columns and not image.free, f"what replaces {node.table} has other columns")
            return image
        parts = tuple(getattr(node, field.name) for field in fields(node))
        changed = self(parts)
        return node if changed is parts else type(node)(*changed)


def columns_of(query: Query, places: Iterable[int], row: RowType) -> Query:
    """Columns of a query, each at its place; one that has no NULL may be told to be nullable.

    Raises SortError where the types of the columns are not those of the row.
    """
    chosen = tuple(reference(query, place) for place in places)
    parts = tuple(
        Case(((Literal(True, BOOLEAN), part),), Literal(None, part.type))
        if column.nullable and not part.nullable
        else part
        for part, column in zip(chosen, row, strict=True)
    )
    whole = len(parts) == len(query.columns) and all(part == reference(query, i) for i, part in enumerate(parts))
    result = query if whole else Project(query, parts)
    require(result.columns == row, "columns of a query are read as those of another type")
    return result
