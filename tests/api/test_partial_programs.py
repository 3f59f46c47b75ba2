"""Programs that raise on an empty RDD, from their source to a verdict."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from tallystick import Answer, audit, check
from tallystick.cli import main
from tallystick.replay import SparkReplayer
from tallystick.verdict import Raises

JOBS = """
from pyspark import RDD

def largest(r: RDD[int]):
    return r.max()

def largest_by_smallest(r: RDD[int]):
    return -r.map(lambda x: -x).min()

def reduced(r: RDD[int]):
    return r.reduce(lambda a, b: b if a < b else a)

def largest_or_0(r: RDD[int]):
    return 0 if r.isEmpty() else r.max()

def folded(r: RDD[int]):
    return r.fold(0, max)

def flagged(r: RDD[int]):
    return (not r.isEmpty(), r.fold(0, max))
"""


@pytest.fixture
def jobs(tmp_path: Path) -> str:
    path = tmp_path / "jobs.py"
    path.write_text(JOBS)
    return str(path)


@pytest.mark.parametrize("other", ["largest_by_smallest", "reduced"])
def test_programs_that_raise_on_the_same_inputs_are_proved_equivalent(jobs: str, other: str) -> None:
    verdict = check(f"{jobs}:largest", f"{jobs}:{other}")
    assert verdict.verdict is Answer.EQUIVALENT
    assert verdict.oracles == ()


def test_a_total_program_differs_where_the_other_raises(jobs: str) -> None:
    verdict = check(f"{jobs}:largest", f"{jobs}:largest_or_0")
    assert verdict.verdict is Answer.INEQUIVALENT
    assert verdict.counterexample is not None
    assert verdict.counterexample.inputs == {"r": []}
    assert verdict.counterexample.outputs == (Raises("ValueError or KeyError"), 0)
    assert verdict.to_json()["witness"]["outputs"] == [
        {"name": "largest", "value": {"raises": "ValueError or KeyError"}},
        {"name": "largest_or_0", "value": 0},
    ]
    text = str(verdict)
    said = "raises ValueError or KeyError: an RDD is empty, or a key is missing"
    assert f"    largest      {said}\n    largest_or_0 returns 0\n" in text


def test_a_guard_makes_a_program_comparable_with_one_that_never_raises(jobs: str) -> None:
    verdict = check(f"{jobs}:largest_or_0", f"{jobs}:folded")
    assert verdict.verdict is Answer.INEQUIVALENT
    assert verdict.counterexample is not None
    assert verdict.counterexample.inputs == {"r": [-1]}
    assert verdict.counterexample.outputs == (-1, 0)


def test_a_program_that_returns_a_flag_and_a_value_is_no_program_that_may_raise(jobs: str) -> None:
    verdict = check(f"{jobs}:largest", f"{jobs}:flagged")
    assert verdict.verdict is Answer.INEQUIVALENT


def test_the_certificate_is_audited_against_both_programs(jobs: str, tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    verdict = check(f"{jobs}:largest", f"{jobs}:folded")
    kept.write_bytes(verdict.certificate or b"")
    assert audit(kept).verdict == "inequivalent"
    names = ["audit", str(kept), "--against", f"{jobs}:largest", f"{jobs}:folded"]
    assert CliRunner().invoke(main, names).exit_code == 0


@pytest.mark.spark
def test_spark_raises_where_the_counterexample_says_so(jobs: str) -> None:
    with SparkReplayer() as replayer:
        verdict = check(f"{jobs}:largest", f"{jobs}:largest_or_0", replay="spark", replayer=replayer)
    assert verdict.verdict is Answer.INEQUIVALENT
    assert verdict.counterexample is not None
    assert verdict.counterexample.replayed_on == ("reference", "spark")
