"""Letter simplification ls(ψ, s) (Definition 2.4) and the evaluation of a formula letter by letter.

Definition 2.4 has no equation for ¬; negation is simplified like the binary connectives (ERRATA.md, item 9).
"""

from __future__ import annotations

from typing import Any, Final

from tallystick.streaming.errors import FormulaError
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
from tallystick.streaming.logic.next_form import lazy_next_form
from tallystick.streaming.logic.terms import value_of
from tallystick.streaming.logic.truth import Truth, negation
from tallystick.streaming.logic.variables import opened

EMPTY_LETTER: Final = None


def letter_simplification(formula: Formula, letter: tuple[Any, int] | None) -> Formula:
    """Return ls(ψ, s) for a timed letter s, or for the empty letter ∅ (`EMPTY_LETTER`), simplified.

    Input: a formula in next form; below X and λ it may be any formula (the lazy strategy of section 2.2).
    With the empty letter the result is solved. Raises `FormulaError` when a timed operator stands outside X
    and λ.
    """
    match formula:
        case Solved():
            return formula
        case Predicate(symbol, arguments):
            return TOP if symbol.interpretation(*map(value_of, arguments)) else BOTTOM
        case Equals(left, right):
            return TOP if value_of(left) == value_of(right) else BOTTOM
        case Not(body):
            return simplify(Not(letter_simplification(body, letter)))
        case And(left, right) | Or(left, right) | Implies(left, right):
            new_left = letter_simplification(left, letter)
            return simplify(type(formula)(new_left, letter_simplification(right, letter)))
        case Next(body):
            return body if letter is not None else letter_simplification(lazy_next_form(body), letter)
        case Consume() | Bind():
            return opened(formula, *letter) if letter is not None else Solved(Truth.UNKNOWN)
        case Eventually() | Always() | Until() | Release():
            raise FormulaError(f"{formula} is not in next form: transform it first")
        case _:
            raise TypeError(f"not a formula: {formula!r}")


def simplify(formula: Formula) -> Formula:
    """Apply propositional logic to the outermost connective, and evaluate an atom. X ⊤ is ⊤ and X ⊥ is ⊥."""
    match formula:
        case Predicate() | Equals():
            return letter_simplification(formula, EMPTY_LETTER)
        case Not(Solved(value)):
            return Solved(negation(value))
        case Next(Solved() as body):
            return body
        case And(left, right):
            return _lattice(left, right, unit=TOP, zero=BOTTOM, formula=formula)
        case Or(left, right):
            return _lattice(left, right, unit=BOTTOM, zero=TOP, formula=formula)
        case Implies(left, right):
            if left == BOTTOM or right == TOP:
                return TOP
            if isinstance(left, Solved):
                return simplify(Or(Solved(negation(left.value)), right))
            return Not(left) if right == BOTTOM else formula
        case _:
            return formula


def _lattice(left: Formula, right: Formula, *, unit: Solved, zero: Solved, formula: Formula) -> Formula:
    for operand in (left, right):
        if isinstance(operand, Solved) and operand.value is zero.value:
            return zero
    if isinstance(left, Solved) and isinstance(right, Solved):
        return right if left.value is unit.value else left
    if isinstance(left, Solved) and left.value is unit.value:
        return right
    if isinstance(right, Solved) and right.value is unit.value:
        return left
    return formula


def advance(formula: Formula, letter: tuple[Any, int]) -> Formula:
    """Consume one letter of a formula in lazy next form; the result is in lazy next form and simplified."""
    return _settled(letter_simplification(formula, letter))


def _settled(formula: Formula) -> Formula:
    """Return the lazy next form with its atoms evaluated and propositional logic applied throughout."""
    match formula:
        case Predicate() | Equals() | Next():
            return simplify(formula)
        case Not(body):
            return simplify(Not(_settled(body)))
        case And(left, right) | Or(left, right) | Implies(left, right):
            return simplify(type(formula)(_settled(left), _settled(right)))
        case Eventually() | Always() | Until() | Release():
            return _settled(lazy_next_form(formula))
        case _:
            return formula


class Evaluation:
    """The stepwise evaluation of a closed formula: give it letters until `verdict` is definite.

    `formula` is what the formula has become: what must hold from the next letter on.
    """

    def __init__(self, formula: Formula) -> None:
        self.formula = _settled(formula)

    @property
    def verdict(self) -> Truth:
        """⊤ or ⊥ once the formula is solved, ? before."""
        return self.formula.value if isinstance(self.formula, Solved) else Truth.UNKNOWN

    def consume(self, letter: Any, time: int) -> Truth:
        """Consume one letter and return the verdict so far. A solved formula stays as it is."""
        if not isinstance(self.formula, Solved):
            self.formula = advance(self.formula, (letter, time))
        return self.verdict

    def finish(self) -> Truth:
        """Return the truth value if the word ends here; the evaluation itself is not changed."""
        end = letter_simplification(self.formula, EMPTY_LETTER)
        assert isinstance(end, Solved)
        return end.value


def evaluate(word: Any, formula: Formula) -> Truth:
    """Evaluate a closed formula on a whole word of timed letters, stepwise; stop as soon as it is decided."""
    evaluation = Evaluation(formula)
    for letter, time in word:
        if evaluation.consume(letter, time).is_definite:
            return evaluation.verdict
    return evaluation.finish()
