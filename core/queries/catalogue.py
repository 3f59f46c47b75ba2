"""The catalogue: the tables of a database and the constraints that every database is assumed to satisfy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from tallystick.core.queries.nodes import Scan, bound, nodes
from tallystick.core.queries.ranges import Range
from tallystick.core.queries.types import BOOLEAN, ColumnType, RowType, SqlRow, SqlType, require

if TYPE_CHECKING:
    from tallystick.core.queries.expressions import Expression

Database = Mapping[str, tuple[SqlRow, ...]]
"""The rows of each table, in no particular order."""


@dataclass(frozen=True)
class Column:
    """A column of a table; without a range, it has room for all values of its type."""

    name: str
    type: SqlType
    nullable: bool = True
    range: Range | None = None

    def __post_init__(self) -> None:
        fits = self.range is None or self.range.is_of(self.type)
        require(fits, f"the range of column {self.name} is none of values of type {self.type}")


@dataclass(frozen=True)
class ForeignKey:
    """Each row has a NULL in one of `columns`, or equals a row of `table` in `referenced`."""

    columns: tuple[int, ...]
    table: str
    referenced: tuple[int, ...]


@dataclass(frozen=True)
class Table:
    """A table with its constraints.

    `keys` are the primary and the unique keys: two rows agree on a key only if one of its columns is NULL in them;
    that the columns of a primary key are NOT NULL is said by the columns. A key of no columns leaves one row at most. A
    check is a boolean expression over the row, of level 0, that is not false on any row; it has no subqueries.
    """

    name: str
    columns: tuple[Column, ...]
    keys: tuple[tuple[int, ...], ...] = ()
    foreign_keys: tuple[ForeignKey, ...] = ()
    checks: tuple[Expression, ...] = ()

    def __post_init__(self) -> None:
        require(bool(self.columns), f"table {self.name} has no columns")
        require(all(key.columns for key in self.foreign_keys), f"a foreign key of table {self.name} has no columns")
        for columns in (*self.keys, *(key.columns for key in self.foreign_keys)):
            known = all(0 <= index < len(self.columns) for index in columns)
            require(known, f"a key of table {self.name} names a column that does not exist")
        for check in self.checks:
            require(check.type == BOOLEAN, f"a check of table {self.name} is boolean, not {check.type}")
            alone = not bound(check.free, self.row) and not any(node.inputs for node in nodes(check))
            require(alone, f"a check of table {self.name} sees its row alone")

    @cached_property
    def row(self) -> RowType:
        """The type of its rows."""
        return tuple(ColumnType(column.type, column.nullable) for column in self.columns)

    @property
    def shape(self) -> tuple[tuple[str, ColumnType], ...]:
        """The names of its columns and what they may hold, whatever their ranges are."""
        return tuple(zip((column.name for column in self.columns), self.row, strict=True))

    @cached_property
    def ranges(self) -> dict[int, Range]:
        """The ranges of its columns, by position."""
        return {index: column.range for index, column in enumerate(self.columns) if column.range is not None}

    @property
    def bounded(self) -> tuple[int, ...]:
        """The columns of numbers with bounds."""
        return tuple(index for index, room in self.ranges.items() if room.bounded)

    @property
    def is_constrained(self) -> bool:
        """Whether it has a key, a foreign key or a check. Values are in the ranges of their columns anyway."""
        return bool(self.keys or self.foreign_keys or self.checks)

    def scan(self) -> Scan:
        """The query that reads the table."""
        return Scan(self.name, self.row)


@dataclass(frozen=True)
class Catalogue:
    """Tables with different names; a foreign key refers to a key of its table."""

    tables: tuple[Table, ...]

    def __post_init__(self) -> None:
        require(len(self.by_name) == len(self.tables), "two tables of the catalogue have one name")
        for table in self.tables:
            for key in table.foreign_keys:
                described = f"the foreign key of table {table.name} to {key.table}"
                require(key.table in self.by_name, f"{described}: there is no such table")
                target = self.by_name[key.table]
                known = all(0 <= index < len(target.columns) for index in key.referenced)
                require(known, f"{described} names a column that does not exist")
                left = [table.columns[index].type for index in key.columns]
                right = [target.columns[index].type for index in key.referenced]
                require(left == right, f"{described}: the columns have different types")

    @cached_property
    def by_name(self) -> dict[str, Table]:
        """The tables by their names."""
        return {table.name: table for table in self.tables}
