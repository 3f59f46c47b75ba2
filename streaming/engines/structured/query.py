"""One running query on a source and a clock of ours, by way of the classes that Spark tests itself with.

PySpark cannot start a query on a clock, and has no source in memory. The JVM has both: `MemoryStream` and the clock of
`StreamingQueryManager.startQuery`. A source keeps all batches, so that a query that is started again from its
checkpoint can read them once more.
"""

from __future__ import annotations

import itertools
import os
import re
import shutil
import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tallystick.streaming.engines.base import Deadline
from tallystick.streaming.engines.spark import SparkHolder

#: Where `MemoryStream` is, by the version of Spark.
_MEMORY_STREAMS = (
    "org.apache.spark.sql.execution.streaming.runtime.MemoryStream",
    "org.apache.spark.sql.execution.streaming.MemoryStream",
)


#: Where the class is that writes checkpoints by Hadoop's older interface to file systems. Spark's default asks by a
#: process of its own, for each file, whether it is a link; that takes longer than all else in a small query.
_FILE_MANAGERS = (
    "org.apache.spark.sql.execution.streaming.checkpointing.FileSystemBasedCheckpointFileManager",
    "org.apache.spark.sql.execution.streaming.FileSystemBasedCheckpointFileManager",
)

#: Operators that keep nothing from one micro-batch to the next.
_STATELESS = frozenset(("Project", "Filter", "SubqueryAlias", "StreamingRelationV2", "Generate", "Union", "Range"))


#: The JVM takes two sources with one number for the same.
_numbers = itertools.count()


class MemorySource:
    """A source in the memory of the JVM, and the streaming DataFrame that reads it."""

    def __init__(self, spark: SparkHolder, schema: Any) -> None:
        from pyspark.sql import DataFrame

        session = spark.session
        self._jvm: Any = session._jvm
        java_session = session._jsparkSession
        encoder = self._jvm.org.apache.spark.sql.Encoders.row(java_session.parseDataType(schema.json()))
        make = getattr(self._jvm, _memory_stream(self._jvm))
        self._stream = make(next(_numbers), java_session, self._jvm.scala.Option.empty(), encoder)
        self.frame = DataFrame(self._stream.toDF(), session)

    def feed(self, rows: Any) -> Any:
        """Add one batch, a list of the JVM's rows; return its offset."""
        return self._stream.addData(self._jvm.scala.jdk.javaapi.CollectionConverters.asScala(rows).toSeq())


class Query:
    """A query from its start to its stop; `restart` starts it again from its checkpoint.

    `build` makes the output DataFrame from the sources' DataFrames; `schemas` has a schema for each source. Raises
    what Spark raises when it refuses the query.
    """

    def __init__(
        self,
        spark: SparkHolder,
        schemas: Mapping[str, Any],
        build: Callable[[Mapping[str, Any]], Any],
        mode: str,
        take: Callable[[Any, int], None],
        interval: int,
    ) -> None:
        self._spark = spark
        self._schemas = schemas
        self._build = build
        self._mode = mode
        self._take = take
        self._name = uuid.uuid4().hex
        self._interval = interval
        self._fed: list[Mapping[str, Any]] = []
        self._now = 0
        self._start()

    def run_batch(self, rows: Mapping[str, Any], now: int, limit: Deadline) -> None:
        """Give each source its rows at a time, and wait until the query has done all that it does then."""
        if self._has_timers:
            offsets = [source.feed(rows[name]) for name, source in self._sources.items()]
            self._set_clock(now)
            for index, offset in enumerate(offsets):
                self._java_query.streamingQuery().awaitOffset(index, offset, _milliseconds(limit))
        else:
            self._set_clock(now)
            for name, source in self._sources.items():
                source.feed(rows[name])
            self._java_query.processAllAvailable()
        self._fed.append(rows)

    def restart(self, *, crash: bool) -> None:
        """Stop the query and start it again on new sources; after a crash its last micro-batch comes again."""
        self.stop()
        if crash:
            self._forget_last_commit()
        self._start()
        if not self._has_timers:
            self._java_query.processAllAvailable()

    def stop(self) -> None:
        """Stop the query; its checkpoint stays."""
        self._java_query.stop()

    def remove(self) -> None:
        """Stop the query and remove its checkpoint."""
        self.stop()
        shutil.rmtree(self._checkpoint, ignore_errors=True)

    @property
    def _checkpoint(self) -> str:
        return os.path.join(checkpoints(self._spark), self._name)

    def _set_clock(self, now: int) -> None:
        self._now = now
        self._clock.setTime(now)

    def _start(self) -> None:
        session = self._spark.session
        jvm: Any = session._jvm
        self._sources = {name: MemorySource(self._spark, schema) for name, schema in self._schemas.items()}
        for rows in self._fed:
            for name, source in self._sources.items():
                source.feed(rows[name])
        frame = self._build({name: source.frame for name, source in self._sources.items()})
        plan = frame._jdf.queryExecution().analyzed().toString()
        self._has_timers = "ProcessingTime" in plan
        self.is_stateless = all(_operator(line) in _STATELESS for line in plan.splitlines())
        self._clock = jvm.org.apache.spark.util.ManualClock(self._now)
        trigger = jvm.org.apache.spark.sql.streaming.Trigger.ProcessingTime(self._interval if self._has_timers else 0)
        self._java_query = _start_query(session, frame, self._mode, self._take, self._name, trigger, self._clock)

    def _forget_last_commit(self) -> None:
        folder = os.path.join(self._checkpoint, "commits")
        numbers = [int(name) for name in os.listdir(folder) if name.isdecimal()]
        if numbers:
            for name in (str(max(numbers)), f".{max(numbers)}.crc"):
                path = os.path.join(folder, name)
                if os.path.exists(path):
                    os.remove(path)


