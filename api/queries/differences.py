"""What two results differ in that does not decide whether they are equal: said beside the verdict."""

from __future__ import annotations

from tallystick.frontends.sql.reader import SqlPair
from tallystick.queries.verdict import SqlVerdict
from tallystick.verdict import Answer


def differences(verdict: SqlVerdict) -> tuple[str, ...]:
    """Names of columns that are not the same on both sides, types that are not, and an order that only one side has."""
    return (*_columns(verdict.pair), *verdict.pair.notes, *_orders(verdict))


def _columns(pair: SqlPair) -> list[str]:
    found: list[str] = []
    compared = pair.dialect.declared if pair.to is None else str.casefold
    for number, (name, other) in enumerate(zip(pair.left.names, pair.right.names, strict=True), 1):
        if compared(name) != compared(other):
            found.append(f"column {number} is called {name} and {other}: columns are compared by position")
    return found


def _orders(verdict: SqlVerdict) -> list[str]:
    ordered = [bool(side.order) for side in (verdict.pair.left, verdict.pair.right)]
    if ordered[0] == ordered[1] or verdict.verdict is Answer.EQUIVALENT or "order" in verdict.reasons:
        return []
    name = verdict.names[0] if ordered[0] else verdict.names[1]
    return [f"only {name} has an ORDER BY: without it, rows are compared in any order"]
