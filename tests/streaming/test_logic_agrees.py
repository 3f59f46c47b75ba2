"""The judgement, the decision procedure, the three next forms and stepwise evaluation agree with one
another."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sampling import examples
from tallystick.streaming.errors import FormulaError, NoSafeWordLengthError
from tallystick.streaming.logic.decision import decide
from tallystick.streaming.logic.evaluation import evaluate
from tallystick.streaming.logic.formulas import Always, Bind, Consume, Formula, Predicate
from tallystick.streaming.logic.judgement import judge
from tallystick.streaming.logic.next_form import (
    explicit_next_form,
    is_next_form,
    lazy_next_form,
    recursive_next_form,
)
from tallystick.streaming.logic.safe_length import safe_word_length
from tallystick.streaming.logic.simplification import EMPTY_LETTER, letter_simplification
from tallystick.streaming.logic.terms import Variable
from tallystick.streaming.logic.truth import Truth
from tallystick.streaming.logic.variables import free_variables_of

from .formulas import A, closed_formulas, letter_is, words

logic = settings(max_examples=examples(150), deadline=None)


@logic
@given(words(), closed_formulas(open_timeouts=True))
def test_the_decision_procedure_agrees_with_the_judgement(word, formula):
    assert decide(word, formula) is judge(word, formula)


@logic
@given(words(), closed_formulas(open_timeouts=True))
def test_stepwise_evaluation_agrees_with_the_judgement(word, formula):
    assert evaluate(word, formula) is judge(word, formula)


@logic
@given(words(), closed_formulas(depth=3))
def test_the_explicit_next_form_has_the_value_of_its_formula(word, formula):
    """Theorem 2, on all three values and not on ⊤ alone."""
    transformed = explicit_next_form(formula)
    assert is_next_form(transformed)
    assert judge(word, transformed) is judge(word, formula)


@logic
@given(words(), closed_formulas(depth=3, open_timeouts=True))
def test_the_recursive_next_form_has_the_value_of_its_formula(word, formula):
    transformed = recursive_next_form(formula)
    assert is_next_form(transformed)
    assert judge(word, transformed) is judge(word, formula)


@logic
@given(words(), closed_formulas(open_timeouts=True))
def test_the_lazy_next_form_has_the_value_of_its_formula(word, formula):
    assert judge(word, lazy_next_form(formula)) is judge(word, formula)


@logic
@given(words(), closed_formulas(depth=3))
def test_letter_simplification_of_the_full_next_form_reaches_the_same_value(word, formula):
    """Definition 2.4 by itself: no lazy step, no early stop."""
    rest = recursive_next_form(formula)
    for letter in word:
        rest = letter_simplification(rest, letter)
    assert letter_simplification(rest, EMPTY_LETTER).value is judge(word, formula)


@logic
@given(words(min_size=1), closed_formulas(open_timeouts=True), words())
def test_a_definite_verdict_stays_when_the_word_grows(word, formula, more):
    shift = word[-1][1]
    longer = word + tuple((letter, time + shift) for letter, time in more)
    verdict = judge(word, formula)
    if verdict.is_definite:
        assert judge(longer, formula) is verdict


@logic
@given(closed_formulas(depth=3), st.data())
def test_a_word_of_the_safe_length_gives_a_definite_verdict(formula, data):
    length = safe_word_length(formula)
    word = data.draw(words(min_size=length, max_size=length + 2))
    assert judge(word, formula).is_definite


@logic
@given(closed_formulas(open_timeouts=True))
def test_random_formulas_are_closed_and_have_a_text(formula):
    assert free_variables_of(formula) == frozenset()
    assert str(formula)


def test_a_timeless_formula_has_its_value_even_on_the_empty_word():
    """ε, i ⊨ X⊤ : ⊤ (text below the judgement rules)."""
    from tallystick.streaming.logic.formulas import TOP, Next

    assert judge((), Next(TOP), 5) is Truth.TRUE


def _depends_on_time() -> Formula:
    return Consume("x", "o", Always(letter_is(A), Variable("o")))


def test_a_timeout_bound_by_a_letter_has_no_explicit_next_form_and_no_safe_length():
    with pytest.raises(FormulaError, match=r"no explicit next form: the timeout of □\[o\]"):
        explicit_next_form(_depends_on_time())
    with pytest.raises(NoSafeWordLengthError, match=r"no safe word length: □\[o\]"):
        safe_word_length(_depends_on_time())
    with pytest.raises(FormulaError, match="known only at its letter"):
        explicit_next_form(Bind(lambda letter, time: letter_is(A)))


def test_a_bind_that_declares_what_it_needs_has_a_safe_length_and_is_held_to_it():
    honest = Bind(lambda letter, time: letter_is(A), needs=1)
    assert safe_word_length(honest) == 2
    liar = Bind(lambda letter, time: Always(letter_is(A), 4), needs=1, name="peak")
    with pytest.raises(FormulaError, match=r"peak declares needs=1, but □₄ λx.x = a needs 4 letters"):
        evaluate((("a", 0), ("a", 1)), liar)


def test_open_formulas_and_bad_timeouts_are_refused():
    from tallystick.streaming.logic.terms import Symbol

    with pytest.raises(FormulaError, match="the variable y is not bound"):
        judge((("a", 0),), Predicate(Symbol("p", bool), (Variable("y"),)))
    with pytest.raises(FormulaError, match="a timeout is a number of batches, 0 or more, not -1"):
        Always(letter_is(A), -1)
    with pytest.raises(FormulaError, match="came out as 'a': it must be a natural number"):
        judge((("a", 0),), Consume("x", "o", Always(letter_is(A), Variable("x"))))
    with pytest.raises(FormulaError, match="is not in next form"):
        letter_simplification(Always(letter_is(A), 2), ("a", 0))


def test_a_bind_must_return_a_formula():
    with pytest.raises(FormulaError, match="expected a formula"):
        evaluate((("a", 0),), Bind(lambda letter, time: letter))  # type: ignore[arg-type, return-value]
