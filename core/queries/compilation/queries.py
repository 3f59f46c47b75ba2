"""Queries as summations of rows (the table of THEORY-SQL section 2, one method a node)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import chain

from tallystick.core.binders import summation
from tallystick.core.errors import FragmentError
from tallystick.core.queries.calls import OrderKey
from tallystick.core.queries.catalogue import Catalogue
from tallystick.core.queries.claims import require_tables
from tallystick.core.queries.compilation.bags import (
    Bags,
    Scopes,
    Spend,
    Summand,
    free_of_charge,
)
from tallystick.core.queries.compilation.cells import Row, literal, row_type
from tallystick.core.queries.compilation.constants import constant_columns
from tallystick.core.queries.compilation.scalars import Scalars
from tallystick.core.queries.expressions import Expression, is_choice
from tallystick.core.queries.syntax import (
    Aggregate,
    Distinct,
    Filter,
    Join,
    Limit,
    Project,
    Query,
    Scan,
    SetOperation,
    Values,
    Window,
)
from tallystick.core.queries.types import RowType, padded
from tallystick.core.terms import FALSE, TRUE, Term, negation, variable
from tallystick.core.types import BagType


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
        match query:
            case Scan(table, columns):
                require_tables(self.bags.catalogue, query)
                found = iter((self.bags.rows_of(table_variable(table, columns), columns),))
            case Values(values, columns):
                cells = ([literal(v, column.type) for v, column in zip(row, columns, strict=True)] for row in values)
                found = (Summand((), (), TRUE, tuple(row)) for row in cells)
            case Filter(input_, condition):
                rows = self.opened(input_, outer)
                found = (row.where(self.holds(condition, row.head, outer)) for row in rows)
            case Project(Limit(count=1, offset=0) as first, expressions) if {*expressions} <= {*keys_of(first.order)}:
                from tallystick.core.queries.compilation.limits import keys_of_first

                found = keys_of_first(first, expressions, self.scalars, outer)
            case Project(input_, expressions):
                rows = self.opened(input_, outer)
                found = (row.of(self.scalars.row(expressions, (row.head, *outer))) for row in rows)
            case Join():
                found = self.join(query, outer)
            case SetOperation("union", True, left, right):
                found = chain(self.opened(left, outer), self.opened(right, outer))
            case _:
                return None
        return self.bags.kept(found, query.columns)

    def node(self, query: Query, outer: Scopes) -> Term:
        self.bags.spend(1 + len(query.columns))
        parts = self.parts(query, outer)
        if parts is not None:
            return summation((part.closed(query.columns) for part in parts), row_type(query.columns))
        match query:
            case SetOperation():
                from tallystick.core.queries.compilation.set_operations import combined

                return combined(query, self.scalars, outer)
            case Distinct(input_):
                return self.bags.without_duplicates(self.summation(input_, outer), input_.columns)
            case Aggregate():
                from tallystick.core.queries.compilation.aggregates import grouped

                return grouped(query, tuple(self.opened(query.input, outer)), self.scalars, outer)
            case Window():
                from tallystick.core.queries.compilation.windows import widened

                return widened(query, self.summation(query.input, outer), self.scalars, outer)
            case Limit():
                from tallystick.core.queries.compilation.limits import limited

                return limited(query, self.scalars, outer)
            case _:
                raise FragmentError(f"{type(query).__name__} is no query that is compiled")

    def holds(self, condition: Expression, row: Row, outer: Scopes) -> Term:
        """The formula that a condition is true of a row."""
        return self.scalars.truth(condition, (row, *outer)).true

    def join(self, node: Join, outer: Scopes) -> Iterator[Summand]:
        """Pairs of rows on which the condition is true; and rows without a partner, padded with NULLs."""
        left, right = node.left, node.right

        def on(row: Row, other: Row) -> Term:
            return self.holds(node.condition, (*row, *other), outer)

        for first in self.opened(left, outer):
            around, alone = (first.head, *outer) if node.lateral else outer, FALSE
            if node.kind in ("left", "full", "semi", "anti"):
                matching = self.summation(right, around)
                alone = negation(self.bags.some(matching, right.columns, partial(on, first.head)))
            if node.kind in ("semi", "anti"):
                yield first.where(alone if node.kind == "anti" else negation(alone))
                continue
            for second in self.opened(right, around):
                yield first.beside(second).where(on(first.head, second.head))
            yield first.where(alone).of((*first.head, *_nulls(right.columns)))
        if node.kind in ("right", "full"):
            for second in self.opened(right, outer):
                matching = self.summation(left, outer)
                found = self.bags.some(matching, left.columns, lambda row, one=second: on(row, one.head))
                yield second.where(negation(found)).of((*_nulls(left.columns), *second.head))


def with_order(
    rows: Term, query: Query, order: tuple[OrderKey, ...], scalars: Scalars, outer: Scopes
) -> tuple[RowType, Term, tuple[tuple[bool, bool], ...]]:
    """The rows of a query with further columns for their order keys, and the directions of these, without keys that
    are the same for all rows, but for those that tell choices apart."""
    columns, fixed = query.columns, constant_columns(query)
    keys = [key for key in order if is_choice(key.expression) or _varies(key.expression, fixed)]
    expressions = [key.expression for key in keys]
    wide = (*columns, *padded(expression.column for expression in expressions))
    bag = scalars.bags.projected(rows, columns, wide, lambda row: (*row, *scalars.row(expressions, (row, *outer))))
    return wide, bag, tuple((key.descending, key.nulls_first) for key in keys)


def keys_of(order: tuple[OrderKey, ...]) -> tuple[Expression, ...]:
    """The expressions of an order, each once, without those that tell choices apart."""
    return tuple(dict.fromkeys(key.expression for key in order if not is_choice(key.expression)))


def _varies(key: Expression, fixed: frozenset[int]) -> bool:
    """Whether a key may differ between rows of which these columns are the same."""
    return any(at.level == 0 and at.index not in fixed for at in key.free)


def table_variable(name: str, columns: RowType) -> Term:
    """The source that a table is."""
    return variable(name, BagType(row_type(columns)))


def _nulls(columns: RowType) -> Row:
    return tuple(literal(None, column.type) for column in columns)
