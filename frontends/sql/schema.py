"""Schemas: the tables that queries may name, their constraints, and what is noted of columns beside their types."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from tallystick.core.errors import SortError
from tallystick.core.queries.catalogue import Catalogue, Column, ForeignKey, Table
from tallystick.core.queries.expressions import Expression
from tallystick.core.queries.ranges import Range
from tallystick.core.queries.types import DOUBLE, REAL, TEXT, SqlType
from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.dialects import Dialect
from tallystick.frontends.sql.type_names import TypeName

FLOATING = "floating"
"""The note of a column of floating-point numbers."""


@dataclass(frozen=True)
class Schema:
    """A catalogue, and what it does not say.

    Attributes:
        notes: why a column may not be read, by table and position; FLOATING if it holds floating-point numbers.
        types: what the types of columns are called, by table and position.
        unenforced: tables with keys or checks that the database does not enforce.
        padded: columns whose texts are padded with blanks, by table and position.
        above: what names the texts that make its tables, where texts do: it says the types that `types` does not.
    """

    catalogue: Catalogue
    notes: dict[tuple[str, int], str] = field(default_factory=dict)
    types: dict[tuple[str, int], TypeName] = field(default_factory=dict)
    unenforced: frozenset[str] = frozenset()
    padded: frozenset[tuple[str, int]] = frozenset()
    above: str = ""

    def with_floats(self) -> Schema:
        """The schema with floating-point numbers as values that are known by their order; where a check reads them,
        and where their bits are not known, they remain what may not be read."""
        places = {
            (table.name, index): known
            for table in self.catalogue.tables
            if not table.checks
            for index in range(len(table.columns))
            if self.notes.get((table.name, index)) == FLOATING
            and (known := by_order(self.types[table.name, index])) is not None
        }
        if not places:
            return self
        tables = tuple(
            replace(
                table,
                columns=tuple(
                    replace(each, type=places[table.name, index], range=None) if (table.name, index) in places else each
                    for index, each in enumerate(table.columns)
                ),
            )
            for table in self.catalogue.tables
        )
        notes = {place: note for place, note in self.notes.items() if place not in places}
        named = {place: TypeName(type_, exact=self.types[place].exact) for place, type_ in places.items()}
        return replace(self, catalogue=Catalogue(tables), notes=notes, types={**self.types, **named})


def by_order(declared: TypeName) -> SqlType | None:
    """The type of floating-point numbers whose values are known by their order; None if their bits are not known."""
    return None if declared.double is None else DOUBLE if declared.double else REAL


@dataclass
class DeclaredColumn:
    """A column as a schema declares it; `type` is None if values of the type are not understood."""

    name: str
    type: TypeName | None
    type_text: str
    nullable: bool = True

    @property
    def value_type(self) -> SqlType:
        """The type of the values; one that is not understood counts as text, which is never read."""
        return TEXT if self.type is None else self.type.type

    @property
    def range(self) -> Range | None:
        """What values it has room for."""
        return None if self.type is None else self.type.range


@dataclass
class DeclaredReference:
    """A foreign key as a schema declares it; without `referenced`, it refers to the primary key."""

    columns: list[str]
    table: str
    referenced: list[str]


@dataclass
class DeclaredTable:
    """A table as a schema declares it, by names."""

    name: str
    columns: list[DeclaredColumn]
    primary_key: list[str] = field(default_factory=list)
    unique: list[list[str]] = field(default_factory=list)
    references: list[DeclaredReference] = field(default_factory=list)
    checks: list[Expression] = field(default_factory=list)
    enforced: bool = True


class SchemaBuilder:
    """Puts declared tables together.

    Raises SourceError, which names the schema, where a name is unknown or declared twice.
    """

    def __init__(self, source: str, dialect: Dialect) -> None:
        self.source = source
        self.dialect = dialect

    def build(self, tables: Sequence[DeclaredTable]) -> Schema:
        """The schema of the tables."""
        self._tables = {self._compared(table.name): table for table in tables}
        if len(self._tables) != len(tables):
            raise SourceError("two tables have one name", self.source)
        try:
            catalogue = Catalogue(tuple(self._table(table) for table in tables))
        except SortError as problem:
            raise SourceError(str(problem), self.source) from None
        places = [(table, index, column) for table in tables for index, column in enumerate(table.columns)]
        return Schema(
            catalogue,
            {(table.name, index): note for table, index, column in places if (note := note_of(column))},
            {(table.name, index): column.type for table, index, column in places if column.type is not None},
            frozenset(table.name for table in tables if not table.enforced),
            frozenset(
                (table.name, index) for table, index, column in places if column.type is not None and column.type.padded
            ),
        )

    def _compared(self, name: str) -> str:
        return self.dialect.declared(name)

    def _table(self, table: DeclaredTable) -> Table:
        names = [self._compared(column.name) for column in table.columns]
        if len(set(names)) != len(names):
            raise SourceError(f"two columns of table {table.name} have one name", self.source)
        primary = self._positions(table, table.primary_key)
        columns = tuple(
            Column(column.name, column.value_type, column.nullable and index not in primary, column.range)
            for index, column in enumerate(table.columns)
        )
        keys = [primary, *(self._positions(table, key) for key in table.unique)]
        foreign = tuple(self._foreign(table, each) for each in table.references)
        if self.dialect.collation != "binary":  # a text may refer to one that is equal in the collation alone
            foreign = tuple(key for key in foreign if all(columns[index].type != TEXT for index in key.columns))
        return Table(
            table.name, columns, tuple(dict.fromkeys(key for key in keys if key)), foreign, tuple(table.checks)
        )

    def _positions(self, table: DeclaredTable, names: Iterable[str]) -> tuple[int, ...]:
        known = [self._compared(column.name) for column in table.columns]
        found = []
        for name in names:
            if self._compared(name) not in known:
                raise SourceError(f"a key names a column {name} that table {table.name} does not have", self.source)
            found.append(known.index(self._compared(name)))
        return tuple(found)

    def _foreign(self, table: DeclaredTable, key: DeclaredReference) -> ForeignKey:
        target = self._tables.get(self._compared(key.table))
        if target is None:
            message = f"a foreign key of table {table.name} refers to a table {key.table} that is not declared"
            raise SourceError(message, self.source)
        referenced = key.referenced or target.primary_key
        if len(referenced) != len(key.columns):
            message = (
                f"a foreign key of table {table.name} has {len(key.columns)} columns and refers to {len(referenced)}"
            )
            raise SourceError(message, self.source)
        return ForeignKey(self._positions(table, key.columns), target.name, self._positions(target, referenced))


def note_of(column: DeclaredColumn) -> str:
    """Why a column may not be read: see `Schema.notes`; "" if it may."""
    if column.type is None:
        return f"values of the type {column.type_text} are not understood"
    return FLOATING if column.type.floating else ""
