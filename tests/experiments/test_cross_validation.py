"""Spark has the last word: planted wrong verdicts are found, and right ones pass."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
from pathlib import Path

import pytest
from tallystick.certificates.codec import decode, encode
from tallystick.certificates.proofs import Counterexample
from tallystick.experiments.cross_validation import Disagreement, cross_validate
from tallystick.experiments.questions import Options, Task
from tallystick.experiments.records import Record
from tallystick.experiments.running import decide_here
from tallystick.experiments.validations import validate
from tallystick.replay import ReplayError, SparkReplayer

from .conftest import QUESTIONS, cav_tasks

pytestmark = pytest.mark.spark


def decided(pair: str) -> tuple[Task, Record]:
    (task,) = cav_tasks(pair)
    return task, decide_here([task]).records[0]


def test_right_verdicts_pass(replayer: SparkReplayer):
    for pair, shown in (("P1/P2'", "differs"), ("P3/P4", "same 5×"), ("P21/P22", "same 5×")):
        task, record = decided(pair)
        assert str(cross_validate(task.question, record, replayer, 5)) == shown


@pytest.mark.parametrize(
    "pair", ["mean of items", "total of what is known", "guarded too late", "fold from None or a number"]
)
def test_means_none_and_programs_that_raise_are_compared_as_python_has_them(pair: str, replayer: SparkReplayer):
    (question,) = (question for question in QUESTIONS("beyond") if question.pair == pair)
    task = Task(question, Options())
    validation = cross_validate(question, decide_here([task]).records[0], replayer, 4)
    assert validation is not None
    assert validation.differed == (question.expected == "inequivalent")


def test_an_unknown_verdict_and_a_pair_without_source_are_not_run(replayer: SparkReplayer):
    task, record = decided("P1/P2'")
    assert (
        cross_validate(task.question, dataclasses.replace(record, verdict="unknown", certificate=None), replayer)
        is None
    )
    assert cross_validate(dataclasses.replace(task.question, left=""), record, replayer) is None


@pytest.mark.parametrize("pair", ["P1/P2'", "P31/P32", "P15'/P16'", "P9'/P10"])
def test_a_planted_equivalent_is_found(pair: str, replayer: SparkReplayer, tmp_path: Path):
    task, record = decided(pair)
    planted = dataclasses.replace(record, verdict="equivalent")
    with pytest.raises(Disagreement) as caught:
        cross_validate(task.question, planted, replayer)
    assert "the verdict is equivalent, but Spark returns two results" in str(caught.value)
    assert "everything needed to see it again: " in str(caught.value.saved(tmp_path))
    report = json.loads((tmp_path / "disagreement.json").read_text())
    assert report["left"].endswith(task.question.left.rpartition(":")[2])
    assert set(report) >= {"inputs", "on_spark", "certificate", "versions", "method", "solver"}


@pytest.mark.parametrize("pair", ["P1/P2", "P5/P6"])
def test_a_planted_inequivalent_is_found(pair: str, replayer: SparkReplayer):
    """Its certificate has an input on which the programs return the same."""
    task, record = decided(pair)
    assert record.certificate is not None
    certificate = decode(record.certificate.encode())
    outputs = ({}, {1: 1}) if pair == "P1/P2" else (True, False)
    forged = encode(dataclasses.replace(certificate, result=Counterexample(({100: 1},), outputs))).decode()
    planted = dataclasses.replace(record, verdict="inequivalent", certificate=forged)
    with pytest.raises(Disagreement, match="the verdict is inequivalent, but Spark returns one result"):
        cross_validate(task.question, planted, replayer)


def test_a_misread_program_is_found(replayer: SparkReplayer):
    """The question is about other programs than those that its sources are, though both pairs are equivalent."""
    task, record = decided("P1/P2")
    (other,) = cav_tasks("P27/P28")
    misread = dataclasses.replace(task.question, left=other.question.left, right=other.question.left)
    with pytest.raises(Disagreement, match="on Spark, but means"):
        cross_validate(misread, record, replayer)


def test_a_planted_verdict_stops_the_run_and_what_was_validated_before_stays(replayer: SparkReplayer, tmp_path: Path):
    right, wrong, never_run = (decided(pair) for pair in ("P27/P28", "P1/P2'", "P31/P32"))
    planted = wrong[0], dataclasses.replace(wrong[1], verdict="equivalent")
    tasks, records = zip(right, planted, never_run, strict=True)
    questions = [task.question for task in tasks]
    log = tmp_path / "validations.jsonl"
    with pytest.raises(Disagreement, match="the verdict is equivalent, but Spark returns two results"):
        validate(questions, records, replayer, 2, log)
    assert [json.loads(line)["pair"] for line in log.read_text().split("\n") if line] == ["P27/P28"]


def test_a_validation_is_not_made_twice_unless_the_verdict_or_the_inputs_are_others(
    replayer: SparkReplayer, tmp_path: Path
):
    task, record = decided("P25/P26")
    log = tmp_path / "validations.jsonl"
    first = validate([task.question], [record], replayer, 2, log)
    elsewhere = dataclasses.replace(task.question, left="nowhere.py:f", right="nowhere.py:f")
    assert validate([elsewhere], [record], replayer, 2, log) == first
    with pytest.raises(ReplayError, match=r"nowhere\.py"):
        validate([elsewhere], [record], replayer, 3, log)
    with pytest.raises(ReplayError, match=r"nowhere\.py"):
        validate([elsewhere], [dataclasses.replace(record, certificate=f"{record.certificate} ")], replayer, 2, log)


@pytest.mark.slow
def test_the_program_that_a_disagreement_leaves_shows_it_again(replayer: SparkReplayer, tmp_path: Path):
    task, record = decided("P31/P32")
    with pytest.raises(Disagreement) as caught:
        cross_validate(task.question, dataclasses.replace(record, verdict="equivalent"), replayer)
    caught.value.saved(tmp_path)
    program = [sys.executable, str(tmp_path / "disagreement.py")]
    run = subprocess.run(program, capture_output=True, text=True, check=True, timeout=120, cwd=tmp_path)
    assert "they differ" in run.stdout
