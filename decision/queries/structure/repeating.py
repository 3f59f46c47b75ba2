"""Window calls over rows that have columns of their values already (untrusted).

If t is `SELECT *, RANK() OVER (PARTITION BY g ORDER BY v) AS r FROM s`, then `RANK() OVER (PARTITION BY g ORDER BY v)`
of the rows of t is r; and so it is of those with g = 1: what holds of whole partitions is pulled out of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tallystick.certificates.queries.pulling import pushed
from tallystick.core.errors import TallystickError
from tallystick.core.queries.expressions import And
from tallystick.core.queries.syntax import Filter, Project, Query, Scan, Window, reference, references
from tallystick.decision.queries.structure.boundaries import CorrelatedError, over, source, window_call


@dataclass(frozen=True)
class Repetition:
    """Calls whose values a table has.

    Attributes:
        over: the calls again, over the rows of the table on which conditions hold.
        pulled: the same with the conditions on the calls' partitions, as `Pull` has it; None without conditions.
        whole: the calls over all rows of the table.
        columns: these with columns of the table for the calls.
    """

    over: Query
    pulled: Filter | None
    whole: Window
    table: Scan
    columns: Query


def repeated(node: Query, definitions: Mapping[str, Query]) -> Repetition | None:
    """The calls of a window as columns of a table with this definition, if all of them are."""
    if not isinstance(node, Window):
        return None
    try:
        table, values, conditions = source(node.input)
        named = definitions.get(table.table) if isinstance(table, Scan) else None
        calls = tuple(window_call(call, over(values)) for call in node.calls)
        if not (isinstance(table, Scan) and isinstance(named, Window) and set(calls) <= set(named.calls)):
            return None
        whole = Window(table, calls)
        pulled = Filter(whole, And(conditions)) if conditions else None
        inner = pushed(pulled) if pulled is not None else whole  # an error where a condition is on other columns
    except (CorrelatedError, TallystickError):
        return None
    behind = len(named.input.columns)
    columns = tuple(reference(table, behind + named.calls.index(call)) for call in calls)
    again = Project(inner, (*values, *references(inner)[-len(calls) :]))
    return Repetition(again, pulled, whole, table, Project(table, (*references(table), *columns)))
