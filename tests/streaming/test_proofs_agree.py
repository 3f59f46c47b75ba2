"""Proofs against brute force: all streams of a few records, run on the local engine."""

from __future__ import annotations

import random

import pytest
from tallystick.streaming import for_all_streams
from tallystick.streaming.engines.base import Case
from tallystick.streaming.engines.local import LocalEngine
from tallystick.streaming.evaluation import run_cases
from tallystick.streaming.logic.safe_length import safe_word_length

from .provable import FEW, FLAGGED, ON_FLAGS, ON_NUMBERS, ON_WORDS, RECORDS, WORDS, all_streams, atoms, formula

MOST_CASES = 600


def shortest_violation(subject, formula_, records):
    """The length of the shortest violation among all streams of up to two, or only one, records in a batch."""
    length = safe_word_length(formula_)
    most = 2 if len(list(all_streams(records, 1, 2))) ** length <= MOST_CASES else 1
    cases = [Case({"input": prefix}) for prefix in all_streams(records, length, most)]
    if len(cases) > MOST_CASES:
        cases = random.Random(0).sample(cases, MOST_CASES)
    runs = run_cases(LocalEngine(), subject, formula_, cases)
    return min((len(run.steps) for run in runs if run.failed), default=None)


def check(name, streams, subject, chooser):
    known = atoms(RECORDS[streams])
    formula_ = formula(chooser.choice, known)
    while safe_word_length(formula_) > 4:
        formula_ = formula(chooser.choice, known)
    report = for_all_streams(streams, prove=True, prove_seconds=4, examples=1, inconclusive="allow")(subject)(
        formula_
    ).run()
    verdict = report.proof.verdict
    brute = shortest_violation(subject, formula_, RECORDS[streams])
    if verdict == "holds":
        assert brute is None, f"{name}: {formula_} is false of some stream of length {brute}"
    if verdict == "violated":
        assert report.failure.failed
        assert len(report.failure.steps) <= report.proof.case.length
        if "shortest" in report.proof.reason and brute is not None:
            assert len(report.failure.steps) <= brute
    return verdict


PROGRAMS = [(FEW, name, made) for name, made in ON_NUMBERS.items()]
PROGRAMS += [(FLAGGED, name, made) for name, made in ON_FLAGS.items()]
PROGRAMS += [(WORDS, name, made) for name, made in ON_WORDS.items()]


def some_of_each(rounds, seed, step=1):
    chooser = random.Random(seed)
    return [
        check(name, streams, subject, random.Random(chooser.random()))
        for streams, name, subject in PROGRAMS[seed % step :: step]
        for _ in range(rounds)
    ]


def test_what_is_proved_holds_of_all_small_streams():
    verdicts = some_of_each(1, 1, step=3)
    assert verdicts.count("holds") >= 1
    assert verdicts.count("violated") >= 4


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_what_is_proved_holds_of_all_small_streams_for_many_formulas(seed):
    """For most formulas there is an answer within seconds."""
    verdicts = some_of_each(2, 100 + seed)
    assert verdicts.count("unknown") <= 0.4 * len(verdicts)
