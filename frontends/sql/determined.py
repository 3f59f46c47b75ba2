"""Columns that a key of their table determines: GROUP BY c.id leaves one c.name to a group, if id is a key.

Such columns become keys of the group themselves, which changes no group. PostgreSQL and MySQL let them be read as they
are; ANY_VALUE of them is what it is of any other key.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from sqlglot import exp
from tallystick.core.queries.catalogue import Table
from tallystick.core.queries.expressions import Expression, Reference
from tallystick.core.queries.syntax import Distinct, Filter, Join, Limit, Project, Query, Scan
from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.aggregates import aggregate_nodes
from tallystick.frontends.sql.expressions import Expressions

READ_AS_THEY_ARE: Final = frozenset({"postgres", "mysql"})
ONE_OF_THE_VALUES: Final = (exp.AnyValue, exp.First, exp.Last)
"""Calls that return some value of a group: the only one, if there is no other."""


def determined_columns(
    rows: Expressions, keys: Sequence[Expression], nodes: Iterable[exp.Expr]
) -> Iterator[tuple[Expression, exp.Expr]]:
    """The columns that are read after GROUP BY, are no keys, and are determined by the keys, with their nodes."""
    for column in _columns_read(rows, nodes):
        try:
            value = rows.read(column)
        except SourceError:  # a name of the SELECT list; what is no name at all is told where it is read
            continue
        if isinstance(value, Reference) and value not in keys and _is_determined(rows, keys, value):
            yield value, column


def _columns_read(rows: Expressions, nodes: Iterable[exp.Expr]) -> Iterator[exp.Expr]:
    for node in nodes:
        for call in aggregate_nodes(node):
            if isinstance(call, ONE_OF_THE_VALUES) and isinstance(call.this, exp.Column):
                yield call.this
        if rows.reading.dialect.name in READ_AS_THEY_ARE:
            yield from _plain_columns(node)


def _plain_columns(node: exp.Expr) -> Iterator[exp.Expr]:
    """Columns that stand in no aggregate and no query."""
    if isinstance(node, exp.Column):
        yield node
    elif not isinstance(node, exp.Query) and node not in aggregate_nodes(node):
        for part in node.iter_expressions():
            yield from _plain_columns(part)


def _is_determined(rows: Expressions, keys: Sequence[Expression], value: Reference) -> bool:
    place = _place(rows, value)
    if place is None:
        return False
    path, table, _ = place
    places = [found for key in keys if (found := _place(rows, key)) is not None]
    columns = {index for way, of, index in places if (way, of.name) == (path, table.name)}
    return any(
        columns.issuperset(key) and not any(table.columns[index].nullable for index in key) for key in table.keys
    )


def _place(rows: Expressions, value: Expression) -> tuple[tuple[str, ...], Table, int] | None:
    """Where a value is copied from: the joins on the way, the table, and the position of its column."""
    if not isinstance(value, Reference) or value.level != 0:
        return None
    query: Query = rows.scope.relation.query
    index = value.index
    path: tuple[str, ...] = ()
    while True:
        match query:
            case Scan(table=name):
                table = next(each for each in rows.reading.schema.catalogue.tables if each.name == name)
                return path, table, index
            case Filter(input=inner) | Limit(input=inner) | Distinct(input=inner):
                query = inner
            case Project(input=inner, expressions=(*parts,)):
                part = parts[index]
                if not (isinstance(part, Reference) and part.level == 0):
                    return None
                query, index = inner, part.index
            case Join(left=left, right=right):
                width = len(left.columns)
                path = (*path, "left" if index < width else "right")
                query, index = (left, index) if index < width else (right, index - width)
            case _:
                return None
