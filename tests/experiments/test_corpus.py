"""The corpus of realistic functions: nearly all are read, most are decided, and none wrongly."""

from __future__ import annotations

from pathlib import Path

import pytest
from tallystick.experiments.corpus import PROVED, REFUTED, RIGHT, UNREAD, WRONG, decide, functions

CORPUS = Path(__file__).parents[1] / "corpus"
SAMPLE = ("prefixed", "known_amounts", "late_deliveries", "discounted", "best_three", "violations", "seen_before")


def test_a_sample_is_decided_rightly() -> None:
    for path, name in functions(CORPUS):
        if name in SAMPLE:
            assert decide(path, name, RIGHT, 20, None).answer == PROVED, name
            assert decide(path, name, WRONG, 20, None).answer == REFUTED, name


@pytest.mark.slow
def test_the_shares_of_the_corpus() -> None:
    found = [decide(path, name, kind, 20, None) for path, name in functions(CORPUS) for kind in (RIGHT, WRONG)]
    total = len(found) // 2
    assert total >= 80
    assert not [each.name for each in found if each.is_wrong]
    assert len({each.name for each in found if each.answer == UNREAD}) <= total // 10
    assert sum(each.answer == PROVED for each in found) >= 0.8 * total
    assert sum(each.answer == REFUTED for each in found) >= 0.9 * total
