"""What two results differ in that does not decide whether they are equal: said beside the verdict."""

from __future__ import annotations

from tallystick.frontends.sql.reader import SqlPair
from tallystick.queries.verdict import SqlVerdict
from tallystick.verdict import Answer


def differences(verdict: SqlVerdict) -> tuple[str, ...]:
    """Numbers, names and types of columns that are not the same on both sides, and an order that only one side has."""
    return (*_columns(verdict.pair), *_orders(verdict))


def _columns(pair: SqlPair) -> list[str]:
    found: list[str] = []
    left, right = pair.left.names, pair.right.names
    if len(left) != len(right):
        named = f"({', '.join(left)}) and ({', '.join(right)})"
        found.append(f"the results have {len(left)} and {len(right)} columns, {named}: no row is in both")
    sides = zip(left, right, pair.left.columns, pair.right.columns, strict=False)
    for number, (name, other, here, there) in enumerate(sides, 1):
        if pair.dialect.declared(name) != pair.dialect.declared(other):
            found.append(f"column {number} is called {name} and {other}: columns are compared by position")
        if here.type != there.type:
            found.append(f"column {number} has the types {here.type} and {there.type}: their values are never equal")
    return found


def _orders(verdict: SqlVerdict) -> list[str]:
    ordered = [bool(side.order) for side in (verdict.pair.left, verdict.pair.right)]
    if ordered[0] == ordered[1] or verdict.verdict is Answer.EQUIVALENT:
        return []
    name = verdict.names[0] if ordered[0] else verdict.names[1]
    return [f"only {name} has an ORDER BY: without it, rows are compared in any order"]
