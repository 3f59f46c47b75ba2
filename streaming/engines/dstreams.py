"""The DStream engine: DStream programs on Spark, with a clock that is moved by hand, so that no time is
waited for.

All cases that run side by side live in one `StreamingContext`, each with its own queue inputs and its own
copy of the subject's streams. An instant goes like this: the clock is advanced by one batch interval; Spark
makes the RDDs of the instant and hands them over; the main thread collects those of all undecided cases in
one job.
"""

from __future__ import annotations

import math
import threading
import warnings
from collections.abc import Sequence
from typing import Any

from tallystick.streaming.engines.base import Case, Deadline, Engine, Failures, OnceOnly, Watch, apply_subject
from tallystick.streaming.engines.local import LocalEngine
from tallystick.streaming.engines.spark import (
    SparkHolder,
    cancelled_at,
    cause_in_java,
    pickled_by_value,
    refuse_failure_of_spark,
    spark_errors,
    with_retries,
)
from tallystick.streaming.engines.structured.subject import StructuredSubject
from tallystick.streaming.errors import EngineUnavailableError, SubjectFailedError
from tallystick.streaming.letters import Batch, Letter

_MANUAL_CLOCK = "org.apache.spark.util.ManualClock"
_POLL_SECONDS = 0.05
#: A task costs more than a small batch, so one task collects several outputs.
_OUTPUTS_IN_A_TASK = 8


class DStreamEngine(Engine):
    """Runs a subject on PySpark DStreams. Uses the running SparkContext, or starts a local one and stops it
    again.

    `partitions` is the number of partitions of each input batch and the default parallelism of a new context.
    """

    name = "dstream"
    side_by_side = 20

    def __init__(self, batch_interval: int = 1, master: str = "local[2]", partitions: int = 2) -> None:
        super().__init__(batch_interval)
        self._partitions = partitions
        self._spark = SparkHolder(master, partitions)

    def close(self) -> None:
        self._spark.close()

    def quick_engine(self) -> Engine:
        return LocalEngine(self.batch_interval, self._partitions)

    def run(self, subject: Any, cases: Sequence[Case], watch: Watch, deadline: float | None = None) -> Failures:
        if isinstance(subject, StructuredSubject):
            raise EngineUnavailableError(f'a Structured Streaming subject needs engine="structured", not {self.name!r}')
        watch = OnceOnly(watch)
        with pickled_by_value(subject):
            return with_retries(lambda: self._run(subject, cases, watch, Deadline(deadline)))

    def _run(self, subject: Any, cases: Sequence[Case], watch: Watch, limit: Deadline) -> Failures:
        try:
            return self._run_together(subject, dict(enumerate(cases)), watch, limit)
        except _WholeContextFailedError as failed:
            if len(cases) == 1:
                return {0: failed.error}
        # Spark does not say which case's function failed while it set up the batch, so each runs by itself.
        failures: Failures = {}
        for index, case in enumerate(cases):
            try:
                failures |= self._run_together(subject, {index: case}, watch, limit)
            except _WholeContextFailedError as failed:
                failures[index] = failed.error
        return failures

    def _run_together(self, subject: Any, cases: dict[int, Case], watch: Watch, limit: Deadline) -> Failures:
        run = _Run(self._spark, self.batch_interval, self._partitions)
        try:
            failures = run.set_up(subject, cases)
            running = {index: case for index, case in cases.items() if index not in failures}
            if not running:
                return failures
            run.start(next(iter(running)))
            for number in range(1, max((case.length for case in running.values()), default=0) + 1):
                running = {index: case for index, case in running.items() if number <= case.length}
                if not running:
                    break
                outputs, failed = run.advance(number, running, limit)
                failures |= failed
                for index, made in outputs.items():
                    letter = Letter({**running[index].batch(number), **made})
                    if not watch(index, number, letter):
                        del running[index]
                for index in failed:
                    del running[index]
            return failures
        finally:
            run.stop()


class _WholeContextFailedError(Exception):
    def __init__(self, error: SubjectFailedError) -> None:
        self.error = error
        super().__init__(str(error))


