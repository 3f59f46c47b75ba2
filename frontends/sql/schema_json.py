"""Schemas in JSON: tables by name, with columns, primary_key, unique and foreign_keys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlglot import exp
from sqlglot.errors import ParseError, TokenError
from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.dialects import Dialect
from tallystick.frontends.sql.schema import (
    DeclaredColumn,
    DeclaredReference,
    DeclaredTable,
    Schema,
    SchemaBuilder,
)
from tallystick.frontends.sql.type_names import TypeName, type_name


def schema_from_json(data: object, dialect: Dialect, source: str) -> Schema:
    """The schema of `{"tables": {name: {"columns": [{"name", "type", "nullable"}], "primary_key": […], …}}}`.

    Raises SourceError, which names the source, where the data have another form.
    """
    tables = _member(data, "tables", dict, source)
    declared = [_table(name, body, dialect, source) for name, body in tables.items()]
    return SchemaBuilder(source, dialect).build(declared)


def _table(name: object, body: object, dialect: Dialect, source: str) -> DeclaredTable:
    where = f"{source}: table {name}"
    columns = [_column(each, dialect, where) for each in _member(body, "columns", list, where)]
    keys = _optional(body, "unique", list, where)
    return DeclaredTable(
        str(name),
        columns,
        _names(_optional(body, "primary_key", list, where), where),
        [_names(key if isinstance(key, list) else [key], where) for key in keys],
        [_reference(each, where) for each in _optional(body, "foreign_keys", list, where)],
        enforced=dialect.enforces_keys,
    )


def _column(data: object, dialect: Dialect, where: str) -> DeclaredColumn:
    name = _member(data, "name", str, where)
    text = _member(data, "type", str, where)
    nullable = _optional(data, "nullable", bool, where, default=True)
    return DeclaredColumn(name, parsed_type(text, dialect), text, nullable)


def parsed_type(text: str, dialect: Dialect) -> TypeName | None:
    """What the name of a type stands for; None if it is not understood."""
    for parser in (dialect.parser, None):
        try:
            built = exp.DataType.build(text, dialect=parser)
        except (ParseError, TokenError, ValueError):
            continue
        return type_name(built, dialect)
    return None


def _reference(data: object, where: str) -> DeclaredReference:
    columns = _names(_member(data, "columns", list, where), where)
    table = _member(data, "ref_table", str, where)
    return DeclaredReference(columns, table, _names(_optional(data, "ref_columns", list, where), where))


def _names(data: list[Any], where: str) -> list[str]:
    if not all(isinstance(each, str) for each in data):
        raise SourceError("a key is a list of names of columns", where)
    return list(data)


def _member(data: object, key: str, kind: type, where: str) -> Any:
    if not isinstance(data, Mapping) or not isinstance(data.get(key), kind):
        expected = {dict: "an object", list: "a list", str: "a text"}[kind]
        raise SourceError(f"the schema has no {key!r}, or it is not {expected}", where)
    return data[key]


def _optional(data: object, key: str, kind: type, where: str, default: Any = ()) -> Any:
    if not isinstance(data, Mapping) or data.get(key) is None:
        return list(default) if kind is list else default
    if not isinstance(data[key], kind):
        raise SourceError(f"{key!r} of the schema is not of type {kind.__name__}", where)
    return data[key]
