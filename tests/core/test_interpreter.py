"""The reference semantics: each operator on concrete values, and what cannot be evaluated."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import INPUTS, PAIR, bags, values
from tallystick.core.errors import EvaluationError
from tallystick.core.interpreter import Undefined, bag_of, evaluate, is_bag
from tallystick.core.terms import (
    Operator,
    accumulator,
    add,
    build,
    constant,
    element,
    equal,
    less,
    project,
    scale,
    tuple_of,
    variable,
)
from tallystick.core.types import BOOL, INT, BagType

R, S, K = INPUTS
X, P = variable("x", INT), variable("p", BOOL)
E, A = element(INT), accumulator(INT)
BOTTOM = build(Operator.BOTTOM, (), INT)
SUM = add(A, E)
SECOND_IS_3 = equal(project(element(PAIR), 1), constant(3))


def made(operator, *arguments, parameter=None):
    return build(operator, arguments, parameter)


@given(st.integers(), st.integers(1))
def test_division_is_pythons_for_positive_divisors(dividend, divisor):
    environment = {X: dividend}
    assert evaluate(made(Operator.DIV, X, parameter=divisor), environment) == dividend // divisor
    assert evaluate(made(Operator.MOD, X, parameter=divisor), environment) == dividend % divisor


@pytest.mark.parametrize(
    ("term", "value"),
    [
        (add(X, X, constant(1)), 9),
        (scale(-3, X), -12),
        (made(Operator.EQUAL, tuple_of(X, P), tuple_of(constant(4), P)), True),
        (less(X, constant(4)), False),
        (made(Operator.LESS_EQUAL, X, constant(4)), True),
        (made(Operator.NOT, P), False),
        (made(Operator.AND, P, P, made(Operator.NOT, P)), False),
        (made(Operator.OR, made(Operator.NOT, P), P), True),
        (made(Operator.PROJECTION, tuple_of(X, P), parameter=1), True),
        (made(Operator.ITE, P, X, BOTTOM), 4),
    ],
)
def test_a_basic_expression_has_a_value(term, value):
    assert evaluate(term, {X: 4, P: True}) == value


@pytest.mark.parametrize(
    "term",
    [
        BOTTOM,
        scale(0, BOTTOM),
        made(Operator.EQUAL, BOTTOM, BOTTOM),
        made(Operator.AND, constant(False), less(BOTTOM, X)),
        made(Operator.PROJECTION, made(Operator.TUPLE, X, BOTTOM), parameter=0),
        made(Operator.ITE, less(BOTTOM, X), X, X),
        made(Operator.ITE, P, BOTTOM, X),
    ],
)
def test_every_operator_but_the_conditional_is_strict(term):
    with pytest.raises(Undefined, match=r"^⊥$"):
        evaluate(term, {X: 4, P: True})


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        (made(Operator.MAP, constant(7), R), {7: 3}),
        (made(Operator.MAP, made(Operator.MOD, E, parameter=2), R), {1: 1, 0: 2}),
        (made(Operator.FILTER, less(E, constant(3)), R), {1: 1}),
        (made(Operator.UNION, R, R), {1: 2, 4: 4}),
        (made(Operator.DISTINCT, R), {1: 1, 4: 1}),
        (made(Operator.CARTESIAN, R, R), {(1, 1): 1, (1, 4): 2, (4, 1): 2, (4, 4): 4}),
        (made(Operator.FOLD, constant(100), SUM, R), 109),
        (made(Operator.FOLD, constant(0), add(A, constant(1)), R), 3),
        (made(Operator.FOLD, constant(0), SUM, made(Operator.FILTER, less(E, constant(0)), R)), 0),
        (made(Operator.FOLD_BY_KEY, constant(10), SUM, S), {(1, 16): 1, (2, 10): 1}),
        (made(Operator.FOLD_BY_KEY, constant(0), SUM, made(Operator.FILTER, SECOND_IS_3, S)), {(1, 6): 1}),
        (
            made(Operator.FILTER, less(made(Operator.FOLD, constant(0), SUM, R), scale(3, E)), R),
            {4: 2},
        ),
    ],
)
def test_an_operation_on_bags_has_the_value_of_the_papers(expression, value):
    assert evaluate(expression, {R: {1: 1, 4: 2}, S: {(1, 3): 2, (2, 0): 1}}) == value


@pytest.mark.parametrize(
    "operation",
    [
        made(Operator.MAP, constant(7), R),
        made(Operator.CARTESIAN, R, S),
        made(Operator.DISTINCT, R),
        made(Operator.FOLD_BY_KEY, constant(0), SUM, S),
    ],
)
def test_operations_on_empty_bags_return_empty_bags(operation):
    assert evaluate(operation, {R: {}, S: {}}) == {}


def test_a_fold_over_its_own_accumulated_differences_takes_ascending_elements():
    difference = add(scale(-1, A), E)
    assert evaluate(made(Operator.FOLD, constant(0), difference, R), {R: {5: 1, 1: 1, 3: 1}}) == 5 - (3 - (1 - 0))


@given(bags(PAIR))
def test_a_by_key_fold_is_a_fold_of_each_keys_values(bag):
    sums = {key: sum(v * n for (k, v), n in bag.items() if k == key) for key, _ in bag}
    assert evaluate(made(Operator.FOLD_BY_KEY, constant(0), SUM, S), {S: bag}) == dict.fromkeys(sums.items(), 1)


@given(st.lists(values(PAIR)))
def test_a_bag_of_elements_counts_them(elements):
    bag = bag_of(elements)
    assert is_bag(bag, BagType(PAIR))
    assert sorted(elements) == sorted(element for element, count in bag.items() for _ in range(count))


@pytest.mark.parametrize("value", [{1: 0}, {1: True}, {True: 1}, {1: -1}, [1], {(1,): 1}, {1: 1.0}])
def test_what_is_no_bag_of_integers_is_told_apart(value):
    assert not is_bag(value, BagType(INT))
    with pytest.raises(EvaluationError, match=r"^.* is no value of type Bag\[Int\]$"):
        evaluate(R, {R: value})


@pytest.mark.parametrize(
    ("term", "environment", "told"),
    [
        (X, {}, "no value is given for x"),
        (X, {X: True}, "True is no value of type Int"),
        (made(Operator.MAP, X, R), {R: {1: 1}}, "no value is given for x"),
        (E, {}, "element occurs outside of what binds it"),
        (A, {}, "accumulator occurs outside of what binds it"),
    ],
)
def test_what_cannot_be_evaluated_is_refused(term, environment, told):
    with pytest.raises(EvaluationError) as error:
        evaluate(term, environment)
    assert str(error.value) == told


@pytest.mark.parametrize(
    ("term", "environment"),
    [
        (made(Operator.FOLD, constant(0), SUM, R), {R: {1: 10**12}}),
        (made(Operator.CARTESIAN, R, R), {R: dict.fromkeys(range(100), 1)}),
        (made(Operator.MAP, scale(2, E), R), {R: dict.fromkeys(range(2000), 1)}),
    ],
)
def test_an_evaluation_stops_at_its_limit(term, environment):
    with pytest.raises(EvaluationError, match=r"^the evaluation takes more steps than its limit allows$"):
        evaluate(term, environment, step_limit=1000)


def test_multiplicities_cost_no_steps_but_in_folds():
    assert evaluate(made(Operator.MAP, scale(2, E), R), {R: {1: 10**9}}, step_limit=100) == {2: 10**9}
    assert evaluate(made(Operator.CARTESIAN, R, R), {R: {1: 10**9}}, step_limit=100) == {(1, 1): 10**18}
