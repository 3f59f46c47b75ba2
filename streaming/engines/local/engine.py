"""The local engine: DStream programs in pure Python, without Spark and without threads.

The deadline is looked at after each batch; a function that never returns is not interrupted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tallystick.streaming.engines.base import (
    Case,
    Deadline,
    Engine,
    Failures,
    SparkError,
    Watch,
    apply_subject,
    cause_of,
)
from tallystick.streaming.engines.local.context import LocalStreamingContext
from tallystick.streaming.engines.local.dstream import LocalDStream
from tallystick.streaming.engines.local.partitions import slices
from tallystick.streaming.engines.local.rdd import LocalRDD
from tallystick.streaming.engines.structured.subject import StructuredSubject
from tallystick.streaming.errors import EngineUnavailableError, SubjectFailedError, UnsupportedOperationError
from tallystick.streaming.letters import Letter


class LocalEngine(Engine):
    """Runs a subject on `LocalDStream`s, one case after the other.

    `partitions` is the number of partitions of each input batch, and of what a shuffle makes.
    """

    name = "local"
    is_quick = True

    def __init__(self, batch_interval: int = 1, partitions: int = 2) -> None:
        super().__init__(batch_interval)
        self._partitions = partitions

    def run(self, subject: Any, cases: Sequence[Case], watch: Watch, deadline: float | None = None) -> Failures:
        if isinstance(subject, StructuredSubject):
            raise EngineUnavailableError('a Structured Streaming subject needs engine="structured", not "local"')
        limit = Deadline(deadline)
        failures: Failures = {}
        for index, case in enumerate(cases):
            try:
                self._run_case(subject, index, case, watch, limit)
            except SubjectFailedError as error:
                error.case = index
                failures[index] = error
        return failures

    def _run_case(self, subject: Any, index: int, case: Case, watch: Watch, limit: Deadline) -> None:
        context = LocalStreamingContext(self.batch_interval, self._partitions)
        inputs = {name: self._input(context, case, name) for name in case.inputs}
        outputs = apply_subject(subject, inputs)
        _refuse_what_is_not_here(context)
        for check in context.checks:
            try:
                check()
            except SparkError as error:
                raise SubjectFailedError(0, {}, cause_of(error)) from error
        for number in range(1, case.length + 1):
            given = case.batch(number)
            try:
                # As in Spark, all RDDs of an instant are made before any is computed.
                waiting = context.rdds_of_actions(number)
                rdds = {name: stream.rdd(number) for name, stream in outputs.items()}
                for act in waiting:
                    act()
                made = {name: () if rdd is None else tuple(rdd.collect()) for name, rdd in rdds.items()}
            except (UnsupportedOperationError, EngineUnavailableError):
                raise
            except (Exception, SystemExit) as error:
                _refuse_what_is_not_here(context)
                raise SubjectFailedError(number, given, cause_of(error)) from error
            _refuse_what_is_not_here(context)
            limit.check(number)
            if not watch(index, number, Letter({**given, **made})):
                return

    def _input(self, context: LocalStreamingContext, case: Case, name: str) -> LocalDStream:
        def batch(number: int) -> LocalRDD:
            return context.sparkContext.stored(slices(case.batch(number)[name], self._partitions))

        return LocalDStream(context, batch)


def _refuse_what_is_not_here(context: LocalStreamingContext) -> None:
    if context.sparkContext.refused is not None:
        raise context.sparkContext.refused
