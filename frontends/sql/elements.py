"""Rows of what an array holds: UNNEST of BigQuery, FLATTEN and SPLIT_TO_TABLE of Snowflake.

The elements of all arrays are a table of its own: a row for each element of each value, with the value, the place and
the element. UNNEST is a join with it. What it holds is fixed by the dialect, but nothing of it is known but its keys,
so that no counterexample ranges over it (`QueryReading.elements`). An element of a type that is not known may be a
struct, whose fields are columns, too: see `Name.fields`. Of an array that is written out, the elements are rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from sqlglot import exp
from tallystick.core.queries.catalogue import Column, Table
from tallystick.core.queries.expressions import Comparison, Expression, Function, Literal
from tallystick.core.queries.syntax import UNIT, Filter, Project, Query, SetOperation, reference
from tallystick.core.queries.types import DATE, INTEGER, OPAQUE, TEXT, SqlType
from tallystick.frontends.sql.arguments import argument
from tallystick.frontends.sql.coercion import common_type, convert, met, type_error, typed
from tallystick.frontends.sql.exploded import READ, is_exploded, read_exploded
from tallystick.frontends.sql.expressions import Expressions
from tallystick.frontends.sql.parts import Parts
from tallystick.frontends.sql.scopes import Name, QueryReading, Relation
from tallystick.frontends.sql.series import is_series, read_series

GENERATORS: Final = (exp.Unnest, exp.Lateral, exp.TableFromRows)
"""Items of FROM that make rows of values; LATERAL stands before queries, too."""
MADE: Final = (exp.Explode, exp.Posexplode, exp.SplitToTable)
_KNOWN: Final[dict[tuple[str, SqlType], SqlType]] = {
    ("GENERATE_DATE_ARRAY", DATE): DATE,
    ("SPLIT", TEXT): TEXT,
    ("REGEXP_EXTRACT_ALL", TEXT): TEXT,
    ("JSON_EXTRACT_STRING_ARRAY", TEXT): TEXT,
    ("JSON_VALUE_ARRAY", TEXT): TEXT,
}
"""The types of elements of arrays that functions make of a first argument of a type."""
NOT_FIXED: Final = "nothing fixes its values"
FLATTENED: Final = (
    Column("seq", INTEGER, False),
    Column("key", TEXT),
    Column("path", TEXT),
    Column("index", INTEGER),
    Column("value", OPAQUE),
    Column("this", OPAQUE, False),
)
"""What FLATTEN makes of a value, itself the last column: `seq` stands for the place, and may not be read."""
SPLIT: Final = (
    Column("seq", INTEGER, False),
    Column("index", INTEGER, False),
    Column("value", TEXT, False),
    Column("of", OPAQUE, False),
)


def generates(node: exp.Expr) -> bool:
    """Whether an item of FROM makes rows of values."""
    made = isinstance(node, GENERATORS) and isinstance(node.this, MADE)
    return made or is_series(node) or is_exploded(node)


def keeps_rows(node: exp.Expr) -> bool:
    """Whether FLATTEN keeps the rows of which it makes none: it says `OUTER => TRUE`.

    So does LATERAL VIEW OUTER. That is a left join, where FLATTEN is joined to rows without a condition, and read only
    there.
    """
    if isinstance(node, exp.Lateral) and node.args.get("view") and node.args.get("outer"):
        return True
    return any(
        isinstance(each, exp.Kwarg) and each.name.lower() == "outer" and each.expression.args.get("this") is True
        for each in (node.this.expressions if isinstance(node.this, exp.Explode) else ())
    )


def read_generated(expressions: Expressions, node: Parts) -> Relation:
    """The rows that UNNEST, FLATTEN or SPLIT_TO_TABLE makes of the values that `expressions` reads.

    Raises SourceError where they are not understood.
    """
    reading = expressions.reading
    if is_series(node.of) or (reading.dialect.name in READ and is_exploded(node.of)):
        source, whole, names = (read_series if is_series(node.of) else read_exploded)(expressions, node)
        return Relation(_elements(reading, source, whole), names)
    match reading.dialect.name, node.of:
        case "bigquery", exp.Unnest():
            return _unnested(expressions, node)
        case "snowflake", exp.Lateral() | exp.TableFromRows():
            node.unwritten("view", "outer", "ordinality")
            with reading.parts(node.this) as call:
                read = _split if isinstance(call.of, exp.SplitToTable) else _flattened
                return _named(reading, node, read(expressions, call))
        case _, exp.Lateral():
            raise reading.error(node, "LATERAL is understood before a query only")
        case _:
            raise reading.refused(node)


def _unnested(expressions: Expressions, node: Parts) -> Relation:
    """UNNEST(array) AS x WITH OFFSET AS n: the elements, as a column x, and their places."""
    reading, place = expressions.reading, node.args.get("offset")
    [array] = node.expressions if len(node.expressions) == 1 else [None]
    if array is None:
        raise reading.refused(node)
    name = _name(reading, node)
    numbered = isinstance(place, exp.Identifier)
    offset = Name(reading.folded(place) if numbered else "", shown=numbered)
    if isinstance(array, exp.Array) and array.expressions:
        rows = _written_out(expressions, array)
    else:
        value = _opaque(expressions, array)
        type_ = _type_of_elements(value)
        columns = (Column("element", type_), Column("place", INTEGER, False), Column("of", OPAQUE, False))
        rows = _elements(reading, Table(f"the elements of arrays of type {type_}", columns, ((2, 1),)), value)
    element = Name(name, (name,) if name else (), fields=rows.columns[0].type == OPAQUE)
    return Relation(rows, (element, offset, *[Name("", shown=False)] * (len(rows.columns) - 2)))


def _type_of_elements(array: Expression) -> SqlType:
    """The type of the elements of an array, if what makes it says so; else OPAQUE."""
    if not isinstance(array, Function) or not array.arguments:
        return OPAQUE
    return _KNOWN.get((array.name.split(" ")[0], array.arguments[0].type), OPAQUE)


def _name(reading: QueryReading, node: Parts) -> str:
    """The name of the elements; "" if they have none."""
    alias = node.args.get("alias")
    if alias is None:
        return ""
    with reading.parts(alias) as parts:
        listed = parts.args.get("columns") or []
        if len(listed) != 1 or parts.this is not None:
            raise reading.refused(node)
        return reading.folded(listed[0])


def _written_out(expressions: Expressions, node: exp.Expr) -> Query:
    """The elements of `[a, b]` and their places, a row each."""
    reading = expressions.reading
    with reading.parts(node) as array:
        array.unwritten("bracket_notation", "struct_name_inheritance", "value_constructor")
        given = [expressions.read(each) for each in array.expressions]
    type_ = common_type(reading, given, node, "branches")
    values = [typed(each) if type_ is None else convert(reading, each, type_, node) for each in given]
    values = met(reading, values, node)
    first, *others = (Project(UNIT, (value, Literal(place, INTEGER))) for place, value in enumerate(values))
    rows: Query = first
    for each in others:
        rows = SetOperation("union", True, rows, each)
    return rows


def _flattened(expressions: Expressions, node: Parts) -> Relation:
    """FLATTEN(INPUT => value, OUTER => …, PATH => …): without RECURSIVE and MODE."""
    reading = expressions.reading
    given = dict(_arguments(reading, node))
    value, outer, path = (given.pop(each, None) for each in ("input", "outer", "path"))
    if value is None or given:
        said = ", ".join(each.upper() for each in given) or "no INPUT"
        raise reading.error(node, f"FLATTEN with {said} is not understood")
    if outer is not None:
        if not isinstance(outer, exp.Boolean):
            raise reading.error(outer, "OUTER is TRUE or FALSE here")
        with reading.parts(outer) as said_:
            said_.unwritten("this")
    whole = path is None and not keeps_rows(node.of.parent)  # type: ignore[arg-type]
    unread = {"seq"} | (set() if whole else {"path", "this"})
    names = tuple(
        Name(reading.dialect.folded(each.name, quoted=False), note=NOT_FIXED if each.name in unread else "")
        for each in FLATTENED
    )
    source = Table("what FLATTEN makes of values", FLATTENED, ((5, 0),))
    flattened = _opaque(expressions, value)
    if path is not None:
        flattened = Function("what stands at a path", (flattened, argument(expressions, path, "text")), OPAQUE, False)
    return Relation(_elements(reading, source, flattened), names)


def _arguments(reading: QueryReading, node: Parts) -> Iterator[tuple[str, exp.Expr]]:
    """The arguments of FLATTEN by their names; the first one may have none."""
    for place, each in enumerate([node.this, *node.expressions]):
        if isinstance(each, exp.Kwarg):
            with reading.parts(each) as named:
                yield reading.word(named.this).lower(), named.expression
        elif place == 0:
            yield "input", each
        else:
            raise reading.refused(node)


def _split(expressions: Expressions, node: Parts) -> Relation:
    """SPLIT_TO_TABLE(text, separator): the parts of the text, and their places, from 1."""
    reading = expressions.reading
    texts = tuple(argument(expressions, each, "text") for each in (node.this, node.expression))
    value = Function("SPLIT_TO_TABLE in snowflake", texts, OPAQUE, strict=False)
    names = (*(Name(reading.dialect.folded(each.name, quoted=False)) for each in SPLIT[:3]), Name("", shown=False))
    names = (replace(names[0], note=NOT_FIXED), *names[1:])
    return Relation(_elements(reading, Table("the parts of split texts", SPLIT, ((3, 1),)), value), names)


def _named(reading: QueryReading, node: Parts, made: Relation) -> Relation:
    """The rows under the name of an alias; the parser adds the names of the columns where nobody wrote any."""
    alias = node.args.get("alias")
    if alias is None:
        return made
    with reading.parts(alias) as parts:
        listed = parts.args.get("columns") or []
        if [each.name for each in listed] != [each.name for each in made.names][: len(listed)]:
            raise reading.error(node, "other names for the columns of such rows are not understood")
        for each in listed:
            reading.covered(each)
        qualifier = () if parts.this is None else (reading.folded(parts.this),)
    return replace(made, names=tuple(replace(each, qualifier=qualifier) for each in made.names))


def _elements(reading: QueryReading, source: Table, value: Expression) -> Query:
    """The rows of a source that belong to a value: those whose last column is the value."""
    rows = reading.elements.setdefault(source.name, source).scan()
    return Filter(rows, Comparison("=", value, reference(rows, len(rows.columns) - 1)))


def _opaque(expressions: Expressions, node: exp.Expr) -> Expression:
    value = expressions.typed(node)
    if value.type != OPAQUE:
        raise type_error(expressions.reading, node, "an array or a document", value)
    return value
