"""The judgement u, i ⊨ φ : v (paper, section 2.1): the reference that everything else is tested against.

A word is a sequence of timed letters (e, t); positions count from 1 and may lie beyond the end of the word.
Written from the rules alone, without regard to cost: it looks at whole windows again and again.

The printed rule for U gives ⊥ in a case that depends on len(u); see ERRATA.md, item 1, for why that cannot
be meant and what is read instead. In the rule for R the last interval is read as [i, k), item 2.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from tallystick.streaming.logic.formulas import (
    Always,
    And,
    Bind,
    Consume,
    Equals,
    Eventually,
    Formula,
    Implies,
    Next,
    Not,
    Or,
    Predicate,
    Release,
    Solved,
    Until,
)
from tallystick.streaming.logic.opening import opened
from tallystick.streaming.logic.terms import value_of
from tallystick.streaming.logic.truth import Truth, conjunction, disjunction, negation
from tallystick.streaming.logic.variables import timeout_of

Word: TypeAlias = Sequence[tuple[Any, int]]
Valuation: TypeAlias = Callable[[int], Truth]


def judge(word: Word, formula: Formula, position: int = 1) -> Truth:
    """Return the v with u, position ⊨ φ : v. Raises `FormulaError` if the formula is not closed."""
    match formula:
        case Solved(value):
            return value
        case Predicate(symbol, arguments):
            return Truth.of(bool(symbol.interpretation(*map(value_of, arguments))))
        case Equals(left, right):
            return Truth.of(value_of(left) == value_of(right))
        case Not(body):
            return negation(judge(word, body, position))
        case And(left, right):
            return conjunction(judge(word, part, position) for part in (left, right))
        case Or(left, right):
            return disjunction(judge(word, part, position) for part in (left, right))
        case Implies(left, right):
            return disjunction(judge(word, part, position) for part in (Not(left), right))
        case Next(body):
            return judge(word, body, position + 1)
        case Consume() | Bind():
            if position > len(word):
                return Truth.UNKNOWN
            return judge(word, opened(formula, *word[position - 1]), position + 1)
        case Eventually(body, timeout):
            return _eventually(*_window(word, position, timeout_of(timeout), body))
        case Always(body, timeout):
            return _always(*_window(word, position, timeout_of(timeout), body))
        case Until(left, right, timeout):
            return _until(*_window(word, position, timeout_of(timeout), left, right))
        case Release(left, right, timeout):
            return _release(*_window(word, position, timeout_of(timeout), left, right))
        case _:
            raise TypeError(f"not a formula: {formula!r}")


def _window(word: Word, position: int, timeout: int, *formulas: Formula) -> tuple[Any, ...]:
    """Return the positions [i, i + (t − 1)], and each formula's value as a function of the position."""
    values: list[Valuation] = []
    for formula in formulas:
        known = {k: judge(word, formula, k) for k in range(position, position + timeout)}
        values.append(known.__getitem__)
    return (range(position, position + timeout), *values)


def _eventually(window: range, body: Valuation) -> Truth:
    if any(body(k) is Truth.TRUE for k in window):
        return Truth.TRUE
    if all(body(k) is Truth.FALSE for k in window):
        return Truth.FALSE
    return Truth.UNKNOWN


def _always(window: range, body: Valuation) -> Truth:
    if all(body(k) is Truth.TRUE for k in window):
        return Truth.TRUE
    if any(body(k) is Truth.FALSE for k in window):
        return Truth.FALSE
    return Truth.UNKNOWN


def _until(window: range, left: Valuation, right: Valuation) -> Truth:
    def all_before(k: int, values: Valuation, value: Truth) -> bool:
        return all(values(j) is value for j in range(window.start, k))

    if any(right(k) is Truth.TRUE and all_before(k, left, Truth.TRUE) for k in window):
        return Truth.TRUE
    if any(left(k) is Truth.FALSE and all_before(k + 1, right, Truth.FALSE) for k in window):
        return Truth.FALSE
    if all(right(k) is Truth.FALSE for k in window):
        return Truth.FALSE
    return Truth.UNKNOWN


def _release(window: range, left: Valuation, right: Valuation) -> Truth:
    def all_before(k: int, values: Valuation, value: Truth) -> bool:
        return all(values(j) is value for j in range(window.start, k))

    if any(left(k) is Truth.TRUE and all_before(k + 1, right, Truth.TRUE) for k in window):
        return Truth.TRUE
    if all(right(k) is Truth.TRUE for k in window):
        return Truth.TRUE
    if any(right(k) is Truth.FALSE and all_before(k, left, Truth.FALSE) for k in window):
        return Truth.FALSE
    return Truth.UNKNOWN
