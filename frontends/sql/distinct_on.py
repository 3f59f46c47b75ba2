"""DISTINCT ON of PostgreSQL and DuckDB: the first row of each partition.

SELECT DISTINCT ON (k) v FROM t ORDER BY k, w
SELECT v FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY w) AS n FROM t) WHERE n = 1 ORDER BY k
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from sqlglot import exp
from tallystick.core.queries.assumptions import Assumption
from tallystick.core.queries.calls import OrderKey, WindowCall, WindowFunction
from tallystick.core.queries.expressions import Comparison, Expression, Literal
from tallystick.core.queries.syntax import Filter, Query, Window, reference
from tallystick.core.queries.types import TEXT
from tallystick.frontends.sql.literals import integer
from tallystick.frontends.sql.nulls import UntypedNull, Value
from tallystick.frontends.sql.parts import Parts
from tallystick.frontends.sql.scopes import QueryReading, row_of

DIALECTS: Final = frozenset({"postgres", "duckdb"})
Keys = Sequence[tuple[Expression, bool, bool]]
"""Keys of ORDER BY: value, descending, NULLs first."""


def partition_of(
    reading: QueryReading, distinct: Parts, read: Callable[[exp.Expr], Value], order: Keys
) -> list[Expression]:
    """What DISTINCT ON lists, without constants.

    Raises SourceError in dialects without it, and where it does not begin the order, though the dialect asks for that.
    """
    on = distinct.args["on"]
    if reading.dialect.name not in DIALECTS:
        raise reading.error(on, "ON in DISTINCT is not understood")
    listed = [read(each) for each in (row_of(reading, on) if isinstance(on, exp.Tuple) else [on])]
    partition: list[Expression] = list(
        dict.fromkeys(each for each in listed if not isinstance(each, UntypedNull | Literal))
    )
    if any(each.type == TEXT for each in partition):
        reading.assumptions.add(Assumption.CODE_POINTS)
    first = {value for value, _, _ in order[: len(partition)]}
    if reading.dialect.name == "postgres" and first and not (first <= set(partition)):
        raise reading.error(on, "what DISTINCT ON lists begins the list of ORDER BY")
    return partition


def leading(order: Keys, partition: Sequence[Expression]) -> Keys:
    """The keys that order the result: after all of the partition, which has one row, no other key matters."""
    missing = set(partition)
    for place, (value, _, _) in enumerate(order):
        if not missing:
            return order[:place]
        missing.discard(value)
    return order


def first_of_each(query: Query, partition: Sequence[Expression], order: Keys) -> Query:
    """The first row of each partition in an order, with one column more."""
    keys = tuple(OrderKey(value, *directions) for value, *directions in order if value not in partition)
    numbered = Window(query, (WindowCall(WindowFunction("row_number"), tuple(partition), keys, None),))
    return Filter(numbered, Comparison("=", reference(numbered, len(numbered.columns) - 1), integer(1)))
