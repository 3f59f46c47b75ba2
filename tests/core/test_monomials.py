"""Monomials: what a bag expression does with arbitrary elements of its input bags."""

from itertools import product
from math import prod

import pytest
from hypothesis import given
from strategies import INPUTS, PAIR, bag_expressions, environments
from tallystick.core.errors import FragmentError
from tallystick.core.interpreter import evaluate
from tallystick.core.monomials import is_slot, monomials, plain, representative, shift
from tallystick.core.program_terms import program_terms
from tallystick.core.terms import (
    TRUE,
    Operator,
    accumulator,
    add,
    build,
    constant,
    element,
    free_variables,
    less,
    scale,
    tuple_of,
    variable,
)
from tallystick.core.types import INT, BagType

R, S, K = INPUTS
X0, X1 = representative(R, 0), representative(R, 1)
SMALL = build(Operator.FILTER, (less(element(INT), K), R))


def choices(degree, environment):
    """Each choice of one element for each slot, and its multiplicity."""
    slots = [(representative(bag, index), environment[bag]) for bag, count in degree for index in range(count)]
    for chosen in product(*(bag.items() for _, bag in slots)):
        elements = {slot: value for (slot, _), (value, _) in zip(slots, chosen, strict=True)}
        yield environment | elements, prod(count for _, count in chosen)


@given(bag_expressions(), environments())
def test_an_expression_is_the_sum_of_its_monomials(expression, environment):
    total = {}
    for monomial in monomials(expression):
        for chosen, multiplicity in choices(monomial.degree, environment):
            if evaluate(monomial.exists, chosen):
                value = evaluate(monomial.value, chosen)
                total[value] = total.get(value, 0) + multiplicity
    assert total == evaluate(expression, environment)


@given(bag_expressions())
def test_a_monomials_slots_are_its_only_representative_variables(expression):
    for monomial in monomials(expression):
        used = free_variables(monomial.exists) | free_variables(monomial.value)
        assert {term for term in used if is_slot(term)} <= set(monomial.slots)


def test_a_filtered_element_stays_away_when_a_map_ignores_it():
    (monomial,) = monomials(build(Operator.MAP, (constant(1), SMALL)))
    assert (monomial.exists, monomial.value) == (less(X0, K), constant(1))


def test_both_sides_of_a_self_product_have_their_own_slots():
    (monomial,) = monomials(build(Operator.CARTESIAN, (SMALL, build(Operator.MAP, (scale(2, element(INT)), R)))))
    assert monomial.degree == ((R, 2),)
    assert monomial.value is tuple_of(X0, scale(2, X1))
    assert monomial.exists is less(X0, K)


def test_a_product_of_unions_has_a_monomial_for_each_pair_of_summands():
    both = build(Operator.UNION, (R, build(Operator.MAP, (build(Operator.PROJECTION, (element(PAIR),), 0), S))))
    degrees = [monomial.degree for monomial in monomials(build(Operator.CARTESIAN, (both, both)))]
    assert degrees == [((R, 2),), ((R, 1), (S, 1)), ((R, 1), (S, 1)), ((S, 2),)]


def test_shifting_renumbers_the_slots_of_the_given_bags():
    (monomial,) = monomials(build(Operator.CARTESIAN, (R, S)))
    shifted = shift(monomial, {R: 3})
    assert shifted.value is tuple_of(representative(R, 3), representative(S, 0))
    assert (shifted.exists, shifted.degree) == (TRUE, monomial.degree)


@pytest.mark.parametrize(
    ("expression", "told"),
    [
        (build(Operator.DISTINCT, (R,)), "distinct is not in the NoAgg class"),
        (
            build(Operator.FOLD_BY_KEY, (constant(0), add(accumulator(INT), element(INT)), S)),
            "an aggregate is not in the NoAgg class",
        ),
        (K, "variable is not in the NoAgg class"),
        (variable("R#0", BagType(INT)), "names of parameters do not contain '#'"),
        (build(Operator.MAP, (representative(R, 0), R)), "names of parameters do not contain '#'"),
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
