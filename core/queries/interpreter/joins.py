"""Joins of rows."""

from __future__ import annotations

from tallystick.core.queries.constructs.joins import Join
from tallystick.core.queries.interpreter.running import Environment, Evaluator, RowsOf
from tallystick.core.queries.types import SqlRow


def joined(node: Join, left: RowsOf, right: RowsOf, condition: Evaluator) -> RowsOf:
    """The closure of a join, over the rows of its sides."""
    kind, lateral = node.kind, node.lateral
    left_nulls, right_nulls = (None,) * len(node.left.columns), (None,) * len(node.right.columns)

    def pairs_of(outer: Environment) -> list[SqlRow]:
        result: list[SqlRow] = []
        matched: set[int] = set()
        fixed = [] if lateral else right(outer)
        for row in left(outer):
            others = right((row, *outer)) if lateral else fixed
            outer[-1].spend(1 + len(others))
            pairs = [(number, row + other) for number, other in enumerate(others)]
            found = [(number, pair) for number, pair in pairs if condition((pair, *outer)) is True]
            matched.update(number for number, _ in found)
            if kind in ("semi", "anti"):
                result += [row] if bool(found) == (kind == "semi") else []
            else:
                result += [pair for _, pair in found]
                result += [row + right_nulls] if not found and kind in ("left", "full") else []
        if kind in ("right", "full"):
            result += [left_nulls + other for number, other in enumerate(fixed) if number not in matched]
        return result

    return pairs_of
