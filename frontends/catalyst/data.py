"""Tables and databases as text for Spark, and the rows that Spark returns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

from tallystick.core.queries.catalogue import Database
from tallystick.core.queries.types import SqlRow, SqlValue
from tallystick.frontends.catalyst.reading import SourceTable
from tallystick.frontends.catalyst.types import SparkType, core_value, spark_value


def type_text(type_: SparkType) -> str:
    """What DDL calls the type."""
    return {"long": "BIGINT", "integer": "INT", "short": "SMALLINT", "byte": "TINYINT"}.get(
        type_.name, type_.name if type_.kind else str(type_).upper()
    )


def literal_text(value: SqlValue, type_: SparkType) -> str:
    """A value as an expression of the type."""
    if value is None:
        return f"CAST(NULL AS {type_text(type_)})"
    if type_.kind:  # any value will do: there is one of each such type
        return f"CAST('x' AS {type_.name})" if "<" not in type_.name else f"from_json('{{}}', '{type_.name}')"
    match spark_value(value, type_):
        case bool() as truth:
            return str(truth).upper()
        case str() as text:
            escaped = text.replace("\\", "\\\\").replace("'", "\\'")
            return f"'{escaped}'"
        case datetime() as moment:
            return f"CAST('{moment.isoformat(' ')}' AS {type_text(type_)})"
        case date() as day:
            return f"DATE '{day.isoformat()}'"
        case number:
            if type_.name.startswith("interval"):
                return f"CAST({number} AS {type_text(type_)})"
            return f"CAST('{number}' AS {type_text(type_)})"


def name_text(name: str) -> str:
    """A name, quoted."""
    return "`" + name.replace("`", "``") + "`"


def creation(table: SourceTable) -> str:
    """The statement that creates an empty table of Parquet."""
    columns = (
        f"{name_text(column.name)} {type_text(column.type)}{'' if column.nullable else ' NOT NULL'}"
        for column in table.columns
    )
    return f"CREATE TABLE {name_text(table.name)} ({', '.join(columns)}) USING parquet"


def script(tables: Mapping[str, SourceTable], database: Database) -> list[str]:
    """The statements that create the tables of a database, and fill them."""
    return [
        *(creation(tables[name]) for name in database),
        *(_insertion(tables[name], rows) for name, rows in database.items() if rows),
    ]


def _insertion(table: SourceTable, rows: Sequence[SqlRow]) -> str:
    types = [column.type for column in table.columns]
    values = (", ".join(literal_text(value, each) for value, each in zip(row, types, strict=True)) for row in rows)
    return f"INSERT INTO {name_text(table.name)} VALUES {', '.join(f'({row})' for row in values)}"


def views(tables: Mapping[str, SourceTable], database: Database) -> list[str]:
    """Statements that make a temporary view of each table with its rows."""
    return [view(table, database.get(name, ())) for name, table in tables.items()]


def view(table: SourceTable, rows: Sequence[SqlRow]) -> str:
    """The statement that makes a temporary view of a table."""
    names = [name_text(column.name) for column in table.columns]
    types = [column.type for column in table.columns]
    shown = rows or [(None,) * len(types)]
    values = ", ".join(
        f"({', '.join(literal_text(value, each) for value, each in zip(row, types, strict=True))})" for row in shown
    )
    no_rows = "" if rows else " WHERE FALSE"
    select = f"SELECT * FROM VALUES {values} AS rows({', '.join(names)}){no_rows}"
    return f"CREATE OR REPLACE TEMPORARY VIEW {name_text(table.name)} AS {select}"


def returned(rows: Iterable[Sequence[Any]], types: Sequence[SparkType]) -> list[SqlRow]:
    """Rows that a Spark process has printed, as values of the core."""
    return [tuple(_returned(value, type_) for value, type_ in zip(row, types, strict=True)) for row in rows]


def _returned(value: Any, type_: SparkType) -> SqlValue:
    if isinstance(value, bool):
        return value
    if value is not None and type_.is_float:
        return Fraction(Decimal(str(value)))
    return core_value(None if value is None else str(value), type_)
