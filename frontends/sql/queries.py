"""Queries: WITH, SELECT, set operations, VALUES, ORDER BY and LIMIT."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from sqlglot import exp
from tallystick.core.queries.calls import OrderKey
from tallystick.core.queries.expressions import Expression, Function, Literal, ScalarSubquery
from tallystick.core.queries.syntax import UNIT, Project, Query, SetOperation, reference, references
from tallystick.core.queries.types import INTEGER, OPAQUE
from tallystick.frontends.choices.marks import in_order
from tallystick.frontends.sql.coercion import collated, common_type, require_spelling, typed
from tallystick.frontends.sql.declared import common
from tallystick.frontends.sql.exploded import written_as_joins
from tallystick.frontends.sql.expressions import Expressions, read_parameter
from tallystick.frontends.sql.ordinals import ordinal
from tallystick.frontends.sql.padding import require_one_padding
from tallystick.frontends.sql.parts import Parts
from tallystick.frontends.sql.predicates import as_types
from tallystick.frontends.sql.results import Result, no_rows
from tallystick.frontends.sql.scopes import Name, QueryReading, Relation, Scope, Tables, unwrapped
from tallystick.frontends.sql.select import Select
from tallystick.frontends.sql.tables import NOTHING, names_of, values
from tallystick.frontends.sql.type_names import TypeName
from tallystick.frontends.sql.windows import ordered


def read_query(
    reading: QueryReading, node: exp.Expr, around: Scope | None, tables: Tables, read_before: tuple[str, ...] = ()
) -> Result:
    """The rows of a query, but for the parts of its node that the caller reads.

    Raises SourceError where it is not understood.
    """
    if isinstance(node, exp.Select):
        written_as_joins(reading, node)
    with reading.parts(node) as parts:
        for each in read_before:
            parts.args.get(each)
        tables = _with(reading, parts, tables)
        return _limited(reading, parts, _unlimited(reading, parts, around, tables))


def _unlimited(reading: QueryReading, node: Parts, around: Scope | None, tables: Tables) -> Result:
    match node.of:
        case exp.Select():
            if (single := _single_value(reading, node)) is not None:
                return _scalar(reading, node, *single, around, tables)
            clauses = [node.args[each] for each in PLACING if node.args.get(each) is not None]
            selected = Select(reading, node, around, tables).read()
            return _placed(reading, clauses, selected, around, tables) if clauses else selected
        case exp.SetOperation():
            return _ordered(reading, node, _set_operation(reading, node, around, tables), around, tables)
        case exp.Subquery():
            inner = read_query(reading, node.this, around, tables)
            reordered = node.args.get("order") is not None
            return _ordered(reading, node, inner.visible(), around, tables) if reordered else inner
        case exp.Values():
            return _ordered(reading, node, values(reading, node, around, tables), around, tables)
        case _:
            raise reading.error(node, f"a query is expected, not {node.of.key.upper()}")


PLACING: Final = ("distribute", "sort", "cluster")
"""Clauses of Spark that place rows in partitions, or order these: no row is another one."""


def _placed(
    reading: QueryReading, clauses: list[exp.Expr], selected: Result, around: Scope | None, tables: Tables
) -> Result:
    """The rows of a SELECT, which come as DISTRIBUTE BY, SORT BY or CLUSTER BY say."""
    if reading.dialect.name not in ("spark", "databricks"):
        raise reading.refused(clauses[0])
    expressions = Expressions(reading, Scope(selected.visible(), around), tables, place="DISTRIBUTE BY")
    said: list[Expression | str] = []
    for each in clauses:
        with reading.parts(each) as parts:
            said.append(each.sql(reading.dialect.parser))
            said += [expressions.typed(ordered(reading, key)[0]) for key in parts.expressions]
    return replace(selected, query=in_order(selected.query, *said))


def _with(reading: QueryReading, node: Parts, tables: Tables) -> Tables:
    """The tables in sight with those that WITH names."""
    clause = node.args.get("with_")
    if clause is None:
        return tables
    named = dict(tables)
    with reading.parts(clause) as parts:
        for each in parts.expressions:
            name, relation = _named(reading, each, named)
            named[name] = relation
    return named


def _named(reading: QueryReading, node: exp.Expr, tables: Tables) -> tuple[str, Relation]:
    """One query of WITH, and its name; MATERIALIZED does not change its rows."""
    with reading.parts(node) as parts:
        parts.args.get("materialized")
        if reading.dialect.name == "mysql":
            _require_new_names(reading, parts.this, tables)
        relation = read_query(reading, parts.this, None, tables).visible().without_hidden()
        with reading.parts(parts.args["alias"]) as alias:
            name, columns = reading.folded(alias.this), names_of(reading, alias.args.get("columns") or [])
    if columns and len(columns) != len(relation.names):
        raise reading.error(parts.args["alias"], f"{len(columns)} names are given to {len(relation.names)} columns")
    return name, relation.renamed((name,), columns or None)


def _require_new_names(reading: QueryReading, node: exp.Expr, tables: Tables) -> None:
    """Raises SourceError where WITH in a query of WITH names one again: MariaDB reads the first one then."""
    inner = node.args.get("with_")
    for each in inner.expressions if inner is not None else ():
        name = reading.folded(each.args["alias"].this)
        if name in tables:
            raise reading.error(each, f"WITH has a query that is called {name} already", "give it another name")


def _set_operation(reading: QueryReading, node: Parts, around: Scope | None, tables: Tables) -> Relation:
    kind = {exp.Union: "union", exp.Intersect: "intersect", exp.Except: "except"}[type(node.of)]
    both = node.this, node.expression
    sides = [read_query(reading, side, around, tables).visible().without_hidden() for side in both]
    left, right = (
        no_rows(len(other.names)) if side.wild is not None else side
        for side, other in zip(sides, sides[::-1], strict=True)
    )
    if len(left.names) != len(right.names):
        message = f"{kind.upper()} of {len(left.names)} and of {len(right.names)} columns"
        raise reading.error(node.expression, message)
    pairs = [(left.column(index), right.column(index)) for index in range(len(left.names))]
    found = [
        common_type(reading, pair, node.expression, "rows", column=name.name or "")
        for pair, name in zip(pairs, left.names, strict=True)
    ]
    types = [INTEGER if each is None else each for each in found]
    expressions = Expressions(reading, Scope(NOTHING, around), tables)
    if kind != "union" or node.args.get("distinct"):
        require_spelling(reading, [each for pair in pairs for each in map(typed, pair)], node.expression, kind.upper())
    for one, other in zip(left.names, right.names, strict=True):
        if not (one.untyped or other.untyped):
            require_one_padding(reading, (one.declared, other.declared), one.name or other.name, node)
    declared = [_declared(*names) for names in zip(left.names, right.names, strict=True)]
    apart = [index for index, each in enumerate(declared) if each is None or not each.exact]
    aligned = [
        _met(reading, as_types(expressions, side, types, node).query, apart, side.names, number, node)
        for number, side in enumerate((left, right))
    ]
    names = tuple(
        Name(name.name, untyped=each is None, declared=type_)
        for name, each, type_ in zip(left.names, found, declared, strict=True)
    )
    return Relation(SetOperation(kind, not node.args.get("distinct"), *aligned), names)  # type: ignore[arg-type]


def _met(
    reading: QueryReading, side: Query, apart: list[int], names: tuple[Name, ...], number: int, node: Parts
) -> Query:
    """One side of a set operation: in columns of which the sides may have different types, documents and arrays become
    what is made of them at this place of the text alone, see `coercion.met`."""
    columns: list[Expression] = [*references(side)]
    for index in apart:
        if columns[index].type == OPAQUE and reading.dialect.name != "snowflake" and not names[index].untyped:
            name = f"side {number} of a set operation in {reading.place(node.of)}, column {index}"
            columns[index] = Function(name, (columns[index],), OPAQUE, strict=False)
    return side if (*columns,) == references(side) else Project(side, (*columns,))


def _declared(*names: Name) -> TypeName | None:
    """The declared type of a column of a set operation."""
    return common(name.declared for name in names if not name.untyped)


def _ordered(reading: QueryReading, node: Parts, relation: Relation, around: Scope | None, tables: Tables) -> Result:
    """ORDER BY over columns of a result."""
    order = node.args.get("order")
    if order is None:
        return Result(relation.query, relation.names, wild=relation.wild)
    expressions = Expressions(reading, Scope(relation, around), tables, place="ORDER BY")
    columns: list[Expression] = list(references(relation.query))
    with reading.parts(order) as parts:
        listed = [ordered(reading, each) for each in parts.expressions]
    keys = []
    for each, *directions in listed:
        key = _key(expressions, relation, each)
        if isinstance(key, Literal):
            continue
        key = collated(reading, key)
        if key not in columns:
            columns.append(key)
        keys.append((columns.index(key), *directions))
    hidden = len(columns) > len(relation.query.columns)
    if hidden and isinstance(node.of, exp.SetOperation) and reading.dialect.name == "postgres":
        hint = "put the set operation into a subquery"
        raise reading.error(order, "PostgreSQL orders a set operation by columns of its result alone", hint)
    query = Project(relation.query, tuple(columns)) if hidden else relation.query
    order_keys = tuple(OrderKey(reference(query, index), *rest) for index, *rest in keys)
    return Result(query, relation.names, order_keys, relation.wild)


def _key(expressions: Expressions, relation: Relation, node: exp.Expr) -> Expression:
    listed = ordinal(expressions.reading, node, len(relation.names))
    return expressions.typed(node) if listed is None else reference(relation.query, listed)


def _limited(reading: QueryReading, node: Parts, result: Result) -> Result:
    limit, offset = node.args.get("limit"), node.args.get("offset")
    count: int | Expression | None = None
    skipped: int | Expression = 0
    if isinstance(limit, exp.Fetch):
        count = _fetched(reading, limit)
    elif limit is not None:
        with reading.parts(limit) as parts:
            count = _number(reading, parts.expression)
            if parts.args.get("offset") is not None:
                skipped = _number(reading, parts.args["offset"])
    if offset is not None:
        with reading.parts(offset) as parts:
            skipped = _number(reading, parts.expression)
    if skipped or count:  # a parameter is both
        place = limit if limit is not None else offset
        assert place is not None
        reading.chooses(place, "LIMIT" if count else "OFFSET")
    return result.limited(count, skipped)


def _fetched(reading: QueryReading, node: exp.Expr) -> int | Expression:
    """FETCH FIRST n ROWS ONLY, with or without some of its words."""
    with reading.parts(node) as parts:
        if parts.args.get("direction") not in ("FIRST", "NEXT"):
            raise reading.refused(node)
        options = parts.args.get("limit_options")
        if options is not None:
            with reading.parts(options) as written:
                written.args.get("rows")
        return 1 if parts.args.get("count") is None else _number(reading, parts.args["count"])


def _number(reading: QueryReading, node: exp.Expr) -> int | Expression:
    inner = unwrapped(reading, node)
    if isinstance(inner, exp.Placeholder):
        with reading.parts(inner) as parts:
            return read_parameter(reading, parts, counts=True)  # type: ignore[return-value]
    if not (isinstance(inner, exp.Literal) and not inner.is_string and inner.name.isdecimal()):
        raise reading.error(node, "a number of rows is expected here")
    return int(reading.word(inner))


def _single_value(reading: QueryReading, node: Parts) -> tuple[str, exp.Expr] | None:
    """The name and the argument e of Calcite's `SELECT SINGLE_VALUE(e) FROM …` without GROUP BY; else None."""
    others = ("group", "having", "order", "distinct", "limit", "offset", "with_")
    if len(node.expressions) != 1 or any(node.of.args.get(part) for part in others):
        return None
    [item] = node.expressions
    call = item.unalias()
    if not (isinstance(call, exp.Anonymous) and call.name.upper() == "SINGLE_VALUE" and len(call.expressions) == 1):
        return None
    name = ""
    if item is not call:
        with reading.parts(item) as alias:
            assert alias.this is call
            name = reading.folded(alias.args["alias"])
    with reading.parts(call) as parts:
        assert parts.this
        return name, parts.expressions[0]


def _scalar(
    reading: QueryReading, node: Parts, name: str, argument: exp.Expr, around: Scope | None, tables: Tables
) -> Result:
    """`SELECT (SELECT e FROM …)`, which SINGLE_VALUE(e) stands for."""
    inner = Select(reading, node, Scope(NOTHING, around), tables, [argument]).read().visible()
    untyped = inner.names[0].untyped
    value = Literal(None, INTEGER) if untyped else ScalarSubquery(inner.query)
    return Result(Project(UNIT, (value,)), (Name(name, untyped=untyped),))
