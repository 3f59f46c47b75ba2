"""Programs on lists: they agree with the reference interpreter, and find planted wrong verdicts."""

from __future__ import annotations

import dataclasses
from random import Random

import pytest
from tallystick.certificates.codec import decode, encode
from tallystick.certificates.proofs import Counterexample
from tallystick.core.errors import EvaluationError
from tallystick.core.interpreter import bag_of, evaluate
from tallystick.core.programs import Program
from tallystick.core.types import BagType
from tallystick.experiments.brute_force import TooLongError, contradiction, result, small_inputs
from tallystick.experiments.generator import generated_pair
from tallystick.experiments.questions import Options, Task, question_of_programs
from tallystick.experiments.random_programs import random_program
from tallystick.experiments.records import Record
from tallystick.experiments.running import decide_here


def test_lists_and_bags_give_the_same_results():
    compared = 0
    for number in range(60):
        program = random_program(Random(f"lists/{number}"))
        for inputs in list(small_inputs(program, program))[::7]:
            bags = {name: bag_of(value) if isinstance(value, list) else value for name, value in inputs.items()}
            try:
                expected, found = evaluate(program.expression, bags, 50_000), result(program, inputs)
            except (EvaluationError, TooLongError):
                continue
            assert (bag_of(found) if isinstance(program.result, BagType) else found) == expected
            compared += 1
    assert compared > 300


def decided(kind: str) -> tuple[Program, Program, Record]:
    """A generated pair of a kind, with its record."""
    number = 0
    while (pair := generated_pair(Random(f"planted/{number}"))).expected != kind:
        number += 1
    question = question_of_programs("generated", "planted", pair.expected, pair.left, pair.right)
    return pair.left, pair.right, decide_here([Task(question, Options())]).records[0]


@pytest.mark.parametrize("kind", ["equivalent", "inequivalent"])
def test_a_right_verdict_is_not_contradicted(kind: str):
    left, right, record = decided(kind)
    assert record.verdict == kind
    assert contradiction(record, left, right) == ""


def test_a_verdict_that_is_not_the_known_one_is_wrong():
    left, right, record = decided("equivalent")
    planted = dataclasses.replace(record, expected="inequivalent")
    assert contradiction(planted, left, right) == "equivalent, but known to be inequivalent"


def test_a_planted_equivalent_is_contradicted_by_an_input():
    left, right, record = decided("inequivalent")
    planted = dataclasses.replace(record, verdict="equivalent", expected=None)
    assert contradiction(planted, left, right).startswith("equivalent, but different on R = ")


def test_a_counterexample_on_which_the_programs_agree_is_contradicted():
    left, _, record = decided("inequivalent")
    assert record.certificate is not None
    certificate = decode(record.certificate.encode())
    assert isinstance(certificate.result, Counterexample)
    forged = encode(dataclasses.replace(certificate, right=left)).decode()
    planted = dataclasses.replace(record, certificate=forged)
    assert contradiction(planted, left, left) == "inequivalent, but the same on the counterexample"
