"""UNION, INTERSECT, EXCEPT and DISTINCT."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING
from typing import Literal as Choice

from tallystick.core.queries.nodes import OneInput, QueryNode, Reference
from tallystick.core.queries.types import ColumnType, RowType, require

if TYPE_CHECKING:
    from tallystick.core.queries.syntax import Query


@dataclass(frozen=True)
class SetOperation(QueryNode):
    """UNION, INTERSECT or EXCEPT of two queries with columns of equal types; as bags if `all`, else as sets."""

    kind: Choice["union", "intersect", "except"]
    all: bool
    left: Query
    right: Query

    def __post_init__(self) -> None:
        require(self.kind in ("union", "intersect", "except"), f"there is no set operation {self.kind!r}")
        sides = [", ".join(str(column.type) for column in side.columns) for side in (self.left, self.right)]
        require(sides[0] == sides[1], f"{self.kind.upper()} of ({sides[0]}) and ({sides[1]})")
        super().__post_init__()

    operands = ()

    @property
    def inputs(self) -> tuple[Query, ...]:
        return (self.left, self.right)

    @cached_property
    def columns(self) -> RowType:
        """NOT NULL where no row of the result can hold a NULL."""
        if self.kind == "except":
            return self.left.columns
        either = self.kind == "union"
        return tuple(
            ColumnType(left.type, (left.nullable or right.nullable) if either else (left.nullable and right.nullable))
            for left, right in zip(self.left.columns, self.right.columns, strict=True)
        )

    @cached_property
    def free(self) -> frozenset[Reference]:
        return self.left.free | self.right.free


@dataclass(frozen=True)
class Distinct(OneInput):
    """Each row once; NULL is not distinct from NULL."""
