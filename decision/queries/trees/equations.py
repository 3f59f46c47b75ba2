"""Which terms a formula equates (untrusted): also where the equality of values that may be NULL is spelled out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tallystick.core.operators import Operator
from tallystick.core.terms import Term, conjunction, is_none, ite, none, some, value_of
from tallystick.core.types import OptionType


def equations(formula: Term) -> Iterator[tuple[Term, Term]]:
    """Pairs of terms of one type that are equal where the formula holds."""
    match formula.operator, formula.arguments:
        case Operator.EQUAL, (left, right):
            if left.operator is Operator.TUPLE and right.operator is Operator.TUPLE:
                yield from zip(left.arguments, right.arguments, strict=True)
            else:
                yield left, right
        case Operator.IS_NONE, (term,):
            if isinstance(term.type, OptionType):
                yield term, none(term.type.of)
        case Operator.AND, parts:
            for part in parts:
                yield from equations(part)
        case Operator.OR, (first, second):
            yield from _spelled_out(first, second)
            yield from _spelled_out(second, first)
        case _:
            return


def _spelled_out(null: Term, valued: Term) -> Iterator[tuple[Term, Term]]:
    """a ≐ b as (null ∧ b is NULL) ∨ (¬null ∧ b is not NULL ∧ value = value of b)."""
    nulls = _parts(null)
    for equation in _parts(valued):
        if equation.operator is not Operator.EQUAL:
            continue
        for one, other in (equation.arguments, equation.arguments[::-1]):
            if other.operator is Operator.VALUE and is_none(other.arguments[0]) in nulls:
                option = other.arguments[0]
                rest = [part for part in nulls if part is not is_none(option)]
                yield option, _option(rest, one)


def _option(nulls: list[Term], value: Term) -> Term:
    """The option that is NULL where all of some formulas hold, and else has a value."""
    if len(nulls) == 1 and nulls[0].operator is Operator.IS_NONE and value is value_of(nulls[0].arguments[0]):
        return nulls[0].arguments[0]
    of: Any = value.type
    return ite(conjunction(*nulls), none(of), some(value)) if nulls else some(value)


def _parts(formula: Term) -> tuple[Term, ...]:
    return formula.arguments if formula.operator is Operator.AND else (formula,)
