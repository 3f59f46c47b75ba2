"""Aggregates of rows that may be in a group or not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import z3
from tallystick.core.queries.calls import AggregateCall
from tallystick.core.queries.types import DECIMAL, INTEGER, SqlType
from tallystick.decision.queries.counterexamples.symbolic.cells import (
    NoEncodingError,
    SymbolicValue,
    Truth,
    both,
    chosen,
    compared,
    conj,
    counted,
    default,
    disj,
    neg,
    number,
    same_rows,
    total,
)
from tallystick.decision.queries.counterexamples.symbolic.expressions import Expressions, Scopes, quotient

Members = Sequence[tuple[Truth, tuple[SymbolicValue, ...]]]
"""Rows of arguments, and whether they are in the group."""


class Calls:
    """The values of an aggregate on rows, computed once, for the groups of these."""

    def __init__(self, call: AggregateCall, rows: Sequence[Scopes], expressions: Expressions) -> None:
        if call.opaque:
            raise NoEncodingError(f"the aggregate function {call.function}")
        self.call = call
        self.arguments = [tuple(expressions.cell(part, row) for part in call.arguments) for row in rows]
        self.kept = [True if call.filter is None else expressions.truth(call.filter, row) for row in rows]

    def of(self, members: Sequence[Truth]) -> SymbolicValue:
        """The value for the group of these rows."""
        group: list[tuple[Truth, tuple[SymbolicValue, ...]]] = [
            (conj((member, kept, *(neg(cell.null) for cell in arguments))), arguments)
            for member, kept, arguments in zip(members, self.kept, self.arguments, strict=True)
        ]
        if self.call.distinct:
            group = first_ones(group)
        missing = neg(disj(member for member, _ in group))
        match self.call.function:
            case "count":
                return SymbolicValue(counted(member for member, _ in group), False, INTEGER)
            case "sum":
                return SymbolicValue(_sum(group), missing, self.call.type)
            case "avg":
                return SymbolicValue(self._average(group), missing, self.call.type)
            case name:
                return SymbolicValue(_extremum(group, name, self.call.type), missing, self.call.type)

    def _average(self, group: Members) -> Any:
        """The quotient of sum and count: for each count that there may be, so that it is linear."""
        summed, count = _sum(group), counted(member for member, _ in group)
        rounding = self.call.rounding or "exact"
        summed = number(summed, self.call.arguments[0].type)
        average = quotient(summed, _count(summed, 1), rounding)
        for size in range(2, len(group) + 1):
            average = z3.If(count == size, quotient(summed, _count(summed, size), rounding), average)
        return average


def _count(summed: Any, size: int) -> Any:
    return z3.IntVal(size) if summed.is_int() else z3.RealVal(size)


def _sum(group: Members) -> Any:
    if not group:
        return 0
    type_ = group[0][1][0].type
    kind = type_ if type_ is DECIMAL else INTEGER
    return total([chosen(member, cells[0].value, 0, kind) for member, cells in group], kind)


def _extremum(group: Members, function: str, type_: SqlType) -> Any:
    found: Truth = False
    best = SymbolicValue(default(type_), False, type_)
    for member, (cell,) in group:
        better = both(member, disj((neg(found), compared("<" if function == "min" else ">", cell, best))))
        best = SymbolicValue(chosen(better, cell.value, best.value, type_), False, type_)
        found = disj((found, member))
    return best.value


def first_ones(group: Members) -> list[tuple[Truth, tuple[SymbolicValue, ...]]]:
    """The members that have no equal one before them."""
    return [
        (both(member, neg(disj(both(other, same_rows(cells, others)) for other, others in group[:place]))), cells)
        for place, (member, cells) in enumerate(group)
    ]
