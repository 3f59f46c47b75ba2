"""Left joins of which nothing is read, and which add no rows: what a query is without one (untrusted)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TypeGuard

from tallystick.core.queries.catalogue import Catalogue
from tallystick.core.queries.expressions import Comparison, Expression, Reference
from tallystick.core.queries.syntax import Aggregate, Distinct, Filter, Join, Project, Query, Scan
from tallystick.decision.queries.structure.boundaries import CorrelatedError, Place, conjuncts, rebuilt, substituted


def without_unread(root: Query, catalogue: Catalogue) -> Iterator[tuple[Query, tuple[Query, ...]]]:
    """A projection or aggregation without the first left join below of which nothing is read, if that has one row at
    most for each row; with the queries below that may have any rows.

    In `SELECT a.x FROM a LEFT JOIN b ON b.id = a.y`, b is not read where id is a key.
    """
    if not isinstance(root, Project | Aggregate):
        return
    above: list[Filter | Join] = []
    node, read = root.input, _read(_operands(root))
    try:
        while isinstance(node, Filter | Join | Project):
            if isinstance(node, Project):
                if any(isinstance(each, Join) for each in above):
                    return
                root, above = composed(root, above, node)
                read = _read((*_operands(root), *(each.condition for each in above)))
                node = node.input
                continue
            if isinstance(node, Join):
                if node.lateral or node.kind not in ("left", "inner"):
                    return
                width = len(node.left.columns)
                if node.kind == "left" and all(each < width for each in read) and _matches_once(node, catalogue):
                    sides = (node.left, *(each.right for each in above if isinstance(each, Join)))
                    yield _without(root, above, node), tuple(part for side in sides for part in _spine(side))
                    return
            read |= _read((node.condition,))
            above.append(node)
            node = node.input if isinstance(node, Filter) else node.left
            read = {each for each in read if each < len(node.columns)}
    except CorrelatedError:
        return


def keys(query: Query, catalogue: Catalogue) -> Iterator[frozenset[int]]:
    """Columns that no two rows of a query share, as far as its form shows."""
    match query:
        case Scan(table):
            yield from map(frozenset, catalogue.by_name[table].keys)
        case Filter(input_, _):
            yield from keys(input_, catalogue)
        case Project(input_, expressions):
            places = {of.index: place for place, of in reversed(list(enumerate(expressions))) if _is_own(of)}
            for key in keys(input_, catalogue):
                if key <= places.keys():
                    yield frozenset(places[each] for each in key)
        case Aggregate(_, grouped, _, None):
            yield frozenset(range(len(grouped)))
        case Distinct():
            yield frozenset(range(len(query.columns)))
        case _:
            return


def _spine(query: Query) -> Iterator[Query]:
    """A query that may be named, after those that it is made of: each is small over the one before."""
    if isinstance(query, Filter):
        yield from _spine(query.input)
    if isinstance(query, Join) and not query.lateral:
        yield from _spine(query.left)
    if not isinstance(query, Scan) and not query.free:
        yield query


def _matches_once(join: Join, catalogue: Catalogue) -> bool:
    """Whether each left row has one right row at most, by equations with a key."""
    width = len(join.left.columns)
    fixed: set[int] = set()
    for each in conjuncts(join.condition):
        if isinstance(each, Comparison) and each.operator == "=":
            for one, other in ((each.left, each.right), (each.right, each.left)):
                if _is_own(one) and one.index >= width and all(of < width for of in _read((other,))):
                    fixed.add(one.index - width)
    return any(key <= fixed for key in keys(join.right, catalogue))


def _is_own(expression: Expression) -> TypeGuard[Reference]:
    return isinstance(expression, Reference) and expression.level == 0


def _operands(root: Project | Aggregate) -> tuple[Expression, ...]:
    if isinstance(root, Project):
        return root.expressions
    return (*root.keys, *(part for call in root.calls for part in call.operands))


def _read(expressions: Iterable[Expression]) -> set[int]:
    return {of.index for each in expressions for of in each.free if of.level == 0}


def over(root: Project | Aggregate, input_: Query, place: Place) -> Project | Aggregate:
    """A root over other rows."""
    if isinstance(root, Project):
        return Project(input_, tuple(map(place, root.expressions)))
    new = rebuilt(root, (input_,), (place,))
    assert isinstance(new, Aggregate)
    return new


def composed(
    root: Project | Aggregate, above: list[Filter | Join], below: Project
) -> tuple[Project | Aggregate, list[Filter | Join]]:
    """A root and filters over a projection, over the rows that it projects."""

    def place(operand: Expression) -> Expression:
        return substituted(operand, lambda of: below.expressions[of.index])

    filters: list[Filter | Join] = [Filter(below.input, place(each.condition)) for each in above]
    return over(root, below.input, place), filters


def _without(root: Project | Aggregate, above: list[Filter | Join], join: Join) -> Query:
    """A root over filters and joins, without the join below."""
    first, dropped = len(join.left.columns), len(join.right.columns)

    def moved(of: Reference) -> Expression:
        return of if of.index < first else replace(of, index=of.index - dropped)

    def place(operand: Expression) -> Expression:
        return substituted(operand, moved)

    node = join.left
    for each in reversed(above):
        condition = place(each.condition)
        node = Filter(node, condition) if isinstance(each, Filter) else replace(each, left=node, condition=condition)
    return over(root, node, place)
