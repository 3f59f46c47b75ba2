"""Suites in files: what is accepted, and what is refused and why."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from tallystick.experiments.suite_files import SuiteFileError, questions_of_file

JOBS = """
def before(r: RDD[int]):
    return r.map(lambda x: x + x)

def after(r: RDD[int]):
    return r.map(lambda x: 2 * x)
"""
ROW = {"name": "doubled", "left": "jobs.py:before", "right": "jobs.py:after", "expected": "equivalent"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "jobs.py").write_text(JOBS)
    return tmp_path


def written(folder: Path, *lines: object) -> Path:
    path = folder / "suite.jsonl"
    path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines))
    return path


def test_json_lines_are_pairs_with_or_without_a_known_verdict(folder: Path):
    unknown = {key: ROW[key] for key in ("left", "right")} | {"name": "open"}
    first, second = questions_of_file(written(folder, ROW, "", unknown))
    assert (first.pair, first.expected, first.problem) == ("doubled", "equivalent", "")
    assert first.left == str(folder / "jobs.py:before")
    assert (second.pair, second.expected) == ("open", None)
    assert first.claim == second.claim


def test_a_python_module_has_its_pairs_in_a_tuple(folder: Path):
    path = folder / "my_suite.py"
    path.write_text(
        "from tallystick.experiments.suites import Pair\n"
        "PAIRS = (Pair('doubled', 'jobs.py:before', 'jobs.py:after', 'equivalent', 'NoAgg', None, ''),)\n"
    )
    (question,) = questions_of_file(path)
    assert (question.pair, question.expected, question.problem) == ("doubled", "equivalent", "")


@pytest.mark.spark
def test_parquet_has_the_same_columns(folder: Path, spark: SparkSession):
    path = folder / "suite.parquet"
    spark.createDataFrame([ROW]).write.parquet(str(path))
    (question,) = questions_of_file(path, spark)
    (same,) = questions_of_file(written(folder, ROW))
    assert dataclasses.replace(same, suite=str(path)) == question


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["{"], "line 1 is no JSON"),
        (["[]"], 'line 1 needs "name", "left" and "right", each a text'),
        ([ROW, {**ROW, "left": 3}], 'line 2 needs "name", "left" and "right", each a text'),
        ([{**ROW, "expected": "equal"}], 'line 1: "expected" is "equivalent", "inequivalent" or missing'),
        ([ROW, {**ROW, "right": "gone.py:f"}], "line 2: there is no file {folder}/gone.py"),
        ([ROW, ROW], "two pairs have the name 'doubled'"),
    ],
)
def test_a_file_that_is_no_suite_is_refused(folder: Path, lines: list[object], message: str):
    with pytest.raises(SuiteFileError) as caught:
        questions_of_file(written(folder, *lines))
    assert message.format(folder=folder) in str(caught.value)


def test_missing_files_and_unreadable_formats_are_refused(folder: Path):
    (folder / "suite.csv").touch()
    (folder / "suite.parquet").touch()
    (folder / "empty.py").write_text("PAIRS = [1]")
    for name, message in (
        ("none.jsonl", "there is no such file"),
        ("suite.csv", "a suite is one of .jsonl, .parquet, .py"),
        ("suite.parquet", 'Parquet is read by Spark; add --spark "local[2]"'),
        ("empty.py", "a suite has a tuple PAIRS of Pair"),
    ):
        with pytest.raises(SuiteFileError, match=message.replace("[", r"\[")):
            questions_of_file(folder / name)
