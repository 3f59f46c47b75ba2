"""Words generated from formulas (Definition 2.6) satisfy them, shrink, and fail with a clear error."""

from __future__ import annotations

import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st
from sampling import examples
from tallystick.streaming.errors import FormulaError, UnsatisfiableFormulaError
from tallystick.streaming.logic.formulas import (
    BOTTOM,
    Always,
    And,
    Bind,
    Consume,
    Equals,
    Eventually,
    Formula,
    Implies,
    Next,
    Not,
    Or,
    Predicate,
    Release,
    Until,
)
from tallystick.streaming.logic.generation import generated_words, union, words
from tallystick.streaming.logic.judgement import judge
from tallystick.streaming.logic.terms import Constant, Symbol, Variable
from tallystick.streaming.logic.truth import Truth

from .formulas import T, X

ALPHABET = (("a",), ("b",), ("a", "b"))
CONTAINS = Symbol("contains", lambda batch, record: record in batch)


def contains(record: str) -> Formula:
    """A requirement that a union of batches keeps, so conjunction as union is sound for it."""
    return Consume("x", "o", Predicate(CONTAINS, (X, Constant(record))))


def _extend(inner: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    pairs = [st.builds(kind, inner, inner) for kind in (And, Or, Implies)]
    timed = [st.builds(kind, inner, st.integers(1, 3)) for kind in (Always, Eventually)]
    timed_pairs = [st.builds(kind, inner, inner, st.integers(1, 3)) for kind in (Until, Release)]
    return st.one_of(st.builds(Next, inner), *pairs, *timed, *timed_pairs)


positive_formulas = st.recursive(st.sampled_from("ab").map(contains), _extend, max_leaves=4)


def timed(word):
    return tuple((batch, k) for k, batch in enumerate(word))


@settings(max_examples=examples(100), deadline=None)
@given(st.data(), positive_formulas)
def test_a_generated_word_satisfies_its_formula(data, formula):
    word = data.draw(words(formula, ALPHABET))
    assert judge(timed(word), formula) is Truth.TRUE


@settings(max_examples=examples(60), deadline=None)
@given(st.data(), positive_formulas)
def test_a_strategy_may_serve_as_alphabet(data, formula):
    batches = st.lists(st.sampled_from("ab"), min_size=1, max_size=3).map(tuple)
    word = data.draw(words(formula, batches))
    assert judge(timed(word), formula) is Truth.TRUE


@settings(max_examples=examples(60), deadline=None)
@given(st.data(), positive_formulas)
def test_the_strategy_draws_words_that_the_definition_generates(data, formula):
    word = data.draw(words(formula, ALPHABET))
    assert word in set(generated_words(formula, ALPHABET))


def test_generated_words_shrink_to_the_first_choices():
    word = find(words(Eventually(contains("b"), 5), ALPHABET), lambda word: True)
    assert word == (("b",),)
    assert find(words(Always(contains("a"), 3), ALPHABET), lambda word: True) == (("a",),) * 3


def test_a_formula_that_no_batch_satisfies_is_an_error():
    both = And(contains("a"), contains("c"))
    with pytest.raises(UnsatisfiableFormulaError, match=r"no word can be generated from λx\.contains"):
        find(words(Consume("x", "o", Predicate(CONTAINS, (X, Constant("c")))), ALPHABET), lambda word: True)
    assert list(generated_words(both, ALPHABET)) == []
    assert list(generated_words(BOTTOM, ALPHABET)) == []


def test_negations_timestamps_and_python_bodies_generate_nothing():
    with pytest.raises(FormulaError, match="no words are generated from a negation"):
        next(generated_words(Not(contains("a")), ALPHABET))
    with pytest.raises(FormulaError, match="it uses the timestamp o"):
        next(generated_words(Consume("x", "o", Equals(T, Constant(1))), ALPHABET))
    with pytest.raises(FormulaError, match="name the variable with a consume operator"):
        next(generated_words(Bind(lambda letter, time: contains("a")), ALPHABET))
    with pytest.raises(FormulaError, match="the variable y is not bound"):
        next(generated_words(Equals(Variable("y"), Constant(1)), ALPHABET))


def test_the_union_of_words_keeps_each_record_once():
    assert union((("a", "a"), ("b",)), (("a", "b"),)) == (("a", "a", "b"), ("b",))
