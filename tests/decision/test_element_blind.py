"""Folds that ignore their elements: what is refuted, what is proved, and what is left to other methods."""

from __future__ import annotations

import doctest
from collections.abc import Callable

import pytest
from hypothesis import given
from strategies import VARIABLES, formulas, int_terms
from tallystick.certificates import kernel, refuting
from tallystick.core.interpreter import evaluate
from tallystick.core.programs import Program
from tallystick.core.terms import TRUE, element, variable
from tallystick.core.types import INT
from tallystick.decision.inputs import random_value
from tallystick.decision.invariants.compiled import compiled
from tallystick.decision.methods import element_blind as module
from tallystick.decision.methods.element_blind import element_blind
from tallystick.decision.outcome import Differs, Goal, MethodContext, Proved, Unknown
from tallystick.decision.prover import Prover
from tallystick.decision.service.portfolio import decide

R = "r: RDD[int]"
Pair = Callable[[str, str, str], tuple[Program, Program]]


def _answer(pair: tuple[Program, Program]):
    return element_blind(
        Goal(TRUE, pair[0].expression, pair[1].expression),
        MethodContext(Prover(), lambda goal: decide(*_as_programs(goal), Prover()).outcome),
    )


def _as_programs(goal: Goal) -> tuple[Program, Program]:
    raise AssertionError(f"no goal is left to decide, not {goal}")


def test_its_example_is_true() -> None:
    assert doctest.testmod(module).failed == 0


REFUTED = {
    # fact: (parameters, left, right, sizes of the bags)
    "a count of 5000": (R, "r.count() == 5000", "False", [5000]),
    "a count in other words": (R, "r.map(lambda x: 1).sum() == 700", "False", [700]),
    "two counts drift apart": (R, "r.count() // 300", "r.fold(0, lambda a, x: a + 1 if a < 900 else a) // 300", [1200]),
    "one bag of a product is counted": ("r: RDD[int], s: RDD[int]", "r.cartesian(s).count() > 300", "False", [301, 1]),
    "a union counts twice": (R, "r.union(r).count() == 600", "False", [300]),
}


@pytest.mark.parametrize(("parameters", "left", "right", "sizes"), REFUTED.values(), ids=REFUTED)
def test_the_first_differing_state_gives_the_smallest_input(
    pair: Pair, parameters: str, left: str, right: str, sizes: list[int]
) -> None:
    programs = pair(parameters, left, right)
    outcome = _answer(programs)
    assert isinstance(outcome, Differs)
    refuting.inequivalent(*programs, outcome.environment)
    assert sorted(sum(bag.values()) for bag in outcome.environment.values()) == sorted(sizes)  # type: ignore[union-attr]


PROVED = {
    "a counter modulo 7 stays below 7": (R, "r.fold(0, lambda a, x: 0 if a == 6 else a + 1) < 7", "True"),
    "two counters meet at multiples of 6": (
        R,
        "r.fold((0, 0), lambda a, x: ((a[0] + 1) % 2, (a[1] + 1) % 3)) == (0, 0)",
        "r.fold(0, lambda a, x: (a + 1) % 6) == 0",
    ),
}


@pytest.mark.parametrize(("parameters", "left", "right"), PROVED.values(), ids=PROVED)
def test_states_that_come_back_are_an_invariant(pair: Pair, parameters: str, left: str, right: str) -> None:
    programs = pair(parameters, left, right)
    only = {name: method for name, method in decide.__globals__["METHODS"].items() if name in ("no_agg", module.NAME)}
    outcome = decide(*programs, Prover(), methods=only).outcome
    assert isinstance(outcome, Proved)
    assert kernel.equivalent(*programs, outcome.proof).oracles == frozenset()


LEFT_TO_OTHERS = {
    "the element matters": (R, "r.sum()", "r.count()"),
    "a filter matters": (R, "r.filter(lambda x: x > 0).count()", "r.count()"),
    "two index sets": ("r: RDD[int], s: RDD[int]", "r.count() + s.count()", "0"),
    "a parameter is in the step": ("r: RDD[int], k: int", "r.fold(0, lambda a, x: a + k)", "0"),
    "no fold": (R, "1", "2"),
}


@pytest.mark.parametrize(("parameters", "left", "right"), LEFT_TO_OTHERS.values(), ids=LEFT_TO_OTHERS)
def test_other_goals_are_left_to_other_methods(pair: Pair, parameters: str, left: str, right: str) -> None:
    assert _answer(pair(parameters, left, right)) is None


CAPPED = {
    "steps": ("r.fold(0, lambda a, x: a + 1) < 0", "no state comes back within 100000 steps (STEPS)"),
    "bits": ("r.fold(1, lambda a, x: 2 * a) < 0", "a value has more than 4096 bits (LARGEST_BITS)"),
    "states": (
        "r.fold(0, lambda a, x: (a + 1) % 65) < 0",
        "the folds pass through 65 states, more than 64 (STATES_IN_INVARIANT)",
    ),
}


@pytest.mark.parametrize(("left", "reason"), CAPPED.values(), ids=CAPPED)
def test_caps_are_named(pair: Pair, left: str, reason: str) -> None:
    outcome = _answer(pair(R, left, "False"))
    assert isinstance(outcome, Unknown)
    assert outcome.reason == reason


def test_a_square_is_no_place_to_look_for_differences(pair: Pair) -> None:
    """r × r has only square numbers of elements, so a state may belong to no input."""
    outcome = _answer(pair(R, "r.cartesian(r).count() == 3", "False"))
    assert isinstance(outcome, Unknown)


@given(formulas(), int_terms())
def test_compiled_terms_have_the_values_of_the_interpreter(formula, term) -> None:
    import random

    run = compiled((formula, term), VARIABLES)
    generator = random.Random(0)
    for _ in range(3):
        values = {name: random_value(name.type, generator) for name in VARIABLES}  # type: ignore[arg-type]
        assert run(list(values.values())) == (evaluate(formula, values), evaluate(term, values))


@pytest.mark.parametrize("term", [variable("unknown", INT), element(INT)])
def test_what_has_no_value_is_not_compiled(term) -> None:
    from tallystick.core.errors import FragmentError

    with pytest.raises(FragmentError, match="has no value in a step"):
        compiled((term,), ())
