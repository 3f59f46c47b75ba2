"""Every worked example of the paper's section 2, Examples 2 to 9. (3 and 10–18 with programs:
test_examples_*.)"""

from __future__ import annotations

import pytest
from tallystick.streaming.logic.decision import decide
from tallystick.streaming.logic.evaluation import Evaluation, evaluate
from tallystick.streaming.logic.formulas import (
    TOP,
    Always,
    And,
    Equals,
    Eventually,
    Formula,
    Implies,
    Next,
    Or,
    Predicate,
    Release,
    Until,
    next_times,
)
from tallystick.streaming.logic.generation import generated_words
from tallystick.streaming.logic.judgement import judge
from tallystick.streaming.logic.next_form import explicit_next_form, lazy_next_form, recursive_next_form
from tallystick.streaming.logic.safe_length import safe_word_length
from tallystick.streaming.logic.simplification import letter_simplification
from tallystick.streaming.logic.terms import Apply, Constant, Variable
from tallystick.streaming.logic.truth import Truth
from tallystick.streaming.logic.variables import timeout_of

from .formulas import BBAA, LEQ, PLUS, A, B, C, T, X, Y, Z, consume, letter_is

TWICE_A = And(letter_is(A, Y, "p"), Next(letter_is(A, Z, "q")))
B_LEADS_TO_A = Always(Implies(letter_is(B), Eventually(letter_is(A, Y, "p"), 2)), 2)
BOUND_TIMEOUT = consume(Always(Equals(X, B), Apply(PLUS, (T, Constant(6)))))

EXAMPLE_2 = {
    "◇₄ c": (Eventually(letter_is(C), 4), Truth.FALSE),
    "◇₅ c": (Eventually(letter_is(C), 5), Truth.UNKNOWN),
    "□₅ a or b": (Always(consume(Or(Equals(X, A), Equals(X, B))), 5), Truth.UNKNOWN),
    "b U₂ a": (Until(letter_is(B), letter_is(A, Y, "p"), 2), Truth.FALSE),
    "b U₅ a": (Until(letter_is(B), letter_is(A, Y, "p"), 5), Truth.TRUE),
    "a R₂ b": (Release(letter_is(A), letter_is(B, Y, "p"), 2), Truth.TRUE),
    "□₃ (a → X a)": (Always(Implies(letter_is(A), Next(letter_is(A, Y, "p"))), 3), Truth.TRUE),
    "□₂ (b → ◇₂ a)": (B_LEADS_TO_A, Truth.FALSE),
    "b U₂ X (a ∧ X a)": (Until(letter_is(B), Next(TWICE_A), 2), Truth.TRUE),
    "λ.□[o+6] x = b": (BOUND_TIMEOUT, Truth.TRUE),
}


@pytest.mark.parametrize("name", EXAMPLE_2)
def test_example_2(name):
    formula, value = EXAMPLE_2[name]
    assert judge(BBAA, formula) is value
    assert decide(BBAA, formula) is value
    assert evaluate(BBAA, formula) is value


def test_example_3_time_grows_monotonically():
    """φ₂ = □₉ λ.λ.leq(o₁, o₂) needs ten letters; on a word whose time goes back it is ⊥."""
    later = consume(consume(Predicate(LEQ, (Variable("o1"), Variable("o2"))), "x2", "o2"), "x1", "o1")
    formula = Always(later, 9)
    assert safe_word_length(formula) == 10
    assert judge([("e", k) for k in range(10)], formula) is Truth.TRUE
    assert judge([("e", k) for k in range(9)], formula) is Truth.UNKNOWN
    assert judge([("e", 5), ("e", 4)], formula) is Truth.FALSE


def test_example_4_first_chain():
    inner = Eventually(letter_is(A, Y, "p"), 2)
    assert decide(BBAA, B_LEADS_TO_A) is Truth.FALSE
    assert decide(BBAA, inner) is Truth.FALSE
    assert decide(BBAA[1:], Eventually(inner.body, 1)) is Truth.FALSE
    assert decide(BBAA[2:], Eventually(inner.body, 0)) is Truth.FALSE


def test_example_4_second_chain():
    def formula(timeout: int) -> Formula:
        return Until(letter_is(B), Next(TWICE_A), timeout)

    assert decide(BBAA, formula(2)) is Truth.TRUE
    assert decide(BBAA, Next(TWICE_A)) is Truth.FALSE
    assert decide(BBAA[1:], formula(1)) is Truth.TRUE


