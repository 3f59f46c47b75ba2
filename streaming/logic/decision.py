"""The decision procedure u ⊨ φ ⤳* v (paper, section 2.1, rules 1 to 8): rewriting along the word.

Five of the printed rules contradict the judgement; ERRATA.md, items 3 to 6, gives the witnesses. Read here:

* a timeout of 0 is decided before the empty word is looked at (5.2, 6.2, 7.2, 8.2 before 5.1, 6.1, 7.1, 8.1);
* ε ⊨ φ₁ Rₜ φ₂ ⤳ ε ⊨ φ₂, not φ₁ (8.1);
* where φ is ? at the current letter the rules 5.4, 6.4, 7.5 and 8.5 go on, and the value so far is kept.
"""

from __future__ import annotations

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
from tallystick.streaming.logic.judgement import Word
from tallystick.streaming.logic.opening import opened
from tallystick.streaming.logic.terms import value_of
from tallystick.streaming.logic.truth import Truth, conjunction, disjunction, negation
from tallystick.streaming.logic.variables import timeout_of


def decide(word: Word, formula: Formula) -> Truth:
    """Return the v with word ⊨ formula ⤳* v. Raises `FormulaError` if the formula is not closed."""
    match formula:
        case Solved(value):
            return value
        case Predicate(symbol, arguments):
            return Truth.of(bool(symbol.interpretation(*map(value_of, arguments))))
        case Equals(left, right):
            return Truth.of(value_of(left) == value_of(right))
        case Not(body):
            return negation(decide(word, body))
        case And(left, right):
            return conjunction(decide(word, part) for part in (left, right))
        case Or(left, right):
            return disjunction(decide(word, part) for part in (left, right))
        case Implies(left, right):
            return disjunction(decide(word, part) for part in (Not(left), right))
        case Consume() | Bind():
            return decide(word[1:], opened(formula, *word[0])) if word else Truth.UNKNOWN
        case Next(body):
            return decide(word[1:], body)
        case Eventually(body, timeout):
            return _eventually(word, body, timeout_of(timeout))
        case Always(body, timeout):
            return negation(_eventually(word, Not(body), timeout_of(timeout)))
        case Until(left, right, timeout):
            return _until(word, left, right, timeout_of(timeout))
        case Release(left, right, timeout):
            return _release(word, left, right, timeout_of(timeout))
        case _:
            raise TypeError(f"not a formula: {formula!r}")


def _eventually(word: Word, body: Formula, timeout: int) -> Truth:
    if timeout == 0:
        return Truth.FALSE
    now = decide(word, body)
    if not word or now is Truth.TRUE:
        return now
    return disjunction((now, _eventually(word[1:], body, timeout - 1)))


def _until(word: Word, left: Formula, right: Formula, timeout: int) -> Truth:
    if timeout == 0:
        return Truth.FALSE
    right_now = decide(word, right)
    if not word or right_now is Truth.TRUE:
        return right_now
    left_now = decide(word, left)
    if left_now is Truth.FALSE:
        return right_now
    return disjunction((right_now, conjunction((left_now, _until(word[1:], left, right, timeout - 1)))))


def _release(word: Word, left: Formula, right: Formula, timeout: int) -> Truth:
    if timeout == 0:
        return Truth.TRUE
    right_now = decide(word, right)
    if not word or right_now is Truth.FALSE:
        return right_now
    left_now = decide(word, left)
    if left_now is Truth.TRUE:
        return right_now
    return conjunction((right_now, disjunction((left_now, _release(word[1:], left, right, timeout - 1)))))
