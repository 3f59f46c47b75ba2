"""No verdict about random workflows with random edits is wrong: as lists, as bags, and below DISTINCT as sets."""

from __future__ import annotations

import pytest
from tallystick.experiments.dataflows.random_workflows import Tally, examine, random_pair


def examined(seeds: range) -> Tally:
    tally = examine(seeds, 12)
    assert not tally.wrong, tally.wrong[0]
    return tally


def test_no_verdict_about_random_workflows_is_wrong() -> None:
    tally = examined(range(12))
    assert tally.compared > 90
    assert tally.answers["edited unchanged"] > 2
    assert tally.answers["edited changed"]


@pytest.mark.slow
def test_no_verdict_about_many_random_workflows_is_wrong() -> None:
    tally = examined(range(1_000, 1_300))
    assert tally.answers["edited unchanged"] > 60
    assert tally.answers["edited changed"] > 20


def test_pairs_are_those_of_their_seeds() -> None:
    assert [random_pair(seed) for seed in range(20)] == [random_pair(seed) for seed in range(20)]
