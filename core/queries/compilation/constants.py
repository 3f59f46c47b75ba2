"""Columns that have one value in all rows of a query."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from tallystick.core.queries.nodes import Comparison, Literal, Reference

if TYPE_CHECKING:
    from tallystick.core.queries.expressions import Expression
    from tallystick.core.queries.syntax import Query


def constant_columns(query: Query) -> frozenset[int]:
    """Columns that have the same value in all rows of a query; not all of them are found."""
    node: Any = query
    match type(node).__name__:
        case "Filter":
            parts = node.condition.operands if type(node.condition).__name__ == "And" else (node.condition,)
            return constant_columns(node.input).union(*(_fixed_by(part) for part in parts))
        case "Project":
            return _fixed(node.expressions, constant_columns(node.input))
        case "Aggregate" if node.grouping_sets is None:
            return _fixed(node.keys, constant_columns(node.input))
        case "Distinct" | "Window" | "Limit":
            return constant_columns(node.input)
        case _:
            return frozenset()


def _fixed(values: tuple[Expression, ...], below: frozenset[int]) -> frozenset[int]:
    return frozenset(place for place, value in enumerate(values) if _is_fixed(value, below))


def _is_fixed(value: Expression, below: frozenset[int]) -> bool:
    return isinstance(value, Literal) or (isinstance(value, Reference) and value.level == 0 and value.index in below)


def _fixed_by(condition: Expression) -> Iterator[int]:
    """The column that a condition `column = constant` is about."""
    if isinstance(condition, Comparison) and condition.operator == "=":
        for one, other in ((condition.left, condition.right), (condition.right, condition.left)):
            if isinstance(one, Reference) and one.level == 0 and isinstance(other, Literal):
                yield one.index
