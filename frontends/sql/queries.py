"""Queries: WITH, SELECT, set operations, VALUES, ORDER BY and LIMIT."""

from __future__ import annotations

from typing import Final

from sqlglot import exp
from tallystick.core.queries.calls import OrderKey
from tallystick.core.queries.expressions import Expression, Literal
from tallystick.core.queries.syntax import Project, SetOperation, reference, references
from tallystick.core.queries.types import INTEGER
from tallystick.frontends.sql.coercion import common_type
from tallystick.frontends.sql.declared import common
from tallystick.frontends.sql.expressions import Expressions
from tallystick.frontends.sql.predicates import as_types
from tallystick.frontends.sql.results import Result, no_rows
from tallystick.frontends.sql.scopes import Name, Reading, Relation, Scope, Tables
from tallystick.frontends.sql.select import Select, ordinal
from tallystick.frontends.sql.tables import NOTHING, values
from tallystick.frontends.sql.type_names import TypeName
from tallystick.frontends.sql.windows import directions

MODIFIERS: Final = ("with_", "order", "limit", "offset")


def read_query(
    reading: Reading, node: exp.Expr, around: Scope | None, tables: Tables, read_before: tuple[str, ...] = ()
) -> Result:
    """The rows of a query, but for the parts of its node that the caller reads.

    Raises SourceError where it is not understood.
    """
    tables = _with(reading, node, tables)
    match node:
        case exp.Select():
            result = Select(reading, _without_single_value(node), around, tables).read()
        case exp.SetOperation():
            result = _ordered(reading, node, _set_operation(reading, node, around, tables), around, tables)
        case exp.Subquery():
            reading.only(node, "this", *read_before, *MODIFIERS)
            inner = read_query(reading, node.this, around, tables)
            reordered = node.args.get("order") is not None
            result = _ordered(reading, node, inner.visible(), around, tables) if reordered else inner
        case exp.Values():
            reading.only(node, "expressions", *MODIFIERS)
            result = _ordered(reading, node, values(reading, node, around, tables), around, tables)
        case _:
            raise reading.error(node, f"a query is expected, not {node.key.upper()}")
    return _limited(reading, node, result)


def _with(reading: Reading, node: exp.Expr, tables: Tables) -> Tables:
    """The tables in sight with those that WITH names."""
    clause = node.args.get("with_")
    if clause is None:
        return tables
    reading.only(clause, "expressions")
    named = dict(tables)
    for each in clause.expressions:
        reading.only(each, "this", "alias", "materialized")
        alias = each.args["alias"]
        relation = read_query(reading, each.this, None, named).visible().without_hidden()
        columns = alias.args.get("columns") or []
        if columns and len(columns) != len(relation.names):
            raise reading.error(alias, f"{len(columns)} names are given to {len(relation.names)} columns")
        name = reading.folded(alias.this)
        given = tuple(
            reading.folded(column if isinstance(column, exp.Identifier) else column.this) for column in columns
        )
        named[name] = relation.renamed((name,), given or None)
    return named


def _set_operation(reading: Reading, node: exp.SetOperation, around: Scope | None, tables: Tables) -> Relation:
    reading.only(node, "this", "expression", "distinct", *MODIFIERS)
    kind = {exp.Union: "union", exp.Intersect: "intersect", exp.Except: "except"}[type(node)]
    sides = [read_query(reading, side, around, tables).visible().without_hidden() for side in (node.left, node.right)]
    left, right = (
        no_rows(len(other.names)) if side.wild is not None else side
        for side, other in zip(sides, sides[::-1], strict=True)
    )
    if len(left.names) != len(right.names):
        message = f"{kind.upper()} of {len(left.names)} and of {len(right.names)} columns"
        raise reading.error(node.right, message)
    pairs = [(left.column(index), right.column(index)) for index in range(len(left.names))]
    found = [common_type(reading, pair, node.right, "rows") for pair in pairs]
    types = [INTEGER if each is None else each for each in found]
    expressions = Expressions(reading, Scope(NOTHING, around), tables)
    aligned = [as_types(expressions, side, types, node).query for side in (left, right)]
    declared = [_declared(*names) for names in zip(left.names, right.names, strict=True)]
    names = tuple(
        Name(name.name, untyped=each is None, declared=type_)
        for name, each, type_ in zip(left.names, found, declared, strict=True)
    )
    return Relation(SetOperation(kind, not node.args.get("distinct"), *aligned), names)  # type: ignore[arg-type]


