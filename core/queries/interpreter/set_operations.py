"""UNION, INTERSECT and EXCEPT of rows, as bags or as sets."""

from __future__ import annotations

from collections.abc import Sequence

from tallystick.core.queries.constructs.sets import SetOperation
from tallystick.core.queries.interpreter.running import Environment, RowsOf
from tallystick.core.queries.types import SqlRow


def combined(node: SetOperation, left: RowsOf, right: RowsOf) -> RowsOf:
    """The closure of a set operation, over the rows of its sides."""

    def rows(outer: Environment) -> list[SqlRow]:
        first, second = left(outer), right(outer)
        if node.kind == "union":
            return first + second if node.all else list(dict.fromkeys(first + second))
        counted = _counts(second)
        wanted = node.kind == "intersect"
        if not node.all:
            return [row for row in dict.fromkeys(first) if (row in counted) == wanted]
        result: list[SqlRow] = []
        for row in first:
            found = counted.get(row, 0) > 0
            counted[row] = counted.get(row, 0) - 1
            result += [row] if found == wanted else []
        return result

    return rows


def _counts(rows: Sequence[SqlRow]) -> dict[SqlRow, int]:
    counts: dict[SqlRow, int] = {}
    for row in rows:
        counts[row] = counts.get(row, 0) + 1
    return counts
