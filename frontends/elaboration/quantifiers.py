"""IN, ANY and ALL of a query.

    v̄ IN q             is   v̄ = some row of q
    v operator ANY q   is   v operator some row of q
    v operator ALL q   is   NOT (v negated some row of q)

where `v negated c` is true where `v operator c` is false, false where it is true, and NULL where it is NULL. So ANY is
the disjunction of the comparisons with the rows, false of none, and ALL their conjunction, true of none.
"""

from __future__ import annotations

from tallystick.core.queries.expressions import NEGATED, ComparisonOperator, Expression, ForSome, Not
from tallystick.core.queries.syntax import Query


def is_in(values: tuple[Expression, ...], query: Query) -> ForSome:
    """`values IN (query)`, of one value or a row of them."""
    return ForSome("=", values, query)


def for_any(operator: ComparisonOperator, value: Expression, query: Query) -> Expression:
    """`value operator ANY (query)`."""
    return ForSome(operator, (value,), query)


def for_all(operator: ComparisonOperator, value: Expression, query: Query) -> Expression:
    """`value operator ALL (query)`; `<=>` has no negation, and raises KeyError."""
    return Not(ForSome(NEGATED[operator], (value,), query))
