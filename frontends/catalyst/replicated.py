"""ReplicateRows: what Spark's optimiser makes of EXCEPT ALL and INTERSECT ALL, read as these again.

Both count in a union how often a row comes from which side, by columns that are constants of the side, and repeat a
row of each group. For EXCEPT ALL the constants 1 and -1 are summed, and groups stay whose sum is positive. For
INTERSECT ALL each side has a column of its own, true there and NULL on the other; both are counted, groups stay that
have either, and the smaller count is how often the row is repeated.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from typing import Final
from typing import Literal as Choice

from tallystick.core.queries.calls import AggregateCall
from tallystick.core.queries.expressions import Case, Comparison, Expression, IsNull, Literal, Not, Reference
from tallystick.core.queries.syntax import (
    Aggregate,
    Filter,
    Project,
    Query,
    SetOperation,
    Values,
    reference,
    references,
)
from tallystick.core.queries.types import BOOLEAN
from tallystick.frontends.catalyst.orders import constant
from tallystick.frontends.catalyst.values import integer
from tallystick.frontends.substitution import conjuncts, has_query, replaced

Marks = Mapping[tuple[object, ...], int]
TRUE: Final = Literal(True, BOOLEAN)
ADDED: Final[Marks] = {(1,): 0, (-1,): 1}
COUNTED: Final[Marks] = {(None, True): 0, (True, None): 1}
"""The constants of the branches of each side."""


@dataclass(frozen=True)
class Groups:
    """Groups of which a query shows some: its columns and conditions, as expressions over all groups."""

    all: Aggregate
    columns: tuple[Expression, ...]
    conditions: tuple[Expression, ...] = ()

    def seen(self, expression: Expression) -> Expression:
        """An expression over the columns as one over all groups."""
        return replaced(expression, lambda each: self.columns[each.index])


def replicated(query: Query, number: Expression, columns: Sequence[Expression]) -> Query | None:
    """The columns of each row of a query as often as a number says, as a set operation; None if they are none.

    The columns are expressions over the rows of the query; each has to be a key of the groups that it shows.
    """
    expressions = [number, *columns]
    groups = None if any(map(has_query, expressions)) else groups_of(query)
    if groups is None:
        return None
    repeated, *shown = map(groups.seen, expressions)
    keys = [key.index for key in groups.all.keys if isinstance(key, Reference) and key.level == 0]
    places = [each.index for each in shown if isinstance(each, Reference) and not each.level]
    if len(keys) < len(groups.all.keys) or len(places) < len(shown) or any(each >= len(keys) for each in places):
        return None
    found = _difference(groups, repeated, keys) or _intersection(groups, repeated, keys)
    if found is None:
        return None
    rows, met = found
    others = [each for each in groups.conditions if each not in met]
    if any(each.index >= len(keys) for other in others for each in _of_row(other)):
        return None
    for each in others:
        rows = Filter(rows, replaced(each, partial(_key, rows)) if _of_row(each) else each)
    return Project(rows, tuple(reference(rows, each) for each in places))


def _key(rows: Query, key: Reference) -> Reference:
    """A key of groups as a column of the rows that have only these."""
    return reference(rows, key.index)


def groups_of(query: Query) -> Groups | None:
    """The groups of which a query shows some; None if it shows something else."""
    match query:
        case Aggregate(_, keys, _, None) if keys:
            return Groups(query, references(query))
        case Filter(input_, condition) if found := groups_of(input_):
            each = conjuncts(condition)
            if any(has_query(one) and _of_row(one) for one in each):
                return None
            conditions = (found.seen(one) if _of_row(one) else one for one in each)
            return Groups(found.all, found.columns, (*found.conditions, *(one for one in conditions if one != TRUE)))
        case Project(input_, columns) if not any(map(has_query, columns)) and (found := groups_of(input_)):
            return Groups(found.all, tuple(map(found.seen, columns)), found.conditions)
        case _:
            return None


def _of_row(expression: Expression) -> list[Reference]:
    """What an expression reads of its row."""
    return [each for each in expression.free if each.level == 0]


Found = tuple[Query, set[Expression]]
"""Rows, and the conditions on groups that are met by them."""


def _difference(groups: Groups, repeated: Expression, keys: Sequence[int]) -> Found | None:
    """EXCEPT ALL, if groups with a positive sum of 1 for the rows of one side and -1 for those of the other stay."""
    added = _argument(groups.all, repeated, "sum")
    positive, known = Comparison(">", repeated, integer(0)), Not(IsNull(repeated))
    if added is None or positive not in groups.conditions:
        return None
    rows = _of_sides("except", groups.all.input, keys, ADDED, (added,))
    return None if rows is None else (rows, {positive, known})


def _intersection(groups: Groups, repeated: Expression, keys: Sequence[int]) -> Found | None:
    """INTERSECT ALL, if groups with rows of both sides stay, and the smaller number is how often a row is repeated."""
    if not isinstance(repeated, Case):
        return None
    counts = repeated.branches[0][1], repeated.default
    counted = [_argument(groups.all, each, "count") for each in counts]
    smaller = Case(((Comparison(">", counts[1], counts[0]), counts[0]),), counts[1])
    both: set[Expression] = {Comparison(">=", each, integer(1)) for each in counts}
    if repeated != smaller or not both.issubset(groups.conditions):
        return None
    rows = _of_sides("intersect", groups.all.input, keys, COUNTED, counted)
    return None if rows is None else (rows, both)


def _argument(groups: Aggregate, call: Expression, function: str) -> int | None:
    """The column of which a function is what stands in a column of groups."""
    place = call.index - len(groups.keys) if isinstance(call, Reference) and not call.level else -1
    if place < 0:
        return None
    match groups.calls[place]:
        case AggregateCall(name, (Reference(0, index),), False, None) if name == function:
            return index
        case _:
            return None


def _of_sides(
    kind: Choice["except", "intersect"],
    query: Query,
    keys: Sequence[int],
    marks: Marks,
    marked: Sequence[int | None],
) -> Query | None:
    """The set operation of a union's branches, which are told apart by constants in some of their columns."""
    sides: tuple[list[Query], list[Query]] = ([], [])
    for branch in _branches(query):
        found = [None if each is None else constant(branch, each) for each in marked]
        side = marks.get(tuple(each.value if each is not None else "" for each in found))
        if side is None:
            return None
        sides[side].append(Project(branch, tuple(reference(branch, each) for each in keys)))
    empty = Values((), tuple(query.columns[each] for each in keys))
    left, right = (reduce(partial(SetOperation, "union", True), each) if each else empty for each in sides)
    return SetOperation(kind, True, left, right)


def _branches(query: Query) -> Iterator[Query]:
    """The queries of which a query is the union."""
    match query:
        case SetOperation("union", True, left, right):
            yield from _branches(left)
            yield from _branches(right)
        case _:
            yield query
