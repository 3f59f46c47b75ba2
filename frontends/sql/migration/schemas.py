"""One schema for two dialects: as it is declared in one, and as the other declares the same tables."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from tallystick.core.queries.catalogue import Catalogue, ForeignKey, Table
from tallystick.core.queries.types import TEXT
from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.dialects import Dialect
from tallystick.frontends.sql.migration.types import common_range, counterpart, written
from tallystick.frontends.sql.schema import Schema
from tallystick.frontends.sql.type_names import TypeName


@dataclass(frozen=True)
class Moved:
    """A schema of one dialect in two.

    Attributes:
        left: the tables as they are declared, with the values for which the columns of both have room.
        right: the tables in the other dialect: names as it folds them, types that are counterparts.
        tables: what tables of the right are called on the left.
    """

    left: Schema
    right: Schema
    tables: Mapping[str, str]


def moved(schema: Schema, dialect: Dialect, to: Dialect) -> Moved:
    """The schema of one dialect in another, too.

    A column whose type has no counterpart may be read on neither side. Keys with texts are no keys to a dialect with a
    wider equality of texts.

    Raises SourceError if two tables, or two columns of a table, have one name in the other dialect.
    """
    names = {table.name: _renamed(table.name, dialect, to) for table in schema.catalogue.tables}
    _require_different(names.values(), "tables", to)
    notes: dict[tuple[str, int], str] = {}
    types: dict[tuple[str, int], TypeName] = {}
    left, right = [], []
    for table in schema.catalogue.tables:
        columns = [_renamed(column.name, dialect, to) for column in table.columns]
        _require_different(columns, f"columns of table {table.name}", to)
        ranges = []
        for index, column in enumerate(table.columns):
            place, declared = (table.name, index), schema.types.get((table.name, index))
            other = None if declared is None else counterpart(declared, to)
            if other is not None:
                types[place] = other
            elif place not in schema.notes or declared is not None:
                kind = _named(declared, dialect)
                notes[place] = f"values of the type {kind} of {dialect.name} have no counterpart in {to.name}"
            ranges.append(common_range(column.range, None if other is None else other.range))
        left.append(
            replace(
                table,
                columns=tuple(replace(each, range=room) for each, room in zip(table.columns, ranges, strict=True)),
            )
        )
        right.append(_right(left[-1], columns, names, dialect, to))
    renamed = lambda place: (names[place[0]], place[1])  # noqa: E731
    both = {**schema.notes, **notes}
    unenforced = schema.unenforced if to.enforces_keys else frozenset(table.name for table in left)
    return Moved(
        replace(schema, catalogue=Catalogue(tuple(left)), notes=both, unenforced=unenforced),
        Schema(
            Catalogue(tuple(right)),
            {renamed(place): note for place, note in both.items()},
            {renamed(place): other for place, other in types.items()},
            frozenset(names[each] for each in unenforced),
        ),
        {new: old for old, new in names.items()},
    )


def counterparts(schema: Schema, tables: Collection[str], dialect: Dialect, to: Dialect) -> dict[str, str]:
    """What becomes of the types of columns of some tables, by their names in the dialect, where they have one."""
    found: dict[str, str] = {}
    for (table, _), declared in schema.types.items():
        if table in tables and counterpart(declared, to) is not None:
            found[_named(declared, dialect)] = written(declared, to) or ""
    return found


def _named(declared: TypeName | None, dialect: Dialect) -> str:
    if declared is None:
        return "that is declared"
    return declared.kind or written(declared, dialect) or str(declared.type).upper()


def _right(table: Table, columns: list[str], names: Mapping[str, str], dialect: Dialect, to: Dialect) -> Table:
    """A table of the left in the other dialect."""
    of_text = {index for index, column in enumerate(table.columns) if column.type == TEXT}
    wider = to.collation != "binary" and dialect.collation == "binary"
    return Table(
        names[table.name],
        tuple(replace(column, name=name) for column, name in zip(table.columns, columns, strict=True)),
        tuple(key for key in table.keys if not (wider and of_text & set(key))),
        tuple(ForeignKey(key.columns, names[key.table], key.referenced) for key in table.foreign_keys)
        if not wider
        else (),
    )


def _renamed(name: str, dialect: Dialect, to: Dialect) -> str:
    """A name of a schema in another dialect: one that is as if it was not quoted is not quoted there, either."""
    parts = name.split(".")
    plain = dialect.identifiers in ("ignored", "kept") or all(dialect.folded(each, False) == each for each in parts)
    if not plain:
        return name
    folds = dialect.identifiers in ("lower", "upper")
    return ".".join(to.stored(each.lower() if folds else each, False) for each in parts)


def _require_different(names: object, what: str, to: Dialect) -> None:
    listed = [to.declared(name) for name in names]  # type: ignore[attr-defined]
    if len(set(listed)) != len(listed):
        raise SourceError(f"two {what} have one name in {to.name}", "the schema")
