"""The search: it decides the classics and agrees with Z3, its trees pass the checker, its caps are named."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import formulas, int_terms
from tallystick.certificates.evidence import Case, Cut, Farkas, Refutation, Split
from tallystick.certificates.refutation import check
from tallystick.certificates.search.answers import Countermodel, GaveUp, SearchLimits
from tallystick.certificates.search.tableau import search
from tallystick.core.errors import RefutationError
from tallystick.core.interpreter import evaluate
from tallystick.core.terms import (
    Operator,
    Term,
    add,
    build,
    constant,
    disjunction,
    element,
    equal,
    free_variables,
    less,
    negation,
    scale,
    variable,
)
from tallystick.core.types import BOOL, INT, has_type

from certificates.classics import INVALID, VALID, iff_chain, mod, pigeons
from certificates.z3_oracle import is_valid

X, Y = variable("x", INT), variable("y", INT)


def size(tree: Refutation) -> int:
    """The number of nodes."""
    match tree:
        case Case(_, branches):
            return 1 + sum(map(size, branches))
        case Split(_, _, below, above):
            return 1 + size(below) + size(above)
        case Cut(_, rest):
            return 1 + size(rest)
        case Farkas():
            return 1


def decided(formula: Term) -> bool:
    """Whether the search finds the formula valid; its refutation or countermodel has passed a test."""
    answer = search(formula)
    if isinstance(answer, Countermodel):
        assert set(answer.values) == free_variables(formula)
        assert all(has_type(value, variable.type) for variable, value in answer.values.items())
        assert evaluate(formula, answer.values) is False
        return False
    assert not isinstance(answer, GaveUp), answer
    check(formula, answer)
    return True


@pytest.mark.parametrize("name", VALID)
def test_a_valid_classic_has_a_small_refutation(name: str) -> None:
    assert decided(VALID[name])
    tree = search(VALID[name])
    assert isinstance(tree, Case | Split | Cut | Farkas)
    assert size(tree) <= 450


@pytest.mark.parametrize("name", INVALID)
def test_an_invalid_classic_has_a_countermodel(name: str) -> None:
    assert not decided(INVALID[name])


@settings(max_examples=300)
@given(formulas(depth=4))
def test_search_agrees_with_z3_on_formulas(formula: Term) -> None:
    assert is_valid(formula) in (decided(formula), None)


@settings(max_examples=60)
@given(formulas(depth=3), int_terms(depth=3), int_terms(depth=3), st.sampled_from((2, 3, 5, 6, 10)))
def test_search_agrees_with_z3_on_laws_and_near_laws(formula: Term, s: Term, t: Term, divisor: int) -> None:
    for law in (
        disjunction(formula, negation(formula)),
        build(Operator.EQUAL, (add(s, t), add(t, s))),
        disjunction(less(s, t), less(t, s), equal(s, t)),
        equal(mod(add(mod(s, divisor), mod(t, divisor)), divisor), mod(add(s, t), divisor)),
        equal(mod(scale(divisor - 1, s), divisor), constant(0)),
    ):
        assert is_valid(law) in (decided(law), None)


def test_a_refutation_is_the_same_in_every_process() -> None:
    """Byte for byte, whatever the seed of Python's hashes."""
    program = (
        "from certificates.classics import VALID\n"
        "from tallystick.certificates.search.tableau import search\n"
        "print([search(formula) for formula in VALID.values()])\n"
    )
    folder = __file__.rsplit("/certificates/", 1)[0]
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            cwd=folder,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(outputs) == 1
    assert len(outputs.pop()) > 10_000


def test_cases_that_a_refutation_does_not_need_are_left_out() -> None:
    """Definitions of conditionals and disjunctions beside the contradiction cost nothing."""
    beside = [equal(build(Operator.ITE, (less(X, Y), X, Y)), constant(k)) for k in range(5)]
    tree = search(disjunction(less(X, Y), *beside, less(Y, X), equal(X, Y)))
    assert isinstance(tree, Case | Split | Cut | Farkas)
    assert size(tree) == 3


STRIP, SIX = VALID["a thin strip without integers"], VALID["six divides, so three divides"]
CAPS = {
    "nodes": (pigeons(5, 4), SearchLimits(nodes=20), "more than 20 branches (SearchLimits.nodes)"),
    "depth": (pigeons(5, 4), SearchLimits(depth=2), "more than 2 nested nodes (SearchLimits.depth)"),
    "splits": (
        VALID["a thin strip without integers"],
        SearchLimits(splits=0),
        "more than 0 nested integer splits (SearchLimits.splits)",
    ),
    "cuts": (
        VALID["six divides, so three divides"],
        SearchLimits(cuts=0),
        "more than 0 nested rounds of cuts (SearchLimits.cuts)",
    ),
    "seconds": (
        pigeons(5, 4),
        SearchLimits(seconds=0.0),
        "more than 0.0 seconds of processor time (SearchLimits.seconds)",
    ),
}


@pytest.mark.parametrize("cap", CAPS)
def test_a_cap_that_is_met_is_named(cap: str) -> None:
    formula, limits, reason = CAPS[cap]
    assert search(formula, limits) == GaveUp(reason)


def test_a_formula_that_is_nested_too_deeply_is_given_up() -> None:
    formula = variable("p", BOOL)
    for _ in range(50_000):
        formula = build(Operator.NOT, (formula,))
    assert isinstance(search(formula), GaveUp)


def test_no_formula_no_search() -> None:
    with pytest.raises(RefutationError, match="a formula has no element"):
        search(less(element(INT), X))


def test_equivalences_of_six_are_refuted_within_the_default_limits() -> None:
    booleans = tuple(variable(f"p{index}", BOOL) for index in range(6))
    assert decided(equal(iff_chain(booleans), iff_chain(booleans[::-1])))
