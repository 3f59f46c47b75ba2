"""Formulas are about as large as their terms are as graphs, and mean the same."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import VARIABLES, formulas, values
from tallystick.core.answers import Valid
from tallystick.core.interpreter import evaluate
from tallystick.core.presburger import sharing
from tallystick.core.presburger.conversion import Conversion
from tallystick.core.presburger.formulas import size
from tallystick.core.presburger.sharing import shared
from tallystick.core.presburger.validity import exists, validity
from tallystick.core.terms import (
    Term,
    add,
    constant,
    disjunction,
    equal,
    free_variables,
    implies,
    ite,
    less,
    negation,
    project,
    subterms,
    tuple_of,
    variable,
)
from tallystick.core.types import BOOL, INT, Value

X, M, B = variable("x", INT), variable("M", INT), variable("b", BOOL)
STEPS = 40


def maxima(value: Term, number: int) -> Term:
    """The maximum of the value before and a number, as programs write it."""
    return ite(less(value, add(X, constant(number))), add(X, constant(number)), value)


def maxima_of_components(value: Term, number: int) -> Term:
    first = project(value, 0)
    return ite(less(first, add(X, constant(number))), tuple_of(add(X, constant(number)), project(value, 1)), value)


def alternatives(value: Term, number: int) -> Term:
    return ite(disjunction(value, less(X, constant(number))), equal(value, less(X, constant(-number))), negation(value))


def after_steps(start: Term, step: Callable[[Term, int], Term]) -> Term:
    """A term of few nodes, which would have more than 2⁴⁰ nodes as a tree."""
    for number in range(STEPS):
        start = step(start, number)
    assert sum(1 for _ in subterms(start)) < 12 * STEPS
    return start


@pytest.mark.parametrize(
    "claim",
    [
        less(after_steps(M, maxima), X),
        less(project(after_steps(tuple_of(M, M), maxima_of_components), 0), X),
        after_steps(B, alternatives),
    ],
    ids=["integers", "tuples", "booleans"],
)
def test_the_formula_of_a_graph_has_its_size(claim: Term) -> None:
    for positive in (True, False):
        conversion = Conversion()
        found = size(conversion.formula(claim, positive))  # a failure must not print the term as a tree
        assert found < 300 * STEPS
        assert conversion.auxiliary


def test_graphs_are_decided_and_eliminated() -> None:
    greatest = after_steps(M, maxima)
    assert validity(less(add(X, constant(STEPS - 2)), greatest)) == Valid()
    assert validity(implies(less(add(X, constant(STEPS)), M), equal(greatest, M))) == Valid()
    reached = exists([X], equal(greatest, constant(7)))
    assert validity(equal(reached, less(M, constant(8)))) == Valid()


def test_only_large_subterms_that_are_repeated_have_names() -> None:
    small = add(X, M)
    assert shared(less(small, ite(B, small, constant(1))), lambda _: X) == (less(small, ite(B, small, constant(1))), ())
    once = after_steps(M, lambda value, number: add(value, constant(number)))
    assert shared(less(once, X), lambda _: X)[1] == ()


ENVIRONMENTS = st.fixed_dictionaries({term: values(term.type) for term in VARIABLES})  # type: ignore[arg-type]


@given(formulas(depth=3), ENVIRONMENTS)
def test_definitions_give_the_subterms_their_values(claim: Term, model: dict[Term, Value]) -> None:
    names: dict[Term, Term] = {}

    def name(term: Term) -> Term:
        return names.setdefault(term, variable(f"n{len(names)}", term.type))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sharing, "LARGE", 1)
        body, definitions = shared(claim, name)
    assert free_variables(body) <= free_variables(claim) | set(names.values())
    assert len(definitions) == len(names)
    named = model | {each: evaluate(term, model) for term, each in names.items()}
    assert all(evaluate(definition, named) is True for definition in definitions)
    assert evaluate(body, named) == evaluate(claim, model)