def _declared(*names: Name) -> TypeName | None:
    """The declared type of a column of a set operation."""
    return common(name.declared for name in names if not name.untyped)


def _ordered(reading: Reading, node: exp.Expr, relation: Relation, around: Scope | None, tables: Tables) -> Result:
    """ORDER BY over columns of a result."""
    order = node.args.get("order")
    if order is None:
        return Result(relation.query, relation.names, wild=relation.wild)
    reading.only(order, "expressions")
    expressions = Expressions(reading, Scope(relation, around), tables, place="ORDER BY")
    columns: list[Expression] = list(references(relation.query))
    keys = []
    for each in order.expressions:
        key = _key(expressions, relation, each.this if isinstance(each, exp.Ordered) else each)
        if isinstance(key, Literal):
            continue
        if key not in columns:
            columns.append(key)
        keys.append((columns.index(key), *directions(expressions, each)))
    hidden = len(columns) > len(relation.query.columns)
    query = Project(relation.query, tuple(columns)) if hidden else relation.query
    order_keys = tuple(OrderKey(reference(query, index), *rest) for index, *rest in keys)
    return Result(query, relation.names, order_keys, relation.wild)


def _key(expressions: Expressions, relation: Relation, node: exp.Expr) -> Expression:
    if isinstance(node, exp.Literal) and not node.is_string:
        return reference(relation.query, ordinal(expressions.reading, node, len(relation.names)))
    return expressions.typed(node)


def _limited(reading: Reading, node: exp.Expr, result: Result) -> Result:
    limit, offset = node.args.get("limit"), node.args.get("offset")
    count: int | None = None
    skipped = 0
    if isinstance(limit, exp.Fetch):
        reading.only(limit, "direction", "count", "limit_options")
        options = limit.args.get("limit_options")
        if options is not None:
            reading.only(options, "rows")
        count = 1 if limit.args.get("count") is None else _number(reading, limit.args["count"])
    elif limit is not None:
        reading.only(limit, "expression", "offset")
        count = _number(reading, limit.expression)
        if limit.args.get("offset") is not None:
            skipped = _number(reading, limit.args["offset"])
    if offset is not None:
        reading.only(offset, "this", "expression")
        skipped = _number(reading, offset.expression)
    if skipped or count:
        reading.chooses(limit or offset, "LIMIT" if count else "OFFSET")
    return result.limited(count, skipped)


def _number(reading: Reading, node: exp.Expr) -> int:
    inner = node.this if isinstance(node, exp.Paren) else node
    if not (isinstance(inner, exp.Literal) and not inner.is_string and inner.name.isdecimal()):
        raise reading.error(node, "a number of rows is expected here")
    return int(inner.name)


def _without_single_value(node: exp.Select) -> exp.Select:
    """Calcite's `SELECT SINGLE_VALUE(e) FROM …` without GROUP BY is `SELECT (SELECT e FROM …)`, a scalar subquery."""
    if len(node.expressions) != 1 or any(node.args.get(part) for part in ("group", "having", "order", "distinct")):
        return node
    [item] = node.expressions
    call = item.unalias()
    if not (isinstance(call, exp.Anonymous) and call.name.upper() == "SINGLE_VALUE" and len(call.expressions) == 1):
        return node
    inner = node.copy()
    inner.set("expressions", [call.expressions[0].copy()])
    value = exp.Subquery(this=inner)
    return exp.Select(expressions=[exp.Alias(this=value, alias=item.args["alias"].copy()) if item.alias else value])
