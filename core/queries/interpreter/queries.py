"""The rows of queries. What set operations, groups, windows, limits and functions mean is loaded for queries that have
some."""

from __future__ import annotations

from typing import assert_never

from tallystick.core.errors import EvaluationError
from tallystick.core.queries.expressions import Expression
from tallystick.core.queries.interpreter.expressions import evaluator
from tallystick.core.queries.interpreter.running import Environment, Evaluator, RowsOf, Run
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
    """Queries as closures. A query object that occurs twice is compiled once, and a closed one evaluated once a run.

    If `partly`, functions without an implementation have Unknown values; else they raise FragmentError.
    """

    def __init__(self, partly: bool = False) -> None:
        self.partly = partly
        self.compiled: dict[int, tuple[Query, RowsOf]] = {}
        self.sizes: dict[int, tuple[Expression, int]] = {}

    def expression(self, expression: Expression) -> Evaluator:
        """The closure of an expression. Raises EvaluationError for one that is too large."""
        size = self.size(expression)
        if size > LARGEST_EXPRESSION:
            raise EvaluationError("an expression is larger than the evaluation allows")
        evaluated = evaluator(expression, self.rows, self.partly)
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
                from tallystick.core.queries.interpreter.set_operations import combined

                return combined(query, self.rows(query.left), self.rows(query.right))
            case Distinct(input_):
                rows = self.rows(input_)
                return lambda outer: list(dict.fromkeys(rows(outer)))
            case Aggregate():
                from tallystick.core.queries.interpreter.aggregates import grouped

                return grouped(query, self.rows(query.input), self.expression, self.partly)
            case Window():
                from tallystick.core.queries.interpreter.windows import widened

                return widened(query, self.rows(query.input), self.expression, self.partly)
            case Limit():
                from tallystick.core.queries.interpreter.limits import limited

                return limited(query, self.rows(query.input), self.expression)
            case _:
                assert_never(query)


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
