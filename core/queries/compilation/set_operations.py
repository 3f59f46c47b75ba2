"""UNION, INTERSECT and EXCEPT as summations of rows (THEORY-SQL section 2)."""

from __future__ import annotations

from tallystick.core.operators import Operator
from tallystick.core.queries.compilation.bags import Scopes
from tallystick.core.queries.compilation.cells import Row
from tallystick.core.queries.compilation.distinct import distinct, has, without_duplicates
from tallystick.core.queries.compilation.scalars import Scalars
from tallystick.core.queries.constructs.sets import SetOperation
from tallystick.core.terms import Term, build, conjunction, negation


def combined(node: SetOperation, scalars: Scalars, outer: Scopes) -> Term:
    """Both sides as rows of one type; as sets, ★ with conditions on the two.

    UNION ALL adds monomials: see `Queries`.
    """
    bags, summation = scalars.bags, scalars.summation
    both = SetOperation("union", True, node.left, node.right)
    either = both.columns
    if node.kind == "union":
        return without_duplicates(bags, summation(both, outer), either)
    sides = [
        bags.projected(summation(side, outer), side.columns, either, lambda row: row)
        for side in (node.left, node.right)
    ]
    if node.all:
        operator = Operator.EXCEPT_ALL if node.kind == "except" else Operator.INTERSECT_ALL
        return bags.source(build(operator, tuple(sides)), node.columns)

    def both_hold(keys: Row) -> Term:
        inside = has(bags, sides[1], either, keys)
        return conjunction(has(bags, sides[0], either, keys), inside if node.kind == "intersect" else negation(inside))

    return distinct(bags, node.columns, both_hold)
