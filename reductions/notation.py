"""Invariants of a machine as text, in the machine's own words."""

from __future__ import annotations

from tallystick.core.terms import Operator, Term, negation
from tallystick.core.types import INT
from tallystick.reductions.two_counter_machine import Machine

COMPONENTS = ("location", "c1", "c2")
_SIGNS = {Operator.EQUAL: "=", Operator.LESS: "<", Operator.LESS_EQUAL: "≤"}


def invariant_lines(machine: Machine, state: Term, invariant: Term) -> list[str]:
    """A line for each case of an invariant about `state`, the accumulated state of the machine."""
    cases = invariant.arguments if invariant.operator is Operator.OR else (invariant,)
    return [_case(machine, state, case) for case in cases]


def _case(machine: Machine, state: Term, case: Term) -> str:
    parts = case.arguments if case.operator is Operator.AND else (case,)
    place, facts = "", []
    for part in parts:
        left, right = part.arguments if part.operator is Operator.EQUAL else (part, part)
        if infix(left, state) == "location" and right.operator is Operator.CONSTANT:
            place = f"at {machine.place(right.parameter)}"  # type: ignore[arg-type]
        elif left is state and right.operator is Operator.TUPLE:
            location, *counters = (argument.parameter for argument in right.arguments)
            place = f"at {machine.place(location)}"  # type: ignore[arg-type]
            facts += [f"{name} = {value}" for name, value in zip(COMPONENTS[1:], counters, strict=True)]
        else:
            facts.append(infix(part, state))
    said = ", ".join(facts)
    return f"{place}: {said}" if place and said else place or said


def infix(term: Term, state: Term) -> str:
    """A formula or one of its terms, with the components of `state` by name; raises ValueError for other terms."""
    if term is state:
        return "state"
    if term.operator is Operator.PROJECTION and term.arguments[0] is state:
        return COMPONENTS[term.parameter]  # type: ignore[index]
    parts = [infix(argument, state) for argument in term.arguments]
    match term.operator, parts:
        case Operator.CONSTANT, _:
            return str(term.parameter).lower()
        case Operator.VARIABLE, _:
            return str(term.parameter[0])  # type: ignore[index]
        case Operator.ADD, _:
            return " + ".join(parts).replace("+ -", "- ")
        case Operator.SCALE, [part]:
            factor = "-" if term.parameter == -1 else f"{term.parameter} "
            return f"{factor}{_grouped(term, part)}"
        case ((Operator.DIV | Operator.MOD), [part]):
            return f"{_grouped(term, part)} {term.operator.value} {term.parameter}"
        case Operator.EQUAL, [_, "false"]:
            return infix(negation(term.arguments[0]), state)
        case ((Operator.EQUAL | Operator.LESS | Operator.LESS_EQUAL), [left, right]):
            return f"{left} {_SIGNS[term.operator]} {right}"
        case Operator.NOT, [part]:
            return part.replace(" = ", " ≠ ") if _is_integer_equation(term.arguments[0]) else f"not ({part})"
        case Operator.AND, _:
            return " and ".join(f"({part})" for part in parts)
        case Operator.OR, _:
            return " or ".join(f"({part})" for part in parts)
        case Operator.ITE, [condition, then, otherwise]:
            return f"({then} if {condition} else {otherwise})"
        case Operator.TUPLE, _:
            return f"({', '.join(parts)})"
        case Operator.PROJECTION, [part]:
            return f"{part}[{term.parameter}]"
    raise ValueError(f"an invariant has no {term.operator.value}")


def _grouped(term: Term, part: str) -> str:
    return f"({part})" if term.arguments[0].operator in (Operator.ADD, Operator.DIV, Operator.MOD) else part


def _is_integer_equation(term: Term) -> bool:
    return term.operator is Operator.EQUAL and term.arguments[0].type == INT
