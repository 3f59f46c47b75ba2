"""LIMIT and OFFSET."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tallystick.core.queries.nodes import OneInput, OrderKey, Project
from tallystick.core.queries.types import require

if TYPE_CHECKING:
    from tallystick.core.queries.expressions import Expression
    from tallystick.core.queries.syntax import Query


@dataclass(frozen=True)
class Limit(OneInput):
    """The rows after the first `offset` in an order, `count` of them or all.

    Which rows these are is not determined if the cut goes through rows that tie in the order and differ.
    """

    order: tuple[OrderKey, ...]
    count: int | None
    offset: int = 0

    def __post_init__(self) -> None:
        require(self.count is None or self.count >= 0, "LIMIT is not negative")
        require(self.offset >= 0, "OFFSET is not negative")
        super().__post_init__()

    @property
    def cuts(self) -> bool:
        """Whether there are rows before or behind those that it keeps, and it keeps some."""
        return self.count != 0 and (self.count is not None or self.offset > 0)

    @property
    def operands(self) -> tuple[Expression, ...]:
        return tuple(key.expression for key in self.order)


def without_limit(query: Query) -> Query:
    """A query that has a row if and only if this one has, without a LIMIT of the first rows, at least one."""
    match query:
        case Limit(input_, _, count, 0) if count is None or count >= 1:
            return without_limit(input_)
        case Project(input_, expressions) if without_limit(input_) is not input_:
            return Project(without_limit(input_), expressions)
        case _:
            return query
