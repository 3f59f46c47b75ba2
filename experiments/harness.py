"""Decides tasks as a Spark job; what is finished is Parquet, and stays whatever happens to the rest.

Tasks are distributed over partitions. Each of Spark's Python workers has a prover in a process of its own, which is
ended and started again when a pair takes too long or too much memory, so that a bad pair costs only itself. A
partition that is done is one file of records. A task with a record is not decided again: after an interruption, the
same call goes on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

from tallystick.core.errors import TallystickError
from tallystick.experiments.progress import shown_progress
from tallystick.experiments.questions import Task
from tallystick.experiments.records import SCHEMA, decide, record_of, row
from tallystick.experiments.running import Provers, Run

if TYPE_CHECKING:
    from pyspark.accumulators import Accumulator
    from pyspark.sql import DataFrame, SparkSession

TASKS_OF_A_PARTITION = 25
PARTITIONS_OF_A_CORE = 4
"""At least so many where there are tasks enough, so that no core waits long for the last partition of another."""
VIEW = "records"
"""What the records of a run are called in Spark SQL."""


class HarnessError(TallystickError, RuntimeError):
    """Spark could not decide or keep all pairs; what it has finished is kept."""


def decide_on_spark(spark: SparkSession, tasks: Sequence[Task], folder: str) -> Run:
    """Decides the tasks that have no record in a folder, and gives the records of all; SQL finds them in VIEW.

    Raises HarnessError when Spark fails, for want of space for the records, say.

    The folder is any that Spark's workers can write to. Whatever ends this call early, the records of partitions that
    are finished stay.
    """
    from py4j.protocol import Py4JJavaError
    from tallystick.replay.exceptions import java_message

    started = perf_counter()
    keys = [task.key for task in tasks]
    stored = _stored(spark, folder)
    finished = {found.key for found in stored.select("key").collect()} if stored is not None else set()
    remaining = {key: task for key, task in zip(keys, tasks, strict=True) if key not in finished}
    cores = spark.sparkContext.defaultParallelism
    if remaining:
        count = spark.sparkContext.accumulator(0)
        slices = min(len(remaining), max(PARTITIONS_OF_A_CORE * cores, -(-len(remaining) // TASKS_OF_A_PARTITION)))
        rows = spark.sparkContext.parallelize(list(remaining.items()), slices).mapPartitions(_Rows(count))
        writer = spark.createDataFrame(rows, SCHEMA).write.mode("append")
        # In a thread of its own, since Spark cannot be told to cancel a job from within the call that waits for it.
        with shown_progress("deciding", len(remaining), lambda: count.value), ThreadPoolExecutor(1) as thread:
            try:
                thread.submit(writer.parquet, folder).result()
            except Py4JJavaError as error:
                raise HarnessError(
                    f"Spark failed, and wrote no more records to {folder}: {java_message(error)}"
                ) from None
    seconds = perf_counter() - started
    wanted = spark.createDataFrame([(key,) for key in keys], "key string")
    stored = _stored(spark, folder) if remaining else stored
    if stored is None:
        stored = spark.createDataFrame([], SCHEMA)
    view = stored.dropDuplicates(["key"]).join(wanted, "key", "left_semi").cache()
    view.createOrReplaceTempView(VIEW)
    found = {record.key: record for record in map(_record, view.collect())}
    busy = sum(found[key].seconds for key in remaining)
    return Run([found[key] for key in keys], len(remaining), seconds, busy, cores)


_provers = Provers()
"""Those of a worker, which decides many partitions; they end when it ends."""


class _Rows:
    """Makes rows of the tasks of a partition, on one of Spark's workers."""

    def __init__(self, count: Accumulator[int]) -> None:
        self._count = count

    def __call__(self, tasks: Iterable[tuple[str, Task]]) -> Iterator[tuple[Any, ...]]:
        for key, task in tasks:
            record = decide(task, _provers.of(task))
            yield row(replace(record, key=key))  # the key under which the driver will look for it
            self._count.add(1)


def _record(columns: Any) -> Any:
    return record_of(columns.asDict())


def _stored(spark: SparkSession, folder: str) -> DataFrame | None:
    """All records of a folder, those of other tasks too; None when there is no such folder."""
    from pyspark.errors import AnalysisException

    try:
        return spark.read.schema(SCHEMA).parquet(folder)
    except AnalysisException as error:
        if error.getCondition() != "PATH_NOT_FOUND":
            raise
        return None
