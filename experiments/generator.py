"""Pairs of core programs with known verdicts, as many as asked for, the same for the same seed.

Equivalent pairs are programs and what rewrites make of them. Inequivalent pairs are programs and what a mutation, and
then rewrites, make of them, with an input on which the reference interpreter shows a difference; a mutation without
such an input is dropped, since it may have kept the meaning.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from tallystick.core.errors import EvaluationError
from tallystick.core.interpreter import Environment, evaluate
from tallystick.core.programs import Program
from tallystick.core.terms import (
    Operator,
    Term,
    add,
    build,
    constant,
    ite,
    less,
    less_equal,
    negation,
)
from tallystick.core.types import INT, BagType
from tallystick.experiments.inputs import generated_inputs
from tallystick.experiments.questions import Question, question_of_programs
from tallystick.experiments.random_programs import random_program
from tallystick.experiments.rewrites import REWRITES, Rule, rewritten

MOST_REWRITES = 4
WITNESS_INPUTS = 12
WITNESS_STEPS = 20_000
"""How long the interpreter may take for a witness; no verdict is known of what takes longer."""


@dataclass(frozen=True, slots=True)
class GeneratedPair:
    """Two comparable programs, with an input on which they differ unless they are equivalent by construction."""

    left: Program
    right: Program
    witness: Environment | None

    @property
    def expected(self) -> str:
        """The known verdict."""
        return "equivalent" if self.witness is None else "inequivalent"


def generated_questions(pairs: int, seed: int) -> list[Question]:
    """The questions of the suite `generated`: each pair depends on the seed and its number alone."""
    return [
        question_of_programs("generated", f"{seed}/{number}", pair.expected, pair.left, pair.right, seed)
        for number in range(pairs)
        for pair in [generated_pair(Random(f"{seed}/{number}"))]
    ]


def generated_pair(random: Random) -> GeneratedPair:
    """A pair; equivalent and inequivalent ones are about equally frequent."""
    make = random.choice((_equivalent, _inequivalent))
    while True:
        pair = make(random, random_program(random))
        if pair is not None:
            return pair


def _equivalent(random: Random, program: Program) -> GeneratedPair | None:
    right = _rewritten(random, program.expression, random.randint(1, MOST_REWRITES))
    return None if right is program.expression else GeneratedPair(program, _other(program, right), None)


def _inequivalent(random: Random, program: Program) -> GeneratedPair | None:
    """A mutated program, unless no input shows a difference. Only what does not mention an accumulator is mutated,
    and before any rewrite, so that folds stay independent of the order of elements."""
    mutated = rewritten(random, program.expression, MUTATIONS)
    other = _other(program, _rewritten(random, mutated, random.randint(0, MOST_REWRITES - 1)))
    for environment in generated_inputs(program, other, WITNESS_INPUTS):
        try:
            results = (evaluate(each.expression, environment, WITNESS_STEPS) for each in (program, other))
            left, right = results
        except EvaluationError:
            continue
        if left != right:
            return GeneratedPair(program, other, environment)
    return None


def _rewritten(random: Random, term: Term, times: int) -> Term:
    for _ in range(times):
        term = rewritten(random, term, REWRITES)
    return term


def _other(program: Program, expression: Term) -> Program:
    return Program("Q", program.parameters, expression)


# Mutations.


def _no_accumulator(term: Term) -> bool:
    return all(bound.operator is not Operator.ACCUMULATOR for bound in term.bound)


def constant_moved(random: Random, term: Term) -> Term | None:
    """c becomes c ± 1."""
    if term.operator is not Operator.CONSTANT or term.type != INT:
        return None
    return constant(term.parameter + random.choice((-1, 1)))  # type: ignore[operator]


def comparison_loosened(_: Random, term: Term) -> Term | None:
    """x < y becomes x ≤ y, and x ≤ y becomes x < y."""
    match term.operator:
        case Operator.LESS if _no_accumulator(term):
            return less_equal(*term.arguments)
        case Operator.LESS_EQUAL if _no_accumulator(term):
            return less(*term.arguments)
    return None


def filter_dropped(_: Random, term: Term) -> Term | None:
    """filter(p)(B) becomes B."""
    return term.arguments[1] if term.operator is Operator.FILTER else None


def bag_doubled(_: Random, term: Term) -> Term | None:
    """B becomes B ∪ B."""
    return build(Operator.UNION, (term, term)) if isinstance(term.type, BagType) else None


def branches_swapped(_: Random, term: Term) -> Term | None:
    """ite(p, x, y) becomes ite(¬ p, x, y)."""
    if term.operator is not Operator.ITE or not _no_accumulator(term):
        return None
    condition, then, otherwise = term.arguments
    return ite(negation(condition), then, otherwise)


def number_moved(random: Random, term: Term) -> Term | None:
    """x becomes x + 1."""
    if term.type != INT or not _no_accumulator(term):
        return None
    return add(term, constant(random.choice((-1, 1))))


MUTATIONS: tuple[Rule, ...] = (
    constant_moved,
    comparison_loosened,
    filter_dropped,
    bag_doubled,
    branches_swapped,
    number_moved,
)
"""Rules that may change the meaning."""