def test_example_4_third_chain():
    assert decide(BBAA, BOUND_TIMEOUT) is Truth.TRUE
    for rest, timeout in ((BBAA[1:], 6), (BBAA[2:], 5), (BBAA[3:], 4), ((), 3)):
        assert decide(rest, Always(TOP, timeout)) is Truth.TRUE
    assert decide((), TOP) is Truth.TRUE


def test_example_5_explicit_next_forms():
    c = letter_is(C)
    expected = Or(Or(Or(c, Next(c)), next_times(c, 2)), next_times(c, 3))
    assert explicit_next_form(Eventually(c, 4)) == expected

    a, b = letter_is(A), letter_is(B)
    assert explicit_next_form(Until(b, a, 2)) == Or(a, And(b, Next(a)))

    a_y = letter_is(A, Y, "p")
    once = Implies(b, Or(a_y, Next(a_y)))
    assert explicit_next_form(B_LEADS_TO_A) == And(once, Next(once))

    expected = Or(Next(TWICE_A), And(b, next_times(TWICE_A, 2)))
    assert explicit_next_form(Until(b, Next(TWICE_A), 2)) == expected


def test_example_6_lazy_next_forms():
    a_y, b = letter_is(A, Y, "p"), letter_is(B)
    body = B_LEADS_TO_A.body
    expected = And(Implies(b, Or(a_y, Next(Eventually(a_y, 1)))), Next(Always(body, 1)))
    assert lazy_next_form(B_LEADS_TO_A) == expected
    assert lazy_next_form(BOUND_TIMEOUT) == BOUND_TIMEOUT
    assert str(recursive_next_form(BOUND_TIMEOUT)) == "λ.nt(□[plus(o, 6)] x = b)"


def test_example_7_stepwise_evaluation():
    evaluation = Evaluation(B_LEADS_TO_A)
    assert evaluation.consume(*BBAA[0]) is Truth.UNKNOWN
    assert str(evaluation.formula) == "λy.y = a ∧ (λx.x = b → ◇₂ λy.y = a)"
    assert str(lazy_next_form(evaluation.formula)) == "λy.y = a ∧ (λx.x = b → λy.y = a ∨ X ◇₁ λy.y = a)"
    assert evaluation.consume(*BBAA[1]) is Truth.FALSE


def test_example_7_bound_timeout_counts_down_and_ends_with_top():
    """The timeout counts down 6, 5, 4, 3 over the four letters, and the empty letter then gives ⊤."""
    rest = lazy_next_form(BOUND_TIMEOUT)
    for step, letter in enumerate(BBAA):
        rest = letter_simplification(lazy_next_form(rest), letter)
        assert isinstance(rest, Always)
        assert (rest.body, timeout_of(rest.timeout)) == (Equals(Constant("b"), B), 6 - step)
    assert letter_simplification(lazy_next_form(rest), None) == TOP
    evaluation = Evaluation(BOUND_TIMEOUT)
    evaluation.consume(*BBAA[0])
    assert evaluation.finish() is Truth.TRUE


def test_example_8_safe_word_lengths():
    assert safe_word_length(EXAMPLE_2["□₃ (a → X a)"][0]) == 4
    assert safe_word_length(EXAMPLE_2["b U₂ X (a ∧ X a)"][0]) == 4


def test_example_9_generated_words():
    """gen(□₂ (b → ◇₂ a)) can be a a; the other choices of disjuncts give the other words."""
    a, b = ("a",), ("b",)
    holds_a = consume(Equals(Y, Constant(a)), "y", "p")
    formula = Always(Implies(consume(Equals(X, Constant(b))), Eventually(holds_a, 2)), 2)
    words = list(generated_words(formula, [a, b]))
    assert words[0] == (a, a)
    assert set(words) == {(a, a), (a, (), a), ((), a), ((), a, a)}


def test_the_note_below_definition_2_6_a_conjunction_of_two_records_is_one_batch_with_both():
    a, b = ("a",), ("b",)
    formula = And(consume(Equals(X, Constant(a))), consume(Equals(X, Constant(b))))
    assert list(generated_words(formula, [a, b])) == [(("a", "b"),)]
