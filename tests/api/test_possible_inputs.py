"""A counterexample is an input that the programs can get: dates that there are, lines that hold no end of a line."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner
from tallystick import check
from tallystick.cli import main
from tallystick.core.types import BagType, TupleType
from tallystick.frontends.pyspark.possible_inputs import why_impossible, why_no_lines
from tallystick.frontends.pyspark.values.nominal_types import DATE, TIMEDELTA, days
from tallystick.frontends.pyspark.values.options import MARK
from tallystick.verdict import Answer

SOURCE = """
from datetime import date, datetime, timedelta
from pyspark import RDD, SparkContext

def after_all(r: RDD[date]):
    return r.filter(lambda d: d > date.max)

def none_of_dates(r: RDD[date]):
    return r.filter(lambda d: False)

def since_2020(r: RDD[date]):
    return r.filter(lambda d: d >= date(2020, 1, 1))

def before_all(r: RDD[tuple[int, datetime]]):
    return r.filter(lambda p: p[1] < datetime(1, 1, 1))

def none_of_pairs(r: RDD[tuple[int, datetime]]):
    return r.filter(lambda p: False)

def with_ends(sc: SparkContext, path: str):
    return sc.textFile(path).filter(lambda line: "\\n" in line)

def no_lines(sc: SparkContext, path: str):
    return sc.textFile(path).filter(lambda line: False)

def with_a(sc: SparkContext, path: str):
    return sc.textFile(path).filter(lambda line: "a" in line)
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "jobs.py"
    path.write_text(SOURCE)
    return path


@pytest.mark.parametrize(
    ("left", "right", "reason"),
    [
        ("after_all", "none_of_dates", "`r`: there is no date with the number "),
        ("before_all", "none_of_pairs", "`r`: there is no datetime with the number "),
        ("with_ends", "no_lines", "`path`: a line of a file holds no end of a line"),
    ],
)
def test_a_difference_on_an_input_that_there_is_not_is_none(source: Path, left: str, right: str, reason: str):
    verdict = check(f"{source}:{left}", f"{source}:{right}")
    assert verdict.verdict is Answer.UNKNOWN
    assert verdict.counterexample is None
    assert verdict.certificate is None
    assert verdict.reasons["input"].startswith(
        f"the difference that was found is on an input that there is not: {reason}"
    )


@pytest.mark.parametrize(("left", "right"), [("since_2020", "none_of_dates"), ("with_a", "no_lines")])
def test_other_differences_stay(source: Path, left: str, right: str):
    assert check(f"{source}:{left}", f"{source}:{right}").verdict is Answer.INEQUIVALENT


def test_an_audit_against_functions_asks_the_same(source: Path, tmp_path: Path):
    """Pairs of the same core programs, of which only one takes dates."""
    ints = tmp_path / "ints.py"
    ints.write_text(
        "from pyspark import RDD\n\n"
        f"def after_all(r: RDD[tuple[int]]):\n    return r.filter(lambda d: d[0] > {days(date.max)})\n\n"
        "def none_of_dates(r: RDD[tuple[int]]):\n    return r.filter(lambda d: False)\n"
    )
    verdict = check(f"{ints}:after_all", f"{ints}:none_of_dates")
    assert verdict.certificate is not None
    path = tmp_path / "difference.json"
    path.write_bytes(verdict.certificate)
    for file, status in ((ints, 0), (source, 1)):
        result = CliRunner().invoke(
            main, ["audit", str(path), "--against", f"{file}:after_all", f"{file}:none_of_dates"]
        )
        assert result.exit_code == status, result.output
    assert result.output.startswith("rejected  the difference that was found is on an input that there is not")


def test_bounds_are_those_of_python():
    assert why_impossible(DATE, (days(date.min),)) is None
    assert why_impossible(DATE, (days(date.min) - 1,)) == f"there is no date with the number {days(date.min) - 1}"
    assert why_impossible(DATE, (days(date.max) + 1,)) is not None
    microseconds = timedelta.max // timedelta(microseconds=1)
    assert why_impossible(TIMEDELTA, (microseconds,)) is None
    assert why_impossible(TIMEDELTA, (microseconds + 1,)) is not None


def test_values_inside_bags_tuples_and_options():
    option = TupleType((MARK, DATE))
    assert why_impossible(BagType(TupleType((option, DATE))), {(((True,), (0,)), (0,)): 2}) is None
    assert why_impossible(option, ((True,), (10**7,))) is not None
    assert why_impossible(option, ((False,), (10**7,))) is None  # None, whatever stands beside it


def test_ends_of_lines():
    assert why_no_lines(["", "a b", "ä"]) is None
    assert why_no_lines(["a", "b\r"]) == "a line of a file holds no end of a line"
