"""The operators of logical plans: one handler for each class, in the table `OPERATORS`. Others are refused by name."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tallystick.core.queries.expressions import Exists, Expression, Literal
from tallystick.core.queries.syntax import (
    Distinct,
    Filter,
    Join,
    JoinKind,
    Limit,
    Project,
    SetOperation,
    references,
)
from tallystick.core.queries.types import BOOLEAN
from tallystick.frontends.catalyst.expressions import Expressions, check_type
from tallystick.frontends.catalyst.generators import read_generate
from tallystick.frontends.catalyst.grouping import projected, read_deduplicated, read_expand, read_group, union
from tallystick.frontends.catalyst.leaves import LEAVES
from tallystick.frontends.catalyst.nodes import Node, malformed, refused
from tallystick.frontends.catalyst.orders import limited, needed
from tallystick.frontends.catalyst.reading import (
    Attribute,
    PlanReading,
    Relation,
    RowScope,
    Scopes,
    expression_id,
    renamed,
    require_equality,
    with_whole_structs,
)
from tallystick.frontends.catalyst.subqueries import bare
from tallystick.frontends.catalyst.types import BOOL
from tallystick.frontends.catalyst.values import Struct, Value
from tallystick.frontends.catalyst.windows import order_keys, read_group_limit, read_window
from tallystick.frontends.choices.marks import in_order

TRUE = Literal(True, BOOLEAN)
JOINS: dict[str, JoinKind] = {
    "Inner": "inner",
    "Cross": "inner",
    "LeftOuter": "left",
    "RightOuter": "right",
    "FullOuter": "full",
    "LeftSemi": "semi",
    "LeftAnti": "anti",
}


class Queries:
    """Reads plans."""

    def __init__(self, reading: PlanReading) -> None:
        self.reading = reading

    def read(self, node: Node, outer: Scopes = ()) -> Relation:
        """The relation of a plan whose subqueries may refer to the rows around it."""
        if node.name in LEAVES:
            return LEAVES[node.name](self.reading, node)
        handler = OPERATORS.get(node.name)
        if handler is None:
            raise refused(node, f"the operator {node.name} is not understood", HINTS.get(node.name, ""))
        return handler(self, node, outer)

    def expressions(self, relation: Relation, outer: Scopes) -> Expressions:
        """Reads expressions over the rows of a relation."""
        return Expressions(self.reading, (relation.frame(), *outer), self.read)

    # ---- operators

    def child(self, node: Node, outer: Scopes) -> Relation:
        return self.read(node.one("child"), outer)

    def hinted(self, node: Node, outer: Scopes) -> Relation:
        """A hint, such as how to join, changes no rows, but the order in which they come."""
        rows = self.child(node, outer)
        hint = json.dumps(node.fields.get("hints"), sort_keys=True)
        return replace(rows, query=in_order(rows.query, node.name, hint))

    def moved(self, node: Node, outer: Scopes) -> Relation:
        """Rows that move between partitions have no order; by what they move decides in which they come."""
        rows = bare(self.child(node, outer))
        by: list[Any] = [node.name, *(str(node.fields.get(field)) for field in ("numPartitions", "optNumPartitions"))]
        over = self.expressions(rows, outer)
        for each in node.many("partitionExpressions") if "partitionExpressions" in node.fields else ():
            by += order_keys(over, (each,)) if each.name == "SortOrder" else [over.read(each).expression]
        return replace(rows, query=in_order(rows.query, *by, str(node.fields.get("shuffle"))))

    def project(self, node: Node, outer: Scopes) -> Relation:
        rows = self.child(node, outer)
        return projected(rows.query, node.many("projectList"), self.expressions(rows, outer), rows.order)

    def filter(self, node: Node, outer: Scopes) -> Relation:
        rows = self.child(node, outer)
        condition = self.expressions(rows, outer).condition(node.one("condition"))
        return replace(rows, query=Filter(rows.query, condition))

    def join(self, node: Node, outer: Scopes) -> Relation:
        kind, found = node.object_name("joinType"), node.maybe("condition")
        partner = node.one("right")
        if kind in ("LeftSemi", "LeftAnti", "ExistenceJoin") and found is None:  # is there any row?
            partner = self.without_local_limit(partner, 1)
        left, right = (bare(self.read(each, outer)) for each in (node.one("left"), partner))
        left = with_whole_structs(left) if kind in ("RightOuter", "FullOuter") else left
        right = with_whole_structs(right) if kind in ("LeftOuter", "FullOuter") else right
        shift = len(left.query.columns)
        moved = [replace(attribute, index=attribute.index + shift) for attribute in right.attributes]
        both = (*left.attributes, *moved)
        frame = RowScope(_by_id(both), (*left.query.columns, *right.query.columns))
        if kind == "ExistenceJoin":
            return self.existence(node, left, right, outer)
        if kind not in JOINS:
            raise refused(node, f"a {kind} join is not understood")
        condition: Expression = TRUE
        if found is not None:
            condition = Expressions(self.reading, (frame, *outer), self.read).condition(found)
        joined = Join(JOINS[kind], left.query, right.query, condition)
        return Relation(joined, left.attributes if kind in ("LeftSemi", "LeftAnti") else both)

    def existence(self, node: Node, left: Relation, right: Relation, outer: Scopes) -> Relation:
        """The rows of the left, each with whether the right has a partner."""
        lefts, rights = left.frame(), right.frame()

        def special(part: Node) -> Value | Struct | None:
            if part.name != "AttributeReference" or expression_id(part) in rights.attributes:
                return None
            found = lefts.attributes.get(expression_id(part))
            if found is None:
                return None
            check_type(self.reading, part, found)
            return lefts.value(found, 1)

        inside, condition = right.query, node.maybe("condition")
        if condition is not None:
            expressions = Expressions(self.reading, (rights, lefts, *outer), self.read, special)
            inside = Filter(inside, expressions.condition(condition))
        width = len(left.query.columns)
        exists = node.inside("ExistenceJoin", node.fields["joinType"]).one("exists")
        attribute = Attribute(expression_id(exists), str(exists.fields.get("name")), BOOL, width)
        columns = (*references(left.query), Exists(inside))
        return Relation(Project(left.query, columns), (*left.attributes, attribute))

    def distinct(self, node: Node, outer: Scopes) -> Relation:
        rows = require_equality(bare(self.child(node, outer)))
        return replace(rows, query=Distinct(rows.query))

    def union(self, node: Node, outer: Scopes) -> Relation:
        if node.flag("byName") if "byName" in node.fields else False:
            raise refused(node, "a union by name on the way to one by position is not understood")
        relations = [bare(self.read(child, outer)) for child in node.many("children")]
        return union(_of_same_types(node, relations))

    def set_operation(self, node: Node, outer: Scopes) -> Relation:
        left, right = (require_equality(bare(self.read(node.one(side), outer))) for side in ("left", "right"))
        left, right = _of_same_types(node, [left, right])
        kind = "intersect" if node.name == "Intersect" else "except"
        return Relation(SetOperation(kind, node.flag("isAll"), left.query, right.query), left.attributes)

    def sort(self, node: Node, outer: Scopes) -> Relation:
        """Rows in an order; that of each partition alone is none of all rows, but decides what is chosen from them."""
        rows = self.child(node, outer)
        keys = order_keys(self.expressions(rows, outer), node.many("order"))
        is_global = node.flag("global")
        return replace(rows, query=in_order(rows.query, str(is_global), *keys), order=keys if is_global else ())

    def limit(self, node: Node, outer: Scopes) -> Relation:
        """LIMIT, which is a limit of each partition below a limit of all."""
        count, skipped = self.number(node), 0
        inner = self.without_local_limit(node.one("child"), count)
        if inner.name == "Offset":
            skipped = self.number(inner, "offsetExpr")
            inner = self.without_local_limit(inner.one("child"), count + skipped)
        rows = self.read(inner, outer)
        self.reading.choices.append(f"limit({count})")
        return replace(rows, query=limited(rows.query, needed(rows.query, rows.order), count, skipped))

    def without_local_limit(self, node: Node, needed_rows: int) -> Node:
        """What a limit of each partition limits, if that leaves the rows that are needed of the first ones."""
        enough = node.name == "LocalLimit" and self.number(node) >= needed_rows
        return node.one("child") if enough else node

    def local_limit(self, node: Node, outer: Scopes) -> Relation:
        raise refused(node, "a limit of each partition (LocalLimit) says nothing of its own: the result is any part")

    def offset(self, node: Node, outer: Scopes) -> Relation:
        rows = self.child(node, outer)
        self.reading.choices.append(f"offset({self.number(node, 'offsetExpr')})")
        return replace(rows, query=Limit(rows.query, rows.order, None, self.number(node, "offsetExpr")))

    def number(self, node: Node, field: str = "limitExpr") -> int:
        """A constant number of rows."""
        value = Expressions(self.reading, (), self.read).read(node.one(field)).expression
        if not isinstance(value, Literal) or type(value.value) is not int or value.value < 0:
            raise refused(node, f"{node.name} of what is no constant number is not understood")
        return value.value

    def with_common(self, node: Node, outer: Scopes) -> Relation:
        for definition in node.many("cteDefs"):
            if definition.name != "CTERelationDef":
                raise malformed(f"a common table expression is no {definition.name}")
            relation = bare(self.read(definition.one("child"), outer))
            self.reading.common[definition.number("id")] = relation, len(outer)
        return self.read(node.one("plan"), outer)

    def common(self, node: Node, outer: Scopes) -> Relation:
        found = self.reading.common.get(node.number("cteId"))
        if found is None or node.fields.get("recursive"):
            raise refused(node, "a common table expression that is recursive, or not defined, is not understood")
        relation, depth = found
        if relation.query.free and depth != len(outer):
            raise refused(node, "a common table expression of another scope is not understood")
        output = node.many("output")
        if len(output) != len(relation.attributes):
            raise malformed("a CTERelationRef has as many columns as its definition")
        attributes = [
            renamed(attribute, expression_id(each), each.text("name"))
            for attribute, each in zip(relation.attributes, output, strict=True)
        ]
        for attribute, each in zip(attributes, output, strict=True):
            if self.reading.type_of(each) != attribute.type:
                raise malformed(f"the column {attribute.name} of a CTERelationRef has another type")
        return replace(relation, attributes=tuple(attributes))


def _by_id(attributes: tuple[Attribute, ...]) -> dict[int, Attribute]:
    return {attribute.id: attribute for attribute in reversed(attributes)}


def _of_same_types(node: Node, relations: list[Relation]) -> list[Relation]:
    """Relations of the same types; structs are one value each where they are not on all sides, or may be NULL."""
    types = [tuple(attribute.type for attribute in relation.attributes) for relation in relations]
    structs = [each for side in types for each in side if each.fields]
    if structs and (len(set(types)) != 1 or not all(each.names for each in structs)):
        relations = list(map(with_whole_structs, relations))
        types = [tuple(attribute.type for attribute in relation.attributes) for relation in relations]
    if len(set(types)) != 1:
        raise malformed(f"the sides of {node.name} have different types")
    return relations


Operator = Callable[[Queries, Node, Scopes], Relation]
OPERATORS: dict[str, Operator] = {
    **dict.fromkeys(
        (
            "SubqueryAlias",
            "View",
            "Subquery",
            "ReturnAnswer",
            "CollectMetrics",
        ),
        Queries.child,
    ),
    "ResolvedHint": Queries.hinted,
    **dict.fromkeys(("Repartition", "RepartitionByExpression", "RebalancePartitions"), Queries.moved),
    "Project": Queries.project,
    "Filter": Queries.filter,
    "Join": Queries.join,
    "Aggregate": lambda self, node, outer: read_group(self.reading, node, outer, self.read),
    "Generate": lambda self, node, outer: read_generate(self.reading, node, outer, self.read),
    "Expand": lambda self, node, outer: read_expand(self.reading, node, outer, self.read),
    "Deduplicate": lambda self, node, outer: read_deduplicated(self.reading, node, outer, self.read),
    "Window": lambda self, node, outer: read_window(self.reading, node, outer, self.read),
    "WindowGroupLimit": lambda self, node, outer: read_group_limit(self.reading, node, outer, self.read),
    "Distinct": Queries.distinct,
    "Union": Queries.union,
    "Intersect": Queries.set_operation,
    "Except": Queries.set_operation,
    "Sort": Queries.sort,
    "GlobalLimit": Queries.limit,
    "LocalLimit": Queries.local_limit,
    "Offset": Queries.offset,
    "WithCTE": Queries.with_common,
    "CTERelationRef": Queries.common,
}
"""The positive list of operators, besides the leaves."""
HINTS = {
    "InMemoryRelation": "compare the DataFrame before cache() or persist()",
    "Sample": "the rows that sample() takes are chosen at random",
    "Pivot": "write the aggregates of the pivot out",
}
"""What to do instead, for operators that are refused."""
