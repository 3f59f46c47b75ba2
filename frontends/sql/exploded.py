"""EXPLODE, POSEXPLODE and UNNEST of engines: in FROM, in LATERAL VIEW, and as an item of the SELECT list.

The last two are written as lateral joins before they are read. What an array holds is read as `elements.py` has it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from sqlglot import exp
from tallystick.core.queries.catalogue import Column, Table
from tallystick.core.queries.expressions import Expression, Function
from tallystick.core.queries.types import INTEGER, OPAQUE, TEXT, SqlType
from tallystick.frontends.sql.coercion import type_error
from tallystick.frontends.sql.declared import declared_type
from tallystick.frontends.sql.expressions import Expressions
from tallystick.frontends.sql.parts import Parts
from tallystick.frontends.sql.scopes import Name, QueryReading

READ: Final = frozenset({"spark", "databricks", "duckdb", "postgres"})
"""Dialects whose arrays are read so."""
CALLS: Final = frozenset({exp.Explode, exp.Posexplode, exp.Unnest})
"""The calls themselves: EXPLODE_OUTER is another one."""
HIDDEN: Final = "%elements"
"""The name of the elements that an item of the SELECT list stands for: no text can say it."""
TEXTS: Final = frozenset({"SPLIT", "STRING_SPLIT", "STR_SPLIT", "STRING_TO_ARRAY", "REGEXP_SPLIT_TO_ARRAY"})
"""Functions that make arrays of texts."""
RANGE: Final = re.compile(r"(RANGE|GENERATE_SERIES) in \w+ of integer")
"""The names of functions that make arrays of integers."""


def is_exploded(node: exp.Expr) -> bool:
    """Whether an item of FROM is of such elements."""
    return type(node) is exp.Unnest or (isinstance(node, exp.Lateral) and type(node.this) in CALLS)


def read_exploded(expressions: Expressions, node: Parts) -> tuple[Table, Expression, tuple[Name, ...]]:
    """The table that holds the elements, the array that they are of, and the names of its columns.

    Raises SourceError where it is not understood.
    """
    reading = expressions.reading
    if isinstance(node.of, exp.Lateral):
        node.unwritten("view", "outer", "ordinality")
        with reading.parts(node.this) as call:
            (array, is_list), numbered = _array(expressions, call), isinstance(call.of, exp.Posexplode)
    else:
        (array, is_list), numbered = _array(expressions, node), False
    if array.type != OPAQUE:
        raise type_error(reading, node, "an array", array)
    if reading.dialect.evidence != "spark" and not is_list:
        hint = "cast it to the type of an array, or declare it so"
        raise reading.error(node, "whether this is an array, or a struct of several columns, is not known", hint)
    kind = _kind(array)
    columns = (Column("place", INTEGER, False), Column("element", kind), Column("of", OPAQUE, False))
    table = Table(f"the elements of arrays of type {kind}", columns, ((2, 0),))
    return table, array, _names(reading, node, numbered)


def _kind(array: Expression) -> SqlType:
    """The type of the elements of an array, if what makes it says so; else OPAQUE."""
    if not isinstance(array, Function):
        return OPAQUE
    if array.name.split(" ")[0] in TEXTS:
        return TEXT
    return INTEGER if RANGE.match(array.name) else OPAQUE


def _array(expressions: Expressions, call: Parts) -> tuple[Expression, bool]:
    """What a call makes rows of, and whether that is known to be a list of values that are no structs."""
    listed = call.expressions if isinstance(call.of, exp.Unnest) else [call.this, *call.expressions]
    if len(listed) != 1 or call.args.get("offset"):
        raise expressions.reading.refused(call)
    value = expressions.typed(listed[0])
    declared = declared_type(expressions, listed[0])
    exact = "" if declared is None else declared.exact
    is_series = isinstance(value, Function) and RANGE.match(value.name) is not None
    return value, is_series or (exact.endswith("[]") and "STRUCT" not in exact)


def _names(reading: QueryReading, node: Parts, numbered: bool) -> tuple[Name, ...]:
    """The names of the elements and of their places: two names of elements without places are those of a map."""
    alias = node.args.get("alias")
    listed: list[exp.Expr] = []
    qualifier: tuple[str, ...] = ()
    if alias is not None:
        with reading.parts(alias) as parts:
            listed = parts.args.get("columns") or []
            qualifier = () if parts.this is None else (reading.folded(parts.this),)
    names = [each.name if each.name == HIDDEN else reading.folded(each) for each in listed]
    for each in listed:
        reading.covered(each)
    if not names and qualifier and reading.dialect.name == "postgres":
        names = [*qualifier]
    if len(names) != 1 + numbered:
        raise reading.error(node, "the elements of an array have one name here", "write AS t(element)")
    element = Name(names[-1], qualifier, shown=names[-1] != HIDDEN)
    place = Name(names[0], qualifier) if numbered else Name("", shown=False)
    return place, element, Name("", shown=False)


def written_as_joins(reading: QueryReading, node: exp.Select) -> None:
    """Writes LATERAL VIEW, and the one call in a plain SELECT list, as lateral joins."""
    if reading.dialect.name not in READ:
        return
    views = node.args.get("laterals") or []
    if views and all(is_exploded(each) for each in views):
        _require_last(reading, node, views)
        node.set("laterals", None)
        for each in views:
            _join(node, each)
    items = [each for each in node.expressions if type(each.unalias()) in CALLS]
    others = any(node.args.get(part) for part in ("group", "having", "qualify", "windows"))
    maps = reading.dialect.evidence == "spark"  # of which EXPLODE makes two columns, unless it has a name
    unnamed = maps and any(each is each.unalias() for each in items)
    if len(items) != 1 or others or unnamed or any(each.find(exp.AggFunc, exp.Window) for each in node.expressions):
        return
    [item] = items
    name = exp.to_identifier(HIDDEN, quoted=True)
    _join(node, exp.Lateral(this=item.unalias().copy(), alias=exp.TableAlias(this=name, columns=[name.copy()])))
    column = exp.Column(this=name.copy(), table=name.copy())
    item.replace(exp.Alias(this=column, alias=item.args["alias"]) if isinstance(item, exp.Alias) else column)


def _require_last(reading: QueryReading, node: exp.Select, views: list[exp.Expr]) -> None:
    """Raises SourceError unless all views stand behind all joins, where the engine applies them."""
    first = min((start for each in views for start in _places(each)), default=-1)
    for join in node.args.get("joins") or []:
        if any(start > first for start in _places(join)) or not [*_places(join)]:
            raise reading.error(join, "a join behind LATERAL VIEW is not understood", "put the view into a subquery")


def _places(node: exp.Expr) -> Iterator[int]:
    """Where the names in a node stand in the text."""
    return (each.meta["start"] for each in node.find_all(exp.Identifier) if "start" in each.meta)


def _join(node: exp.Select, item: exp.Expr) -> None:
    """Joins an item to what a SELECT reads, or lets it read that alone."""
    if node.args.get("from_") is None:
        node.set("from_", exp.From(this=item))
    else:
        node.append("joins", exp.Join(this=item, kind="CROSS", pivots=None))
