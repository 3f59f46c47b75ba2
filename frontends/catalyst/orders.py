"""Which keys of an order and which limits say nothing, and which queries have one row at most, by their form alone."""

from __future__ import annotations

from tallystick.core.queries.calls import OrderKey
from tallystick.core.queries.expressions import And, Comparison, Expression, Literal, Reference
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


def at_most_one_row(query: Query) -> bool:
    """Whether a query has no more than one row: an aggregation of all rows or of one group, or what is made of such."""
    match query:
        case Aggregate(input_, keys, _, sets):
            return sets is None and all(_is_fixed(input_, key) for key in keys)
        case Values(rows):
            return len(rows) <= 1
        case Limit(input_, _, count):
            return (count is not None and count <= 1) or at_most_one_row(input_)
        case Project(input_) | Filter(input_) | Window(input_) | Distinct(input_):
            return at_most_one_row(input_)
        case Join(kind, left, right):
            one = at_most_one_row(left)
            return one if kind in ("semi", "anti") else kind != "full" and one and at_most_one_row(right)
        case SetOperation(kind, _, left):
            return kind != "union" and at_most_one_row(left)
        case Scan():
            return False


def _is_fixed(query: Query, expression: Expression) -> bool:
    """Whether an expression has one value in all rows of a query: an equation with what is around it says so."""
    if all(reference.level for reference in expression.free):
        return True
    if not isinstance(expression, Reference):
        return False
    match query:
        case Filter(input_, condition):
            operands = condition.operands if isinstance(condition, And) else (condition,)
            return any(_equates(each, expression) for each in operands) or _is_fixed(input_, expression)
        case Project(input_, expressions):
            return _is_fixed(input_, expressions[expression.index])
        case Distinct(input_):
            return _is_fixed(input_, expression)
        case _:
            return False


def _equates(condition: Expression, expression: Expression) -> bool:
    """Whether a condition is the equation of an expression with one over rows further out, or a constant."""
    if not isinstance(condition, Comparison) or condition.operator != "=":
        return False
    sides = ((condition.left, condition.right), (condition.right, condition.left))
    return any(side == expression and all(each.level for each in other.free) for side, other in sides)


def limited(query: Query, order: tuple[OrderKey, ...], count: int, offset: int) -> Query:
    """The first rows; all of at most one."""
    if count >= 1 and offset == 0 and at_most_one_row(query):
        return query
    return Limit(query, order, count, offset)


def needed(query: Query, order: tuple[OrderKey, ...]) -> tuple[OrderKey, ...]:
    """The keys of an order without constants and without those that stand before; none for at most one row."""
    if at_most_one_row(query):
        return ()
    kept: dict[Expression, OrderKey] = {}
    for key in order:
        if not isinstance(origin(query, key.expression), Literal):
            kept.setdefault(origin(query, key.expression), key)
    return tuple(kept.values())


def origin(query: Query, expression: Expression) -> Expression:
    """The constant that an expression over the rows of a query is, or the expression itself."""
    if not isinstance(expression, Reference) or expression.level:
        return expression
    found = constant(query, expression.index)
    return expression if found is None else found


def constant(query: Query, index: int) -> Literal | None:
    """The constant that a column of a query is in all of its rows."""
    match query:
        case Project(input_, expressions):
            expression = origin(input_, expressions[index])
            return expression if isinstance(expression, Literal) else None
        case Values(rows, columns) if len({row[index] for row in rows}) == 1:
            return Literal(rows[0][index], columns[index].type)
        case Filter(input_) | Distinct(input_) | Limit(input_):
            return constant(input_, index)
        case Window(input_):
            return constant(input_, index) if index < len(input_.columns) else None
        case Aggregate(input_, keys, _, None) if index < len(keys):
            expression = origin(input_, keys[index])
            return expression if isinstance(expression, Literal) else None
        case Join(kind, left, right):
            if index < len(left.columns):
                return constant(left, index) if kind not in ("right", "full") else None
            return constant(right, index - len(left.columns)) if kind in ("inner", "right") else None
        case _:
            return None
