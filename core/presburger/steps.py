"""Quantifier elimination step by step, as a textbook does it: one unknown after the other, innermost first.

This is Cooper's algorithm in full (cooper.py), each quantifier with its δ, its bounds and its test points.
What `eliminate` (lift.py) does instead is quicker and shorter, but not a thing to follow with pencil and
paper.
"""

from __future__ import annotations

from tallystick.core.presburger.cooper import Elimination, cooper
from tallystick.core.presburger.formulas import (
    And,
    Atom,
    Exists,
    Forall,
    Formula,
    Or,
    conjunction,
    disjunction,
    free_names,
    nnf,
    normal_form,
)
from tallystick.core.presburger.lift import simplify
from tallystick.core.presburger.limits import DEFAULT_LIMITS, Limits
from tallystick.core.presburger.linear import unknown
from tallystick.core.presburger.printing import LATEX, TEXT, Notation, show, show_linear

SHOWN_POINTS = 12
"""How many test points and instances a step lists before it says how many more there are."""


def eliminate_in_steps(
    formula: Formula, notation: Notation = TEXT, limits: Limits = DEFAULT_LIMITS
) -> tuple[list[str], Formula]:
    """The lines of the derivation, and the quantifier-free result; raises LimitError."""
    lines: list[str] = []
    result = _eliminate(normal_form(formula, limits), notation, limits, lines)
    return lines, simplify(result, limits)


def _eliminate(formula: Formula, notation: Notation, limits: Limits, lines: list[str]) -> Formula:
    match formula:
        case Atom():
            return formula
        case And(parts):
            return conjunction(_eliminate(part, notation, limits, lines) for part in parts)
        case Or(parts):
            return disjunction(_eliminate(part, notation, limits, lines) for part in parts)
        case Exists(names, body) | Forall(names, body):
            universal = isinstance(formula, Forall)
            current = _eliminate(body, notation, limits, lines)
            for name in reversed(names):
                current = _step(name, current, universal, notation, limits, lines)
            return current
        case _:
            raise ValueError("expected a formula in negation normal form")


def _step(name: str, body: Formula, universal: bool, notation: Notation, limits: Limits, lines: list[str]) -> Formula:
    quantified = (Forall if universal else Exists)((name,), body)
    lines.append(f"Eliminate {_math(show(quantified, notation), notation)}")
    if name not in free_names(body):
        lines.append(f"  {_math(name, notation)} does not occur: {_math(show(body, notation), notation)}")
        return body
    if universal:
        body = nnf(body, positive=False)
        negated = show(Exists((name,), body), notation)
        lines.append(f"  Its negation is {_math(negated, notation)}")
    elimination = cooper(name, body)
    lines.extend(f"  {line}" for line in _describe(elimination, notation))
    result = simplify(elimination.result(limits), limits)
    if universal:
        result = simplify(nnf(result, positive=False), limits)
        lines.append(f"  Negated again and simplified: {_math(show(result, notation), notation)}")
    else:
        lines.append(f"  Simplified: {_math(show(result, notation), notation)}")
    return result


def _describe(elimination: Elimination, notation: Notation) -> list[str]:
    name, below = elimination.name, elimination.from_below
    lines: list[str] = []
    if elimination.factor > 1:
        whole = show_linear(unknown(name, elimination.factor), notation)
        unified = show(elimination.unified, notation)
        lines.append(f"Write {_math(name, notation)} for {_math(whole, notation)}: {_math(unified, notation)}")
    delta = r"\delta" if notation is LATEX else "delta"
    lines.append(f"Period of the divisibilities: {_math(f'{delta} = {elimination.delta}', notation)}")
    bounds = ", ".join(show_linear(bound, notation) for bound in elimination.boundary)
    bracket = (r"\{", r"\}") if notation is LATEX else ("{", "}")
    found = f"{'B' if below else 'A'} = {bracket[0]}{bounds}{bracket[1]}"
    lines.append(f"{'Lower' if below else 'Upper'} bounds: {_math(found, notation)}")
    infinity = r"\infty" if notation is LATEX else "infinity"
    towards = _math(("-" if below else "+") + infinity, notation)
    infinite = _math(show(elimination.infinite, notation), notation)
    lines.append(f"Towards {towards} the formula becomes {infinite}")
    lines.extend(_instances(elimination, notation))
    return lines


def _instances(elimination: Elimination, notation: Notation) -> list[str]:
    lines: list[str] = []
    hidden = 0
    for point, instance in elimination.disjuncts():
        if len(lines) == SHOWN_POINTS:
            hidden += 1
            continue
        at = f"{elimination.name} = {show_linear(point, notation)}"
        lines.append(f"At {_math(at, notation)}: {_math(show(instance, notation), notation)}")
    return [*lines, f"... and {hidden} more test points"] if hidden else lines


def _math(text: str, notation: Notation) -> str:
    return f"${text}$" if notation is LATEX else text
