"""Pairs in a second against the number of Spark's cores, and the share of the time that Spark costs.

Run it from the root of the repository: `.venv/bin/python benchmarks/throughput.py [PAIRS]`. Each row is a Spark of its
own that decides the same generated pairs; its first job, which starts Python's workers, does not count. The last
column is the speed in relation to that of one process without Spark.
"""

from __future__ import annotations

import os
import sys
import tempfile

from tallystick.experiments.generator import generated_questions
from tallystick.experiments.harness import decide_on_spark
from tallystick.experiments.questions import Options, Task
from tallystick.experiments.running import Run, decide_here
from tallystick.experiments.session import spark_session

PAIRS, SEED = 400, 7


def main(pairs: int) -> None:
    tasks = [Task(question, Options()) for question in generated_questions(pairs, SEED)]
    warming = [Task(question, Options()) for question in generated_questions(8, SEED + 1)]
    print(f"{'where':10} {'pairs':>6} {'seconds':>8} {'pairs/s':>8} {'overhead':>9} {'speed':>6}")
    alone = decide_here(tasks)
    _print("no Spark", alone, alone)
    cores = os.cpu_count() or 1
    for number in sorted({1, 2, 4, 8, cores}):
        if number <= cores:
            with spark_session(f"local[{number}]") as spark, tempfile.TemporaryDirectory() as folder:
                decide_on_spark(spark, warming, folder)
                _print(f"local[{number}]", decide_on_spark(spark, tasks, folder), alone)


def _print(where: str, run: Run, alone: Run) -> None:
    speed = run.decided / run.seconds
    print(
        f"{where:10} {run.decided:6} {run.seconds:8.1f} {speed:8.1f} {100 * run.overhead:7.0f} % "
        f"{speed * alone.seconds / alone.decided:6.2f}",
        flush=True,
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else PAIRS)
