"""SET: distinct at the top and inside of programs; accepted, rejected and forged steps of the kernel's rule."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from sampling import examples
from tallystick.certificates import kernel, refuting
from tallystick.certificates.audit import audit
from tallystick.certificates.codec import decode, encode
from tallystick.certificates.evidence import Farkas
from tallystick.certificates.proofs import Certificate, Step
from tallystick.certificates.rules.distinct import Distinct
from tallystick.core.errors import KernelError
from tallystick.core.programs import Program
from tallystick.core.terms import (
    TRUE,
    Operator,
    Term,
    accumulator,
    add,
    build,
    conjunction,
    constant,
    element,
    equal,
    less,
    negation,
    project,
    scale,
    variable,
)
from tallystick.core.types import INT, BagType, TupleType
from tallystick.decision.methods.set_semantics import set_semantics
from tallystick.decision.outcome import Differs, Goal, Proved
from tallystick.decision.prover import Prover
from tallystick.decision.service.portfolio import METHODS, decide

from decision.conftest import alone, check_against_brute_force

r, s = variable("r", BagType(INT)), variable("s", BagType(INT))
x, pair_ = element(INT), element(TupleType((INT, INT)))
VALUES = (-2, 0, 1, 3)


def distinct(bag: Term) -> Term:
    return build(Operator.DISTINCT, (bag,))


def mapped(udf: Term, bag: Term) -> Term:
    return build(Operator.MAP, (udf, bag))


def kept(udf: Term, bag: Term) -> Term:
    return build(Operator.FILTER, (udf, bag))


def union(left: Term, right: Term) -> Term:
    return build(Operator.UNION, (left, right))


def times(left: Term, right: Term) -> Term:
    return build(Operator.CARTESIAN, (left, right))


def total(bag: Term) -> Term:
    return build(Operator.FOLD, (constant(0), add(accumulator(INT), element(INT)), bag))


first, second = (project(pair_, index) for index in range(2))
POSITIVE = less(constant(0), x)
SAME = {
    "repetitions do not count": (distinct(union(r, r)), distinct(r)),
    "a product with itself has the elements of the bag as its left components": (
        distinct(mapped(first, times(r, r))),
        distinct(r),
    ),
    "distinct twice": (distinct(distinct(r)), distinct(r)),
    "distinct before a map, under distinct": (
        distinct(mapped(scale(2, x), distinct(r))),
        distinct(mapped(scale(2, x), r)),
    ),
    "a filter of distinct is distinct of the filter": (kept(POSITIVE, distinct(r)), distinct(kept(POSITIVE, r))),
    "a product of distinct bags is distinct": (times(distinct(r), distinct(s)), distinct(times(r, s))),
    "an intersection is symmetric": (
        distinct(mapped(first, kept(equal(first, second), times(r, s)))),
        distinct(mapped(second, kept(equal(first, second), times(r, s)))),
    ),
    "an intersection with itself": (distinct(mapped(first, kept(equal(first, second), times(r, r)))), distinct(r)),
    "a self-join that only finds the element itself": (
        distinct(mapped(add(first, second), kept(equal(first, second), times(r, r)))),
        distinct(mapped(scale(2, x), r)),
    ),
    "subsumption: pairs that exceed one another are pairs of one": (
        distinct(union(kept(POSITIVE, r), r)),
        distinct(r),
    ),
}
INSIDE = {
    "a sum over a distinct bag": (total(distinct(union(r, s))), total(distinct(union(s, r)))),
    "a union of distinct bags": (union(distinct(r), distinct(s)), union(distinct(s), distinct(distinct(r)))),
    "a fold in the UDF of a filter of a distinct bag": (
        distinct(kept(less(total(s), x), r)),
        distinct(kept(less(total(mapped(x, s)), x), union(r, r))),
    ),
    "a sum of the doubles of distinct elements": (
        total(mapped(scale(2, x), distinct(union(r, r)))),
        scale(2, total(distinct(r))),
    ),
}
DIFFERENT = {
    "distinct or not": (distinct(r), r),
    "distinct after a map that is not injective": (
        mapped(build(Operator.MOD, (x,), 2), distinct(r)),
        distinct(mapped(build(Operator.MOD, (x,), 2), r)),
    ),
    "the same constant from different bags": (distinct(mapped(constant(1), r)), distinct(mapped(constant(1), s))),
    "all pairs are not the diagonal": (
        distinct(times(r, r)),
        distinct(kept(equal(first, second), times(r, r))),
    ),
    "a union of distinct bags may repeat": (union(distinct(r), distinct(s)), distinct(union(r, s))),
    "a sum of distinct elements": (total(distinct(r)), total(r)),
    "a product that may be empty": (distinct(mapped(first, times(r, s))), distinct(r)),
}


def programs(left: Term, right: Term) -> tuple[Program, Program]:
    return Program("left", (r, s), left), Program("right", (r, s), right)


@pytest.mark.parametrize("name", SAME)
def test_the_method_alone_proves_equal_sets(name: str) -> None:
    left, right = SAME[name]
    outcome = alone(set_semantics, Goal(TRUE, left, right))
    assert isinstance(outcome, Proved), outcome
    assert kernel.equivalent(*programs(left, right), outcome.proof).oracles == frozenset()


@pytest.mark.parametrize("name", INSIDE)
def test_distinct_inside_of_programs(name: str) -> None:
    pair = programs(*INSIDE[name])
    outcome = decide(*pair, Prover()).outcome
    assert isinstance(outcome, Proved), outcome
    assert {"set_semantics", "normal_forms"} & {*outcome.methods}
    assert kernel.equivalent(*pair, outcome.proof).oracles == frozenset()


@pytest.mark.parametrize("name", DIFFERENT)
def test_no_method_proves_different_bags_and_an_input_is_found(name: str) -> None:
    pair = programs(*DIFFERENT[name])
    for method in METHODS:
        assert not isinstance(alone(METHODS[method], Goal(TRUE, *DIFFERENT[name])), Proved)
    outcome = decide(*pair, Prover()).outcome
    assert isinstance(outcome, Differs), outcome
    refuting.inequivalent(*pair, outcome.environment)


@st.composite
def udfs(draw: DrawFn) -> Term:
    return draw(
        st.one_of(
            st.integers(-2, 2).map(constant),
            st.sampled_from((x, scale(-1, x), add(x, constant(1)), build(Operator.MOD, (x,), 2))),
        )
    )


@st.composite
def bags(draw: DrawFn, depth: int = 3) -> Term:
    """Bags of integers, of unions, self-products, filters and maps; distinct anywhere."""
    kind = draw(st.integers(0, 6)) if depth else 0
    below = bags(depth - 1)
    match kind:
        case 0:
            return draw(st.sampled_from((r, r, s)))
        case 1:
            return mapped(draw(udfs()), draw(below))
        case 2:
            return kept(draw(st.sampled_from((POSITIVE, negation(POSITIVE), less(x, constant(2))))), draw(below))
        case 3:
            return union(draw(below), draw(below))
        case 4:
            combine = draw(st.sampled_from((first, second, add(first, second), add(first, scale(-1, second)))))
            return mapped(combine, times(draw(bags(depth - 2 if depth > 1 else 0)), draw(bags(0))))
        case 5:
            both = conjunction(equal(first, second), negation(equal(first, constant(1))))
            return mapped(first, kept(both, times(draw(bags(depth - 2 if depth > 1 else 0)), draw(bags(0)))))
    return distinct(draw(below))


@settings(max_examples=examples(80))
@given(bags(), bags())
def test_sets_are_always_decided(left: Term, right: Term) -> None:
    left, right = distinct(left), distinct(right)
    check_against_brute_force(*programs(left, right), alone(set_semantics, Goal(TRUE, left, right)), VALUES)


def proof_of(name: str) -> tuple[tuple[Program, Program], Step]:
    pair = programs(*SAME[name])
    outcome = alone(set_semantics, Goal(TRUE, *SAME[name]))
    assert isinstance(outcome, Proved)
    assert isinstance(outcome.proof.rule, Distinct)
    return pair, outcome.proof


@pytest.mark.parametrize("name", SAME)
def test_a_certificate_round_trips_and_is_accepted(name: str) -> None:
    pair, proof = proof_of(name)
    data = encode(Certificate(*pair, "sparklite", ("", ""), (), (), (), proof))
    assert encode(decode(data)) == data
    report = audit(data, against=pair)
    assert report.accepted, report.reason
    assert dict(report.rules)["Distinct"] == 1


@pytest.mark.parametrize(
    ("name", "other"), [*product(("an intersection is symmetric", "repetitions do not count"), DIFFERENT)]
)
def test_a_forged_certificate_is_rejected(name: str, other: str) -> None:
    """The evidence for one pair, presented for a pair that differs."""
    _, proof = proof_of(name)
    report = audit(encode(Certificate(*programs(*DIFFERENT[other]), "sparklite", ("", ""), (), (), (), proof)))
    assert not report.accepted


def test_the_rule_rejects_bags_that_may_repeat_an_element() -> None:
    with pytest.raises(KernelError, match="SET relates bags that repeat nothing"):
        kernel.prove(Goal(TRUE, r, r), Step(Distinct()))


def test_the_rule_rejects_a_union_of_distinct_bags() -> None:
    side = union(distinct(r), distinct(s))
    with pytest.raises(KernelError, match="SET relates bags that repeat nothing"):
        kernel.prove(Goal(TRUE, side, side), Step(Distinct()))


def test_the_rule_rejects_a_map_of_a_distinct_bag() -> None:
    side = mapped(x, distinct(r))
    with pytest.raises(KernelError, match="SET relates bags that repeat nothing"):
        kernel.prove(Goal(TRUE, side, side), Step(Distinct()))


def test_the_rule_rejects_aggregates() -> None:
    side = distinct(kept(less(total(s), x), r))
    with pytest.raises(KernelError, match="an aggregate is not in the NoAgg class"):
        kernel.prove(Goal(TRUE, side, side), Step(Distinct()))


@pytest.mark.parametrize("change", ["less", "more", "bad"])
def test_the_rule_rejects_other_evidence(change: str) -> None:
    (left, right), proof = proof_of("an intersection is symmetric")
    found = {
        "less": proof.evidence[:-1],
        "more": (*proof.evidence, proof.evidence[0]),
        "bad": (Farkas(((0, 1),)), *proof.evidence[1:]),
    }[change]
    with pytest.raises(KernelError):
        kernel.equivalent(left, right, replace(proof, evidence=found))


def test_a_union_with_itself_is_no_second_summand() -> None:
    """Or this product would have 36 summands, with more ways to place slots than the rule allows."""
    twice = union(r, r)
    parts = [kept(less(x, constant(4)), twice), kept(negation(less(x, constant(4))), twice)]
    whole = union(union(*parts), kept(POSITIVE, twice))
    goal = Goal(TRUE, distinct(times(times(whole, whole), r)), distinct(times(times(r, r), r)))
    found = alone(set_semantics, goal)
    assert isinstance(found, Proved)
    assert kernel.prove(goal, found.proof).oracles == frozenset()


def test_the_rule_rejects_too_many_ways_to_place_slots() -> None:
    wide = times(times(r, r), times(times(r, r), r))
    with pytest.raises(KernelError, match="more than 720 ways"):
        kernel.prove(Goal(TRUE, distinct(wide), distinct(wide)), Step(Distinct()))
