"""The safe word length swl(φ) (Definition 2.5): on a word of at least this length the verdict is ⊤ or ⊥.

A sufficient length, not a necessary one. An operator with timeout 0 needs no letter at all.

>>> from tallystick.streaming.logic.formulas import Consume, Equals
>>> from tallystick.streaming.logic.terms import Constant, Variable
>>> is_a = Consume("x", "o", Equals(Variable("x"), Constant("a")))
>>> safe_word_length(Always(Implies(is_a, Next(is_a)), 3))
4
"""

from __future__ import annotations

from collections.abc import Sequence

from tallystick.streaming.errors import NoSafeWordLengthError
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
    Timeout,
    Until,
)
from tallystick.streaming.logic.terms import free_variables
from tallystick.streaming.logic.traversal import fold
from tallystick.streaming.logic.variables import timeout_of


def safe_word_length(formula: Formula) -> int:
    """Return swl(φ).

    Raises `NoSafeWordLengthError` when a timeout has a variable, or a `Bind` does not declare what its body
    needs.
    """
    return fold(formula, _length)


def _length(formula: Formula, of_operands: Sequence[int]) -> int:
    longest = max(of_operands, default=0)
    match formula:
        case Solved() | Predicate() | Equals() | Not() | And() | Or() | Implies():
            return longest
        case Next() | Consume():
            return longest + 1
        case Bind(_, needs):
            if needs is None:
                raise NoSafeWordLengthError(formula)
            return needs + 1
        case Eventually(_, timeout) | Always(_, timeout) | Until(_, _, timeout) | Release(_, _, timeout):
            return _in_window(formula, timeout, longest)
        case _:
            raise TypeError(f"not a formula: {formula!r}")


def _in_window(formula: Formula, timeout: Timeout, length: int) -> int:
    if not isinstance(timeout, int) and free_variables(timeout):
        raise NoSafeWordLengthError(formula)
    states = timeout_of(timeout)
    return length + states - 1 if states else 0
