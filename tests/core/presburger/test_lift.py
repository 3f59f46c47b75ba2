"""Quantifier elimination and the truth of sentences: random formulas against Z3, and the classics."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from sampling import examples
from tallystick.core.clock import clock
from tallystick.core.presburger.decide import decide
from tallystick.core.presburger.formulas import Formula, free_names, holds, is_quantifier_free, negate, size
from tallystick.core.presburger.lift import eliminate, simplify
from tallystick.core.presburger.limits import LimitError, Limits
from tallystick.core.presburger.printing import show
from tallystick.core.presburger.search import satisfy
from tallystick.core.presburger.syntax import parse

from .presburger_strategies import (
    at,
    independent_truth,
    quantified,
    quantifier_free,
    random_formula,
    random_sentence,
    z3_equivalent,
    z3_truth,
)


@given(quantified(("x", "y"), size=6))
@settings(max_examples=examples(150))
def test_elimination_is_equivalent_at_every_point(formula: Formula) -> None:
    """Z3 decides the source at points of the free unknown; the result is evaluated there."""
    try:
        result = eliminate(formula, Limits(deadline=clock() + 5))
    except LimitError:
        reject()
    assert is_quantifier_free(result)
    assert free_names(result) <= {"z"}
    for z in (-41, -7, -1, 0, 2, 5, 30):
        expected = z3_truth(at(formula, {"z": z}))
        assert expected is None or expected == decide(at(result, {"z": z}))


@given(quantified(("x", "y", "z"), size=8))
@settings(max_examples=examples(200))
def test_truth_of_sentences_agrees_with_z3(sentence: Formula) -> None:
    expected = z3_truth(sentence)
    try:
        answer = decide(sentence, Limits(deadline=clock() + 5))
    except LimitError:
        reject()
    assert expected in (None, answer)


@given(quantifier_free(leaves=5))
@settings(max_examples=examples(100))
def test_simplification_is_equivalent_and_no_larger(formula: Formula) -> None:
    simplified = simplify(formula)
    assert z3_equivalent(formula, simplified) is not False
    assert size(simplified) <= size(formula)


CAPS = Limits(disjuncts=60, branches=600, cases=1_000)
"""What a random formula may cost; about two in a hundred cost more."""


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 5000, 1000))
def test_five_thousand_random_sentences_agree_with_z3(first: int) -> None:
    """Few of them may meet a cap; none may be answered wrongly."""
    reasons: list[str] = []
    confirmed = 0
    for seed in range(first, first + 1000):
        sentence = random_sentence(seed)
        try:
            answer = decide(sentence, CAPS)
        except LimitError as reached:
            reasons.append(str(reached))
            continue
        expected = z3_truth(sentence, 3_000)
        assert expected in (None, answer), f"seed {seed}"
        confirmed += expected is not None
    print(f"{confirmed} of 1000 sentences confirmed by Z3, {len(reasons)} met a cap: {Counter(reasons)}")
    assert all("(cap `" in reason for reason in reasons)
    assert len(reasons) <= 15
    assert confirmed >= 980


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 5000, 1000))
def test_five_thousand_random_eliminations_are_equivalent_to_their_sources(first: int) -> None:
    """Z3 proves source and result equivalent, or they are compared at points: one inside and one outside of the result,
    and random ones, where Z3 or else cvc5 decides the source. Every result meets one of these two checks."""
    reasons: list[str] = []
    proved = compared = points = 0
    for seed in range(first, first + 1000):
        source = random_formula(seed)
        try:
            result = eliminate(source, CAPS)
        except LimitError as reached:
            reasons.append(str(reached))
            continue
        assert is_quantifier_free(result)
        assert free_names(result) <= free_names(source)
        equivalent = z3_equivalent(source, result, milliseconds=300)
        assert equivalent is not False, f"seed {seed}"
        if equivalent:
            proved += 1
            continue
        decided = _compare_at_points(source, result, seed)
        assert decided > 0, f"seed {seed}: neither proved nor compared"
        points += decided
        compared += 1
    print(f"{proved} of 1000 proved by Z3, {compared} compared at {points} points, {len(reasons)}: {Counter(reasons)}")
    assert all("(cap `" in reason for reason in reasons)
    assert len(reasons) <= 30
    assert proved >= 800
    assert points >= 5 * compared


def _compare_at_points(source: Formula, result: Formula, seed: int) -> int:
    """At how many points another solver decides the source; it must agree with the result there."""
    names = sorted(free_names(source))
    draw = random.Random(seed)
    chosen = [{name: draw.randint(-40, 40) for name in names} for _ in range(8)]
    chosen += [values for side in (result, negate(result)) if (values := satisfy(side)) is not None]
    decided = 0
    for milliseconds in (300, 10_000):
        for values in chosen if not decided else ():
            point = {name: values.get(name, 0) for name in names}
            expected = independent_truth(at(source, point), milliseconds)
            assert expected in (None, holds(result, point)), f"seed {seed} at {point}"
            decided += expected is not None
    return decided


TRUE_SENTENCES = {
    "stamps of 3 and 5 pay 8 and more": "forall n. n >= 8 => exists a, b. a >= 0 and b >= 0 and n = 3*a + 5*b",
    "7 is the Frobenius number of 3 and 5":
        "(not exists a, b. a >= 0 and b >= 0 and 7 = 3*a + 5*b)"
        " and forall n. n > 7 => exists a, b. a >= 0 and b >= 0 and n = 3*a + 5*b",
    "43 is the Frobenius number of 6, 9 and 20":
        "(not exists a, b, c. a >= 0 and b >= 0 and c >= 0 and 43 = 6*a + 9*b + 20*c)"
        " and forall n. n > 43 => exists a, b, c. a >= 0 and b >= 0 and c >= 0 and n = 6*a + 9*b + 20*c",
    "parity": "forall x. (exists y. x = 2*y) <=> not exists y. x = 2*y + 1",
    "Bézout": "exists x, y. 14*x + 21*y = 7",
    "one equation, many unknowns": "forall n. exists x, y, z. 6*x + 10*y + 15*z = n",
    "the Chinese remainder theorem": "forall a, b. exists x. 7 | x - a and 11 | x - b",
    "division with remainder is unique":
        "forall x, q, r, s, t. 0 <= r < 7 and 0 <= t < 7 and x = 7*q + r and x = 7*s + t => q = s and r = t",
    "the order is discrete": "forall x. exists y. x < y and not exists z. x < z and z < y",
    "a maximum exists": "forall x, y. exists z. z >= x and z >= y and (z = x or z = y)",
    "a fractional part between two bounds": "forall x. exists y. x <= 17*y and 17*y < x + 17",
    "quotients of quotients": "forall x. x div 4 div 6 = x div 24",
    "large moduli, where Z3's qe gives up": "forall a, b. exists x. 10001 | x - a and 10003 | x - 2*b",
    "alternations": "forall x. exists y. forall z. (2*z > x => 2*z > y) and (3 | y or 3 | y + 1 or 3 | y + 2)",
}  # fmt: skip
FALSE_SENTENCES = {
    "stamps of 3 and 5 pay 7": "exists a, b. a >= 0 and b >= 0 and 7 = 3*a + 5*b",
    "even numbers only": "forall x. exists y. x = 2*y",
    "Bézout refused": "exists x, y. 14*x + 21*y = 8",
    "residues clash": "exists x. 6 | x - 1 and 4 | x",
    "large moduli that clash": "forall a, b. exists x. 10001 | x - a and 30003 | x - b",
    "a greatest number": "exists x. forall y. y <= x",
    "dense": "forall x, y. x < y => exists z. x < z and z < y",
    "alternations": "exists x. forall y. exists z. x < 2*z and 2*z < y or y <= x",
}


@pytest.mark.parametrize("fact", TRUE_SENTENCES)
def test_true_classics(fact: str) -> None:
    assert decide(parse(TRUE_SENTENCES[fact]))
    assert show(eliminate(parse(TRUE_SENTENCES[fact]))) == "true"


@pytest.mark.parametrize("fact", FALSE_SENTENCES)
def test_false_classics(fact: str) -> None:
    assert not decide(parse(FALSE_SENTENCES[fact]))
    assert show(eliminate(parse(FALSE_SENTENCES[fact]))) == "false"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("exists y. 2*y < x and x < 2*y + 2", "2 | x + 1"),
        ("exists a. m = a and n = 3*a", "3*m = n"),
        ("exists y. x < y and y < z", "x + 2 <= z"),
        ("exists a, b. a >= 0 and b >= 0 and n = 3*a + 5*b", "0 <= n and 3 | n or 5 <= n and 3 | n + 1 or 8 <= n"),
        ("forall y. y > x => y > z", "z <= x"),
        ("exists x. x >= a and x >= b and x <= c", "a <= c and b <= c"),
        ("exists x. 2*x = a and 3*x = b", "3*a = 2*b"),
        ("exists x. 1000003 | x + y", "true"),
        ("exists x. 1000000 | 10*x + y", "10 | y"),
        ("exists x. x > y and x != z and 1000003 | x", "true"),
    ],
)
def test_results_are_readable(text: str, expected: str) -> None:
    assert show(eliminate(parse(text))) == expected


def test_a_formula_with_free_unknowns_is_no_sentence() -> None:
    with pytest.raises(ValueError, match=r"^only a sentence can be decided; these unknowns are free: x, y$"):
        decide(parse("exists z. x + y = z"))


def test_bound_names_may_be_reused() -> None:
    assert decide(parse("(exists x. x = 1) and (exists x. x = 2)"))
    assert decide(parse("exists x. x = 1 and exists x. x = 2"))
    assert not decide(parse("exists x. x = 1 and forall y. exists z. y = x + 2*z"))


def test_an_explosion_meets_a_named_cap() -> None:
    text = "exists x. " + " and ".join(f"(x > {k + 2}*a{k} or 97 | x + {k}*a{k})" for k in range(9)) + " and x < b"
    with pytest.raises(LimitError) as caught:
        eliminate(parse(text), Limits(disjuncts=20))
    assert str(caught.value) == "more than 20 disjuncts (cap `disjuncts`)"


@given(st.integers(1, 10), st.integers(1, 10), st.integers(-20, 60))
@settings(max_examples=examples(30))
def test_two_stamps_against_brute_force(a: int, b: int, n: int) -> None:
    expected = any(n == a * i + b * j for i in range(70) for j in range(70))
    assert decide(parse(f"exists x, y. x >= 0 and y >= 0 and {a}*x + {b}*y = {n}")) == expected
