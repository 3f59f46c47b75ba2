"""Parts of arrays, structs and documents: functions of these by what stands in brackets or behind a point or colon."""

from __future__ import annotations

from typing import Final

from sqlglot import exp
from tallystick.core.queries.expressions import Expression, Function
from tallystick.core.queries.types import OPAQUE
from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.coercion import type_error
from tallystick.frontends.sql.exact_types import written_type
from tallystick.frontends.sql.expressions import Expressions
from tallystick.frontends.sql.parts import Parts

HAVE_PARTS: Final = frozenset({"bigquery", "snowflake", "databricks", "spark", "duckdb"})
"""Dialects whose elements in brackets, and fields behind a point, are read."""
HAVE_FIELDS: Final = frozenset({"bigquery", "databricks", "spark", "duckdb"})
"""Those in which a column may have fields that are written as columns of a table are."""


def read_path(expressions: Expressions, node: Parts) -> Expression:
    """`document:key.key[0]` of Snowflake, whose keys have their case."""
    node.unwritten("only_json_types", "requires_json")
    if not node.args.get("variant_extract"):
        raise expressions.reading.refused(node)
    expressions.reading.covered(node.expression)
    path = node.expression.sql(expressions.reading.dialect.parser)
    return _part(expressions, node.this, f"path {path}")


def read_element(expressions: Expressions, node: Parts) -> Expression:
    """`array[place]` and `document['key']`."""
    if expressions.reading.dialect.name not in HAVE_PARTS:
        raise expressions.reading.refused(node)
    whole = _whole(expressions, node.this)
    [place] = node.expressions if len(node.expressions) == 1 else [None]
    if place is None or isinstance(place, exp.Slice):
        raise expressions.reading.error(node, "a slice of an array is not understood")
    said = f"element from {node.args.get('offset')}{' or NULL' if node.args.get('safe') else ''}"
    return Function(said, (whole, expressions.typed(place)), OPAQUE, strict=False)


def read_field(expressions: Expressions, node: Parts) -> Expression:
    """`struct.field` behind anything that is no name."""
    if not isinstance(node.expression, exp.Identifier) or expressions.reading.dialect.name not in HAVE_PARTS:
        raise expressions.reading.refused(node)
    return _part(expressions, node.this, _field(expressions, node.expression))


def field_of_column(expressions: Expressions, node: Parts) -> Expression | None:
    """`column.field`, which is parsed as a column of a table, and `field` of the one value in sight that may have
    fields which are columns; None if there is no column that has fields."""
    reading, qualifier = expressions.reading, [node.args.get(each) for each in ("catalog", "db", "table")]
    names = [each for each in qualifier if each is not None]
    if reading.dialect.name not in HAVE_FIELDS:
        return None
    if not names:
        return _field_in_sight(expressions, node) if reading.dialect.name == "bigquery" else None
    parts = dict(zip(("this", "table", "db"), (each.copy() for each in reversed(names)), strict=False))
    column = exp.Column(**parts)
    try:
        with reading.parts(column) as inner:
            whole = expressions.column(inner)
    except SourceError:
        return None
    if getattr(whole, "type", None) != OPAQUE:
        return None
    return Function(_field(expressions, node.this), (whole,), OPAQUE, strict=False)  # type: ignore[arg-type]


def _field_in_sight(expressions: Expressions, node: Parts) -> Expression | None:
    for level, relation in expressions.scope.levels():
        found = [index for index, name in enumerate(relation.names) if name.fields]
        if found:
            if len(found) > 1 or not relation.names[found[0]].readable:
                return None
            whole = relation.column(found[0], level)
            return Function(_field(expressions, node.this), (whole,), OPAQUE, strict=False)  # type: ignore[arg-type]
    return None


def _field(expressions: Expressions, name: exp.Expr) -> str:
    """What gets a field, by its name as written: what has it may be a JSON document, whose names have a case."""
    return f"field {expressions.reading.word(name)}"


def _part(expressions: Expressions, node: exp.Expr, said: str) -> Expression:
    return Function(said, (_whole(expressions, node),), OPAQUE, strict=False)


def _whole(expressions: Expressions, node: exp.Expr) -> Expression:
    value = expressions.typed(node)
    if value.type != OPAQUE:
        raise type_error(expressions.reading, node, "an array or a document", value)
    return value


def read_struct(expressions: Expressions, node: Parts) -> Expression:
    """`STRUCT(a AS x, b)` of BigQuery and Spark: a function of its fields by their names as written, in texts."""
    if expressions.reading.dialect.name not in ("bigquery", "spark", "databricks"):
        raise expressions.reading.refused(node)
    names, values = [], []
    for each in node.expressions:
        name, inner = "", each
        if isinstance(each, exp.PropertyEQ):
            with expressions.reading.parts(each) as field:
                name, inner = expressions.reading.word(field.this), field.expression
            if isinstance(inner, exp.Paren):  # of `(a)`, the parser calls the field col1, and Spark a
                name += f" {inner.sql()}"
        elif isinstance(each, exp.Column | exp.Dot):
            name = each.name
        values.append(expressions.typed(inner))
        names.append(f"{name} {written_type(expressions, inner, values[-1])}".strip())
    return Function(f"STRUCT of {', '.join(names)}", tuple(values), OPAQUE, strict=False)


def read_array(expressions: Expressions, node: Parts) -> Expression:
    """`[a, b]` of BigQuery: a function of its elements."""
    node.unwritten("bracket_notation", "struct_name_inheritance", "value_constructor")
    if expressions.reading.dialect.name != "bigquery" or any(isinstance(each, exp.Query) for each in node.expressions):
        raise expressions.reading.refused(node)
    values = tuple(expressions.typed(each) for each in node.expressions)
    types = {written_type(expressions, each, value) for each, value in zip(node.expressions, values, strict=True)}
    return Function(" ".join(["ARRAY", *sorted(types - {""})]), values, OPAQUE, strict=False)


HANDLERS = {
    exp.Struct: read_struct,
    exp.Array: read_array,
    exp.JSONExtract: read_path,
    exp.Bracket: read_element,
    exp.Dot: read_field,
}
