"""Folds whose order matters: a difference counts on inputs on which each fold has one value, and there alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from tallystick import audit, check

JOBS = """
from pyspark import RDD

def latest(rows: RDD[tuple[str, int, str]]):
    keyed = rows.map(lambda r: (r[0], (r[1], r[2])))
    return keyed.reduceByKey(max).mapValues(lambda v: v[1])

def latest_of_a_tie(rows: RDD[tuple[str, int, str]]):
    return rows.groupBy(lambda r: r[0]).mapValues(lambda g: max(g, key=lambda r: r[1])[2])

def oldest_of_a_tie(rows: RDD[tuple[str, int, str]]):
    return rows.groupBy(lambda r: r[0]).mapValues(lambda g: min(g, key=lambda r: r[1])[2])

def upper_of_a_tie(rows: RDD[tuple[str, int, str]]):
    return rows.groupBy(lambda r: r[0]).mapValues(lambda g: max(g, key=lambda r: r[1])[2].upper())
"""


@pytest.fixture
def jobs(tmp_path: Path) -> Path:
    path = tmp_path / "jobs.py"
    path.write_text(JOBS)
    return path


@pytest.mark.parametrize(
    ("one", "other"),
    [("latest", "oldest_of_a_tie"), ("latest", "upper_of_a_tie"), ("latest_of_a_tie", "oldest_of_a_tie")],
)
def test_programs_differ_where_no_order_matters(jobs: Path, one: str, other: str) -> None:
    answer = check(f"{jobs}:{one}", f"{jobs}:{other}")
    assert answer.verdict.value == "inequivalent", str(answer)
    assert answer.certificate is not None
    assert audit(answer.certificate).accepted
    (rows,) = answer.counterexample.inputs.values()  # type: ignore[union-attr]
    marks = [(key, mark) for key, mark, _ in rows]
    assert len(set(marks)) == len(set(rows)), "a tie has no one value"


def test_what_differs_in_ties_alone_is_unknown(jobs: Path) -> None:
    answer = check(f"{jobs}:latest", f"{jobs}:latest_of_a_tie")
    assert answer.verdict.value == "unknown"
    assert "order" in answer.reasons
