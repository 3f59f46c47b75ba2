"""Formulas as text in the paper's notation, with only the parentheses that are needed."""

from __future__ import annotations

from typing import Any

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

_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_ATOM, _UNARY, _TIMED, _AND, _OR, _IMPLIES, _CONSUME = range(7)


def text_of(formula: Any) -> str:
    """Return the formula in the paper's notation; a timestamp that is not used is not shown."""
    return _write(formula)[0]


def _write(formula: Formula) -> tuple[str, int]:
    """Return the text and how loosely its outermost operator binds."""
    match formula:
        case Solved(value):
            return str(value), _ATOM
        case Predicate(symbol, arguments):
            shown = symbol.name if symbol.is_sentence else f"{symbol}({', '.join(map(str, arguments))})"
            return shown, _ATOM
        case Equals(left, right):
            return f"{left} = {right}", _ATOM
        case Not(body):
            return f"¬{_inside(body, _UNARY)}", _UNARY
        case Next(body):
            times = 1
            while isinstance(body, Next):
                body, times = body.body, times + 1
            power = str(times).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")) if times > 1 else ""
            return f"X{power} {_inside(body, _UNARY)}", _UNARY
        case Eventually(body, timeout):
            return f"◇{_subscript(timeout)} {_inside(body, _UNARY)}", _UNARY
        case Always(body, timeout):
            return f"□{_subscript(timeout)} {_inside(body, _UNARY)}", _UNARY
        case Until(left, right, timeout):
            return f"{_inside(left, _UNARY)} U{_subscript(timeout)} {_inside(right, _UNARY)}", _TIMED
        case Release(left, right, timeout):
            return f"{_inside(left, _UNARY)} R{_subscript(timeout)} {_inside(right, _UNARY)}", _TIMED
        case And(left, right):
            return f"{_inside(left, _AND)} ∧ {_inside(right, _AND)}", _AND
        case Or(left, right):
            return f"{_inside(left, _OR)} ∨ {_inside(right, _OR)}", _OR
        case Implies(left, right):
            return f"{_inside(left, _OR)} → {_inside(right, _OR)}", _IMPLIES
        case Consume():
            return _consume(formula)
        case Bind():
            return formula.name, _ATOM
        case _:
            raise TypeError(f"not a formula: {formula!r}")


def _consume(formula: Consume) -> tuple[str, int]:
    from tallystick.streaming.logic.variables import free_variables_of

    body, looseness = _write(formula.body)
    if isinstance(formula.body, Predicate) and formula.body.symbol.is_sentence:
        return f"[{body}]", _ATOM
    time = f"^{formula.time}" if formula.time in free_variables_of(formula.body) else ""
    shown = f"λ{formula.letter}{time}."
    if looseness in (_AND, _OR, _IMPLIES):
        return f"{shown}({body})", _UNARY
    return f"{shown}{body}", _UNARY


def _inside(formula: Formula, at_most: int) -> str:
    text, looseness = _write(formula)
    return text if looseness <= at_most else f"({text})"


def _subscript(timeout: Timeout) -> str:
    return str(timeout).translate(_SUBSCRIPTS) if isinstance(timeout, int) else f"[{timeout}]"
