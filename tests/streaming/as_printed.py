"""The definitions of the paper that contradict the judgement, exactly as printed, for the witnesses of
ERRATA.md."""

from __future__ import annotations

from tallystick.streaming.logic.formulas import (
    Always,
    And,
    Bind,
    Consume,
    Equals,
    Eventually,
    Formula,
    Next,
    Not,
    Or,
    Predicate,
    Release,
    Solved,
    Until,
)
from tallystick.streaming.logic.judgement import Word, judge
from tallystick.streaming.logic.next_form import recursive_next_form
from tallystick.streaming.logic.opening import opened
from tallystick.streaming.logic.truth import Truth, negation
from tallystick.streaming.logic.variables import timeout_of


def judge_until(word: Word, formula: Until, position: int = 1) -> Truth:
    """The four lines for U, with `min(i + (t - 1), len(u))` in the third."""
    window = range(position, position + timeout_of(formula.timeout))
    left = {k: judge(word, formula.left, k) for k in window}
    right = {k: judge(word, formula.right, k) for k in window}
    for k in window:
        if right[k] is Truth.TRUE and all(left[j] is Truth.TRUE for j in range(position, k)):
            return Truth.TRUE
    for k in window:
        if left[k] is Truth.FALSE and all(right[j] is Truth.FALSE for j in range(position, k + 1)):
            return Truth.FALSE
    last = min(position + timeout_of(formula.timeout) - 1, len(word))
    left_holds = all(left[k] is Truth.TRUE for k in window)
    if left_holds and all(right[k] is Truth.FALSE for k in range(position, last + 1)):
        return Truth.FALSE
    return Truth.UNKNOWN


def judge_release(word: Word, formula: Release, position: int = 1) -> Truth:
    """The four lines for R, with the closed interval [i, k] in the third."""
    window = range(position, position + timeout_of(formula.timeout))
    left = {k: judge(word, formula.left, k) for k in window}
    right = {k: judge(word, formula.right, k) for k in window}
    for k in window:
        if left[k] is Truth.TRUE and all(right[j] is Truth.TRUE for j in range(position, k + 1)):
            return Truth.TRUE
    if all(right[k] is Truth.TRUE for k in window):
        return Truth.TRUE
    for k in window:
        if right[k] is Truth.FALSE and all(left[j] is Truth.FALSE for j in range(position, k + 1)):
            return Truth.FALSE
    return Truth.UNKNOWN


def next_form_of_release(formula: Release) -> Formula:
    """Definition 2.3 for R, with nt(φ₁ R₁ φ₂) = nt(φ₁) ∧ nt(φ₂)."""
    left, right = recursive_next_form(formula.left), recursive_next_form(formula.right)
    timeout = timeout_of(formula.timeout)
    if timeout == 1:
        return And(left, right)
    rest = next_form_of_release(Release(formula.left, formula.right, timeout - 1))
    return Or(And(left, right), And(right, Next(rest)))


def decide(word: Word, formula: Formula) -> Truth:
    """Rules 1 to 8, the first that fits in the printed order; ? when none does."""
    match formula:
        case Solved() | Predicate() | Equals():
            return judge(word, formula)
        case Not(body):
            return negation(decide(word, body))
        case Consume() | Bind():
            return decide(word[1:], opened(formula, *word[0])) if word else Truth.UNKNOWN
        case Next(body):
            return decide(word[1:], body)
        case Eventually(body, timeout):
            return _one(word, formula, body, timeout_of(timeout), Truth.FALSE)
        case Always(body, timeout):
            return _one(word, formula, body, timeout_of(timeout), Truth.TRUE)
        case Until(left, right, timeout):
            return _until(word, left, right, timeout_of(timeout))
        case Release(left, right, timeout):
            return _release(word, left, right, timeout_of(timeout))
        case And(left, right):
            return min(decide(word, left), decide(word, right), key=lambda v: v.value)
        case Or(left, right):
            return max(decide(word, left), decide(word, right), key=lambda v: v.value)
        case _:
            raise TypeError(f"not a formula: {formula!r}")


def _one(word: Word, formula: Eventually | Always, body: Formula, timeout: int, expired: Truth) -> Truth:
    """Rules 5 (expired = ⊥) and 6 (expired = ⊤)."""
    if not word:
        return decide(word, body)
    if timeout == 0:
        return expired
    now = decide(word, body)
    if now is negation(expired):
        return now
    if now is expired:
        return _one(word[1:], formula, body, timeout - 1, expired)
    return Truth.UNKNOWN


def _until(word: Word, left: Formula, right: Formula, timeout: int) -> Truth:
    if not word:
        return decide(word, right)
    if timeout == 0:
        return Truth.FALSE
    left_now, right_now = decide(word, left), decide(word, right)
    if right_now is Truth.TRUE:
        return Truth.TRUE
    if (left_now, right_now) == (Truth.FALSE, Truth.FALSE):
        return Truth.FALSE
    if (left_now, right_now) == (Truth.TRUE, Truth.FALSE):
        return _until(word[1:], left, right, timeout - 1)
    return Truth.UNKNOWN


def _release(word: Word, left: Formula, right: Formula, timeout: int) -> Truth:
    if not word:
        return decide(word, left)
    if timeout == 0:
        return Truth.TRUE
    left_now, right_now = decide(word, left), decide(word, right)
    if (left_now, right_now) == (Truth.TRUE, Truth.TRUE):
        return Truth.TRUE
    if right_now is Truth.FALSE:
        return Truth.FALSE
    if (left_now, right_now) == (Truth.FALSE, Truth.TRUE):
        return _release(word[1:], left, right, timeout - 1)
    return Truth.UNKNOWN
