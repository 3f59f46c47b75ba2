"""The rows of each node of a query over unknown rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, assert_never

from tallystick.core.queries.calls import GroupingCall
from tallystick.core.queries.expressions import Expression
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
from tallystick.core.queries.types import INTEGER, RowType
from tallystick.decision.queries.counterexamples.symbolic.aggregates import Calls, first_ones
from tallystick.decision.queries.counterexamples.symbolic.cells import (
    NoEncodingError,
    Rows,
    SymbolicRow,
    SymbolicValue,
    Truth,
    both,
    conj,
    counted,
    disj,
    neg,
    null,
    same_rows,
)
from tallystick.decision.queries.counterexamples.symbolic.expressions import Expressions, Scopes
from tallystick.decision.queries.counterexamples.symbolic.orders import Ordered
from tallystick.decision.queries.counterexamples.symbolic.texts import Functions
from tallystick.decision.queries.counterexamples.symbolic.windows import window


class TooLargeError(NoEncodingError):
    """Queries have more rows than are encoded, or it takes too long."""


class Queries:
    """Encodes queries over tables of unknown rows. A closed one is encoded once."""

    def __init__(self, tables: Mapping[str, Rows], functions: Functions, most_rows: int) -> None:
        self.tables, self.rows_left = tables, most_rows
        self.expressions = Expressions(self.rows, functions)
        self.known: dict[int, tuple[Query, Rows]] = {}

    def rows(self, query: Query, outer: Scopes = ()) -> Rows:
        """The rows of a query. Raises NoEncodingError for what has none here, and for too many rows."""
        if id(query) in self.known:
            return self.known[id(query)][1]
        rows = [row for row in self._node(query, outer) if row.present is not False]
        if not query.free:
            self.known[id(query)] = query, rows
        return rows

    def _spend(self, rows: int) -> None:
        self.rows_left -= rows
        if self.rows_left < 0:
            raise TooLargeError("the queries have too many rows")

    def _node(self, query: Query, outer: Scopes) -> Rows:
        match query:
            case Scan(table):
                return self.tables[table]
            case Values(rows, columns):
                return [SymbolicRow(True, self._constants(row, columns)) for row in rows]
            case Filter(input_, condition):
                rows = self.rows(input_, outer)
                return [SymbolicRow(both(row.present, self._holds(condition, row, outer)), row.cells) for row in rows]
            case Project(input_, expressions):
                rows = self.rows(input_, outer)
                self._spend(len(rows))
                return [SymbolicRow(row.present, self._cells(expressions, (row.cells, *outer))) for row in rows]
            case Join():
                return self._join(query, outer)
            case SetOperation():
                return self._set_operation(query, self.rows(query.left, outer), self.rows(query.right, outer))
            case Distinct(input_):
                return _distinct(self.rows(input_, outer))
            case Aggregate():
                return self._aggregate(query, outer)
            case Window(input_, calls):
                rows = self.rows(input_, outer)
                scopes = [(row.cells, *outer) for row in rows]
                self._spend(len(rows) * len(calls))
                columns = [window(call, rows, scopes, self.expressions) for call in calls]
                return [
                    SymbolicRow(row.present, (*row.cells, *(column[place] for column in columns)))
                    for place, row in enumerate(rows)
                ]
            case Limit():
                return self._limit(query, outer)
            case _:
                assert_never(query)

    def _constants(self, row: Any, columns: RowType) -> tuple[SymbolicValue, ...]:
        return tuple(self.expressions.literal(value, column.type) for value, column in zip(row, columns, strict=True))

    def _cells(self, expressions: tuple[Expression, ...], scopes: Scopes) -> tuple[SymbolicValue, ...]:
        return tuple(self.expressions.cell(each, scopes) for each in expressions)

    def _holds(self, condition: Expression, row: SymbolicRow, outer: Scopes) -> Truth:
        return False if row.present is False else self.expressions.truth(condition, (row.cells, *outer))

    def _join(self, node: Join, outer: Scopes) -> Rows:
        left = self.rows(node.left, outer)
        fixed = None if node.lateral else self.rows(node.right, outer)
        result: Rows = []
        matches: list[list[Truth]] = []
        for row in left:
            others = self.rows(node.right, (row.cells, *outer)) if fixed is None else fixed
            self._spend(1 + len(others))
            pairs = [SymbolicRow(both(row.present, other.present), row.cells + other.cells) for other in others]
            found = [both(pair.present, self._holds(node.condition, pair, outer)) for pair in pairs]
            matches.append(found)
            matched = disj(found)
            if node.kind in ("semi", "anti"):
                kept = matched if node.kind == "semi" else both(row.present, neg(matched))
                result.append(SymbolicRow(kept, row.cells))
                continue
            result += [SymbolicRow(each, pair.cells) for each, pair in zip(found, pairs, strict=True)]
            if node.kind in ("left", "full"):
                alone = both(row.present, neg(matched))
                result.append(SymbolicRow(alone, row.cells + _nulls(node.right.columns)))
        if node.kind in ("right", "full"):
            for place, other in enumerate(fixed or ()):
                alone = both(other.present, neg(disj(found[place] for found in matches)))
                result.append(SymbolicRow(alone, _nulls(node.left.columns) + other.cells))
        return result

    def _set_operation(self, node: SetOperation, left: Rows, right: Rows) -> Rows:
        self._spend(len(left) + len(right))
        if node.kind == "union":
            return left + right if node.all else _distinct(left + right)
        result: Rows = []
        for place, row in enumerate(left):
            there = [both(other.present, same_rows(row.cells, other.cells)) for other in right]
            earlier = [both(other.present, same_rows(row.cells, other.cells)) for other in left[:place]]
            found = counted(earlier) < counted(there) if node.all else disj(there)
            kept = both(row.present, found if node.kind == "intersect" else neg(found))
            result.append(SymbolicRow(kept if node.all else both(kept, neg(disj(earlier))), row.cells))
        return result

    def _aggregate(self, node: Aggregate, outer: Scopes) -> Rows:
        rows = self.rows(node.input, outer)
        scopes = [(row.cells, *outer) for row in rows]
        keys = [self._cells(node.keys, each) for each in scopes]
        calls = [
            call if isinstance(call, GroupingCall) else Calls(call, scopes, self.expressions) for call in node.calls
        ]
        result: Rows = []
        for grouping in node.groupings:
            self._spend(1 + len(rows) * (1 + len(calls)))
            shown = [tuple(key[index] for index in grouping) for key in keys]
            first = first_ones([(row.present, key) for row, key in zip(rows, shown, strict=True)])
            groups = first if grouping else [(True, ())]
            for present, key in groups:
                if present is False:
                    continue
                members = [both(row.present, same_rows(key, other)) for row, other in zip(rows, shown, strict=True)]
                values = [
                    SymbolicValue(call.value(grouping), False, INTEGER)
                    if isinstance(call, GroupingCall)
                    else call.of(members)
                    for call in calls
                ]
                of_key = dict(zip(grouping, key, strict=True))
                cells = [of_key.get(index, null(each.type)) for index, each in enumerate(node.keys)]
                result.append(SymbolicRow(present, (*cells, *values)))
        return result

    def _limit(self, node: Limit, outer: Scopes) -> Rows:
        rows = self.rows(node.input, outer)
        if node.count == 0:
            return []
        self._spend(len(rows))
        keys = [self._cells(tuple(key.expression for key in node.order), (row.cells, *outer)) for row in rows]
        ordered = Ordered(node.order, [row.present for row in rows], keys, [row.cells for row in rows])
        places = ordered.places()
        kept: list[Truth] = [
            conj((place >= node.offset, True if node.count is None else place < node.offset + node.count))
            for place in places
        ]
        for row in range(len(rows)):  # a cut goes through no ties of different rows
            for other in range(row):
                there = both(rows[row].present, rows[other].present)
                cut = conj((there, ordered.ties(row, other), neg(_same_truth(kept[row], kept[other]))))
                self.expressions.asked.append(disj((neg(cut), ordered.are_same(row, other))))
        return [SymbolicRow(both(row.present, keep), row.cells) for row, keep in zip(rows, kept, strict=True)]


def _same_truth(left: Truth, right: Truth) -> Truth:
    return disj((both(left, right), both(neg(left), neg(right))))


def _nulls(columns: RowType) -> tuple[SymbolicValue, ...]:
    return tuple(null(column.type) for column in columns)


def _distinct(rows: Rows) -> Rows:
    return [SymbolicRow(kept, cells) for kept, cells in first_ones([(row.present, row.cells) for row in rows])]
