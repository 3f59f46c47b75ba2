"""The reasons that a report gives are enough: whatever the other atoms were, the formula would be false."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sampling import examples
from tallystick.streaming import always, at, for_all_streams, later, next_, prefixes
from tallystick.streaming.letters import Letter
from tallystick.streaming.logic.evaluation import evaluate
from tallystick.streaming.logic.formulas import Bind, Formula, Solved
from tallystick.streaming.logic.truth import Truth
from tallystick.streaming.reasons import reasons
from tallystick.streaming.tables import failure_text

#: Atoms whose value in a batch is what the letter says.
ATOMS = {name: Bind(lambda letter, _, name=name: Solved(letter[name]), 1, name) for name in "pqr"}


@st.composite
def formulas(draw, depth=4) -> Formula:
    kind = draw(st.sampled_from(("atom", "not", "next", "and", "or", "implies", "always", "later", "until", "release")))
    if depth == 0 or kind == "atom":
        return ATOMS[draw(st.sampled_from("pqr"))]
    left = draw(formulas(depth - 1))
    if kind == "not":
        return ~left
    if kind == "next":
        return next_(left)
    timeout = draw(st.integers(1, 3))
    if kind in ("always", "later"):
        return (always if kind == "always" else later)(left).on(timeout)
    right = draw(formulas(depth - 1))
    if kind in ("until", "release"):
        return (left.until(right) if kind == "until" else left.release(right)).on(timeout)
    return {"and": left & right, "or": left | right, "implies": left >> right}[kind]


VALUES = st.fixed_dictionaries({name: st.sampled_from((Truth.TRUE, Truth.FALSE)) for name in "pqr"})


@settings(max_examples=examples(400), deadline=None)
@given(formulas(), st.lists(VALUES, min_size=1, max_size=8))
def test_reasons_are_true_and_suffice(formula, values):
    word = [(letter, 1000 * n) for n, letter in enumerate(values, 1)]
    assume(evaluate(word, formula) is Truth.FALSE)
    found = {(reason.batch, reason.atom): reason.value for reason in reasons(word, formula)}
    for (batch, atom), value in found.items():
        assert values[batch - 1][atom] is value
    only = [
        ({name: found.get((number, name), Truth.UNKNOWN) for name in "pqr"}, at_time)
        for number, (_, at_time) in enumerate(word, 1)
    ]
    assert evaluate(only, formula) is Truth.FALSE


some = at("output", bool, "some")


def _word(length):
    """A word whose last letter alone has no record."""
    return [(Letter({"output": (1,) if n < length else ()}), 1000 * n) for n in range(1, length + 1)]


@pytest.mark.parametrize(
    "wrapped",
    [next_, lambda inner: some & next_(inner), lambda inner: next_(inner) & some, lambda inner: some >> next_(inner)],
    ids=["next", "and", "and reversed", "implies"],
)
def test_the_reason_of_a_formula_of_thousands_of_operators_is_found_in_linear_time(wrapped):
    def seconds(depth):
        formula = some
        for _ in range(depth):
            formula = wrapped(formula)
        word = _word(depth + 1)
        start = time.process_time()
        (*_, last) = reasons(word, formula)
        assert (last.batch, last.value) == (depth + 1, Truth.FALSE)
        return time.process_time() - start

    small, large = (min(seconds(depth) for _ in range(3)) for depth in (500, 4000))
    assert large < 24 * small + 0.05, "eight times the formula"


def test_a_case_of_a_thousand_batches_is_reported_at_a_glance():
    """Its table has the first batches and the last ones."""
    long = prefixes.constant([[1]] * 1500 + [[]])
    report = for_all_streams(long, examples=1)(lambda s: s.map(lambda n: n))(always(some).during(1501)).run()
    text = failure_text(report)
    table = text[: text.index("The formula is false from batch 1501 on.")].splitlines()
    assert len(table) < 60
    assert re.search(r"\n +… +… +… +1471 more batches\n", text)
    assert "* batch 1501: [some] is false: output = []" in text
