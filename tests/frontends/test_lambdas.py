"""Function objects, lambdas too, as functions from values to values."""

from __future__ import annotations

import functools
import operator

import pytest
from tallystick.core.interpreter import evaluate
from tallystick.core.terms import variable
from tallystick.core.types import INT
from tallystick.frontends.errors import SourceError
from tallystick.frontends.pyspark.functions import apply_function

X, Y = variable("x", INT), variable("y", INT)
base = 10


def value(function, x=0, y=0):
    """What a function of one or two numbers is read as, at these numbers."""
    arguments = [X] if function not in (operator.add, max) and function.__code__.co_argcount == 1 else [X, Y]
    applied = apply_function(function, lambda _: arguments)
    return evaluate(applied.value, {X: x, Y: y})


def refused(function):
    with pytest.raises(SourceError) as error:
        apply_function(function, lambda _: [X])
    return str(error.value)


def adding(number):
    return lambda x: x + number


def adding_pair(pair):
    def add_first(x):
        return x + pair[0] if pair[1] else x

    return add_first


def rebound(number):
    number = number + 1
    return lambda x: x + number


def with_another(function):
    return lambda x: function(x)


def inside():
    number = 5
    return (lambda x: lambda y: x + y)(number), (lambda x: x if x > number else -x)


def test_lambdas_are_told_apart_by_their_places():
    one, two = (lambda x: x + 1), (lambda x: x + 2)
    assert (value(one, 3), value(two, 3)) == (4, 5)
    inner, conditional = inside()
    assert (value(conditional, 9), value(conditional, 2)) == (9, -2)
    assert value(inner, 3) == 8


def test_a_lambda_whose_body_is_a_condition():
    either = lambda x: x if x > 3 else x + base if x > 1 else 0  # noqa: E731
    assert [value(either, x) for x in (4, 2, 0)] == [4, 12, 0]


def test_parameters_of_functions_around_have_the_values_that_they_had():
    assert [value(adding(number), 3) for number in (1, 2)] == [4, 5]
    assert value(adding_pair((7, True)), 3) == 10
    assert value(adding_pair((7, False)), 3) == 3


@pytest.mark.parametrize("number", ["text", 1.5, None, [1], object()])
def test_parameters_with_other_values_are_refused(number):
    assert "the value of `number` is not fixed by the text" in refused(adding(number))


def test_what_may_have_another_value_is_refused():
    assert "`number` is bound more than once" in refused(rebound(1))
    assert "`function` is not fixed by the text" in refused(with_another(abs))
    assert "made in a comprehension" in refused([lambda x: x + base for base in (1, 2)].pop())  # noqa: B023
    assert "made in a comprehension" in refused(next(lambda x: x + base for base in (1, 2)))  # noqa: B023


def test_builtins_and_operators_are_what_python_calls_so():
    assert value(operator.add, 2, 3) == 5
    assert value(max, 2, 3) == 3

    def max_(x):
        return x

    max_.__name__ = "max"
    assert value(max_, 2) == 2


@pytest.mark.parametrize("function", [print, functools.partial(operator.add, 1), operator.itemgetter(0), int.__add__])
def test_other_callables_are_refused(function):
    refused(function)


def test_a_function_of_a_text_that_is_not_there_is_refused():
    made = {}
    exec("made = lambda x: x", made)
    assert "the source text of <lambda> cannot be found" in refused(made["made"])
