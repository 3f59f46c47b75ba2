"""What SQLite alone understands: sizes of types that it does not heed, and foreign keys between columns of different
types, which it converts before it compares."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tallystick.core.queries.catalogue import Catalogue, Column
from tallystick.core.queries.ranges import Range
from tallystick.core.queries.types import BOOLEAN, TEXT, SqlType
from tallystick.frontends.sql.dialects import Dialect
from tallystick.frontends.sql.schema_json import parsed_type


def without_keys_between_types(
    schema: dict[str, Any], dialect: Dialect
) -> tuple[dict[str, Any], frozenset[tuple[str, int]]]:
    """A schema in JSON without them, and their columns."""
    kept: dict[str, Any] = {}
    found: set[tuple[str, int]] = set()
    for name, table in schema.get("tables", {}).items():
        keys = table.get("foreign_keys") or []
        mixed = [key for key in keys if _types(schema, name, key["columns"], dialect) != _there(schema, key, dialect)]
        columns = [dialect.declared(column["name"]) for column in table["columns"]]
        found |= {(name, columns.index(dialect.declared(column))) for key in mixed for column in key["columns"]}
        kept[name] = {**table, "foreign_keys": [key for key in keys if key not in mixed]}
    return {**schema, "tables": kept}, frozenset(found)


def for_proofs(catalogue: Catalogue) -> Catalogue:
    """The tables without ranges: any column may hold any number and a text of any length."""
    return _with_columns(catalogue, lambda _table, _index, column: replace(column, range=None))


def for_counterexamples(catalogue: Catalogue, mixed: frozenset[tuple[str, int]]) -> Catalogue:
    """The tables with NULL alone in the columns of foreign keys between types: it refers to no row, so that such a
    database keeps every foreign key."""

    def column_of(table: str, index: int, column: Column) -> Column:
        return replace(column, range=no_values(column.type)) if (table, index) in mixed else column

    return _with_columns(catalogue, column_of)


def no_values(type_: SqlType) -> Range | None:
    """Room for NULL alone; for all truth values, which are no keys."""
    return None if type_ == BOOLEAN else Range(length=-1) if type_ == TEXT else Range(scale=0, least=1, greatest=0)


def _with_columns(catalogue: Catalogue, column_of: Callable[[str, int, Column], Column]) -> Catalogue:
    return Catalogue(
        tuple(
            replace(table, columns=tuple(column_of(table.name, *each) for each in enumerate(table.columns)))
            for table in catalogue.tables
        )
    )


def _there(schema: dict[str, Any], key: dict[str, Any], dialect: Dialect) -> list[SqlType | None]:
    return _types(schema, key["ref_table"], key.get("ref_columns") or [], dialect)


def _types(schema: dict[str, Any], table: str, names: list[str], dialect: Dialect) -> list[SqlType | None]:
    tables = {dialect.declared(name): body for name, body in schema["tables"].items()}
    listed = tables[dialect.declared(table)]["columns"]
    columns = {dialect.declared(column["name"]): column["type"] for column in listed}
    found = [parsed_type(columns[dialect.declared(name)], dialect) for name in names]
    return [None if each is None else each.type for each in found]
