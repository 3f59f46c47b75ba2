"""Validity with countermodels, witness terms, and readable invariants."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from sampling import examples
from strategies import formulas
from tallystick.core import terms
from tallystick.core.answers import Invalid, NoAnswer, Valid
from tallystick.core.clock import clock
from tallystick.core.interpreter import evaluate
from tallystick.core.presburger.limits import LimitError, Limits
from tallystick.core.presburger.validity import exists, validity, validity_forall_exists
from tallystick.core.pretty import text
from tallystick.core.terms import Operator, Term, build, variable
from tallystick.core.types import BOOL, INT, TupleType

M1, M2, A, B, X, Y, W = (variable(name, INT) for name in ("M1", "M2", "A", "B", "x", "y", "w"))


def number(value: int) -> Term:
    return terms.constant(value)


def minimum(left: Term, right: Term) -> Term:
    return terms.ite(terms.less(right, left), right, left)


def maximum(left: Term, right: Term) -> Term:
    return terms.ite(terms.less(left, right), right, left)


def mod(term: Term, divisor: int) -> Term:
    return build(Operator.MOD, (term,), divisor)


def reachable(initial: tuple[Term, Term], stepped: tuple[Term, Term]) -> Term:
    """CAV Theorem 3's invariant: M = i or, for some a, M = step(i, a)."""
    start = terms.conjunction(terms.equal(M1, initial[0]), terms.equal(M2, initial[1]))
    step = terms.conjunction(terms.equal(M1, stepped[0]), terms.equal(M2, stepped[1]))
    return terms.disjunction(start, step)


ZERO = number(0)
INVARIANTS = {
    "sums": (reachable((ZERO, ZERO), (A, terms.scale(3, A))), "3*M1 = M2"),
    "minima": (
        reachable(
            (number(1000), number(1000)),
            (minimum(number(1000), A), minimum(number(1000), terms.add(A, number(-20)))),
        ),
        "M1 = 1000 ∧ M2 ≥ 980 ∧ M2 ≤ 1000 ∨ M1 = M2 + 20 ∧ M1 ≤ 1000",
    ),
    "maximum and minimum": (
        reachable(
            (number(-100), number(100)),
            (maximum(number(-100), A), minimum(number(100), terms.scale(-1, A))),
        ),
        "M1 + M2 = 0 ∧ M1 + 100 ≥ 0",
    ),
    "sums modulo 5": (
        reachable((ZERO, ZERO), (mod(A, 5), mod(terms.scale(3, A), 5))),
        "M1 ≥ 0 ∧ M1 ≤ 4 ∧ M2 ≥ 0 ∧ M2 ≤ 4 ∧ (M1 + 3*M2) mod 5 = 0",
    ),
    "counts of odd numbers": (
        reachable((ZERO, ZERO), (mod(A, 2), terms.ite(terms.equal(mod(A, 2), number(1)), number(1), ZERO))),
        "M1 = 0 ∧ M2 = 0 ∨ M1 = 1 ∧ M2 = 1",
    ),
}


@pytest.mark.parametrize("fact", INVARIANTS)
def test_invariants_of_theorem_3_are_readable(fact: str) -> None:
    term, expected = INVARIANTS[fact]
    assert text(exists((A,), term)) == expected


def test_existentials_of_tuple_type_and_boolean_components() -> None:
    pair, state = variable("g", TupleType((INT, INT))), variable("N", TupleType((INT, BOOL)))
    grade = build(Operator.DIV, (terms.project(pair, 1),), 10)
    body = terms.equal(state, terms.tuple_of(grade, terms.less_equal(number(60), terms.project(pair, 1))))
    assert text(exists((pair,), body)) == "¬p₂(N) ∧ p₁(N) ≤ 5 ∨ p₂(N) ∧ p₁(N) ≥ 6"


@given(formulas((X, Y, W, variable("p", BOOL)), depth=3), st.integers(-8, 8), st.integers(-8, 8), st.booleans())
@settings(max_examples=examples(100))
def test_exists_is_true_where_a_witness_is(body: Term, x: int, y: int, p: bool) -> None:
    try:
        result = exists((W,), body, Limits(deadline=clock() + 5))
    except LimitError:
        reject()
    here = {X: x, Y: y, variable("p", BOOL): p}
    fixed = terms.substitute(body, {term: terms.constant(value) for term, value in here.items()})
    answer = validity(terms.negation(fixed))
    assert isinstance(answer, Invalid) == evaluate(result, here)


