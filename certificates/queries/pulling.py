"""Conditions that are pulled out of groups and partitions, loaded for proofs that pull some."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any

from tallystick.core.errors import KernelError
from tallystick.core.queries.compilation.windows import is_relative
from tallystick.core.queries.constructs.aggregates import Aggregate
from tallystick.core.queries.constructs.windows import Window
from tallystick.core.queries.nodes import Comparison, ExpressionNode, Filter, Literal, Project, Reference
from tallystick.core.queries.references import references

if TYPE_CHECKING:
    from tallystick.core.queries.expressions import Expression
    from tallystick.core.queries.syntax import Query


def pushed(query: Query) -> Query:
    """Groups, or rows with window calls, on which a condition holds that is about what all rows of a group, or of a
    partition of each call, have in common: the same with the condition on the rows below.

    And rows whose RANK or DENSE_RANK is at most a number: the same, ranked among those rows. What comes before one of
    them in its partition has no greater rank, so it is among them. Raises KernelError for other queries.
    """
    match query:
        case Filter(Window(rows, (call,)), Comparison("<=", Reference(0, at), Literal())) if at == len(rows.columns):
            if call.call.function in ("rank", "dense_rank"):
                return Filter(Window(Project(query, references(rows)), (call,)), query.condition)
            raise KernelError("only conditions on RANK and DENSE_RANK are pushed below")
        case Filter(Aggregate(rows, keys, calls, None), condition) if keys:
            return Aggregate(Filter(rows, _over(condition, keys)), keys, calls)
        case Filter(Window(rows, calls), condition):
            columns = references(rows)
            if not all(is_relative(call) and condition.free <= {*call.partition} for call in calls):
                raise KernelError("a condition is pushed below calls that do not choose among ties, on what partitions")
            return Window(Filter(rows, _over(condition, columns)), calls)
        case _:
            raise KernelError("only conditions on groups and on partitions are pushed below")


def _over(expression: Expression, values: Sequence[Expression]) -> Any:
    """An expression without subqueries, with values in the place of the first columns of its row, of which it is."""

    def visit(part: Any) -> Any:
        if isinstance(part, tuple):
            return tuple(map(visit, part))
        if isinstance(part, Reference):
            if part.level or part.index >= len(values):
                raise KernelError("a condition that is pushed below is about the columns of the rows there")
            return values[part.index]
        if isinstance(part, ExpressionNode) and part.inputs:
            raise KernelError("a condition with a subquery is not pushed below")
        return type(part)(*(visit(getattr(part, of.name)) for of in fields(part))) if is_dataclass(part) else part

    return visit(expression)
