"""φ: the papers' examples, ⊥ under UDFs that ignore their element, and agreement with monomials."""

from __future__ import annotations

import pytest
from hypothesis import given
from strategies import INPUTS, PAIR, bag_expressions, environments, folds
from tallystick.core.definedness import defined, value
from tallystick.core.errors import FragmentError
from tallystick.core.interpreter import Undefined, evaluate
from tallystick.core.monomials import monomials
from tallystick.core.pretty import text, with_named_rows
from tallystick.core.program_terms import aggregate_term, is_strict, program_terms
from tallystick.core.terms import (
    Operator,
    accumulator,
    add,
    build,
    constant,
    element,
    equal,
    ite,
    less,
    project,
    row,
    scale,
    tuple_of,
    variable,
)
from tallystick.core.types import BOOL, INT

from core.test_monomials import choices

R, S, K = INPUTS
E = element(INT)
B = variable("b", BOOL)
DOUBLED = build(Operator.MAP, (scale(2, E), R))
SMALL = build(Operator.FILTER, (less(E, constant(50)), R))


def value_or_bottom(term, environment):
    try:
        return evaluate(term, environment)
    except Undefined:
        return None


@given(bag_expressions(), environments())
def test_phi_is_bottom_or_the_value_just_where_the_monomial_says(expression, environment):
    for program_term, monomial in zip(program_terms(expression), monomials(expression), strict=True):
        assert program_term.sources == monomial.sources
        for chosen, _ in choices(monomial, environment):
            expected = evaluate(monomial.value, chosen) if evaluate(monomial.exists, chosen) else None
            assert value_or_bottom(program_term.term, chosen) == expected
            assert evaluate(defined(program_term.term), chosen) == (expected is not None)
            assert expected is None or evaluate(value(program_term.term), chosen) == expected


def shown(program_term):
    """A program term as text."""
    return text(with_named_rows(program_term.term, program_term.sources))


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (R, ["x_R"]),
        (build(Operator.FILTER, (less(E, constant(100)), DOUBLED)), ["ite(2*x_R < 100, 2*x_R, ⊥)"]),
        (build(Operator.MAP, (scale(2, E), SMALL)), ["2*ite(x_R < 50, x_R, ⊥)"]),
        (build(Operator.CARTESIAN, (R, S)), ["(x_R, x_S)"]),
        (build(Operator.CARTESIAN, (R, DOUBLED)), ["(x_R, 2*x_R')"]),
        (build(Operator.UNION, (R, DOUBLED)), ["x_R", "2*x_R"]),
        (
            build(
                Operator.MAP,
                (add(*(project(element(PAIR), i) for i in (0, 1))), build(Operator.CARTESIAN, (SMALL, R))),
            ),
            ["p₁((ite(x_R < 50, x_R, ⊥), x_R')) + p₂((ite(x_R < 50, x_R, ⊥), x_R'))"],
        ),
        (add(K, constant(1)), ["k + 1"]),
    ],
)
def test_phi_is_the_papers_translation(expression, expected):
    assert [shown(program_term) for program_term in program_terms(expression)] == expected


@pytest.mark.parametrize(
    ("udf", "expected"),
    [
        (constant(1), "ite(x_R < 50, 1, ⊥)"),
        (ite(B, E, constant(1)), "ite(x_R < 50, ite(b, x_R, 1), ⊥)"),
        (ite(B, E, scale(2, E)), "ite(b, ite(x_R < 50, x_R, ⊥), 2*ite(x_R < 50, x_R, ⊥))"),
        (scale(0, E), "0*ite(x_R < 50, x_R, ⊥)"),
        (build(Operator.LESS_EQUAL, (constant(50), E)), "ite(x_R < 50, x_R, ⊥) ≥ 50"),
    ],
)
def test_a_map_after_a_filter_keeps_its_bottom(udf, expected):
    (program_term,) = program_terms(build(Operator.MAP, (udf, SMALL)))
    assert shown(program_term) == expected
    assert value_or_bottom(program_term.term, {row(0, INT): 50, B: False}) is None
    assert value_or_bottom(program_term.term, {row(0, INT): 49, B: False}) is not None


def test_a_udf_is_strict_when_it_looks_at_its_element_whatever_its_conditions_say():
    assert is_strict(E, INT)
    assert is_strict(ite(less(E, K), constant(0), constant(1)), INT)
    assert is_strict(ite(B, E, scale(2, E)), INT)
    assert not is_strict(ite(B, E, constant(1)), INT)
    assert not is_strict(constant(1), INT)
    assert not is_strict(build(Operator.FOLD, (constant(0), add(accumulator(INT), E), R)), INT)


def test_representative_variables_belong_to_a_term_that_ignores_them():
    (program_term,) = program_terms(build(Operator.MAP, (add(K, constant(1)), build(Operator.CARTESIAN, (R, R)))))
    slots = {row(0, INT), row(1, INT)}
    assert program_term.representative_variables == slots
    assert program_term.free_variables == {K, *slots}


def test_an_aggregate_term_has_the_folded_term_its_initial_value_and_its_function():
    udf = add(accumulator(INT), E)
    fold = build(Operator.FOLD, (constant(7), udf, build(Operator.UNION, (SMALL, R))))
    (program_term,) = program_terms(equal(fold, K))
    assert program_term.term is equal(fold, K)
    assert program_term.free_variables == {K}
    aggregate = aggregate_term(fold)
    assert [shown(each) for each in aggregate.folded] == ["ite(x_R < 50, x_R, ⊥)", "x_R"]
    assert (aggregate.initial, aggregate.udf) == (constant(7), udf)


@given(folds())
def test_random_folds_have_aggregate_terms(fold):
    assert aggregate_term(fold).udf is fold.arguments[1]


@pytest.mark.parametrize(
    ("expression", "told"),
    [
        (
            build(Operator.DISTINCT, (R,)),
            "φ is not defined on the bag that distinct returns; put an input bag in its place",
        ),
        (
            build(Operator.FOLD_BY_KEY, (constant(0), add(accumulator(INT), E), S)),
            "φ is not defined on the bag that fold_by_key returns; put an input bag in its place",
        ),
        (build(Operator.MAP, (row(0, INT), R)), "programs, and what is said of them, have no rows"),
    ],
)
def test_bags_without_a_term_for_one_element_are_refused(expression, told):
    with pytest.raises(FragmentError) as error:
        program_terms(expression)
    assert str(error.value) == told


def test_what_is_no_fold_has_no_aggregate_term():
    with pytest.raises(FragmentError, match=r"^tuple is not a fold$"):
        aggregate_term(tuple_of(K))
