"""Generated pairs have the verdicts that they are said to have."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from tallystick.core.errors import EvaluationError
from tallystick.core.interpreter import evaluate
from tallystick.core.programs import Program
from tallystick.core.terms import (
    Operator,
    Term,
    build,
    constant,
    element,
    free_variables,
    less_equal,
    rebuild,
    subterms,
    variable,
)
from tallystick.core.types import INT, BagType
from tallystick.decision.prover import Prover
from tallystick.decision.well_defined import TwoOrders, order_of_elements
from tallystick.experiments.generator import MUTATIONS, generated_pair, generated_questions
from tallystick.experiments.inputs import generated_inputs
from tallystick.experiments.questions import Options, Task
from tallystick.experiments.random_programs import random_program
from tallystick.experiments.rewrites import REWRITES
from tallystick.experiments.running import decide_here

PAIRS = [generated_pair(Random(f"tests/{number}")) for number in range(150)]
STEPS = 200_000


def test_a_seed_gives_the_same_pairs_and_another_seed_gives_others():
    assert generated_questions(5, 1) == generated_questions(5, 1)
    assert generated_questions(8, 1)[:5] == generated_questions(5, 1)
    assert generated_questions(5, 2) != generated_questions(5, 1)


def test_equivalent_and_inequivalent_pairs_are_about_equally_frequent():
    counts = Counter(pair.expected for pair in PAIRS)
    assert counts["equivalent"] > 50
    assert counts["inequivalent"] > 50


def test_the_witness_of_an_inequivalent_pair_gives_two_results():
    for pair in PAIRS:
        if pair.witness is not None:
            left, right = (evaluate(each.expression, pair.witness, STEPS) for each in (pair.left, pair.right))
            assert left != right


def test_an_equivalent_pair_agrees_on_generated_inputs():
    for pair in PAIRS:
        if pair.witness is None:
            for environment in generated_inputs(pair.left, pair.right, 10):
                try:
                    left, right = (evaluate(each.expression, environment, STEPS) for each in (pair.left, pair.right))
                except EvaluationError:
                    continue
                assert left == right


@pytest.mark.parametrize("rule", REWRITES, ids=lambda rule: rule.__name__)
def test_a_rewrite_keeps_the_meaning_of_what_it_applies_to(rule):
    """Each subterm of random programs to which a rule applies is made a program of its own."""
    tried = 0
    random = Random(rule.__name__)
    while tried < 8:
        program = random_program(random)
        for node in subterms(program.expression):
            new = rule(random, node)
            if new is None:
                continue
            tried += 1
            assert new.type == node.type
            assert new.bound <= node.bound
            old_closed, new_closed = closed(node, new)
            for environment in generated_inputs(*programs(program, old_closed, new_closed), 6):
                assert evaluate(old_closed, environment, STEPS) == evaluate(new_closed, environment, STEPS)


def closed(node: Term, new: Term) -> tuple[Term, Term]:
    """Two terms with free variables in place of bound ones."""
    names = {
        bound: variable(f"bound {number}", bound.type) for number, bound in enumerate(sorted(node.bound, key=repr))
    }
    return rebuild(node, names), rebuild(new, names)


def programs(program, old: Term, new: Term):
    extra = tuple(sorted(free_variables(old) - set(program.parameters), key=repr))
    return tuple(Program(name, program.parameters + extra, term) for name, term in (("old", old), ("new", new)))


def test_mutated_folds_do_not_depend_on_the_order_of_elements():
    for pair in PAIRS[:60]:
        for program in (pair.left, pair.right):
            found = order_of_elements(program.expression, Prover("none"))
            assert not any(isinstance(answer, TwoOrders) for answer in found)


def test_each_mutation_applies_to_some_program():
    random = Random(5)
    nodes = {node for _ in range(40) for node in subterms(random_program(random).expression)}
    for rule in MUTATIONS:
        assert any(rule(random, node) is not None for node in nodes)


def test_generated_inputs_are_empty_then_boundaries_then_duplicates():
    r = variable("R", BagType(INT))
    at_least_100 = build(Operator.FILTER, (less_equal(constant(100), element(INT)), r))
    empty, boundaries, duplicates, *rest = generated_inputs(Program("P", (r,), at_least_100), Program("Q", (r,), r), 6)
    assert empty == {r: {}}
    assert {99, 100, 101, 0, 1, -1} <= set(boundaries[r])
    assert max(duplicates[r].values()) > 1
    assert len(rest) == 3


def test_no_verdict_about_generated_pairs_is_wrong():
    run = decide_here([Task(question, Options()) for question in generated_questions(60, 11)])
    assert not [record.pair for record in run.records if record.is_wrong]
    assert sum(record.verdict != "unknown" for record in run.records) > 45
