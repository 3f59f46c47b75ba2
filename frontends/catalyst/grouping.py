"""Aggregate and Expand: groups, and the unions of groupings that ROLLUP, CUBE and GROUPING SETS are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tallystick.core.queries.calls import AggregateCall, OrderKey
from tallystick.core.queries.expressions import Expression
from tallystick.core.queries.syntax import Aggregate, Project, Query, SetOperation, reference
from tallystick.frontends.catalyst import firsts
from tallystick.frontends.catalyst.aggregates import (
    Aggregated,
    any_value,
    is_number_collected,
    order_free,
    read_aggregate,
    read_number_collected,
)
from tallystick.frontends.catalyst.conditionals import of_type
from tallystick.frontends.catalyst.expressions import Expressions
from tallystick.frontends.catalyst.nodes import Node, malformed, refused
from tallystick.frontends.catalyst.pivots import pivot_of, read_pivot
from tallystick.frontends.catalyst.reading import (
    Attribute,
    PlanReading,
    Relation,
    RowScope,
    Scopes,
    expression_id,
    require_equality,
    shown,
    with_whole_structs,
)
from tallystick.frontends.catalyst.subqueries import bare
from tallystick.frontends.catalyst.values import Struct, Value

ReadQuery = Callable[[Node, Scopes], Relation]


def read_group(reading: PlanReading, node: Node, outer: Scopes, read: ReadQuery) -> Relation:
    """GROUP BY, or an aggregation of all rows.

    Over an Expand whose branches are told apart by a constant that is a key, no group has rows of two branches: the
    result is the union of those of the branches.
    """
    child = node.one("child")
    if any(pivot_of(each) is not None for each in node.many("aggregateExpressions")):
        return read_pivot(reading, node, outer, read)
    if child.name == "Expand" and _told_apart(node, child):
        return union([_group(reading, node, branch, outer, read) for branch in _branches(reading, child, outer, read)])
    return _group(reading, node, bare(read(child, outer)), outer, read)


def _group(reading: PlanReading, node: Node, rows: Relation, outer: Scopes, read: ReadQuery) -> Relation:
    over_rows = Expressions(reading, (rows.frame(), *outer), read)
    keys = [over_rows.read(key) for key in node.many("groupingExpressions")]
    found = [part for each in node.many("aggregateExpressions") for part in parts(each)]
    free = order_free(found)

    def called(part: Node) -> Aggregated:
        if part.name == "Size":
            return read_number_collected(over_rows, part)
        return read_aggregate(over_rows, part, ordered=part not in free)

    counted = {part.children[0] for part in found if is_number_collected(part)}
    collected = [called(part) for part in found if _is_call(part) and part not in counted]
    calls = list(dict.fromkeys(call for each in collected for call in each.calls))
    grouped = firsts.grouped(rows.query, tuple(key.expression for key in keys), tuple(calls))
    frame = _frame_of_keys(node, keys, grouped)

    def special(part: Node) -> Value | Struct | None:
        if _is_call(part):
            aggregated = called(part)
            return aggregated.result([reference(grouped, len(keys) + calls.index(call)) for call in aggregated.calls])
        if _has_call(part) or part.name in ("Alias", "Literal"):
            return None
        return _key_of(part, over_rows, keys, grouped)

    over_groups = Expressions(reading, (frame, *outer), read, special)
    return projected(grouped, node.many("aggregateExpressions"), over_groups)


def _is_call(part: Node) -> bool:
    """Whether an expression is computed from the rows of a group."""
    return part.name == "AggregateExpression" or is_number_collected(part)


def _frame_of_keys(node: Node, keys: list[Value], grouped: Query) -> RowScope:
    """The rows of groups as a scope: attributes that are keys."""
    attributes = {}
    for index, key in enumerate(node.many("groupingExpressions")):
        if key.name in ("AttributeReference", "Alias"):
            id_ = expression_id(key)
            attributes.setdefault(id_, Attribute(id_, str(key.fields.get("name")), keys[index].type, index))
    return RowScope(attributes, grouped.columns)


def _key_of(part: Node, over_rows: Expressions, keys: list[Value], grouped: Query) -> Value | None:
    """The key that an expression over the rows of a group is, if it is one."""
    if not keys or _needs_rows(part):
        return None
    value = over_rows.any(part)
    value = value.whole if isinstance(value, Struct) else value
    for index, key in enumerate(keys):
        if value == key:
            return Value(reference(grouped, index), key.type)
    return None


def _needs_rows(part: Node) -> bool:
    """Whether an expression cannot be read over the rows by itself."""
    names = {each.name for each in parts(part)}
    return not names.isdisjoint({"CommonExpressionRef", "AggregateExpression"})


def parts(node: Node) -> list[Node]:
    """The nodes of an expression, without those of subqueries and fields."""
    found, pending = [], [node]
    while pending:
        part = pending.pop()
        found.append(part)
        pending += part.children
        if part.name == "CaseWhen":
            pending += _branch_parts(part)
    return found


def _branch_parts(node: Node) -> list[Node]:
    """The nodes of branches, at which nobody has looked for that: a field may have a copy of the node."""
    found: list[Node] = []
    branches = node.fields.values_of.get("branches")
    for pair in branches if isinstance(branches, list) else ():
        if not isinstance(pair, dict):
            raise malformed("a branch of CaseWhen is a pair")
        branch = node.inside("branch", pair)
        found += [branch.one("_1"), branch.one("_2")]
    return found


def _has_call(node: Node) -> bool:
    return any(part.name == "AggregateExpression" for part in parts(node))


def projected(
    query: Query, nodes: tuple[Node, ...], expressions: Expressions, order: tuple[OrderKey, ...] = ()
) -> Relation:
    """The named expressions of a list over the rows of a query, which may be in an order."""
    columns: list[Expression] = []
    attributes = []
    for node in nodes:
        if node.name not in ("Alias", "AttributeReference"):
            raise refused(node, f"a column that is a {node.name} is not understood")
        value = expressions.any(node)
        attributes.append(Attribute(expression_id(node), node.text("name"), value.type, len(columns)))
        fields = value.fields if isinstance(value, Struct) else (value,)
        columns += [field.expression for field in fields]
    return shown(query, columns, attributes, order)


def union(relations: list[Relation]) -> Relation:
    """The rows of all relations, with the attributes of the first."""
    query = relations[0].query
    for relation in relations[1:]:
        query = SetOperation("union", True, query, relation.query)
    return Relation(query, relations[0].attributes)


def read_expand(reading: PlanReading, node: Node, outer: Scopes, read: ReadQuery) -> Relation:
    """Each row once for each projection."""
    return union(_branches(reading, node, outer, read))


def _branches(reading: PlanReading, node: Node, outer: Scopes, read: ReadQuery) -> list[Relation]:
    """The rows of each projection."""
    rows, output = read(node.one("child"), outer), node.many("output")
    attributes = tuple(
        Attribute(expression_id(each), each.text("name"), reading.column_of(each), index)
        for index, each in enumerate(output)
    )
    expressions = Expressions(reading, (rows.frame(), *outer), read)
    branches = []
    for projection in _projections(node):
        values = expressions.all(projection)
        for value, attribute in zip(values, attributes, strict=True):
            if value.type.name != "void" and value.type != attribute.type:
                raise malformed(f"Expand has a {value.type} for {attribute.name}, which is a {attribute.type}")
        columns = tuple(of_type(value, attribute.type) for value, attribute in zip(values, attributes, strict=True))
        branches.append(Relation(Project(rows.query, columns), attributes))
    return branches


def _projections(node: Node) -> list[tuple[Node, ...]]:
    return [node.inside("row", {"row": row}).many("row") for row in node.items("projections")]


def _told_apart(node: Node, expand: Node) -> bool:
    """Whether a key is another constant in each projection."""
    keys = {expression_id(key) for key in node.many("groupingExpressions") if key.name == "AttributeReference"}
    rows = _projections(expand)
    for index, output in enumerate(expand.many("output")):
        column = [row[index] for row in rows]
        constants = {str(part.fields.get("value")) for part in column if part.name == "Literal"}
        if expression_id(output) in keys and len(constants) == len(column) == len(rows):
            return True
    return False


def read_deduplicated(reading: PlanReading, node: Node, outer: Scopes, read: ReadQuery) -> Relation:
    """dropDuplicates: a row for each value of the keys."""
    rows = with_whole_structs(require_equality(bare(read(node.one("child"), outer))))
    wanted = {expression_id(key) for key in node.many("keys")}
    expressions = Expressions(reading, (rows.frame(), *outer), read)
    values = rows.values()
    is_key = [attribute.id in wanted for attribute in rows.attributes]
    keys = tuple(value.expression for value, key in zip(values, is_key, strict=True) if key)
    calls: list[AggregateCall] = []
    for value, key in zip(values, is_key, strict=True):
        if not key:
            calls.append(any_value(expressions, node, value))
    if not keys:
        raise refused(node, "dropDuplicates by no column is not understood")
    names = (attribute.name for attribute, key in zip(rows.attributes, is_key, strict=True) if key)
    reading.choices += [f"dropDuplicates({', '.join(names)})"] if calls else []
    grouped = Aggregate(rows.query, keys, tuple(dict.fromkeys(calls)))
    places = iter(range(len(keys)))
    unique = list(dict.fromkeys(calls))
    chosen = iter(len(keys) + unique.index(call) for call in calls)
    columns = tuple(reference(grouped, next(places) if key else next(chosen)) for key in is_key)
    attributes = tuple(replace(each, index=index) for index, each in enumerate(rows.attributes))
    return Relation(Project(grouped, columns), attributes)
