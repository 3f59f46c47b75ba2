"""Results of types whose values are never equal: a counterexample, and never an equivalence but of empty RDDs."""

from __future__ import annotations

from pathlib import Path

import pytest
from tallystick import audit, check
from tallystick.comparing import SignatureError
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
    [("ints", "bools"), ("ints", "floats"), ("maybe", "maybe_days"), ("ints", "size"), ("counts", "ints")],
)
def test_results_that_may_be_equal_are_not_compared(jobs: Path, one: str, other: str) -> None:
    with pytest.raises(SignatureError):
        check(f"{jobs}:{one}", f"{jobs}:{other}")
