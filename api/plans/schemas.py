"""Schemas for Spark: the types of columns as they are written, and the constraints that plans are read with."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlglot import exp
from tallystick.core.queries.catalogue import Table
from tallystick.frontends.catalyst.data import name_text
from tallystick.frontends.catalyst.reading import SourceColumn, SourceTable
from tallystick.frontends.catalyst.types import column_type
from tallystick.frontends.sql.dialects import SPARK
from tallystick.frontends.sql.reader import read_schema
from tallystick.frontends.sql.source import Source, read_text, statements


@dataclass(frozen=True)
class DeclaredTable:
    """A table as a schema declares it: its constraints, and its columns with the texts of their types."""

    table: Table
    types: tuple[str, ...]

    @property
    def creation(self) -> str:
        """The statement that creates the table, empty, in Spark."""
        columns = (
            f"{name_text(column.name)} {type_}{'' if column.nullable else ' NOT NULL'}"
            for column, type_ in zip(self.table.columns, self.types, strict=True)
        )
        return f"CREATE TABLE {name_text(self.table.name)} ({', '.join(columns)}) USING parquet"

    def source(self, columns: Iterable[Mapping[str, Any]]) -> SourceTable:
        """The table with the types that Spark gives its columns. What is not understood is refused where it is read."""
        found = [
            SourceColumn(declared.name, column_type(column["type"]), declared.nullable)
            for declared, column in zip(self.table.columns, columns, strict=True)
        ]
        foreign = tuple((key.columns, key.table.lower(), key.referenced) for key in self.table.foreign_keys)
        return SourceTable(self.table.name.lower(), tuple(found), self.table.keys, foreign)


def declared_tables(schema: Source) -> list[DeclaredTable]:
    """The tables of a schema: CREATE TABLE statements or JSON, as a text or as a path. CHECKs are not used."""
    catalogue = read_schema(schema, SPARK).catalogue
    types = {name.lower(): columns for name, columns in _types(schema).items()}
    found = []
    for table in catalogue.tables:
        columns = types[table.name.lower()]
        found.append(DeclaredTable(table, tuple(columns[column.name.lower()] for column in table.columns)))
    return found


def _types(schema: Source) -> dict[str, dict[str, str]]:
    """The texts of the types of columns, by the names of tables and columns."""
    text = read_text(schema, "the schema")
    if text.text.lstrip().startswith("{"):
        tables = json.loads(text.text)["tables"]
        return {
            name: {column["name"].lower(): column["type"] for column in body["columns"]}
            for name, body in tables.items()
        }
    found: dict[str, dict[str, str]] = {}
    for statement in statements(text, SPARK):
        for definition in statement.find_all(exp.ColumnDef):
            kind = definition.args.get("kind")
            table = statement.find(exp.Table)
            if isinstance(kind, exp.DataType) and table is not None:
                found.setdefault(table.name, {})[definition.name.lower()] = kind.sql("spark")
    return found
