"""All random pairs of the fragment of a complete method are decided, by it alone where it meets no cap, and as brute
force has it.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement, product
from random import Random

import pytest
from sampling import sampled
from tallystick.certificates import kernel, refuting
from tallystick.core.clock import clock
from tallystick.core.errors import EvaluationError
from tallystick.core.interpreter import bag_of, evaluate
from tallystick.core.programs import Program
from tallystick.core.terms import TRUE, Operator, Term, subterms
from tallystick.core.types import BagType, BasicType, Value
from tallystick.decision.inputs import smallest
from tallystick.decision.methods.agg_one_sync import collapses_in_synchrony
from tallystick.decision.outcome import Differs, Goal, MethodContext, Outcome, Proved, Unknown
from tallystick.decision.prover import Prover
from tallystick.decision.service.portfolio import METHODS, decide
from tallystick.decision.telling import Telling
from tallystick.experiments.random_programs import INPUTS

from decision.conftest import alone
from decision.fragments import FRAGMENTS

QUICK, MANY = 30, 2000
PORTION = 50
STEPS = 20_000
SECONDS = 300
HARD = {
    "agg_one_sync": (1000, 1315),
    "extrema": (587, 780, 1107, 1650, 1656),
    "linear_aggregates": (416, 658, 1058, 1186, 1253),
}
"""Pairs on which the parameters of an input, or limits on the elimination of quantifiers, are likely to go wrong."""
CAPS = {"linear_aggregates"}
"""Methods that may meet a cap, of processor time too, which the reason then names: other methods then decide."""


def pair_of(method: str, number: int) -> tuple[Term, Term]:
    return FRAGMENTS[method](Random(f"{method}/{number}"))


def check(method: str, numbers: range) -> Counter[str]:
    """Decides pairs of a method's fragment; how many are equal, differ, or meet a cap."""
    found: Counter[str] = Counter()
    for number in numbers:
        left, right = pair_of(method, number)
        goal = Goal(TRUE, left, right)
        outcome = alone(METHODS[method], goal, SECONDS)
        if method == "agg_one_sync" and isinstance(outcome, Unknown) and not in_synchrony(goal):
            found["outside"] += 1
        elif method in CAPS and isinstance(outcome, Unknown):
            assert "(cap `" in outcome.reason, (number, outcome)
            found["cap"] += 1
            confirmed(left, right, by_any_method(left, right), Random(number))
        else:
            found[confirmed(left, right, outcome, Random(number))] += 1
    return found


def by_any_method(left: Term, right: Term) -> Outcome:
    """What the whole portfolio says about a pair."""
    programs = Program("left", INPUTS, left), Program("right", INPUTS, right)
    return decide(*programs, Prover(deadline=clock() + SECONDS)).outcome


def in_synchrony(goal: Goal) -> bool:
    return collapses_in_synchrony(goal, MethodContext(Prover(), lambda _: Unknown("not asked")))


def confirmed(left: Term, right: Term, outcome: Outcome | None, random: Random) -> str:
    """The kernel accepts the outcome, and where that is a proof, all small bags of some values agree with it."""
    assert isinstance(outcome, Proved | Differs), outcome
    programs = Program("left", INPUTS, left), Program("right", INPUTS, right)
    if isinstance(outcome, Differs):
        refuting.inequivalent(*programs, {name: smallest(name.type) for name in INPUTS} | dict(outcome.environment))
        return "different"
    kernel.equivalent(*programs, outcome.proof)
    telling = Telling.of((left, right))

    def values(of: BasicType) -> list[Value]:
        return list(dict.fromkeys(telling.value(of, random) for _ in range(3)))

    def inputs(name: Term) -> list:
        if not isinstance(name.type, BagType):
            return values(name.type)  # type: ignore[arg-type]
        chosen = values(name.type.element)
        return [bag_of(few) for size in range(3) for few in combinations_with_replacement(chosen, size)]

    for given in product(*map(inputs, INPUTS)):
        environment = dict(zip(INPUTS, given, strict=True))
        try:
            results = [evaluate(side, environment, STEPS) for side in (left, right)]
        except EvaluationError:  # a product of large bags
            continue
        assert results[0] == results[1], environment
    return "equal"


@pytest.mark.parametrize("method", FRAGMENTS)
def test_pairs_of_its_fragment_are_always_decided_rightly(method: str) -> None:
    found = check(method, range(QUICK))
    assert found["equal"] >= QUICK / 8
    assert found["different"] >= QUICK / 8
    assert found["cap"] <= QUICK / 15


@pytest.mark.parametrize("case", sampled([(method, number) for method in HARD for number in HARD[method]], 3), ids=str)
def test_hard_pairs_of_its_fragment_are_decided_rightly_too(case: tuple[str, int]) -> None:
    """Each third one, and all if slow."""
    method, number = case
    found = check(method, range(number, number + 1))
    assert found["equal"] + found["different"] == 1


@pytest.mark.slow
@pytest.mark.parametrize("start", range(0, MANY, PORTION))
@pytest.mark.parametrize("method", FRAGMENTS)
def test_thousands_of_pairs_of_its_fragment_are_always_decided_rightly(method: str, start: int) -> None:
    found = check(method, range(start, start + PORTION))
    assert found["cap"] <= PORTION / 10


@pytest.mark.parametrize("method", FRAGMENTS)
def test_pairs_cover_the_operators_of_the_fragment(method: str) -> None:
    terms = [term for number in range(200) for term in pair_of(method, number)]
    operators = {node.operator for term in terms for node in subterms(term)}
    numbers = {node.parameter for term in terms for node in subterms(term) if node.operator is Operator.CONSTANT}
    arithmetic = {Operator.TUPLE, Operator.MOD, Operator.DIV, Operator.ITE}
    everywhere = {Operator.MAP, Operator.FILTER, Operator.UNION} | arithmetic
    own = {
        "no_agg": {Operator.CARTESIAN},
        "set_semantics": {Operator.CARTESIAN, Operator.DISTINCT},
        "agg_one_sync": {Operator.CARTESIAN, Operator.FOLD},
    }
    assert operators >= everywhere | own.get(method, {Operator.FOLD})
    assert numbers >= set(range(-12, 13))
