"""Rewritings of queries keep their rows; mutations are mostly refuted."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from random_queries import CATALOGUE, random_case
from tallystick.core.errors import EvaluationError
from tallystick.core.queries.interpreter.evaluation import rows_of
from tallystick.core.queries.syntax import Statement
from tallystick.decision.queries.counterexamples.search import DistinguishingDatabase, find
from tallystick.experiments.queries.random_queries import Options
from tallystick.experiments.queries.rewritings import REWRITINGS, at_node, mutated, nodes, rewritten


def queries(seeds):
    for seed in seeds:
        statement, databases = random_case(seed, Options())
        yield Random(seed), statement.query, databases


@pytest.mark.parametrize("rewriting", REWRITINGS, ids=lambda rewriting: rewriting.__name__)
def test_a_rewriting_keeps_the_rows(rewriting):
    applied = 0
    for _, query, databases in queries(range(250)):
        for number in range(nodes(query)):
            result = at_node(query, number, rewriting)
            if result is None:
                continue
            for database in databases:
                try:
                    expected = Counter(rows_of(query, database))
                    assert Counter(rows_of(result, database)) == expected, (query, result, database)
                except EvaluationError:
                    continue
                applied += 1
    assert applied > 1


def test_many_rewritings_keep_the_rows():
    changed = 0
    for random, query, databases in queries(range(1000, 1150)):
        result = rewritten(query, random, 10)
        changed += result != query
        for database in databases:
            try:
                assert Counter(rows_of(query, database)) == Counter(rows_of(result, database)), (
                    query,
                    result,
                    database,
                )
            except EvaluationError:
                continue
    assert changed > 60


def named(query):
    return Statement(query, tuple(f"x{index}" for index in range(len(query.columns))))


def test_mutations_are_mostly_refuted():
    verdicts = Counter()
    for random, query, _ in queries(range(2000, 2030)):
        other = mutated(query, random)
        if other is not None:
            found = find(named(query), named(other), CATALOGUE, seconds=0.2)
            verdicts[isinstance(found, DistinguishingDatabase)] += 1
    assert verdicts[True] > 8