def checkpoints(spark: SparkHolder) -> str:
    """Return the folder in which the checkpoints of all queries are."""
    return os.path.join(spark.scratch, "checkpoints")


def settings_for_checkpoints(spark: SparkHolder) -> dict[str, str]:
    """Return settings with which checkpoints need few processes and files; those of a program come before them."""
    settings = {"spark.sql.streaming.checkpoint.fileChecksum.enabled": "false"}
    manager = _class_of(spark.session._jvm, _FILE_MANAGERS)
    return settings if manager is None else {**settings, "spark.sql.streaming.checkpointFileManagerClass": manager}


def _operator(line: str) -> str:
    """Return the operator of a line of a plan's tree."""
    found = re.search(r"[A-Za-z]\w*", line)
    return found[0] if found else ""


def _start_query(session: Any, frame: Any, mode: str, take: Any, name: str, trigger: Any, clock: Any) -> Any:
    """Call the JVM's `startQuery`, whose options have grown in number from one version of Spark to the next."""
    jvm = session._jvm
    none = jvm.scala.Option.empty()
    writer = frame.writeStream.foreachBatch(take)._jwrite
    holder = writer.getClass().getDeclaredField("foreachBatchWriter")
    holder.setAccessible(True)
    java_frame = frame._jdf
    sink = jvm.org.apache.spark.sql.execution.streaming.sources.ForeachBatchSink(
        holder.get(writer), java_frame.exprEnc()
    )
    modes = jvm.org.apache.spark.sql.streaming.OutputMode
    chosen = {"append": modes.Append, "update": modes.Update, "complete": modes.Complete}[mode]()
    manager = session._jsparkSession.sessionState().streamingQueryManager()
    names = [jvm.scala.Option.apply(name), *[none] * (_options_before_the_frame(manager) - 1)]
    options = jvm.scala.collection.immutable.HashMap()
    return manager.startQuery(*names, java_frame, options, sink, chosen, False, True, trigger, clock, none, none)


def _options_before_the_frame(manager: Any) -> int:
    for method in manager.getClass().getMethods():
        if method.getName() == "startQuery":
            kinds = [kind.getSimpleName() for kind in method.getParameterTypes()]
            return next(place for place, kind in enumerate(kinds) if kind != "Option")
    raise TypeError("this Spark has no StreamingQueryManager.startQuery")


def _memory_stream(jvm: Any) -> str:
    found = _class_of(jvm, _MEMORY_STREAMS)
    if found is None:
        raise TypeError("this Spark has no MemoryStream")
    return found


def _class_of(jvm: Any, names: Sequence[str]) -> str | None:
    """Return the first of the names that is the name of a class of this Spark."""
    loader = jvm.java.lang.Thread.currentThread().getContextClassLoader()
    return next((name for name in names if loader.getResource(f"{name.replace('.', '/')}.class") is not None), None)


def _milliseconds(limit: Deadline) -> int:
    return 600_000 if limit.seconds is None else max(1, int(limit.remaining() * 1000))
