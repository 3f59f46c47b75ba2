"""Results of types whose values are never equal: a counterexample, and never an equivalence but of empty RDDs."""

from __future__ import annotations

from pathlib import Path

import pytest
from tallystick import audit, check
from tallystick.comparing import NUMBERS_ONLY, SignatureError, comparison
from tallystick.decision.service.process import shared_prover
from tallystick.frontends.rdd import read_program
from tallystick.verdict import Answer

JOBS = """
from dataclasses import dataclass
from datetime import date, datetime
from enum import Enum
from typing import NamedTuple
from pyspark import RDD

class Colour(Enum):
    RED = 1
    BLUE = 2

class Size(Enum):
    RED = 1
    BLUE = 2

class Pair(NamedTuple):
    a: int
    b: int

@dataclass(frozen=True)
class Point:
    a: int
    b: int

@dataclass(frozen=True)
class Spot:
    a: int
    b: int

def ints(r: RDD[int]): return r.map(lambda x: 1)
def texts(r: RDD[int]): return r.map(lambda x: "1")
def pairs(r: RDD[int]): return r.map(lambda x: (1, x))
def triples(r: RDD[int]): return r.map(lambda x: (1, x, x))
def named(r: RDD[int]): return r.map(lambda x: Pair(1, x))
def points(r: RDD[int]): return r.map(lambda x: Point(1, x))
def spots(r: RDD[int]): return r.map(lambda x: Spot(1, x))
def maybe(r: RDD[int]): return r.map(lambda x: None if x else "1")
def maybe_days(r: RDD[int]): return r.map(lambda x: None if x else date(2000, 1, 1))
def bools(r: RDD[int]): return r.map(lambda x: True)
def floats(r: RDD[int]): return r.map(lambda x: 1.5)
def colours(r: RDD[int]): return r.map(lambda x: Colour.RED)
def sizes(r: RDD[int]): return r.map(lambda x: Size.RED)
def moments(r: RDD[int]): return r.map(lambda x: datetime(2000, 1, 1))
def spans(r: RDD[int]): return r.map(lambda x: datetime(2000, 1, 1) - datetime(2000, 1, 1))
def no_ints(r: RDD[int]): return r.filter(lambda x: False)
def no_texts(r: RDD[int]): return r.filter(lambda x: False).map(str)
def largest(r: RDD[int]): return r.max()
def largest_text(r: RDD[int]): return str(r.max())
def size(r: RDD[int]): return r.count()
def counts(r: RDD[int]): return r.countByValue()
def counts_of_texts(r: RDD[int]): return r.map(str).countByValue()
def halves(r: RDD[int]): return r.map(lambda x: x / 2)
def whole_halves(r: RDD[int]): return r.map(lambda x: x // 2)
def quotients(r: RDD[int]): return r.map(lambda x: x / 1)
def same(r: RDD[int]): return r.map(lambda x: x)
def maybe_quotients(r: RDD[int]): return r.map(lambda x: None if x > 3 else x / 1)
def maybe_same(r: RDD[int]): return r.map(lambda x: None if x > 3 else x)
def mean_of_one(r: RDD[int]): return r.count() / 1
def up(r: RDD[tuple[str, int]]): return r.sortBy(lambda p: (p[0], p[1])).collect()
def down(r: RDD[tuple[str, int]]): return r.sortBy(lambda p: (-p[1], p[0])).collect()
def by_one(r: RDD[tuple[str, int]]): return r.sortBy(lambda p: p[1]).map(lambda p: 1).collect()
def by_other(r: RDD[tuple[str, int]]): return r.sortBy(lambda p: p[0]).map(lambda p: 1).collect()
def least(r: RDD[tuple[str, int]]): return r.map(lambda p: p[0]).sortBy(lambda w: w).take(2)
def least_number(r: RDD[tuple[str, int]]): return r.map(lambda p: p[1]).sortBy(lambda w: w).take(2)
def no_least(r: RDD[tuple[str, int]]): return r.map(lambda p: p[0]).sortBy(lambda w: w).take(0)
def no_number(r: RDD[tuple[str, int]]): return r.map(lambda p: p[1]).sortBy(lambda w: w).take(0)
"""


