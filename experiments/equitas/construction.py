"""Construct (algorithms 1 and 4): the symbolic representation of a query."""

from __future__ import annotations

from collections import Counter
from typing import Any

import z3
from tallystick.core.queries.calls import AggregateCall
from tallystick.core.queries.syntax import Aggregate, Filter, Join, Project, Query, Scan
from tallystick.experiments.equitas.expressions import NO, YES, Expressions
from tallystick.experiments.equitas.representation import (
    Cell,
    Independent,
    Representation,
    Tuple,
    UnsupportedError,
    fresh,
)

Renaming = dict[tuple[str, int], int]
"""For an occurrence of a table, by its number, the number of the symbolic tuple that it stands for."""


class Construction:
    """Constructs the representation of one query of a pair.

    Attributes:
        independent: the operators with independent variables, inner ones first.
        printed: whether an aggregation without GROUP BY returns a row only if it reads one, as in algorithm 4, and
            nothing excludes that a tuple of an outer join has both a match and none.
    """

    def __init__(self, prefix: str, texts: list[str], renaming: Renaming, printed: bool) -> None:
        self.prefix, self.printed, self.renaming = prefix, printed, renaming
        self.expressions = Expressions(texts, prefix, printed)
        self.independent: list[Independent] = []
        self.seen: Counter[str] = Counter()

    def construct(self, query: Query) -> Representation:
        """The representation; raises UnsupportedError for operators that are not in the paper's Table 1."""
        match query:
            case Scan(table, columns):
                number = self.renaming.get((table, self.seen[table]), self.seen[table])
                self.seen[table] += 1
                name = f"{table}#{number}"
                cols = tuple(fresh(f"{name}.{index}", column.type) for index, column in enumerate(columns))
                return Representation(YES, cols, YES, frozenset((name,)))
            case Filter(input_, condition):
                below = self.construct(input_)
                cond = z3.And(below.cond, self.expressions.holds(condition, below.cols))
                return Representation(cond, below.cols, self.assigned(below), below.scans, below.simple)
            case Project(input_, expressions):
                below = self.construct(input_)
                cols = tuple(self.expressions.cell(each, below.cols) for each in expressions)
                return Representation(below.cond, cols, self.assigned(below), below.scans, below.simple)
            case Join(kind, left, right) if kind in ("inner", "left", "right", "full") and not query.lateral:
                return self.join(query, self.construct(left), self.construct(right))
            case Aggregate(input_) if query.grouping_sets is None:
                return self.aggregate(query, self.construct(input_))
            case _:
                raise UnsupportedError(type(query).__name__)

    def assigned(self, *below: Representation) -> Any:
        """ASSIGN of the parts, and what CASE adds."""
        return z3.And(*(each.assign for each in below), *self.expressions.assign)

    def join(self, node: Join, left: Representation, right: Representation) -> Representation:
        pair, scans = (*left.cols, *right.cols), left.scans | right.scans
        key = self.expressions.holds(node.condition, pair)
        both = z3.And(left.cond, right.cond, key)
        simple = left.simple and right.simple and node.kind == "inner"
        if node.kind == "inner":
            return Representation(both, pair, self.assigned(left, right), scans, simple)
        number = len(self.independent)
        lone_left = z3.Bool(f"{self.prefix}lone left {number}") if node.kind != "right" else NO
        lone_right = z3.Bool(f"{self.prefix}lone right {number}") if node.kind != "left" else NO
        self.independent.append(Independent(node, (left, right), (lone_left, lone_right), key))
        if not self.printed:  # a tuple with a match is not one without
            matched = z3.Implies(both, z3.Not(z3.Or(lone_left, lone_right)))
            self.expressions.assign.append(matched)
        cond = z3.If(lone_left, left.cond, z3.If(lone_right, right.cond, both))
        padded_left = _nulls_where(z3.And(lone_right, z3.Not(lone_left)), left.cols)
        cols = (*padded_left, *_nulls_where(lone_left, right.cols))
        return Representation(cond, cols, self.assigned(left, right), scans, simple)

    def aggregate(self, node: Aggregate, below: Representation) -> Representation:
        number = len(self.independent)
        groups = tuple(self.expressions.cell(key, below.cols) for key in node.keys)
        arguments: list[Tuple] = []
        for call in node.calls:
            if not isinstance(call, AggregateCall) or call.filter is not None or call.order:
                raise UnsupportedError("an aggregate with FILTER or ORDER BY, or GROUPING")
            arguments.append(tuple(self.expressions.cell(each, below.cols) for each in call.arguments))
        types = node.columns[len(node.keys) :]
        cells = tuple(fresh(f"{self.prefix}aggregate {number}.{i}", each.type) for i, each in enumerate(types))
        self.independent.append(Independent(node, (below,), tuple(cells), groups=groups, arguments=tuple(arguments)))
        one_row = not node.keys and not self.printed
        cond = YES if one_row else below.cond
        return Representation(cond, (*groups, *cells), self.assigned(below), below.scans, simple=False)


def _nulls_where(condition: Any, cols: Tuple) -> Tuple:
    return tuple(Cell(each.value, z3.Or(condition, each.null)) for each in cols)
