"""Facts about joint buckets, congruence, and folds in stages: what they prove, and what they must not prove."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tallystick.certificates import kernel
from tallystick.certificates.codec import decode
from tallystick.certificates.proofs import Counterexample
from tallystick.certificates.rules.by_key import Bucket, _bucket_types, by_key_transitions, posts
from tallystick.core.interpreter import evaluate
from tallystick.core.programs import Program
from tallystick.core.terms import TRUE, free_variables
from tallystick.decision.invariants.bucket_facts import bucket_facts, sampled_buckets
from tallystick.decision.invariants.induction import Induction, index_set
from tallystick.decision.outcome import Differs, Goal, Proved, Unknown
from tallystick.decision.prover import Prover
from tallystick.decision.service.portfolio import METHODS, decide
from tallystick.decision.service.settle import settle

Pair = Callable[[str, str, str], tuple[Program, Program]]
R = "r: RDD[int]"
KV = "s: RDD[tuple[int, int]]"
TWO = "s: RDD[tuple[int, int]], t: RDD[tuple[int, int]]"
SUM, MAX = "reduceByKey(lambda a, b: a + b)", "reduceByKey(lambda a, b: max(a, b))"

PROVED = {
    # fact: (parameters, left, right, methods)
    "a bucket's state has a flag on one side only": (KV, f"s.{SUM}", "s.foldByKey(0, plus)", ["agg_one_key"]),
    "keys related by an equation": (
        R,
        "r.map(lambda x: (x // 5, x)).foldByKey(0, plus).map(lambda p: (5 * p[0] + 2, p[1]))",
        "r.map(lambda x: (x - x % 5 + 2, x)).foldByKey(0, plus)",
        ["agg_one_key"],
    ),
    "a bucket on one side only has the initial value": (
        KV,
        "s.mapValues(lambda v: v if v < 0 else 0).foldByKey(0, plus).filter(lambda p: p[1] < 0)",
        "s.filter(lambda p: p[1] < 0).foldByKey(0, plus)",
        ["agg_one_key"],
    ),
    "the results of by-key folds are equal, not the folds": (
        TWO,
        f"s.{SUM}.join(t)",
        "s.foldByKey(0, plus).join(t)",
        ["congruence", "agg_one_key", "reflexive"],
    ),
    "one fold over equal unions": (
        TWO,
        f"s.union(t).{MAX}",
        f"t.union(s).{MAX}",
        ["congruence", "no_agg", "reflexive"],
    ),
    "different folds over one union": (
        TWO,
        f"s.union(t).{SUM}",
        "s.union(t).foldByKey(0, plus)",
        ["congruence", "no_agg", "agg_one_key"],
    ),
    "one fold over a union and its summands in parts": (
        KV,
        f"s.{MAX}",
        f"s.filter(lambda p: p[1] > 0).union(s.filter(lambda p: p[1] == 0)).union(s.filter(lambda p: p[1] < 0)).{MAX}",
        ["congruence", "no_agg", "reflexive"],
    ),
    "three folds over one bag": (
        R,
        "r.filter(lambda x: x > 0).count()",
        "r.count() - r.filter(lambda x: x <= 0).count()",
        ["agg_mult", "no_agg"],
    ),
}

NOT_PROVED = {
    "other unions": (TWO, f"s.union(t).{SUM}", f"s.union(s).{SUM}"),
    "other folds over one union": (TWO, f"s.union(t).{SUM}", f"s.union(t).{MAX}"),
    "a bucket on one side only outputs something": (
        KV,
        "s.mapValues(lambda v: v if v < 0 else 0).foldByKey(0, plus)",
        "s.filter(lambda p: p[1] < 0).foldByKey(0, plus)",
    ),
    "keys that are related on a part only": (
        R,
        "r.map(lambda x: (x // 5, x)).foldByKey(0, plus)",
        "r.map(lambda x: (x // 5 if x < 100 else 20, x)).foldByKey(0, plus)",
    ),
}


@pytest.mark.parametrize(("parameters", "left", "right", "methods"), PROVED.values(), ids=PROVED)
def test_it_is_proved_and_the_kernel_agrees(parameters: str, left: str, right: str, methods: list[str], pair: Pair):
    before, after = pair(parameters, left, right)
    outcome = decide(before, after, Prover()).outcome
    assert isinstance(outcome, Proved), outcome
    assert list(outcome.methods) == methods
    assert kernel.equivalent(before, after, outcome.proof).oracles == frozenset()


@pytest.mark.parametrize(("parameters", "left", "right"), NOT_PROVED.values(), ids=NOT_PROVED)
def test_it_is_refuted(parameters: str, left: str, right: str, pair: Pair):
    assert isinstance(decide(*pair(parameters, left, right), Prover()).outcome, Differs)


def _joint(before: Program, after: Program):
    goal = Goal(TRUE, before.expression, after.expression)
    (one,), (other,) = goal.innermost_by_key
    buckets = tuple(
        Bucket(
            *(goal.fresh(f"{name}{n}", of) for name, of in zip("kEM", _bucket_types(fold), strict=True))  # type: ignore
        )
        for n, fold in enumerate((one, other))
    )
    return (one, other), posts((goal.left, goal.right), (one, other)), buckets


def test_facts_about_buckets_hold_on_every_sampled_run_and_each_combination_of_buckets_occurs(pair: Pair):
    programs = pair(KV, f"s.{SUM}.filter(lambda p: p[1] > 9)", f"s.filter(lambda p: p[1] > 3).{SUM}")
    folds, posts, buckets = _joint(*programs)
    states = sampled_buckets(folds, buckets, by_key_transitions(folds, buckets))
    assert {(state[buckets[0].exists], state[buckets[1].exists]) for state in states} == {
        (False, False),
        (True, False),
        (True, True),
    }
    facts = bucket_facts(folds, posts, buckets)
    assert facts
    for fact in facts:
        for state in states:
            assert evaluate(fact, {name: state[name] for name in free_variables(fact)}) is True


def test_a_first_stage_leaves_folds_that_run_beside_outer_ones(pair: Pair):
    before, after = pair(
        "r: RDD[int], s: RDD[int]",
        "(lambda total: r.filter(lambda x: x < total).count())(s.sum())",
        "(lambda total: r.count() - r.filter(lambda x: x >= total).count())(s.map(lambda y: y).sum())",
    )
    goal = Goal(TRUE, before.expression, after.expression)
    stage = Induction.first_stage(goal)
    assert stage is not None
    assert {name.parameter[0] for fold in stage.folds for name in index_set(fold)} == {"s"}  # type: ignore[index]
    assert len(Induction.over(goal).folds) > len(stage.folds)
    assert isinstance(decide(before, after, Prover()).outcome, Proved)


def test_there_is_no_first_stage_without_nested_folds(pair: Pair):
    before, after = pair(R, "r.sum()", "r.count()")
    assert Induction.first_stage(Goal(TRUE, before.expression, after.expression)) is None


def test_congruence_says_why_it_does_not_answer(pair: Pair):
    before, after = pair(
        KV, f"s.{SUM}.map(lambda p: (p[0] // 10, p[1])).{SUM}", f"s.map(lambda p: (p[0] // 10, p[1])).{SUM}"
    )
    decision = decide(before, after, Prover(), {"congruence": METHODS["congruence"]})
    assert isinstance(decision.outcome, Unknown)
    assert decision.reasons["congruence"] == "no two folded bags are equal and all that matters"


def test_a_parameter_that_no_program_uses_has_a_value_in_the_counterexample(pair: Pair):
    before, after = pair("r: RDD[int], k: int, s: RDD[int]", "r.count()", "r.count() + 1")
    settlement = settle(before, after, ("", ""), Prover())
    assert settlement.certificate is not None
    assert decode(settlement.certificate.encode()).result == Counterexample(({}, 0, {}), (0, 1))
