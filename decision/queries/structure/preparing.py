"""Exchanges that bring what optimisers write in several ways to one, before boundaries are compared (untrusted).

* INTERSECT and EXCEPT become semi and anti joins without duplicates.
* Duplicates that are dropped above are not dropped below: a UNION of UNIONs is one UNION ALL without duplicates.
* Sums of sums of groups are sums, and so are extrema (`regrouping.py`).
* Conditions on a union that is joined are put on the union, of which they may leave few parts.
* Ranks among the rows whose rank is at most a number, when only such rows are read, become ranks among all rows.
* An outer join of which no padded row is left by the conditions above it becomes an inner one.
* A left join of which nothing is read is dropped where it adds no rows (`unread.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from tallystick.certificates.queries.pulling import pushed
from tallystick.core.errors import TallystickError
from tallystick.core.queries.catalogue import Catalogue
from tallystick.core.queries.compilation.normal_form import normal_form
from tallystick.core.queries.expressions import And, Comparison, Expression, Literal, Reference, WithQuery
from tallystick.core.queries.syntax import (
    Distinct,
    Filter,
    Join,
    JoinKind,
    Project,
    Query,
    SetOperation,
    Values,
    Window,
    references,
)
from tallystick.core.queries.traversal import inputs, nodes, parts
from tallystick.decision.queries.structure.boundaries import conjuncts, substituted
from tallystick.decision.queries.structure.regrouping import regrouped
from tallystick.decision.queries.structure.unread import without_unread

WEAKER: dict[JoinKind, tuple[JoinKind, ...]] = {
    "left": ("inner",),
    "right": ("inner",),
    "full": ("inner", "left", "right"),
}
"""Joins that have fewer padded rows."""


@dataclass(frozen=True)
class Preparation:
    """A closed part of a query and what it may be exchanged for.

    Attributes:
        below: closed queries below of which nothing has to be known for that.
        pulled: what then gives way to the condition that is pulled out of it, as `Pull` has it.
        drops: whether a join, groups or rows without duplicates are gone, so that less is left to prove.
    """

    old: Query
    new: Query
    below: tuple[Query, ...] = ()
    pulled: Query | None = None
    drops: bool = False


def prepared(query: Query, catalogue: Catalogue) -> Iterator[Preparation]:
    """What may be done to parts of a query, the innermost first."""
    found = [node for node in nodes(query) if isinstance(node, Query) and not node.free]
    for node in reversed(found):
        if isinstance(node, SetOperation) and node.kind != "union" and not node.all:
            join = as_join(node)
            if join.columns == node.columns:
                yield Preparation(node, join, (_with_duplicates(node.left), node.right))
        if isinstance(node, Distinct) or (isinstance(node, SetOperation) and node.kind == "union" and not node.all):
            rows = node.input if isinstance(node, Distinct) else replace(node, all=True)
            more, leaves = _with_copies(rows)
            if (new := typed(Distinct(more), node)) != node:
                yield Preparation(node, new, leaves, drops=more != rows)
        for new, below in regrouped(node):
            yield Preparation(node, typed(new, node), below, drops=True)
        if isinstance(node, Filter):
            yield from _filtered(node)
    for node in found:
        for new, below in without_unread(node, catalogue):
            yield Preparation(node, new, below, drops=True)
        if isinstance(node, Filter | Join):
            yield from (Preparation(node, each) for each in _weakened(node, catalogue))


def _filtered(node: Filter) -> Iterator[Preparation]:
    if isinstance(node.input, Join):
        unions = tuple(leaf for leaf, _ in _joined(node.input) if _is_union(leaf))
        new = Filter(_restricted(node.input, 0, conjuncts(node.condition)), node.condition)
        if new != node:
            yield Preparation(node, new, unions)
    if isinstance(node.input, SetOperation):
        every = tuple(_branches(node.input))
        kept = [each for each in every if not _contradicted(each, node.condition)]
        if 0 < len(kept) < len(every):
            restricted = Filter(typed(_union(kept), node.input), node.condition)
            yield Preparation(node, restricted, tuple(map(_source, every)))
    yield from _ranked(node)


def _ranked(node: Filter) -> Iterator[Preparation]:
    """Ranks that are ranks among the first rows."""
    above, window = _projected(node.input)
    if not (isinstance(window, Window) and isinstance(window.input, Project)):
        return
    limited = _as_it_is(window.input.input)
    inner = _as_it_is(limited.input) if isinstance(limited, Filter) else None
    if not (isinstance(limited, Filter) and isinstance(inner, Window)):
        return
    pulled = Filter(inner, limited.condition)
    try:
        first = pushed(pulled)
    except TallystickError:
        return
    if inner.calls == window.calls and window.input.expressions == references(inner.input):
        new = first
        for each in reversed(above):
            new = replace(each, input=new)
        yield Preparation(node, replace(node, input=new), (inner.input,), pulled)


def _as_it_is(query: Query) -> Query:
    """What a query hands on unchanged."""
    while isinstance(query, Project) and query.expressions == references(query.input):
        query = query.input
    return query


def _projected(query: Query) -> tuple[list[Filter | Project], Query]:
    """Filters and projections, and what they stand above."""
    above: list[Filter | Project] = []
    while isinstance(query, Filter | Project):
        above.append(query)
        query = query.input
    return above, query


def as_join(node: SetOperation) -> Query:
    """INTERSECT or EXCEPT as a semi or anti join: duplicates are dropped once."""
    left, right = _with_duplicates(node.left), node.right
    own = references(left)
    both = references(Join("inner", left, right, And(())))
    pairs = (Comparison("<=>", one, other) for one, other in zip(own, both[len(own) :], strict=True))
    kind: JoinKind = "semi" if node.kind == "intersect" else "anti"
    return typed(Distinct(Join(kind, left, right, And(tuple(pairs)))), node)


def _with_duplicates(query: Query) -> Query:
    """A query whose rows are the same but for their number."""
    match query:
        case Distinct(input_):
            return _with_duplicates(input_)
        case SetOperation("union", False, left, right):
            return SetOperation("union", True, _with_duplicates(left), _with_duplicates(right))
        case _:
            return query


def _with_copies(query: Query) -> tuple[Query, tuple[Query, ...]]:
    """A query whose rows are the same but for their number, without what drops duplicates next; and what it reads."""
    match query:
        case Distinct(input_):
            return input_, (input_,)
        case SetOperation("union", True, left, right):
            (one, here), (other, there) = _with_copies(left), _with_copies(right)
            return SetOperation("union", True, one, other), (*here, *there)
        case Filter() | Project():
            below, leaves = _with_copies(query.input)
            return (query, (query,)) if below == query.input else (replace(query, input=below), leaves)
        case _:
            return query, (query,)


def _joined(query: Query, first: int = 0) -> Iterator[tuple[Query, int]]:
    """What inner joins join, with the place of the first column."""
    if isinstance(query, Join) and query.kind == "inner" and not query.lateral:
        yield from _joined(query.left, first)
        yield from _joined(query.right, first + len(query.left.columns))
    else:
        yield query, first


def _is_union(query: Query) -> bool:
    while isinstance(query, Filter | Project):
        query = query.input
    return isinstance(query, SetOperation) and query.kind == "union"


def _branches(query: Query) -> Iterator[Query]:
    """What UNION ALL adds up."""
    if isinstance(query, SetOperation) and query.kind == "union" and query.all:
        yield from _branches(query.left)
        yield from _branches(query.right)
    else:
        yield query


def _union(branches: Sequence[Query]) -> Query:
    return reduce(lambda left, right: SetOperation("union", True, left, right), branches)


def _source(query: Query) -> Query:
    """What a query is a projection of."""
    return _source(query.input) if isinstance(query, Project) else query


def _contradicted(query: Query, condition: Expression) -> bool:
    """Whether a condition compares a column in which a query has a constant with another constant."""
    if not isinstance(query, Project):
        return False
    for each in conjuncts(condition):
        if isinstance(each, Comparison) and each.operator == "=":
            for one, other in ((each.left, each.right), (each.right, each.left)):
                if isinstance(one, Reference) and one.level == 0 and isinstance(other, Literal):
                    own = query.expressions[one.index]
                    if isinstance(own, Literal) and own.value != other.value:
                        return True
    return False


def _restricted(query: Query, first: int, conditions: tuple[Expression, ...]) -> Query:
    """Joins of unions, with those of the conditions that are about one union on it, too, unless they ask queries."""
    if isinstance(query, Join) and query.kind == "inner" and not query.lateral:
        left = _restricted(query.left, first, conditions)
        return replace(query, left=left, right=_restricted(query.right, first + len(left.columns), conditions))
    width = len(query.columns)
    own = [
        substituted(each, lambda of: replace(of, index=of.index - first))
        for each in conditions
        if each.free and all(of.level == 0 and first <= of.index < first + width for of in each.free)
        if not any(isinstance(part, WithQuery) for part in parts(each))
    ]
    return Filter(query, And(tuple(own))) if own and _is_union(query) and not isinstance(query, Filter) else query


def _weakened(root: Query, catalogue: Catalogue) -> Iterator[Query]:
    """What filters and joins over one outer join become with a join that pads fewer rows."""
    for path in _outer_joins(root):
        join = path[-1]
        assert isinstance(join, Join)
        for kind in WEAKER[join.kind]:
            new: Query = typed(replace(join, kind=kind), join)
            for above, below in zip(reversed(path[:-1]), reversed(path), strict=False):
                new = _with_input(above, below, new)
            try:
                if normal_form(new, catalogue) is normal_form(root, catalogue):
                    yield new
                    return
            except TallystickError:
                return


def _outer_joins(root: Query) -> Iterator[tuple[Query, ...]]:
    """Paths from a query through filters, projections and inner joins to outer joins."""
    waiting: list[tuple[Query, ...]] = [(root,)]
    while waiting:
        path = waiting.pop()
        node = path[-1]
        if isinstance(node, Join) and not node.lateral and node.kind in WEAKER:
            yield path
        if isinstance(node, Filter | Project) or (isinstance(node, Join) and node.kind == "inner"):
            waiting += [(*path, below) for below in inputs(node)]


def _with_input(node: Query, old: Query, new: Query) -> Query:
    if isinstance(node, Join):
        return replace(node, **{"left" if node.left is old else "right": new})  # type: ignore[arg-type]
    assert isinstance(node, Filter | Project)
    return replace(node, input=new)


def typed(new: Query, old: Query) -> Query:
    """A query with columns that are nullable where those of another are."""
    return new if new.columns == old.columns else SetOperation("union", True, new, Values((), old.columns))
