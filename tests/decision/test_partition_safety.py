"""Partition safety: what is safe has one value in every partitioning, what is unsafe has two (THEORY section 5)."""

from __future__ import annotations

import dataclasses
import json
import random
from collections.abc import Callable, Iterable
from functools import reduce
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from sampling import examples
from strategies import terms
from tallystick.certificates.proofs import Oracle
from tallystick.certificates.search.answers import SearchLimits
from tallystick.core.errors import KernelError
from tallystick.core.interpreter import bag_of, evaluate
from tallystick.core.pretty import text
from tallystick.core.terms import (
    TRUE,
    Operator,
    Term,
    accumulator,
    apply,
    build,
    constant,
    element,
    equal,
    less_equal,
    project,
    row,
    tuple_of,
    variable,
)
from tallystick.core.types import INT, BagType, TupleType
from tallystick.decision.partitioning.deciding import Undecided, Unsafe, decide_partitions
from tallystick.decision.partitioning.safety import Safe, audited, merge_function
from tallystick.decision.partitioning.spark_folds import Partitioning, SparkMeaning, partitionings
from tallystick.decision.partitioning.wire import answer, question, read_answer, read_question
from tallystick.decision.prover import Prover
from tallystick.decision.service.process import ProverProcess
from tallystick.frontends.pyspark import FoldCall
from tallystick.frontends.rdd import read_program

from .conftest import PRELUDE

R = "r: RDD[int]"
KV = "s: RDD[tuple[int, int]]"
BOTH = "r: RDD[int], s: RDD[int]"
Calls = Callable[[str, str], list[FoldCall]]
MODULO = "lambda a, x: (a + x) % 5"

SAFE = {
    # fact: (parameters, expression, what the proof needs to know of accumulated values)
    "a sum from 0": (R, "r.fold(0, plus)", "true"),
    "a maximum from 0, even of negative numbers: it is a fold from 0 in both readings": (
        R,
        "r.fold(0, larger)",
        "M ≥ 0",
    ),
    "a minimum from 1000": (R, "r.fold(1000, smaller)", "M ≤ 1000"),
    "a minimum from a parameter": (R + ", k: int", "r.fold(k, smaller)", "M ≤ k"),
    "a sum modulo 5": (R, f"r.fold(0, {MODULO})", "M ≥ 0 ∧ M ≤ 4"),
    "a sum that stops at 100": (
        R,
        "r.map(abs).fold(0, lambda a, x: min(a + x, 100))",
        "M ≥ 0 ∧ M ≤ 100",
    ),
    "a sum of absolute values: sums of these are their own": (R, "r.fold(0, lambda a, x: a + abs(x))", "M ≥ 0"),
    "a sum and a count of pairs made first": (
        R,
        "r.map(lambda x: (x, 1)).fold((0, 0), lambda a, x: (a[0] + x[0], a[1] + x[1]))",
        "true",
    ),
    "minimum and maximum at once": (
        R,
        "r.map(lambda x: (x, x)).fold((9, -9), lambda a, x: (min(a[0], x[0]), max(a[1], x[1])))",
        "p₁(M) ≤ 9 ∧ p₂(M) ≥ -9",
    ),
    "a conjunction from False stays False": (
        R,
        "r.map(lambda x: x > 3).fold(False, lambda a, x: a and x)",
        "¬M",
    ),
    "a maximum with a sentinel that no element is": (
        R,
        "r.filter(lambda x: x >= 0).fold(-1, lambda a, x: x if a == -1 else max(a, x))",
        "M ≥ -1",
    ),
    "a sum that notices odd numbers, of even ones": (
        R,
        "r.map(lambda x: 2 * x).fold(0, lambda a, x: a + x if a % 2 == 0 else 0)",
        "M mod 2 = 0",
    ),
    "a sum over a union": (BOTH, "r.union(s).fold(0, plus)", "true"),
    "a sum over a product": (BOTH, "r.cartesian(s).map(lambda p: p[0] + p[1]).fold(0, plus)", "true"),
    "a sum over what distinct leaves": (R, "r.distinct().fold(0, plus)", "true"),
    "a sum of sums by key": (KV, "s.foldByKey(0, plus).values().fold(0, plus)", "true"),
    "a fold that returns its zero": (R, "r.fold(3, lambda a, x: a)", "true"),
    "a sum by key": (KV, "s.foldByKey(0, plus)", "true"),
    "by key, a constant: no key is without elements": (KV, "s.foldByKey(0, lambda a, x: 7)", "true"),
    "a reduction by key": (KV, "s.reduceByKey(larger)", "true"),
    "a reduction by key that adds 1 each time it combines": (KV, "s.reduceByKey(lambda a, b: a + b + 1)", "true"),
}

