"""Monomials: what a bag expression does with arbitrary elements of its input bags."""

from itertools import product
from math import prod

import pytest
from hypothesis import given
from strategies import INPUTS, PAIR, bag_expressions, environments
from tallystick.core.errors import FragmentError
from tallystick.core.interpreter import evaluate
from tallystick.core.monomials import monomials, plain
from tallystick.core.program_terms import program_terms
from tallystick.core.terms import (
    TRUE,
    Operator,
    accumulator,
    add,
    build,
    constant,
    element,
    less,
    row,
    scale,
    tuple_of,
)
from tallystick.core.types import INT

R, S, K = INPUTS
X0, X1 = row(0, INT), row(1, INT)
SMALL = build(Operator.FILTER, (less(element(INT), K), R))


def choices(monomial, environment):
    """Each choice of one element for each slot, and its multiplicity."""
    for chosen in product(*(environment[bag].items() for bag in monomial.sources)):
        elements = dict(zip(monomial.slots, (value for value, _ in chosen), strict=True))
        yield environment | elements, prod(count for _, count in chosen)


@given(bag_expressions(), environments())
def test_an_expression_is_the_sum_of_its_monomials(expression, environment):
    total = {}
    for monomial in monomials(expression):
        for chosen, multiplicity in choices(monomial, environment):
            if evaluate(monomial.exists, chosen):
                value = evaluate(monomial.value, chosen)
                total[value] = total.get(value, 0) + multiplicity
    assert total == evaluate(expression, environment)


@given(bag_expressions())
def test_a_monomials_slots_are_its_only_representative_variables(expression):
    for monomial in monomials(expression):
        assert monomial.exists.rows | monomial.value.rows <= set(monomial.slots)
        assert list(monomial.sources) == sorted(monomial.sources, key=lambda bag: bag.parameter[0])


def test_a_filtered_element_stays_away_when_a_map_ignores_it():
    (monomial,) = monomials(build(Operator.MAP, (constant(1), SMALL)))
    assert (monomial.exists, monomial.value) == (less(X0, K), constant(1))


def test_both_sides_of_a_self_product_have_their_own_slots():
    (monomial,) = monomials(build(Operator.CARTESIAN, (SMALL, build(Operator.MAP, (scale(2, element(INT)), R)))))
    assert monomial.sources == (R, R)
    assert monomial.value is tuple_of(X0, scale(2, X1))
    assert monomial.exists is less(X0, K)


def test_a_product_of_unions_has_a_monomial_for_each_pair_of_summands():
    both = build(Operator.UNION, (R, build(Operator.MAP, (build(Operator.PROJECTION, (element(PAIR),), 0), S))))
    sources = [monomial.sources for monomial in monomials(build(Operator.CARTESIAN, (both, both)))]
    assert sources == [(R, R), (R, S), (R, S), (S, S)]


def test_slots_are_sorted_by_their_bags_wherever_these_occur():
    product_of_both = build(Operator.CARTESIAN, (S, build(Operator.CARTESIAN, (R, S))))
    (monomial,) = monomials(product_of_both)
    assert monomial.sources == (R, S, S)
    assert monomial.value is tuple_of(row(1, PAIR), tuple_of(row(0, INT), row(2, PAIR)))


def test_a_monomial_may_come_after_other_rows():
    (monomial,) = monomials(build(Operator.CARTESIAN, (R, S)))
    later = monomial.after(3)
    assert later.value is tuple_of(row(3, INT), row(4, PAIR))
    assert (later.exists, later.sources) == (TRUE, (R, S))


@pytest.mark.parametrize(
    ("expression", "told"),
    [
        (build(Operator.DISTINCT, (R,)), "distinct is not in the NoAgg class"),
        (
            build(Operator.FOLD_BY_KEY, (constant(0), add(accumulator(INT), element(INT)), S)),
            "an aggregate is not in the NoAgg class",
        ),
        (K, "variable is not in the NoAgg class"),
        (build(Operator.MAP, (row(0, INT), R)), "programs, and what is said of them, have no rows"),
    ],
)
def test_expressions_outside_of_the_class_are_refused(expression, told):
    with pytest.raises(FragmentError) as error:
        monomials(expression)
    assert str(error.value) == told


def test_plain_terms_pass():
    plain(R, K, SMALL)
    plain()


@pytest.mark.parametrize("translate", [monomials, program_terms])
@pytest.mark.parametrize(
    ("operator", "told"),
    [
        (Operator.UNION, "a bag expression has more than 64 summands"),
        (Operator.CARTESIAN, "a bag expression has more than 64 slots"),
    ],
)
def test_expressions_that_double_too_often_are_refused(translate, operator, told):
    expression = R
    for _ in range(6):
        expression = build(operator, (expression, expression))
    assert translate(expression)
    for _ in range(30):
        expression = build(operator, (expression, expression))
    with pytest.raises(FragmentError) as error:
        translate(expression)
    assert str(error.value) == told
