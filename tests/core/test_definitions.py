"""Functions, parametric functions and let: what they mean, and that nothing is captured."""

import pytest
from hypothesis import given
from strategies import INPUTS, VARIABLES, environments, int_terms
from tallystick.core.definitions import Function, let
from tallystick.core.errors import SortError
from tallystick.core.interpreter import evaluate
from tallystick.core.terms import (
    Operator,
    accumulator,
    add,
    build,
    constant,
    element,
    less,
    less_equal,
    scale,
    variable,
)
from tallystick.core.types import BOOL, INT

R, S, K = INPUTS
X, Y, Z = VARIABLES[:3]
E, A = element(INT), accumulator(INT)
DOUBLE = Function("double", (X,), scale(2, X))
PLUS = Function("plus", (X, Y), add(X, Y))
GEQ = Function("geq", (Y, X), less_equal(Y, X))
BOTTOM = build(Operator.BOTTOM, (), INT)


@given(int_terms((X, Y, Z)), int_terms((X, Y, Z)), int_terms((X, Y, Z)), environments((X, Y, Z)))
def test_calling_a_function_is_evaluating_its_body_where_parameters_have_the_arguments(body, left, right, environment):
    inside = environment | {X: evaluate(left, environment), Y: evaluate(right, environment)}
    assert evaluate(Function("f", (X, Y), body)(left, right), environment) == evaluate(body, inside)


def test_an_argument_may_have_variables_with_the_names_of_parameters():
    assert PLUS(Y, X) is add(Y, X)
    assert PLUS(Y, scale(2, Y)) is add(Y, scale(2, Y))


def test_a_udf_may_call_functions():
    assert DOUBLE(PLUS(E, K)) is scale(2, add(E, K))
    assert DOUBLE.udf() is scale(2, E)
    assert PLUS.udf() is add(A, E)


def test_instantiating_a_parametric_function_captures_nothing():
    assert GEQ.udf(constant(100)) is less_equal(constant(100), E)
    assert GEQ.udf(X) is less_equal(X, E)
    assert Function("f", (X, Y, Z), add(X, Y, Z)).udf(Z) is add(Z, A, E)


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: PLUS(X), "plus takes (Int, Int), and is given (Int)"),
        (lambda: DOUBLE(variable("p", BOOL)), "double takes (Int), and is given (Bool)"),
        (lambda: GEQ.udf(E), "geq: what a parametric function is given mentions no bound variables"),
        (lambda: DOUBLE.udf(X), "double: a UDF has one parameter left, or two for a fold, and this has 0"),
        (
            lambda: Function("f", (X, Y, Z), X).udf(),
            "f: a UDF has one parameter left, or two for a fold, and this has 3",
        ),
        (
            lambda: Function("f", (X, X), X),
            "f: the parameters of a function are distinct variables of basic types",
        ),
        (lambda: Function("f", (), X), "f: the parameters of a function are distinct variables of basic types"),
        (lambda: Function("f", (R,), X), "f: the parameters of a function are distinct variables of basic types"),
        (lambda: Function("f", (E,), X), "f: the parameters of a function are distinct variables of basic types"),
        *(
            (
                lambda body=body: Function("f", (X,), body),
                "f: the body of a function is a basic expression over its parameters, without ⊥",
            )
            for body in (E, R, BOTTOM, build(Operator.FOLD, (X, add(A, E), R)))
        ),
    ],
)
def test_what_is_no_function_or_call_is_refused(call, told):
    with pytest.raises(SortError) as error:
        call()
    assert str(error.value) == told


def test_a_let_definition_uses_the_ones_before_it_and_hides_what_has_its_name():
    small = build(Operator.FILTER, (less(E, K), R))
    doubled = build(Operator.MAP, (DOUBLE.udf(), R))
    assert let([(R, doubled), (R, small)], R) is build(Operator.FILTER, (less(E, K), doubled))


def test_a_let_definition_is_not_captured_by_a_later_one():
    definitions = [(X, add(Y, constant(1))), (Y, constant(5))]
    assert let(definitions, add(X, Y)) is add(add(Y, constant(1)), constant(5))


def test_let_of_a_value_reaches_into_udfs():
    total = build(Operator.FOLD, (constant(0), PLUS.udf(), R))
    assert let([(X, total)], build(Operator.FILTER, (less(E, X), R))) is build(Operator.FILTER, (less(E, total), R))


@pytest.mark.parametrize(
    ("definition", "told"),
    [
        ((constant(1), X), "let defines variables, not constant"),
        ((X, E), f"cannot replace {X!r} by {E!r}: both must be closed, and of one type"),
        ((R, X), f"cannot replace {R!r} by {X!r}: both must be closed, and of one type"),
    ],
)
def test_what_is_no_definition_is_refused(definition, told):
    with pytest.raises(SortError) as error:
        let([definition], X)
    assert str(error.value) == told
