"""Random Presburger formulas, and ways to the truth that share nothing with the code under test."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import z3
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy
from tallystick.core.presburger.formulas import (
    Exists,
    Forall,
    Formula,
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

    def part(depth: int) -> Formula:
        if depth == 0:
            return atom()
        parts = [part(depth - 1 if source.random() < 0.8 else 0) for _ in range(source.randint(2, 3))]
        return source.choice((conjunction, disjunction))(parts)

    def atom() -> Formula:
        total = constant(source.randint(-60, 60))
        for name in source.sample(names, source.randint(1, len(names))):
            total = combine(1, total, source.randint(-20, 20), unknown(name))
        divisible = divides(source.randint(2, 20), total)
        choices = (at_most(total),) * 5 + (equal(total),) * 2 + (differs(total), divisible, negate(divisible))
        return source.choice(choices)

    formula = part(2)
    for name in names:
        formula = source.choice((Exists, Forall))((name,), formula)
    return formula


def z3_truth(sentence: Formula, milliseconds: int = 10_000) -> bool | None:
    """Whether Z3's solver for quantified integer arithmetic finds a sentence true; None when it gives up."""
    solver = z3.SolverFor("LIA")
    solver.set("timeout", milliseconds)
    solver.add(encode(sentence, z3.main_ctx()))
    answer = solver.check()
    return None if answer == z3.unknown else answer == z3.sat


def z3_equivalent(left: Formula, right: Formula) -> bool | None:
    """Whether Z3 finds two quantifier-free formulas equivalent; None when it gives up."""
    solver = z3.Solver()
    solver.set("timeout", 10_000)
    context: Any = z3.main_ctx()
    solver.add(encode(left, context) != encode(right, context))
    answer = solver.check()
    return None if answer == z3.unknown else answer == z3.unsat


def at(formula: Formula, values: Mapping[str, int]) -> Formula:
    """The sentence ∃ free names. they have these values and the formula holds."""
    names = tuple(sorted(free_names(formula)))
    fixed = [equal(unknown(name).shift(-values[name])) for name in names]
    return Exists(names, conjunction((formula, *fixed))) if names else formula
