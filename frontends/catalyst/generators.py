"""Generate: each row with the rows that a generator makes of it.

The elements of arrays and maps are a source of its own, one for each type: a row for each element of each value, with
the value, its place, and the element. `explode` is a join with it. What it holds is fixed by the types, but nothing of
it is known, so that no counterexample ranges over it. Of an array that is written out, the elements are rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from tallystick.core.queries.expressions import Comparison, Expression, Literal, Reference
from tallystick.core.queries.syntax import Join, Project, reference
from tallystick.frontends.catalyst.conditionals import of_type
from tallystick.frontends.catalyst.expressions import Expressions
from tallystick.frontends.catalyst.grouping import union
from tallystick.frontends.catalyst.named import by_name
from tallystick.frontends.catalyst.nodes import Node, malformed, refused
from tallystick.frontends.catalyst.reading import (
    Attribute,
    PlanReading,
    Relation,
    Scopes,
    SourceColumn,
    SourceTable,
    expression_id,
)
from tallystick.frontends.catalyst.replicated import replicated
from tallystick.frontends.catalyst.subqueries import bare
from tallystick.frontends.catalyst.types import INT, STRING, SparkType
from tallystick.frontends.catalyst.values import Struct, Value, field_of, integer

ReadQuery = Callable[[Node, Scopes], Relation]


def read_generate(reading: PlanReading, node: Node, outer: Scopes, read: ReadQuery) -> Relation:
    """The columns of the child, without those that nobody needs, then those of the generator."""
    rows = bare(read(node.one("child"), outer))
    expressions = Expressions(reading, (rows.frame(), *outer), read)
    generator, keeps_rows = node.one("generator"), node.flag("outer")
    unneeded = node.items("unrequiredChildIndex")
    if not all(type(each) is int and 0 <= each < len(rows.attributes) for each in unneeded):
        raise malformed("Generate names columns of its child that do not exist")
    kept = tuple(each for index, each in enumerate(rows.attributes) if index not in unneeded)
    output = [(each, reading.column_of(each)) for each in node.many("generatorOutput")]
    if generator.name == "ReplicateRows" and not keeps_rows:
        return _repeated(expressions, generator, rows, kept, output)
    written = _written_out(expressions, generator)
    if written is not None and (written or not keeps_rows):
        return _rows_of(node, rows, kept, output, written)
    if generator.name in ("Explode", "PosExplode", "Inline"):
        return _elements_of(expressions, generator, keeps_rows, rows, kept, output)
    raise refused(generator, f"the generator {generator.name} is not understood")


Output = list[tuple[Node, SparkType]]


def _written_out(expressions: Expressions, generator: Node) -> list[list[Value | Struct]] | None:
    """The rows that a generator makes of each row, if the plan says which; None if it does not."""
    match generator.name:
        case "JsonTuple":
            text, *fields = expressions.all(generator.many("children"))
            return [[by_name(expressions.reading, "JsonTuple()", [text, each], STRING) for each in fields]]
        case "Stack":
            count, *values = (expressions.any(each) for each in generator.many("children"))
            number = count.expression.value if isinstance(count, Value) and isinstance(count.expression, Literal) else 0
            if type(number) is not int or number < 1:
                raise refused(generator, "stack of what is no constant number of rows is not understood")
            width = math.ceil(len(values) / number)
            padded = [*values, *[Value(integer(0), SparkType("void"))] * (number * width - len(values))]
            return [padded[index * width : (index + 1) * width] for index in range(number)]
        case "Explode" | "PosExplode" if generator.one("child").name == "CreateArray":
            array = generator.one("child")
            array.fields.get("useStringTypeWhenEmpty")
            elements = [expressions.any(each) for each in array.many("children")]
            numbered = generator.name == "PosExplode"
            return [[*([Value(integer(at), INT)] * numbered), each] for at, each in enumerate(elements)]
    return None


def _rows_of(
    node: Node, rows: Relation, kept: tuple[Attribute, ...], output: Output, made: list[list[Value | Struct]]
) -> Relation:
    """Each row with each of some rows that are made of it."""
    if not made or any(len(each) != len(output) for each in made):
        raise refused(node, "a generator without rows is not understood")
    branches = []
    for values in made:
        columns, attributes = _child_columns(rows, kept)
        for value, (each, type_) in zip(values, output, strict=True):
            typed = _as(node, value, type_, all(isinstance(row[len(attributes) - len(kept)], Struct) for row in made))
            attributes.append(Attribute(expression_id(each), each.text("name"), typed.type, len(columns)))
            columns += [field.expression for field in typed.fields] if isinstance(typed, Struct) else [typed.expression]
        branches.append(Relation(Project(rows.query, tuple(columns)), tuple(attributes)))
    return union(branches)


def _repeated(
    expressions: Expressions, generator: Node, rows: Relation, kept: tuple[Attribute, ...], output: Output
) -> Relation:
    """The columns of each row, as often as its first says: see `replicated.py`."""
    number, *values = expressions.all(generator.many("children"))
    shown = [*(Value(reference(rows.query, each.index), each.type) for each in kept), *values]
    has_structs = any(each.type.fields for each in rows.attributes)
    query = None if has_structs else replicated(rows.query, number.expression, [each.expression for each in shown])
    if query is None:
        raise refused(generator, "rows are repeated in another way than for EXCEPT ALL and INTERSECT ALL")
    if [each.type for each in values] != [type_ for _, type_ in output]:
        raise malformed("ReplicateRows makes columns of other types")
    named = [(expression_id(each), each.text("name"), type_) for each, type_ in output]
    attributes = [*((each.id, each.name, each.type) for each in kept), *named]
    return Relation(query, tuple(Attribute(*each, index) for index, each in enumerate(attributes)))


def _as(node: Node, value: Value | Struct, type_: SparkType, as_struct: bool) -> Value | Struct:
    """A value for a column of a type; a struct stays one if all rows have one."""
    if isinstance(value, Struct):
        if as_struct and value.names:
            return value
        whole = value.whole
        if whole is None:
            raise refused(node, "a struct is not understood here")
        value = whole
    if value.type.name != "void" and value.type != type_:
        raise malformed(f"a generator makes a {value.type} for a column of type {type_}")
    return Value(of_type(value, type_), type_)


def _child_columns(rows: Relation, kept: tuple[Attribute, ...]) -> tuple[list[Expression], list[Attribute]]:
    """The columns of the child, and their attributes."""
    columns: list[Expression] = []
    attributes = []
    for each in kept:
        attributes.append(replace(each, index=len(columns)))
        columns += [reference(rows.query, each.index + offset) for offset in range(len(each.type.fields) or 1)]
    return columns, attributes


def _elements_of(
    expressions: Expressions,
    generator: Node,
    keeps_rows: bool,
    rows: Relation,
    kept: tuple[Attribute, ...],
    output: Output,
) -> Relation:
    """Each row with each element of an array or a map; those without elements with NULLs, if they are kept."""
    value = expressions.read(generator.one("child"))
    array = value.type.name.startswith("array<")
    if value.type.kind != "whole" or not (array or value.type.name.startswith("map<")):
        raise refused(generator, f"{generator.name} of a {value.type} is not understood")
    types = [type_ for _, type_ in output][1 if generator.name == "PosExplode" else 0 :]
    if generator.name == "Inline":
        types = [SparkType(value.type.name[len("array<") : -1], parts=tuple(types), kind="whole")]
    if len(types) != (1 if array else 2):
        raise malformed(f"{generator.name} of a {value.type} makes other columns")
    source = _source(expressions.reading, value.type, types)
    width, elements = len(rows.query.columns), source.as_table().scan()
    first = elements.columns[0]
    equal = Comparison("=", value.expression, Reference(0, width, first.type, first.nullable))
    joined = Join("left" if keeps_rows else "inner", rows.query, elements, equal)
    columns, attributes = _child_columns(rows, kept)
    made = [Value(reference(joined, width + 2 + index), type_) for index, type_ in enumerate(types)]
    if generator.name == "Inline":
        made = [field_of(made[0], index) for index in range(len(output))]
    if generator.name == "PosExplode":
        made = [Value(reference(joined, width + 1), INT), *made]
    for each, (named, type_) in zip(made, output, strict=True):
        if each.type != type_:
            raise malformed(f"{generator.name} makes a {each.type} for a column of type {type_}")
        attributes.append(Attribute(expression_id(named), named.text("name"), type_, len(columns)))
        columns.append(each.expression)
    return Relation(Project(joined, tuple(columns)), tuple(attributes))


def _source(reading: PlanReading, type_: SparkType, elements: list[SparkType]) -> SourceTable:
    """The elements of all values of a type."""
    names = ("element",) if len(elements) == 1 else ("key", "value")
    columns = (
        SourceColumn("of", type_, False),
        SourceColumn("place", INT, False),
        *(SourceColumn(name, each, True) for name, each in zip(names, elements, strict=True)),
    )
    made = SourceTable(f"the elements of each {type_}", columns, ((0, 1),), is_open=True)
    source = reading.tables.setdefault(made.name, made)
    if source != made:
        raise malformed(f"the elements of {type_} are of other types")
    return source
