"""Candidate facts about the states that sampled runs of folds reach with the same control values.

A *control component* is a component of an accumulator that the steps compare with constants: the location of a
machine, the phase of a protocol, a counter modulo 5. Its value is often the key to what is true of the others.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations

from tallystick.certificates.rules.fold import Transitions
from tallystick.core.terms import (
    Operator,
    Term,
    add,
    build,
    constant,
    equal,
    free_variables,
    less_equal,
    negation,
    scale,
    subterms,
)
from tallystick.core.types import INT
from tallystick.decision.inputs import random_value
from tallystick.decision.invariants.compiled import compiled
from tallystick.decision.methods.affine_invariants import components, linear_equation, null_space

RUNS = 4
STEPS_OF_A_RUN = 500
LARGEST_BITS = 256
ROWS = 60
LARGEST_MODULUS = 6
SAMPLES_OF_A_RESIDUE = 3

Location = tuple[int, ...]
"""A value for each control component."""


def compared_components(transitions: Transitions) -> list[Term]:
    """The integer components of the accumulators that steps compare with constants."""
    compared: set[Term] = set()
    for step in transitions.steps:
        for node in {node for term in step.after.values() for node in subterms(term)}:
            if node.operator is Operator.EQUAL and any(side.operator is Operator.CONSTANT for side in node.arguments):
                compared.update(node.arguments)
    return [leaf for leaf in integer_components(transitions) if leaf in compared]


def integer_components(transitions: Transitions) -> list[Term]:
    """The integer components of all accumulators."""
    return [leaf for state in transitions.initial for leaf in components(state) if leaf.type == INT]


def sampled(transitions: Transitions, leaves: list[Term]) -> Iterator[tuple[int, ...]]:
    """The values of integer components of the accumulators on random runs; on one long run where no input matters."""
    states = list(transitions.initial)
    moving = [term for step in transitions.steps for term in step.after.values()]
    mentioned = {name for term in (*moving, *transitions.initial.values()) for name in free_variables(term)}
    inputs = sorted(mentioned - set(states), key=repr)
    names = [*states, *inputs]
    fixed = {name for term in transitions.initial.values() for name in free_variables(term)}
    start = compiled(transitions.initial.values(), inputs)
    steps = [compiled([step.after.get(state, state) for state in states], names) for step in transitions.steps]
    read = compiled(leaves, states)
    generator = random.Random(4)
    runs = RUNS if inputs or len(steps) > 1 else 1
    for _ in range(runs):
        given = {name: random_value(name.type, generator) for name in inputs}
        state = start(list(given.values()))
        for index in range(STEPS_OF_A_RUN * RUNS // runs):
            values: tuple[int, ...] = read(state)  # type: ignore[assignment]
            yield values
            if max(value.bit_length() for value in values) > LARGEST_BITS:
                break
            given = {name: v if name in fixed else random_value(name.type, generator) for name, v in given.items()}
            state = steps[index % len(steps)]((*state, *given.values()))


def candidate_facts(leaves: list[Term], rows: list[tuple[int, ...]]) -> Iterator[Term]:
    """Facts about integer components that all rows of their values satisfy, simple ones first.

    Linear equations; bounds that the first quarter of the rows already reaches, and residues modulo small numbers
    that do not occur, of the components, their sums and differences, and of 2x + y.
    """
    for index, leaf in enumerate(leaves):
        yield from _bounds(leaf, [row[index] for row in rows])
    for vector in null_space([[1, *row] for row in _spread(rows)]):
        if any(vector[1:]):
            yield linear_equation(vector, leaves)
    forms = list(_forms(len(leaves)))
    values = [[sum(c * row[index] for index, c in form.items()) for row in rows] for form in forms]
    terms = [_term(form, leaves) for form in forms]
    for term, seen in zip(terms, values, strict=True):
        yield from _residues(term, seen)
    for form, term, seen in zip(forms, terms, values, strict=True):
        if len(form) > 1:
            yield from _bounds(term, seen)


def _spread(rows: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    return rows[: ROWS // 2] + rows[-ROWS // 2 :]


def _forms(count: int) -> Iterator[dict[int, int]]:
    for index in range(count):
        yield {index: 1}
    for first, second in combinations(range(count), 2):
        for one, other in ((1, 1), (1, -1), (2, 1), (1, 2)):
            yield {first: one, second: other}


def _term(form: dict[int, int], leaves: list[Term]) -> Term:
    parts = [leaves[index] if factor == 1 else scale(factor, leaves[index]) for index, factor in form.items()]
    return add(*parts) if len(parts) > 1 else parts[0]


def _bounds(term: Term, values: list[int]) -> Iterator[Term]:
    early = values[: 1 + len(values) // 4]
    if min(values) == max(values):
        return  # an equation says so
    if min(early) == min(values):
        yield less_equal(constant(min(values)), term)
    if max(early) == max(values):
        yield less_equal(term, constant(max(values)))


def _residues(term: Term, values: list[int]) -> Iterator[Term]:
    """The residue, or those that do not occur, modulo 2, 3, …; no fact that a divisor of the modulus has given."""
    distinct = set(values)
    missing: set[tuple[int, int]] = set()
    for modulus in range(2, LARGEST_MODULUS + 1):
        if len(distinct) < SAMPLES_OF_A_RESIDUE * modulus:
            return
        remainder = build(Operator.MOD, (term,), modulus)
        occurring = {value % modulus for value in distinct}
        new = {
            residue
            for residue in set(range(modulus)) - occurring
            if not any(modulus % d == 0 and (d, residue % d) in missing for d in range(2, modulus))
        }
        missing |= {(modulus, residue) for residue in new}
        if new and len(occurring) == 1:
            yield equal(remainder, constant(occurring.pop()))
        else:
            yield from (negation(equal(remainder, constant(residue))) for residue in sorted(new))
