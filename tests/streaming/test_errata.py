"""Every witness in streaming/ERRATA.md, computed. `as_printed` holds the definitions as the paper prints
them."""

from __future__ import annotations

import pytest
from tallystick.streaming.logic.decision import decide
from tallystick.streaming.logic.evaluation import evaluate
from tallystick.streaming.logic.formulas import (
    BOTTOM,
    TOP,
    Always,
    And,
    Equals,
    Eventually,
    Not,
    Or,
    Predicate,
    Release,
    Until,
    next_times,
)
from tallystick.streaming.logic.generation import generated_words
from tallystick.streaming.logic.judgement import judge
from tallystick.streaming.logic.next_form import explicit_next_form, recursive_next_form
from tallystick.streaming.logic.safe_length import safe_word_length
from tallystick.streaming.logic.simplification import letter_simplification
from tallystick.streaming.logic.terms import Apply, Constant
from tallystick.streaming.logic.truth import Truth

from . import as_printed
from .formulas import BBAA, LEQ, PLUS, A, B, C, T, X, Y, consume, letter_is

IS_A, IS_B, IS_C = letter_is(A), letter_is(B), letter_is(C)
WORD_B, WORD_BA = (("b", 0),), (("b", 0), ("a", 1))
UNDECIDED_FIRST = Or(IS_A, next_times(IS_C, 2))


def _all_say(value, word, formula):
    """Everything of ours agrees: judgement, decision procedure, both next forms, stepwise evaluation."""
    assert judge(word, formula) is value
    assert decide(word, formula) is value
    assert judge(word, explicit_next_form(formula)) is value
    assert judge(word, recursive_next_form(formula)) is value
    assert evaluate(word, formula) is value


def test_item_1_the_printed_until_takes_a_verdict_back_when_the_word_grows():
    formula = Until(TOP, IS_A, 2)
    assert as_printed.judge_until(WORD_B, formula) is Truth.FALSE
    assert as_printed.judge_until(WORD_BA, formula) is Truth.TRUE
    assert judge(WORD_B, Eventually(IS_A, 2)) is Truth.UNKNOWN
    _all_say(Truth.UNKNOWN, WORD_B, formula)
    _all_say(Truth.TRUE, WORD_BA, formula)


def test_item_1_the_printed_until_leaves_open_what_no_word_can_make_true():
    formula = Until(IS_A, BOTTOM, 1)
    assert as_printed.judge_until((), formula) is Truth.UNKNOWN
    assert as_printed.decide((), formula) is Truth.FALSE
    _all_say(Truth.FALSE, (), formula)


def test_item_2_a_closed_interval_in_release_leaves_a_safe_word_undecided():
    formula = Release(IS_B, IS_A, 1)
    assert safe_word_length(formula) == len(WORD_B)
    assert as_printed.judge_release(WORD_B, formula) is Truth.UNKNOWN
    assert as_printed.decide(WORD_B, formula) is Truth.FALSE
    _all_say(Truth.FALSE, WORD_B, formula)


def test_item_2_a_closed_interval_in_until_contradicts_example_2():
    """φ₁ is ⊥ at the letter where φ₂ first holds, so [i, k] would exclude the only witness k = 3."""
    assert [judge(BBAA, IS_B, k) for k in (1, 2, 3)] == [Truth.TRUE, Truth.TRUE, Truth.FALSE]
    _all_say(Truth.TRUE, BBAA, Until(IS_B, IS_A, 5))


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        (Eventually(IS_C, 4), Truth.FALSE),
        (Always(Not(IS_C), 4), Truth.TRUE),
        (Until(Not(IS_C), IS_C, 4), Truth.FALSE),
        (Release(IS_C, Not(IS_C), 4), Truth.TRUE),
    ],
)
def test_item_3_the_empty_word_before_timeout_0(formula, value):
    assert as_printed.decide(BBAA, formula) is Truth.UNKNOWN
    _all_say(value, BBAA, formula)


@pytest.mark.parametrize(("left", "right", "value"), [(BOTTOM, TOP, Truth.TRUE), (TOP, BOTTOM, Truth.FALSE)])
def test_item_4_release_on_the_empty_word(left, right, value):
    formula = Release(left, right, 2)
    assert as_printed.decide((), formula) is not value
    _all_say(value, (), formula)


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        (Eventually(UNDECIDED_FIRST, 2), Truth.TRUE),
        (Always(Not(UNDECIDED_FIRST), 2), Truth.FALSE),
        (Until(TOP, UNDECIDED_FIRST, 2), Truth.TRUE),
        (Release(BOTTOM, Not(UNDECIDED_FIRST), 2), Truth.FALSE),
    ],
)
def test_items_5_and_6_no_printed_rule_applies_to_an_undecided_operand(formula, value):
    assert judge(WORD_BA, UNDECIDED_FIRST, 1) is Truth.UNKNOWN
    assert judge(WORD_BA, UNDECIDED_FIRST, 2) is Truth.TRUE
    assert as_printed.decide(WORD_BA, formula) is Truth.UNKNOWN
    _all_say(value, WORD_BA, formula)


@pytest.mark.parametrize(
    ("formula", "word"), [(Release(BOTTOM, TOP, 1), ()), (Release(IS_A, letter_is(B, Y, "p"), 2), BBAA)]
)
def test_item_7_release_with_timeout_1(formula, word):
    assert judge(word, as_printed.next_form_of_release(formula)) is Truth.FALSE
    assert judge(word, explicit_next_form(formula)) is Truth.TRUE
    _all_say(Truth.TRUE, word, formula)


def test_item_8_the_next_forms_are_equal_in_value_and_not_as_formulas():
    formula = Always(IS_A, 3)
    assert str(explicit_next_form(formula)) == "λx.x = a ∧ X λx.x = a ∧ X² λx.x = a"
    assert str(recursive_next_form(formula)) == "λx.x = a ∧ X (λx.x = a ∧ X λx.x = a)"
    assert judge((), TOP, 5) is Truth.TRUE


def test_item_9_letter_simplification_of_a_negation():
    assert letter_simplification(Not(IS_A), ("b", 0)) == Not(Equals(Constant("b"), A))
    assert evaluate(WORD_B, Not(IS_A)) is Truth.TRUE


def test_items_10_to_12_generation():
    a, b = ("a",), ("b",)
    is_a, is_b = consume(Equals(X, Constant(a))), consume(Equals(X, Constant(b)))
    assert list(generated_words(Or(is_a, is_b), [a, b])) == [(a,), (b,)]
    assert list(generated_words(And(is_a, is_b), [a, b])) == [(("a", "b"),)]
    assert list(generated_words(TOP, [a])) == [()]
    assert list(generated_words(is_a, [a, b])) == [(a,)]


def test_item_13_the_last_judgement_of_example_2():
    word = ((0, 0), (1, 2), (2, 3))
    letters = consume(consume(Predicate(LEQ, (Constant(5), Apply(PLUS, (X, Y)))), "y", "o"))
    _all_say(Truth.FALSE, word, Eventually(letters, 2))
    times = consume(consume(Predicate(LEQ, (Constant(5), Apply(PLUS, (T, Y)))), "x", "y"), "x", "o")
    _all_say(Truth.TRUE, word, Eventually(times, 2))
