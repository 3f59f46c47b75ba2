"""The nodes of a query, for those who search and translate."""

from __future__ import annotations

from collections.abc import Iterator

from tallystick.core.queries.constructs.limits import without_limit as without_limit
from tallystick.core.queries.expressions import Expression
from tallystick.core.queries.nodes import below as below
from tallystick.core.queries.nodes import nodes as nodes
from tallystick.core.queries.syntax import Query

Node = Query | Expression


def inputs(query: Query) -> tuple[Query, ...]:
    """The queries whose rows a node reads."""
    return query.inputs


def expressions_of(query: Query) -> tuple[Expression, ...]:
    """The expressions of a node, without their parts."""
    return query.operands


def parts(expression: Expression) -> Iterator[Expression]:
    """The expression and its parts in the same scope."""
    yield expression
    for operand in expression.operands:
        yield from parts(operand)
