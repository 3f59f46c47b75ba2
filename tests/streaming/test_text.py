"""Formulas and functions as text, and letters."""

from __future__ import annotations

import pytest
from tallystick.streaming import (
    Letter,
    always,
    at,
    bind,
    contains,
    for_each_record,
    is_empty,
    later,
    next_,
    now,
)
from tallystick.streaming.describe import arity, describe
from tallystick.streaming.errors import UnknownStreamError
from tallystick.streaming.logic.formulas import BOTTOM, TOP
from tallystick.streaming.logic.truth import Truth

EMPTY, ONE = at("input", is_empty), at("output", contains(1))


def is_even(number):
    return number % 2 == 0


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        (EMPTY & ONE | ~ONE, "[input is empty] ∧ [output has 1] ∨ ¬[output has 1]"),
        (EMPTY >> (ONE | TOP), "[input is empty] → [output has 1] ∨ ⊤"),
        (EMPTY.until(ONE).on(3), "[input is empty] U₃ [output has 1]"),
        ((EMPTY & ONE).release(BOTTOM).on(12), "([input is empty] ∧ [output has 1]) R₁₂ ⊥"),
        (always(later(EMPTY).on(2)).during(10), "□₁₀ ◇₂ [input is empty]"),
        (next_(EMPTY, 3), "X³ [input is empty]"),
        (next_(EMPTY, 0), "[input is empty]"),
        (at("output", for_each_record(lambda n: n > 0)), "[output each: n > 0]"),
        (at(("input", "output"), lambda a, b: a == b), "[input, output a == b]"),
        (now(lambda letter, time: time > 3), "[time > 3]"),
        (bind(lambda letter: EMPTY), "bind(EMPTY)"),
        (bind(is_even, name="evenness"), "evenness"),
    ],
)
def test_a_formula_is_written_as_in_the_paper(formula, text):
    assert str(formula) == text


def test_functions_are_described_by_their_name_or_source():
    first, second = (lambda x: x + 1), (lambda x: [y for y in x if y])
    assert [describe(each) for each in (is_even, first, second, len)] == [
        "is_even",
        "x + 1",
        "[y for y in x if y]",
        "len",
    ]
    assert (arity(is_even), arity(lambda a, b, c=1: a)) == (1, 2)


def test_letters_give_batches_by_name_and_by_attribute():
    letter = Letter({"input": [1, 2], "output": []})
    assert letter["input"] == letter.input == (1, 2)
    assert repr(letter) == "Letter(input=[1, 2], output=[])"
    assert letter == Letter({"input": (1, 2), "output": ()})
    with pytest.raises(UnknownStreamError, match=r"there is no stream 'outputs': .*; did you mean 'output'"):
        letter.outputs  # noqa: B018


def test_a_truth_value_is_not_a_bool():
    with pytest.raises(TypeError, match=r"compare it with Truth\.TRUE or Truth\.FALSE"):
        bool(Truth.UNKNOWN)
    assert [str(value) for value in Truth] == ["⊥", "?", "⊤"]
