"""The Structured Streaming engine: each output of a case is a query of its own, on a clock that is moved by hand.

An instant goes like this: the clock is set to the end of the batch, the batch is put into the sources, an empty one
too, and Spark runs its micro-batches until it has nothing left to do. A program with timers of processing time always
has; its queries run one micro-batch for each instant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

from tallystick.streaming.engines.base import Case, Deadline, Engine, Failures, OnceOnly, Watch
from tallystick.streaming.engines.spark import SparkHolder, cancelled_at, pickled_by_value, with_retries
from tallystick.streaming.engines.structured.program import Program, rows_of
from tallystick.streaming.engines.structured.query import checkpoints, settings_for_checkpoints
from tallystick.streaming.engines.structured.subject import StructuredSubject
from tallystick.streaming.errors import EngineUnavailableError, SubjectFailedError
from tallystick.streaming.letters import Letter

Running = dict[int, Program]


class StructuredEngine(Engine):
    """Runs `StructuredSubject`s. Uses the running SparkContext, or starts a local one and stops it again."""

    name = "structured"
    side_by_side = 10

    def __init__(self, batch_interval: int = 1, master: str = "local[2]") -> None:
        super().__init__(batch_interval)
        self._spark = SparkHolder(master, 1)
        #: The queries of the last case, if they have no state; many cases are run on them while one is shrunk.
        self._kept: Program | None = None

    def close(self) -> None:
        try:
            if self._kept is not None:
                self._kept.stop()
        finally:
            self._spark.close()

    def run(self, subject: Any, cases: Sequence[Case], watch: Watch, deadline: float | None = None) -> Failures:
        if not isinstance(subject, StructuredSubject):
            raise EngineUnavailableError(
                "the structured engine runs functions of streaming DataFrames: mark the subject with "
                '@structured("column type, …")'
            )
        settings = {
            **settings_for_checkpoints(self._spark),
            **subject.settings,
            "spark.sql.streaming.checkpointLocation": checkpoints(self._spark),
        }
        with pickled_by_value(subject.function), self._settings(settings):
            once = OnceOnly(watch)
            return with_retries(lambda: self._run(subject, cases, once, Deadline(deadline)))

    def _run(self, subject: StructuredSubject, cases: Sequence[Case], watch: Watch, limit: Deadline) -> Failures:
        failures: Failures = {}
        running: Running = {}
        inputs = rows_of(self._spark, subject, cases)
        try:
            for index, case in enumerate(cases):
                start = partial(self._start, running, index, subject, case, inputs[index])
                if not _attempt(failures, index, start):
                    running.pop(index).stop()
            for number in range(1, max((case.length for case in cases), default=0) + 1):
                for index, program in list(running.items()):
                    step = partial(self._step, program, index, number, watch, limit)
                    if number > program.case.length or not _attempt(failures, index, step):
                        self._end(running.pop(index), keep=len(cases) == 1 and index not in failures)
            for index in list(running):
                self._end(running.pop(index), keep=len(cases) == 1)
            return failures
        finally:
            for program in running.values():
                program.stop()

    def _start(self, running: Running, index: int, subject: StructuredSubject, case: Case, rows: Any) -> bool:
        """Start the program of a case, or let the one that was kept begin with it."""
        kept, self._kept = self._kept, None
        if kept is not None and kept.can_run(subject, case):
            kept.begin(case, rows)
            running[index] = kept
            return True
        if kept is not None:
            kept.stop()
        running[index] = program = Program(self._spark, subject, self.batch_interval)
        program.begin(case, rows)
        program.start()
        return True

    def _end(self, program: Program, keep: bool) -> None:
        """Stop a program; or keep one without state, whose queries serve the next case as well as new ones."""
        if keep and program.is_stateless:
            self._kept = program
        else:
            program.stop()

    def _step(self, program: Program, index: int, number: int, watch: Watch, limit: Deadline) -> bool:
        with cancelled_at(limit, self._spark.context, number):
            made = program.outputs(number, self.time_of(number), limit)
        limit.check(number)
        return watch(index, number, Letter({**program.case.batch(number), **made}))

    @contextmanager
    def _settings(self, settings: Mapping[str, str]) -> Iterator[None]:
        """Set Spark's settings for a while: a query keeps those with which it was started."""
        conf = self._spark.session.conf
        before = {key: conf.get(key, None) for key in settings}
        for key, value in settings.items():
            conf.set(key, value)
        try:
            yield
        finally:
            for key, value in before.items():
                conf.unset(key) if value is None else conf.set(key, value)


def _attempt(failures: Failures, index: int, step: Callable[[], bool]) -> bool:
    """Return what the step returns; note what the subject raised, and return False then."""
    try:
        return step()
    except SubjectFailedError as error:
        error.case = index
        failures[index] = error
        return False
