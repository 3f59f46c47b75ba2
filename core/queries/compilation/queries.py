"""Queries as summations of rows (the table of THEORY-SQL section 2). What other queries are than tables, selections and
projections is loaded for statements that have some."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any

from tallystick.core.binders import summation
from tallystick.core.errors import FragmentError
from tallystick.core.queries.catalogue import Catalogue
from tallystick.core.queries.claims import require_tables
from tallystick.core.queries.compilation.bags import Bags, Scopes, Spend, Summand, free_of_charge
from tallystick.core.queries.compilation.cells import Row, literal, row_type, table_variable
from tallystick.core.queries.compilation.scalars import Scalars
from tallystick.core.terms import TRUE, Term

if TYPE_CHECKING:
    from tallystick.core.queries.expressions import Expression
    from tallystick.core.queries.syntax import Query


class Queries:
    """Compiles queries over a catalogue; a closed query that occurs often is compiled twice."""

    def __init__(self, catalogue: Catalogue, spend: Spend = free_of_charge) -> None:
        self.bags = Bags(catalogue, spend)
        self.scalars = Scalars(self.bags, self.summation)
        self.closed: dict[int, tuple[Query, Term]] = {}
        self.met: dict[int, Query] = {}

    def alone(self, query: Query) -> Term:
        """The summation of the rows of a query without references to rows around it."""
        if query.free:
            raise FragmentError("a query with references to rows around it has no normal form of its own")
        return self.summation(query, ())

    def summation(self, query: Query, outer: Scopes) -> Term:
        """The summation of the rows of a query, whose heads are tuples of type `row_type(query.columns)`."""
        if query.free:
            return self.node(query, outer)
        if id(query) not in self.closed:
            self.closed[id(query)] = query, self.node(query, ())
        return self.closed[id(query)][1]

    def opened(self, query: Query, outer: Scopes) -> Iterator[Summand]:
        """The monomials of a summation with rows that occur nowhere else: as they are made, or opened again where a
        closed query occurs again."""
        if id(query) in self.closed or (id(query) in self.met and not query.free):
            return self.bags.opened(self.summation(query, outer), query.columns)
        self.met[id(query)] = query
        parts = self.parts(query, outer)
        return self.bags.opened(self.summation(query, outer), query.columns) if parts is None else parts

    def parts(self, query: Query, outer: Scopes) -> Iterator[Summand] | None:
        """The monomials of what makes, selects, projects, joins and adds rows; None of other queries."""
        node: Any = query
        match type(node).__name__:
            case "Scan":
                require_tables(self.bags.catalogue, node)
                found = iter((self.bags.rows_of(table_variable(node.table, node.columns), node.columns),))
            case "Values":
                types = [column.type for column in node.columns]
                cells = ([literal(*pair) for pair in zip(row, types, strict=True)] for row in node.rows)
                found = (Summand((), (), TRUE, tuple(row)) for row in cells)
            case "Filter":
                rows = self.opened(node.input, outer)
                found = (row.where(self.holds(node.condition, row.head, outer)) for row in rows)
            case "Project":
                found = self.projected(node, outer)
            case "Join":
                from tallystick.core.queries.compilation.joins import joined

                own: Any = self
                found = joined(node, own, outer)
            case "SetOperation" if node.kind == "union" and node.all:
                found = chain(self.opened(node.left, outer), self.opened(node.right, outer))
            case _:
                return None
        return self.bags.kept(found, query.columns)

    def projected(self, node: Any, outer: Scopes) -> Iterator[Summand]:
        """The values of expressions for each row; of the first row in an order, as far as all its peers have them."""
        if type(node.input).__name__ == "Limit":
            from tallystick.core.queries.compilation.limits import keys_of_first

            found = keys_of_first(node.input, node.expressions, self.scalars, outer)
            if found is not None:
                return found
        rows = self.opened(node.input, outer)
        return (row.of(self.scalars.row(node.expressions, (row.head, *outer))) for row in rows)

    def node(self, query: Query, outer: Scopes) -> Term:
        self.bags.spend(1 + len(query.columns))
        parts = self.parts(query, outer)
        if parts is not None:
            return summation((part.closed(query.columns) for part in parts), row_type(query.columns))
        node: Any = query
        match type(node).__name__:
            case "SetOperation":
                from tallystick.core.queries.compilation.set_operations import combined

                return combined(node, self.scalars, outer)
            case "Distinct":
                from tallystick.core.queries.compilation.distinct import without_duplicates

                return without_duplicates(self.bags, self.summation(node.input, outer), node.columns)
            case "Aggregate":
                from tallystick.core.queries.compilation.aggregates import grouped

                return grouped(node, tuple(self.opened(node.input, outer)), self.scalars, outer)
            case "Window":
                from tallystick.core.queries.compilation.windows import widened

                return widened(node, self.summation(node.input, outer), self.scalars, outer)
            case "Limit":
                from tallystick.core.queries.compilation.limits import limited

                return limited(node, self.scalars, outer)
            case name:
                raise FragmentError(f"{name} is no query that is compiled")

    def holds(self, condition: Expression, row: Row, outer: Scopes) -> Term:
        """The formula that a condition is true of a row."""
        return self.scalars.truth(condition, (row, *outer)).true
