"""How equal the rows on a wire have to be for all results to be as equal as is wanted: list ⊑ bag ⊑ set.

The paper's lemma 4.1 takes windows that are equal as sets for identical ones. They are not: where a DISTINCT is
dropped, a COUNT behind the window tells. So each wire has a *demand*: the coarsest relation that all operators behind
it respect. A verifier that compares sets is believed about a window only if sets are demanded of what leaves it, or
both sides have no duplicates.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum

from tallystick.core.dataflows.workflow import Opaque, Workflow
from tallystick.core.queries.calls import AggregateCall, GroupingCall
from tallystick.core.queries.expressions import WithQuery
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
from tallystick.core.queries.traversal import expressions_of, inputs, nodes


class Relation(IntEnum):
    """When two tables are equal, from fine to coarse: as lists up to ties, as bags, as sets."""

    LIST = 0
    BAG = 1
    SET = 2


def demands(workflow: Workflow) -> dict[str, Relation]:
    """For each table and wire, how equal it has to be for all wires that nobody reads to be equal as bags.

    Results that are compared as sets are wires without duplicates.
    """
    found: dict[str, Relation] = {}
    for wire in reversed(workflow):
        own = found.setdefault(wire.name, Relation.BAG)
        if isinstance(wire.operator, Opaque):
            wanted = ((name, Relation.BAG) for name in wire.operator.inputs)
        else:
            wanted = of_inputs(wire.operator.query, own)
        for name, relation in wanted:
            found[name] = min(relation, found.get(name, Relation.SET))
    return found


def of_inputs(query: Query, own: Relation) -> Iterator[tuple[str, Relation]]:
    """What a query that has to be so equal demands of what it scans."""
    for expression in expressions_of(query):
        yield from _in_expressions(expression)
    below = own
    match query:
        case Scan(table):
            yield table, own
        case Values():
            return
        case Filter() | Project() | Join():
            pass
        case SetOperation():
            below = own if query.kind == "union" and query.all else Relation.BAG if query.all else Relation.SET
        case Distinct():
            below = Relation.SET
        case Aggregate():
            below = Relation.SET if all(map(_ignores_duplicates, query.calls)) else Relation.BAG
        case Window() | Limit():
            below = Relation.BAG
    for each in inputs(query):
        yield from of_inputs(each, below)


def _in_expressions(expression: object) -> Iterator[tuple[str, Relation]]:
    """What subqueries demand: their rows may be counted."""
    for node in nodes(expression):  # type: ignore[arg-type]
        if isinstance(node, WithQuery):
            scans = (each for each in nodes(node.query) if isinstance(each, Scan))
            yield from ((scan.table, Relation.BAG) for scan in scans)


def _ignores_duplicates(call: AggregateCall | GroupingCall) -> bool:
    """Whether a call gives the same for a bag and for the set of its rows."""
    if isinstance(call, GroupingCall):
        return True
    return not call.opaque and (call.distinct or call.function in ("min", "max"))


def has_no_duplicates(query: Query) -> bool:
    """Whether a query surely returns each row once, by its form alone."""
    match query:
        case Distinct():
            return True
        case SetOperation():
            return not query.all
        case Aggregate():
            return query.grouping_sets is None
        case Filter(input_):
            return has_no_duplicates(input_)
        case Project(Aggregate(_, keys, _, None), expressions):
            kept = {getattr(each, "index", None) for each in expressions if getattr(each, "level", None) == 0}
            return kept >= set(range(len(keys)))
        case Project(input_, expressions):
            kept = {getattr(each, "index", None) for each in expressions if getattr(each, "level", None) == 0}
            return kept >= set(range(len(input_.columns))) and has_no_duplicates(input_)
        case _:
            return False
