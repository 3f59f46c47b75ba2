"""Reduced bases, short coordinates, and the dual simplex method."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tallystick.core.presburger.formulas import Exists, at_most, conjunction
from tallystick.core.presburger.fourier_motzkin import Conflict, Inequality
from tallystick.core.presburger.lattices import reduce_basis, short_coordinates
from tallystick.core.presburger.limits import DEFAULT_LIMITS
from tallystick.core.presburger.linear import Linear
from tallystick.core.presburger.simplex import Dictionary, recession

from .presburger_strategies import linears, z3_truth

NAMES = ("x", "y", "z")
SQUARES = st.integers(1, 4).flatmap(
    lambda size: st.lists(
        st.lists(st.integers(-50, 50), min_size=size, max_size=size), min_size=size, max_size=size
    )
)  # fmt: skip


def determinant(matrix: list[list[int]]) -> int:
    if not matrix:
        return 1
    return sum(
        (-1) ** column * entry * determinant([row[:column] + row[column + 1 :] for row in matrix[1:]])
        for column, entry in enumerate(matrix[0])
    )


def is_reduced(basis: list[list[int]]) -> bool:
    """Lovász's condition and sizes of the coefficients, from the definition, with fractions."""
    stars: list[list[Fraction]] = []
    for index, vector in enumerate(basis):
        star = [Fraction(entry) for entry in vector]
        for j, other in enumerate(stars):
            mu = sum(a * b for a, b in zip(vector, other, strict=True)) / sum(b * b for b in other)
            star = [a - mu * b for a, b in zip(star, other, strict=True)]
            if 2 * abs(mu) > 1:
                return False
            if j == index - 1:
                projected = sum((a + mu * b) ** 2 for a, b in zip(star, other, strict=True))
                if 4 * projected < 3 * sum(b * b for b in other):
                    return False
        stars.append(star)
    return True


@given(SQUARES)
def test_a_reduced_basis_spans_the_same_lattice(basis: list[list[int]]) -> None:
    size = determinant(basis)
    if size == 0:
        with pytest.raises(ValueError, match=r"^the vectors are dependent$"):
            reduce_basis(basis)
        return
    reduced = reduce_basis(basis)
    assert abs(determinant(reduced)) == abs(size)
    for vector in reduced:
        solved = [determinant([*basis[:i], vector, *basis[i + 1 :]]) for i in range(len(basis))]
        assert all(numerator % size == 0 for numerator in solved)
    assert is_reduced(reduced)


@given(st.lists(linears(NAMES, 40), min_size=1, max_size=4), st.tuples(*[st.integers(-20, 20)] * 3))
def test_short_coordinates_reach_all_values(terms: list[Linear], point: tuple[int, int, int]) -> None:
    """Whatever the terms take together at integers x, y, z, they take in the new coordinates."""
    terms = [Linear(term.coefficients, 0) for term in terms if term.coefficients]
    if not terms:
        return
    vectors = short_coordinates(terms, NAMES)
    columns = [[term.value(dict(zip(NAMES, vector, strict=True))) for term in terms] for vector in vectors]
    wanted = [term.value(dict(zip(NAMES, point, strict=True))) for term in terms]
    unknowns = tuple(f"n{index}" for index in range(len(columns)))
    equations = [
        Linear(tuple((n, column[i]) for n, column in zip(unknowns, columns, strict=True) if column[i]), -wanted[i])
        for i in range(len(terms))
    ]
    both = [at_most(side) for term in equations for side in (term, term.times(-1))]
    assert z3_truth(Exists(unknowns or ("n",), conjunction(both)))


@given(st.lists(linears(NAMES, 20), min_size=1, max_size=6))
def test_the_dual_simplex_method_finds_a_point_or_a_combination_to_blame(terms: list[Linear]) -> None:
    """A point satisfies all; a conflict names inequalities that the same method refutes on their own."""
    inequalities = [Inequality(term, 1 << index) for index, term in enumerate(terms)]
    dictionary = Dictionary(NAMES, inequalities, DEFAULT_LIMITS)
    conflict = dictionary.settle()
    if conflict is None:
        values, denominator = dictionary.solution()
        assert all(Linear(t.coefficients, 0).value(values) + t.constant * denominator <= 0 for t in terms)
        return
    blamed = [item for item in inequalities if item.origins & conflict.origins]
    assert isinstance(Dictionary(NAMES, blamed, DEFAULT_LIMITS).settle(), Conflict)
    assert z3_truth(Exists(NAMES, conjunction(at_most(item.term) for item in blamed))) is False


@given(st.lists(linears(NAMES, 9).filter(lambda term: bool(term.coefficients)), min_size=1, max_size=5))
def test_the_direction_of_recession_spares_what_bounds(terms: list[Linear]) -> None:
    inequalities = [Inequality(term, 0) for term in terms]
    bounding, direction = recession(inequalities, DEFAULT_LIMITS)
    for item in inequalities:
        change = Linear(item.term.coefficients, 0).value(direction)
        assert change == 0 if item in bounding else change < 0


def test_a_wedge_is_bounded_by_nothing() -> None:
    wedge = [Inequality(Linear((("x", 100), ("y", -101)), 7), 0), Inequality(Linear((("x", -101), ("y", 102)), 7), 0)]
    bounding, direction = recession(wedge, DEFAULT_LIMITS)
    assert bounding == []
    assert all(Linear(item.term.coefficients, 0).value(direction) < 0 for item in wedge)
