"""Equal terms are one object, and terms that are no more are forgotten."""

from __future__ import annotations

import gc
from weakref import ref

import pytest
from tallystick.core import terms
from tallystick.core.errors import SortError
from tallystick.core.terms import Operator, Term, build, constant, negation, variable
from tallystick.core.types import INT

X = variable("x", INT)
FEW = terms._FEW


def table() -> int:
    return len(terms._known)


def chain(length: int, start: Term = X) -> Term:
    term = start
    for number in range(length):
        term = build(Operator.ADD, (term, constant(number)))
    return term


def test_terms_that_are_no_more_are_taken_out_of_the_table() -> None:
    gc.collect()
    terms._forget()
    alive, most = table(), 0
    for number in range(5 * FEW):
        build(Operator.SCALE, (X,), 10**6 + number)
        most = max(most, table())
    assert most <= max(FEW, 2 * alive) + 10
    terms._forget()
    assert table() <= alive + 10


def test_terms_that_are_kept_stay_one_object() -> None:
    kept = [build(Operator.SCALE, (X,), -number) for number in range(2, 100)]
    terms._forget()
    assert all(build(Operator.SCALE, (X,), -number) is term for number, term in enumerate(kept, 2))


def test_an_argument_goes_with_the_last_term_that_it_occurs_in() -> None:
    inner = build(Operator.SCALE, (X,), 987_654)
    outer = build(Operator.ADD, (inner, X))
    gone = ref(inner), ref(outer)
    del inner
    terms._forget()
    assert build(Operator.ADD, (build(Operator.SCALE, (X,), 987_654), X)) is outer
    del outer
    terms._forget()
    assert [each() for each in gone] == [None, None]


def test_a_term_that_was_taken_out_is_built_anew() -> None:
    build(Operator.SCALE, (X,), 123_456_789)
    terms._forget()
    term = build(Operator.SCALE, (X,), 123_456_789)
    assert build(Operator.SCALE, (X,), 123_456_789) is term
    assert (term.arguments, term.parameter, term.depth) == ((X,), 123_456_789, 2)


def test_a_deep_term_goes_without_a_trace() -> None:
    """Its hundred thousand subterms go from the outermost on, none inside of another's deallocation."""
    gc.collect()
    terms._forget()
    before = table()
    term = chain(100_000)
    assert table() >= before + 100_000
    del term
    terms._forget()
    assert table() <= before + 100


def test_what_is_no_truth_value_has_no_negation() -> None:
    with pytest.raises(SortError, match=r"^no typing rule for not of \(Int\)"):
        negation(constant(3))
