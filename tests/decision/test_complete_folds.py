"""Linear aggregates and extrema: pairs for them alone, and random programs of their fragments, always decided."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from sampling import examples
from tallystick.certificates import kernel, refuting
from tallystick.certificates.rules.fold import Fold
from tallystick.core.pretty import text
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
    disjunction,
    element,
    equal,
    ite,
    less,
    less_equal,
    negation,
    scale,
    variable,
)
from tallystick.core.types import BOOL, INT, BagType
from tallystick.decision.methods.extrema import extrema
from tallystick.decision.methods.linear_aggregates import linear_aggregates
from tallystick.decision.outcome import Differs, Goal, Proved
from tallystick.decision.prover import Prover
from tallystick.decision.service.portfolio import METHODS, decide

from decision.conftest import alone, check_against_brute_force

R = "r: RDD[int]"
RS = "r: RDD[int], s: RDD[int]"
VALUES = (-3, 1, 4)
Pair = Callable[[str, str, str], tuple[Program, Program]]

POSITIVE = "r.filter(above(0))"
MARKS = "r.filter(lambda x: 0 <= x and x <= 100)"
PROVED = {
    # fact: (method, parameters, left, right)
    "an average of marks from 0 to 100 is at most 100": (
        "linear_aggregates",
        R,
        f"{MARKS}.sum() <= 100 * {MARKS}.count()",
        "True",
    ),
    "a sum of positives is 0 only without positives": (
        "linear_aggregates",
        R,
        f"{POSITIVE}.sum() == 0",
        f"{POSITIVE}.count() == 0",
    ),
    "sum of positives vs positive sums: as much when nothing is negative": (
        "linear_aggregates",
        R,
        f"{POSITIVE}.sum() - r.sum() == 0",
        "r.fold(0, lambda a, x: a - x if x < 0 else a) == 0",
    ),
    "nothing costs 7 in coins of 3 and 5": (
        "linear_aggregates",
        R,
        "r.fold(0, lambda a, x: a + 3 if x > 0 else a + 5) == 7",
        "False",
    ),
    "a sum of numbers that are 1 modulo 3 tells their count modulo 3": (
        "linear_aggregates",
        R,
        "r.filter(lambda x: x % 3 == 1).sum() % 3",
        "r.filter(lambda x: x % 3 == 1).count() % 3",
    ),
    "counts of two bags add up": ("linear_aggregates", RS, "r.count() + s.count()", "r.union(s).count()"),
    "one element altogether": (
        "linear_aggregates",
        RS,
        "r.count() + s.count() == 1",
        "max(r.count(), s.count()) == 1 and min(r.count(), s.count()) == 0",
    ),
    "a bag filtered by a count of positives, which is at most their sum": (
        "linear_aggregates",
        RS,
        f"s.filter(above({POSITIVE}.count()))",
        f"s.filter(above(min({POSITIVE}.sum(), {POSITIVE}.count())))",
    ),
    "sums of pairs below a line that no basis of integers straightens": (
        "linear_aggregates",
        "r: RDD[tuple[int, int]]",
        "r.filter(lambda p: 2 * p[0] <= 3 * p[1]).map(lambda p: 2 * p[0] - 3 * p[1]).sum() <= 0",
        "True",
    ),
    "count, sum and number of negatives in one fold, or in three": (
        "linear_aggregates",
        R,
        "r.fold((0, 0, 0), lambda a, x: (a[0] + 1, a[1] + x, a[2] + 1 if x < 0 else a[2]))",
        "(r.count(), r.sum(), r.filter(lambda x: x < 0).count())",
    ),
    "minimum and maximum from one number enclose it": (
        "extrema",
        R,
        "r.fold(0, larger) >= r.fold(0, smaller)",
        "True",
    ),
    "marks spread over at most 10": (
        "extrema",
        R,
        "r.filter(small).fold(0, larger) - r.filter(small).fold(10, smaller) > 10",
        "False",
    ),
    "some element is above 5 iff the maximum is": (
        "extrema",
        R,
        "r.fold(False, lambda a, x: a or x > 5)",
        "r.fold(0, larger) > 5",
    ),
    "a maximum of even numbers is even": ("extrema", R, "r.map(lambda x: 2 * x).fold(0, larger) % 2 == 0", "True"),
    "a maximum over a union": (
        "extrema",
        RS,
        "max(r.fold(0, larger), s.fold(0, larger))",
        "r.union(s).fold(0, larger)",
    ),
    "a maximum is shifted by a parameter": (
        "extrema",
        R + ", k: int",
        "r.map(lambda x: x + k).fold(k, larger)",
        "r.fold(0, larger) + k",
    ),
    "maxima of sums of pairs, from 0 and from 2": (
        "extrema",
        RS,
        "r.cartesian(s).map(lambda p: p[0] + p[1]).fold(0, larger) >= 5",
        "r.cartesian(s).map(lambda p: p[0] + p[1]).fold(2, larger) >= 5",
    ),
    "minimum and maximum in one fold": (
        "extrema",
        R,
        "r.fold((9, -9), lambda a, x: (min(a[0], x), max(a[1], x)))[0] > 3",
        "r.fold(9, smaller) >= 4",
    ),
}
DIFFERENT = {
    "fifty elements are needed": ("linear_aggregates", R, "r.count() >= 50", "r.count() >= 51"),
    "a sum needs many summands": (
        "linear_aggregates",
        R,
        "r.filter(lambda x: 0 <= x and x <= 7).sum() > 100 and r.count() < 16",
        "r.count() < 0",
    ),
    "a bag with 4 elements below a slanted line": (
        "linear_aggregates",
        "r: RDD[tuple[int, int]]",
        "r.filter(lambda p: 2 * p[0] <= 3 * p[1]).fold((0, 0), lambda a, p: (a[0] + p[0], a[1] + p[1])) == (30, 20)",
        "False",
    ),
    "witnesses of two bags": (
        "linear_aggregates",
        RS,
        "s.filter(above(r.count()))",
        "s.filter(above(min(r.count(), 12)))",
    ),
    "three witnesses": (
        "extrema",
        R,
        "r.fold(0, larger) >= 100 and r.fold(0, smaller) <= -100 and r.fold(False, lambda a, x: a or x == 7)",
        "False",
    ),
    "a maximum that only one number attains": (
        "extrema",
        R,
        "r.filter(lambda x: x % 1000 == 777).fold(0, larger) == 5777",
        "False",
    ),
}


@pytest.mark.parametrize("name", PROVED)
def test_the_method_alone_proves_its_pair(name: str, pair: Pair) -> None:
    method, *sources = PROVED[name]
    programs = pair(*sources)
    outcome = decide(*programs, Prover(), {each: METHODS[each] for each in ("no_agg", method)}).outcome
    assert isinstance(outcome, Proved), outcome
    assert kernel.equivalent(*programs, outcome.proof).oracles == frozenset()


@pytest.mark.parametrize("name", DIFFERENT)
def test_the_method_alone_finds_an_input(name: str, pair: Pair) -> None:
    method, *sources = DIFFERENT[name]
    programs = pair(*sources)
    outcome = alone(METHODS[method], Goal(TRUE, programs[0].expression, programs[1].expression))
    assert isinstance(outcome, Differs), outcome
    refuting.inequivalent(*programs, outcome.environment)


@pytest.mark.parametrize(
    ("method", "left"),
    [
        ("linear_aggregates", "r.fold(0, larger) >= 0"),
        ("linear_aggregates", "r.fold(0, lambda a, x: 2 * a) == 0"),
        ("linear_aggregates", "r.fold(0, lambda a, x: a + k) >= 0"),
        ("extrema", "r.fold(0, plus) >= 0"),
        ("extrema", "r.fold(0, lambda a, x: a + 1 if x > a else a) >= 0"),
        ("extrema", "r.fold((0, 0), lambda a, x: (x, a[1]) if x > a[1] else a)[0] >= 0"),
        ("extrema", "r.fold(0, lambda a, x: x) >= 0"),
    ],
)
def test_other_folds_are_none_of_the_method_s_business(method: str, left: str, pair: Pair) -> None:
    programs = pair(R + ", k: int", left, "True")
    assert alone(METHODS[method], Goal(TRUE, programs[0].expression, programs[1].expression)) is None


@pytest.mark.parametrize("value", ["str", "float"])
def test_values_that_are_no_ints_are_no_extrema(value: str, pair: Pair) -> None:
    zero = {"str": '""', "float": "0.0"}[value]
    programs = pair(f"r: RDD[{value}]", f"r.fold({zero}, larger) == {zero}", f"r.fold({zero}, larger) <= {zero}")
    assert alone(extrema, Goal(TRUE, programs[0].expression, programs[1].expression)) is None


def test_the_invariant_speaks_of_what_the_programs_depend_on(pair: Pair) -> None:
    """Sum and count of the marks matter only by 100 * count - sum."""
    programs = pair(*PROVED["an average of marks from 0 to 100 is at most 100"][1:])
    outcome = alone(linear_aggregates, Goal(TRUE, programs[0].expression, programs[1].expression))
    assert isinstance(outcome, Proved)
    assert isinstance(outcome.proof.rule, Fold)
    total, number = outcome.proof.rule.accumulators
    assert outcome.proof.rule.invariant is less_equal(total, scale(100, number))


@pytest.mark.parametrize(
    ("method", "left", "right", "invariant"),
    [
        ("extrema", "r.fold((9, -9), lambda a, x: (min(a[0], x), max(a[1], x)))[1] >= -9", "True", "p₂(M1) ≥ -9"),
        ("extrema", "r.map(lambda x: 2 * x).fold(0, larger) % 2", "0", "M1 = 0 ∨ M1 mod 2 = 0"),
        ("extrema", "r.fold(0, smaller) <= r.fold(0, larger)", "True", "M1 ≤ 0 ∧ M2 ≥ 0"),
        ("linear_aggregates", "r.union(r).sum() > 10", "r.sum() > 5", "M1 = 2*M2"),
        ("linear_aggregates", f"{POSITIVE}.count() >= 0 and r.count() >= 0", "True", "M1 ≥ 0 ∧ M2 ≥ 0"),
    ],
)
def test_the_invariant_says_only_what_the_goal_needs(
    method: str, left: str, right: str, invariant: str, pair: Pair
) -> None:
    programs = pair(R, left, right)
    outcome = alone(METHODS[method], Goal(TRUE, programs[0].expression, programs[1].expression))
    assert isinstance(outcome, Proved)
    assert isinstance(outcome.proof.rule, Fold)
    assert text(outcome.proof.rule.invariant) == invariant
    kernel.equivalent(*programs, outcome.proof)


r, s = variable("r", BagType(INT)), variable("s", BagType(INT))
x = element(INT)


@st.composite
def conditions(draw: DrawFn) -> Term:
    number = constant(draw(st.integers(-3, 6)))
    kind = draw(st.integers(0, 3))
    if kind == 0:
        return less(x, number)
    if kind == 1:
        return negation(less_equal(x, number))
    if kind == 2:
        return conjunction(less_equal(constant(-2), x), less_equal(x, number))
    return equal(build(Operator.MOD, (x,), draw(st.integers(2, 3))), constant(draw(st.integers(0, 1))))


@st.composite
def values(draw: DrawFn) -> Term:
    """A value that depends on the element, without multiplication of unknowns."""
    simple = st.one_of(
        st.integers(-3, 3).map(constant),
        st.sampled_from((x, scale(-1, x), scale(2, x), add(x, constant(3)))),
    )
    return draw(simple) if draw(st.booleans()) else ite(draw(conditions()), draw(simple), draw(simple))


@st.composite
def linear_folds(draw: DrawFn) -> Term:
    bag = draw(st.sampled_from((r, r, s)))
    return build(Operator.FOLD, (constant(draw(st.integers(-1, 2))), add(accumulator(INT), draw(values())), bag))


@st.composite
def extremal_folds(draw: DrawFn) -> Term:
    bag, state, value = draw(st.sampled_from((r, r, s))), accumulator(INT), draw(values())
    chosen = ite(less(state, value) if draw(st.booleans()) else less(value, state), value, state)
    step = ite(draw(conditions()), chosen, state) if draw(st.booleans()) else chosen
    return build(Operator.FOLD, (constant(draw(st.integers(-1, 2))), step, bag))


@st.composite
def flags(draw: DrawFn) -> Term:
    join = draw(st.sampled_from((conjunction, disjunction)))
    step = join(accumulator(BOOL), draw(conditions()))
    return build(Operator.FOLD, (constant(draw(st.booleans())), step, draw(st.sampled_from((r, s)))))


@st.composite
def claims(draw: DrawFn, folds: st.SearchStrategy[Term]) -> Term:
    """A comparison of integer folds."""
    left, right = draw(folds), add(draw(folds), constant(draw(st.integers(-3, 3))))
    kind = draw(st.integers(0, 3))
    if kind == 0:
        return equal(build(Operator.MOD, (left,), 2), build(Operator.MOD, (right,), 2))
    return (equal, less, less_equal)[kind - 1](left, right)


def programs_of(left: Term, right: Term) -> tuple[Program, Program]:
    return Program("left", (r, s), left), Program("right", (r, s), right)


@settings(max_examples=examples(60))
@given(claims(linear_folds()), st.one_of(claims(linear_folds()), st.booleans().map(constant)))
def test_linear_programs_are_always_decided(left: Term, right: Term) -> None:
    outcome = alone(linear_aggregates, Goal(TRUE, left, right))
    check_against_brute_force(*programs_of(left, right), outcome, VALUES)


@settings(max_examples=examples(25))
@given(
    claims(extremal_folds()),
    st.one_of(claims(extremal_folds()), flags(), st.booleans().map(constant)),
)
def test_extremal_programs_are_always_decided(left: Term, right: Term) -> None:
    outcome = alone(extrema, Goal(TRUE, left, right))
    check_against_brute_force(*programs_of(left, right), outcome, VALUES)


@settings(max_examples=examples(25))
@given(values(), values())
def test_the_sum_of_two_values_is_the_sum_of_both_sums(one: Term, other: Term) -> None:
    """Pairs that are equal by construction, so that proofs are exercised, not only inputs."""

    def total(value: Term) -> Term:
        return build(Operator.FOLD, (constant(0), add(accumulator(INT), value), r))

    left, right = total(add(one, other)), add(total(one), total(other))
    outcome = alone(linear_aggregates, Goal(TRUE, left, right))
    assert isinstance(outcome, Proved), outcome
    check_against_brute_force(*programs_of(left, right), outcome, VALUES)
