"""Changes of a query that keep what it means only under some constraint: a key, NOT NULL, a foreign key.

What a prover is most likely to get wrong is a condition of a rule that almost holds. So a near miss joins a table with
itself on a column that may be a key, drops a DISTINCT that a key may make superfluous, or asks for IS NOT NULL.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

from tallystick.core.queries.calls import AggregateCall
from tallystick.core.queries.catalogue import Catalogue
from tallystick.core.queries.expressions import And, Comparison, IsNull, Not
from tallystick.core.queries.syntax import (
    Aggregate,
    Distinct,
    Filter,
    Join,
    Project,
    Query,
    Scan,
    SetOperation,
    reference,
    references,
)
from tallystick.experiments.queries.rewritings import at_node, mutated_node, nodes

Change = Callable[[Query, Catalogue, Random], Query | None]


def self_join(query: Query, _: Catalogue, random: Random) -> Query | None:
    """R = π(R ⋈ R) on a column: if it is a key and NOT NULL. Semijoins, left joins and `<=>` likewise."""
    if not isinstance(query, Scan):
        return None
    kind: Any = random.choice(("inner", "inner", "semi", "left"))
    column = random.randrange(len(query.columns))
    return _joined(kind, query, query, ((column, column),), random)


def foreign_join(query: Query, catalogue: Catalogue, random: Random) -> Query | None:
    """R = π(R ⋈ S) on a foreign key of R to S, if it is NOT NULL and refers to a key."""
    keys = catalogue.by_name[query.table].foreign_keys if isinstance(query, Scan) else ()
    if not keys:
        return None
    key = random.choice(keys)
    kind: Any = random.choice(("inner", "inner", "semi", "left"))
    pairs = tuple(zip(key.columns, key.referenced, strict=True))
    return _joined(kind, query, catalogue.by_name[key.table].scan(), pairs, random)


def _joined(kind: Any, left: Query, right: Query, pairs: tuple[tuple[int, int], ...], random: Random) -> Query:
    product = Join("inner", left, right, And(()))
    operator: Any = random.choice(("=", "=", "<=>"))
    width = len(left.columns)
    on = And(tuple(Comparison(operator, reference(product, i), reference(product, width + j)) for i, j in pairs))
    join = Join(kind, left, right, on)
    return join if kind == "semi" else Project(join, references(join)[:width])


def more_distinct(query: Query, _: Catalogue, random: Random) -> Query | None:
    """Q = DISTINCT Q, or GROUP BY all columns, or Q UNION Q: if no row occurs twice."""
    if not query.columns:
        return None
    choices = (Distinct(query), Aggregate(query, references(query), ()), SetOperation("union", False, query, query))
    return random.choice(choices)


def not_null(query: Query, _: Catalogue, random: Random) -> Query | None:
    """Q = σ_{a IS NOT NULL}(Q), or a = a: if the column is never NULL."""
    if not query.columns:
        return None
    column = random.choice(references(query))
    return Filter(query, random.choice((Not(IsNull(column)), Comparison("=", column, column))))


def equality(query: Query, _: Catalogue, random: Random) -> Query | None:
    """`=` for `<=>` in a join: if no side is NULL on both sides."""
    match query:
        case Join(_, _, _, Comparison("=" | "<=>" as operator, left, right)):
            other: Any = "=" if operator == "<=>" else "<=>"
            return replace(query, condition=Comparison(other, left, right))
    return None


def counted(query: Query, _: Catalogue, random: Random) -> Query | None:
    """COUNT(*) for COUNT(a), and COUNT(DISTINCT a) for COUNT(a): if a is never NULL, or has no value twice."""
    if not isinstance(query, Aggregate) or not query.input.columns:
        return None
    column = random.choice(references(query.input))

    def other(call: Any) -> Any:
        if not isinstance(call, AggregateCall) or call.function != "count":
            return call
        if not call.arguments:
            return replace(call, arguments=(column,))
        return replace(call, arguments=(), distinct=False) if random.random() < 0.5 else replace(call, distinct=True)

    return replace(query, calls=tuple(map(other, query.calls)))


def fewer_keys(query: Query, _: Catalogue, random: Random) -> Query | None:
    """A grouping by one key less, with MIN of the other: if the others determine it."""
    match query:
        case Aggregate(inner, (*keys, last), calls, None) if keys:
            fewer = Aggregate(inner, tuple(keys), (AggregateCall("min", (last,)), *calls))
            return Project(fewer, references(fewer)) if not last.nullable else fewer
    return None


def any_mutation(query: Query, _: Catalogue, random: Random) -> Query | None:
    """Any mutation of a node."""
    return mutated_node(query, random)


CHANGES: tuple[Change, ...] = (
    self_join,
    self_join,
    foreign_join,
    more_distinct,
    not_null,
    equality,
    counted,
    fewer_keys,
    any_mutation,
)


def near_miss(query: Query, catalogue: Catalogue, random: Random, attempts: int = 20) -> Query | None:
    """The query with one node changed, to one with the same columns; None if no attempt succeeds."""
    for _ in range(attempts):
        change = random.choice(CHANGES)
        changed = at_node(query, random.randrange(nodes(query)), lambda node, by=change: by(node, catalogue, random))
        if changed is not None and changed != query:
            return changed
    return None
