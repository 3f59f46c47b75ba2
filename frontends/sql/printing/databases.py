"""Databases as statements of SQL: tables that are created and filled, or views with their rows."""

from __future__ import annotations

from collections.abc import Sequence

from tallystick.core.queries.catalogue import Catalogue, Database, Table
from tallystick.core.queries.syntax import (
    Project,
    Values,
    references,
)
from tallystick.core.queries.types import (
    INTEGER,
    SqlRow,
)
from tallystick.frontends.sql.printing.literals import Dialect, name_text, type_text, value_text
from tallystick.frontends.sql.printing.queries import QueryPrinter


def schema_text(table: Table, dialect: Dialect) -> str:
    """The table as a CREATE TABLE statement, without its keys and checks."""
    columns = [
        f"{name_text(column.name, dialect)} {type_text(column.type, dialect)}{'' if column.nullable else ' NOT NULL'}"
        for column in table.columns
    ]
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
        small = [
            column.type == INTEGER and _is_small(database.get(table.name, ()), index)
            for index, column in enumerate(table.columns)
        ]
        columns = [
            f"{f'CAST({text} AS INT)' if fits else text} AS {name}"
            for text, name, fits in zip(row, names, small, strict=True)
        ]
        select = f"SELECT {', '.join(columns)} FROM {inner} AS {alias}"
        result.append(f"CREATE OR REPLACE TEMPORARY VIEW {name_text(table.name, dialect)} AS {select}")
    return result


def _is_small(rows: Sequence[SqlRow], index: int) -> bool:
    """Whether the integers of a column have 32 bits, as engines ask for in functions such as DATE_ADD."""
    return all(row[index] is None or -(2**31) <= int(row[index]) < 2**31 for row in rows)  # type: ignore[arg-type]
