"""The Structured Streaming engine: each case is a query of its own, fed one file for each batch.

A micro-batch is made for every batch of the case, empty ones included, and its output is taken in
`foreachBatch`.
Mark a subject with `@structured(schema)`; see `StructuredSubject` for what it gets and returns.
"""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

from tallystick.streaming.engines.base import Case, Deadline, Engine, Failures, Watch, apply_subject
from tallystick.streaming.engines.spark import SparkHolder, cancelled_at, cause_in_java, pickled_by_value
from tallystick.streaming.errors import EngineUnavailableError, SubjectFailedError
from tallystick.streaming.letters import INPUT, OUTPUT, Batch, Letter

_MODES = ("append", "update", "complete")


@dataclass(frozen=True)
class StructuredSubject:
    """A Structured Streaming program: a function from streaming DataFrames to a streaming DataFrame.

    `schemas` gives each input's columns in DDL, by stream name. A record is a tuple of the columns' values,
    or the value itself if there is one column; so is a row of the output. The output of an instant is what
    a sink would get in that micro-batch in `output_mode`. `foreach_batch`, if given, is the program's own
    function of (DataFrame, batch id); what it returns, a DataFrame, is the output.
    """

    function: Callable[..., Any]
    schemas: Mapping[str, str]
    output_mode: str = "append"
    foreach_batch: Callable[[Any, int], Any] | None = None

    def __call__(self, *streams: Any, **named: Any) -> Any:
        return self.function(*streams, **named)


def structured(
    schema: str | Mapping[str, str],
    output_mode: str = "append",
    foreach_batch: Callable[[Any, int], Any] | None = None,
) -> Callable[[Callable[..., Any]], StructuredSubject]:
    """Make a subject of a function of streaming DataFrames: `@structured("user long, honest boolean",
    "update")`.

    With a mapping, the function has several inputs, by name. Raises `ValueError` on an unknown output mode.
    """
    if output_mode not in _MODES:
        raise ValueError(f"an output mode is one of {', '.join(_MODES)}, not {output_mode!r}")
    schemas = {INPUT: schema} if isinstance(schema, str) else dict(schema)
    return lambda function: StructuredSubject(function, schemas, output_mode, foreach_batch)


class StructuredEngine(Engine):
    """Runs `StructuredSubject`s. Uses the running SparkContext, or starts a local one and stops it again."""

    name = "structured"
    side_by_side = 10

    def __init__(self, batch_interval: int = 1, master: str = "local[2]") -> None:
        super().__init__(batch_interval)
        self._spark = SparkHolder(master, 1)

    def close(self) -> None:
        self._spark.close()

    def run(self, subject: Any, cases: Sequence[Case], watch: Watch, deadline: float | None = None) -> Failures:
        if not isinstance(subject, StructuredSubject):
            raise EngineUnavailableError(
                "the structured engine runs functions of streaming DataFrames: mark the subject with "
                '@structured("column type, …")'
            )
        with pickled_by_value(subject.function):
            return self._run(subject, cases, watch, Deadline(deadline))

    def _run(self, subject: StructuredSubject, cases: Sequence[Case], watch: Watch, limit: Deadline) -> Failures:
        queries: dict[int, _Query] = {}
        failures: Failures = {}
        try:
            for index, case in enumerate(cases):
                self._attempt(failures, index, partial(self._start, queries, subject, index, case))
            for number in range(1, max((case.length for case in cases), default=0) + 1):
                for query in queries.values():
                    if number <= query.case.length:
                        query.feed(number)
                for index, query in list(queries.items()):
                    step = partial(self._step, query, index, number, watch, limit)
                    goes_on = number <= query.case.length and self._attempt(failures, index, step)
                    if not goes_on:
                        queries.pop(index).stop()
            return failures
        finally:
            for query in queries.values():
                query.stop()

    def _start(self, queries: dict[int, _Query], subject: StructuredSubject, index: int, case: Case) -> bool:
        queries[index] = _Query(self._spark, subject, case)
        return True

    def _step(self, query: _Query, index: int, number: int, watch: Watch, limit: Deadline) -> bool:
        made = query.output(number, limit)
        limit.check(number)
        return watch(index, number, Letter({**query.case.batch(number), OUTPUT: made}))

    def _attempt(self, failures: Failures, index: int, step: Callable[[], bool]) -> bool:
        """Return what the step returns; note what the subject raised, and return False then."""
        try:
            return step()
        except SubjectFailedError as error:
            error.case = index
            failures[index] = error
            return False


class _Query:
    """One running query: a folder for each input, and the rows of the last micro-batch."""

    def __init__(self, spark: SparkHolder, subject: StructuredSubject, case: Case) -> None:
        from pyspark.sql.types import StructType

        if set(subject.schemas) != set(case.inputs):
            wanted, given = sorted(subject.schemas), sorted(case.inputs)
            raise EngineUnavailableError(f"the subject has schemas for {wanted}, the generator makes {given}")
        self.case = case
        self._context = spark.context
        self._rows: list[Any] = []
        self._subject = subject
        self._folder = os.path.join(spark.scratch, uuid.uuid4().hex)
        self._schemas = {name: cast(StructType, StructType.fromDDL(ddl)) for name, ddl in subject.schemas.items()}
        inputs = {}
        for name, schema in self._schemas.items():
            os.makedirs(os.path.join(self._folder, name))
            reader = spark.session.readStream.schema(schema).option("maxFilesPerTrigger", 1)
            inputs[name] = reader.json(os.path.join(self._folder, name))
        output = apply_subject(subject, inputs)
        if set(output) != {OUTPUT}:
            raise EngineUnavailableError("a Structured Streaming subject returns one DataFrame")
        writer = output[OUTPUT].writeStream.outputMode(subject.output_mode).foreachBatch(self._take)
        self._query = writer.option("checkpointLocation", os.path.join(self._folder, "checkpoint")).start()

    def feed(self, number: int) -> None:
        """Add the files of one batch, each under its final name only when it is complete."""
        for name, batch in self.case.batch(number).items():
            columns = self._schemas[name].names
            lines = [json.dumps(_fields(record, columns), default=str) for record in batch]
            hidden = os.path.join(self._folder, name, f".{number}")
            with open(hidden, "w", encoding="utf-8") as file:
                file.writelines(f"{line}\n" for line in lines)
            os.replace(hidden, os.path.join(self._folder, name, f"batch-{number:06}.json"))

    def output(self, number: int, limit: Deadline) -> Batch:
        """Wait for the micro-batch of the files fed last; return its rows."""
        from pyspark.errors import StreamingQueryException

        try:
            with cancelled_at(limit, self._context, number):
                self._query.processAllAvailable()
        except StreamingQueryException as error:
            inputs = dict(self.case.batch(number))
            raise SubjectFailedError(number, inputs, cause_in_java(error)) from None
        rows, self._rows = self._rows, []
        return tuple(row[0] if len(row) == 1 else tuple(row) for row in rows)

    def stop(self) -> None:
        self._query.stop()

    def _take(self, frame: Any, batch_id: int) -> None:
        act = self._subject.foreach_batch
        self._rows += (act(frame, batch_id) if act else frame).collect()


def _fields(record: Any, columns: list[str]) -> dict[str, Any]:
    values = record if isinstance(record, tuple) else (record,)
    return dict(zip(columns, values, strict=True))
