"""What nodes name on a branch: unknowns, and what they are read from."""

from __future__ import annotations

from tallystick.certificates.facts import Facts, number
from tallystick.core.errors import RefutationError
from tallystick.core.operators import Operator
from tallystick.core.terms import Term


def unknown_at(facts: Facts, place: int) -> Term:
    """The unknown with a number."""
    return facts.numbered[number(place, len(facts.numbered), "unknown")]


def unknown(facts: Facts, place: int, *operators: Operator) -> Term:
    """The unknown with a number; raises RefutationError unless it has one of the operators."""
    term = unknown_at(facts, place)
    if term.operator not in operators:
        names = " or ".join(operator.value for operator in operators)
        raise RefutationError(f"unknown {place} is no {names}, but {term.operator.value}")
    return term


def root(term: Term) -> Term:
    """What a component or an option's part is read from."""
    while term.operator in (Operator.PROJECTION, Operator.IS_NONE, Operator.VALUE):
        term = term.arguments[0]
    return term
