"""The opening of a consume operator: its body, with the current letter put in (paper, section 2.1)."""

from __future__ import annotations

from typing import Any

from tallystick.streaming.errors import FormulaError
from tallystick.streaming.logic.formulas import Bind, Consume, Formula, as_formula
from tallystick.streaming.logic.safe_length import safe_word_length
from tallystick.streaming.logic.variables import substitute


def opened(formula: Consume | Bind, letter: Any, time: int) -> Formula:
    """Return φ[x ↦ letter, o ↦ time] for the body φ of a consume operator.

    Raises `FormulaError` when a `Bind` function does not return a formula, or one that needs more letters
    than was declared. When x and o are the same variable, the letter wins: it is substituted first.
    """
    if isinstance(formula, Consume):
        return substitute(formula.body, {formula.time: time, formula.letter: letter})
    body = as_formula(formula.function(letter, time))
    if formula.needs is not None:
        needed = safe_word_length(body)
        if needed > formula.needs:
            raise FormulaError(f"{formula.name} declares needs={formula.needs}, but {body} needs {needed} letters")
    return body
