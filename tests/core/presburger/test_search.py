"""Satisfiability of quantifier-free formulas, against Z3 and against the caps."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sampling import examples
from tallystick.core.clock import clock
from tallystick.core.presburger.formulas import (
    Exists,
    Formula,
    at_most,
    conjunction,
    differs,
    disjunction,
    divides,
    equal,
    free_names,
    holds,
    negate,
)
from tallystick.core.presburger.inequalities import solve_equation
from tallystick.core.presburger.limits import LimitError, Limits
from tallystick.core.presburger.linear import Linear, constant, unknown
from tallystick.core.presburger.search import satisfy
from tallystick.core.presburger.syntax import parse

from .presburger_strategies import linears, quantifier_free, z3_truth

X, Y, Z = (unknown(name) for name in "xyz")


@given(quantifier_free(size=12, leaves=10))
@settings(max_examples=examples(400))
def test_search_agrees_with_z3(formula: Formula) -> None:
    values = satisfy(formula)
    assert (values is not None) == z3_truth(Exists(tuple(free_names(formula)) or ("x",), formula))
    if values is not None:
        assert holds(formula, values)


@pytest.mark.parametrize(
    "text",
    [
        "0 <= 101*x - 99*y - 7*z and 101*x - 99*y - 7*z <= 1 and 3 <= 2*x + 2*y + 6*z and 2*x + 2*y + 6*z <= 3",
        "3*x + 5*y = 7 and 0 <= x and x <= 3 and 0 <= y and y <= 3",
        "2*x = 2*y + 1",
        "6 | x and 4 | y and x + y = 21",
        "1000003 | x and 0 < x and x < 1000003",
        "x < y and y < z and z < x + 2",
        "3*x - 3*y > 0 and 3*x - 3*y < 3",
        "27 <= 11*x + 13*y and 11*x + 13*y <= 45 and -10 <= 7*x - 9*y and 7*x - 9*y <= 4",
        "1 <= x and x <= 3 and 1 <= y and y <= 3 and 1 <= z and z <= 3 and x + y + z = 10",
        "x != 0 and x != 1 and 0 <= x and x <= 1",
        "not (7 | x) and not (7 | x + 1) and 0 < x + 1 and x < 1",
    ],
)
def test_unsatisfiable_in_integers(text: str) -> None:
    """The eighth is Pugh's example of a rational polygon without an integer in it ("The Omega test")."""
    assert satisfy(parse(text)) is None


@pytest.mark.parametrize(
    "text",
    [
        "156*v + 443 < 179*u and u > 4*v + 5 and 70 | u + 46*v + 54 and u < 3*v",
        "1000*x <= 1001*y and 1001*y <= 1000*x + 1 and x > 5 and 999*z <= 1000*x and 1000*x <= 999*z + 1",
        "179*u <= 180*v - 1000 and 181*v <= 180*u - 1000",
        "0 <= 3*x - 7*y and 3*x - 7*y <= 1 and 5*y >= 2*z and 3 <= 7*z - 17*y and 7*z - 17*y <= 5 and not (2 | x)",
    ],
)
def test_solutions_far_out_in_thin_wedges_and_strips_are_found(text: str) -> None:
    formula = parse(text)
    values = satisfy(formula)
    assert (values is not None) == z3_truth(Exists(tuple(sorted(free_names(formula))), formula))


@given(st.lists(linears(size=30), min_size=3, max_size=7))
@settings(max_examples=examples(150))
def test_conjunctions_of_inequalities_agree_with_z3(terms: list[Linear]) -> None:
    formula = conjunction(map(at_most, terms))
    values = satisfy(formula)
    assert z3_truth(Exists(("x", "y", "z"), formula)) in (None, values is not None)


def test_indivisibilities_of_one_sum_share_its_remainder() -> None:
    """All residues but one are excluded: forty conditions on one remainder, not forty quotients."""
    excluded = [negate(divides(41, Linear((("x", 3), ("y", 5)), residue))) for residue in range(41) if residue != 7]
    values = satisfy(conjunction(excluded), Limits(branches=200))
    assert values is not None
    assert (3 * values.get("x", 0) + 5 * values.get("y", 0) + 7) % 41 == 0
    assert (
        satisfy(conjunction((*excluded, negate(divides(41, Linear((("x", 3), ("y", 5)), 7))))), Limits(branches=200))
        is None
    )


