"""A subject on Spark: its queries, the rows that they are fed, and what their sinks have got."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from tallystick.streaming.engines.base import Case, Deadline, apply_subject, cause_of
from tallystick.streaming.engines.spark import SparkHolder, cause_in_java, refuse_failure_of_spark, spark_errors
from tallystick.streaming.engines.structured.query import MemorySource, Query
from tallystick.streaming.engines.structured.subject import StructuredSubject
from tallystick.streaming.errors import EngineUnavailableError, SubjectFailedError
from tallystick.streaming.letters import Batch
from tallystick.streaming.restarts import CRASH, RESTARTS, UNDISTURBED
from tallystick.streaming.schemas import as_row, as_schema, check_records


class Program:
    """The queries of a subject: one for each output, and, if the case has restarts, one more without them."""

    def __init__(self, spark: SparkHolder, subject: StructuredSubject, interval: int) -> None:
        self._spark = spark
        self._subject = subject
        self._schemas = {name: as_schema(schema) for name, schema in subject.schemas.items()}
        self._interval = interval
        self._queries: dict[str, Query] = {}
        self._taken: dict[str, dict[int, list[Any]]] = {}

    @property
    def is_stateless(self) -> bool:
        """Whether the program does the same with a batch whatever it has seen before."""
        return self._subject.foreach_batch is None and all(query.is_stateless for query in self._queries.values())

    def can_run(self, subject: StructuredSubject, case: Case) -> bool:
        """Whether the queries can serve a case of a subject."""
        return subject is self._subject and RESTARTS not in case.inputs and RESTARTS not in self.case.inputs

    def begin(self, case: Case, rows: Mapping[str, Sequence[Any]]) -> None:
        """Set the case, and for each input its batches as rows of the JVM."""
        self.case = case
        self._rows = rows

    def start(self) -> None:
        """Start the queries. Raises `SubjectFailedError` if the program raises or Spark refuses it."""
        sources = {name: MemorySource(self._spark, schema) for name, schema in self._schemas.items()}
        for name in apply_subject(self._subject, {name: source.frame for name, source in sources.items()}):
            self._start(name, name)
            if RESTARTS in self.case.inputs:
                self._start(name + UNDISTURBED, name)

    def outputs(self, number: int, now: int, limit: Deadline) -> dict[str, Batch]:
        """Run one instant, restarts after it included; return what each sink has got."""
        events = self.case.batch(number).get(RESTARTS, ())
        rows = {name: batches[number - 1] for name, batches in self._rows.items()}
        made = {}
        for name, query in self._queries.items():
            self._taken[name].clear()
            try:
                query.run_batch(rows, now, limit)
                if events and not name.endswith(UNDISTURBED):
                    query.restart(crash=CRASH in events)
            except spark_errors() as error:
                refuse_failure_of_spark(error)
                raise SubjectFailedError(number, dict(self.case.batch(number)), cause_in_java(error)) from None
            made[name] = self._batch(name)
        return made

    def stop(self) -> None:
        """Stop the queries and remove their checkpoints."""
        for query in self._queries.values():
            query.remove()

    def _start(self, name: str, output: str) -> None:
        self._taken[name] = {}
        mode = self._subject.mode_of(output)

        def build(frames: Mapping[str, Any]) -> Any:
            return apply_subject(self._subject, frames)[output]

        try:
            take = partial(self._take, name)
            self._queries[name] = Query(self._spark, self._schemas, build, mode, take, self._interval * 1000)
        except spark_errors() as error:
            refuse_failure_of_spark(error)
            raise SubjectFailedError(0, {}, f"Spark refuses the query in {mode} mode: {_message(error)}") from None

    def _take(self, name: str, frame: Any, batch_id: int) -> None:
        act = self._subject.foreach_batch
        try:
            rows = (act(frame, batch_id) if act else frame).collect()
        except SystemExit as error:
            # The JVM waits for an answer, and would get none.
            raise RuntimeError(cause_of(error)) from error
        taken = self._taken[name]
        if batch_id in taken and self._subject.sink == "at least once":
            rows = taken[batch_id] + rows
        taken[batch_id] = rows

    def _batch(self, name: str) -> Batch:
        """What the micro-batches of the instant gave: all rows, or in complete mode the last table."""
        taken = self._taken[name]
        output = name.removesuffix(UNDISTURBED)
        if self._subject.mode_of(output) == "complete" and taken:
            rows = taken[max(taken)]
        else:
            rows = [row for number in sorted(taken) for row in taken[number]]
        return tuple(_as_record(row) for row in rows)


def rows_of(spark: SparkHolder, subject: StructuredSubject, cases: Sequence[Case]) -> list[dict[str, list[Any]]]:
    """Return, for each case, the batches of each input as lists of the JVM's rows. One job makes all of an input's.

    Raises `RecordDoesNotFitError`, and `EngineUnavailableError` if there is not one schema for each input.
    """
    made: list[dict[str, list[Any]]] = [{} for _ in cases]
    for case in cases:
        if set(subject.schemas) != set(case.inputs) - {RESTARTS}:
            wanted, given = sorted(subject.schemas), sorted(case.inputs)
            raise EngineUnavailableError(f"the subject has schemas for {wanted}, the generator makes {given}")
    for name, given in subject.schemas.items():
        schema = as_schema(given)
        records: list[Any] = []
        ends: list[list[tuple[int, int]]] = [[] for _ in cases]
        for index, case in enumerate(cases):
            for number in range(1, case.length + 1):
                batch = case.batch(number)[name]
                check_records(batch, schema, name, number)
                ends[index].append((len(records), len(records) + len(batch)))
                records += (as_row(record, schema) for record in batch)
        rows: Any = spark.session.createDataFrame(records, schema, verifySchema=False)._jdf.collectAsList()
        for index, of_case in enumerate(ends):
            made[index][name] = [rows.subList(start, end) for start, end in of_case]
    return made


def _as_record(row: Any) -> Any:
    return _plain(row[0]) if len(row) == 1 else _plain(row)


def _plain(value: Any) -> Any:
    """Return a value with tuples for rows, as records have them."""
    if isinstance(value, tuple):
        return tuple(map(_plain, value))
    if isinstance(value, list):
        return list(map(_plain, value))
    if isinstance(value, dict):
        return {_plain(key): _plain(each) for key, each in value.items()}
    return value


def _message(error: Any) -> str:
    return cause_of(error).partition(": ")[2] or cause_of(error)
