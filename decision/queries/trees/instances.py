"""Which rows and values of a structure satisfy the condition of a monomial (untrusted).

Slots are filled from the left, tables and blocks first, ★-slots last; a conjunct is evaluated as soon as its slots are
filled, so that most fillings are cut off early. A ★-slot takes the terms that the condition equates it with, else every
term of its type that the branch has, one for each value.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakKeyDictionary

from tallystick.core.binders import element_type, slots_of
from tallystick.core.operators import Operator
from tallystick.core.terms import Term
from tallystick.decision.queries.trees.equations import equations
from tallystick.decision.queries.trees.opened import FRESH, Opened, opened
from tallystick.decision.queries.trees.slots import Environment, close, conjuncts, free_slots
from tallystick.decision.queries.trees.structure import Structure, compiled, converted

MOST_TERMS = 40
"""At most so many terms of the branch are tried for a ★-slot."""
MOST_PATTERNS = 16
"""At most so many ways to choose monomials in the EXISTS of one monomial are told apart."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A monomial prepared for the search of instances.

    Attributes:
        slots: how many slots the monomial has; those of the EXISTS among its conjuncts follow them.
        sources: the sources of all slots.
        order: the positions of the slots in the order in which they are filled.
        checks: for each number of filled slots, the conjuncts that can be evaluated from then on.
        equated: for each position of a ★-slot, the terms that a conjunct equates it with.
    """

    slots: int
    sources: tuple[Term, ...]
    order: tuple[int, ...]
    checks: tuple[tuple[Term, ...], ...]
    equated: dict[int, tuple[Term, ...]]


_patterns: WeakKeyDictionary[Term, tuple[Pattern, ...]] = WeakKeyDictionary()


def patterns(monomial: Term) -> tuple[Pattern, ...]:
    """The patterns of a monomial: one for each choice of a monomial in each EXISTS among its conjuncts."""
    known = _patterns.get(monomial)
    if known is None:
        flat = _flattened(monomial)
        known = _patterns[monomial] = tuple(_prepare(each, slots_of(monomial)) for each in flat)
    return known


def _flattened(monomial: Term) -> list[Term]:
    """Monomials whose slots include those of EXISTS: an instance of one is an instance, with witnesses."""
    flat, waiting = [], [monomial]
    while waiting:
        current = waiting.pop()
        parts = opened(current, FRESH)
        for index, part in enumerate(parts.conditions):
            choices = _choices(part)
            if choices and len(flat) + len(waiting) + len(choices) <= MOST_PATTERNS:
                rest = parts.conditions[:index] + parts.conditions[index + 1 :]
                waiting.extend(_joined(parts, rest, choice) for choice in choices)
                break
        else:
            flat.append(current)
    return flat


def _choices(part: Term) -> list[Term]:
    """The alternatives of a formula that is an EXISTS, or a disjunction with one in it."""
    if part.operator is Operator.EXISTS:
        return list(part.arguments[0].arguments)
    if part.operator is Operator.OR and any(each.operator is Operator.EXISTS for each in part.arguments):
        return [choice for each in part.arguments for choice in (_choices(each) or [each])]
    return []


def _joined(parts: Opened, rest: tuple[Term, ...], choice: Term) -> Term:
    if choice.operator is not Operator.MONOMIAL:
        return replace(parts, conditions=(*rest, choice)).monomial
    inner = opened(choice, FRESH + len(parts.rows))
    return Opened(
        (*parts.rows, *inner.rows), (*parts.sources, *inner.sources), (*rest, *inner.conditions), parts.head
    ).monomial


def _prepare(monomial: Term, kept: int) -> Pattern:
    *sources, condition, _ = monomial.arguments
    slots = len(sources)
    first = [position for position in range(slots) if sources[position].operator is not Operator.EVERY]
    order = [*first, *(position for position in range(slots) if position not in first)]
    for position in first:  # a block that mentions a ★-slot: fill from the left
        mentioned = (position - 1 - index for index in free_slots(sources[position]) if index < position)
        if any(sources[place].operator is Operator.EVERY for place in mentioned):
            order = list(range(slots))
    parts = tuple(conjuncts(condition))
    equated: dict[int, list[Term]] = {position: [] for position in range(slots) if position not in first}
    for part in parts:
        _equations(part, slots, equated)
    for position in [position for position, found in equated.items() if not found]:
        equated[position] = _alternatives(parts, position, slots)
    rank = {position: place for place, position in enumerate(order)}
    checks: list[list[Term]] = [[] for _ in range(slots + 1)]
    for part in parts:
        mentioned = (rank[slots - 1 - index] for index in free_slots(part) if index < slots)
        checks[max(mentioned, default=-1) + 1].append(part)
    terms = {position: tuple(found) for position, found in equated.items()}
    return Pattern(kept, tuple(sources), tuple(order), tuple(map(tuple, checks)), terms)


def _equations(part: Term, slots: int, equated: dict[int, list[Term]]) -> None:
    """Note what the equations of a conjunct equate ★-slots with."""
    for pair in equations(part):
        for one, other in (pair, pair[::-1]):
            if one.operator in (Operator.SOME, Operator.VALUE):
                one = one.arguments[0]
            if one.operator is Operator.SLOT:
                parameter: Any = one.parameter
                position = slots - 1 - parameter[0]
                if position in equated and parameter[0] not in free_slots(other):
                    equated[position].extend(converted(other, one.type))


def _alternatives(parts: tuple[Term, ...], position: int, slots: int) -> list[Term]:
    """What the alternatives of a disjunction equate a ★-slot with, if each of them does."""
    for part in parts:
        found: list[dict[int, list[Term]]] = []
        for alternative in part.arguments if part.operator is Operator.OR else ():
            found.append({position: []})
            for each in conjuncts(alternative):
                _equations(each, slots, found[-1])
        if found and all(each[position] for each in found):
            return list(dict.fromkeys(term for each in found for term in each[position]))
    return []


def instances(structure: Structure, monomial: Term, environment: Environment = ()) -> Iterator[Environment]:
    """The closed terms for the slots of a monomial under which its condition holds in the structure, each once."""
    free = max(free_slots(monomial), default=-1) + 1
    outer = environment[len(environment) - free :] if free else ()
    found: set[Environment] = set()
    for prepared in patterns(monomial):
        for terms in _fill(structure, prepared, outer):
            if terms not in found:
                found.add(terms)
                yield terms


def _fill(structure: Structure, prepared: Pattern, outer: Environment) -> Iterator[Environment]:
    filled: list[Term | None] = [None] * len(prepared.order)

    def holds(place: int) -> bool:
        environment: Any = (*outer, *filled)
        return all(compiled(part)(structure, environment) is True for part in prepared.checks[place])

    def fill(place: int) -> Iterator[Environment]:
        if place == len(filled):
            yield tuple(filled[: prepared.slots])  # type: ignore[arg-type]
            return
        position = prepared.order[place]
        for candidate in _candidates(structure, prepared, position, outer, filled):
            filled[position] = candidate
            if holds(place + 1):
                yield from fill(place + 1)
        filled[position] = None

    if holds(0):
        yield from fill(0)


def _candidates(
    structure: Structure, prepared: Pattern, position: int, outer: Environment, filled: list[Term | None]
) -> list[Term]:
    source = prepared.sources[position]
    if source.operator is not Operator.EVERY:
        closed = close(source, (*outer, *filled[:position])) if free_slots(source) else source  # type: ignore[arg-type]
        return structure.rows.get(closed, [])
    found: dict[object, Term] = {}
    slots = len(filled)
    for term in prepared.equated[position]:
        if all(index >= slots or filled[slots - 1 - index] is not None for index in free_slots(term)):
            closed = close(term, (*outer, *filled))  # type: ignore[arg-type]
            found.setdefault(structure.value(closed), closed)
    if not found:
        for term in structure.terms(element_type(source)):
            found.setdefault(structure.value(term), term)
            if len(found) > MOST_TERMS:
                break
    return list(found.values())


def heads(structure: Structure, bag: Term) -> Iterator[Any]:
    """The heads of the instances of a closed bag in the structure."""
    for monomial in bag.arguments:
        for terms in instances(structure, monomial):
            yield structure.value(monomial.arguments[-1], terms)
