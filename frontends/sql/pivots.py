"""PIVOT with listed values: an aggregate for each value, of the rows that have it, over groups by all other columns;
UNPIVOT of Snowflake: a row for each of some columns."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from sqlglot import exp
from tallystick.core.queries.calls import AggregateCall
from tallystick.core.queries.expressions import And, Expression, IsNull, Literal, Not, Reference
from tallystick.core.queries.syntax import Aggregate, Filter, Project, Query, SetOperation
from tallystick.core.queries.types import TEXT
from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.aggregates import aggregate_call, as_declared, read_call
from tallystick.frontends.sql.coercion import typed, unified
from tallystick.frontends.sql.expressions import Expressions
from tallystick.frontends.sql.parts import Parts
from tallystick.frontends.sql.predicates import compared
from tallystick.frontends.sql.scopes import Name, QueryReading, Relation, Scope, Tables

ONE_CALL: Final = frozenset({"snowflake"})
"""Dialects that have one aggregate in PIVOT, and whose manual does not say what COUNT is of no rows."""
READ: Final = frozenset({"bigquery", "snowflake"})
ADVICE: Final = "write an aggregate with CASE for each column, or a UNION ALL with a branch for each"
_PLAIN: Final = re.compile(r"[A-Za-z_]\w*")

Call = tuple[str, AggregateCall]
"""An aggregate and its name."""


def not_read(reading: QueryReading, node: exp.Expr) -> SourceError:
    """The error of a PIVOT that is not read."""
    return reading.error(node, "PIVOT or UNPIVOT is not understood", ADVICE)


def pivoted(
    reading: QueryReading, relation: Relation, node: exp.Expr, around: Scope | None, tables: Tables
) -> Relation:
    """The relation with columns for the listed values of a column. Raises SourceError where it is not understood."""
    relation = relation.without_hidden()
    expressions = Expressions(reading, Scope(relation, around), tables, place="PIVOT")
    with reading.parts(node) as pivot:
        for each in pivot.args.get("columns") or []:  # as the parser would name them
            reading.covered(each)
        pivot.unwritten("identify_pivot_strings", "prefixed_pivot_columns", "pivot_column_naming")
        fields = pivot.args.get("fields") or []
        if len(fields) != 1 or reading.dialect.name not in READ or relation.wild:
            raise not_read(reading, node)
        if pivot.args.get("unpivot"):
            rows = _unpivoted(expressions, pivot, fields[0])
            return _named(reading, pivot.args.get("alias"), rows)
        calls = [_call(expressions, each) for each in pivot.expressions]
        made = _of_values(expressions, pivot, calls, fields[0])
        alias = pivot.args.get("alias")
    used = {each.index for _, call in made for part in call.operands for each in part.free if each.level == 0}
    kept = [index for index in range(len(relation.names)) if index not in used]
    if not kept:
        raise reading.error(node, "PIVOT of rows with no other columns is not understood", ADVICE)
    keys = tuple(typed(relation.column(index)) for index in kept)
    names = [*(relation.names[index] for index in kept), *(Name(name) for name, _ in made)]
    rows = Aggregate(relation.query, keys, tuple(call for _, call in made))
    return _named(reading, alias, Relation(rows, tuple(names)))


def _unpivoted(expressions: Expressions, pivot: Parts, node: exp.Expr) -> Relation:
    """UNPIVOT(value FOR name IN (columns)): of each row, one for each of the columns that is not NULL.

    It has the other columns, the name and the value."""
    reading, relation = expressions.reading, expressions.scope.relation
    if reading.dialect.name != "snowflake" or len(pivot.expressions) != 1:
        raise not_read(reading, pivot.of)
    with reading.parts(node) as listed:
        values = [expressions.read(each) for each in listed.expressions]
        called, value = reading.folded(listed.this), reading.folded(pivot.expressions[0])
    columns = [each for each in values if isinstance(each, Reference) and each.level == 0]
    if len(columns) != len(values) or len({each.type for each in columns}) != 1 or not columns:
        raise not_read(reading, pivot.of)
    kept = [index for index in range(len(relation.names)) if index not in {each.index for each in columns}]
    rows: Query | None = None
    for each in columns:
        some = Filter(relation.query, Not(IsNull(each)))
        name = Literal(relation.names[each.index].name, TEXT)
        branch = Project(some, (*(typed(relation.column(index)) for index in kept), name, each))
        rows = branch if rows is None else SetOperation("union", True, rows, branch)
    assert rows is not None
    return Relation(rows, (*(relation.names[index] for index in kept), Name(called), Name(value)))


def _call(expressions: Expressions, node: exp.Expr) -> Call:
    reading, name, inner = expressions.reading, "", node
    if isinstance(node, exp.Alias):
        with reading.parts(node) as alias:
            name, inner = reading.folded(alias.args["alias"]), alias.this
    if aggregate_call(inner) is None:
        raise reading.error(node, "an aggregate is expected here")
    call = read_call(expressions, inner)
    column = Reference(0, 0, call.column_of(True).type, True)
    counts = call.function == "count" and reading.dialect.name in ONE_CALL
    keeps_null = call.function.startswith(("ARRAY_", "first"))
    if counts or keeps_null or as_declared(expressions, inner, column) != column:
        raise reading.error(node, f"PIVOT with {inner.sql()} is not understood", ADVICE)
    return name, call


def _of_values(expressions: Expressions, pivot: Parts, calls: list[Call], node: exp.Expr) -> list[Call]:
    """The aggregates of the rows that have each value, with the names of their columns."""
    reading, made = expressions.reading, []
    if len(calls) > 1 and reading.dialect.name in ONE_CALL:
        raise reading.error(pivot, "PIVOT has one aggregate here")
    with reading.parts(node) as listed:
        if not isinstance(listed.of, exp.In) or not listed.expressions:
            raise reading.error(node, "PIVOT over values that are not listed is not understood", ADVICE)
        of = expressions.typed(listed.this)
        for each in listed.expressions:
            name, value = _value(reading, each)
            left, right = unified(reading, [of, expressions.read(value)], each) or (of, of)
            has_value = compared(expressions, "=", left, right, each)
            made += [_of_value(reading, call, name, has_value, each) for call in calls]
    return made


def _value(reading: QueryReading, node: exp.Expr) -> tuple[str, exp.Literal]:
    """What a value in a list gives its columns for a name, and the value: a text or an integer."""
    name, value = "", node
    if isinstance(node, exp.PivotAlias | exp.Alias):
        with reading.parts(node) as alias:
            name, value = reading.folded(alias.args["alias"]), alias.this
    if not isinstance(value, exp.Literal) or not (value.is_string or value.name.isdecimal()):
        raise reading.error(node, "a text or a number is expected here")
    quoted = f"'{value.name}'" if reading.dialect.name == "snowflake" and value.is_string else value.name
    return name or reading.dialect.folded(quoted, quoted=True), value


def _of_value(reading: QueryReading, call: Call, name: str, has_value: Expression, node: exp.Expr) -> Call:
    """The aggregate of the rows that have a value, and the name of its column."""
    prefix, inner = call
    if reading.dialect.name == "bigquery":
        name = f"{prefix}_{name}" if prefix else name
        if not _PLAIN.fullmatch(name):
            raise reading.error(node, "a value that is no name is not understood here", "write value AS name")
    return name, replace(inner, filter=has_value if inner.filter is None else And((inner.filter, has_value)))


def _named(reading: QueryReading, alias: exp.Expr | None, made: Relation) -> Relation:
    """The result under the name of an alias."""
    if alias is None:
        return replace(made, names=tuple(replace(each, qualifier=()) for each in made.names))
    with reading.parts(alias) as parts:
        if parts.args.get("columns"):
            raise reading.error(alias, "names for the columns of PIVOT are not understood")
        return made.renamed((reading.folded(parts.this),))
