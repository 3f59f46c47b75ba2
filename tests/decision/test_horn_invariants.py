"""Invariants from templates and from Horn clauses: pairs that need them, and pairs that differ."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tallystick.certificates import kernel, refuting
from tallystick.certificates.rules.fold import Fold
from tallystick.core.answers import NoAnswer
from tallystick.core.programs import Program
from tallystick.core.solvers.spacer import Clause, Derivation, Fact, Solution, solve
from tallystick.core.terms import (
    TRUE,
    Operator,
    add,
    build,
    conjunction,
    constant,
    equal,
    implies,
    less,
    less_equal,
    negation,
    scale,
    substitute,
    variable,
)
from tallystick.core.types import INT
from tallystick.decision.invariants.readable import normalised, simplify
from tallystick.decision.outcome import Differs, Proved
from tallystick.decision.prover import Prover
from tallystick.decision.service.portfolio import METHODS, decide

R = "r: RDD[int]"
RS = "r: RDD[int], s: RDD[int]"
KV = "s: RDD[tuple[int, int]]"
TO_TEN = "r.fold(0, lambda a, x: 0 if a >= 9 else a + 1)"
Pair = Callable[[str, str, str], tuple[Program, Program]]
x, y = variable("x", INT), variable("y", INT)

BY_TEMPLATES = {
    "a counter reset at 5 is one reset at 10, modulo 5": (
        R,
        "r.fold(0, lambda a, x: 0 if a >= 4 else a + 1) == 0",
        f"{TO_TEN} % 5 == 0",
    ),
    "a count modulo 5 is a count modulo 10, modulo 5": (
        R,
        "r.fold(0, lambda a, x: (a + 1) % 5)",
        "r.fold(0, lambda a, x: (a + 1) % 10) % 5",
    ),
    "a counter that saturates is a count, cut off": (
        R,
        "r.fold(0, lambda a, x: min(a + 1, 10))",
        "min(r.count(), 10)",
    ),
    "a flag is a count compared with 0": (R, "r.fold(False, lambda a, x: True)", "r.count() > 0"),
    "a sum of positives is never negative": (R, "r.filter(above(0)).sum() >= 0", "True"),
}
BY_CLAUSES = {
    "some positive sum is some positive maximum": (
        R,
        "r.filter(above(0)).fold(0, plus) > 0",
        "r.fold(0, larger) > 0",
    ),
    "counters of elements of two bags": (
        RS,
        "r.fold(0, lambda a, x: min(a + 1, 3)) >= 2 and s.count() >= 1",
        "s.fold(0, lambda a, x: min(a + 1, 2)) >= 1 and r.count() >= 2",
    ),
    "a fold inside the UDF of a folded bag": (
        RS,
        "s.filter(above(r.fold(0, larger))).fold(0, plus)",
        "s.filter(from_on(r.map(lambda x: x + 1).fold(1, larger))).fold(0, plus)",
    ),
    "a bag filtered by a saturated count": (
        RS,
        "s.filter(above(min(r.count(), 3)))",
        "s.filter(above(r.fold(0, lambda a, x: a if a >= 3 else a + 1)))",
    ),
    "the invariant makes a fold independent of the order": (
        R,
        "r.map(abs).fold(0, lambda a, x: a + x if a >= 0 else a - 2 * x)",
        "r.fold(0, lambda a, x: a + abs(x))",
    ),
}
BY_JOINT_BUCKETS = {
    "keys with at least 3 values": (
        KV,
        "s.foldByKey(0, count).filter(lambda p: p[1] >= 3).keys()",
        "s.foldByKey(0, lambda a, v: a if a >= 3 else a + 1).filter(lambda p: p[1] == 3).keys()",
    ),
    "keys with a positive value": (
        KV,
        "s.filter(lambda p: p[1] > 0).foldByKey(0, plus).keys()",
        "s.foldByKey(0, larger).filter(lambda p: p[1] > 0).keys()",
    ),
}
PROVED = {
    **{name: ("template_invariants", *pair) for name, pair in BY_TEMPLATES.items()},
    **{name: ("horn_invariants", *pair) for name, pair in BY_CLAUSES.items()},
    **{name: ("horn_by_key", *pair) for name, pair in BY_JOINT_BUCKETS.items()},
}
DIFFERENT = {
    "counters to 5 and to 10": (R, "r.fold(0, lambda a, x: (a + 1) % 5) == 0", f"{TO_TEN} == 0"),
    "a counter that saturates too early": (R, "r.count() >= 7", "min(r.count(), 6) >= 7"),
    "a sum of positives and a maximum": (R, "r.filter(above(0)).fold(0, plus) > 5", "r.fold(0, larger) > 5"),
    "a fold inside a UDF": (
        RS,
        "s.filter(above(r.count())).fold(0, count) > 2",
        "s.filter(above(min(r.count(), 4))).fold(0, count) > 2",
    ),
    "keys with 3 values, and with more": (
        KV,
        "s.foldByKey(0, count).filter(lambda p: p[1] == 3).keys()",
        "s.foldByKey(0, lambda a, v: a if a >= 3 else a + 1).filter(lambda p: p[1] == 3).keys()",
    ),
}


def methods(*names: str) -> dict:
    return {name: METHODS[name] for name in ("no_agg", *names)}


@pytest.mark.parametrize("name", PROVED)
def test_the_method_alone_proves_its_pair(name: str, pair: Pair) -> None:
    method, *sources = PROVED[name]
    programs = pair(*sources)
    outcome = decide(*programs, Prover(), methods(method)).outcome
    assert isinstance(outcome, Proved), outcome
    assert method in outcome.methods
    assert kernel.equivalent(*programs, outcome.proof).oracles == frozenset()


@pytest.mark.parametrize("name", DIFFERENT)
def test_a_run_becomes_an_input_on_which_the_programs_differ(name: str, pair: Pair) -> None:
    programs = pair(*DIFFERENT[name])
    outcome = decide(*programs, Prover(), methods("template_invariants", "horn_invariants", "horn_by_key")).outcome
    assert isinstance(outcome, Differs), outcome
    refuting.inequivalent(*programs, outcome.environment)


def test_the_counterexample_is_the_run_that_spacer_found(pair: Pair) -> None:
    programs = pair(R, "r.fold(0, lambda a, x: a + 1 if x == 77 else a) >= 6", "False")
    outcome = decide(*programs, Prover(), methods("horn_invariants")).outcome
    assert isinstance(outcome, Differs), outcome
    assert outcome.method == "horn_invariants"
    assert outcome.environment == {programs[0].parameters[0]: {77: 6}}


def test_a_run_over_a_product_that_no_bags_have_is_no_counterexample(pair: Pair) -> None:
    """Seven pairs are no product of two bags if one of them has to have more than one and fewer than seven."""
    left = "r.cartesian(s).count() == 7 and r.count() == 2"
    programs = pair(RS, left, "False")
    outcome = decide(*programs, Prover(), methods("template_invariants", "horn_invariants")).outcome
    assert not isinstance(outcome, Proved | Differs), outcome


@pytest.mark.parametrize(
    ("name", "facts"),
    [
        ("a counter reset at 5 is one reset at 10, modulo 5", 3),
        ("a count modulo 5 is a count modulo 10, modulo 5", 1),
    ],
)
def test_the_invariant_says_that_one_counter_is_the_other_modulo_5(name: str, facts: int, pair: Pair) -> None:
    outcome = decide(*pair(*BY_TEMPLATES[name]), Prover(), methods("template_invariants")).outcome
    assert isinstance(outcome, Proved)
    assert isinstance(outcome.proof.rule, Fold)
    one, other = outcome.proof.rule.accumulators
    found = outcome.proof.rule.invariant
    conjuncts = found.arguments if found.operator is Operator.AND else (found,)
    assert equal(one, build(Operator.MOD, (other,), 5)) in conjuncts
    assert len(conjuncts) <= facts


def test_a_solution_satisfies_its_clauses() -> None:
    known, wrong = Fact("Inv", (x, y)), less(add(x, y), constant(0))
    first, moved = {x: constant(0), y: constant(1)}, {x: add(x, constant(2)), y: add(y, scale(-1, x), constant(1))}
    clauses = [
        Clause(None, TRUE, Fact("Inv", tuple(first.values()))),
        Clause(known, less(x, y), Fact("Inv", tuple(moved.values()))),
        Clause(known, wrong, None),
    ]
    answer = solve({"Inv": (x, y)}, clauses, 5)
    assert isinstance(answer, Solution)
    found = answer.formulas["Inv"]
    required = (
        substitute(found, first),
        implies(conjunction(found, less(x, y)), substitute(found, moved)),
        implies(found, negation(wrong)),
    )
    assert isinstance(Prover().evidence(required), tuple)


def test_a_derivation_lists_the_facts_of_a_run() -> None:
    known = Fact("Inv", (x, y))
    clauses = [
        Clause(None, TRUE, Fact("Inv", (constant(0), constant(0)))),
        Clause(known, TRUE, Fact("Inv", (add(x, constant(1)), add(y, constant(3))))),
        Clause(known, less(constant(5), y), None),
    ]
    answer = solve({"Inv": (x, y)}, clauses, 5)
    assert answer == Derivation((Fact("Inv", (0, 0)), Fact("Inv", (1, 3)), Fact("Inv", (2, 6))))


def test_clauses_without_a_quick_answer_end_at_the_time_limit() -> None:
    known = Fact("Inv", (x, y))
    mixed = build(Operator.MOD, (add(x, y, x),), 97), build(Operator.MOD, (add(x, y),), 89)
    clauses = [
        Clause(None, TRUE, Fact("Inv", (constant(1), constant(1)))),
        Clause(known, TRUE, Fact("Inv", mixed)),
        Clause(known, conjunction(equal(x, constant(50)), equal(y, constant(51))), None),
    ]
    assert solve({"Inv": (x, y)}, clauses, 0.05) == NoAnswer("spacer: no answer within 0.05 seconds")


def test_simplify_drops_what_is_not_needed_and_makes_equations() -> None:
    bounds = conjunction(less_equal(x, y), less_equal(constant(0), x), less_equal(y, constant(9)))
    wanted = normalised(equal(x, y))
    assert simplify(bounds, lambda found: wanted in (found, *found.arguments) or found is bounds) is wanted
    assert simplify(bounds, lambda found: found is bounds) is bounds
