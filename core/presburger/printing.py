"""Presburger formulas as text (which syntax.py reads back) and as LaTeX."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tallystick.core.presburger.conversion import sides
from tallystick.core.presburger.formulas import (
    And,
    Atom,
    Exists,
    Forall,
    Formula,
    Iff,
    Implies,
    Not,
    Or,
    Relation,
)
from tallystick.core.presburger.linear import Linear


@dataclass(frozen=True, slots=True)
class Notation:
    """How connectives, quantifiers, relations and products are written."""

    conjunction: str
    disjunction: str
    negation: str
    implication: str
    equivalence: str
    exists: str
    forall: str
    true: str
    false: str
    times: str
    at_most: str
    differs: str
    divides: str
    latex: bool


TEXT = Notation(
    " and ",
    " or ",
    "not ",
    " => ",
    " <=> ",
    "exists ",
    "forall ",
    "true",
    "false",
    "*",
    "<=",
    "!=",
    " | ",
    False,
)
LATEX = Notation(
    r" \wedge ", r" \vee ", r"\neg ", r" \Rightarrow ", r" \Leftrightarrow ", r"\exists ", r"\forall ",
    r"\top", r"\bot", r"\,", r"\leq", r"\neq", r" \mid ", True,
)  # fmt: skip
NOTATIONS = {"text": TEXT, "latex": LATEX}


def show(formula: Formula, notation: Notation = TEXT) -> str:
    """The formula in a notation, with as few parentheses as its grammar allows."""
    return _show(formula, notation, 0)


def _show(formula: Formula, notation: Notation, level: int) -> str:
    """The formula where connectives of a level below `level` need parentheses: 0 ⇔, 1 ⇒, 2 ∨, 3 ∧, 4 ¬."""
    match formula:
        case Atom():
            return _atom(formula, notation, level)
        case And(()):
            return notation.true
        case Or(()):
            return notation.false
        case And(parts):
            return _joined(parts, notation.conjunction, notation, level, 3)
        case Or(parts):
            return _joined(parts, notation.disjunction, notation, level, 2)
        case Not(Atom(Relation.DIVIDES) as part):
            return f"{notation.negation}({_show(part, notation, 0)})"
        case Not(part):
            return notation.negation + _show(part, notation, 4)
        case Implies(premise, conclusion):
            sides_ = _show(premise, notation, 2) + notation.implication + _show(conclusion, notation, 1)
            return f"({sides_})" if level > 1 else sides_
        case Iff(left, right):
            sides_ = _show(left, notation, 1) + notation.equivalence + _show(right, notation, 1)
            return f"({sides_})" if level > 0 else sides_
        case Exists(names, body) | Forall(names, body):
            word = notation.exists if isinstance(formula, Exists) else notation.forall
            shown = f"{word}{', '.join(_name(name, notation) for name in names)}. {_show(body, notation, 0)}"
            return f"({shown})" if level > 0 else shown


def _joined(parts: Sequence[Formula], connective: str, notation: Notation, level: int, own: int) -> str:
    shown = connective.join(_show(part, notation, own + 1) for part in parts)
    return f"({shown})" if level > own else shown


def _atom(atom: Atom, notation: Notation, level: int) -> str:
    relation, term, divisor = atom
    if relation in (Relation.DIVIDES, Relation.INDIVISIBLE):
        shown = f"{divisor}{notation.divides}{show_linear(term, notation)}"
        return shown if relation is Relation.DIVIDES else f"{notation.negation}({shown})"
    left, right = sides(term)
    if not left.coefficients and right.coefficients and relation is not Relation.AT_MOST:
        left, right = right, left
    signs = {Relation.AT_MOST: notation.at_most, Relation.EQUAL: "=", Relation.DIFFERS: notation.differs}
    return f"{show_linear(left, notation)} {signs[relation]} {show_linear(right, notation)}"


def show_linear(term: Linear, notation: Notation = TEXT) -> str:
    """A linear term in a notation."""
    shown = ""
    for name, factor in term.coefficients:
        product = _name(name, notation)
        if abs(factor) != 1:
            product = f"{abs(factor)}{notation.times}{product}"
        sign = ("-" if factor < 0 else "") if not shown else (" - " if factor < 0 else " + ")
        shown += sign + product
    if not shown:
        return str(term.constant)
    if term.constant:
        shown += f" {'-' if term.constant < 0 else '+'} {abs(term.constant)}"
    return shown


def _name(name: str, notation: Notation) -> str:
    if notation.latex and len(name) > 1:
        return "\\mathit{" + name.replace("_", "\\_") + "}"
    return name