UNSAFE: dict[str, tuple[str, str, Any, Any]] = {
    # fact: (parameters, expression, two partitionings, two values)
    "a count by fold counts partitions": (R, "r.fold(0, count)", ([[0, 0]], [[0], [0]]), (1, 2)),
    "a sum from 5 adds 5 for each partition and once more": (
        R,
        "r.fold(5, plus)",
        ([[0, 0]], [[0], [0]]),
        (10, 15),
    ),
    "a sum modulo 5 from 7": (R, f"r.fold(7, {MODULO})", ([[0, 0]], [[0], [0]]), (4, 1)),
    "a zero that is a parameter": (R + ", k: int", "r.fold(k, plus)", ([[0, 0]], [[0], [0]]), (2, 3)),
    "the last element depends on the order": (R, "r.fold(0, lambda a, x: x)", ([[0, 1]], [[1, 0]]), (1, 0)),
    "a sum that stops at 100 but may fall again": (
        R,
        "r.fold(0, lambda a, x: min(a + x, 100))",
        ([[-1, 101]], [[-1], [101]]),
        (100, 99),
    ),
    "a constant is not reached without partitions": (R, "r.fold(0, lambda a, x: 7)", ([[]], []), (7, 0)),
    "a count by key, of a key in two partitions": (
        KV,
        "s.foldByKey(0, count)",
        ([[(0, 0)] * 3], [[(0, 0)], [(0, 0)] * 2]),
        ({(0, 3): 1}, {(0, 2): 1}),
    ),
    "a sum by key from 5": (
        KV,
        "s.foldByKey(5, plus)",
        ([[(0, 0)] * 2], [[(0, 0)]] * 2),
        ({(0, 5): 1}, {(0, 10): 1}),
    ),
    "a difference by key depends on the order": (
        KV,
        "s.reduceByKey(lambda a, b: a - b)",
        ([[(0, 0), (0, 1)]], [[(0, 1), (0, 0)]]),
        ({(0, (-1, True)): 1}, {(0, (1, True)): 1}),
    ),
    "a count over a union": (BOTH, "r.union(s).fold(0, count)", ([[0, 0]], [[0], [0]]), (1, 2)),
    "a count over a product": (
        BOTH,
        "r.cartesian(s).keys().fold(0, count)",
        ([[0, 0]], [[0], [0]]),
        (1, 2),
    ),
    "a count of what a filter leaves": (
        R,
        "r.filter(above(7)).fold(0, count)",
        ([[8, 8]], [[8], [8]]),
        (1, 2),
    ),
    "a count of pairs, whose function gets counts where it takes pairs": (
        KV,
        "s.fold(0, count)",
        ([[(0, 0), (0, 1)]], [[(0, 0)], [(0, 1)]]),
        (1, 2),
    ),
}


@pytest.fixture
def calls(tmp_path: Path) -> Calls:
    """The calls that fold in an expression over given parameters."""

    def read(parameters: str, expression: str) -> list[FoldCall]:
        path = tmp_path / "jobs.py"
        path.write_text(f"{PRELUDE}\ndef job({parameters}):\n    return {expression}\n")
        return [call for call in read_program(f"{path}:job").folds if call.merge != "none"]

    return read


