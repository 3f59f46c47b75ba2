"""Queries as summations of rows (the table of THEORY-SQL section 2, one method a node)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import chain

from tallystick.core.binders import exists, limit, summation
from tallystick.core.errors import FragmentError
from tallystick.core.operators import Operator
from tallystick.core.queries.calls import AggregateCall, OrderKey, WindowCall
from tallystick.core.queries.catalogue import Catalogue
from tallystick.core.queries.claims import require_tables
from tallystick.core.queries.compilation.bags import (
    Bags,
    OpenRows,
    Scopes,
    Spend,
    Summand,
    free_of_charge,
    same_rows,
    union,
)
from tallystick.core.queries.compilation.cells import Cell, Row, literal, row_type
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
    references,
)
from tallystick.core.queries.traversal import constant_columns
from tallystick.core.queries.types import INTEGER, RowType, padded
from tallystick.core.terms import FALSE, TRUE, Term, build, conjunction, disjunction, negation, variable
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
            case Project(Limit(below, order, 1, 0), expressions) if {*expressions} <= {*_keys(order)}:
                of_keys = Project(below, _keys(order))  # which of the peers is the first does not matter
                at = dict(zip(of_keys.expressions, references(of_keys), strict=True))
                keys = (replace(key, expression=at[key.expression]) for key in order if key.expression in at)
                first = Limit(of_keys, tuple(keys), 1)
                rows = self.bags.opened(self.limit(first, outer), first.columns)
                found = (row.of(self.scalars.row([at[e] for e in expressions], (row.head, *outer))) for row in rows)
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
                return self.set_operation(query, outer)
            case Distinct(input_):
                return self.bags.without_duplicates(self.summation(input_, outer), input_.columns)
            case Aggregate():
                return self.aggregate(query, outer)
            case Window():
                return self.window(query, outer)
            case Limit():
                return self.limit(query, outer)
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

    def set_operation(self, node: SetOperation, outer: Scopes) -> Term:
        """Both sides as rows of one type; as sets, ★ with conditions on the two."""
        both = SetOperation("union", True, node.left, node.right)
        either = both.columns
        if node.kind == "union":
            return self.bags.without_duplicates(self.summation(both, outer), either)
        sides = [
            self.bags.projected(self.summation(side, outer), side.columns, either, lambda row: row)
            for side in (node.left, node.right)
        ]
        if node.all:
            operator = Operator.EXCEPT_ALL if node.kind == "except" else Operator.INTERSECT_ALL
            return self.bags.source(build(operator, tuple(sides)), node.columns)

        def both_hold(keys: Row) -> Term:
            inside = self.bags.has(sides[1], either, keys)
            return conjunction(
                self.bags.has(sides[0], either, keys), inside if node.kind == "intersect" else negation(inside)
            )

        return self.bags.distinct(node.columns, both_hold)

    def aggregate(self, node: Aggregate, outer: Scopes) -> Term:
        """For each grouping ⟨k̄:★ | Ex(B | g ≐ k̄) ↦ k̄, aggregates over (B | g ≐ k̄)⟩; one row for the one by no key."""
        from tallystick.core.queries.compilation.aggregates import aggregate_cell

        rows, columns, bags = tuple(self.opened(node.input, outer)), node.input.columns, self.bags
        parts = []
        for grouping in node.groupings:
            expressions = [node.keys[index] for index in grouping]
            types = tuple(expression.column for expression in expressions)

            def group(keys: Row, chosen: list[Expression] = expressions) -> OpenRows:
                return tuple(row.where(same_rows(self.scalars.row(chosen, (row.head, *outer)), keys)) for row in rows)

            def head(keys: Row, at: tuple[int, ...] = grouping, group=group) -> Row:
                own = group(keys)
                present = dict(zip(at, keys, strict=True))
                absent = [literal(None, key.type) for key in node.keys]
                cells = [present.get(index, cell) for index, cell in enumerate(absent)]
                for call in node.calls:
                    if isinstance(call, AggregateCall):
                        cells.append(aggregate_cell(call, own, columns, self.scalars, outer, () in node.groupings))
                    else:
                        cells.append(literal(call.value(at), INTEGER))
                return tuple(cells)

            keys = bags.distinct(types, lambda keys, group=group: bags.some(group(keys), columns) if keys else TRUE)
            parts.append(bags.projected(keys, types, node.columns, head))
        return union(parts, row_type(node.columns))

    def window(self, node: Window, outer: Scopes) -> Term:
        """Each row with the values of the calls: of blocks first, then of calls relative to the row."""
        from tallystick.core.queries.compilation.windows import (
            description,
            is_relative,
            is_total,
            placed_cell,
            relative_cell,
        )

        rows, columns, scalars = self.summation(node.input, outer), node.input.columns, self.scalars

        def relative(call: WindowCall) -> bool:
            keys = (*call.partition, *_keys(call.order))
            return is_relative(call) or (is_relative(call, True) and is_total(keys, rows, columns, scalars, outer))

        near = [relative(call) for call in node.calls]
        placed = [call for call, is_near in zip(node.calls, near, strict=True) if not is_near]
        types = (*columns, *(call.column for call in placed))
        bag = rows
        if placed:
            operands = [operand for call in placed for operand in call.operands]
            wide = (*columns, *(operand.column for operand in operands))
            inside = self.bags.projected(rows, columns, wide, lambda row: (*row, *scalars.row(operands, (row, *outer))))
            name = f"window {len(columns)} {'; '.join(map(description, placed))}"
            block = build(Operator.OPAQUE_BAG, (inside,), (name, row_type(types)))
            bag = self.bags.source(block, types)

        def with_calls(row: Row) -> Row:
            own, values = row[: len(columns)], iter(row[len(columns) :])
            cells = (
                relative_cell(call, own, rows, columns, scalars, outer) if is_near else placed_cell(call, next(values))
                for call, is_near in zip(node.calls, near, strict=True)
            )
            return (*own, *cells)

        return self.bags.projected(bag, types, node.columns, with_calls)

    def limit(self, node: Limit, outer: Scopes) -> Term:
        """A block of the rows with their order keys."""
        columns = node.columns
        while isinstance(inner := _direct(node.input), Limit) and inner.order == node.order:
            node = _merged(node, inner)
        if node.count == 0:
            return summation([], row_type(columns))
        rows = self.summation(node.input, outer)
        if node.count is None and node.offset == 0:
            return rows
        if (node.count, node.offset) == (1, 0) and (first := self.first(node, rows, outer)) is not None:
            return first
        wide, bag, directions = self.with_order(rows, node.input, node.order, outer)
        return self.bags.source(limit(bag, node.count, node.offset, directions), columns, wide)

    def first(self, node: Limit, rows: Term, outer: Scopes) -> Term | None:
        """The first row of an order that tells all rows, or all that differ, apart; None if it may not."""
        from tallystick.core.queries.compilation.windows import is_total, precedes

        columns, bags = node.columns, self.bags
        order = [key for key in node.order if not is_choice(key.expression)]
        keys = [key.expression for key in order]

        def is_first(row: Row) -> Term:
            own = self.scalars.row(keys, (row, *outer))
            earlier = lambda other: precedes(order, self.scalars.row(keys, (other, *outer)), own)  # noqa: E731
            return negation(bags.some(rows, columns, earlier))

        if len(keys) == 1 and tuple(keys) == references(node.input):
            (key,) = order
            least = bags.extreme("max" if key.descending else "min", rows, columns, columns[0])
            nulls = bags.some(rows, columns, lambda row: row[0].null)
            null = disjunction(least.null, nulls) if key.nulls_first else least.null
            return summation(
                [Summand((), (), exists(rows), (Cell(null, least.value),)).closed(columns)], row_type(columns)
            )
        if set(references(node.input)) <= {*keys}:
            return bags.distinct(columns, lambda row: conjunction(bags.has(rows, columns, row), is_first(row)))
        if keys and is_total(keys, rows, columns, self.scalars, outer):
            return bags.restricted(rows, columns, is_first)
        return None

    def with_order(
        self, rows: Term, query: Query, order: tuple[OrderKey, ...], outer: Scopes
    ) -> tuple[RowType, Term, tuple[tuple[bool, bool], ...]]:
        """The rows of a query with further columns for their order keys, and the directions of these, without keys that
        are the same for all rows, but for those that tell choices apart."""
        columns, fixed = query.columns, constant_columns(query)
        keys = [key for key in order if is_choice(key.expression) or _varies(key.expression, fixed)]
        expressions = [key.expression for key in keys]
        wide = (*columns, *padded(expression.column for expression in expressions))
        bag = self.bags.projected(
            rows, columns, wide, lambda row: (*row, *self.scalars.row(expressions, (row, *outer)))
        )
        return wide, bag, tuple((key.descending, key.nulls_first) for key in keys)


def _keys(order: tuple[OrderKey, ...]) -> tuple[Expression, ...]:
    """The expressions of an order, each once, without those that tell choices apart."""
    return tuple(dict.fromkeys(key.expression for key in order if not is_choice(key.expression)))


def _varies(key: Expression, fixed: frozenset[int]) -> bool:
    """Whether a key may differ between rows of which these columns are the same."""
    return any(at.level == 0 and at.index not in fixed for at in key.free)


def _direct(query: Query) -> Query:
    """What a query hands on as it is."""
    while isinstance(query, Project) and tuple(query.expressions) == tuple(references(query.input)):
        query = query.input
    return query


def _merged(outer: Limit, inner: Limit) -> Limit:
    """One LIMIT for two of one order: the rows that the inner one takes, less those that the outer one leaves out."""
    left = None if inner.count is None else max(inner.count - outer.offset, 0)
    count = left if outer.count is None else outer.count if left is None else min(outer.count, left)
    return replace(inner, count=count, offset=inner.offset + outer.offset)


def table_variable(name: str, columns: RowType) -> Term:
    """The source that a table is."""
    return variable(name, BagType(row_type(columns)))


def _nulls(columns: RowType) -> Row:
    return tuple(literal(None, column.type) for column in columns)
