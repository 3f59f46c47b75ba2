"""Letter simplification ls(ψ, s) (Definition 2.4): a formula in next form, and one letter of a word.

Definition 2.4 has no equation for ¬; negation is simplified like the binary connectives (ERRATA.md, item 9).
Like the printed definition it looks at both sides of each connective; `evaluation` does not.
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
from tallystick.streaming.logic.opening import opened
from tallystick.streaming.logic.terms import value_of
from tallystick.streaming.logic.truth import Truth, negation

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
    """Apply propositional logic to the outermost connective. X ⊤ is ⊤ and X ⊥ is ⊥."""
    match formula:
        case Not(Solved(value)):
            return Solved(negation(value))
        case Next(Solved() as body):
            return body
        case And(left, right):
            return _lattice(left, right, unit=TOP, zero=BOTTOM, formula=formula)
        case Or(left, right):
            return _lattice(left, right, unit=BOTTOM, zero=TOP, formula=formula)
        case Implies(left, right):
            return simplify(Or(simplify(Not(left)), right)) if isinstance(left, Solved) or right == TOP else formula
        case _:
            return formula


def _lattice(left: Formula, right: Formula, *, unit: Solved, zero: Solved, formula: Formula) -> Formula:
    if zero in (left, right):
        return zero
    if left == unit:
        return right
    return left if right == unit or left == right == Solved(Truth.UNKNOWN) else formula
