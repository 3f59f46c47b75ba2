"""Truths, cells and rows of a database that is not known yet: formulas of z3, folded where they are constant.

A truth is a bool or a formula; the value of a cell is a number of Python or a term: texts are numbers, see `texts`.
Nothing here is believed: whatever comes out is evaluated by the reference interpreter.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import z3
from tallystick.core.errors import FragmentError
from tallystick.core.queries.expressions import ComparisonOperator
from tallystick.core.queries.types import SqlType
from tallystick.core.work import present

Truth: TypeAlias = Any
"""A bool or a formula."""


class NoEncodingError(FragmentError):
    """A query has what is not searched with unknown rows: the message names it."""


@dataclass(frozen=True)
class SymbolicValue:
    """A value of a type, and whether it is NULL; nothing reads the value where it is."""

    value: Any
    null: Truth
    type: SqlType


@dataclass(frozen=True)
class SymbolicRow:
    """A row that may be there or not."""

    present: Truth
    cells: tuple[SymbolicValue, ...]


Rows = list[SymbolicRow]


def conj(truths: Iterable[Truth]) -> Truth:
    """All of some truths. Costs a step, as building a term does: all that grows comes through here, or `disj`."""
    present().spend(1)
    open_: list[Any] = []
    for truth in truths:
        if truth is False:
            return False
        if truth is not True:
            open_.append(truth)
    return z3.And(open_) if len(open_) > 1 else open_[0] if open_ else True


def disj(truths: Iterable[Truth]) -> Truth:
    """One of some truths. Costs a step."""
    present().spend(1)
    open_: list[Any] = []
    for truth in truths:
        if truth is True:
            return True
        if truth is not False:
            open_.append(truth)
    return z3.Or(open_) if len(open_) > 1 else open_[0] if open_ else False


def neg(truth: Truth) -> Truth:
    """Not."""
    return not truth if isinstance(truth, bool) else z3.Not(truth)


def both(left: Truth, right: Truth) -> Truth:
    """Two truths."""
    return conj((left, right))


def iff(left: Truth, right: Truth) -> Truth:
    """Whether two truths are the same."""
    for one, other in ((left, right), (right, left)):
        if isinstance(one, bool):
            return other if one else neg(other)
    return left == right


def number(value: Any, type_: SqlType) -> Any:
    """A number as a term of the sort of a type."""
    if z3.is_expr(value):
        return value
    if type_ is SqlType.DECIMAL:
        return z3.Q(value.numerator, value.denominator)
    return z3.IntVal(value)


def chosen(condition: Truth, then: Any, otherwise: Any, type_: SqlType) -> Any:
    """One of two values of a type."""
    if isinstance(condition, bool):
        return then if condition else otherwise
    if type_ is SqlType.BOOLEAN:
        return disj((both(condition, then), both(neg(condition), otherwise)))
    if not z3.is_expr(then) and not z3.is_expr(otherwise) and then == otherwise:
        return then
    return z3.If(condition, number(then, type_), number(otherwise, type_))


def choice(condition: Truth, then: SymbolicValue, otherwise: SymbolicValue) -> SymbolicValue:
    """One of two cells."""
    null = chosen(condition, then.null, otherwise.null, SqlType.BOOLEAN)
    return SymbolicValue(chosen(condition, then.value, otherwise.value, then.type), null, then.type)


def total(values: Sequence[Any], type_: SqlType = SqlType.INTEGER) -> Any:
    """The sum of some numbers of a type."""
    known = sum(value for value in values if not z3.is_expr(value))
    terms = [value for value in values if z3.is_expr(value)]
    if not terms:
        return known
    return z3.Sum(terms) if known == 0 else z3.Sum([*terms, number(known, type_)])


def counted(truths: Iterable[Truth]) -> Any:
    """How many of some truths hold."""
    return total([chosen(truth, 1, 0, SqlType.INTEGER) for truth in truths])


def null(type_: SqlType) -> SymbolicValue:
    """NULL."""
    return SymbolicValue(default(type_), True, type_)


def default(type_: SqlType) -> Any:
    """A value that nothing reads."""
    return False if type_ is SqlType.BOOLEAN else 0


def truth_of(cell: SymbolicValue) -> Truth:
    """Whether a cell is true, and not NULL."""
    return both(neg(cell.null), cell.value)


def same(left: SymbolicValue, right: SymbolicValue) -> Truth:
    """Null-safe equality."""
    if left is right:
        return True
    values = compared("=", left, right)
    return both(iff(left.null, right.null), disj((left.null, values)))


def same_rows(left: Sequence[SymbolicValue], right: Sequence[SymbolicValue]) -> Truth:
    """Null-safe equality in all columns."""
    return conj(same(*pair) for pair in zip(left, right, strict=True))


def compared(operator: ComparisonOperator, left: SymbolicValue, right: SymbolicValue) -> Truth:
    """The comparison of two values that are not NULL."""
    first, second = left.value, right.value
    if left.type is SqlType.BOOLEAN:
        return _truths_compared(operator, first, second)
    match operator:
        case "=" | "<=>":
            return first == second
        case "<>":
            return first != second
        case "<":
            return first < second
        case "<=":
            return first <= second
        case ">":
            return first > second
        case ">=":
            return first >= second


def _truths_compared(operator: ComparisonOperator, left: Truth, right: Truth) -> Truth:
    match operator:
        case "=" | "<=>":
            return iff(left, right)
        case "<>":
            return neg(iff(left, right))
        case "<":
            return both(neg(left), right)
        case "<=":
            return disj((neg(left), right))
        case ">":
            return both(left, neg(right))
        case ">=":
            return disj((left, neg(right)))
