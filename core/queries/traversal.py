"""The nodes of a query."""

from __future__ import annotations

from collections.abc import Iterator

from tallystick.core.queries.expressions import And, Comparison, Expression, Literal, Reference, WithQuery
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


def is_limited_to_one(query: Query) -> bool:
    """Whether a query has one row at most, since a LIMIT says so."""
    return (
        is_limited_to_one(query.input)
        if isinstance(query, Project | Filter)
        else (isinstance(query, Limit) and query.count is not None and query.count <= 1)
    )


def constant_columns(query: Query) -> frozenset[int]:
    """Columns that have the same value in all rows of a query; not all of them are found."""
    match query:
        case Filter(input_, condition):
            parts = condition.operands if isinstance(condition, And) else (condition,)
            return constant_columns(input_).union(*(_fixed_by(part) for part in parts))
        case Project(input_, values) | Aggregate(input_, values, _, None):
            below = constant_columns(input_)
            return frozenset(place for place, value in enumerate(values) if _is_fixed(value, below))
        case Distinct(input_) | Window(input_) | Limit(input_):
            return constant_columns(input_)
        case _:
            return frozenset()


def _is_fixed(value: Expression, below: frozenset[int]) -> bool:
    return isinstance(value, Literal) or (isinstance(value, Reference) and value.level == 0 and value.index in below)


def _fixed_by(condition: Expression) -> Iterator[int]:
    """The column that a condition `column = constant` is about."""
    if isinstance(condition, Comparison) and condition.operator == "=":
        for one, other in ((condition.left, condition.right), (condition.right, condition.left)):
            if isinstance(one, Reference) and one.level == 0 and isinstance(other, Literal):
                yield one.index


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
