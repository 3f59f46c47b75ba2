"""Formulas as text in the paper's notation, with only the parentheses that are needed."""

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
    Timeout,
    Until,
)
from tallystick.streaming.logic.variables import free_variables_of

_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
#: How many operators inside one another are written.
_DEEPEST = 60
_ATOM, _UNARY, _TIMED, _AND, _OR, _IMPLIES, _CONSUME = range(7)


def text_of(formula: Formula) -> str:
    """Return the formula in the paper's notation; a timestamp that is not used is not shown.

    What is nested more deeply than a reader can follow is shown as "…".
    """
    return _write(formula, _DEEPEST)[0]


def _write(formula: Formula, depth: int) -> tuple[str, int]:
    """Return the text and how loosely its outermost operator binds."""
    if depth == 0:
        return "…", _ATOM
    match formula:
        case Solved(value):
            return str(value), _ATOM
        case Predicate(symbol, arguments):
            shown = symbol.name if symbol.is_sentence else f"{symbol}({', '.join(map(str, arguments))})"
            return shown, _ATOM
        case Equals(left, right):
            return f"{left} = {right}", _ATOM
        case Not(body):
            return f"¬{_inside(body, _UNARY, depth)}", _UNARY
        case Next(body):
            times = 1
            while isinstance(body, Next):
                body, times = body.body, times + 1
            power = str(times).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")) if times > 1 else ""
            return f"X{power} {_inside(body, _UNARY, depth)}", _UNARY
        case Eventually(body, timeout):
            return f"◇{_subscript(timeout)} {_inside(body, _UNARY, depth)}", _UNARY
        case Always(body, timeout):
            return f"□{_subscript(timeout)} {_inside(body, _UNARY, depth)}", _UNARY
        case Until(left, right, timeout):
            return f"{_inside(left, _UNARY, depth)} U{_subscript(timeout)} {_inside(right, _UNARY, depth)}", _TIMED
        case Release(left, right, timeout):
            return f"{_inside(left, _UNARY, depth)} R{_subscript(timeout)} {_inside(right, _UNARY, depth)}", _TIMED
        case And(left, right):
            return f"{_inside(left, _AND, depth)} ∧ {_inside(right, _AND, depth)}", _AND
        case Or(left, right):
            return f"{_inside(left, _OR, depth)} ∨ {_inside(right, _OR, depth)}", _OR
        case Implies(left, right):
            return f"{_inside(left, _OR, depth)} → {_inside(right, _OR, depth)}", _IMPLIES
        case Consume():
            return _consume(formula, depth)
        case Bind():
            return formula.name, _ATOM
        case _:
            raise TypeError(f"not a formula: {formula!r}")


def _consume(formula: Consume, depth: int) -> tuple[str, int]:

    body, looseness = _write(formula.body, depth - 1)
    if isinstance(formula.body, Predicate) and formula.body.symbol.is_sentence:
        return f"[{body}]", _ATOM
    time = f"^{formula.time}" if formula.time in free_variables_of(formula.body) else ""
    shown = f"λ{formula.letter}{time}."
    if looseness in (_AND, _OR, _IMPLIES):
        return f"{shown}({body})", _UNARY
    return f"{shown}{body}", _UNARY


def _inside(formula: Formula, at_most: int, depth: int) -> str:
    text, looseness = _write(formula, depth - 1)
    return text if looseness <= at_most else f"({text})"


def _subscript(timeout: Timeout) -> str:
    return str(timeout).translate(_SUBSCRIPTS) if isinstance(timeout, int) else f"[{timeout}]"


# Formulas are written when they are printed; the classes themselves know nothing of the notation.
Formula.__str__ = text_of  # pyright: ignore[reportAttributeAccessIssue]
