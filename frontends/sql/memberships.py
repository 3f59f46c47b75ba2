"""IN of a query where it is no condition: Spark makes FALSE of NULL there, for IN and for NOT IN.

Spark 4.3 rewrites `v IN (SELECT …)` as a join that marks rows. In WHERE, HAVING, the ON of inner joins and under WHEN
only truth matters, and the standard's meaning remains. Elsewhere `v IN q` and `v NOT IN q` are both FALSE where the
standard says NULL, and NOT is drawn through AND and OR before. Under NOT, the ON of outer joins and queries that depend
on rows around them lose NULLs another way: they are refused, unless nothing is NULL.
"""

from __future__ import annotations

from typing import Final

from sqlglot import exp
from tallystick.core.queries.expressions import Expression, ForSome, Not
from tallystick.frontends.elaboration.truths import is_truth
from tallystick.frontends.sql.expressions import Expressions

CLAUSES: Final = (exp.Where, exp.Having, exp.Qualify)
HINT: Final = "write NOT EXISTS, or exclude NULL on both sides"


def in_place(expressions: Expressions, membership: ForSome, node: exp.Expr) -> Expression:
    """What IN of a query means where it stands in the text."""
    known = not any(each.nullable for each in (*membership.expressions, *membership.query.columns))
    if expressions.reading.dialect.name not in ("spark", "databricks") or known:
        return membership
    negations, below, place = 0, node, node.parent
    while isinstance(place, exp.Paren | exp.And | exp.Or | exp.Not):
        negations += isinstance(place, exp.Not)
        below, place = place, place.parent
    negated = negations % 2 == 1
    clause = isinstance(place, CLAUSES) and not isinstance(place.parent, exp.Filter)
    joined = isinstance(place, exp.Join) and not place.side and (place.kind or "INNER") in ("INNER", "CROSS")
    branch = isinstance(place, exp.If) and below.arg_key == "this"
    outer = any(reference.level > 0 for operand in membership.expressions for reference in operand.free)
    if isinstance(place, exp.Binary) and not isinstance(place.expression, exp.Null):
        message = "Spark compares a truth value with IN of a query in its own way"
        raise expressions.reading.error(node, message, "leave the comparison out, or write CASE")
    if negated and (outer or (isinstance(place, exp.Where | exp.Join) and not (clause or joined))):
        raise expressions.reading.error(node, "Spark loses NULLs of this NOT IN", HINT)
    if clause or joined or branch or isinstance(place, exp.Join | exp.Where):
        return membership
    return Not(is_truth(membership, False)) if negated else is_truth(membership, True)
