"""Columns that have one value in all rows of a query."""

from __future__ import annotations

from collections.abc import Iterator

from tallystick.core.queries.expressions import And, Comparison, Expression, Literal, Reference
from tallystick.core.queries.syntax import Aggregate, Distinct, Filter, Limit, Project, Query, Window


def constant_columns(query: Query) -> frozenset[int]:
    """Columns that have the same value in all rows of a query; not all of them are found."""
    match query:
        case Filter(input_, condition):
            parts = condition.operands if isinstance(condition, And) else (condition,)
            return constant_columns(input_).union(*(_fixed_by(part) for part in parts))
        case Project(input_, values) | Aggregate(input_, values, _, None):
            below = constant_columns(input_)
            return frozenset(place for place, value in enumerate(values) if _is_fixed(value, below))
        case Distinct(input_) | Window(input_) | Limit(input_):
            return constant_columns(input_)
        case _:
            return frozenset()


def _is_fixed(value: Expression, below: frozenset[int]) -> bool:
    return isinstance(value, Literal) or (isinstance(value, Reference) and value.level == 0 and value.index in below)


def _fixed_by(condition: Expression) -> Iterator[int]:
    """The column that a condition `column = constant` is about."""
    if isinstance(condition, Comparison) and condition.operator == "=":
        for one, other in ((condition.left, condition.right), (condition.right, condition.left)):
            if isinstance(one, Reference) and one.level == 0 and isinstance(other, Literal):
                yield one.index
