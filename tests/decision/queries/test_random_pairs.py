"""Random pairs of queries: what is proved is equal on random databases."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from random_queries import CATALOGUE, pool_of, random_case
from tallystick.core.errors import TallystickError
from tallystick.core.queries.expressions import Comparison, IsNull, Not
from tallystick.core.queries.interpreter.evaluation import interpreter
from tallystick.core.queries.syntax import Distinct, Filter, Query, SetOperation, Statement, references
from tallystick.decision.queries.counterexamples.databases import RandomDatabases
from tallystick.decision.queries.deciding import Limits, Proved, decide
from tallystick.experiments.queries.random_queries import Options

LIMITS = Limits(seconds=1)
OPTIONS = Options(windows=False, limits=False, lateral=False)


def variants(query: Query, random: Random) -> list[Query]:
    """Queries that look alike; some are equal on every database."""
    cells = references(query)
    cell = random.choice(cells)
    condition = random.choice((IsNull(cell), Not(IsNull(cell)), Comparison("=", cell, cell)))
    filtered = Filter(query, condition)
    return [
        Distinct(query),
        filtered,
        Distinct(filtered),
        SetOperation("union", True, filtered, Filter(query, Not(condition))),
        SetOperation("union", False, query, query),
        SetOperation("intersect", False, query, filtered),
        SetOperation("except", False, query, filtered),
        query,
    ]


def outcomes(seeds: range) -> Counter[str]:
    """How many pairs were proved, and on how many databases they were compared; fails at the first difference."""
    counted: Counter[str] = Counter()
    for seed in seeds:
        random = Random(seed)
        statement, _ = random_case(seed, OPTIONS, databases=0)
        if not statement.query.columns or statement.query.free:
            continue
        forms = variants(statement.query, random)
        left, right = (
            Statement(form, tuple(f"x{i}" for i in range(len(form.columns)))) for form in random.sample(forms, 2)
        )
        outcome = decide(left, right, CATALOGUE, LIMITS)
        counted[type(outcome).__name__] += 1
        if isinstance(outcome, Proved):
            counted["databases"] += compare(left, right, random, seed)
    return counted


def compare(left: Statement, right: Statement, random: Random, seed: int) -> int:
    """On how many random databases two statements were compared."""
    drawn, compared = RandomDatabases(CATALOGUE, random), 0
    evaluate = interpreter(left), interpreter(right)
    for _ in range(12):
        database = drawn.draw(pool_of, lambda table: random.randint(0, 4), 0.3)
        try:
            results = [run(database) for run in evaluate]
        except TallystickError:
            continue
        assert results[0].may_equal(results[1]), f"seed {seed}: proved, but different on {database}"
        compared += 1
    return compared


def test_proved_pairs_are_equal_on_random_databases() -> None:
    counted = outcomes(range(12))
    assert counted["Proved"] >= 2
    assert counted["Unknown"] >= 2
    assert counted["databases"] >= 20


@pytest.mark.slow
def test_many_proved_pairs_are_equal_on_random_databases() -> None:
    assert outcomes(range(1_000, 1_400))["databases"] >= 1_000
