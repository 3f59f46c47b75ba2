"""The submonoid that a Presburger set generates: against sums of its vectors, in both directions."""

from __future__ import annotations

from functools import reduce

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from sampling import examples
from tallystick.core.clock import clock
from tallystick.core.presburger.formulas import (
    Formula,
    at_most,
    conjunction,
    differs,
    disjunction,
    divides,
    equal,
    holds,
    negate,
)
from tallystick.core.presburger.lift import cover, eliminate_block
from tallystick.core.presburger.limits import DEFAULT_LIMITS, LimitError, Limits
from tallystick.core.presburger.linear import Linear, constant, unknown
from tallystick.core.presburger.search import satisfy
from tallystick.core.presburger.star import Piece, Star, pieces
from tallystick.core.presburger.unimodular import is_unimodular, minimal_solutions

NAMES = ("a", "b")
small = st.integers(-2, 2)
linear = st.builds(
    lambda p, q, c: reduce(Linear.plus, [unknown(n, k) for n, k in zip(NAMES, (p, q), strict=True) if k], constant(c)),
    small,
    small,
    st.integers(-4, 4),
)
literals = st.one_of(
    linear.map(at_most),
    linear.map(at_most),
    linear.map(equal),
    linear.map(differs),
    st.builds(divides, st.integers(2, 4), linear),
    st.builds(divides, st.integers(2, 3), linear).map(negate),
)


def few() -> Limits:
    """Caps for random sets: one that meets them has its answer, and is left out."""
    return Limits(deadline=clock() + 2, constraints=300, disjuncts=40)


def star_of(formula: Formula) -> Star:
    limits = few()
    return Star.of(pieces(NAMES, cover(frozenset(), formula, limits), limits))


def member(star: Star, vector: tuple[int, ...]) -> dict[str, int] | None:
    fixed = [equal(unknown(name).shift(-value)) for name, value in zip(NAMES, vector, strict=True)]
    found = satisfy(conjunction((star.membership(NAMES), *fixed)), few())
    return None if found is None else dict(found)


@settings(max_examples=examples(80))
@given(st.lists(literals, min_size=1, max_size=3), st.data())
def test_the_star_holds_exactly_the_sums_of_vectors(parts: list[Formula], data: st.DataObject) -> None:
    formula = conjunction(parts)
    box = [(a, b) for a in range(-5, 6) for b in range(-5, 6)]
    inside = [point for point in box if holds(formula, dict(zip(NAMES, point, strict=True)))]
    assume(inside)
    chosen = data.draw(st.lists(st.sampled_from(inside), max_size=6))
    wanted = data.draw(st.sampled_from(box))
    try:
        star = star_of(formula)
        assert member(star, (sum(a for a, _ in chosen), sum(b for _, b in chosen))) is not None
        values = member(star, wanted)
        summands = [] if values is None else star.summands(values, few())
    except LimitError:
        assume(False)
        return
    if values is not None:
        assert all(holds(formula, dict(zip(NAMES, vector, strict=True))) for _, vector, _ in summands)
        total = [sum(times * vector[i] for _, vector, times in summands) for i in range(2)]
        assert tuple(total) == wanted


def test_a_long_interval_needs_no_generators() -> None:
    a, b = map(unknown, NAMES)
    star = star_of(conjunction([at_most(a.times(-1)), at_most(a.shift(-10_000)), equal(b.shift(-1))]))
    assert len(star.pieces) == 1
    assert eliminate_block(star.unknowns, star.membership(NAMES)) == conjunction(
        [at_most(a.times(-1)), at_most(a.minus(b.times(10_000)))]
    )


def test_many_summands_are_counted_not_listed() -> None:
    a, b = map(unknown, NAMES)
    star = star_of(conjunction([at_most(a.times(-1)), at_most(a.shift(-10)), equal(b.shift(-1))]))
    values = member(star, (123_456, 50_000))
    assert values is not None
    assert len(star.summands(values, DEFAULT_LIMITS)) <= 4


def test_a_set_whose_rows_are_not_unimodular_is_split_into_generators() -> None:
    a, b = map(unknown, NAMES)
    star = star_of(conjunction([at_most(a.times(2).minus(b.times(3))), at_most(a.times(-1))]))
    assert all(member(star, point) for point in ((0, 1), (1, 1), (3, 2), (4, 3)))
    assert member(star, (2, 1)) is None


