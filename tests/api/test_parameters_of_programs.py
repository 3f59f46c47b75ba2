"""Parameters that are given by name alone, and SparkSessions: read as what they are, and given on Spark."""

from __future__ import annotations

from pathlib import Path

import pytest
from tallystick import check
from tallystick.frontends.errors import SourceError
from tallystick.frontends.rdd import read_program

JOBS = """
from pyspark import RDD, SparkContext
from pyspark.sql import SparkSession

def above(r: RDD[int], *, k: int, flag=True):
    return r.filter(lambda x: x > k) if flag else r

def above_right(r: RDD[int], *, k: int, flag=True):
    return r if not flag else r.filter(lambda x: k < x)

def above_wrong(r: RDD[int], *, k: int, flag=True):
    return r.filter(lambda x: x >= k) if flag else r

def session(spark: SparkSession, r: RDD[tuple[int, int]]):
    return r.join(spark.sparkContext.parallelize([(1, 2)]))

def session_right(spark, r: RDD[tuple[int, int]]):
    return r.filter(lambda p: p[0] == 1).mapValues(lambda v: (v, 2))

def session_wrong(other: "SparkSession", r: RDD[tuple[int, int]]):
    return r.join(other.sparkContext.parallelize([(1, 3)]))

def no_method(spark: SparkSession, r: RDD[tuple[int, int]]):
    return r.join(spark.parallelize([(1, 2)]))

def no_session(sc: SparkContext, r: RDD[tuple[int, int]]):
    return r.join(sc.sparkContext.parallelize([(1, 2)]))

def of_elements(sessions: RDD[int], session):
    return sessions
"""


@pytest.fixture(scope="module")
def jobs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("jobs") / "jobs.py"
    path.write_text(JOBS)
    return path


@pytest.mark.parametrize("name", ["above", "session"])
def test_refactorings_are_told_apart(jobs: Path, name: str) -> None:
    assert check(f"{jobs}:{name}", f"{jobs}:{name}_right").verdict.value == "equivalent"
    assert check(f"{jobs}:{name}", f"{jobs}:{name}_wrong").verdict.value == "inequivalent"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("no_method", "its left side is a SparkSession"),
        ("no_session", "its left side is a SparkContext"),
        ("of_elements", "`session` has no type"),
    ],
)
def test_a_session_is_no_context(jobs: Path, name: str, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        read_program(f"{jobs}:{name}")
