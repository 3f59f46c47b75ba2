"""Random Presburger formulas, and ways to the truth that share nothing with the code under test."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import z3
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy
from tallystick.core.answers import NoAnswer, Valid
from tallystick.core.clock import clock
from tallystick.core.presburger.formulas import (
    TRUE,
    Exists,
    Forall,
    Formula,
    Implies,
    at_most,
    conjunction,
    differs,
    disjunction,
    divides,
    equal,
    free_names,
    negate,
)
from tallystick.core.presburger.linear import Linear, combine, constant, unknown
from tallystick.core.solvers.door import solver
from tallystick.core.solvers.z3_qe import encode

NAMES = ("x", "y", "z")


@st.composite
def linears(draw: DrawFn, names: Sequence[str] = NAMES, size: int = 6) -> Linear:
    """Linear terms over `names` with coefficients up to `size`."""
    total = constant(draw(st.integers(-3 * size, 3 * size)))
    for name in draw(st.sets(st.sampled_from(tuple(names)), min_size=1)):
        factor = draw(st.integers(-size, size))
        total = combine(1, total, factor, unknown(name))
    return total


@st.composite
def atoms(draw: DrawFn, names: Sequence[str] = NAMES, size: int = 6) -> Formula:
    """Atoms of all five kinds, or their truth value."""
    term = draw(linears(names, size))
    divisible = divides(draw(st.integers(2, size + 2)), term)
    return draw(st.sampled_from((at_most(term), equal(term), differs(term), divisible, negate(divisible))))


def quantifier_free(names: Sequence[str] = NAMES, size: int = 6, leaves: int = 6) -> SearchStrategy[Formula]:
    """Combinations of atoms with ∧ and ∨."""

    def joined(inner: SearchStrategy[Formula]) -> SearchStrategy[Formula]:
        parts = st.lists(inner, min_size=2, max_size=3)
        return parts.map(conjunction) | parts.map(disjunction)

    return st.recursive(atoms(names, size), joined, max_leaves=leaves)


@st.composite
def quantified(draw: DrawFn, bound: Sequence[str], names: Sequence[str] = NAMES, size: int = 5) -> Formula:
    """Formulas with a block of ∀ or ∃ for each bound name."""
    formula = draw(quantifier_free(names, size, 4))
    for name in bound:
        formula = draw(st.sampled_from((Exists, Forall)))((name,), formula)
    return formula


def random_sentence(seed: int) -> Formula:
    """A sentence over two or three unknowns, coefficients up to 20, with up to three blocks of quantifiers."""
    source = random.Random(seed)
    names = NAMES[: source.randint(2, 3)]
    formula = _combination(source, names, 2)
    for name in names:
        formula = source.choice((Exists, Forall))((name,), formula)
    return formula


def random_formula(seed: int) -> Formula:
    """A formula with free unknowns u or u and v under one to three alternating blocks of quantifiers over up to three
    unknowns, coefficients up to 20; a third of the bound unknowns range between terms over unknowns further out."""
    source = random.Random(seed)
    free, blocks = ("u", "v")[: source.randint(1, 2)], source.randint(1, 3)
    bound = NAMES[: source.randint(blocks, 3)]
    formula = _combination(source, free + bound, 2)
    ends = [*sorted(source.sample(range(1, len(bound)), blocks - 1)), len(bound)]
    existential = source.random() < 0.5
    for start, end in pairwise((0, *ends)):
        outer = free + bound[end:]
        guards: list[Formula] = []
        for name in bound[start:end]:
            if source.random() < 0.35:
                guards.append(at_most(_linear(source, source.sample(outer, 1)).minus(unknown(name))))
                above = unknown(name, source.randint(1, 20))
                guards.append(at_most(_linear(source, source.sample(outer, 1)).plus(above)))
        guard = conjunction(guards)
        body = conjunction((guard, formula)) if existential else Implies(guard, formula)
        formula = (Exists if existential else Forall)(bound[start:end], body)
        existential = not existential
    return formula


def _combination(source: random.Random, names: Sequence[str], depth: int) -> Formula:
    if depth == 0:
        term = _linear(source, source.sample(names, source.randint(1, min(3, len(names)))))
        divisible = divides(source.randint(2, 20), term)
        choices = (at_most(term),) * 5 + (equal(term),) * 2 + (differs(term), divisible, negate(divisible))
        return source.choice(choices)
    depths = (depth - 1 if source.random() < 0.8 else 0 for _ in range(source.randint(2, 3)))
    parts = [_combination(source, names, depth) for depth in depths]
    return source.choice((conjunction, disjunction))(parts)


def _linear(source: random.Random, names: Sequence[str]) -> Linear:
    total = constant(source.randint(-60, 60))
    for name in names:
        total = combine(1, total, source.randint(-20, 20), unknown(name))
    return total


def z3_truth(sentence: Formula, milliseconds: int = 10_000) -> bool | None:
    """Whether Z3's solver for quantified integer arithmetic finds a sentence true; None when it gives up."""
    search = z3.SolverFor("LIA")
    search.set("timeout", milliseconds)
    search.add(encode(sentence, z3.main_ctx()))
    answer = search.check()
    return None if answer == z3.unknown else answer == z3.sat


def z3_equivalent(left: Formula, right: Formula, milliseconds: int = 10_000) -> bool | None:
    """Whether Z3 finds two formulas equivalent; None when it gives up."""
    search = z3.Solver()
    search.set("timeout", milliseconds)
    context: Any = z3.main_ctx()
    search.add(encode(left, context) != encode(right, context))
    answer = search.check()
    return None if answer == z3.unknown else answer == z3.unsat


def independent_truth(sentence: Formula, milliseconds: int) -> bool | None:
    """The truth of a sentence by one of Z3's two solvers or, where they give up, by cvc5; None when all do."""
    found = z3_truth(sentence, milliseconds)
    if found is None:
        found = z3_equivalent(sentence, TRUE, milliseconds)
    if found is None:
        answer = solver("cvc5").truth(sentence, clock() + milliseconds / 1000)
        return None if isinstance(answer, NoAnswer) else isinstance(answer, Valid)
    return found


def at(formula: Formula, values: Mapping[str, int]) -> Formula:
    """The sentence ∃ free names. they have these values and the formula holds."""
    names = tuple(sorted(free_names(formula)))
    fixed = [equal(unknown(name).shift(-values[name])) for name in names]
    return Exists(names, conjunction((formula, *fixed))) if names else formula