STRIP = ((9, -10), 0, 4, (-4, 5), 11)


@settings(max_examples=examples(60))
@given(
    st.tuples(st.integers(-11, 11), st.integers(-11, 11)),
    st.integers(-20, 20),
    st.integers(0, 9),
    st.tuples(st.integers(-5, 5), st.integers(-5, 5)),
    st.integers(-5, 15),
)
@example(*STRIP)
def test_thin_strips_fall_into_layers_with_the_same_vectors(
    across: tuple[int, int], lowest: int, width: int, along: tuple[int, int], most: int
) -> None:
    """Bounds lowest ≤ p·a + q·b ≤ lowest + width and r·a + s·b ≤ most."""

    def form(factors: tuple[int, int], at_zero: int) -> Linear:
        both = (unknown(name, factor) for name, factor in zip(NAMES, factors, strict=True) if factor)
        return reduce(Linear.plus, both, constant(at_zero))

    above, below = form(across, -lowest).times(-1), form(across, -lowest - width)
    formula = conjunction(map(at_most, (above, below, form(along, -most))))
    try:
        found = pieces(NAMES, cover(frozenset(), formula, few()), few())
    except LimitError:
        assume(False)
        return
    for point in ((a, b) for a in range(-8, 9) for b in range(-8, 9)):
        assert holds(formula, dict(zip(NAMES, point, strict=True))) == any(has(piece, point) for piece in found)


def has(piece: Piece, point: tuple[int, int]) -> bool:
    """Whether a piece holds a vector."""
    same = (equal(term.shift(-value)) for term, value in zip(piece.point, point, strict=True))
    return satisfy(conjunction((*same, *map(at_most, piece.rows)))) is not None


def test_a_thin_strip_needs_no_generators() -> None:
    """Its minimal solutions are too many to find."""
    across, lowest, highest, along, most = STRIP
    a, b = (unknown(name) for name in NAMES)
    strip = a.times(across[0]).plus(b.times(across[1]))
    bounds = (
        strip.times(-1).shift(lowest),
        strip.shift(-highest),
        a.times(along[0]).plus(b.times(along[1])).shift(-most),
    )
    rows = [[term.coefficient(name) for name in NAMES] for term in bounds]
    with pytest.raises(LimitError, match="constraints"):
        minimal_solutions(rows, [term.constant for term in bounds], DEFAULT_LIMITS)
    assert len(star_of(conjunction(map(at_most, bounds))).pieces) == highest - lowest + 1


def test_the_null_vector_generates_only_itself() -> None:
    star = star_of(conjunction([equal(unknown(name)) for name in NAMES]))
    assert star.pieces == ()
    assert member(star, (0, 0)) is not None
    assert member(star, (1, 0)) is None


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([], True),
        ([[1, 0], [0, 1], [-1, 0]], True),
        ([[1, -1], [0, 1]], True),
        ([[5, -1]], True),
        ([[2, 3], [1, 1]], True),
        ([[2, -3], [1, 0]], False),
        ([[1, 1], [1, -1]], False),
        ([[1, 1, 0], [0, 1, 1], [1, 0, 1]], False),
        ([[1, -1, 0], [0, 1, -1], [1, 0, -1]], True),
    ],
)
def test_unimodular_systems(rows: list[list[int]], expected: bool) -> None:
    assert is_unimodular(rows) is expected


def test_minimal_solutions_of_a_slanted_cone() -> None:
    starts, directions = minimal_solutions([[2, -3], [-1, 0]], [0, 0], DEFAULT_LIMITS)
    assert starts == [(0, 0)]
    assert sorted(directions) == [(0, 1), (1, 1), (3, 2)]


def test_too_many_generators_are_a_limit_by_name() -> None:
    with pytest.raises(LimitError, match="constraints"):
        minimal_solutions([[97, -89], [-83, 79], [3, 5]], [-1000, -2000, -7000], Limits(constraints=200))


def test_pieces_are_the_union_of_the_disjuncts() -> None:
    a = unknown("a")
    body = disjunction([equal(a.shift(-2)), equal(a.shift(-5))])
    found = pieces(("a",), cover(frozenset(), body, DEFAULT_LIMITS), DEFAULT_LIMITS)
    assert {piece.point[0].constant for piece in found} == {2, 5}
    assert all(isinstance(piece, Piece) and not piece.rows for piece in found)
