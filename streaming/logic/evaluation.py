"""The evaluation of a formula letter by letter, as lazily as section 2.2 allows.

What is left of a formula after some letters is kept small: it is a conjunction or a disjunction without repetitions,
in which of two timed operators over the same operands only the stronger one stands (◇₂ φ ∧ ◇₅ φ is ◇₂ φ). So
□₁₀₀₀ ◇₁₀₀₀ φ needs about the same time for each letter. A connective is decided by its left operand if it can be;
then the predicates in the right one are not asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tallystick.streaming.logic.formulas import (
    BOTTOM,
    TOP,
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
from tallystick.streaming.logic.traversal import balanced, flattened, fold, outside_of_binders
from tallystick.streaming.logic.truth import Truth, conjunction, disjunction, negation
from tallystick.streaming.logic.variables import timeout_of

Step = Callable[[Formula], Formula]


class Evaluation:
    """The stepwise evaluation of a closed formula: give it letters until `verdict` is definite.

    `formula` is what the formula has become: what must hold from the next letter on.
    """

    def __init__(self, formula: Formula) -> None:
        self.formula = settled(formula)

    @property
    def verdict(self) -> Truth:
        """⊤ or ⊥ once the formula is solved, ? before."""
        return self.formula.value if isinstance(self.formula, Solved) else Truth.UNKNOWN

    def consume(self, letter: Any, time: int) -> Truth:
        """Consume one letter and return the verdict so far. A solved formula stays as it is."""
        self.formula = advance(self.formula, (letter, time))
        return self.verdict

    def finish(self) -> Truth:
        """Return the truth value if the word ends here; the evaluation itself is not changed."""
        return value_at_the_end(self.formula)


def evaluate(word: Any, formula: Formula) -> Truth:
    """Evaluate a closed formula on a whole word of timed letters, stepwise; stop as soon as it is decided."""
    evaluation = Evaluation(formula)
    for letter, time in word:
        if evaluation.consume(letter, time).is_definite:
            return evaluation.verdict
    return evaluation.finish()


def value_at_the_end(formula: Formula) -> Truth:
    """Return v with ε ⊨ φ : v. All positions after the end are alike, so a window is decided by any of them."""
    return fold(formula, _value_at_the_end, outside_of_binders)


def _value_at_the_end(formula: Formula, operands: Sequence[Truth]) -> Truth:
    match formula:
        case Solved(value):
            return value
        case Predicate() | Equals():
            return Truth.of(_atom_holds(formula))
        case Consume() | Bind():
            return Truth.UNKNOWN
        case Next():
            return operands[0]
        case Not():
            return negation(operands[0])
        case And():
            return conjunction(operands)
        case Or():
            return disjunction(operands)
        case Implies():
            return disjunction((negation(operands[0]), operands[1]))
        case Eventually(_, timeout) | Until(_, _, timeout):
            return operands[-1] if timeout_of(timeout) else Truth.FALSE
        case Always(_, timeout) | Release(_, _, timeout):
            return operands[-1] if timeout_of(timeout) else Truth.TRUE
        case _:
            raise TypeError(f"not a formula: {formula!r}")


def settled(formula: Formula) -> Formula:
    """Return the formula simplified as far as it can be without a letter."""
    match formula:
        case Solved() | Consume() | Bind():
            return formula
        case Next(body):
            return body if isinstance(body, Solved) else formula
        case Eventually(_, timeout) | Always(_, timeout) | Until(_, _, timeout) | Release(_, _, timeout):
            return _settled_window(formula, timeout_of(timeout))
        case _:
            return _connective(formula, settled)


def advance(formula: Formula, letter: tuple[Any, int]) -> Formula:
    """Return what the formula has become after one letter, simplified."""
    match formula:
        case Solved():
            return formula
        case Next(body):
            return settled(body)
        case Consume() | Bind():
            return settled(opened(formula, *letter))
        case Eventually(_, timeout) | Always(_, timeout) | Until(_, _, timeout) | Release(_, _, timeout):
            return _advanced_window(formula, timeout_of(timeout), lambda part: advance(part, letter))
        case _:
            return _connective(formula, lambda part: advance(part, letter))


def _connective(formula: Formula, step: Step) -> Formula:
    """Apply a step to the operands of a connective, from left to right, as long as they do not decide it."""
    match formula:
        case Predicate() | Equals():
            return TOP if _atom_holds(formula) else BOTTOM
        case Not(body):
            return _negated(step(body))
        case And() | Or():
            return _joined(type(formula), map(step, flattened(type(formula), formula)))
        case Implies(left, right):
            premise = step(left)
            if premise == BOTTOM:
                return TOP
            conclusion = step(right)
            if isinstance(premise, Solved) or conclusion in (TOP, BOTTOM):
                return _joined(Or, (_negated(premise), conclusion))
            return Implies(premise, conclusion)
        case _:
            raise TypeError(f"not a formula: {formula!r}")


def _settled_window(formula: Eventually | Always | Until | Release, timeout: int) -> Formula:
    """Simplify a timed operator if what it says of the current state needs no letter."""
    match formula:
        case Eventually(body, _) if timeout and settled(body) == BOTTOM and timeout > 1:
            return Next(Eventually(body, timeout - 1))
        case Always(body, _) if timeout and settled(body) == TOP and timeout > 1:
            return Next(Always(body, timeout - 1))
        case Eventually(body, _) | Until(_, body, _):
            now = settled(body) if timeout else BOTTOM
            return now if timeout < 2 or now == TOP else _with_timeout(formula, timeout)
        case Always(body, _) | Release(_, body, _):
            now = settled(body) if timeout else TOP
            return now if timeout < 2 or now == BOTTOM else _with_timeout(formula, timeout)


def _advanced_window(formula: Eventually | Always | Until | Release, timeout: int, step: Step) -> Formula:
    """Unfold one state of a timed operator (Definition 2.3), apply a step to it, and keep the rest."""
    is_strong = isinstance(formula, Eventually | Until)
    outer: type[And] | type[Or] = Or if is_strong else And
    inner: type[And] | type[Or] = And if is_strong else Or
    if timeout == 0:
        return _zero(inner)
    now = step(formula.body if isinstance(formula, Eventually | Always) else formula.right)
    if now == _zero(outer) or timeout == 1:
        return now
    rest = settled(_with_timeout(formula, timeout - 1))
    if isinstance(formula, Until | Release):
        left = step(formula.left)
        rest = _joined(inner, (left, rest))
    return _joined(outer, (now, rest))


def _with_timeout(formula: Eventually | Always | Until | Release, timeout: int) -> Formula:
    if formula.timeout == timeout:
        return formula
    if isinstance(formula, Eventually | Always):
        return type(formula)(formula.body, timeout)
    return type(formula)(formula.left, formula.right, timeout)


def _joined(kind: type[And] | type[Or], parts: Iterable[Formula]) -> Formula:
    """Return the conjunction or disjunction of the parts, which are asked for one by one until it is decided."""
    zero, unit = _zero(kind), _zero(Or if kind is And else And)
    kept: dict[tuple[Any, ...], Formula] = {}
    for part in parts:
        for each in flattened(kind, part):
            if isinstance(each, Solved) and each.value.is_definite:
                if each.value is zero.value:
                    return zero
                continue
            key = _operator_and_operands(each)
            kept[key] = _stronger(kind, kept[key], each) if key in kept else each
    return balanced(kind, list(kept.values())) if kept else unit


def _operator_and_operands(formula: Formula) -> tuple[Any, ...]:
    """A key that two formulas share only if they are the same, or differ in nothing but their timeouts."""
    match formula:
        case Eventually(body, int()) | Always(body, int()):
            return type(formula), id(body)
        case Until(left, right, int()) | Release(left, right, int()):
            return type(formula), id(left), id(right)
        case Next(Eventually(body, int()) | Always(body, int()) as window):
            return Next, type(window), id(body)
        case _:
            return (id(formula),)


def _stronger(kind: type[And] | type[Or], first: Formula, second: Formula) -> Formula:
    """Of two timed operators that differ in their timeouts, the one that implies the other, or for ∨ the other.

    ◇ₜ and Uₜ grow with t, in the order ⊥ ≤ ? ≤ ⊤, and □ₜ and Rₜ shrink.
    """
    if first is second:
        return first
    if isinstance(first, Next) and isinstance(second, Next):
        return Next(_stronger(kind, first.body, second.body))
    if isinstance(first, Eventually | Until) and isinstance(second, Eventually | Until):
        shorter, longer = sorted((first, second), key=lambda window: timeout_of(window.timeout))
        return shorter if kind is And else longer
    if isinstance(first, Always | Release) and isinstance(second, Always | Release):
        shorter, longer = sorted((first, second), key=lambda window: timeout_of(window.timeout))
        return longer if kind is And else shorter
    raise TypeError(f"these differ in more than their timeouts: {first} and {second}")


def _zero(kind: type[And] | type[Or]) -> Solved:
    return BOTTOM if kind is And else TOP


def _negated(formula: Formula) -> Formula:
    return Solved(negation(formula.value)) if isinstance(formula, Solved) else Not(formula)


def _atom_holds(formula: Predicate | Equals) -> bool:
    if isinstance(formula, Equals):
        return value_of(formula.left) == value_of(formula.right)
    return bool(formula.symbol.interpretation(*map(value_of, formula.arguments)))