@pytest.fixture(scope="module")
def jobs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("jobs") / "jobs.py"
    path.write_text(JOBS)
    return path


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ints", "texts"),
        ("pairs", "triples"),
        ("ints", "pairs"),
        ("points", "spots"),
        ("points", "pairs"),
        ("maybe", "ints"),
        ("colours", "sizes"),
        ("moments", "spans"),
        ("colours", "moments"),
        ("largest", "largest_text"),
        ("size", "largest_text"),
        ("counts", "counts_of_texts"),
        ("ints", "floats"),
        ("halves", "whole_halves"),
        ("up", "down"),
        ("least", "least_number"),
    ],
)
def test_they_differ_on_an_input_that_is_shown_as_the_programs_have_it(jobs: Path, one: str, other: str) -> None:
    verdict = check(f"{jobs}:{one}", f"{jobs}:{other}")
    assert verdict.verdict is Answer.INEQUIVALENT
    assert verdict.counterexample is not None
    assert verdict.certificate is not None
    assert audit(verdict.certificate).accepted


def test_the_outputs_are_those_of_the_sources(jobs: Path) -> None:
    found = check(f"{jobs}:ints", f"{jobs}:texts").counterexample
    assert found is not None
    assert found.outputs == ([1], ["1"])
    found = check(f"{jobs}:largest", f"{jobs}:largest_text").counterexample
    assert found is not None
    (number,) = found.inputs["r"]
    assert found.outputs == (number, str(number))


@pytest.mark.parametrize(("one", "other"), [("no_ints", "no_texts"), ("named", "pairs"), ("points", "points")])
def test_equal_results_are_equal(jobs: Path, one: str, other: str) -> None:
    assert check(f"{jobs}:{one}", f"{jobs}:{other}").verdict is Answer.EQUIVALENT


@pytest.mark.parametrize(
    ("one", "other"),
    [("ints", "bools"), ("maybe", "maybe_days"), ("ints", "size"), ("counts", "ints")],
)
def test_results_that_may_be_equal_are_not_compared(jobs: Path, one: str, other: str) -> None:
    with pytest.raises(SignatureError):
        check(f"{jobs}:{one}", f"{jobs}:{other}")


@pytest.mark.parametrize(("one", "other"), [("by_one", "by_other"), ("no_least", "no_number")])
def test_lists_in_two_orders_may_be_equal(jobs: Path, one: str, other: str) -> None:
    assert check(f"{jobs}:{one}", f"{jobs}:{other}").verdict is Answer.UNKNOWN


@pytest.mark.parametrize(
    ("one", "other"), [("quotients", "same"), ("maybe_quotients", "maybe_same"), ("mean_of_one", "size")]
)
def test_equal_numbers_of_two_types_are_no_equal_results(jobs: Path, one: str, other: str) -> None:
    """3 == 3.0, and a caller sees which of the two it is."""
    verdict = check(f"{jobs}:{one}", f"{jobs}:{other}")
    assert verdict.verdict is Answer.UNKNOWN
    assert verdict.certificate is None
    assert verdict.reasons["result"] == NUMBERS_ONLY


def test_a_proof_about_equal_numbers_of_two_types_is_none_about_the_programs(jobs: Path) -> None:
    programs = read_program(f"{jobs}:quotients"), read_program(f"{jobs}:same")
    compared = comparison(*programs, False, "spark")
    settlement = shared_prover.settle(
        *compared.programs, (programs[0].source, programs[1].source), "auto", 30.0, None, compared.assumptions, "spark"
    )
    assert settlement.certificate is not None
    certificate = settlement.certificate.encode()
    report = audit(certificate)
    assert report.accepted
    assert compared.judged(report, certificate).reason == NUMBERS_ONLY


def test_lists_are_shown_as_the_programs_return_them(jobs: Path) -> None:
    found = check(f"{jobs}:least", f"{jobs}:least_number").counterexample
    assert found is not None
    words = sorted(word for word, _ in found.inputs["r"])[:2]
    assert found.outputs == (words, sorted(number for _, number in found.inputs["r"])[:2])
