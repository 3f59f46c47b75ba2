"""Binders: opening and closing monomials never captures, and what the constructors simplify means the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tallystick.core.binders import (
    bind,
    canonical,
    every,
    exists,
    extremum,
    fresh_rows,
    instantiate,
    limit,
    restricted,
    slots_of,
    summation,
    total,
)
from tallystick.core.errors import SortError
from tallystick.core.pretty import text
from tallystick.core.terms import (
    FALSE,
    TRUE,
    Operator,
    Term,
    add,
    build,
    conjunction,
    constant,
    disjunction,
    equal,
    ite,
    less,
    project,
    row,
    slot,
    variable,
)
from tallystick.core.types import BOOL, INT, BagType, TupleType

PAIR = TupleType((INT, INT))
R, S = variable("R", BagType(PAIR)), variable("S", BagType(INT))
X, Y = row(0, PAIR), row(1, INT)


@st.composite
def open_terms(draw: st.DrawFn, of, rows: tuple[Term, ...], depth: int) -> Term:
    """Terms over rows, with binders of their own, correlated at every depth."""
    number = len(rows)
    if depth == 0 or draw(st.booleans()):
        known = [project(row, 0) if row.type == PAIR else row for row in rows] + [constant(draw(st.integers(-2, 2)))]
        left, right = draw(st.sampled_from(known)), draw(st.sampled_from(known))
        return less(left, right) if of == BOOL else add(left, right)
    sources = draw(st.lists(st.sampled_from([R, S, every(INT)]), min_size=1, max_size=2))
    bound = tuple(row(number + place, source.type.element) for place, source in enumerate(sources))
    condition = draw(open_terms(BOOL, rows + bound, depth - 1))
    head = draw(open_terms(INT, rows + bound, depth - 1))
    bag = summation([bind(bound, sources, condition, head)], INT)
    if of == BOOL:
        return exists(bag)
    return draw(st.sampled_from((total, lambda bag: extremum("max", bag))))(bag)


@st.composite
def monomials(draw: st.DrawFn) -> Term:
    sources = (R, S, limit(summation([draw_block(draw)], INT), 2, 0, ()))
    rows = (X, Y, row(2, INT))
    return bind(rows, sources, draw(open_terms(BOOL, rows, 2)), draw(open_terms(INT, rows, 2)))


def draw_block(draw: st.DrawFn) -> Term:
    """A monomial that mentions both slots before it."""
    inner = row(2, INT)
    return bind((inner,), (S,), draw(open_terms(BOOL, (X, Y, inner), 1)), add(inner, Y))


@given(monomials(), st.integers(3, 9))
def test_closing_undoes_opening_whatever_the_rows_are_called(monomial, first):
    rows = fresh_rows(monomial, first)
    opened = instantiate(monomial, rows)
    assert not any(part.bound for part in (*opened.sources, opened.condition, opened.head))
    assert bind(rows, opened.sources, opened.condition, opened.head) is monomial


@given(monomials(), st.integers(3, 9), st.integers(3, 9))
def test_opening_to_other_rows_is_opening_and_then_replacing(monomial, first, other):
    rows, others = fresh_rows(monomial, first), fresh_rows(monomial, other)
    opened = instantiate(monomial, rows)
    again = bind(rows, opened.sources, opened.condition, opened.head)
    assert instantiate(again, others) == instantiate(monomial, others)


@given(monomials())
def test_rows_that_stay_free_are_not_captured_by_binders_around_or_inside(monomial):
    rows = fresh_rows(monomial, 3)
    opened = instantiate(monomial, rows)
    inner = bind(rows[1:], opened.sources[1:], opened.condition, opened.head)  # row 3 stays free
    assert rows[0] in inner.rows or all(rows[0] not in part.rows for part in inner.arguments)
    outer = bind(rows[:1], opened.sources[:1], exists(summation([inner], INT)), TRUE)
    assert rows[0] not in outer.rows
    assert not outer.bound
    assert instantiate(outer, rows[:1]).condition is exists(summation([inner], INT))


def test_a_slot_under_another_binder_is_the_outer_one():
    """The prototype's capture: a binder hash-consed under a name that clashes with one of the row put into it."""
    inner = exists(summation([bind((Y,), (S,), equal(Y, project(X, 0)), TRUE)], BOOL))
    outer = bind((X,), (R,), inner, TRUE)
    for number in (0, 1, 7):
        opened = instantiate(outer, (row(number, PAIR),)).condition
        assert opened.rows == {row(number, PAIR)}
        body = instantiate(opened.arguments[0].arguments[0], (row(number + 1, INT),)).condition
        assert body is equal(row(number + 1, INT), project(row(number, PAIR), 0))


