"""Expressions in the place of references to a row, and windows over the rows that projections are made of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from tallystick.core.queries.calls import WindowCall
from tallystick.core.queries.expressions import And, Expression, Literal, Reference, WithQuery
from tallystick.core.queries.syntax import Filter, Project, Query, Window, reference, references
from tallystick.core.queries.traversal import parts


class CorrelatedError(ValueError):
    """Something is to stand for a reference to a row, and a subquery has that reference, or would have it."""


def conjuncts(condition: Expression) -> list[Expression]:
    """The conditions of which a condition is the conjunction."""
    if isinstance(condition, And):
        return [part for each in condition.operands for part in conjuncts(each)]
    return [condition]


def replaced(value: Any, image: Callable[[Reference], Expression]) -> Any:
    """An expression, or a call or key that has some, with others in the place of references to its row.

    Raises CorrelatedError where a subquery refers to the row.
    """
    if isinstance(value, Reference):
        return image(value) if value.level == 0 else value
    if isinstance(value, WithQuery) and any(each.level == 0 for each in value.query.free):
        raise CorrelatedError
    if isinstance(value, tuple):
        return tuple(replaced(each, image) for each in value)
    if not is_dataclass(value) or isinstance(value, type | Literal | Query):
        return value
    return type(value)(*(replaced(getattr(value, field.name), image) for field in fields(value)))


def windowed(query: Query, calls: Sequence[WindowCall]) -> Query:
    """The columns of a query, then a column for each call over its rows.

    What is computed from other columns is computed above the window, and so are columns that stand there twice: it is
    one window wherever that is done. The rows below tell as much as before: rows that tie in an order are different
    if they were. Calls with subqueries, which may see the row, stay over the query as it is.
    """
    if any(has_query(each) for call in calls for each in call.operands):
        return Window(query, tuple(calls))
    rows, columns = lifted(query)
    there = {each.index for each in columns if isinstance(each, Reference) and each.level == 0}
    later = [not isinstance(each, Reference) and _is_of(each, there) for each in columns]
    kept = list(dict.fromkeys(each for each, is_later in zip(columns, later, strict=True) if not is_later))
    if set(kept) == set(references(rows)):
        kept, below = list(references(rows)), rows
    else:
        below = Project(rows, tuple(kept))
    if below == query:
        return Window(query, tuple(calls))
    places = {each: reference(below, place) for place, each in enumerate(kept)}

    def of_rows(column: Expression) -> Expression:
        return places[column] if column in places else replaced(column, lambda of: places[of])

    shown = tuple(map(of_rows, columns))
    over = Window(below, tuple(replaced(each, lambda of: shown[of.index]) for each in calls))
    made = (reference(over, len(kept) + index) for index in range(len(calls)))
    return Project(over, (*shown, *made))


def _is_of(expression: Expression, columns: set[int]) -> bool:
    """Whether an expression without subqueries reads of its row these columns alone."""
    return not has_query(expression) and all(each.index in columns for each in expression.free if each.level == 0)


def lifted(query: Query) -> tuple[Query, tuple[Expression, ...]]:
    """The rows that projections at the top of a query are made of, and its columns as expressions over them."""
    try:
        if type(query) is Project:  # an order that rows came in is a kind of projection, and is kept
            rows, columns = lifted(query.input)
            as_they_are = rows is query.input
            return rows, query.expressions if as_they_are else replaced(query.expressions, _image(columns))
        if isinstance(query, Filter) and type(query.input) is Project:
            rows, columns = lifted(query.input)
            return Filter(rows, replaced(query.condition, _image(columns))), columns
    except CorrelatedError:
        pass
    return query, references(query)


def _image(columns: Sequence[Expression]) -> Callable[[Reference], Expression]:
    """What columns are; subqueries are not written at several places."""

    def image(of: Reference) -> Expression:
        if has_query(columns[of.index]):
            raise CorrelatedError
        return columns[of.index]

    return image


def has_query(expression: Expression) -> bool:
    """Whether a subquery is in an expression."""
    return any(isinstance(each, WithQuery) for each in parts(expression))
