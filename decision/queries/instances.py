"""Which rows and values of a structure satisfy the condition of a monomial (untrusted).

Slots are filled from the left, tables and blocks first, ★-slots last; a conjunct is evaluated as soon as its slots are filled, so
that most fillings are cut off early. A ★-slot takes the terms that the condition equates it with, else every
term of its type that the branch has, one for each value.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

from tallystick.core.operators import Operator
from tallystick.core.terms import Term
from tallystick.core.types import BagType
from tallystick.decision.queries.slots import Environment, close, conjuncts, free_slots
from tallystick.decision.queries.structure import Structure, compiled

MOST_TERMS = 40
"""At most so many terms of the branch are tried for a ★-slot."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A monomial prepared for the search of instances.

    Attributes:
        order: the positions of the slots in the order in which they are filled.
        checks: for each number of filled slots, the conjuncts that can be evaluated from then on.
        equated: for each position of a ★-slot, the terms that a conjunct equates it with.
    """

    monomial: Term
    order: tuple[int, ...]
    checks: tuple[tuple[Term, ...], ...]
    equated: dict[int, tuple[Term, ...]]


_patterns: WeakKeyDictionary[Term, Pattern] = WeakKeyDictionary()


def pattern(monomial: Term) -> Pattern:
    """The pattern of a monomial."""
    known = _patterns.get(monomial)
    if known is None:
        known = _patterns[monomial] = _prepare(monomial)
    return known


def _prepare(monomial: Term) -> Pattern:
    *sources, condition, _ = monomial.arguments
    slots = len(sources)
    first = [position for position in range(slots) if sources[position].operator is not Operator.EVERY]
    order = [*first, *(position for position in range(slots) if position not in first)]
    for position in first:  # a block that mentions a ★-slot: fill from the left
        if any(
            sources[position - 1 - index].operator is Operator.EVERY
            for index in free_slots(sources[position])
            if index < position
        ):
            order = list(range(slots))
    parts = conjuncts(condition)
    equated: dict[int, list[Term]] = {position: [] for position in range(slots) if position not in first}
    for part in parts:
        _equations(part, slots, equated)
    rank = {position: place for place, position in enumerate(order)}
    checks: list[list[Term]] = [[] for _ in range(slots + 1)]
    for part in parts:
        mentioned = [rank[slots - 1 - index] for index in free_slots(part) if index < slots]
        checks[max(mentioned, default=-1) + 1].append(part)
    return Pattern(
        monomial,
        tuple(order),
        tuple(map(tuple, checks)),
        {position: tuple(found) for position, found in equated.items()},
    )


def _equations(part: Term, slots: int, equated: dict[int, list[Term]]) -> None:
    """Note what the equations of a conjunct, or of the binders in it, equate ★-slots with."""
    if part.operator is Operator.EQUAL:
        for one, other in (part.arguments, part.arguments[::-1]):
            if one.operator in (Operator.SOME, Operator.VALUE):
                one = one.arguments[0]
            if one.operator is Operator.SLOT:
                parameter: Any = one.parameter
                position = slots - 1 - parameter[0]
                if position in equated and other.type == one.type and parameter[0] not in free_slots(other):
                    equated[position].append(other)


def instances(structure: Structure, monomial: Term, environment: Environment = ()) -> Iterator[Environment]:
    """The closed terms for the slots of a monomial under which its condition holds in the structure."""
    prepared = pattern(monomial)
    slots = len(prepared.order)
    free = max(free_slots(monomial), default=-1) + 1
    outer = environment[len(environment) - free :] if free else ()
    filled: list[Term | None] = [None] * slots
    sources = monomial.arguments

    def fill(place: int) -> Iterator[Environment]:
        if place and not all(_holds(structure, part, outer, filled) for part in prepared.checks[place]):
            return
        if place == slots:
            yield tuple(filled)  # type: ignore[arg-type]
            return
        position = prepared.order[place]
        for candidate in _candidates(structure, prepared, position, sources[position], outer, filled):
            filled[position] = candidate
            yield from fill(place + 1)
        filled[position] = None

    if all(_holds(structure, part, outer, filled) for part in prepared.checks[0]):
        yield from fill(0)


def _holds(structure: Structure, part: Term, outer: Environment, filled: list[Term | None]) -> bool:
    return compiled(part)(structure, (*outer, *filled)) is True  # type: ignore[arg-type]


def _candidates(
    structure: Structure,
    prepared: Pattern,
    position: int,
    source: Term,
    outer: Environment,
    filled: list[Term | None],
) -> list[Term]:
    if source.operator is not Operator.EVERY:
        closed = close(source, (*outer, *filled[:position])) if free_slots(source) else source  # type: ignore[arg-type]
        return structure.rows.get(closed, [])
    found: dict[object, Term] = {}
    slots = len(filled)
    of: BagType = source.type  # type: ignore[assignment]
    for term in prepared.equated[position]:
        if all(index >= slots or filled[slots - 1 - index] is not None for index in free_slots(term)):
            closed = close(term, (*outer, *filled))  # type: ignore[arg-type]
            found.setdefault(structure.value(closed), closed)
    if not found:
        for term in structure.terms(of.element):
            found.setdefault(structure.value(term), term)
            if len(found) > MOST_TERMS:
                break
    return list(found.values())


def heads(structure: Structure, bag: Term) -> Iterator[Any]:
    """The heads of the instances of a closed bag in the structure."""
    for monomial in bag.arguments:
        for terms in instances(structure, monomial):
            yield structure.value(monomial.arguments[-1], terms)
