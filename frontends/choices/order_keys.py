"""Keys of ORDER BY that part no rows, since the keys before them determine them.

    SELECT id, name FROM c ORDER BY id, name             -- id is a key of c: ORDER BY id
    SELECT k, COUNT(*) AS n FROM t GROUP BY k ORDER BY k, n        -- a row for each k: ORDER BY k
    SELECT COUNT(*) AS n FROM t ORDER BY n LIMIT 1       -- one row

Rows that agree on some columns agree on the columns that these *determine*; NULL agrees with NULL. Keys with a column
that may be NULL determine nothing, since several rows may have NULL in them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from tallystick.core.queries.calls import OrderKey
from tallystick.core.queries.catalogue import Catalogue
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
    Statement,
    Values,
    Window,
)
from tallystick.core.queries.traversal import parts

Columns = frozenset[int]


def with_parting_keys(left: Statement, right: Statement, catalogue: Catalogue) -> tuple[Statement, Statement]:
    """Two statements without keys of their orders that part no rows.

    Where one returns one row at most, lists are equal if bags are. Keys stay where both orders have the same directions
    and only one of them can be seen to have too many.
    """
    if has_at_most_one_row(left.query) or has_at_most_one_row(right.query):
        return replace(left, order=()), replace(right, order=())
    orders = [parting_keys(each.query, each.order, catalogue) for each in (left, right)]
    if _directions(left.order) == _directions(right.order) and _directions(orders[0]) != _directions(orders[1]):
        return left, right
    return replace(left, order=orders[0]), replace(right, order=orders[1])


def _directions(order: Iterable[OrderKey]) -> list[tuple[bool, bool]]:
    return [(key.descending, key.nulls_first) for key in order]


def parting_keys(query: Query, order: Iterable[OrderKey], catalogue: Catalogue) -> tuple[OrderKey, ...]:
    """The keys, all columns of the query, without those that the keys before them determine."""
    kept: list[OrderKey] = []
    known = Columns()
    for key in order:
        known = determined(query, known, catalogue)
        if not (isinstance(key.expression, Reference) and key.expression.index in known):
            kept.append(key)
            known |= _columns(key.expression)
    return tuple(kept)


def has_at_most_one_row(query: Query) -> bool:
    """Whether a query can be seen to have no second row."""
    match query:
        case Values(rows=rows):
            return len(rows) <= 1
        case Aggregate():
            return not query.keys and query.grouping_sets is None
        case Limit(count=count) if count is not None and count <= 1:
            return True
        case Filter() | Project() | Distinct() | Window() | Limit():
            return has_at_most_one_row(query.input)
        case _:
            return False


def determined(query: Query, known: Columns, catalogue: Catalogue) -> Columns:
    """These columns of a query, and columns in which rows agree that agree on these."""
    match query:
        case Scan():
            return known | _of_table(query, known, catalogue)
        case Filter(input=inner) | Distinct(input=inner) | Limit(input=inner):
            equations = _equations(query.condition) if isinstance(query, Filter) else ()
            return _closed(known, lambda columns: determined(inner, _equated(columns, equations), catalogue))
        case Window(input=inner):
            return known | determined(inner, _below(known, len(inner.columns)), catalogue)
        case Project():
            return known | _of_values(query.input, query.expressions, known, catalogue)
        case Aggregate() if query.grouping_sets is None:
            keys = _below(known, len(query.keys))
            keys |= _of_values(query.input, query.keys, keys, catalogue)
            return Columns(range(len(query.columns))) if len(keys) == len(query.keys) else known | keys
        case Join():
            return known | _of_join(query, known, catalogue)
        case SetOperation(kind="intersect" | "except"):
            return determined(query.left, known, catalogue)
        case _:
            return known


def _of_table(scan: Scan, known: Columns, catalogue: Catalogue) -> Columns:
    """All columns of a table, one of whose keys is known."""
    for key in catalogue.by_name[scan.table].keys:
        if known.issuperset(key) and not any(scan.columns[index].nullable for index in key):
            return Columns(range(len(scan.columns)))
    return known


def _of_values(inner: Query, values: tuple[Expression, ...], known: Columns, catalogue: Catalogue) -> Columns:
    """The places of values, of rows below, that are determined by some of them."""
    below = Columns().union(*(_columns(values[index]) for index in known))
    below = determined(inner, below, catalogue)
    return Columns(
        index
        for index, value in enumerate(values)
        if index in known
        or (
            all(of.level > 0 or of.index in below for of in value.free)
            and not any(isinstance(part, WithQuery) for part in parts(value))
        )
    )


def _of_join(join: Join, known: Columns, catalogue: Catalogue) -> Columns:
    width = len(join.left.columns)
    if join.kind in ("right", "full"):
        return known
    if join.kind in ("semi", "anti"):
        return determined(join.left, known, catalogue)
    equations = _equations(join.condition)

    def step(columns: Columns) -> Columns:
        left = determined(join.left, _below(columns, width), catalogue)
        own = Columns(index - width for index in columns if index >= width)
        whole = left | {index + width for index in own}
        if join.kind == "inner":  # on padded rows, no equation need hold
            whole = _equated(whole, equations)
            left, own = _below(whole, width), Columns(index - width for index in whole if index >= width)
            right = own if join.lateral else determined(join.right, own, catalogue)
        elif len(left) == width and not join.lateral:  # one left row: padded, or its partners satisfy the equations
            matched = Columns(index - width for index in _equated(whole, equations) if index >= width)
            right = determined(join.right, matched, catalogue)
        else:
            right = own
        return left | {index + width for index in right}

    return _closed(known, step)


def _closed(known: Columns, step: Callable[[Columns], Columns]) -> Columns:
    """What steps find that add columns, until there are none to add."""
    while (more := known | step(known)) != known:
        known = more
    return known


def _equations(condition: Expression) -> tuple[tuple[Columns, Columns], ...]:
    """Columns of which a condition says that they have one value, or that of a constant or of a row around."""
    return tuple(_equations_of(condition))


def _equations_of(condition: Expression) -> Iterator[tuple[Columns, Columns]]:
    if isinstance(condition, And):
        for each in condition.operands:
            yield from _equations_of(each)
    elif isinstance(condition, Comparison) and condition.operator in ("=", "<=>"):
        sides = condition.left, condition.right
        if all(isinstance(side, Reference | Literal) for side in sides):
            yield _columns(sides[0]), _columns(sides[1])


def _equated(known: Columns, equations: tuple[tuple[Columns, Columns], ...]) -> Columns:
    """Known columns, with those that equations give the value of a known one, or a constant."""

    def step(columns: Columns) -> Columns:
        pairs = (pair for each in equations for pair in (each, each[::-1]))
        return columns.union(*(other for one, other in pairs if one <= columns))

    return _closed(known, step)


def _columns(value: Expression) -> Columns:
    """The column that a value is; none for any other value."""
    return Columns((value.index,)) if isinstance(value, Reference) and value.level == 0 else Columns()


def _below(columns: Columns, width: int) -> Columns:
    return Columns(index for index in columns if index < width)
