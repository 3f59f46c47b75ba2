"""No verdict about random pairs of queries is wrong: what is proved is not refuted by random databases."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from random_queries import CATALOGUE
from tallystick.core.queries.syntax import Query, Statement
from tallystick.decision.queries.counterexamples.search import Counterexample, find
from tallystick.decision.queries.deciding import Limits, Proved, decide
from tallystick.experiments.queries.random_queries import Options, RandomQueries
from tallystick.experiments.queries.rewritings import mutated, rewritten


def named(query: Query) -> Statement:
    return Statement(query, tuple(f"x{index}" for index in range(len(query.columns))))


def examine(seeds: range, seconds: float) -> Counter[tuple[str, bool]]:
    """How many pairs, equivalent by rewriting or mutated, are proved; fails if a proved one is refuted."""
    verdicts: Counter[tuple[str, bool]] = Counter()
    for seed in seeds:
        random = Random(seed)
        query = RandomQueries(CATALOGUE, random, Options()).query(random.choice((1, 2, 3)), ())
        equivalent = random.random() < 0.35
        other = rewritten(query, random, 8) if equivalent else mutated(query, random)
        if other is None or other == query or not query.columns:
            continue
        left, right = named(query), named(other)
        proved = isinstance(decide(left, right, CATALOGUE, Limits(seconds=seconds)), Proved)
        verdicts["rewritten" if equivalent else "mutated", proved] += 1
        if proved:
            found = find(left, right, CATALOGUE, 0.1, seed)
            assert not isinstance(found, Counterexample), (seed, left, right, found)
    return verdicts


def test_no_random_pair_is_proved_and_refuted():
    verdicts = examine(range(100_000, 100_060), seconds=1.0)
    assert verdicts["rewritten", True] > 5
    assert verdicts["mutated", False] > 5


@pytest.mark.slow
def test_none_of_many_random_pairs_is_proved_and_refuted():
    verdicts = examine(range(200_000, 200_400), seconds=1.0)
    assert verdicts["rewritten", True] > 50
    assert verdicts["mutated", False] > 50