class _Run:
    """One StreamingContext, from its set-up to its stop."""

    def __init__(self, spark: SparkHolder, batch_interval: int, partitions: int) -> None:
        from pyspark.streaming import StreamingContext

        self._sc = spark.context
        self._jvm: Any = self._sc._jvm
        self._clock: Any = None
        self._java_streaming: Any = None
        self._interval = batch_interval
        self._partitions = partitions
        self._empty = self._distributed(())
        self._cases: dict[int, Case] = {}
        self._queues: dict[tuple[int, str], Any] = {}
        self._inputs: list[Any] = []
        self._made: dict[tuple[int, str], Any] = {}
        self._outputs: dict[int, tuple[str, ...]] = {}
        self._instant_is_there = threading.Event()
        conf = self._sc._jsc.sc().conf()
        before = conf.get("spark.streaming.clock", "org.apache.spark.util.SystemClock")
        conf.set("spark.streaming.clock", _MANUAL_CLOCK)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", FutureWarning)
                self._ssc = StreamingContext(self._sc, batch_interval)
        finally:
            conf.set("spark.streaming.clock", before)
        if self._sc._jsc.sc().getCheckpointDir().isEmpty():
            self._sc.setCheckpointDir(spark.scratch)

    def set_up(self, subject: Any, cases: dict[int, Case]) -> Failures:
        """Build the streams of every case; return the cases whose subject raised."""
        failures: Failures = {}
        self._cases = cases
        for index, case in cases.items():
            inputs = {name: self._input(index, name) for name in case.inputs}
            try:
                outputs = apply_subject(subject, inputs)
            except SubjectFailedError as error:
                error.case = index
                failures[index] = error
                continue
            self._outputs[index] = tuple(outputs)
            for name, stream in outputs.items():
                stream.foreachRDD(self._hand_over(index, name))
        # Jobs of one instant run in the order of registration, so this one comes last. It asks every input for its
        # batch: what a program itself asks for late, as a window with a slide does, must not be taken from the queue
        # then. Without it a program would get the batches of earlier instants.
        self._ssc.union(*self._inputs).foreachRDD(lambda rdd: self._instant_is_there.set())
        return failures

    def start(self, index: int) -> None:
        """Start the streams. What Spark finds wrong with them it says of no case; `index` is one that it may be."""
        try:
            self._ssc.start()
        except spark_errors() as error:
            refuse_failure_of_spark(error)
            raise _WholeContextFailedError(SubjectFailedError(0, {}, cause_in_java(error), index)) from None
        self._java_streaming = self._ssc._jssc
        self._clock = self._java_streaming.ssc().scheduler().clock()

    def advance(
        self, number: int, cases: dict[int, Case], limit: Deadline
    ) -> tuple[dict[int, dict[str, Batch]], Failures]:
        """Move the clock to the next instant; return the output batches of the given cases, and what
        failed."""
        self._made.clear()
        self._instant_is_there.clear()
        self._feed(number)
        self._clock.advance(self._interval * 1000)
        while not self._instant_is_there.wait(_POLL_SECONDS):
            self._check_streaming(number, cases)
            limit.check(number)
        self._check_streaming(number, cases)
        return self._collect(number, cases, limit)

    def stop(self) -> None:
        """Cancel the jobs and stop the streams; the SparkContext stays."""
        self._sc.cancelAllJobs()
        self._ssc.stop(stopSparkContext=False, stopGraceFully=False)

    def _input(self, index: int, name: str) -> Any:
        stream: Any = self._ssc.queueStream([self._empty], default=self._empty)
        queue = stream._jdstream.inputDStream().queue()
        queue.clear()
        self._queues[index, name] = queue
        self._inputs.append(stream)
        return stream

    def _feed(self, number: int) -> None:
        """Queue the inputs of the next instant. A case that is decided still has a program that runs, and so gets
        its batches too."""
        for (index, name), queue in self._queues.items():
            batch = self._cases[index].batch(number)[name]
            if batch:
                queue.enqueue(self._distributed(batch)._jrdd.rdd())

    def _distributed(self, batch: Batch) -> Any:
        """Return the batch as an RDD. All have one serialiser: of RDDs that differ in it, Spark would send each
        through a worker first."""
        from pyspark import RDD

        return RDD(self._sc.parallelize(batch, self._partitions)._jrdd, self._sc, self._sc.serializer)

    def _hand_over(self, index: int, name: str) -> Any:
        def hand_over(rdd: Any) -> None:
            self._made[index, name] = rdd

        return hand_over

    def _check_streaming(self, number: int, cases: dict[int, Case]) -> None:
        """Raise if Spark could not even set up the batch, for which it blames no stream in particular."""
        try:
            self._java_streaming.awaitTerminationOrTimeout(1)
        except spark_errors() as error:
            refuse_failure_of_spark(error)
            index, case = next(iter(cases.items()))
            failed = SubjectFailedError(number, dict(case.batch(number)), cause_in_java(error), index)
            raise _WholeContextFailedError(failed) from None

    def _collect(
        self, number: int, cases: dict[int, Case], limit: Deadline
    ) -> tuple[dict[int, dict[str, Batch]], Failures]:
        wanted = {key: rdd for key, rdd in self._made.items() if key[0] in cases}
        failures: Failures = {}
        try:
            found = self._collected(wanted, number, limit)
        except spark_errors():
            found = {}
            for (index, name), rdd in wanted.items():
                try:
                    found |= self._collected({(index, name): rdd}, number, limit)
                except spark_errors() as error:
                    refuse_failure_of_spark(error)
                    inputs = dict(cases[index].batch(number))
                    failures[index] = SubjectFailedError(number, inputs, cause_in_java(error), index)
        outputs: dict[int, dict[str, Batch]] = {
            index: {name: found.get((index, name), ()) for name in self._outputs[index]}
            for index in cases
            if index not in failures
        }
        return outputs, failures

    def _collected(self, rdds: dict[tuple[int, str], Any], number: int, limit: Deadline) -> dict[Any, Batch]:
        """Collect several RDDs in one job: a partition of their union belongs to exactly one of them."""
        if not rdds:
            return {}
        sizes = [rdd.getNumPartitions() for rdd in rdds.values()]
        with cancelled_at(limit, self._sc, number):
            parts = iter(self._collected_partitions([rdd._reserialize()._jrdd.rdd() for rdd in rdds.values()]))
        return {
            key: tuple(record for _ in range(size) for record in next(parts))
            for key, size in zip(rdds, sizes, strict=True)
        }

    def _collected_partitions(self, rdds: list[Any]) -> list[list[Any]]:
        """Return the records of each partition of each RDD, in this order, by one job of few tasks without workers.

        The RDDs have the context's serialiser. Their union keeps all partitions apart; `SparkContext.union` merges
        those with one partitioner. Each becomes one list of serialised batches before several are put into a task,
        in an order that Spark chooses and tells.
        """
        from pyspark import RDD
        from pyspark.serializers import AutoBatchedSerializer, CPickleSerializer

        jvm = self._jvm.org.apache.spark
        sequence = self._jvm.PythonUtils.toSeq(rdds)
        union = jvm.rdd.UnionRDD(self._sc._jsc.sc(), sequence, rdds[0].elementClassTag()).toJavaRDD()
        tasks = union.glom().coalesce(max(self._partitions, math.ceil(len(rdds) / _OUTPUTS_IN_A_TASK)))
        order = [index for task in tasks.rdd().partitions() for index in task.parentsIndices()]
        lists = jvm.api.python.SerDeUtil.javaToPython(tasks)
        found = RDD(lists, self._sc, AutoBatchedSerializer(CPickleSerializer())).collect()
        serialised = dict(zip(order, found, strict=True))
        load = self._sc._unbatched_serializer.loads
        return [[record for batch in serialised[k] for record in load(bytes(batch))] for k in sorted(serialised)]
