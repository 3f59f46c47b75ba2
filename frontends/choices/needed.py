"""Which columns of each query of a statement are read by what is around it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tallystick.core.queries.expressions import Exists, Expression, WithQuery
from tallystick.core.queries.syntax import (
    Aggregate,
    Filter,
    Join,
    Limit,
    Project,
    Query,
    SetOperation,
    Statement,
    Window,
)
from tallystick.core.queries.traversal import expressions_of, inputs, parts

Columns = frozenset[int]


def needed_columns(statement: Statement) -> dict[int, Columns]:
    """The positions of the columns that are read of each query, by the identity of its object.

    None is read of a query in an expression that nobody reads.
    """
    needed = {id(statement.query): _all(statement.query)}
    for query in _parents_first(statement.query):
        for below, columns in _reads(query, needed.setdefault(id(query), Columns())):
            needed[id(below)] = needed.get(id(below), Columns()) | columns
    return needed


def read_by(expressions: Iterable[Expression]) -> Columns:
    """The columns of the input row that expressions read, those that their subqueries read too."""
    return Columns(each.index for expression in expressions for each in expression.free if each.level == 0)


def _parents_first(query: Query) -> list[Query]:
    """A query and all below it, those of subqueries too, none before one that it is below."""
    done: list[Query] = []
    seen: set[int] = set()
    pending: list[tuple[Query, bool]] = [(query, False)]
    while pending:
        each, is_done = pending.pop()
        if is_done:
            done.append(each)
        elif id(each) not in seen:
            seen.add(id(each))
            pending.append((each, True))
            pending += ((below, False) for below in (*inputs(each), *map(_query, _subqueries(expressions_of(each)))))
    return done[::-1]


def _reads(query: Query, needed: Columns) -> Iterator[tuple[Query, Columns]]:
    """What a query, of which some columns are needed, reads of those below it."""
    expressions = tuple(_evaluated(query, needed))
    for subquery in _subqueries(expressions):
        yield subquery.query, Columns() if isinstance(subquery, Exists) else _all(subquery.query)
    own = read_by(expressions)
    match query:
        case Filter(input_) | Limit(input_):
            yield input_, needed | own
        case Project(input_) | Aggregate(input_):
            yield input_, own
        case Window(input_):
            yield input_, Columns(index for index in needed if index < len(input_.columns)) | own
        case Join(_, left, right, _, lateral):
            width = len(left.columns)
            both = needed | own | (_read_by_query(right) if lateral else Columns())
            yield left, Columns(index for index in both if index < width)
            yield right, Columns(index - width for index in both if index >= width)
        case SetOperation("union", True, left, right):
            yield left, needed
            yield right, needed
        case _:
            yield from ((below, _all(below)) for below in inputs(query))


def _evaluated(query: Query, needed: Columns) -> Iterator[Expression]:
    """The expressions of a query that some of its columns are computed from, and those that decide on its rows."""
    match query:
        case Project(_, expressions):
            yield from (expressions[index] for index in sorted(needed))
        case Aggregate(_, keys, calls):
            yield from keys
            for index, call in enumerate(calls, len(keys)):
                yield from call.operands if index in needed else ()
        case Window(input_, calls):
            for index, call in enumerate(calls, len(input_.columns)):
                yield from call.operands if index in needed else ()
        case _:
            yield from expressions_of(query)


def _read_by_query(query: Query) -> Columns:
    """The columns of the row around a query that it reads."""
    return Columns(each.index for each in query.free if each.level == 0)


def _subqueries(expressions: Iterable[Expression]) -> Iterator[WithQuery]:
    return (part for each in expressions for part in parts(each) if isinstance(part, WithQuery))


def _query(expression: WithQuery) -> Query:
    return expression.query


def _all(query: Query) -> Columns:
    return Columns(range(len(query.columns)))