@pytest.mark.parametrize("fact", SAFE)
def test_a_safe_fold_has_a_proof_that_the_kernel_accepts_without_oracles(fact: str, calls: Calls) -> None:
    parameters, expression, invariant = SAFE[fact]
    for call in calls(parameters, expression):
        found = decide_partitions(call.term, call.merge, Prover())
        assert isinstance(found, Safe), found
        assert audited(call.term, _merge(call), found) == frozenset()
        assert text(found.invariant) == invariant


@pytest.mark.parametrize("fact", UNSAFE)
def test_an_unsafe_fold_has_two_partitionings_with_two_values(fact: str, calls: Calls) -> None:
    parameters, expression, spreads, values = UNSAFE[fact]
    call = calls(parameters, expression)[-1]
    found = decide_partitions(call.term, call.merge, Prover())
    assert isinstance(found, Unsafe), found
    assert found.witness is not None
    assert found.witness.partitionings == tuple(tuple(map(tuple, spread)) for spread in spreads)
    assert found.witness.values == values


def _merge(call: FoldCall) -> Term:
    function = merge_function(call.term, call.merge)  # type: ignore[arg-type]
    assert isinstance(function, Term)
    return function


@pytest.mark.parametrize(
    ("parameters", "expression", "reason"),
    [
        (
            KV,
            "s.fold(0, lambda a, x: a + x[1])",
            "merging gives its function a partial result of type Int for an element of type (Int, Int)",
        ),
        (
            R,
            "r.fold((0, 0), lambda a, x: (a[0] + x, a[1] + 1))",
            "merging gives its function a partial result of type (Int, Int) for an element of type Int",
        ),
        (
            R,
            "r.fold((0, 9), lambda a, x: (max(a[0], x), a[1]))",
            "merging gives its function a partial result of type (Int, Int) for an element of type Int",
        ),
    ],
)
def test_a_function_that_python_refuses_partial_results_makes_a_fold_unsafe_by_its_types(
    parameters: str, expression: str, reason: str, calls: Calls
) -> None:
    (call,) = calls(parameters, expression)
    found = decide_partitions(call.term, call.merge, Prover())
    assert found == Unsafe(reason, None)
    assert read_answer(call.term, call.merge, answer(call.term, found)) == (found, frozenset())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("parameters", "expression", "reason"),
    [
        (
            "r: RDD[bool]",
            "r.fold(0, lambda a, x: a + (1 if x else 0))",
            "merging gives its function a partial result of type Int for an element of type Bool; Python may accept it",
        ),
        (
            R,
            "r.fold((0, 0), lambda a, x: (a[0] + (1 if x == 3 else 0), 0))",
            "merging gives its function a partial result of type (Int, Int) for an element of type Int; "
            "Python may accept it",
        ),
        (
            R,
            "r.fold((0, 0), lambda a, x: (2 * x, 0))",
            "merging gives its function a partial result of type (Int, Int) for an element of type Int; "
            "Python may accept it",
        ),
        (
            KV,
            "s.fold(0, lambda a, x: a if a == 0 else x[1])",
            "merging gives its function a partial result of type Int for an element of type (Int, Int); "
            "Python may accept it",
        ),
        (
            KV,
            "s.fold(0, lambda a, x: a)",
            "its function gets results of partitions, of type Int, where it takes elements of type (Int, Int); "
            "Python may refuse them",
        ),
    ],
)
def test_what_python_makes_of_other_types_is_not_guessed(
    parameters: str, expression: str, reason: str, calls: Calls
) -> None:
    (call,) = calls(parameters, expression)
    assert decide_partitions(call.term, call.merge, Prover()) == Undecided(reason)


def test_a_proof_that_needs_an_invariant_beyond_the_candidates_is_not_found(calls: Calls) -> None:
    """The fold is safe: 5 is never reached, which is no bound, equation or residue."""
    (call,) = calls(R, "r.filter(above(9)).fold(0, lambda a, x: 77 if a == 5 else max(a, x))")
    reason = "the premise 'unit' is not shown, and no small bag tells partitionings apart"
    assert decide_partitions(call.term, call.merge, Prover()) == Undecided(reason)


