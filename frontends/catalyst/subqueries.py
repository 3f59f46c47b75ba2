"""Subqueries in expressions. In their plans, `OuterReference` marks the columns of the rows around them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tallystick.core.queries.calls import AggregateCall
from tallystick.core.queries.expressions import Exists, ScalarSubquery
from tallystick.core.queries.syntax import Aggregate, Filter, Project, Query, reference
from tallystick.frontends.catalyst.nodes import Node, malformed, refused
from tallystick.frontends.catalyst.orders import at_most_one_row
from tallystick.frontends.catalyst.predicates import truth
from tallystick.frontends.catalyst.reading import Relation
from tallystick.frontends.catalyst.values import Struct, Value
from tallystick.frontends.elaboration.quantifiers import is_in

if TYPE_CHECKING:
    from tallystick.frontends.catalyst.expressions import Expressions

UNFINISHED = "a subquery on the way to a join is not understood"


def relation_of(self: Expressions, node: Node) -> Relation:
    """The relation of a subquery's plan, in the scope of the input row."""
    if node.fields.get("joinCond"):
        raise refused(node, UNFINISHED)
    return self.query(node.one("plan"), self.scopes)


def read_scalar(self: Expressions, node: Node) -> Value | Struct:
    """The value of the only row; of a struct, a subquery for each field."""
    relation = relation_of(self, node)
    if len(relation.attributes) != 1:
        raise malformed(f"a scalar subquery has {len(relation.attributes)} columns")
    [attribute] = relation.attributes
    values = []
    for offset, type_ in enumerate(attribute.type.fields or (attribute.type,)):
        one = Project(relation.query, (reference(relation.query, attribute.index + offset),))
        values.append(Value(ScalarSubquery(_one_group(one)), type_))
    return Struct(tuple(values)) if attribute.type.fields else values[0]


def _one_group(query: Query) -> Query:
    """A query of one column, of which the form says that it has one row at most, as one that always has one row."""
    grouped = any(isinstance(part, Aggregate) and part.keys for part in _spine(query))
    if not (grouped and at_most_one_row(query)):
        return query
    return Aggregate(query, (), (AggregateCall("max", (reference(query, 0),)),))


def _spine(query: Query) -> Iterator[Query]:
    """The query and what it computes its rows from one by one."""
    while True:
        yield query
        if not isinstance(query, Project | Filter):
            return
        query = query.input


def read_exists(self: Expressions, node: Node) -> Value:
    """EXISTS."""
    return truth(Exists(relation_of(self, node).query))


def read_in_subquery(self: Expressions, node: Node) -> Value:
    """`values IN (query)`."""
    values, query = self.all(node.many("values")), node.one("query")
    relation = relation_of(self, query)
    types = [attribute.type for attribute in relation.attributes]
    if [value.type for value in values] != types:
        raise refused(node, "IN compares values of different types")
    columns = visible(relation)
    return truth(is_in(tuple(value.expression for value in values), columns))


def visible(relation: Relation) -> Query:
    """The query with its visible columns alone."""
    query = relation.query
    if len(query.columns) == relation.width:
        return query
    return Project(query, tuple(reference(query, index) for index in range(relation.width)))


def bare(relation: Relation) -> Relation:
    """The relation without an order, and without hidden columns."""
    return Relation(visible(relation), relation.attributes)


HANDLERS = {"ScalarSubquery": read_scalar, "Exists": read_exists, "InSubquery": read_in_subquery}
