"""Joins."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING
from typing import Literal as Choice

from tallystick.core.queries.nodes import QueryNode, Reference, bound, require_condition
from tallystick.core.queries.types import RowType, padded, require

if TYPE_CHECKING:
    from tallystick.core.queries.expressions import Expression
    from tallystick.core.queries.syntax import Query


JoinKind = Choice["inner", "left", "right", "full", "semi", "anti"]


@dataclass(frozen=True)
class Join(QueryNode):
    """A join; if `lateral`, the right side is evaluated for each left row, as a scope of its own.

    Cross joins are inner joins on true; natural joins and USING are projections of inner or outer ones. Semi and
    anti joins have the left columns.
    """

    kind: JoinKind
    left: Query
    right: Query
    condition: Expression
    lateral: bool = False

    def __post_init__(self) -> None:
        require(self.kind in ("inner", "left", "right", "full", "semi", "anti"), f"there is no {self.kind!r} join")
        require(not (self.lateral and self.kind in ("right", "full")), f"a {self.kind} join is not lateral")
        require_condition(self.condition)
        super().__post_init__()

    @property
    def inputs(self) -> tuple[Query, ...]:
        return (self.left, self.right)

    @property
    def operands(self) -> tuple[Expression, ...]:
        return (self.condition,)

    @cached_property
    def columns(self) -> RowType:
        left, right = self.left.columns, self.right.columns
        if self.kind in ("semi", "anti"):
            return left
        return (
            *(padded(left) if self.kind in ("right", "full") else left),
            *(padded(right) if self.kind in ("left", "full") else right),
        )

    @cached_property
    def free(self) -> frozenset[Reference]:
        right = bound(self.right.free, self.left.columns) if self.lateral else self.right.free
        return self.left.free | right | bound(self.condition.free, (*self.left.columns, *self.right.columns))
