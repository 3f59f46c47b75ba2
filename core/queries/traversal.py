"""The nodes of a query."""

from __future__ import annotations

from collections.abc import Iterator

from tallystick.core.queries.expressions import Expression, WithQuery
from tallystick.core.queries.syntax import (
    Aggregate,
    Distinct,
    Filter,
    Join,
    Limit,
    Project,
    Query,
    Scan,
    SetOperation,
    Values,
    Window,
)


def inputs(query: Query) -> tuple[Query, ...]:
    """The queries whose rows a node reads."""
    match query:
        case Scan() | Values():
            return ()
        case Join() | SetOperation():
            return query.left, query.right
        case Filter() | Project() | Distinct() | Aggregate() | Window() | Limit():
            return (query.input,)


def expressions_of(query: Query) -> tuple[Expression, ...]:
    """The expressions of a node, without their parts."""
    match query:
        case Filter() | Join():
            return (query.condition,)
        case Project():
            return query.expressions
        case Aggregate():
            calls = (part for call in query.calls for part in call.operands)
            return (*query.keys, *calls)
        case Window():
            return tuple(part for call in query.calls for part in call.operands)
        case Limit():
            return tuple(key.expression for key in query.order)
        case Scan() | Values() | SetOperation() | Distinct():
            return ()


def without_limit(query: Query) -> Query:
    """A query that has a row if and only if this one has, without a LIMIT of the first rows, at least one."""
    match query:
        case Limit(input_, _, count, 0) if count is None or count >= 1:
            return without_limit(input_)
        case Project(input_, expressions) if without_limit(input_) is not input_:
            return Project(without_limit(input_), expressions)
        case _:
            return query


Node = Query | Expression


def below(node: Node) -> tuple[Node, ...]:
    """The queries and expressions that a node is made of."""
    if isinstance(node, Query):
        return (*inputs(node), *expressions_of(node))
    return (*node.operands, *((node.query,) if isinstance(node, WithQuery) else ()))


def nodes(*roots: Node) -> Iterator[Node]:
    """The queries and expressions in some, each object once, those of subqueries too."""
    seen: set[int] = set()
    pending: list[Node] = list(roots)
    while pending:
        node = pending.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        yield node
        pending += below(node)


def parts(expression: Expression) -> Iterator[Expression]:
    """The expression and its parts in the same scope."""
    yield expression
    for operand in expression.operands:
        yield from parts(operand)
