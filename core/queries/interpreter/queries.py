"""The rows of queries. What set operations, groups, windows, limits and functions mean is loaded for queries that have
some."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tallystick.core.errors import EvaluationError
from tallystick.core.queries.interpreter.expressions import evaluator
from tallystick.core.queries.interpreter.running import Environment, Evaluator, RowsOf, Run
from tallystick.core.queries.nodes import Scan
from tallystick.core.queries.types import SqlRow, SqlValue, admits_row

if TYPE_CHECKING:
    from tallystick.core.queries.expressions import Expression
    from tallystick.core.queries.syntax import Query

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
        """The closure of a query, not counted."""
        node: Any = query
        match type(node).__name__:
            case "Scan":
                return _scan(node)
            case "Values":
                return lambda outer: list(node.rows)
            case "Filter":
                return _filter(self.rows(node.input), self.expression(node.condition))
            case "Project":
                return _project(self.rows(node.input), [self.expression(each) for each in node.expressions])
            case "Distinct":
                rows = self.rows(node.input)
                return lambda outer: list(dict.fromkeys(rows(outer)))
            case "Join":
                from tallystick.core.queries.interpreter.joins import joined

                return joined(node, self.rows(node.left), self.rows(node.right), self.expression(node.condition))
            case "SetOperation":
                from tallystick.core.queries.interpreter.set_operations import combined

                return combined(node, self.rows(node.left), self.rows(node.right))
            case "Aggregate":
                from tallystick.core.queries.interpreter.aggregates import grouped

                return grouped(node, self.rows(node.input), self.expression, self.partly)
            case "Window":
                from tallystick.core.queries.interpreter.windows import widened

                return widened(node, self.rows(node.input), self.expression, self.partly)
            case "Limit":
                from tallystick.core.queries.interpreter.limits import limited

                return limited(node, self.rows(node.input), self.expression)
            case name:
                raise EvaluationError(f"{name} is no query that is evaluated")


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
