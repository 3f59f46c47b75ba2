"""Candidate facts about joint buckets, for each combination of existing buckets.

Equations are guessed from sampled runs of a bucket: an element chooses the keys, and elements like it follow.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from tallystick.certificates.rules.by_key import Bucket, by_key_transitions, output
from tallystick.certificates.rules.fold import Transitions
from tallystick.core.monomials import monomials, rows_of
from tallystick.core.terms import (
    Operator,
    Term,
    conjunction,
    equal,
    free_variables,
    implies,
    negation,
    project,
    substitute,
    subterms,
    tuple_of,
)
from tallystick.core.types import BOOL, INT
from tallystick.decision.inputs import random_value
from tallystick.decision.invariants.compiled import compiled
from tallystick.decision.methods.affine_invariants import components, linear_equation, null_space
from tallystick.decision.outcome import Model
from tallystick.decision.telling import Telling

RUNS = 24
ELEMENTS_OF_A_RUN = 10

Buckets = tuple[Bucket, Bucket]


def bucket_facts(folds: tuple[Term, Term], posts: tuple[Term, Term], buckets: Buckets) -> list[Term]:
    """Facts that hold on sampled runs: what is tested later, equations, flags, and initial accumulators."""
    one, other = buckets
    transitions = by_key_transitions(folds, buckets)
    states = sampled_buckets(folds, buckets, transitions)
    both = conjunction(one.exists, other.exists)
    only = [conjunction(a.exists, negation(b.exists)) for a, b in (buckets, (other, one))]
    tests = [_tests(post, bucket) for post, bucket in zip(posts, buckets, strict=True)]
    facts = [
        implies(negation(bucket.exists), equal(bucket.accumulated, fold.arguments[0]))
        for fold, bucket in zip(folds, buckets, strict=True)
    ]
    facts += [negation(guard) for guard in only]
    for guard, selected, present in (
        (both, [*_same(buckets), *tests[0], *tests[1]], buckets),
        (only[0], tests[0], (one,)),
        (only[1], tests[1], (other,)),
    ):
        leaves = [leaf for bucket in present for term in (bucket.key, bucket.accumulated) for leaf in components(term)]
        [*reached] = _where(guard, states)
        facts += [implies(guard, fact) for fact in (*selected, *_equations(leaves, reached), *_flags(leaves))]
    held = compiled(facts, list(states[0]))
    truths = [held(list(state.values())) for state in states]
    return [fact for fact, *seen in zip(facts, *truths, strict=True) if all(seen)]


def sampled_buckets(folds: tuple[Term, Term], buckets: Buckets, transitions: Transitions) -> list[Model]:
    """States of joint buckets on random runs, with keys, elements and parameters; the variables come in one order."""
    [change] = transitions.steps
    guard, after = change.guard, change.after
    keys = {
        bucket.key: project(monomials(fold.arguments[2])[0].value, 0)
        for fold, bucket in zip(folds, buckets, strict=True)
    }
    terms = [guard, *after.values(), *keys.values(), *transitions.initial.values()]
    mentioned = {name for term in terms for name in free_variables(term)}
    inputs = sorted(mentioned - set(keys) - set(after), key=repr)
    slots = rows_of(change.sources)
    names = [*inputs, *keys, *after]
    start = compiled([*keys.values(), *(transitions.initial[state] for state in after)], inputs)
    enabled = compiled([guard], names)
    step = compiled(after.values(), names)
    generator, telling = random.Random(5), Telling.of(folds)
    states: list[Model] = []
    for run in range(RUNS):
        draw = random_value if run % 2 else telling.value
        current = {name: draw(name.type, generator) for name in inputs}  # type: ignore[arg-type]
        first = {name: current[name] for name in slots if name in current}
        current |= dict(zip([*keys, *after], start(list(current.values())), strict=True))
        states.append(dict(current))
        for _ in range(ELEMENTS_OF_A_RUN):
            current |= {name: _like(value, generator) for name, value in first.items()}
            if enabled(list(current.values()))[0]:
                current |= dict(zip(after, step(list(current.values())), strict=True))
                states.append(dict(current))
    return states


def _like(value: Any, generator: random.Random) -> Any:
    """The same value, or one that differs from it a little in some components."""
    if isinstance(value, tuple):
        return tuple(_like(component, generator) for component in value)
    if generator.random() < 0.5:
        return value
    match value:
        case bool():
            return not value
        case int() | Fraction():
            return value + generator.randint(-9, 9)
        case str():
            return generator.choice("abc")
    return value


def _where(guard: Term, states: list[Model]) -> Iterator[Model]:
    holds = compiled([guard], list(states[0]))
    return (state for state in states if holds(list(state.values()))[0])


def _same(buckets: Buckets) -> list[Term]:
    """Equations between components of the keys, and between components of the accumulators."""
    one, other = buckets
    pairs = [*product(components(one.key), components(other.key))]
    pairs += product(components(one.accumulated), components(other.accumulated))
    whole = [(one.key, other.key), (one.accumulated, other.accumulated)]
    return [equal(left, right) for left, right in dict.fromkeys([*whole, *pairs]) if left.type == right.type]


def _equations(leaves: list[Term], states: list[Model]) -> list[Term]:
    """A basis of the linear equations between integer leaves that hold in all of `states`."""
    integers = [leaf for leaf in leaves if leaf.type == INT]
    if not integers or not states:
        return []
    read = compiled(integers, list(states[0]))
    rows = [[1, *read(list(state.values()))] for state in states]
    return [linear_equation(vector, integers) for vector in null_space(rows) if any(vector[1:])]  # type: ignore[arg-type]


def _flags(leaves: list[Term]) -> list[Term]:
    return [fact for leaf in leaves if leaf.type == BOOL for fact in (leaf, negation(leaf))]


def _tests(post: Term, bucket: Bucket) -> list[Term]:
    """The atoms, and their negations, by which what follows a by-key fold selects its pairs, about one bucket."""
    [monomial] = monomials(post)
    [slot] = monomial.slots
    pair = {slot: tuple_of(bucket.key, bucket.accumulated)}
    comparisons = (Operator.LESS, Operator.LESS_EQUAL, Operator.EQUAL)
    atoms = [node for node in subterms(substitute(monomial.exists, pair)) if node.operator in comparisons]
    return [fact for atom in atoms for fact in (atom, negation(atom))]


def same_output(posts: tuple[Term, Term], buckets: Buckets) -> list[Term]:
    """That both buckets output the same, for each combination of existing buckets."""
    one, other = buckets
    (left_exists, left_value), (right_exists, right_value) = (
        output(monomials(post)[0], bucket) for post, bucket in zip(posts, buckets, strict=True)
    )
    same = conjunction(equal(left_exists, right_exists), implies(left_exists, equal(left_value, right_value)))
    guards = (
        conjunction(one.exists, other.exists),
        conjunction(one.exists, negation(other.exists)),
        conjunction(other.exists, negation(one.exists)),
    )
    return [implies(guard, same) for guard in guards]
