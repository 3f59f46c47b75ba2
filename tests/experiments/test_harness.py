"""The harness on a real Spark: the same records as without it, whatever interrupts it."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from tallystick.experiments.generator import generated_questions
from tallystick.experiments.harness import decide_on_spark
from tallystick.experiments.questions import Options, Task
from tallystick.experiments.running import decide_here
from tallystick.experiments.tables import BY_CLASS, BY_SIZE

from .conftest import cav_tasks, hard_task
from .interruptions import stopped
from .test_records import timeless

pytestmark = pytest.mark.spark

PAIRS, SEED = 60, 3


def test_a_pair_that_never_ends_costs_no_other_pair_anything(spark: SparkSession, tmp_path: Path):
    easy = cav_tasks("P1/P2", "P31/P32", "P7/P8")
    tasks = [easy[0], hard_task(24, Options(timeout=0.3)), *easy[1:]]
    run = decide_on_spark(spark, tasks, str(tmp_path / "records"))
    assert [record.pair for record in run.records] == [task.question.pair for task in tasks]
    assert [record.caps for record in run.records] == [(), ("time",), (), ()]
    assert [timeless(record) for record in run.records if not record.caps] == [
        timeless(record) for record in decide_here(easy).records
    ]
    assert run.decided == 4
    assert 0 < run.overhead < 1


def test_a_killed_run_goes_on_where_it_was_and_ends_with_the_same_records(spark: SparkSession, tmp_path: Path):
    command = ["suite", "generated", "--spark", "local[1]", "--pairs", str(PAIRS), "--seed", str(SEED)]
    stopped([*command, "--results", str(tmp_path)], signal.SIGKILL, tmp_path, "records/*.parquet")
    tasks = [Task(question, Options()) for question in generated_questions(PAIRS, SEED)]
    resumed = decide_on_spark(spark, tasks, str(tmp_path / "records"))
    assert 0 < resumed.decided < PAIRS
    again = decide_on_spark(spark, tasks, str(tmp_path / "records"))
    assert again.decided == 0
    assert again.records == resumed.records
    assert [timeless(record) for record in again.records] == [timeless(record) for record in decide_here(tasks).records]
    for query in BY_SIZE.values():
        assert sum(row.pairs for row in spark.sql(query).collect()) == PAIRS


def test_records_of_other_tasks_in_the_folder_are_left_out(spark: SparkSession, tmp_path: Path):
    folder = str(tmp_path / "records")
    decide_on_spark(spark, cav_tasks("P1/P2", "P27/P28"), folder)
    run = decide_on_spark(spark, cav_tasks("P27/P28"), folder)
    assert [(record.pair, run.decided) for record in run.records] == [("P27/P28", 0)]
    (row,) = spark.sql(BY_CLASS).collect()
    assert (row["class"], row.pairs, row["≠"], row["="], row.wrong) == ("NoAgg", 1, 1, 0, 0)