def test_count_sum_is_empty_and_groups_leave_nothing_to_decide(tmp_path: Path) -> None:
    path = tmp_path / "jobs.py"
    path.write_text(
        "from pyspark import RDD\n"
        "def job(r: RDD[int], s: RDD[tuple[int, int]]):\n"
        "    groups = s.groupByKey().mapValues(max).count()\n"
        "    return (r.count(), r.sum(), r.isEmpty(), groups, s.groupByKey().mapValues(len).count())\n"
    )
    assert {call.merge for call in read_program(f"{path}:job").folds} == {"none"}


# --- the proof is checked -------------------------------------------------------------------------------------------

BAG = variable("r", BagType(INT))
SUM = build(Operator.FOLD, (constant(0), build(Operator.ADD, (accumulator(INT), element(INT))), BAG))
BEST = build(
    Operator.FOLD,
    (
        constant(0),
        build(
            Operator.ITE,
            (build(Operator.LESS, (accumulator(INT), element(INT))), element(INT), accumulator(INT)),
        ),
        BAG,
    ),
)
COUNT = build(Operator.FOLD, (constant(0), build(Operator.ADD, (accumulator(INT), constant(1))), BAG))


def proof_of(term: Term) -> Safe:
    found = decide_partitions(term, "step", Prover())
    assert isinstance(found, Safe)
    return found


def forgeries() -> dict[str, tuple[Term, Safe]]:
    good, best = proof_of(SUM), proof_of(BEST)
    slot = row(0, INT)
    return {
        "evidence about another fold": (COUNT, good),
        "one piece of evidence is missing": (SUM, dataclasses.replace(good, evidence=good.evidence[:-1])),
        "one piece of evidence too many": (SUM, dataclasses.replace(good, evidence=(*good.evidence, good.evidence[0]))),
        "no evidence at all": (SUM, dataclasses.replace(good, evidence=())),
        "an invariant that is needed is left out": (BEST, dataclasses.replace(best, invariant=TRUE)),
        "an invariant that nothing reaches": (
            BEST,
            dataclasses.replace(best, invariant=equal(variable("M", INT), constant(1))),
        ),
        "an invariant about an element": (SUM, dataclasses.replace(good, invariant=less_equal(slot, constant(0)))),
        "an invariant about another variable": (
            SUM,
            dataclasses.replace(good, invariant=less_equal(variable("x", INT), constant(0))),
        ),
    }


@pytest.mark.parametrize("forgery", forgeries())
def test_a_forged_proof_is_rejected(forgery: str) -> None:
    term, proof = forgeries()[forgery]
    with pytest.raises(KernelError):
        audited(term, term.arguments[1], proof)


def test_a_solvers_word_is_reported() -> None:
    good = proof_of(SUM)
    oracle = dataclasses.replace(good, evidence=(Oracle("z3"), *good.evidence[1:]))
    assert audited(SUM, SUM.arguments[1], oracle) == {"z3"}


def test_questions_and_answers_cross_between_processes_unchanged(calls: Calls) -> None:
    for expression in ("s.reduceByKey(lambda a, b: a - b)", "s.foldByKey(0, plus)", "s.fold(0, lambda a, x: a + x[1])"):
        (call,) = calls(KV, expression)
        assert read_question(question(call.term, call.merge)) == (call.term, call.merge)  # type: ignore[arg-type]
        found = decide_partitions(call.term, call.merge, Prover())
        assert read_answer(call.term, call.merge, answer(call.term, found)) == (found, frozenset())  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["results", "results_", "fold", "single", "inner1", "M"])
