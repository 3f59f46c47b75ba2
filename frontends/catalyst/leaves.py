"""What plans read: tables, files, RDDs, and rows of constants."""

from __future__ import annotations

from tallystick.core.queries.expressions import Literal
from tallystick.core.queries.syntax import UNIT, Values
from tallystick.core.queries.types import ColumnType
from tallystick.frontends.catalyst.nodes import Node, malformed, refused
from tallystick.frontends.catalyst.reading import (
    Attribute,
    Reading,
    Relation,
    SourceColumn,
    SourceTable,
    expression_id,
)
from tallystick.frontends.catalyst.types import core_value

LARGEST_RANGE = 1000
"""Numbers of `spark.range` that are written out."""


def attributes_of(reading: Reading, node: Node) -> tuple[Attribute, ...]:
    """The attributes in the field `output`."""
    return tuple(
        Attribute(expression_id(each), each.text("name"), reading.type_of(each), index)
        for index, each in enumerate(node.many("output"))
    )


def read_table(reading: Reading, node: Node) -> Relation:
    """A table by its name in the catalogue, or what else is read, by what it is."""
    attributes = attributes_of(reading, node)
    source = table_name(node)
    name = reading.aliases.get(source, source)
    columns = tuple(
        SourceColumn(attribute.name, attribute.type, bool(each.fields.get("nullable", True)))
        for attribute, each in zip(attributes, node.many("output"), strict=True)
    )
    table = reading.tables.get(name)
    if table is None:
        table = reading.tables[name] = SourceTable(name, columns)
    found = [(column.name.lower(), column.type) for column in columns]
    if found != [(column.name.lower(), column.type) for column in table.columns]:
        raise refused(node, f"{name} has other columns in the plan than in the schema")
    return Relation(table.as_table().scan(), attributes)


def table_name(node: Node) -> str:
    """What a leaf is called: the table's name in lower case, or its source."""
    table = node.fields.get("catalogTable") or node.fields.get("tableMeta")
    if isinstance(table, dict):
        identifier = table.get("identifier")
        if isinstance(identifier, dict) and isinstance(identifier.get("table"), str):
            return identifier["table"].lower()
    source = node.fields.get("source")
    if not isinstance(source, str) or not source:
        raise refused(node, f"what this {node.name} reads is not known")
    return source


def read_rows(reading: Reading, node: Node) -> Relation:
    """Rows of constants."""
    attributes = attributes_of(reading, node)
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


def read_one_row(reading: Reading, node: Node) -> Relation:
    """One row of no columns."""
    return Relation(UNIT, ())


def read_range(reading: Reading, node: Node) -> Relation:
    """The numbers of `spark.range`, written out."""
    attributes = attributes_of(reading, node)
    numbers = range(node.number("start"), node.number("end"), node.number("step"))
    if len(numbers) > LARGEST_RANGE:
        raise refused(node, f"a range of more than {LARGEST_RANGE} numbers is not understood")
    [column] = [ColumnType(attribute.type.core, False) for attribute in attributes]
    return Relation(Values(tuple((Literal(each, column.type).value,) for each in numbers), (column,)), attributes)


LEAVES = {
    **dict.fromkeys(("LogicalRelation", "HiveTableRelation", "LogicalRDD"), read_table),
    "LocalRelation": read_rows,
    "OneRowRelation": read_one_row,
    "Range": read_range,
}
