"""Where Python may raise an exception for a function that a term applies (trusted)."""

from __future__ import annotations

from tallystick.core.functions import FUNCTIONS, RAISE
from tallystick.core.terms import Operator, Term, constant


def may_raise(term: Term) -> bool:
    """Whether Python may raise where it computes the outermost function of a term, as one of which nothing is known."""
    if term.operator not in (Operator.APPLY, Operator.EXPAND):
        return False
    name = str(term.parameter[0])  # type: ignore[index]
    if term.operator is Operator.EXPAND and name.endswith("pieces") and term.arguments[0].operator is Operator.TUPLE:
        return may_be_empty(term.arguments[0].arguments[1])
    return name == RAISE or name not in FUNCTIONS or FUNCTIONS[name].raises


def may_be_empty(separator: Term) -> bool:
    """Whether a text by which another is split is none or may be: Python raises ValueError for an empty one."""
    return separator.operator is not Operator.CONSTANT or separator is constant("")
