"""Conditions made of others, the test for NULL, and CASE."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from tallystick.core.queries.nodes import ExpressionNode
from tallystick.core.queries.types import BOOLEAN, SqlType, require

if TYPE_CHECKING:
    from tallystick.core.queries.expressions import Expression


def _require_truths(node: str, operands: tuple[Expression, ...]) -> None:
    for operand in operands:
        require(operand.type == BOOLEAN, f"an operand of {node} is of type {operand.type}")


class Connective(ExpressionNode):
    """A condition made of conditions."""

    type = BOOLEAN

    @cached_property
    def nullable(self) -> bool:
        """Whether an operand is."""
        return any(operand.nullable for operand in self.operands)


@dataclass(frozen=True)
class And(Connective):
    """The least of its operands, where false < NULL < true; true without any."""

    operands: tuple[Expression, ...]

    def __post_init__(self) -> None:
        _require_truths("AND", self.operands)


@dataclass(frozen=True)
class Or(Connective):
    """The greatest of its operands, where false < NULL < true; false without any."""

    operands: tuple[Expression, ...]

    def __post_init__(self) -> None:
        _require_truths("OR", self.operands)


@dataclass(frozen=True)
class Not(Connective):
    """The negation; NULL of NULL."""

    operand: Expression

    def __post_init__(self) -> None:
        _require_truths("NOT", self.operands)

    @property
    def operands(self) -> tuple[Expression, ...]:
        return (self.operand,)


@dataclass(frozen=True)
class IsNull(ExpressionNode):
    """Whether the value is NULL; never NULL itself. IS UNKNOWN is this."""

    operand: Expression
    type = BOOLEAN
    nullable = False

    @property
    def operands(self) -> tuple[Expression, ...]:
        return (self.operand,)


@dataclass(frozen=True)
class Case(ExpressionNode):
    """The value of the first branch (condition, value) whose condition is true, else the default.

    The default is written out; without ELSE it is a NULL. COALESCE, NULLIF, IF and the like are this.
    """

    branches: tuple[tuple[Expression, Expression], ...]
    default: Expression

    def __post_init__(self) -> None:
        _require_truths("WHEN", tuple(condition for condition, _ in self.branches))
        for _, value in self.branches:
            require(value.type == self.type, f"a CASE has values of types {value.type} and {self.type}")

    @property
    def type(self) -> SqlType:
        return self.default.type

    @cached_property
    def nullable(self) -> bool:
        return self.default.nullable or any(value.nullable for _, value in self.branches)

    @property
    def operands(self) -> tuple[Expression, ...]:
        return (*(part for branch in self.branches for part in branch), self.default)
