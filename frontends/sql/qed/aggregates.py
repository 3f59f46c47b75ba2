"""Aggregate calls of plans."""

from __future__ import annotations

from typing import Any, Final

from tallystick.core.queries.calls import AggregateCall, GroupingCall
from tallystick.core.queries.expressions import Expression
from tallystick.core.queries.types import BOOLEAN, INTEGER
from tallystick.frontends.sql.aggregates import IDEMPOTENT
from tallystick.frontends.sql.coercion import NUMBERS
from tallystick.frontends.sql.qed.expressions import PlanExpressions
from tallystick.frontends.sql.qed.literals import read_literal
from tallystick.frontends.sql.qed.values import carried_type, member

EXACT: Final = {
    "SUM": "sum",
    "SUM INT": "sum",
    "$SUM0": "sum",
    "MIN": "min",
    "MAX": "max",
    "BOOL_AND": "min",
    "BOOL_OR": "max",
    "CONST AGG": "min",
}
"""CONST AGG is defined for groups in which all values are equal."""
OPAQUE: Final = frozenset({"STDDEV_POP", "STDDEV_SAMP", "VAR_POP", "VAR_SAMP", "BIT_OR", "BIT_AND", "CORR"})


def read_call(
    expressions: PlanExpressions,
    data: Any,
    keys: tuple[Expression, ...],
    condition: Expression | None,
    constant: str | None = None,
) -> AggregateCall | GroupingCall:
    """An aggregate call over the rows that `expressions` reads.

    LITERAL_AGG gives a constant for each group. That of no rows, which has one, too, has no columns.
    """
    function, distinct = str(member(data, "operator")), bool(data.get("distinct"))
    operands = tuple(expressions.read(each) for each in member(data, "operand"))
    if function == "GROUPING":
        return _grouping(expressions, operands, keys)
    if function == "LITERAL_AGG" and constant is not None and keys and condition is None:
        return AggregateCall("min", (read_literal(expressions.plan, constant, str(data.get("type"))),))
    if function in ("COUNT", "COUNT ROWS", "REGRESSION COUNT"):
        return AggregateCall("count", operands, distinct, condition)
    if function in OPAQUE:
        distinct = distinct or function in IDEMPOTENT
        return AggregateCall(function, operands, distinct, condition, result=carried_type(data.get("type")))
    if function == "AVG" and operands[0].type in NUMBERS:
        integral = operands[0].type == INTEGER and carried_type(data.get("type")) == INTEGER
        return AggregateCall("avg", operands, distinct, condition, "truncate" if integral else "exact")
    if function in EXACT:
        numeric = EXACT[function] != "sum" or operands[0].type in NUMBERS
        if numeric and (function not in ("BOOL_AND", "BOOL_OR") or operands[0].type == BOOLEAN):
            return AggregateCall(EXACT[function], operands, distinct, condition)
    raise expressions.plan.error(f"the aggregate {function} is not understood, or depends on the order of rows")


def _grouping(
    expressions: PlanExpressions, operands: tuple[Expression, ...], keys: tuple[Expression, ...]
) -> GroupingCall:
    if any(operand not in keys for operand in operands):
        raise expressions.plan.error("GROUPING names a column that is not grouped")
    return GroupingCall(tuple(keys.index(operand) for operand in operands))
