"""Cooper's theorem as printed, and its test points."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sampling import examples
from tallystick.core.presburger.conjunctions import Conjunction
from tallystick.core.presburger.cooper import (
    choose_test_point,
    cooper,
    lower_bounds,
    minus_infinity,
    plus_infinity,
    unify,
)
from tallystick.core.presburger.formulas import (
    FALSE,
    TRUE,
    Atom,
    Exists,
    Formula,
    Relation,
    at_point,
    conjunction,
    divides,
    free_names,
    holds,
    nnf,
)
from tallystick.core.presburger.lift import eliminate
from tallystick.core.presburger.limits import LimitError, Limits
from tallystick.core.presburger.linear import unknown
from tallystick.core.presburger.search import satisfy
from tallystick.core.presburger.syntax import parse

from .presburger_strategies import atoms, quantifier_free, z3_equivalent


@given(quantifier_free(("x", "y"), 5, 4))
@settings(max_examples=examples(150))
def test_the_textbook_step_and_the_lazy_elimination_agree(body: Formula) -> None:
    textbook = cooper("x", nnf(body)).result()
    assert "x" not in free_names(textbook)
    assert z3_equivalent(textbook, eliminate(Exists(("x",), body))) is not False


@given(quantifier_free(("x", "y"), 4, 4), st.integers(-9, 9))
@settings(max_examples=examples(100))
def test_the_textbook_step_against_brute_force(body: Formula, y: int) -> None:
    """A value of x that satisfies the body makes the result true; 2,000 values that do not make it false."""
    found = any(holds(body, {"x": x, "y": y}) for x in range(-1000, 1000))
    assert holds(cooper("x", nnf(body)).result(), {"y": y}) == found


@given(quantifier_free(("x", "y"), 6, 5))
def test_unify_leaves_coefficients_of_one(body: Formula) -> None:
    factor, unified = unify("x", body)
    for values in ({"x": x, "y": y} for x in range(-4, 5) for y in range(-4, 5)):
        assert holds(unified, {**values, "x": factor * values["x"]}) == holds(body, values)


def test_the_parts_of_a_step() -> None:
    step = cooper("y", parse("2*y < x and x < 2*y + 2"))
    x = unknown("x")
    assert (step.factor, step.delta, step.from_below) == (2, 2, True)
    assert step.boundary == (x.shift(-2),)
    assert step.infinite == FALSE
    assert step.result() == divides(2, x.shift(1))


def test_infinities_keep_divisibilities_only() -> None:
    body = parse("3 | x + y and x < y and x != 7")
    assert minus_infinity("x", body) == parse("3 | x + y")
    assert plus_infinity("x", body) == FALSE
    assert lower_bounds("x", body) == (unknown("x").without("x").shift(7),)


def test_the_smaller_side_is_taken() -> None:
    above = cooper("x", parse("x < a and x > b and x > c"))
    assert not above.from_below
    assert len(above.boundary) == 1


@given(st.lists(atoms(("x", "y"), 5), min_size=1, max_size=5))
def test_a_test_point_serves_where_it_was_chosen(parts: list[Formula]) -> None:
    body = conjunction(part for part in parts if not isinstance(part, Atom) or part.relation is not Relation.DIFFERS)
    values = satisfy(body)
    if values is None or body == TRUE:
        return
    values = {"x": 0, "y": 0, **values}
    literals: Conjunction = tuple(part for part in getattr(body, "parts", (body,)))
    point = choose_test_point(literals, "x", values)
    assert point.term.value(values) % point.factor == 0
    assert all(holds(at_point(literal, "x", point.factor, point.term), values) for literal in literals)


def test_many_test_points_meet_the_cap() -> None:
    step = cooper("x", parse("x > a and x < b and 1009 | x + c and 1013 | x + a"))
    with pytest.raises(LimitError) as caught:
        step.result(Limits(test_points=1000))
    assert str(caught.value) == "more than 1000 test points (cap `test_points`)"
