"""FOLD and BYKEY, the kernel's rules of induction: goals that they prove, and what they refuse.

Steps that must be refused on their form alone come with oracles that say yes to everything.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from tallystick.certificates import kernel
from tallystick.certificates.judgements import Goal
from tallystick.certificates.proofs import Oracle, Step
from tallystick.certificates.rules.by_key import ByKey
from tallystick.certificates.rules.fold import Fold, Preserved
from tallystick.certificates.rules.no_agg import NoAgg
from tallystick.core.interpreter import evaluate
from tallystick.core.terms import (
    FALSE,
    TRUE,
    Operator,
    Term,
    add,
    build,
    conjunction,
    constant,
    element,
    equal,
    implies,
    ite,
    less,
    less_equal,
    project,
    row,
    scale,
    tuple_of,
    variable,
)
from tallystick.core.types import BOOL, INT, BagType, TupleType

from certificates.examples import (
    BOTTOM,
    KV,
    M1,
    M2,
    ONE,
    PAIR,
    SUM,
    ZERO,
    A,
    P,
    Premises,
    R,
    S,
    X,
    buckets,
    by_key,
    cartesian,
    filtered,
    first_of,
    fold,
    folded,
    folded_by_key,
    mapped,
    negated,
    no_agg,
    refuted_premises,
    same_buckets,
    union,
    with_hints,
)

STATES = (M1, M2)
MATCHING = ((0, (0,)),)


# FOLD


def fold_premises(folds: tuple[Term, ...], states: tuple[Term, ...], invariant: Term) -> Premises:
    return Fold(folds, states, invariant).requirements(Goal(TRUE, ZERO, ZERO)).premises


def fold_over_both(udf: Term, bag: Term) -> tuple[Goal, tuple[Term, ...]]:
    total = folded(ZERO, udf, bag)
    return Goal(TRUE, total, ZERO), (total,)


def test_fold_has_a_false_premise_when_the_invariant_does_not_hold_initially() -> None:
    assert "initial" in refuted_premises(fold_premises((folded(ONE, SUM, R),), (M1,), equal(M1, ZERO)))


def test_fold_has_a_false_premise_when_a_step_breaks_the_invariant() -> None:
    required = fold_premises((folded(ZERO, SUM, R),), (M1,), equal(M1, ZERO))
    assert refuted_premises(required) == ["preserved by R"]


def test_fold_has_a_false_premise_when_order_matters() -> None:
    required = fold_premises((folded(ZERO, X, R),), (M1,), TRUE)
    assert refuted_premises(required) == ["order of M1 over summands 0 and 0"]


def test_fold_wants_order_not_to_matter_between_the_elements_of_one_step() -> None:
    """Theorem 3's style of synchrony: after both elements of a step the sum is 0, but between them it is not.

    The elements in ascending order are 0, 0, 1, 1, which ends at 2, although 0, 1, 0, 1 ends at 0.
    """
    udf = ite(equal(A, constant(2)), A, ite(equal(X, ZERO), add(A, ONE), add(A, scale(-1, ONE))))
    bag = union(mapped(ZERO, R), mapped(ONE, R))
    goal, folds = fold_over_both(udf, bag)
    assert evaluate(goal.left, {R: {5: 2}}) == 2
    required = fold_premises(folds, (M1,), equal(M1, ZERO))
    assert "order of M1 over summands 0 and 1" in refuted_premises(required)


def test_fold_has_a_premise_for_each_index_set_whatever_the_bags_are_called() -> None:
    """Bags called "R", "S" and "R × S" have steps of their own."""
    odd = variable("R × S", BagType(PAIR))
    folds = folded(ZERO, add(A, project(P, 0)), odd), folded(ZERO, add(A, project(P, 0)), cartesian(R, S))
    required = fold_premises(folds, STATES, equal(M1, ZERO))
    assert [str(each.about) for each in required if isinstance(each.about, Preserved)] == ["preserved by R × S"] * 2
    assert refuted_premises(required) == ["preserved by R × S"]


def test_fold_may_take_the_same_fold_twice() -> None:
    total = folded(ZERO, SUM, R)
    goal = Goal(TRUE, total, total)
    assert kernel.prove(goal, fold(goal, (total, total), STATES, equal(M1, M2))).goal == goal


def test_nested_folds_are_proved_from_the_inside() -> None:
    """filter(λx. x ≤ max(0, R)) of R with the maximum taken twice over."""
    largest = folded(ZERO, ite(less(A, X), X, A), R)
    left = filtered(less_equal(X, largest), R)
    right = filtered(negated(less(largest, X)), R)
    goal = Goal(TRUE, left, right)
    proof = fold(goal, (largest,), (M1,), TRUE, lambda rest: no_agg(rest, MATCHING))
    assert kernel.prove(goal, proof).goal == goal


def _wrong_folds() -> dict[str, tuple[Goal, Step]]:
    total, slot = folded(ZERO, SUM, R), row(0, INT)
    goal = Goal(TRUE, total, ZERO)
    leaf = Step(NoAgg(None), (Oracle("z3"),))
    good = Step(Fold((total,), (M1,), equal(M1, ZERO)), (Oracle("z3"),) * 3, (leaf,))
    captured = folded(ZERO, ite(equal(X, slot), A, add(A, ONE)), R)
    hidden = folded(ZERO, ite(equal(X, slot), A, add(A, ONE)), S)
    mentions = folded(ZERO, add(A, M1), S)
    by_keys = folded_by_key(ZERO, SUM, KV)
    nested = folded(ZERO, add(A, folded(ZERO, SUM, S)), R)
    return {
        "an accumulator in the hypothesis": (Goal(less(M1, ONE), total, ZERO), good),
        "an accumulator in a program": (Goal(TRUE, total, M1), good),
        "one accumulator twice": (
            Goal(TRUE, total, total),
            with_hints(good, folds=(total, total), accumulators=(M1, M1)),
        ),
        "one name twice": (
            Goal(TRUE, total, total),
            with_hints(good, folds=(total, total), accumulators=(M1, variable("M1", BOOL))),
        ),
        "fewer accumulators": (goal, with_hints(good, accumulators=())),
        "an accumulator of another type": (goal, with_hints(good, accumulators=(variable("M1", BOOL),))),
        "an accumulator that is no variable": (goal, with_hints(good, accumulators=(add(M1, ONE),))),
        "an accumulator with the name of a slot": (goal, with_hints(good, accumulators=(slot,))),
        "an invariant that is no formula": (goal, with_hints(good, invariant=M1)),
        "an invariant with an aggregate": (goal, with_hints(good, invariant=equal(M1, total))),
        "an invariant about a slot": (goal, with_hints(good, invariant=equal(M1, slot))),
        "an invariant with ⊥": (goal, with_hints(good, invariant=equal(first_of(M1, BOTTOM), ZERO))),
        "an invariant with a bound variable": (goal, with_hints(good, invariant=equal(X, ZERO))),
        "a parameter with the name of a slot": (Goal(TRUE, captured, ZERO), with_hints(good, folds=(captured,))),
        "a fold that occurs nowhere, with such a parameter": (goal, with_hints(good, folds=(hidden,))),
        "a fold that occurs nowhere and mentions an accumulator": (
            goal,
            with_hints(good, folds=(total, mentions), accumulators=STATES),
        ),
        "a by-key fold": (
            Goal(TRUE, by_keys, by_keys),
            with_hints(good, folds=(by_keys,), accumulators=(variable("B", by_keys.type),)),
        ),
        "no fold": (goal, with_hints(good, folds=(ZERO,))),
        "an aggregate in a UDF": (Goal(TRUE, nested, ZERO), with_hints(good, folds=(nested,))),
        "an aggregate in an initial value": (
            Goal(TRUE, folded(total, SUM, R), ZERO),
            with_hints(good, folds=(folded(total, SUM, R),)),
        ),
        "an aggregate in a folded bag": (
            Goal(TRUE, folded(ZERO, add(A, project(P, 1)), by_keys), ZERO),
            with_hints(good, folds=(folded(ZERO, add(A, project(P, 1)), by_keys),)),
        ),
        "a distinct bag": (
            Goal(TRUE, folded(ZERO, SUM, build(Operator.DISTINCT, (R,))), ZERO),
            with_hints(good, folds=(folded(ZERO, SUM, build(Operator.DISTINCT, (R,))),)),
        ),
        "evidence for fewer premises": (goal, replace(good, evidence=good.evidence[1:])),
    }


@pytest.mark.parametrize("name", _wrong_folds())
def test_fold_rejects(name: str) -> None:
    goal, step = _wrong_folds()[name]
    with pytest.raises(kernel.StepError, match=r"^proof(\.conclusion)?: "):
        kernel.prove(goal, step)


def test_fold_rejects_a_proof_of_another_conclusion() -> None:
    goal, folds = fold_over_both(SUM, filtered(FALSE, R))
    step = fold(goal, folds, (M1,), equal(M1, ZERO))
    other = no_agg(Goal(TRUE, M1, M1))
    assert other.evidence != step.subproofs[0].evidence
    with pytest.raises(kernel.StepError, match=r"^proof\.conclusion: premise 'equal values': "):
        kernel.prove(goal, replace(step, subproofs=(other,)))


# BYKEY

COUNT = add(A, ONE)


def by_key_premises(left: Term, right: Term, folds: tuple[Term, Term], invariant: Term) -> Premises:
    return ByKey(folds, buckets(), invariant).requirements(Goal(TRUE, left, right)).premises


def test_by_key_accepts_a_bucket_on_one_side_that_outputs_nothing() -> None:
    """Positive totals of positive values: buckets of filtered-out pairs exist on the left only."""
    positive = filtered(less(ZERO, project(P, 1)), KV)
    unfiltered = mapped(tuple_of(project(P, 0), ite(less(ZERO, project(P, 1)), project(P, 1), ZERO)), KV)
    folds = folded_by_key(ZERO, SUM, unfiltered), folded_by_key(ZERO, SUM, positive)
    left, right = (filtered(less(ZERO, project(P, 1)), total) for total in folds)
    one, other = buckets()
    invariant = conjunction(
        equal(one.accumulated, other.accumulated),
        implies(other.exists, conjunction(one.exists, equal(one.key, other.key))),
        implies(negated(other.exists), equal(other.accumulated, ZERO)),
        less_equal(ZERO, one.accumulated),
    )
    goal = Goal(TRUE, left, right)
    assert kernel.prove(goal, by_key(goal, folds, (one, other), invariant)).goal == goal
    required = by_key_premises(folds[0], folds[1], folds, invariant)
    assert "left output is right output" in refuted_premises(required)


def test_by_key_wants_keys_to_agree() -> None:
    """CAV footnote 4: sums per grade relabelled to deciles are no sums per decile."""
    grade = tuple_of(build(Operator.DIV, (project(P, 0),), 10), project(P, 1))
    folds = folded_by_key(ZERO, SUM, KV), folded_by_key(ZERO, SUM, mapped(grade, KV))
    required = by_key_premises(mapped(grade, folds[0]), folds[1], folds, same_buckets(buckets()))
    assert "keys agree" in refuted_premises(required)


def test_by_key_has_a_false_premise_for_wrong_invariants_outputs_and_orders() -> None:
    total, count = folded_by_key(ZERO, SUM, KV), folded_by_key(ZERO, COUNT, KV)
    one, other = buckets()
    same = conjunction(equal(one.exists, other.exists), equal(one.accumulated, other.accumulated))
    assert "preserved by an element" in refuted_premises(by_key_premises(total, count, (total, count), same))
    assert "left output is right output" in refuted_premises(by_key_premises(total, count, (total, count), TRUE))
    assert "initial" in refuted_premises(by_key_premises(total, count, (total, count), one.exists))
    last = folded_by_key(ZERO, X, KV)
    assert "order of total1 over summands 0 and 0" in refuted_premises(by_key_premises(last, last, (last, last), TRUE))
    fewer = filtered(less(ZERO, project(P, 0)), total)
    assert "right output exists only with left output" in refuted_premises(
        by_key_premises(fewer, total, (total, total), TRUE)
    )


def _wrong_by_keys() -> dict[str, tuple[Goal, Step]]:
    total, count = folded_by_key(ZERO, SUM, KV), folded_by_key(ZERO, COUNT, KV)
    pair = buckets()
    one, other = pair
    same = equal(one.exists, other.exists)
    good = Step(ByKey((total, count), pair, same), (Oracle("z3"),) * 7)
    goal = Goal(TRUE, total, count)
    first, summed = project(P, 0), folded(ZERO, add(A, project(P, 1)), total)
    counted = folded(ZERO, add(A, project(P, 1)), count)
    self_equal = ite(equal(summed, summed), P, P)
    twice = folded_by_key(ZERO, SUM, union(KV, KV))
    of_other = folded_by_key(ZERO, SUM, cartesian(R, R))
    slot = folded_by_key(ZERO, add(A, row(0, INT)), KV)
    return {
        "what follows is about another bag with pairs": (Goal(TRUE, mapped(first, KV), mapped(first, count)), good),
        "what follows is about both": (
            Goal(TRUE, mapped(project(project(element(TupleType((PAIR, PAIR))), 0), 0), cartesian(total, KV)), R),
            good,
        ),
        "what follows takes two pairs": (Goal(TRUE, cartesian(total, total), cartesian(count, count)), good),
        "what follows hides the by-key fold in a UDF": (
            Goal(TRUE, mapped(summed, total), mapped(counted, count)),
            good,
        ),
        "what follows drops the by-key fold": (Goal(TRUE, mapped(self_equal, KV), count), good),
        "what follows is a union": (Goal(TRUE, union(total, total), union(count, count)), good),
        "a by-key fold over a union": (Goal(TRUE, twice, count), with_hints(good, folds=(twice, count))),
        "by-key folds over different bags": (Goal(TRUE, of_other, count), with_hints(good, folds=(of_other, count))),
        "a fold": (Goal(TRUE, total, count), with_hints(good, folds=(folded(ZERO, SUM, R), count))),
        "buckets that share a variable": (goal, with_hints(good, buckets=(one, one))),
        "a bucket variable in a program": (
            Goal(TRUE, filtered(less(one.accumulated, project(P, 0)), total), count),
            good,
        ),
        "a bucket variable in the hypothesis": (Goal(less(one.key, ZERO), total, count), good),
        "a bucket variable of another type": (
            goal,
            with_hints(good, buckets=(replace(one, exists=variable("E", INT)), other)),
        ),
        "an invariant that is no formula": (goal, with_hints(good, invariant=one.key)),
        "an invariant with an aggregate": (goal, with_hints(good, invariant=equal(one.key, folded(ZERO, SUM, R)))),
        "a parameter with the name of a slot": (Goal(TRUE, slot, count), with_hints(good, folds=(slot, count))),
        "different types": (Goal(TRUE, mapped(first, total), count), good),
        "too little evidence": (goal, replace(good, evidence=good.evidence[1:])),
    }


@pytest.mark.parametrize("name", _wrong_by_keys())
def test_by_key_rejects(name: str) -> None:
    goal, step = _wrong_by_keys()[name]
    with pytest.raises(kernel.StepError, match=r"^proof: "):
        kernel.prove(goal, step)