def test_parameters_may_have_the_names_of_questions(calls: Calls, name: str) -> None:
    (call,) = calls(f"{name}: RDD[tuple[int, int]], k: int", f"{name}.map(lambda x: (x[0], x[1] + k)).reduceByKey(max)")
    assert read_question(question(call.term, call.merge)) == (call.term, call.merge)  # type: ignore[arg-type]
    found = decide_partitions(call.term, call.merge, Prover())
    assert isinstance(found, Safe)
    assert read_answer(call.term, call.merge, answer(call.term, found)) == (found, frozenset())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("parameters", "expression"),
    [
        (KV, "s.reduceByKey(lambda a, b: a - b)"),
        ("s: RDD[tuple[int, float]]", "s.reduceByKey(lambda a, b: a - b)"),
        ("s: RDD[tuple[str, float]]", "s.map(lambda p: (p[0], (p[1], p[1]))).foldByKey((0, 0), lambda a, x: x)"),
        ("s: RDD[str]", "s.fold('', lambda a, x: x + a)"),
        ("s: RDD[tuple[bool, bool]]", "s.reduceByKey(lambda a, b: a and not b)"),
    ],
)
def test_witnesses_of_every_type_cross_as_json(parameters: str, expression: str, calls: Calls) -> None:
    (call,) = calls(parameters, expression)
    found = decide_partitions(call.term, call.merge, Prover())
    assert isinstance(found, Unsafe)
    data = json.loads(json.dumps(answer(call.term, found)))
    assert read_answer(call.term, call.merge, data) == (found, frozenset())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "change",
    [
        {"partitionings": [[[0, 0]], [[0, 0]]], "sources": None},
        {"partitionings": [[[0, 0]], [[0], [1]]], "sources": None},
        {"partitionings": [[[0, 0]], [[0], [False]]], "sources": None},
        {"sources": [[[0, 0]], [[0, 0]]]},
        {"environment": {}},
        {"partitionings": 7},
        {"partitionings": [[[{"exact": [1, 0]}]], [[0]]]},
    ],
    ids=[
        "one value",
        "other elements",
        "another type",
        "other partitions of the input",
        "no input",
        "no partitions",
        "no number",
    ],
)
def test_a_forged_witness_is_no_answer(change: dict[str, Any]) -> None:
    data = answer(COUNT, decide_partitions(COUNT, "step", Prover()))
    found, _ = read_answer(COUNT, "step", {**data, "witness": {**data["witness"], **change}})
    assert isinstance(found, Undecided)
    assert found.reason.startswith("a defect of the prover: its answer was rejected (")


@pytest.mark.parametrize("data", [{}, {"unsafe": "", "witness": None}, {"safe": "{}"}, {"unsafe": "", "witness": 1}])
def test_an_answer_without_grounds_is_no_answer(data: dict[str, Any]) -> None:
    found, _ = read_answer(SUM, "step", data)
    assert isinstance(found, Undecided)


def test_the_prover_in_its_process_decides_and_its_time_limit_holds() -> None:
    with ProverProcess() as prover:
        assert isinstance(prover.partition_safety(BEST, "step", "auto", 20)[0], Safe)
        found, _ = prover.partition_safety(COUNT, "step", "auto", 20)
        assert isinstance(found, Unsafe)
        found, _ = prover.partition_safety(BEST, "step", "auto", -0.9)
        assert isinstance(found, Undecided)


# --- Spark's meaning, simulated -------------------------------------------------------------------------------------


def test_the_simulation_folds_each_partition_and_then_the_results_from_zero() -> None:
    meaning = SparkMeaning(COUNT, COUNT.arguments[1], {BAG: {}})
    assert [meaning.value(spread) for spread in ((), ((),), ((), ()), ((7, 7, 7),), ((7,), (), (7, 7)))] == [
        0,
        1,
        2,
        1,
        3,
    ]


def test_the_partitionings_of_three_elements_are_all_orders_in_all_numbers_of_parts() -> None:
    found = list(partitionings((1, 2, 3)))
    assert len(found) == len(set(found)) == 6 * 4
    assert all(sorted(each for part in spread for each in part) == [1, 2, 3] for spread in found)
    assert list(partitionings((1, 1))) == [((1, 1),), ((1,), (1,))]
    assert list(partitionings(())) == [((),)]
    assert list(partitionings((), empty_parts=True)) == [((),), (), ((), ())]


