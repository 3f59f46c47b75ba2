"""What a proof that is not found would need: the construct on which the two queries differ, in the user's words.

The reason of a failed search names the premise where it ended, which says little about many pairs. What says more is
what one query has and the other has not, where no rule, or only congruence, speaks of it. The first kind that applies
is the one that is named.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Final

from tallystick.core.clock import clock
from tallystick.core.errors import TallystickError
from tallystick.core.queries.calls import AggregateCall, OrderKey, WindowCall
from tallystick.core.queries.catalogue import Catalogue
from tallystick.core.queries.compilation.normal_form import normal_form
from tallystick.core.queries.expressions import Arithmetic, Divide, Expression, Function, Literal, Remainder, WithQuery
from tallystick.core.queries.syntax import (
    Aggregate,
    Join,
    Limit,
    Project,
    Query,
    SetOperation,
    Statement,
    Window,
    references,
)
from tallystick.core.queries.traversal import nodes
from tallystick.decision.queries.time_limits import OutOfTimeError, until

WRITING = 0.2
"""Seconds for writing statements out."""
Constructs = Counter[str]
Of = Callable[[Query | Expression], list[str]]


def missing_rule(left: Statement, right: Statement, reason: str) -> str:
    """What is missing for a proof that two statements are equivalent, in a few words.

    Args:
        reason: that of the search.
    """
    if [column.type for column in left.columns] != [column.type for column in right.columns]:
        return "the columns of the results have different types"
    if _directions(left.order) != _directions(right.order):
        return "the queries differ in ORDER BY: results are lists, which are compared key by key"
    for rule, of in KINDS:
        differing = _differing(left, right, of)
        if differing:
            return f"the queries differ in {', '.join(differing)}: {rule}"
    if "time limit" in reason or "seconds" in reason:
        return f"the time ended before it was known whether the {_shape(left, right)} are the same"
    return f"nothing shows that the {_shape(left, right)} are the same"


def columns_in_question(left: Statement, right: Statement, catalogue: Catalogue) -> tuple[str, ...]:
    """The columns of the left that are to blame where both have the same rows without them, as far as that is seen by
    writing both out; none where it is not."""
    width = len(left.names)

    def written(*columns: int) -> bool:
        """Whether both are one text with these columns alone."""
        sides = (Project(side.query, tuple(references(side.query)[each] for each in columns)) for side in (left, right))
        one, other = (normal_form(side, catalogue) for side in sides)
        return one is other

    try:
        with until(clock() + WRITING):
            same = [column for column in range(width) if written(column)]
            if not 0 < len(same) < width or not written(*same):
                return ()
    except (TallystickError, RecursionError, OutOfTimeError):
        return ()
    return tuple(left.names[column] for column in range(width) if column not in same)


def _differing(left: Statement, right: Statement, of: Of) -> list[str]:
    """What the statements have differently often, in its order."""
    first, second = (Counter(each for node in _nodes(side) for each in of(node)) for side in (left, right))
    return sorted((first - second) | (second - first))


def _nodes(side: Statement) -> list[Query | Expression]:
    return list(nodes(side.query, *(key.expression for key in side.order)))


def _directions(order: tuple[OrderKey, ...]) -> list[tuple[bool, bool]]:
    return [(key.descending, key.nulls_first) for key in order]


def _limits(node: Query | Expression) -> list[str]:
    if not isinstance(node, Limit):
        return []
    return [("LIMIT" if node.count is not None else "") + (" OFFSET" if node.offset else "") or "ORDER BY"]


def _limits_moved(left: Statement, right: Statement) -> list[str]:
    """LIMITs of which both have as many, over other rows."""
    found = [[node for node in _nodes(side) if isinstance(node, Limit)] for side in (left, right)]
    return ["LIMIT"] if found[0] and found[1] and found[0] != found[1] else []


def _calls(node: Query | Expression) -> list[AggregateCall]:
    if isinstance(node, Aggregate):
        return [call for call in node.calls if isinstance(call, AggregateCall)]
    return []


def _opaque(node: Query | Expression) -> list[str]:
    return [call.function for call in _calls(node) if call.opaque]


def _windows(node: Query | Expression) -> list[str]:
    return [_name(call) for call in node.calls] if isinstance(node, Window) else []


def _name(call: WindowCall) -> str:
    return f"{call.call.function.upper()} OVER"


def _functions(node: Query | Expression) -> list[str]:
    return [node.name] if isinstance(node, Function) else []


def _quotients(node: Query | Expression) -> list[str]:
    if isinstance(node, Divide | Remainder) and not isinstance(node.right, Literal):
        return ["a quotient of columns"]
    return [f"AVG {call.rounding}" for call in _calls(node) if call.function == "avg"]


def _products(node: Query | Expression) -> list[str]:
    if not isinstance(node, Arithmetic) or node.operator != "*":
        return []
    return [] if isinstance(node.left, Literal) or isinstance(node.right, Literal) else ["a product of columns"]


def _bag_operations(node: Query | Expression) -> list[str]:
    if isinstance(node, SetOperation) and node.all and node.kind != "union":
        return [f"{node.kind.upper()} ALL"]
    return []


def _grouping_sets(node: Query | Expression) -> list[str]:
    return ["GROUPING SETS"] if isinstance(node, Aggregate) and node.grouping_sets is not None else []


KINDS: Final[tuple[tuple[str, Of], ...]] = (
    ("several rows of a LIMIT are the same over the same rows alone", _limits),
    ("such an aggregate is known by its name alone", _opaque),
    ("such a function is known by its name alone", _functions),
    ("windows of different rows, or in ties, are not compared", _windows),
    ("they are the same of the same rows alone", _bag_operations),
    ("a quotient is known by what is divided alone", _quotients),
    ("a product is known by its factors alone", _products),
    ("their groupings are compared one by one", _grouping_sets),
)
"""What no rule speaks of, or only congruence, by what differs. In order of how much it explains."""


def _shape(left: Statement, right: Statement) -> str:
    """What is computed with, where nothing that is uninterpreted differs."""
    if _limits_moved(left, right):
        return "LIMITs over different rows"
    everything = [*_nodes(left), *_nodes(right)]
    parts: list[str] = []
    if any(_calls(node) for node in everything):
        parts.append("aggregates")
    if any(isinstance(node, Join) and node.kind in ("left", "right", "full") for node in everything):
        parts.append("outer joins")
    if any(isinstance(node, WithQuery) for node in everything):
        parts.append("subqueries")
    if any(isinstance(node, SetOperation) and node.kind != "union" for node in everything):
        parts.append("INTERSECT or EXCEPT")
    return " and ".join(parts) if parts else "joins, filters and unions"