def test_terms_that_are_put_into_slots_are_closed_and_of_the_slots_types():
    monomial = bind((X,), (R,), TRUE, project(X, 0))
    with pytest.raises(SortError, match="expected closed terms of the types"):
        instantiate(monomial, (Y,))
    with pytest.raises(SortError, match="expected closed terms of the types"):
        instantiate(monomial, (slot(0, PAIR),))
    with pytest.raises(SortError, match="expected closed terms of the types"):
        instantiate(monomial, ())


@pytest.mark.parametrize(
    ("rows", "sources", "message"),
    [
        ((X, X), (R, R), "a monomial binds different rows, one for each source, and of its type"),
        ((X,), (S,), "a monomial binds different rows, one for each source, and of its type"),
        ((constant(1),), (S,), "a monomial binds rows"),
        (
            (Y,),
            (limit(summation([bind((), (), TRUE, Y)], INT), 1, 0, ()),),
            "a source mentions the slots before it only",
        ),
    ],
)
def test_what_cannot_be_bound_is_refused(rows, sources, message):
    with pytest.raises(SortError, match=f"^{message}$"):
        bind(rows, sources, TRUE, TRUE)


def test_exists_looks_at_no_heads_and_at_no_false_or_slotless_monomial():
    some_row = bind((Y,), (S,), TRUE, Y)
    condition = less(constant(0), project(X, 0))
    bag = summation([some_row, bind((), (), condition, Y), bind((Y,), (S,), FALSE, Y)], INT)
    assert exists(bag) is disjunction(condition, exists(summation([bind((Y,), (S,), TRUE, TRUE)], BOOL)))
    assert exists(summation([some_row, some_row], INT)) is exists(summation([some_row], INT))
    assert exists(summation([], INT)) is FALSE
    assert exists(summation([bind((), (), TRUE, Y), some_row], INT)) is TRUE


def test_sums_and_extrema_of_nothing_are_default_values_and_slotless_weights_are_terms():
    condition = less(constant(0), project(X, 0))
    alone, over_s = bind((), (), condition, project(X, 1)), bind((Y,), (S,), TRUE, Y)
    assert total(summation([], INT)) is constant(0)
    assert extremum("min", summation([], INT)) is constant(0)
    assert total(summation([alone], INT)) is ite(condition, project(X, 1), constant(0))
    expected = add(ite(condition, project(X, 1), constant(0)), total(summation([over_s], INT)))
    assert total(summation([alone, over_s], INT)) is expected


def test_a_further_condition_of_each_monomial_sees_its_instance_and_captures_nothing():
    bag = summation([bind((X,), (R,), TRUE, project(X, 0))], INT)
    free = row(4, INT)
    found = restricted(bag, 5, lambda opened: equal(opened.head, free))
    assert found.arguments[0] is bind((X,), (R,), equal(project(X, 0), free), TRUE)


@given(monomials())
def test_canonical_terms_stay_as_they_are(monomial):
    for part in (exists(summation([monomial], INT)), total(summation([monomial], INT))):
        if part.operator in (Operator.EXISTS, Operator.SUM):
            assert canonical(part.operator, part.arguments, part.parameter) is part


def test_monomials_read_as_in_the_theory():
    keep = conjunction(
        less(Y, project(X, 0)),
        exists(summation([bind((row(2, INT),), (every(INT),), equal(row(2, INT), Y), TRUE)], BOOL)),
    )
    monomial = bind((X, Y), (R, S), keep, project(X, 1))
    assert slots_of(monomial) == 2
    written = text(build(Operator.SUMMATION, (monomial,), INT))
    assert written == "⟨x0: R, x1: S | x1 < p₁(x0) ∧ exists(⟨x2: ★Int | x2 = x1 ↦ true⟩) ↦ p₂(x0)⟩"