def spark_value(term: Term, merge: Term, spread: Partitioning) -> Any:
    """Spark's meaning of a fold of integers, written again: on the reference interpreter, and key by key."""
    zero, udf, _ = term.arguments
    start = evaluate(zero, {})

    def folded(body: Term, state: Any, items: Iterable[Any]) -> Any:
        one, other = variable("A", INT), variable("B", INT)
        return reduce(lambda a, b: evaluate(apply(body, other, one), {one: a, other: b}), items, state)

    if term.operator is Operator.FOLD:
        return folded(merge, start, [folded(udf, start, part) for part in spread])
    results: dict[Any, list[Any]] = {}
    for part in spread:
        for key in {key for key, _ in part}:  # type: ignore[misc]
            values = [value for other, value in part if other == key]  # type: ignore[misc]
            results.setdefault(key, []).append(folded(udf, start, values))
    return {(key, folded(merge, first, rest)): 1 for key, (first, *rest) in results.items()}


@st.composite
def random_folds(draw: st.DrawFn) -> Term:
    """A fold or by-key fold of integers to an integer."""
    bound = (accumulator(INT), element(INT))
    udf = draw(st.one_of(terms(INT, bound, 2), st.sampled_from(_PROMISING)))
    zero = constant(draw(st.integers(-2, 2)))
    if draw(st.booleans()):
        return build(Operator.FOLD, (zero, udf, BAG))
    pairs = variable("s", BagType(TupleType((INT, INT))))
    return build(Operator.FOLD_BY_KEY, (zero, udf, pairs))


def _op(operator: Operator, *arguments: Term, parameter: Any = None) -> Term:
    return build(operator, arguments, parameter)


_A, _X = accumulator(INT), element(INT)
_TOTAL = _op(Operator.ADD, _A, _X)
_PROMISING = [
    _TOTAL,
    _op(Operator.ADD, _TOTAL, constant(1)),
    _op(Operator.MOD, _TOTAL, parameter=3),
    *(_op(Operator.ITE, _op(Operator.LESS, one, other), one, other) for one, other in ((_A, _X), (_X, _A))),
    _op(Operator.ITE, _op(Operator.LESS, constant(2), _TOTAL), constant(2), _TOTAL),
    _op(Operator.ITE, _op(Operator.EQUAL, _A, constant(0)), _X, _A),
    _op(Operator.ITE, _op(Operator.EQUAL, _X, constant(0)), _A, constant(1)),
]
LIMITS = SearchLimits(nodes=1000, seconds=1.0)


@settings(max_examples=examples(100), suppress_health_check=[HealthCheck.filter_too_much])
@given(random_folds(), st.lists(st.integers(-3, 3), max_size=4), st.randoms(use_true_random=False))
def test_spark_and_sparklite_agree_on_safe_folds_and_differ_where_a_witness_says(
    term: Term, elements: list[int], choice: random.Random
) -> None:
    merge = term.arguments[1]
    found = decide_partitions(term, "step", Prover(limits=LIMITS))
    if isinstance(found, Unsafe):
        assert found.witness is not None
        values = [spark_value(term, merge, spread) for spread in found.witness.partitionings]
        assert tuple(values) == found.witness.values
        assert values[0] != values[1]
        return
    assume(isinstance(found, Safe))
    items: list[Any] = elements if term.operator is Operator.FOLD else [(each % 2, each) for each in elements]
    expected = evaluate(term, {term.arguments[2]: bag_of(items)})
    spreads = list(partitionings(items, empty_parts=True))
    for spread in choice.sample(spreads, min(len(spreads), 12)):
        assert spark_value(term, merge, spread) == expected


def test_a_pair_is_no_number_of_the_fold(calls: Calls) -> None:
    """A reduction's accumulated values are pairs; the method returns their first components."""
    (call,) = calls(KV, "s.reduceByKey(plus)")
    state = accumulator(call.term.arguments[0].type)  # type: ignore[arg-type]
    assert call.result is project(state, 0)
    assert tuple_of(constant(0), build(Operator.CONSTANT, (), False)) is call.term.arguments[0]
