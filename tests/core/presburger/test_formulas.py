"""Linear terms and atoms are canonical, and canonical forms mean what was given."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tallystick.core.presburger.formulas import (
    FALSE,
    TRUE,
    And,
    Atom,
    Exists,
    Forall,
    Formula,
    Iff,
    Implies,
    Not,
    Or,
    Relation,
    at_most,
    at_point,
    conjunction,
    differs,
    disjunction,
    divides,
    equal,
    free_names,
    holds,
    negate,
    nnf,
    size,
)
from tallystick.core.presburger.linear import Linear, combine, constant, unknown

from .presburger_strategies import NAMES, atoms, linears, quantifier_free

VALUES = st.fixed_dictionaries({name: st.integers(-30, 30) for name in NAMES})
X, Y = unknown("x"), unknown("y")


@given(linears(), linears(), st.integers(-5, 5), st.integers(-5, 5), VALUES)
def test_combine_evaluates_to_the_combination(a: Linear, b: Linear, m: int, n: int, values: dict[str, int]) -> None:
    combined = combine(m, a, n, b)
    assert combined.value(values) == m * a.value(values) + n * b.value(values)
    assert list(combined.names()) == sorted(combined.names())
    assert all(factor for _, factor in combined.coefficients)


@given(linears(), linears(("y", "z")), VALUES)
def test_substitution_evaluates_to_the_value_at_the_replacement(a: Linear, b: Linear, values: dict[str, int]) -> None:
    assert a.substitute("x", b).value(values) == a.value({**values, "x": b.value(values)})


@given(linears(), st.integers(0, 12), VALUES)
def test_atoms_mean_what_they_are_made_of(term: Linear, divisor: int, values: dict[str, int]) -> None:
    value = term.value(values)
    assert holds(at_most(term), values) == (value <= 0)
    assert holds(equal(term), values) == (value == 0)
    assert holds(differs(term), values) == (value != 0)
    assert holds(divides(divisor, term), values) == (value % divisor == 0 if divisor else value == 0)


@given(linears(), st.integers(1, 12), st.integers(1, 11))
def test_common_factors_leave_a_divisibility(term: Linear, divisor: int, factor: int) -> None:
    assert divides(divisor, term) == divides(divisor * factor, term.times(factor))


@given(atoms(), VALUES)
def test_negation_of_an_atom_is_an_atom_that_means_the_opposite(atom: Formula, values: dict[str, int]) -> None:
    assert holds(negate(atom), values) != holds(atom, values)
    assert negate(negate(atom)) == atom
    assert isinstance(negate(atom), Atom) == isinstance(atom, Atom)


@given(atoms(), linears(("y", "z")), st.integers(1, 6), VALUES)
def test_an_atom_at_a_fraction(atom: Formula, numerator: Linear, factor: int, values: dict[str, int]) -> None:
    """Where the factor divides the numerator, the atom at numerator / factor has the value it has there."""
    point = numerator.times(factor).plus(constant(factor))
    if isinstance(atom, Atom):
        there = {**values, "x": point.value(values) // factor}
        assert holds(at_point(atom, "x", factor, point), values) == holds(atom, there)


@given(quantifier_free(), VALUES, st.booleans())
def test_negation_normal_form_means_the_same(formula: Formula, values: dict[str, int], positive: bool) -> None:
    nested = Iff(Implies(formula, Not(formula)), Not(Not(formula)))
    for candidate in (formula, nested, Not(nested)):
        normal = nnf(candidate, positive)
        assert holds(normal, values) == (holds(candidate, values) == positive)
        assert not any(isinstance(part, Not | Implies | Iff) for part in _parts(normal))


def _parts(formula: Formula) -> list[Formula]:
    match formula:
        case And(parts) | Or(parts):
            return [formula, *(inner for part in parts for inner in _parts(part))]
    return [formula]


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (at_most(X.times(4).shift(-7)), Atom(Relation.AT_MOST, X.shift(-1))),
        (equal(X.times(-6).plus(Y.times(4))), Atom(Relation.EQUAL, X.times(3).minus(Y.times(2)))),
        (equal(X.times(2).shift(1)), FALSE),
        (differs(X.times(2).shift(1)), TRUE),
        (divides(6, X.times(4).shift(2)), Atom(Relation.DIVIDES, X.shift(2), 3)),
        (divides(4, X.times(4).shift(2)), FALSE),
        (divides(5, X.times(3).shift(1)), Atom(Relation.DIVIDES, X.shift(2), 5)),
        (divides(1, X), TRUE),
        (at_most(constant(0)), TRUE),
        (at_most(constant(1)), FALSE),
    ],
)
def test_canonical_forms(made: Formula, expected: Formula) -> None:
    assert made == expected


def test_connectives_simplify() -> None:
    low, high = at_most(X), at_most(X.times(-1).shift(1))
    assert conjunction((low, TRUE, low)) == low
    assert conjunction((low, high)) == FALSE
    assert disjunction((low, high)) == TRUE
    assert disjunction((low, FALSE)) == low
    assert conjunction(()) == TRUE
    assert conjunction((And((low, equal(Y))), low)) == And((low, equal(Y)))


def test_bound_names_are_not_free() -> None:
    formula = Exists(("x",), And((equal(X.minus(Y)), Forall(("y",), equal(Y)))))
    assert free_names(formula) == {"y"}
    assert size(formula) == 5


def test_a_quantified_formula_has_no_value_at_a_point() -> None:
    with pytest.raises(ValueError, match=r"^only quantifier-free formulas have a value at a point$"):
        holds(Exists(("x",), equal(X)), {})
