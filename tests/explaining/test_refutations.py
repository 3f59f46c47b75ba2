"""Refutation trees in words: the facts that steps use, cases, splits and cuts."""

from __future__ import annotations

from tallystick.certificates.evidence import Cut, Farkas, Split
from tallystick.certificates.proofs import Oracle
from tallystick.certificates.search.tableau import search
from tallystick.core.terms import (
    Operator,
    add,
    build,
    conjunction,
    constant,
    equal,
    implies,
    ite,
    less,
    less_equal,
    negation,
    scale,
    variable,
)
from tallystick.core.types import BOOL, INT
from tallystick.explaining.refutations import STEP_LIMIT, refutation_steps

X, Y, B = variable("x", INT), variable("y", INT), variable("b", BOOL)
ZERO = constant(0)


def steps(formula, evidence=None):
    return list(refutation_steps(formula, evidence or search(formula)).entries)


def test_a_leaf_adds_facts_up_to_a_contradiction():
    assert steps(implies(less(X, Y), less_equal(X, Y))) == [
        (0, "Assume that the formula fails."),
        (0, "(0) `x - y ≤ -1`"),
        (0, "(1) `y - x ≤ -1`"),
        (0, "Impossible: (0) + (1) says `2 ≤ 0`."),
    ]


def test_facts_that_no_step_uses_are_left_out():
    assert all("(0)" not in text for _, text in steps(implies(conjunction(B, less(X, Y)), less_equal(X, Y))))


def test_cases_are_indented_and_conditionals_have_names():
    larger = ite(less(X, Y), Y, X)
    told = steps(less_equal(X, larger))
    assert told[0] == (0, "Write `c1` for `ite(x < y, y, x)`.")
    assert (0, "Case 1 of 2 of (1): `x < y ∧ c1 = y`.") in told
    assert (0, "Case 2 of 2 of (1): `x ≥ y ∧ c1 = x`.") in told
    assert sum(text.startswith("Impossible") and depth == 1 for depth, text in told) == 2


def test_a_cut_says_what_it_rounds():
    """2x = 2y + 1 has no solution: its two halves, divided by 2 and rounded, contradict each other."""
    odd = negation(equal(scale(2, X), add(scale(2, Y), constant(1))))
    assert steps(odd, Farkas(((0, 1), (1, 1)))) == [
        (0, "Assume that the formula fails."),
        (0, "(0) `x - y ≤ 0`"),
        (0, "(1) `y - x ≤ -1`"),
        (0, "Impossible: (0) + (1) says `1 ≤ 0`."),
    ]
    between = implies(conjunction(less(ZERO, scale(3, X)), less(scale(3, X), constant(3))), B)
    cut = Cut(((0, 1), (1, 1)), Farkas(((3, 1),)))
    assert (0, "Cut: (0) + (1), divided by the common factor and rounded.") in steps(between, cut)


def test_a_split_has_both_sides():
    formula = implies(less(X, ZERO), less(X, constant(5)))
    split = Split(((0, 1),), 2, Farkas(((0, 1), (1, 1))), Farkas(((0, 1), (2, 1))))
    assert [text for _, text in steps(formula, split) if text.startswith("Split")] == [
        "Split: `x ≤ 2`.",
        "Split: `x ≥ 3`.",
    ]


def test_the_word_of_a_solver_is_called_that():
    assert steps(B, Oracle("z3")) == [(0, "No evidence but the word of z3, which is believed.")]


def test_long_refutations_are_cut_and_say_so():
    terms = [variable(f"x{index}", INT) for index in range(6)]
    largest = terms[0]
    for term in terms[1:]:
        largest = ite(less(largest, term), term, largest)
    told = steps(conjunction(*(less_equal(term, largest) for term in terms)))
    assert len(told) == STEP_LIMIT + 1
    assert told[-1][1].endswith("more lines of the same kind, in the certificate.")


def test_boolean_unknowns_hold_or_fail():
    told = steps(build(Operator.OR, (B, negation(B))))
    assert told[1:3] == [(0, "(0) `¬b`"), (0, "(1) `b`")]
