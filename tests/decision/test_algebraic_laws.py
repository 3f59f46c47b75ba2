"""Algebraic laws: where they apply, what the rest of the portfolio makes of it, and where they do not apply."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tallystick.certificates import kernel, refuting
from tallystick.core.programs import Program
from tallystick.core.terms import TRUE
from tallystick.decision.inputs import parameters
from tallystick.decision.methods.algebraic_laws import algebraic_laws
from tallystick.decision.outcome import Differs, Goal, MethodContext, Outcome, Proved, Unknown
from tallystick.decision.prover import Prover
from tallystick.decision.service.portfolio import decide

Pair = Callable[[str, str, str], tuple[Program, Program]]
R, KV = "r: RDD[int]", "s: RDD[tuple[int, int]]"
SUM = "foldByKey(0, lambda a, v: a + v)"
BIG, SMALL = "filter(lambda p: p[0] > 4)", "filter(lambda p: p[0] <= 4)"
SAME = {
    # fact: (parameters, left, right)
    "halves of a cube are a cube": (
        R,
        "r.cartesian(r).cartesian(r).filter(lambda p: p[1] > 4).union("
        "r.cartesian(r).cartesian(r).filter(lambda p: p[1] <= 4))",
        "r.cartesian(r).cartesian(r)",
    ),
    "what was split beside the same bag": (
        R,
        "r.filter(above(3)).union(r.filter(small3)).cartesian(r)",
        "r.cartesian(r)",
    ),
    "halves of halves": (
        R,
        "r.filter(above(3)).union(r.filter(small3).filter(above(0)).union(r.filter(small3).filter(lambda x: x <= 0)))"
        ".fold(0, plus)",
        "r.fold(0, plus)",
    ),
    "distinct twice, and a filter after it": (
        R,
        "r.distinct().distinct().filter(above(3)).map(lambda x: x % 2)",
        "r.filter(above(3)).distinct().map(lambda x: x % 2)",
    ),
    "halves of a distinct bag": (
        R,
        "r.distinct().filter(above(3)).union(r.distinct().filter(small3))",
        "r.distinct()",
    ),
    "a filter of keys before or after a sum, one half each": (
        KV,
        f"s.{BIG}.{SUM}.union(s.{SUM}.{SMALL})",
        f"s.{SUM}",
    ),
    "halves of sums by key below another sum": (
        KV,
        f"s.{BIG}.{SUM}.union(s.{SMALL}.{SUM}).map(lambda p: p[1]).fold(0, plus)",
        f"s.{SUM}.map(lambda p: p[1]).fold(0, plus)",
    ),
}
DIFFERENT = {
    "halves that are put together, of another bag": (
        R,
        "r.filter(above(3)).union(r.filter(small3)).map(lambda x: x + 1)",
        "r",
    ),
    "a filter of keys, another filter of keys": (KV, f"s.{BIG}.{SUM}", f"s.{SUM}.{SMALL}"),
    "an input that the laws drop": (
        "r: RDD[int], k: int",
        "r.filter(lambda x: x > k).union(r.filter(lambda x: x <= k))",
        "r.map(lambda x: x + 1)",
    ),
}
UNTOUCHED = {
    "thirds": (R, "r.filter(above(3)).union(r.filter(lambda x: x < 3))", "r"),
    "overlapping halves": (R, "r.filter(above(3)).union(r.filter(lambda x: x <= 4))", "r"),
    "halves of two bags": (f"{R}, t: RDD[int]", "r.filter(above(3)).union(t.filter(small3))", "r"),
    "a filter of values": (KV, f"s.filter(lambda p: p[1] > 4).{SUM}", f"s.{SUM}"),
    "a filter of sums": (KV, f"s.{SUM}.filter(lambda p: p[1] > 4)", f"s.{SUM}"),
    "one bag on both sides": (R, "r.distinct().distinct()", "r.distinct().distinct()"),
}


@pytest.fixture
def laws(pair: Pair) -> Pair:
    """Reads a pair, in which `small3` is the complement of above(3)."""

    def read(parameters: str, left: str, right: str) -> tuple[Program, Program]:
        return pair(parameters, *(side.replace("small3", "lambda x: x <= 3") for side in (left, right)))

    return read


def applied(programs: tuple[Program, Program]) -> Outcome | None:
    prover = Prover()
    context = MethodContext(prover, lambda rest: decided(rest, prover))
    return algebraic_laws(Goal(TRUE, *(program.expression for program in programs)), context)


def decided(goal: Goal, prover: Prover) -> Outcome:
    left, right = (Program(name, parameters(goal), side) for name, side in (("left", goal.left), ("right", goal.right)))
    return decide(left, right, prover).outcome


@pytest.mark.parametrize("name", SAME)
def test_what_was_split_or_pushed_is_put_together(name: str, laws: Pair) -> None:
    programs = laws(*SAME[name])
    outcome = decide(*programs, Prover()).outcome
    assert isinstance(outcome, Proved), outcome
    assert outcome.methods[0] == "algebraic_laws"
    assert kernel.equivalent(*programs, outcome.proof).oracles == frozenset()


@pytest.mark.parametrize("name", DIFFERENT)
def test_a_difference_of_what_the_laws_leave_is_an_input_of_the_programs(name: str, laws: Pair) -> None:
    programs = laws(*DIFFERENT[name])
    outcome = applied(programs)
    assert isinstance(outcome, Differs), outcome
    refuting.inequivalent(*programs, outcome.environment)


@pytest.mark.parametrize("name", UNTOUCHED)
def test_other_programs_are_none_of_the_laws_business(name: str, laws: Pair) -> None:
    assert applied(laws(*UNTOUCHED[name])) is None


def test_what_the_laws_leave_may_stay_undecided(laws: Pair) -> None:
    left, right = laws(R, "r.filter(above(3)).union(r.filter(small3))", "r.map(lambda x: x + 0)")
    context = MethodContext(Prover(), lambda rest: Unknown("not asked"))
    outcome = algebraic_laws(Goal(TRUE, left.expression, right.expression), context)
    assert outcome == Unknown("what the laws leave is not decided: not asked")
