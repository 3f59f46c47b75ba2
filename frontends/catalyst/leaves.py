"""What plans read: tables, files, RDDs, and rows of constants."""

from __future__ import annotations

from tallystick.core.queries.expressions import Literal
from tallystick.core.queries.syntax import UNIT, Values
from tallystick.core.queries.types import ColumnType
from tallystick.frontends.catalyst.nodes import Node, malformed, refused
from tallystick.frontends.catalyst.reading import (
    Attribute,
    PlanReading,
    Relation,
    SourceColumn,
    SourceTable,
    expression_id,
)
from tallystick.frontends.catalyst.types import core_value

LARGEST_RANGE = 1000
"""Numbers of `spark.range` that are written out."""


def attributes_of(reading: PlanReading, node: Node) -> tuple[Attribute, ...]:
    """The attributes in the field `output`."""
    return tuple(
        Attribute(expression_id(each), each.text("name"), reading.column_of(each), index)
        for index, each in enumerate(node.many("output"))
    )


def read_table(reading: PlanReading, node: Node) -> Relation:
    """A table by its name in the catalogue, or what else is read, by what it is."""
    attributes = attributes_of(reading, node)
    source = table_name(node, reading.settings.database)
    name = reading.aliases.get(source, source)
    columns = tuple(
        SourceColumn(attribute.name, attribute.type, bool(each.fields.get("nullable", True)))
        for attribute, each in zip(attributes, node.many("output"), strict=True)
    )
    is_open = name == source and (reading.closed or _catalogued(node, reading.settings.database) is None)
    return _source(reading, node, SourceTable(name, columns, is_open=is_open), attributes)


def _source(reading: PlanReading, node: Node, read: SourceTable, attributes: tuple[Attribute, ...]) -> Relation:
    """All rows of a source, which is that of its name if that was read before, or is in the schema."""
    table = reading.tables.setdefault(read.name, read)
    found, known = ([(each.name.lower(), each.type) for each in of.columns] for of in (read, table))
    if found != known:
        raise refused(node, f"{read.name} has other columns in the plan than in the schema")
    return Relation(table.as_table().scan(), attributes)


def read_rdd(reading: PlanReading, node: Node) -> Relation:
    """An RDD: its rows, if the driver has given them to `createDataFrame`, else a source of unknown rows."""
    is_named = node.fields.get("source") in reading.aliases
    return read_table(reading, node) if is_named or "data" not in node.fields else read_rows(reading, node)


def table_name(node: Node, database: str) -> str:
    """What a leaf is called in a session with a database: the table's name in lower case, or its source."""
    name = _catalogued(node, database)
    if name is not None:
        return name
    source = node.fields.get("source")
    if not isinstance(source, str) or not source:
        raise refused(node, f"what this {node.name} reads is not known")
    return source


def _catalogued(node: Node, database: str) -> str | None:
    """The name of the table of the session's catalogue that a leaf reads, if it reads one.

    A table of another database than the session's has the name of its database before its own.
    """
    table = node.fields.get("catalogTable") or node.fields.get("tableMeta")
    identifier = table.get("identifier") if isinstance(table, dict) else None
    name = identifier.get("table") if isinstance(identifier, dict) else None
    if not isinstance(identifier, dict) or not isinstance(name, str):
        return None
    own = identifier.get("database") or database
    return (name if own == database else f"{own}.{name}").lower()


def read_rows(reading: PlanReading, node: Node) -> Relation:
    """Rows of constants."""
    attributes = attributes_of(reading, node)
    if any(each.type.kind for each in attributes) and node.items("data"):
        [first, *_] = [each for each in attributes if each.type.kind]
        raise refused(node, f"constants of type {first.type} are not understood")
    columns = tuple(
        ColumnType(attribute.type.core, bool(each.fields.get("nullable", True)))
        for attribute, each in zip(attributes, node.many("output"), strict=True)
    )
    rows = []
    for row in node.items("data"):
        if not isinstance(row, list) or len(row) != len(attributes):
            raise malformed("a row of LocalRelation has a value for each column")
        try:
            rows.append(tuple(core_value(each, a.type) for each, a in zip(row, attributes, strict=True)))
        except (ValueError, TypeError):
            raise refused(node, f"the row {row!r} is not understood") from None
    return Relation(Values(tuple(rows), columns), attributes)


def read_one_row(reading: PlanReading, node: Node) -> Relation:
    """One row of no columns."""
    return Relation(UNIT, ())


def read_range(reading: PlanReading, node: Node) -> Relation:
    """The numbers of `spark.range`, written out if they are few."""
    attributes = attributes_of(reading, node)
    numbers = range(node.number("start"), node.number("end"), node.number("step"))
    if len(numbers) > LARGEST_RANGE:
        [attribute] = attributes
        name = f"range from {numbers.start} to {numbers.stop} by {numbers.step}"
        read = SourceTable(name, (SourceColumn(attribute.name, attribute.type, False),), ((0,),), is_open=True)
        return _source(reading, node, read, attributes)
    [column] = [ColumnType(attribute.type.core, False) for attribute in attributes]
    return Relation(Values(tuple((Literal(each, column.type).value,) for each in numbers), (column,)), attributes)


LEAVES = {
    **dict.fromkeys(("LogicalRelation", "HiveTableRelation"), read_table),
    "LogicalRDD": read_rdd,
    "LocalRelation": read_rows,
    "OneRowRelation": read_one_row,
    "Range": read_range,
}
