"""Limits of time hold, and what is decided within them does not hang on what else the machine does."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from time import process_time

import pytest
from tallystick import check_sql
from tallystick.decision.queries.deciding import Proved
from tallystick.decision.queries.portfolio import Portfolio
from tallystick.experiments.queries.families import FAMILIES, SCHEMA
from tallystick.experiments.sql_suites.outcomes import looking
from tallystick.experiments.sql_suites.records import read_record
from tallystick.experiments.sql_suites.sources import records_of
from tallystick.frontends.errors import SourceError
from tallystick.verdict import Answer

BUSY = 8
"""Processes that compute something else."""
LARGE = list(product(("listed", "disjoined", "regrouped", "cases", "outer"), range(23, 33)))
"""Fifty pairs of which few are decided."""


@contextmanager
def stress() -> Iterator[None]:
    """A machine on which other processes are busy."""
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(BUSY)]
    try:
        yield
    finally:
        for each in others:
            each.kill()
            each.wait()


def verdicts() -> dict[str, str]:
    """How the pairs of our own suite are decided."""
    found: dict[str, str] = {}
    for record in records_of("sql"):
        try:
            pair = read_record(record)
        except SourceError:
            continue
        answer = next(Portfolio(pair.left, pair.right, pair.catalogue, 10.0, looking(pair)).answers(), None)
        found[pair.name] = "unknown" if answer is None else "proved" if isinstance(answer, Proved) else "refuted"
    return found


@pytest.mark.slow
def test_two_hundred_pairs_are_decided_alike_on_a_busy_machine() -> None:
    alone = verdicts()
    with stress():
        busy = verdicts()
    assert len(alone) >= 200
    assert busy == alone


@pytest.mark.slow
@pytest.mark.parametrize("limit", [1.0, 5.0, 20.0])
def test_fifty_pairs_keep_to_their_limit(limit: float) -> None:
    answers, late = Counter[Answer](), list[tuple[str, int, float]]()
    check_sql(*FAMILIES["itself"](1), schema=SCHEMA, timeout=limit)  # what is imported late
    for name, size in LARGE:
        started = process_time()
        answers[check_sql(*FAMILIES[name](size), schema=SCHEMA, timeout=limit).verdict] += 1
        taken = process_time() - started
        if taken > 1.1 * limit + 0.2:
            late.append((name, size, taken))
    assert not late
    assert answers[Answer.UNKNOWN] >= 25
