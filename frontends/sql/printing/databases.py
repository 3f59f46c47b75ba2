"""Databases as statements of SQL: tables that are created and filled, or views with their rows."""

from __future__ import annotations

from collections.abc import Sequence

from tallystick.core.queries.catalogue import Catalogue, Column, Database, Table
from tallystick.core.queries.expressions import Reference
from tallystick.core.queries.syntax import (
    Project,
    Values,
    references,
)
from tallystick.core.queries.types import DECIMAL, INTEGER, SqlRow
from tallystick.frontends.sql.printing.literals import Dialect, name_text, type_text, value_text
from tallystick.frontends.sql.printing.queries import QueryPrinter

MOST_DIGITS = 38
"""Of a decimal in the engines."""


def schema_text(table: Table, dialect: Dialect) -> str:
    """The table as a CREATE TABLE statement, without its keys and checks; decimals have the digits of their ranges."""
    columns = []
    for column in table.columns:
        type_ = _declared(column) or type_text(column.type, dialect)
        columns.append(f"{name_text(column.name, dialect)} {type_}{'' if column.nullable else ' NOT NULL'}")
    return f"CREATE TABLE {name_text(table.name, dialect)} ({', '.join(columns)})"


def rows_text(table: Table, database: Database, dialect: Dialect) -> str | None:
    """The rows of the table as one INSERT statement, or None if it has none."""
    rows = [
        [value_text(value, column.type, dialect) for value, column in zip(row, table.columns, strict=True)]
        for row in database.get(table.name, ())
    ]
    if not rows:
        return None
    return (
        f"INSERT INTO {name_text(table.name, dialect)} VALUES {', '.join('(' + ', '.join(row) + ')' for row in rows)}"
    )


def values_text(table: Table, row: SqlRow, dialect: Dialect) -> dict[str, str]:
    """The values of a row as constants, by the names of their columns; a number of rows is one of digits alone."""
    counts = {check.free for check in table.checks}
    found = {}
    for place, (value, column) in enumerate(zip(row, table.columns, strict=True)):
        is_count = frozenset({Reference(0, place, column.type, column.nullable)}) in counts
        found[column.name] = str(value) if is_count else value_text(value, column.type, dialect)
    return found


def _declared(column: Column) -> str | None:
    room = column.range
    if column.type != DECIMAL or room is None or room.scale is None or room.greatest is None:
        return None
    digits = len(str(room.greatest))
    return f"DECIMAL({digits}, {room.scale})" if digits <= MOST_DIGITS else None


def script(catalogue: Catalogue, database: Database, dialect: Dialect) -> list[str]:
    """The statements that create the tables and fill them."""
    created = [schema_text(table, dialect) for table in catalogue.tables]
    filled = [rows_text(table, database, dialect) for table in catalogue.tables]
    return [*created, *(text for text in filled if text is not None)]


def views(catalogue: Catalogue, database: Database, dialect: Dialect) -> list[str]:
    """The statements that make a temporary view of each table with its rows."""
    result = []
    for table in catalogue.tables:
        rows = Project(Values(database.get(table.name, ()), table.row), references(table.scan()))
        inner, alias, row = QueryPrinter(catalogue, dialect).source(rows, ())
        names = [name_text(column.name, dialect) for column in table.columns]
        types = [
            "INT" if column.type == INTEGER and _is_small(database.get(table.name, ()), index) else _declared(column)
            for index, column in enumerate(table.columns)
        ]
        columns = [
            f"{text if type_ is None else f'CAST({text} AS {type_})'} AS {name}"
            for text, name, type_ in zip(row, names, types, strict=True)
        ]
        select = f"SELECT {', '.join(columns)} FROM {inner} AS {alias}"
        result.append(f"CREATE OR REPLACE TEMPORARY VIEW {name_text(table.name, dialect)} AS {select}")
    return result


def _is_small(rows: Sequence[SqlRow], index: int) -> bool:
    """Whether the integers of a column have 32 bits, as engines ask for in functions such as DATE_ADD."""
    return all(row[index] is None or -(2**31) <= int(row[index]) < 2**31 for row in rows)  # type: ignore[arg-type]
