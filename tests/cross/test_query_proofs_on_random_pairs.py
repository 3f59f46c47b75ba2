"""No verdict about random pairs of queries is wrong: what is proved agrees with brute force on random databases."""

from __future__ import annotations

from dataclasses import replace
from itertools import count, islice

import pytest
from tallystick.core.queries.syntax import Distinct, Project, Scan, Statement
from tallystick.experiments.queries.verdicts import CATALOGUES, RandomPair, Tally, brute_force, examine, random_pairs


def examined(pairs: int, seed: int) -> Tally:
    tally = examine(islice(random_pairs(count(seed)), pairs), seconds=1.0, databases=60)
    assert not tally.wrong, tally.wrong[0]
    return tally


def test_no_verdict_about_random_pairs_is_wrong():
    tally = examined(30, 100_000)
    assert tally.verdicts["rewritten", "proved"] > 2
    assert tally.verdicts["near miss", "proved"] > 2
    assert tally.verdicts["mutated", "refuted"]


@pytest.mark.slow
def test_no_verdict_about_many_random_pairs_is_wrong():
    """`benchmarks/random_queries.py` runs 20,000 of them."""
    tally = examined(600, 200_000)
    assert tally.verdicts["rewritten", "proved"] > 80
    assert tally.verdicts["near miss", "proved"] > 80
    assert tally.verdicts["mutated", "refuted"] > 30


def test_brute_force_contradicts_a_wrong_verdict():
    """DISTINCT over a table without a key, and a rewriting that is none."""
    table = CATALOGUES[0].tables[0]
    names = tuple(column.name for column in table.columns)
    pair = RandomPair(
        1, "rewritten", CATALOGUES[0], Statement(table.scan(), names), Statement(Distinct(table.scan()), names)
    )
    tried, database = brute_force(pair, 100)
    assert database is not None
    assert tried <= 100
    assert [answer for _, answer, _ in examine([pair], 1.0, 100).wrong] == ["refuted"]
    assert not examine([replace(pair, origin="mutated")], 1.0, 100).wrong


def test_pairs_are_those_of_their_seeds_and_of_all_catalogues():
    pairs = list(random_pairs(range(300)))
    assert pairs == list(random_pairs(range(300)))
    assert {pair.catalogue for pair in pairs} == set(CATALOGUES)
    assert {pair.origin for pair in pairs} == {"rewritten", "near miss", "mutated"}
    assert not any(isinstance(pair.left.query, Scan) and pair.left == pair.right for pair in pairs)
    assert any(isinstance(pair.right.query, Project) for pair in pairs)
