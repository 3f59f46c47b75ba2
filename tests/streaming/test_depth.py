"""Formulas of thousands of operators: long windows, deep nests, wide conjunctions."""

from __future__ import annotations

import time

import pytest
from tallystick.streaming import always, at, later, next_
from tallystick.streaming.letters import Letter
from tallystick.streaming.logic.evaluation import Evaluation, evaluate
from tallystick.streaming.logic.formulas import Always, Eventually
from tallystick.streaming.logic.safe_length import safe_word_length
from tallystick.streaming.logic.truth import Truth
from tallystick.streaming.logic.variables import free_variables_of

some = at("output", bool, "some")


def _word(length, every):
    """A word in which every `every`-th letter has a record."""
    return [(Letter({"output": (1,) if n % every == every - 1 else ()}), n * 1000) for n in range(length)]


def _seconds(size):
    formula = always(later(some).on(size // 2)).during(size)
    word = _word(2 * size, size // 2)
    start = time.process_time()
    assert evaluate(word, formula) is Truth.TRUE
    return time.process_time() - start


def test_always_eventually_takes_a_time_that_is_linear_in_the_word():
    assert _seconds(1000) < 2
    small, large = (min(_seconds(size) for _ in range(3)) for size in (500, 4000))
    assert large < 20 * small, "eight times the word"


def test_of_two_windows_over_the_same_formula_the_stronger_one_is_kept():
    evaluation = Evaluation(always(later(some).on(9)).during(100))
    for letter, at_time in _word(5, 9):
        evaluation.consume(letter, at_time)
    assert str(evaluation.formula) == "◇₄ [some] ∧ □₉₅ ◇₉ [some]"
    evaluation = Evaluation(later(always(some).during(9)).on(100))
    for letter, at_time in _word(5, 1):
        evaluation.consume(letter, at_time)
    assert str(evaluation.formula) == "□₄ [some] ∨ ◇₉₅ □₉ [some]"


@pytest.mark.parametrize("depth", [1500, 20_000])
def test_nested_next_operators(depth):
    formula = some
    for _ in range(depth):
        formula = next_(formula)
    assert safe_word_length(formula) == depth + 1
    assert str(formula).startswith("X")
    assert free_variables_of(formula) == frozenset()
    assert evaluate(_word(depth + 1, depth + 1), formula) is Truth.TRUE
    assert evaluate(_word(depth, depth + 1), formula) is Truth.UNKNOWN


def test_nested_next_operators_with_something_to_say_at_each_letter():
    formula = some
    for _ in range(1500):
        formula = ~some & next_(formula)
    assert safe_word_length(formula) == 1501
    assert "…" in str(formula)
    assert evaluate(_word(1501, 1501), formula) is Truth.TRUE
    assert evaluate(_word(700, 1501), formula) is Truth.UNKNOWN
    assert evaluate(_word(1501, 700), formula) is Truth.FALSE


def test_a_conjunction_of_hundreds_of_formulas():
    formula = ~some
    for place in range(400):
        formula = formula & next_(~some, place)
    assert evaluate(_word(400, 400), formula) is Truth.FALSE
    assert evaluate(_word(400, 401), formula) is Truth.TRUE


def test_a_window_of_no_state_inside_another_window():
    """A timeout that a letter binds may come out as 0, for an operand that has not been simplified before."""
    none, word = Eventually(some, 0), _word(3, 1)
    assert evaluate(word, always(none).during(2)) is Truth.FALSE
    assert evaluate(word, some.until(none).on(2)) is Truth.FALSE
    assert evaluate(word, (~none).until(some & ~none).on(2)) is Truth.TRUE
    assert evaluate(word, some.release(Always(~some, 0)).on(2)) is Truth.TRUE


def test_a_timeout_of_a_million_costs_nothing_by_itself():
    assert evaluate(_word(10, 10), Eventually(some, 10**6)) is Truth.TRUE
