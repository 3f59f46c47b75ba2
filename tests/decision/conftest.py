"""Programs for the decision tests, written as PySpark source."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations_with_replacement, product
from math import inf
from pathlib import Path

import pytest
from tallystick.certificates import kernel, refuting
from tallystick.core.clock import clock
from tallystick.core.interpreter import bag_of, evaluate
from tallystick.core.programs import Program
from tallystick.core.types import BagType, Value, default_value
from tallystick.decision.methods.no_agg import no_agg
from tallystick.decision.outcome import Differs, Goal, Method, MethodContext, Outcome, Proved, Unknown
from tallystick.decision.prover import Prover
from tallystick.frontends.rdd import read_program

PRELUDE = """
from pyspark import RDD

def smaller(a, x): return x if x < a else a
def larger(a, x): return x if x > a else a
def plus(a, x): return a + x
def count(a, x): return a + 1
def small(x): return 0 <= x and x <= 10
def above(m): return lambda x: x > m
def from_on(m): return lambda x: x >= m
"""

Pair = tuple[Program, Program]


@pytest.fixture
def pair(tmp_path: Path) -> Callable[..., Pair]:
    """Reads two return expressions over given parameters as a pair of programs."""

    def read(parameters: str, left: str, right: str) -> Pair:
        path = tmp_path / "jobs.py"
        path.write_text(
            f"{PRELUDE}\ndef left({parameters}):\n    return {left}\n\ndef right({parameters}):\n    return {right}\n"
        )
        return read_program(f"{path}:left").program, read_program(f"{path}:right").program

    return read


def alone(method: Method, goal: Goal, seconds: float = inf) -> Outcome | None:
    """What a method says about a goal when nobody else looks for proofs or inputs, goals without folds apart."""
    context = MethodContext(
        Prover(deadline=clock() + seconds), lambda rest: no_agg(rest, context) or Unknown("folds are left")
    )
    return method(goal, context)


def check_against_brute_force(left: Program, right: Program, outcome: Outcome | None, values: Sequence[Value]) -> None:
    """The outcome is a proof that the kernel accepts, and small bags agree with it, or an input with a difference."""
    assert isinstance(outcome, Proved | Differs), outcome
    if isinstance(outcome, Differs):
        empty = {name: {} if isinstance(name.type, BagType) else default_value(name.type) for name in left.parameters}
        refuting.inequivalent(left, right, {**empty, **outcome.environment})
        return
    assert kernel.equivalent(left, right, outcome.proof).oracles == frozenset()
    bags = [bag_of(chosen) for size in range(4) for chosen in combinations_with_replacement(values, size)]
    for chosen in product(bags, repeat=len(left.parameters)):
        environment = dict(zip(left.parameters, chosen, strict=True))
        assert evaluate(left.expression, environment) == evaluate(right.expression, environment)
