"""Verdicts about random pairs of programs, compared with the results on many small inputs."""

from __future__ import annotations

import random
from itertools import combinations_with_replacement
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from sampling import examples
from strategies import INPUTS, programs
from tallystick import Answer, check
from tallystick.certificates.audit import audit
from tallystick.core.clock import clock
from tallystick.core.errors import EvaluationError
from tallystick.core.interpreter import Environment, bag_of, evaluate
from tallystick.core.programs import Program
from tallystick.core.terms import TRUE, Operator, Term, build, constant, element, rebuild, subterms
from tallystick.core.types import BagType, Value
from tallystick.decision.prover import Prover
from tallystick.decision.service.settle import settle
from tallystick.decision.telling import Telling, constants

SECONDS = 5


@st.composite
def pairs(draw: DrawFn) -> tuple[Program, Program]:
    """A program, and the same after some rewrites that keep its meaning and, half the time, one that may change it."""
    left = draw(programs())
    expression = left.expression
    for _ in range(draw(st.integers(0, 2))):
        expression = _rewritten(expression, draw)
    if draw(st.booleans()):
        expression = _mutated(expression, draw)
    return left, Program("Q", left.parameters, expression)


def _rewritten(expression: Term, draw: DrawFn) -> Term:
    bags = [node for node in subterms(expression) if isinstance(node.type, BagType)]
    if not bags:
        return expression
    bag = draw(st.sampled_from(bags))
    of = bag.type.element  # type: ignore[union-attr]
    choices = [build(Operator.MAP, (element(of), bag)), build(Operator.FILTER, (TRUE, bag))]
    if bag.operator is Operator.UNION:
        choices.append(build(Operator.UNION, (bag.arguments[1], bag.arguments[0])))
    if bag.operator is Operator.FILTER and bag.arguments[1].operator is Operator.FILTER:
        (second, (_, (first, below))) = bag.arguments[0], (None, bag.arguments[1].arguments)
        choices.append(build(Operator.FILTER, (first, build(Operator.FILTER, (second, below)))))
    return rebuild(expression, {bag: draw(st.sampled_from(choices))}, inside=True, make=build)


def _mutated(expression: Term, draw: DrawFn) -> Term:
    nodes = [node for node in subterms(expression) if node.operator in (Operator.CONSTANT, Operator.LESS)]
    nodes = [node for node in nodes if node.operator is Operator.LESS or type(node.parameter) is int]
    if not nodes:
        return expression
    node = draw(st.sampled_from(nodes))
    if node.operator is Operator.LESS:
        other = build(Operator.LESS_EQUAL, node.arguments)
    else:
        other = constant(node.parameter + draw(st.sampled_from((-1, 1))))  # type: ignore[operator]
    return rebuild(expression, {node: other}, inside=True, make=build)


def _up_to_two(values: tuple[Value, ...]) -> list[tuple[Value, ...]]:
    return [chosen for size in range(3) for chosen in combinations_with_replacement(values, size)]


def _environments(left: Program, right: Program) -> list[Environment]:
    """All bags of at most two of a few values, and samples of larger ones with values that the programs mention."""
    generator = random.Random(0)
    integers = [number for number in constants((left.expression, right.expression)) if abs(number) < 30][:12]

    def value(of: object) -> Value:
        return Telling(integers, [], []).value(of, generator)  # type: ignore[arg-type]

    small = [
        {INPUTS[0]: bag_of(numbers), INPUTS[1]: bag_of(pairs_), INPUTS[2]: number}
        for numbers in _up_to_two((-1, 0, 2))
        for pairs_ in _up_to_two(((0, 1), (1, 0), (1, -1)))
        for number in (-1, 0, 2)
    ]
    return small + [
        {
            name: bag_of(value(name.type.element) for _ in range(size))
            if isinstance(name.type, BagType)
            else value(name.type)
            for name in INPUTS
        }
        for size in (0, 1, 1, 2, 2, 3, 4)
        for _ in range(12)
    ]


def _differs(left: Program, right: Program, environment: Environment) -> bool:
    try:
        return evaluate(left.expression, environment, 100_000) != evaluate(right.expression, environment, 100_000)
    except EvaluationError:
        return False


@settings(max_examples=examples(60))
@given(pairs())
def test_no_verdict_contradicts_the_results_on_small_inputs(pair: tuple[Program, Program]) -> None:
    left, right = pair
    settlement = settle(left, right, ("", ""), Prover(deadline=clock() + SECONDS))
    if settlement.certificate is None:
        return
    report = audit(settlement.certificate.encode(), against=(left, right))
    assert report.accepted, report.reason
    assert report.oracles == ()
    if report.verdict == "equivalent":
        assert not any(_differs(left, right, environment) for environment in _environments(left, right))


@settings(max_examples=examples(60))
@given(pairs())
def test_programs_that_differ_on_a_small_input_are_never_proved_equivalent(pair: tuple[Program, Program]) -> None:
    left, right = pair
    if any(_differs(left, right, environment) for environment in _environments(left, right)):
        settlement = settle(left, right, ("", ""), Prover(deadline=clock() + SECONDS))
        if settlement.certificate is not None:
            assert audit(settlement.certificate.encode(), against=(left, right)).verdict == "inequivalent"


ROWS = """
from pyspark import RDD

def p(r: RDD[int], s: RDD[tuple[int, int]]): return s.distinct().distinct().union(r.map(lambda x: (x, 0)))
def q(r: RDD[int], s: RDD[tuple[int, int]]): return s.distinct().distinct().union(r.map(lambda x: (x, -1)))
"""


def test_rows_of_which_one_side_knows_no_columns(tmp_path: Path) -> None:
    """The pairs of S stand as a whole on one side, and by their columns on the other."""
    jobs = tmp_path / "jobs.py"
    jobs.write_text(ROWS, encoding="utf-8")
    assert check(f"{jobs}:p", f"{jobs}:q").verdict is Answer.INEQUIVALENT
