"""D and V against the interpreter, where ⊥ is an exception, and the errata about ⊥."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from sampling import examples
from strategies import BOTTOMS, INPUTS, VARIABLES, environments, formulas, terms
from tallystick.core.definedness import CONNECTIVES, defined, holds, literal, value
from tallystick.core.errors import FragmentError
from tallystick.core.interpreter import Undefined, evaluate
from tallystick.core.pretty import text
from tallystick.core.terms import FALSE, TRUE, Operator, build, constant, less, negation, scale, subterms, variable
from tallystick.core.types import BOOL, INT, TupleType

PARTIAL = (*VARIABLES, *BOTTOMS)
X = variable("x", INT)
BOTTOM = BOTTOMS[0]
SMALL = build(Operator.ITE, (less(X, constant(50)), X, BOTTOM))


def value_or_bottom(term, environment):
    try:
        return evaluate(term, environment)
    except Undefined:
        return None


def is_true(formula, environment):
    """The meaning of a formula by the interpreter alone: equality of elements, true atoms, two-valued connectives."""
    values = [is_true(part, environment) for part in formula.arguments if formula.operator in CONNECTIVES]
    match formula.operator:
        case Operator.NOT:
            return not values[0]
        case Operator.AND:
            return all(values)
        case Operator.OR:
            return any(values)
        case Operator.EQUAL:
            left, right = (value_or_bottom(side, environment) for side in formula.arguments)
            return left == right
    return value_or_bottom(formula, environment) is True


@pytest.mark.parametrize("of", [INT, BOOL, TupleType((INT, BOOL))], ids=str)
def test_a_term_is_bottom_just_where_the_interpreter_says(of):
    @given(terms(of, PARTIAL, 4), environments(VARIABLES))
    def check(term, environment):
        expected = value_or_bottom(term, environment)
        assert evaluate(defined(term), environment) == (expected is not None)
        assert expected is None or evaluate(value(term), environment) == expected

    check()


@given(terms(INT, PARTIAL, 4))
def test_d_and_v_have_no_bottom(term):
    translated = [*subterms(defined(term)), *subterms(value(term))]
    assert all(node.operator is not Operator.BOTTOM for node in translated)


@given(formulas(PARTIAL), environments(VARIABLES))
def test_a_formula_holds_just_where_the_interpreter_says(formula, environment):
    assert evaluate(holds(formula), environment) == is_true(formula, environment)


@settings(max_examples=examples(30))
@given(formulas())
def test_terms_without_bottom_are_always_defined(formula):
    assert defined(formula) is TRUE


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        # A boolean computed from a missing element is missing: not equal to false.
        (build(Operator.EQUAL, (less(SMALL, constant(9)), FALSE)), "x < 50 ∧ (x < 9) = false"),
        (build(Operator.EQUAL, (build(Operator.EQUAL, (SMALL, SMALL)), TRUE)), "x < 50"),
        (build(Operator.EQUAL, (SMALL, SMALL)), "x < 50 ∨ x ≥ 50"),
        (build(Operator.EQUAL, (BOTTOM, BOTTOM)), "true"),
        (build(Operator.EQUAL, (X, BOTTOM)), "false"),
        (negation(build(Operator.EQUAL, (X, BOTTOM))), "true"),
        (less(BOTTOM, X), "false"),
        (negation(less(BOTTOM, X)), "true"),
        (build(Operator.EQUAL, (scale(2, SMALL), BOTTOM)), "x ≥ 50"),
    ],
)
def test_only_the_equalities_of_a_formula_relate_bottom_to_bottom(formula, expected):
    assert text(holds(formula)) == expected


def test_a_conditional_is_as_defined_as_its_condition_and_the_branch_that_is_taken():
    condition = less(SMALL, constant(10))
    assert text(defined(build(Operator.ITE, (condition, X, X)))) == "x < 50"
    assert text(defined(build(Operator.ITE, (condition, BOTTOM, X)))) == "x < 50 ∧ x ≥ 10"
    assert text(defined(build(Operator.ITE, (less(X, constant(10)), BOTTOM, BOTTOM)))) == "false"


def test_shared_subterms_are_translated_once():
    term = SMALL
    for _ in range(200):
        term = build(Operator.ADD, (term, term))
    assert text(defined(term)) == "x < 50"
    assert value(term).operator is Operator.ADD


def test_bottom_inside_a_bag_and_what_is_no_formula_are_refused():
    with pytest.raises(FragmentError, match=r"^⊥ occurs inside map, an operation on bags$"):
        defined(build(Operator.MAP, (BOTTOM, INPUTS[0])))
    with pytest.raises(FragmentError, match=r"^a formula is of type Bool, and this is of type Int$"):
        holds(X)


def test_a_literal_has_its_value():
    assert evaluate(literal(((1, True), -2)), {}) == ((1, True), -2)
