"""NOAGG with unions and self-products: random expressions are always decided, and agree with brute force."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from sampling import examples
from tallystick.certificates import kernel
from tallystick.core.programs import Program
from tallystick.core.terms import (
    TRUE,
    Operator,
    Term,
    add,
    build,
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
from tallystick.decision.methods.no_agg import no_agg
from tallystick.decision.outcome import Differs, Goal, Proved

from decision.conftest import alone, check_against_brute_force

r, s = variable("r", BagType(INT)), variable("s", BagType(INT))
x, pair = element(INT), element(TupleType((INT, INT)))
first, second = (project(pair, index) for index in range(2))
VALUES = (-1, 0, 2)


def mapped(udf: Term, bag: Term) -> Term:
    return build(Operator.MAP, (udf, bag))


def kept(udf: Term, bag: Term) -> Term:
    return build(Operator.FILTER, (udf, bag))


def union(*bags: Term) -> Term:
    result, *rest = bags
    for bag in rest:
        result = build(Operator.UNION, (result, bag))
    return result


def times(left: Term, right: Term) -> Term:
    return build(Operator.CARTESIAN, (left, right))


POSITIVE = less(constant(0), x)
SAME = {
    "a difference is antisymmetric": (
        mapped(add(first, scale(-1, second)), times(r, r)),
        mapped(add(second, scale(-1, first)), times(r, r)),
    ),
    "the square of a union is a sum of four products": (
        times(union(r, s), union(r, s)),
        union(times(r, r), times(r, s), times(s, r), times(s, s)),
    ),
    "ordered and equal pairs are all pairs, up to order": (
        union(
            mapped(add(first, second), kept(less(first, second), times(r, r))),
            mapped(add(first, second), kept(less(first, second), times(r, r))),
            mapped(scale(2, first), kept(equal(first, second), times(r, r))),
        ),
        mapped(add(first, second), times(r, r)),
    ),
    "values that swap between summands": (
        union(kept(POSITIVE, r), mapped(scale(-1, x), kept(negation(POSITIVE), r))),
        union(mapped(scale(-1, x), kept(negation(POSITIVE), r)), kept(POSITIVE, r)),
    ),
}
SAME["summands that agree only together"] = (
    union(kept(POSITIVE, r), mapped(constant(0), r)),
    union(mapped(constant(0), kept(POSITIVE, r)), kept(POSITIVE, r), mapped(constant(0), kept(negation(POSITIVE), r))),
)
DIFFERENT = {
    "twice is not once": (union(r, r), r),
    "a square is no double": (mapped(constant(0), times(r, r)), mapped(constant(0), union(r, r))),
    "a product of two bags is no square": (mapped(constant(0), times(r, s)), mapped(constant(0), times(r, r))),
    "left components of one product, right ones of another": (
        union(mapped(first, times(r, s)), mapped(second, times(r, s))),
        union(mapped(first, times(r, s)), mapped(first, times(r, s))),
    ),
    "pairs that are ordered are not half of all": (
        union(
            mapped(add(first, second), kept(less(first, second), times(r, r))),
            mapped(add(first, second), kept(less(first, second), times(r, r))),
        ),
        mapped(add(first, second), times(r, r)),
    ),
}


def programs(left: Term, right: Term) -> tuple[Program, Program]:
    return Program("left", (r, s), left), Program("right", (r, s), right)


@pytest.mark.parametrize("name", SAME)
def test_equal_polynomials_are_proved(name: str) -> None:
    outcome = alone(no_agg, Goal(TRUE, *SAME[name]))
    assert isinstance(outcome, Proved), outcome
    assert kernel.equivalent(*programs(*SAME[name]), outcome.proof).oracles == frozenset()


@pytest.mark.parametrize("name", DIFFERENT)
def test_different_polynomials_get_multiplicities_that_separate_them(name: str) -> None:
    outcome = alone(no_agg, Goal(TRUE, *DIFFERENT[name]))
    assert isinstance(outcome, Differs), outcome
    check_against_brute_force(*programs(*DIFFERENT[name]), outcome, VALUES)


@st.composite
def polynomials(draw: DrawFn, depth: int = 3) -> Term:
    """Bags of integers of degree at most 3, with unions, self-products, filters and maps that merge values."""
    kind = draw(st.integers(0, 4)) if depth else 0
    match kind:
        case 0:
            return draw(st.sampled_from((r, r, s)))
        case 1:
            udf = draw(st.sampled_from((constant(0), scale(-1, x), add(x, constant(1)), build(Operator.MOD, (x,), 2))))
            return mapped(udf, draw(polynomials(depth - 1)))
        case 2:
            return kept(draw(st.sampled_from((POSITIVE, negation(POSITIVE)))), draw(polynomials(depth - 1)))
        case 3:
            return union(draw(polynomials(depth - 1)), draw(polynomials(depth - 1)))
    combine = draw(st.sampled_from((first, second, add(first, second), add(first, scale(-1, second)), constant(1))))
    product = times(draw(polynomials(min(1, depth - 1))), draw(st.sampled_from((r, s))))
    condition = draw(st.sampled_from((TRUE, less(first, second), equal(first, second))))
    return mapped(combine, kept(condition, product))


@st.composite
def rewritten(draw: DrawFn) -> tuple[Term, Term]:
    """A bag, and the same bag taken apart and put together otherwise."""
    bag = draw(polynomials())
    test = draw(st.sampled_from((POSITIVE, less(x, constant(2)), equal(x, constant(0)))))
    parts = [kept(test, bag), kept(negation(test), bag)]
    other = union(*draw(st.permutations(parts)))
    more = draw(polynomials(2))
    return (union(bag, more), union(more, other)) if draw(st.booleans()) else (bag, other)


@settings(max_examples=examples(80))
@given(st.one_of(st.tuples(polynomials(), polynomials()), rewritten()))
def test_polynomials_are_always_decided(sides: tuple[Term, Term]) -> None:
    check_against_brute_force(*programs(*sides), alone(no_agg, Goal(TRUE, *sides)), VALUES)


@settings(max_examples=examples(40))
@given(rewritten())
def test_rewritten_polynomials_are_always_proved(sides: tuple[Term, Term]) -> None:
    assert isinstance(alone(no_agg, Goal(TRUE, *sides)), Proved)
