"""Spark has the last word: planted wrong verdicts are found, and right ones pass."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest
from tallystick.certificates.codec import decode, encode
from tallystick.certificates.proofs import Counterexample
from tallystick.experiments.cross_validation import Disagreement, cross_validate
from tallystick.experiments.questions import Task
from tallystick.experiments.records import Record
from tallystick.experiments.running import decide_here
from tallystick.replay import SparkReplayer

from .conftest import cav_tasks

pytestmark = pytest.mark.spark


def decided(pair: str) -> tuple[Task, Record]:
    (task,) = cav_tasks(pair)
    return task, decide_here([task]).records[0]


def test_right_verdicts_pass(replayer: SparkReplayer):
    for pair, shown in (("P1/P2'", "differs"), ("P3/P4", "same 5×"), ("P21/P22", "same 5×")):
        task, record = decided(pair)
        assert str(cross_validate(task.question, record, replayer, 5)) == shown


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
    report = json.loads(caught.value.save(tmp_path).read_text())
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
