"""𝒩: each pass alone, the whole against the definedness translation and the interpreter, and the errata."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import BOTTOMS, INPUTS, VARIABLES, environments, formulas
from tallystick.core.definedness import holds
from tallystick.core.errors import FragmentError
from tallystick.core.interpreter import evaluate
from tallystick.core.normalize import PASSES, normalize, trace
from tallystick.core.normalize.bottom import absence, strictness
from tallystick.core.normalize.conditionals import LIFT_LIMIT, conditionals
from tallystick.core.normalize.division import division
from tallystick.core.normalize.tuples import tuples
from tallystick.core.pretty import text
from tallystick.core.program_terms import program_terms
from tallystick.core.terms import (
    FALSE,
    TRUE,
    Operator,
    add,
    build,
    conjunction,
    constant,
    element,
    equal,
    free_variables,
    ite,
    less,
    negation,
    project,
    scale,
    subterms,
    tuple_of,
    variable,
)
from tallystick.core.types import BOOL, INT, TupleType

from core.test_definedness import is_true

PARTIAL = (*VARIABLES, *BOTTOMS)
R = INPUTS[0]
X, Y, P, Q = (VARIABLES[i] for i in (0, 1, 3, 4))
T = VARIABLES[5]
E = element(INT)
BOTTOM = BOTTOMS[0]
SMALL = build(Operator.ITE, (less(X, constant(50)), X, BOTTOM))
APA = {
    Operator.CONSTANT,
    Operator.VARIABLE,
    Operator.ADD,
    Operator.SCALE,
    Operator.EQUAL,
    Operator.LESS,
    Operator.LESS_EQUAL,
    Operator.NOT,
    Operator.AND,
    Operator.OR,
}


def made(operator, *arguments, parameter=None):
    return build(operator, arguments, parameter)


def components(name, value):
    """The new variables of a tuple variable, with the components of its value."""
    if not isinstance(value, tuple):
        of = BOOL if isinstance(value, bool) else INT
        return {variable(name, of): value}
    parts = [components(f"{name}.{index}", part) for index, part in enumerate(value, 1)]
    return {new: part for each in parts for new, part in each.items()}


def extended(environment, formula):
    """The environment with the components, quotients and remainders that its values determine."""
    result = dict(environment)
    for term, value in environment.items():
        result |= components(term.parameter[0], value)
    known = set(result)
    constraints = [term for term in subterms(formula) if term.operator is Operator.EQUAL]
    while not free_variables(formula) <= set(result):
        before = len(result)
        for constraint in constraints:
            dividend, quotient_and_remainder = constraint.arguments
            new = free_variables(quotient_and_remainder) - known
            if free_variables(dividend) <= set(result) and len(new) == 2 and not new <= set(result):
                scaled, remainder = quotient_and_remainder.arguments
                quotient, remainder_value = divmod(evaluate(dividend, result), scaled.parameter)
                result |= {scaled.arguments[0]: quotient, remainder: remainder_value}
        assert len(result) > before
    return result


@given(formulas(PARTIAL, depth=3), environments(VARIABLES))
def test_the_normal_form_says_what_the_formula_says(formula, environment):
    normal = normalize(formula)
    determined = extended(environment, normal)
    expected = evaluate(holds(formula), environment)
    assert evaluate(normal, determined) == expected == is_true(formula, environment)


@given(formulas(PARTIAL, depth=3), environments(VARIABLES), st.data())
def test_quotients_and_remainders_that_are_none_make_no_counterexample(formula, environment, data):
    normal = normalize(formula)
    determined = extended(environment, normal)
    new = sorted(free_variables(normal) - set(extended(environment, TRUE)), key=text)
    other = determined | {term: data.draw(st.integers(-3, 3)) for term in new}
    assert evaluate(normal, other) or not evaluate(normal, determined)


@given(formulas(PARTIAL, depth=3))
def test_a_normal_form_is_a_formula_of_apa_and_its_own_normal_form(formula):
    normal = normalize(formula)
    for node in subterms(normal):
        assert node.operator in APA
        assert node.type in (INT, BOOL)
    assert normalize(normal) is normal


@given(formulas(PARTIAL, depth=3), environments(VARIABLES))
def test_each_pass_changes_nothing_the_second_time(formula, environment):
    for rewrite, (name, after) in zip(PASSES, trace(formula), strict=True):
        assert rewrite.__name__ == name
        assert rewrite(after) is after


@pytest.mark.parametrize("rewrite", [strictness, conditionals, absence])
def test_a_pass_about_bottom_keeps_the_meaning_on_its_own(rewrite):
    @given(formulas(PARTIAL, depth=3), environments(VARIABLES))
    def check(formula, environment):
        assert is_true(rewrite(formula), environment) == is_true(formula, environment)

    check()


@pytest.mark.parametrize(
    ("rewrite", "before", "after"),
    [
        (strictness, made(Operator.EQUAL, scale(2, BOTTOM), X), "⊥ = x"),
        (strictness, made(Operator.EQUAL, less(BOTTOM, X), FALSE), "⊥ = false"),
        (strictness, made(Operator.EQUAL, made(Operator.EQUAL, BOTTOM, BOTTOM), TRUE), "⊥ = true"),
        (strictness, less(made(Operator.ITE, less(X, BOTTOM), X, Y), Y), "⊥"),
        (strictness, made(Operator.EQUAL, SMALL, BOTTOM), "ite(x < 50, x, ⊥) = ⊥"),
        (conditionals, less(ite(P, X, Y), Y), "(p ⇒ x < y) ∧ (p ∨ y < y)"),
        (conditionals, made(Operator.EQUAL, add(SMALL, Y), Y), "(x < 50 ⇒ x + y = y) ∧ (x < 50 ∨ ⊥ = y)"),
        (conditionals, less(add(ite(P, X, Y), ite(P, Y, X)), X), "(p ⇒ x + y < x) ∧ (p ∨ y + x < x)"),
        (absence, made(Operator.EQUAL, BOTTOM, BOTTOM), "true"),
        (absence, made(Operator.EQUAL, BOTTOM, X), "false"),
        (absence, negation(made(Operator.EQUAL, X, BOTTOM)), "true"),
        (absence, BOTTOMS[1], "false"),
        (absence, made(Operator.EQUAL, SMALL, BOTTOM), "ite(x < 50, x, ⊥) = ⊥"),
        (tuples, equal(tuple_of(X, P), T), "x = s.1 ∧ p = s.2"),
        (tuples, less(made(Operator.PROJECTION, tuple_of(X, Y), parameter=1), project(T, 0)), "y < s.1"),
        (
            division,
            equal(made(Operator.MOD, X, parameter=2), constant(0)),
            "x = 2*q0 + r0 ∧ r0 ≥ 0 ∧ r0 < 2 ⇒ r0 = 0",
        ),
        (
            division,
            negation(less(made(Operator.DIV, made(Operator.DIV, X, parameter=2), parameter=3), Y)),
            "x = 2*q0 + r0 ∧ r0 ≥ 0 ∧ r0 < 2 ∧ q0 = 3*q1 + r1 ∧ r1 ≥ 0 ∧ r1 < 3 ⇒ q1 ≥ y",
        ),
        (
            division,
            less(made(Operator.DIV, X, parameter=2), made(Operator.MOD, X, parameter=2)),
            "x = 2*q0 + r0 ∧ r0 ≥ 0 ∧ r0 < 2 ⇒ q0 < r0",
        ),
    ],
)
def test_a_pass_rewrites(rewrite, before, after):
    assert text(rewrite(before)) == after


def test_new_variables_have_names_of_their_own():
    clashing = conjunction(
        equal(tuple_of(variable("s.1", INT), variable("s.2", BOOL)), T),
        equal(made(Operator.MOD, variable("q0", INT), parameter=2), variable("r0", INT)),
    )
    assert text(tuples(clashing)) == "s.1 = s.1' ∧ s.2 = s.2' ∧ q0 mod 2 = r0"
    assert text(division(equal(*clashing.arguments[1].arguments))) == (
        "q0 = 2*q0' + r0' ∧ r0' ≥ 0 ∧ r0' < 2 ⇒ r0' = r0"
    )


def test_variables_of_one_name_and_several_types_stay_apart():
    whole = variable("x", TupleType((INT, INT)))
    assert text(tuples(equal(tuple_of(X, variable("x.1", INT)), whole))) == "x = x.1' ∧ x.1 = x.2"


def test_the_first_example_of_the_papers_is_traced():
    double_first = made(Operator.FILTER, less(E, constant(100)), made(Operator.MAP, scale(2, E), R))
    filter_first = made(Operator.MAP, scale(2, E), made(Operator.FILTER, less(E, constant(50)), R))
    sides = (program_terms(expression)[0].term for expression in (double_first, filter_first))
    assert [(name, text(formula)) for name, formula in trace(made(Operator.EQUAL, *sides))] == [
        ("strictness", "ite(2*x0 < 100, 2*x0, ⊥) = 2*ite(x0 < 50, x0, ⊥)"),
        (
            "conditionals",
            "(2*x0 < 100 ⇒ (x0 < 50 ⇒ 2*x0 = 2*x0) ∧ (x0 < 50 ∨ 2*x0 = ⊥))"
            " ∧ (2*x0 < 100 ∨ (x0 < 50 ⇒ ⊥ = 2*x0) ∧ (x0 < 50 ∨ ⊥ = ⊥))",
        ),
        (
            "absence",
            "(2*x0 < 100 ⇒ (x0 < 50 ⇒ 2*x0 = 2*x0) ∧ x0 < 50) ∧ (2*x0 < 100 ∨ x0 ≥ 50)",
        ),
        ("tuples", "(2*x0 < 100 ⇒ x0 < 50) ∧ (2*x0 < 100 ∨ x0 ≥ 50)"),
        ("division", "(2*x0 < 100 ⇒ x0 < 50) ∧ (2*x0 < 100 ∨ x0 ≥ 50)"),
    ]


def test_the_example_of_the_technical_report_is_normalized():
    formula = made(Operator.EQUAL, made(Operator.ITE, less(constant(0), X), X, BOTTOM), BOTTOM)
    assert text(normalize(formula)) == "x ≤ 0"


def test_a_boolean_of_a_filtered_element_is_not_false():
    """Erratum: read naively, 𝒩 makes map(λx. x ≥ 50) of a filtered-out element the value false."""
    large = made(Operator.NOT, less(SMALL, constant(50)))
    assert text(normalize(made(Operator.EQUAL, large, FALSE))) == "(x < 50 ⇒ (x ≥ 50) = false) ∧ x < 50"
    assert text(normalize(made(Operator.EQUAL, large, BOTTOMS[1]))) == "x ≥ 50"


def test_a_branch_that_compares_with_a_missing_element_is_missing():
    """Conditionals on one condition are not decided at once where one of them hides another one's ⊥."""
    missing = made(Operator.NOT, made(Operator.EQUAL, made(Operator.ITE, Q, X, BOTTOM), constant(3)))
    formula = made(Operator.ITE, P, made(Operator.ITE, P, P, Q), missing)
    for q in (False, True):
        environment = {P: False, Q: q, X: 4}
        assert is_true(formula, environment) is q
        assert evaluate(normalize(formula), environment) is q


@pytest.mark.parametrize(
    ("formula", "told"),
    [
        (X, "a formula is of type Bool, and this is of type Int"),
        (equal(made(Operator.FOLD, X, E, R), X), "element of type Int has no place in a formula"),
        (less(E, X), "element of type Int has no place in a formula"),
    ],
)
def test_what_is_no_formula_is_refused(formula, told):
    with pytest.raises(FragmentError) as error:
        normalize(formula)
    assert str(error.value) == told


def test_tuples_are_split_only_where_nothing_hides_them():
    for hidden, told in ((ite(P, T, T), None), (made(Operator.ITE, P, T, VARIABLES[6]), "ite"), (BOTTOMS[2], "bottom")):
        formula = made(Operator.EQUAL, hidden, T)
        if told is None:
            assert tuples(formula) is TRUE
            continue
        with pytest.raises(FragmentError, match=f"^{told} is removed from a formula before its tuples are$"):
            tuples(formula)


def test_a_formula_with_too_many_conditionals_is_refused():
    choices = [made(Operator.ITE, variable(f"p{n}", BOOL), X, Y) for n in range(20)]
    with pytest.raises(FragmentError, match=rf"^more than {LIFT_LIMIT} conditionals would be lifted"):
        normalize(less(add(*choices), X))