def test_large_periods_are_settled_by_residues() -> None:
    """Two congruences with seven-digit moduli meet in one residue class; no period is walked through."""
    parts = [divides(1_000_003, X.shift(-1)), divides(1_000_033, X.shift(-2)), at_most(X.times(-1))]
    values = satisfy(conjunction(parts))
    assert values is not None
    assert values["x"] % 1_000_003 == 1
    assert values["x"] % 1_000_033 == 2
    bounded = conjunction((*parts, at_most(X.shift(-(values["x"] % (1_000_003 * 1_000_033)) + 1))))
    assert satisfy(bounded) is None


def test_integers_are_exact() -> None:
    big = 10**60 + 1
    assert satisfy(equal(X.times(2).shift(-2 * big))) == {"x": big}
    assert (
        satisfy(conjunction((at_most(X.shift(-big)), at_most(X.times(-1).shift(big)), negate(equal(X.shift(-big))))))
        is None
    )


@given(linears(size=40))
def test_solutions_of_an_equation(term: Linear) -> None:
    """The replacements turn an equation whose coefficients have gcd 1 into 0 = 0."""
    if term.content() == 1:
        current = term
        for name, replacement, _ in solve_equation(term, (f"#{index}" for index in range(99))):
            current = current.substitute(name, replacement)
        assert current == constant(0)


def pigeons(holes: int) -> Formula:
    """holes + 1 different numbers from 1 to `holes`: unsatisfiable, and hard for any search by cases."""
    birds = [unknown(f"p{index:02}") for index in range(holes + 1)]
    inside = [bound for bird in birds for bound in (at_most(bird.times(-1).shift(1)), at_most(bird.shift(-holes)))]
    apart = [differs(left.minus(right)) for i, left in enumerate(birds) for right in birds[:i]]
    return conjunction((*inside, *apart))


def test_pigeons_that_fit_nowhere() -> None:
    assert satisfy(pigeons(4)) is None


@pytest.mark.parametrize(
    ("formula", "limits", "message"),
    [
        (pigeons(9), Limits(branches=50), "more than 50 branches (cap `branches`)"),
        (parse("27 <= 11*x + 13*y and 11*x + 13*y <= 45 and -10 <= 7*x - 9*y and 7*x - 9*y <= 4"), Limits(cases=1),
         "more than 1 cases (cap `cases`)"),
        (conjunction(parse(f"x{index} < 0 or x{index} > 0") for index in range(9)), Limits(nested_cases=8),
         "more than 8 nested cases (cap `nested_cases`)"),
        (pigeons(9), Limits(constraints=8), "more than 8 constraints (cap `constraints`)"),
        (equal(X.times(2**99).plus(Y.times(3**70)).shift(-1)), Limits(coefficient_bits=64),
         "more than 64 coefficient bits (cap `coefficient_bits`)"),
        (pigeons(9), Limits(deadline=clock() - 1), "the deadline passed before an answer was found"),
    ],
)  # fmt: skip
def test_caps_are_named(formula: Formula, limits: Limits, message: str) -> None:
    with pytest.raises(LimitError) as caught:
        satisfy(formula, limits)
    assert str(caught.value) == message


def test_irrelevant_decisions_are_jumped_over() -> None:
    """Twenty free choices beside a contradiction that needs one: the search does not try 2²⁰ combinations."""
    free = [disjunction((equal(unknown(f"a{i}")), equal(unknown(f"a{i}").shift(-1)))) for i in range(20)]
    contradiction = disjunction(
        (equal(X.times(2).minus(Y.times(2)).shift(1)), equal(X.times(3).minus(Z.times(3)).shift(1)))
    )
    hidden = parse("(x = 2*y or x = 2*y + 4) and (x = 2*z + 1 or x = 2*z + 3)")
    assert satisfy(conjunction((*free, contradiction)), Limits(branches=200)) is None
    assert satisfy(conjunction((*free, hidden)), Limits(branches=200)) is None
