"""Foreign keys between columns of different types, which SQLite alone understands: it converts before it compares."""

from __future__ import annotations

from typing import Any

from tallystick.core.queries.ranges import NO_VALUES, Range
from tallystick.core.queries.types import SqlType
from tallystick.frontends.sql.dialects import Dialect
from tallystick.frontends.sql.schema_json import parsed_type


def without_keys_between_types(
    schema: dict[str, Any], dialect: Dialect
) -> tuple[dict[str, Any], dict[tuple[str, int], Range]]:
    """A schema in JSON without them, for proofs, and the ranges that keep them in counterexamples.

    NULL refers to no row, so that a column with NULL alone keeps every foreign key.
    """
    kept: dict[str, Any] = {}
    ranges: dict[tuple[str, int], Range] = {}
    for name, table in schema.get("tables", {}).items():
        keys = table.get("foreign_keys") or []
        mixed = [key for key in keys if _types(schema, name, key["columns"], dialect) != _there(schema, key, dialect)]
        columns = [column["name"] for column in table["columns"]]
        ranges |= {(name, columns.index(column)): NO_VALUES for key in mixed for column in key["columns"]}
        kept[name] = {**table, "foreign_keys": [key for key in keys if key not in mixed]}
    return {**schema, "tables": kept}, ranges


def _there(schema: dict[str, Any], key: dict[str, Any], dialect: Dialect) -> list[SqlType | None]:
    return _types(schema, key["ref_table"], key.get("ref_columns") or [], dialect)


def _types(schema: dict[str, Any], table: str, names: list[str], dialect: Dialect) -> list[SqlType | None]:
    columns = {column["name"]: column["type"] for column in schema["tables"][table]["columns"]}
    found = [parsed_type(columns[name], dialect) for name in names]
    return [None if each is None else each.type for each in found]
