"""Functions that are known by name."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from tallystick.core.queries.nodes import ExpressionNode
from tallystick.core.queries.types import SqlType

if TYPE_CHECKING:
    from tallystick.core.queries.expressions import Expression


@dataclass(frozen=True)
class Function(ExpressionNode):
    """A deterministic function of its arguments, known by its name; equal names mean equal functions.

    If `strict`, its value is NULL if and only if an argument is; else it may be NULL or not for any arguments.
    """

    name: str
    arguments: tuple[Expression, ...]
    type: SqlType
    strict: bool

    @cached_property
    def nullable(self) -> bool:
        return not self.strict or any(argument.nullable for argument in self.arguments)

    @property
    def operands(self) -> tuple[Expression, ...]:
        return self.arguments


CHOICE = "choice"
"""The function of a number that tells choices among rows apart: a key of their orders, the same for all rows."""


def is_choice(expression: Expression) -> bool:
    """Whether a key of an order tells a choice from others."""
    return isinstance(expression, Function) and expression.name == CHOICE
