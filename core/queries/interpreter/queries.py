"""The rows of queries. What aggregates, windows and functions mean is loaded for queries that have some."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from tallystick.core.errors import EvaluationError
from tallystick.core.queries.calls import AggregateCall, GroupingCall
from tallystick.core.queries.expressions import Expression
from tallystick.core.queries.interpreter.expressions import evaluator
from tallystick.core.queries.interpreter.orders import in_order
from tallystick.core.queries.interpreter.running import Environment, Evaluator, RowsOf, Run, Undetermined
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
from tallystick.core.queries.types import SqlRow, SqlValue, admits_row

LARGEST_EXPRESSION = 100_000
"""Parts that an expression has at most."""
SMALL = 10
"""Parts of an expression that is evaluated at the cost of its row."""


class Compiled:
    """Queries as closures. A query object that occurs twice is compiled once, and a closed one evaluated once a run."""

    def __init__(self) -> None:
        self.compiled: dict[int, tuple[Query, RowsOf]] = {}
        self.sizes: dict[int, tuple[Expression, int]] = {}

    def expression(self, expression: Expression) -> Evaluator:
        """The closure of an expression. Raises EvaluationError for one that is too large."""
        size = self.size(expression)
        if size > LARGEST_EXPRESSION:
            raise EvaluationError("an expression is larger than the evaluation allows")
        evaluated = evaluator(expression, self.rows)
        if size <= SMALL:
            return evaluated

        def value(environment: Environment) -> SqlValue:
            environment[-1].spend(size)
            return evaluated(environment)

        return value

    def size(self, expression: Expression) -> int:
        """How many parts an expression has, counted as often as they occur."""
        if id(expression) not in self.sizes:
            self.sizes[id(expression)] = expression, 1 + sum(map(self.size, expression.operands))
        return self.sizes[id(expression)][1]

    def rows(self, query: Query) -> RowsOf:
        """The closure of a query."""
        if id(query) not in self.compiled:
            rows = _counted(self.node(query), 1 + len(query.columns) // 16)
            # The query is kept beside its closure, so that its identity is not used again.
            self.compiled[id(query)] = query, rows if query.free else _once(id(query), rows)
        return self.compiled[id(query)][1]

    def node(self, query: Query) -> RowsOf:
        match query:
            case Scan():
                return _scan(query)
            case Values(rows):
                return lambda outer: list(rows)
            case Filter(input_, condition):
                return _filter(self.rows(input_), self.expression(condition))
            case Project(input_, expressions):
                return _project(self.rows(input_), [self.expression(expression) for expression in expressions])
            case Join():
                return _join(query, self.rows(query.left), self.rows(query.right), self.expression(query.condition))
            case SetOperation():
                return _set_operation(query, self.rows(query.left), self.rows(query.right))
            case Distinct(input_):
                rows = self.rows(input_)
                return lambda outer: list(dict.fromkeys(rows(outer)))
            case Aggregate():
                return self.aggregate(query)
            case Window():
                return self.window(query)
            case Limit():
                return self.limit(query)
            case _:
                assert_never(query)

    def aggregate(self, node: Aggregate) -> RowsOf:
        from tallystick.core.queries.interpreter.aggregates import aggregator

        rows = self.rows(node.input)
        keys = [self.expression(key) for key in node.keys]
        calls = [aggregator(call, self.expression) if isinstance(call, AggregateCall) else call for call in node.calls]

        def grouped(outer: Environment) -> list[SqlRow]:
            environments = [(row, *outer) for row in rows(outer)]
            keyed = [(tuple(key(environment) for key in keys), environment) for environment in environments]
            result: list[SqlRow] = []
            for grouping in node.groupings:
                outer[-1].spend(1 + len(keyed))
                groups: dict[SqlRow, list[Environment]] = {} if grouping else {(): []}
                for key, environment in keyed:
                    groups.setdefault(tuple(key[index] for index in grouping), []).append(environment)
                for key, group in groups.items():
                    present = dict(zip(grouping, key, strict=True))
                    values = [call.value(grouping) if isinstance(call, GroupingCall) else call(group) for call in calls]
                    result.append((*(present.get(index) for index in range(len(keys))), *values))
            return result

        return grouped

    def window(self, node: Window) -> RowsOf:
        from tallystick.core.queries.interpreter.windows import window

        rows = self.rows(node.input)
        calls = [window(call, self.expression) for call in node.calls]

        def widened(outer: Environment) -> list[SqlRow]:
            environments = [(row, *outer) for row in rows(outer)]
            columns = [call(environments) for call in calls]
            return [(*row[0], *values) for row, *values in zip(environments, *columns, strict=True)]

        return widened

    def limit(self, node: Limit) -> RowsOf:
        rows, keys = self.rows(node.input), [self.expression(key.expression) for key in node.order]

        def limited(outer: Environment) -> list[SqlRow]:
            keyed = [(tuple(key((row, *outer)) for key in keys), row) for row in rows(outer)]
            ordered = in_order(keyed, node.order)
            first, behind = node.offset, len(keyed) if node.count is None else node.offset + node.count
            place = 0
            for peers in ordered:
                end = place + len(peers)
                cut = any(place < at < end for at in (first, behind)) and first < behind
                if cut and len({row for _, row in peers}) > 1:
                    raise Undetermined("a LIMIT or OFFSET cuts through different rows that tie in its order")
                place = end
            return [row for peers in ordered for _, row in peers][first:behind]

        return limited


def _counted(rows: RowsOf, width: int) -> RowsOf:
    def counted(outer: Environment) -> list[SqlRow]:
        found = rows(outer)
        outer[-1].spend(1 + width * len(found))
        return found

    return counted


def _once(identity: int, rows: RowsOf) -> RowsOf:
    def known(outer: Environment) -> list[SqlRow]:
        run: Run = outer[-1]
        if identity not in run.known:
            run.known[identity] = rows(outer)
        return run.known[identity]

    return known


def _scan(node: Scan) -> RowsOf:
    def rows(outer: Environment) -> list[SqlRow]:
        run: Run = outer[-1]
        if node.table not in run.tables:
            raise EvaluationError(f"the database has no table {node.table}")
        for row in run.tables[node.table]:
            if not admits_row(node.columns, row):
                raise EvaluationError(f"{row!r} is no row of table {node.table}")
        return list(run.tables[node.table])

    return rows


def _filter(rows: RowsOf, condition: Evaluator) -> RowsOf:
    def kept(outer: Environment) -> list[SqlRow]:
        found = rows(outer)
        outer[-1].spend(len(found))
        return [row for row in found if condition((row, *outer)) is True]

    return kept


def _project(rows: RowsOf, expressions: list[Evaluator]) -> RowsOf:
    def image(outer: Environment) -> list[SqlRow]:
        found = rows(outer)
        outer[-1].spend(len(found))
        environments = [(row, *outer) for row in found]
        return [tuple([expression(environment) for expression in expressions]) for environment in environments]

    return image


def _join(node: Join, left: RowsOf, right: RowsOf, condition: Evaluator) -> RowsOf:
    kind, lateral = node.kind, node.lateral
    left_nulls, right_nulls = (None,) * len(node.left.columns), (None,) * len(node.right.columns)

    def joined(outer: Environment) -> list[SqlRow]:
        result: list[SqlRow] = []
        matched: set[int] = set()
        fixed = [] if lateral else right(outer)
        for row in left(outer):
            others = right((row, *outer)) if lateral else fixed
            outer[-1].spend(1 + len(others))
            pairs = [(number, row + other) for number, other in enumerate(others)]
            found = [(number, pair) for number, pair in pairs if condition((pair, *outer)) is True]
            matched.update(number for number, _ in found)
            if kind in ("semi", "anti"):
                result += [row] if bool(found) == (kind == "semi") else []
            else:
                result += [pair for _, pair in found]
                result += [row + right_nulls] if not found and kind in ("left", "full") else []
        if kind in ("right", "full"):
            result += [left_nulls + other for number, other in enumerate(fixed) if number not in matched]
        return result

    return joined


def _set_operation(node: SetOperation, left: RowsOf, right: RowsOf) -> RowsOf:
    def combined(outer: Environment) -> list[SqlRow]:
        first, second = left(outer), right(outer)
        if node.kind == "union":
            return first + second if node.all else list(dict.fromkeys(first + second))
        counted = _counts(second)
        wanted = node.kind == "intersect"
        if not node.all:
            return [row for row in dict.fromkeys(first) if (row in counted) == wanted]
        result: list[SqlRow] = []
        for row in first:
            found = counted.get(row, 0) > 0
            counted[row] = counted.get(row, 0) - 1
            result += [row] if found == wanted else []
        return result

    return combined


def _counts(rows: Sequence[SqlRow]) -> dict[SqlRow, int]:
    counts: dict[SqlRow, int] = {}
    for row in rows:
        counts[row] = counts.get(row, 0) + 1
    return counts
