"""Each method of the papers: pairs that it proves, and pairs that it must not prove."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tallystick.certificates import kernel, refuting
from tallystick.core.programs import Program
from tallystick.decision.outcome import Differs, Proved
from tallystick.decision.prover import Prover
from tallystick.decision.service.portfolio import METHODS, decide
from tallystick.decision.service.settle import settle

R = "r: RDD[int]"
RS = "r: RDD[int], s: RDD[int]"
KV = "s: RDD[tuple[int, int]]"
Pair = Callable[[str, str, str], tuple[Program, Program]]

OF_THE_PAPERS = ("no_agg", "constant_fold", "agg_one", "agg_mult", "agg_one_sync", "agg_one_bag", "agg_one_key")

PROVED = {
    # fact: (method, parameters, left, right)
    "map and filter change places": (
        "no_agg",
        R,
        "r.map(lambda x: 2 * x).filter(lambda x: x < 100)",
        "r.filter(lambda x: x < 50).map(lambda x: 2 * x)",
    ),
    "empty on both sides, over different bags": (
        "no_agg",
        RS,
        "r.filter(lambda x: x < 0 and x > 0)",
        "s.filter(lambda x: x % 2 == 2)",
    ),
    "a self-product is symmetric": (
        "no_agg",
        R,
        "r.cartesian(r).map(lambda p: p[0] - p[1])",
        "r.cartesian(r).map(lambda p: p[1] - p[0])",
    ),
    "a bag is the union of its halves": (
        "no_agg",
        R,
        "r.filter(lambda x: x < 3).union(r.filter(lambda x: x >= 3))",
        "r",
    ),
    "unions distribute over products": (
        "no_agg",
        RS,
        "r.union(s).cartesian(r)",
        "s.cartesian(r).union(r.cartesian(r))",
    ),
    "a fold over nothing": (
        "constant_fold",
        R,
        "r.filter(lambda x: x != x).fold(7, plus)",
        "r.fold(7, lambda a, x: a)",
    ),
    "Lemma 2: a minimum with a discount": (
        "agg_one",
        R,
        "r.fold(1000, smaller) >= 100",
        "r.map(lambda x: x - 20).fold(1000, smaller) >= 80",
    ),
    "Lemma 6: independent folds (TR Example 5)": (
        "agg_mult",
        R,
        "(r.filter(lambda x: x >= 0).fold(0, plus), r.filter(lambda x: x < 0).fold(0, plus))",
        "r.fold((0, 0), lambda a, x: (a[0] + x, a[1]) if x >= 0 else (a[0], a[1] + x))",
    ),
    "a constant fold over another bag (TR Example 4)": (
        "agg_mult",
        RS,
        "r.fold(0, plus)",
        "r.fold(0, plus) + s.fold(0, lambda a, x: 0)",
    ),
    "sums modulo 5 by M2 = 3 * M1": (
        "affine_invariants",
        R,
        "r.fold(0, plus) % 5 == 0",
        "r.map(lambda x: 3 * x).fold(0, plus) % 5 == 0",
    ),
    "Theorem 3: a minimum with a discount, exactly": (
        "agg_one_sync",
        R,
        "r.fold(1000, smaller) == 100",
        "r.map(lambda x: x - 20).fold(1000, smaller) == 80",
    ),
    "a filter by a maximum": (
        "affine_invariants",
        RS,
        "s.filter(above(r.fold(0, larger)))",
        "s.filter(from_on(r.map(lambda x: x + 1).fold(1, larger)))",
    ),
    "Lemma 5: a bag filtered by the sign of a minimum": (
        "agg_one_bag",
        RS,
        "s.filter(above(0 if r.fold(9, smaller) < 0 else 5))",
        "s.filter(above(0 if r.map(lambda x: 2 * x).fold(9, smaller) < 0 else 5))",
    ),
    "a by-key sum of equal pairs": (
        "agg_one_key",
        KV,
        "s.filter(lambda p: p[1] >= 0).foldByKey(0, plus)",
        "s.filter(lambda p: p[1] > -1).foldByKey(0, plus)",
    ),
    "by-key buckets that exist on one side only": (
        "agg_one_key",
        KV,
        "s.map(lambda p: (p[1] // 10, p[0])).foldByKey(0, count).filter(lambda p: p[0] >= 6)",
        "s.filter(lambda p: p[1] >= 60).map(lambda p: (p[1] // 10, p[0])).foldByKey(0, count)",
    ),
    "keys renamed injectively": (
        "agg_one_key",
        KV,
        "s.foldByKey(0, plus).map(lambda p: (2 * p[0], p[1]))",
        "s.map(lambda p: (2 * p[0], p[1])).foldByKey(0, plus)",
    ),
    "a by-key sum joined with another bag": (
        "congruence",
        "s: RDD[tuple[int, int]], t: RDD[tuple[int, int]]",
        "s.foldByKey(0, plus).join(t)",
        "s.map(lambda p: (p[0], -p[1])).foldByKey(0, lambda a, v: a - v).join(t)",
    ),
    "a fold over a by-key fold": (
        "congruence",
        KV,
        "s.foldByKey(0, count).map(lambda p: p[1]).fold(0, larger)",
        "s.mapValues(lambda v: 1).foldByKey(0, plus).values().fold(0, larger)",
    ),
    "a fold inside the UDF of a folded bag": (
        "agg_one",
        RS,
        "s.filter(above(r.fold(0, larger))).fold(0, plus)",
        "s.filter(from_on(r.map(lambda x: x + 1).fold(1, larger))).fold(0, plus)",
    ),
    "a parameter of basic type": ("no_agg", R + ", k: int", "r.filter(above(k))", "r.filter(from_on(k + 1))"),
    "values without bags": ("no_agg", "k: int", "abs(k)", "max(k, -k)"),
}

DIFFERENT = {
    "one element is filtered out": (R, "r.map(lambda x: 2 * x)", "r.map(lambda x: 2 * x).filter(lambda x: x != 34)"),
    "a constant map must not forget the filter before it": (
        R,
        "r.filter(above(3)).map(lambda x: 1)",
        "r.map(lambda x: 1)",
    ),
    "the same constants from different bags (RepVarSet)": (RS, "r.map(lambda x: 1)", "s.map(lambda x: 1)"),
    "one variable does not stand for both sides of a self-product": (
        R,
        "r.cartesian(r).map(lambda p: p[0] - p[1])",
        "r.cartesian(r).map(lambda p: 0)",
    ),
    "multiplicities count": (R, "r.union(r)", "r"),
    "multiplicities of products count": (R, "r.cartesian(r).keys()", "r"),
    "Theorem 3 as printed misses the first element": (R, "r.fold(0, lambda a, x: 1)", "r.fold(0, lambda a, x: 2)"),
    "a sum per grade, relabelled, is no sum per decile": (
        KV,
        "s.foldByKey(0, plus).map(lambda p: (p[0] // 10, p[1]))",
        "s.map(lambda p: (p[0] // 10, p[1])).foldByKey(0, plus)",
    ),
    "histograms of different widths, mapped to a constant (CAV note 4)": (
        KV,
        "s.map(lambda p: (p[0] // 10, p[1])).foldByKey(0, count).map(lambda p: 1)",
        "s.foldByKey(0, count).map(lambda p: 1)",
    ),
    "a sum modulo 6": (R, "r.fold(0, plus) % 6 == 0", "r.map(lambda x: 3 * x).fold(0, plus) % 6 == 0"),
    "empty bags differ": (R, "r.fold(0, larger)", "-r.map(lambda x: -x).fold(100, smaller)"),
    "two elements are needed": (R, "r.fold(0, count) >= 2", "r.fold(0, count) >= 3"),
    "a rare element": (R, "r.fold(0, plus)", "r.map(lambda x: 0 if x == 7777 else x).fold(0, plus)"),
    "a parameter matters": (R + ", k: int", "r.filter(above(k))", "r.filter(above(k + 1))"),
}


@pytest.mark.parametrize("name", PROVED)
def test_method_proves_its_pair_and_the_kernel_agrees_without_oracles(name: str, pair: Pair) -> None:
    method, parameters, left, right = PROVED[name]
    programs = pair(parameters, left, right)
    methods = {name: each for name, each in METHODS.items() if name in (*OF_THE_PAPERS, "affine_invariants")}
    outcome = decide(*programs, Prover(), methods).outcome
    assert isinstance(outcome, Proved), outcome
    assert method in outcome.methods
    assert isinstance(decide(*programs, Prover()).outcome, Proved)
    assert kernel.equivalent(*programs, outcome.proof).oracles == frozenset()


@pytest.mark.parametrize("name", DIFFERENT)
def test_differing_programs_get_an_input_on_which_they_differ(name: str, pair: Pair) -> None:
    programs = pair(*DIFFERENT[name])
    outcome = decide(*programs, Prover()).outcome
    assert isinstance(outcome, Differs), outcome
    theorem = refuting.inequivalent(*programs, outcome.environment)
    assert theorem.outputs[0] != theorem.outputs[1]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", DIFFERENT)
def test_no_method_proves_differing_programs(name: str, method: str, pair: Pair) -> None:
    rest = {"no_agg": METHODS["no_agg"], method: METHODS[method]}
    assert not isinstance(decide(*pair(*DIFFERENT[name]), Prover(), rest).outcome, Proved)


def test_programs_with_distinct_are_in_no_class_with_a_complete_method(pair: Pair) -> None:
    programs = pair(R, "r.distinct().map(lambda x: x + 1)", "r.map(lambda x: x + 1).distinct()")
    assert settle(*programs, ("", ""), Prover()).complete is False
    assert settle(*pair(R, "r", "r.map(lambda x: x)"), ("", ""), Prover()).complete is True
