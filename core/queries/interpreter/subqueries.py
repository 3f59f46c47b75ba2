"""The values of expressions that have a query in them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tallystick.core.queries.constructs.limits import without_limit
from tallystick.core.queries.constructs.subqueries import Exists, ForSome, ScalarSubquery
from tallystick.core.queries.interpreter.expressions import compare
from tallystick.core.queries.interpreter.running import Evaluator, QueryFailure, RowsOf
from tallystick.core.queries.interpreter.truths import conjunction, disjunction
from tallystick.core.queries.nodes import ComparisonOperator
from tallystick.core.queries.types import SqlValue

if TYPE_CHECKING:
    from tallystick.core.queries.syntax import Query


def asked(
    node: Exists | ForSome | ScalarSubquery, compiled: Callable[[Any], Evaluator], rows_of: Callable[[Query], RowsOf]
) -> Evaluator:
    """The closure that evaluates an expression; `rows_of` gives that of its query."""
    match node:
        case Exists(query):
            rows = rows_of(without_limit(query))
            return lambda environment: bool(rows(environment))
        case ForSome(operator, expressions, query):
            return _for_some(operator, [compiled(part) for part in expressions], rows_of(query))
        case ScalarSubquery(query):
            return _scalar(rows_of(query))


def _for_some(operator: ComparisonOperator, expressions: list[Evaluator], rows: RowsOf) -> Evaluator:
    def value(environment: Any) -> SqlValue:
        sought = [expression(environment) for expression in expressions]
        found = rows(environment)
        environment[-1].spend(len(found))
        return disjunction(
            [
                conjunction([compare(operator, left, right) for left, right in zip(sought, row, strict=True)])
                for row in found
            ]
        )

    return value


def _scalar(rows: RowsOf) -> Evaluator:
    def value(environment: Any) -> SqlValue:
        result = rows(environment)
        if len(result) > 1:
            raise QueryFailure("a scalar subquery with several rows is an error")
        return result[0][0] if result else None

    return value
