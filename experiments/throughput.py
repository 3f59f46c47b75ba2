"""Throughput of the harness against the number of Spark's cores."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator

from tallystick.experiments.generator import generated_questions
from tallystick.experiments.harness import decide_on_spark
from tallystick.experiments.questions import Options, Task
from tallystick.experiments.running import Run, decide_here
from tallystick.replay.session import spark_session

WARMING = 16
"""How many other pairs each Spark decides first: its first job starts Python's workers and their provers."""


def measured(pairs: int, seed: int) -> Iterator[tuple[str, Run]]:
    """Runs over the same generated pairs: without Spark, then each on a Spark of its own with more and more cores.

    Gives each run with where it ran. Raises ReplayUnavailable without Spark.
    """
    tasks = [Task(question, Options()) for question in generated_questions(pairs, seed)]
    warming = [Task(question, Options()) for question in generated_questions(WARMING, seed + 1)]
    yield "no Spark", decide_here(tasks)
    cores = os.cpu_count() or 1
    for master in (f"local[{number}]" for number in sorted({1, 2, 4, 8, 16, cores}) if number <= cores):
        with spark_session(master) as spark, tempfile.TemporaryDirectory() as folder:
            decide_on_spark(spark, warming, folder)
            yield master, decide_on_spark(spark, tasks, folder)
