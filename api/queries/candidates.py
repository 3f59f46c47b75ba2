"""Constraints that a catalogue lacks, and that two queries might rely on: keys, foreign keys and NOT NULL.

Candidates are about columns that the queries compare, group by or return, since a constraint on others seldom matters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from tallystick.core.queries.catalogue import Catalogue, ForeignKey, Table
from tallystick.core.queries.expressions import Comparison, Expression, Reference, WithQuery
from tallystick.core.queries.syntax import (
    Aggregate,
    Distinct,
    Filter,
    Join,
    Limit,
    Project,
    Query,
    Scan,
    Statement,
    Window,
)
from tallystick.core.queries.traversal import expressions_of, inputs

Place = tuple[str, int]
"""A column of a table."""


@dataclass(frozen=True)
class NotNull:
    """A column holds no NULL."""

    table: str
    column: int

    def added(self, catalogue: Catalogue) -> Catalogue:
        """The catalogue with this constraint."""
        return _changed(catalogue, self.table, lambda table: _without_null(table, (self.column,)))

    def text(self, catalogue: Catalogue) -> str:
        """The constraint in words of SQL."""
        return f"{self.table}.{catalogue.by_name[self.table].columns[self.column].name} NOT NULL"


@dataclass(frozen=True)
class PrimaryKey:
    """No two rows agree on the columns, which hold no NULL."""

    table: str
    columns: tuple[int, ...]

    def added(self, catalogue: Catalogue) -> Catalogue:
        """The catalogue with this constraint."""

        def keyed(table: Table) -> Table:
            keys = tuple(dict.fromkeys((*table.keys, self.columns)))
            return replace(_without_null(table, self.columns), keys=keys)

        return _changed(catalogue, self.table, keyed)

    def text(self, catalogue: Catalogue) -> str:
        """The constraint in words of SQL."""
        return f"{self.table}: PRIMARY KEY ({_names_of(catalogue.by_name[self.table], self.columns)})"


@dataclass(frozen=True)
class Refers:
    """Each value of a column that is not NULL is one of a column of a table, where it is a key."""

    table: str
    column: int
    target: str
    referenced: int

    def added(self, catalogue: Catalogue) -> Catalogue:
        """The catalogue with this constraint, and with the key that it needs."""
        if (self.referenced,) not in catalogue.by_name[self.target].keys:
            catalogue = PrimaryKey(self.target, (self.referenced,)).added(catalogue)
        key = ForeignKey((self.column,), self.target, (self.referenced,))
        return _changed(catalogue, self.table, lambda table: replace(table, foreign_keys=(*table.foreign_keys, key)))

    def text(self, catalogue: Catalogue) -> str:
        """The constraint in words of SQL."""
        here = _names_of(catalogue.by_name[self.table], (self.column,))
        target = catalogue.by_name[self.target]
        there = _names_of(target, (self.referenced,))
        also = "" if (self.referenced,) in target.keys else f", the PRIMARY KEY of {self.target}"
        return f"{self.table}: FOREIGN KEY ({here}) REFERENCES {self.target} ({there}){also}"


Constraint = NotNull | PrimaryKey | Refers


def candidates(catalogue: Catalogue, *statements: Statement) -> list[Constraint]:
    """Constraints that the catalogue does not have, the most natural first."""
    seen = _Seen()
    for statement in statements:
        seen.query(statement.query, ())
    tables = catalogue.by_name
    interesting = list(dict.fromkeys((*seen.compared, *seen.others)))
    found: list[Constraint] = [NotNull(*place) for place in interesting if tables[place[0]].columns[place[1]].nullable]
    keys = [PrimaryKey(table, (column,)) for table, column in interesting]
    keys += [PrimaryKey(*together) for together in seen.together]
    found += [key for key in keys if not _has_key(tables[key.table], key.columns)]
    pairs = [pair for equated in seen.equated for pair in (equated, equated[::-1])]
    references = [Refers(*here, *there) for here, there in pairs if _may_refer(tables, here, there)]
    found += [each for each in references if not _refers(tables[each.table], each)]
    return list(dict.fromkeys(found))


def _may_refer(tables: Mapping[str, Table], here: Place, there: Place) -> bool:
    """Whether a foreign key is natural: to another table, where the column is a key or the first one."""
    target = tables[there[0]]
    return here[0] != there[0] and ((there[1],) in target.keys or (there[1] == 0 and not target.keys))


def _has_key(table: Table, columns: tuple[int, ...]) -> bool:
    """Whether a key is among the columns, and none of them may be NULL."""
    known = any(set(key) <= set(columns) for key in table.keys)
    return known and not any(table.columns[column].nullable for column in columns)


def _refers(table: Table, reference: Refers) -> bool:
    key = ForeignKey((reference.column,), reference.target, (reference.referenced,))
    return key in table.foreign_keys


def _without_null(table: Table, columns: Iterable[int]) -> Table:
    changed = [replace(column, nullable=column.nullable and i not in columns) for i, column in enumerate(table.columns)]
    return replace(table, columns=tuple(changed))


def _changed(catalogue: Catalogue, name: str, change: Callable[[Table], Table]) -> Catalogue:
    return Catalogue(tuple(change(table) if table.name == name else table for table in catalogue.tables))


def _names_of(table: Table, columns: tuple[int, ...]) -> str:
    return ", ".join(table.columns[column].name for column in columns)


class _Seen:
    """What queries do with columns of tables.

    Attributes:
        compared: columns that are compared or grouped by.
        others: columns that are computed with or returned.
        equated: pairs of columns that are compared for equality.
        together: for each condition and table, the columns that it equates with something, if there are two or more.
    """

    def __init__(self) -> None:
        self.compared: dict[Place, None] = {}
        self.others: dict[Place, None] = {}
        self.equated: dict[tuple[Place, Place], None] = {}
        self.together: dict[tuple[str, tuple[int, ...]], None] = {}
        self._visited: set[int] = set()

    def query(self, query: Query, outer: tuple[Query, ...]) -> None:
        """Looks at a query whose level 1 reads rows of outer[0]."""
        if id(query) in self._visited:
            return
        self._visited.add(id(query))
        for each in inputs(query):
            around = (
                (query.left, *outer) if isinstance(query, Join) and query.lateral and each is query.right else outer
            )
            self.query(each, around)
        rows = (_row_of(query), *outer)
        for expression in expressions_of(query):
            used = self.expression(expression, rows)
            if isinstance(query, Aggregate) and expression in query.keys:
                self.compared |= dict.fromkeys(used)
            if isinstance(query, Filter | Join):
                self._condition(used)

    def expression(self, expression: Expression, rows: tuple[Query, ...]) -> list[Place]:
        """Looks at an expression; the columns that it equates with something, and those that it is."""
        used: list[Place] = []
        if isinstance(expression, Reference):
            place = origin(rows, expression)
            if place is not None:
                self.others[place] = None
                used.append(place)
        for operand in expression.operands:
            used += self.expression(operand, rows)
        if isinstance(expression, Comparison) and expression.operator in ("=", "<=>"):
            sides = [origin(rows, each) for each in (expression.left, expression.right)]
            self.compared |= {place: None for place in sides if place is not None}
            if sides[0] is not None and sides[1] is not None:
                self.equated[sides[0], sides[1]] = None
        if isinstance(expression, WithQuery):
            self.query(expression.query, rows)
        return used

    def _condition(self, used: list[Place]) -> None:
        for table in {table for table, _ in used}:
            columns = tuple(
                sorted({column for name, column in used if name == table and (name, column) in self.compared})
            )
            if 2 <= len(columns) <= 3:
                self.together[table, columns] = None


def _row_of(query: Query) -> Query:
    """A query whose columns are those that the expressions of a node see."""
    if isinstance(query, Join):
        return replace(query, kind="inner") if query.kind != "inner" else query
    return inputs(query)[0] if inputs(query) else query


def origin(rows: tuple[Query, ...], expression: Expression) -> Place | None:
    """The column of a table that an expression is, if it is nothing else."""
    if not isinstance(expression, Reference) or expression.level >= len(rows):
        return None
    return _origin(rows[expression.level], expression.index)


def _origin(query: Query, index: int) -> Place | None:
    match query:
        case Scan(table):
            return table, index
        case Filter(input_) | Distinct(input_) | Limit(input_):
            return _origin(input_, index)
        case Window(input_):
            return _origin(input_, index) if index < len(input_.columns) else None
        case Project(input_, expressions):
            return origin((input_,), expressions[index])
        case Aggregate(input_, keys):
            return origin((input_,), keys[index]) if index < len(keys) else None
        case Join(_, left, right):
            width = len(left.columns)
            return _origin(left, index) if index < width else _origin(right, index - width)
        case _:
            return None