@pytest.mark.parametrize(
    ("universals", "body", "expected"),
    [
        ((A, X, Y), terms.equal(terms.add(A, X, Y), terms.add(A, W)), "(x + y)"),
        ((A, X, Y), terms.equal(minimum(minimum(A, X), Y), minimum(A, W)), "y | x"),
        ((A, B, X, Y), terms.conjunction(
            terms.equal(mod(terms.add(mod(terms.add(A, X), 5), Y), 5), mod(terms.add(A, W), 5)),
            terms.equal(
                mod(terms.add(B, terms.scale(3, X), terms.scale(3, Y)), 5), mod(terms.add(B, terms.scale(3, W)), 5)
            ),
        ), "x + y"),
    ],
)  # fmt: skip
def test_collapse_in_synchrony_has_witnesses(universals: tuple[Term, ...], body: Term, expected: str) -> None:
    """CAV eq. 8: some w does in one step what x and y do in two."""
    answer = validity_forall_exists(universals, (W,), body)
    assert isinstance(answer, Valid)
    assert " | ".join(text(witness) for (witness,) in answer.witnesses).strip("()") == expected.strip("()")
    served = terms.disjunction(*(terms.substitute(body, {W: witness}) for (witness,) in answer.witnesses))
    assert validity(served) == Valid()


def test_counts_do_not_collapse() -> None:
    answer = validity_forall_exists((A, X, Y), (W,), terms.equal(terms.add(A, number(2)), terms.add(A, number(1))))
    assert answer == Invalid({A: 0, X: 0, Y: 0})


def test_witnesses_divide_where_they_must() -> None:
    body = terms.conjunction(
        terms.less_equal(X, terms.scale(3, W)), terms.less(terms.scale(3, W), terms.add(X, number(3)))
    )
    answer = validity_forall_exists((X,), (W,), body)
    assert isinstance(answer, Valid)
    assert [text(witness) for (witness,) in answer.witnesses] == ["(x + 2) div 3"]


def test_reasons_for_not_knowing_name_the_cap() -> None:
    birds = [variable(f"p{index}", INT) for index in range(7)]
    inside = [terms.less(ZERO, bird) for bird in birds] + [terms.less(bird, number(7)) for bird in birds]
    apart = [terms.negation(terms.equal(left, right)) for i, left in enumerate(birds) for right in birds[:i]]
    pigeons = terms.negation(terms.conjunction(*inside, *apart))
    assert validity(pigeons, Limits(branches=9)) == NoAnswer("more than 9 branches (cap `branches`)")
    answer = validity_forall_exists((X,), (W,), terms.less(X, W), Limits(witnesses=0))
    assert answer == NoAnswer("more than 0 witnesses (cap `witnesses`)")
    assert validity(terms.less(X, Y), Limits(deadline=clock() - 1)) == NoAnswer(
        "the deadline passed before an answer was found"
    )


def test_results_are_the_same_in_every_process() -> None:
    """Hashes of strings differ from process to process; results do not."""
    program = """
from tallystick.core.presburger.command import eliminate_text
from tallystick.core.presburger.validity import exists, validity, validity_forall_exists
from tallystick.core.terms import Operator, add, build, conjunction, equal, less, less_equal, negation, scale, variable
from tallystick.core.types import INT
a, b, c, w, v = (variable(name, INT) for name in "abcwv")
body = conjunction(less_equal(a, scale(3, w)), less(scale(2, v), add(w, b)), less(b, add(v, c)))
print(exists((w, v), body))
print(validity_forall_exists((a, b, c), (w, v), body))
print(validity(negation(conjunction(less(a, b), less(b, c), equal(build(Operator.MOD, (c,), 7), a)))))
print(eliminate_text("exists x y. 3*x + a > 2*y and 5*y < b and 4 | x + y + c or x = 7*a and y != b and x < c"))
"""
    outputs = [
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    ]
    assert outputs[0]
    assert outputs[0] == outputs[1] == outputs[2]
