"""Expressions that have a query in them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from tallystick.core.queries.nodes import NEGATED, ComparisonOperator, ExpressionNode
from tallystick.core.queries.types import BOOLEAN, SqlType, require

if TYPE_CHECKING:
    from tallystick.core.queries.expressions import Expression
    from tallystick.core.queries.syntax import Query


class WithQuery(ExpressionNode):
    """An expression that has a subquery."""

    query: Query

    @property
    def inputs(self) -> tuple[Query, ...]:  # type: ignore[override]
        return (self.query,)


@dataclass(frozen=True)
class Exists(WithQuery):
    """Whether the query has a row; never NULL."""

    query: Query
    type = BOOLEAN
    nullable = False
    operands = ()


@dataclass(frozen=True)
class ForSome(WithQuery):
    """Whether the row of the expressions compares so with a row of the query, column by column: the disjunction over
    its rows of the conjunction of the comparisons. Several columns are compared by `=` alone."""

    operator: ComparisonOperator
    expressions: tuple[Expression, ...]
    query: Query
    type = BOOLEAN

    def __post_init__(self) -> None:
        require(self.operator in (*NEGATED, "<=>"), f"there is no comparison {self.operator!r}")
        left = tuple(expression.type for expression in self.expressions)
        right = tuple(column.type for column in self.query.columns)
        described = [", ".join(map(str, types)) for types in (left, right)]
        require(left == right, f"({described[0]}) is compared with rows of ({described[1]})")
        require(len(left) == 1 or (len(left) > 1 and self.operator == "="), "rows are compared by = in some column")

    @cached_property
    def nullable(self) -> bool:
        return self.operator != "<=>" and any(part.nullable for part in (*self.expressions, *self.query.columns))

    @property
    def operands(self) -> tuple[Expression, ...]:
        return self.expressions


@dataclass(frozen=True)
class ScalarSubquery(WithQuery):
    """The value of the query's only row, NULL without one; several rows are an error."""

    query: Query

    operands = ()
    nullable = True

    def __post_init__(self) -> None:
        require(len(self.query.columns) == 1, f"a scalar subquery has one column, not {len(self.query.columns)}")

    @property
    def type(self) -> SqlType:
        return self.query.columns[0].type
