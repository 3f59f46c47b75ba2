"""Which terms a formula equates (untrusted): also where the equality of values that may be NULL is spelled out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from weakref import WeakKeyDictionary

from tallystick.core.operators import Operator
from tallystick.core.terms import Term, conjunction, is_none, ite, none, some, value_of
from tallystick.core.types import BoolType, OptionType

PARTS = (Operator.PROJECTION, Operator.ROW, Operator.IS_NONE, Operator.VALUE, Operator.APPLY)
"""What the parts of values that may be NULL are read from, where nothing simpler is known to equal them."""
Pairs = tuple[tuple[Term, Term], ...]
_agreements: WeakKeyDictionary[Term, Pairs] = WeakKeyDictionary()


def agreements(formula: Term) -> Pairs:
    """Parts of values, of which the first of a pair is a simple one, that a disjunction wants to be equal.

    It is enough for the formula that they are; so nobody has to know in which of its branches it holds.
    """
    known = _agreements.get(formula)
    if known is None:
        known = _agreements[formula] = tuple(
            (one, other) if _is_simple(one) else (other, one)
            for left, right in _compared(formula)
            for one, other in _in_parts(left, right)
            if _is_simple(one) or _is_simple(other)
        )
    return known


def _compared(formula: Term) -> Iterator[tuple[Term, Term]]:
    match formula.operator, formula.arguments:
        case Operator.EQUAL, (left, right) if isinstance(left.type, BoolType):
            yield left, right
        case Operator.OR, (first, second):
            yield from equations(formula)
            for one, other in ((first, second), (second, first)):
                if one.operator is Operator.IS_NONE and other.operator is Operator.EQUAL:
                    yield other.arguments[0], other.arguments[1]
        case _:
            return


def _in_parts(left: Term, right: Term) -> Pairs:
    if isinstance(left.type, OptionType):
        return (is_none(left), is_none(right)), (value_of(left), value_of(right))
    return ((left, right),)


def _is_simple(term: Term) -> bool:
    while term.operator in PARTS[:4] and term.arguments:
        term = term.arguments[0]
    return term.operator in PARTS


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
