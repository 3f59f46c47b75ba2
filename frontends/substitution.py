"""Expressions in the place of references to a row."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any

from tallystick.core.queries.expressions import And, Expression, Reference


def conjuncts(condition: Expression) -> list[Expression]:
    """The conditions of which a condition is the conjunction."""
    if isinstance(condition, And):
        return [part for each in condition.operands for part in conjuncts(each)]
    return [condition]


def replaced(expression: Expression, image: Callable[[Reference], Expression]) -> Expression:
    """An expression without subqueries, with others in the place of references to its row."""
    if isinstance(expression, Reference):
        return image(expression) if expression.level == 0 else expression

    def part(value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(map(part, value))
        return replaced(value, image) if isinstance(value, Expression) else value

    assert is_dataclass(expression)
    return type(expression)(*(part(getattr(expression, field.name)) for field in fields(expression)))
