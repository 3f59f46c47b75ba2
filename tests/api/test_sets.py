"""`--set`: whole programs are compared by the sets of what they return, and every answer says so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from tallystick import Answer, assert_equivalent, check
from tallystick.certificates.audit import audit
from tallystick.cli import main
from tallystick.frontends.pyspark import SetError
from tallystick.replay import SparkReplayer

JOBS = """
from pyspark import RDD

def twice(r: RDD[int]): return r.union(r).map(lambda x: x % 10)
def once(r: RDD[int]): return r.map(lambda x: x % 10)
def fewer(r: RDD[int]): return r.map(lambda x: x % 10).filter(lambda x: x < 9)
def pairs(r: RDD[int]): return r.cartesian(r).map(lambda p: p[0] % 10)
def by_key(s: RDD[tuple[int, int]]): return s.foldByKey(0, lambda a, b: a + b).map(lambda p: p[1])
def by_key_twice(s: RDD[tuple[int, int]]): return s.foldByKey(0, lambda a, b: b + a).flatMap(lambda p: (p[1], p[1]))
def size(r: RDD[int]): return r.count()
"""


@pytest.fixture
def jobs(tmp_path: Path) -> Path:
    path = tmp_path / "jobs.py"
    path.write_text(JOBS)
    return path


@pytest.mark.parametrize("after", ["once", "pairs"])
def test_programs_that_repeat_elements_differently_are_one_set(jobs: Path, after: str) -> None:
    verdict = check(f"{jobs}:twice", f"{jobs}:{after}", as_sets=True)
    assert (verdict.verdict, verdict.as_sets, verdict.oracles) == (Answer.EQUIVALENT, True, ())
    assert check(f"{jobs}:twice", f"{jobs}:{after}").verdict is Answer.INEQUIVALENT
    assert verdict.certificate is not None
    report = audit(verdict.certificate)
    assert report.claim.splitlines()[:2] == [
        f"for every input, 'twice' and '{after}' return the same",
        "'twice' takes ('r': Bag[Int])",
    ]
    assert report.claim.count("distinct(") == 2


def test_different_sets_get_an_input_and_both_sets(jobs: Path) -> None:
    verdict = check(f"{jobs}:twice", f"{jobs}:fewer", as_sets=True)
    assert (verdict.verdict, verdict.as_sets) == (Answer.INEQUIVALENT, True)
    assert verdict.counterexample is not None
    assert verdict.counterexample.outputs == ([9], [])


@pytest.mark.spark
def test_pyspark_replays_the_sets(jobs: Path, replayer: SparkReplayer) -> None:
    verdict = check(f"{jobs}:twice", f"{jobs}:fewer", as_sets=True, replay="spark", replayer=replayer)
    assert verdict.counterexample is not None
    assert verdict.counterexample.replayed_on == ("reference", "spark")
    environment = {"r": [3, 3]}
    assert replayer.replay(f"{jobs}:twice", f"{jobs}:once", environment).as_written.differs
    assert not replayer.replay(f"{jobs}:twice", f"{jobs}:once", environment, as_sets=True).as_written.differs


def test_values_by_key_that_are_returned_twice_are_one_set(jobs: Path) -> None:
    assert check(f"{jobs}:by_key", f"{jobs}:by_key_twice", as_sets=True).verdict is Answer.EQUIVALENT
    assert check(f"{jobs}:by_key", f"{jobs}:by_key_twice").verdict is Answer.INEQUIVALENT


def test_a_value_is_no_set(jobs: Path) -> None:
    with pytest.raises(SetError) as caught:
        check(f"{jobs}:size", f"{jobs}:size", as_sets=True)
    assert str(caught.value) == (
        f"only programs that return an RDD can be compared as sets\n  {jobs}:10: size(r: RDD[int]) returns a value"
    )


def test_the_assertion_says_that_sets_differ(jobs: Path) -> None:
    assert_equivalent(f"{jobs}:twice", f"{jobs}:once", as_sets=True)
    with pytest.raises(AssertionError, match="inequivalent as sets: twice ≢ fewer\n  what is compared is distinct of"):
        assert_equivalent(f"{jobs}:twice", f"{jobs}:fewer", as_sets=True)


def test_spark_semantics_and_sets_go_together(jobs: Path) -> None:
    verdict = check(f"{jobs}:twice", f"{jobs}:once", as_sets=True, semantics="spark")
    assert (verdict.verdict, verdict.as_sets, verdict.semantics) == (Answer.EQUIVALENT, True, "spark")


def test_the_command_line_says_what_it_compared(jobs: Path, tmp_path: Path) -> None:
    certificate, pair = tmp_path / "sets.json", [f"{jobs}:twice", f"{jobs}:once"]
    run = CliRunner().invoke(main, ["check", *pair, "--set", "--certificate", str(certificate)])
    assert run.exit_code == 0
    assert run.output.splitlines()[:2] == [
        "equivalent as sets: twice ≡ once",
        "  what is compared is distinct of both results, not how often an element occurs",
    ]
    printed = CliRunner().invoke(main, ["check", *pair, "--set", "--json"])
    assert json.loads(printed.output)["as_sets"] is True


def test_an_audit_against_two_functions_has_to_say_that_it_is_about_sets(jobs: Path, tmp_path: Path) -> None:
    certificate, pair = tmp_path / "sets.json", [f"{jobs}:twice", f"{jobs}:once"]
    CliRunner().invoke(main, ["check", *pair, "--set", "--certificate", str(certificate)])
    accepted = CliRunner().invoke(main, ["audit", str(certificate), "--against", *pair, "--set"])
    assert (accepted.exit_code, "'twice' and 'once'" in accepted.output) == (0, True)
    rejected = CliRunner().invoke(main, ["audit", str(certificate), "--against", *pair])
    assert rejected.exit_code == 1
    assert "rejected  the certificate is about other programs" in rejected.output
    alone = CliRunner().invoke(main, ["audit", str(certificate), "--set"])
    assert alone.exit_code == 3


def test_an_explanation_is_about_sets(jobs: Path) -> None:
    run = CliRunner().invoke(main, ["explain", f"{jobs}:twice", f"{jobs}:once", "--set"])
    assert run.output.startswith("twice ≡ once\n")
    assert "Equivalent as sets: both programs return the same elements on every input" in run.output
    assert "distinct(map(λx. x mod 10)(union(r, r)))" in run.output
    differ = CliRunner().invoke(main, ["explain", f"{jobs}:twice", f"{jobs}:fewer", "--set"])
    assert "Inequivalent as sets" in differ.output
