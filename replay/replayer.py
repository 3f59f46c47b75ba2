"""Runs programs on Spark, in a process apart from the caller's.

Replay is the one place where user code runs: importing its file and calling its functions. That happens in a worker
process with a session of its own, so that user code and Spark change nothing in the caller, and all of it can be
ended at once.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tallystick.core.interpreter import Bag
from tallystick.core.types import Value
from tallystick.replay import wire
from tallystick.replay.errors import ReplayError, ReplayTimeout, ReplayUnavailable
from tallystick.replay.records import Input, ObservedFold, Outcome, Partitioned, Raised, Replay, Returned, Run
from tallystick.replay.references import reference
from tallystick.replay.settings import spark_settings
from tallystick.replay.worker_process import WorkerProcess

START_SECONDS = 120.0
"""How long Spark may take to start; on a quiet machine it takes about 5 seconds."""

Program = str | Callable[..., object]
"""A program is named "path.py:function", or is a function at the top level of a file."""


class SparkReplayer:
    """Runs programs on one Spark, which starts at the first run and stays until the end of the `with` block.

        with SparkReplayer() as replayer:
            replay = replayer.replay("jobs.py:before", "jobs.py:after", {"r": {60: 2}, "k": 100})

    One call runs at a time. A call that takes too long or is interrupted ends Spark; the next starts it again.
    """

    def __init__(self, master: str = "local[2]", partitions: int = 2, time_limit: float = 60.0) -> None:
        """
        Args:
            master: the URL of the Spark master.
            partitions: how many partitions each input RDD has, at least 1, unless a call says otherwise.
            time_limit: how many seconds a call may take, the start of Spark apart, unless it says otherwise.
        """
        self.master = master
        self.partitions = _at_least_one(partitions)
        self.time_limit = time_limit
        self._worker: _WorkerProcess | None = None
        self._one_at_a_time = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends Spark and everything that user code has started."""
        if self._worker is not None:
            self._worker.end()
            self._worker = None

    def replay(
        self,
        left: Program,
        right: Program,
        environment: Mapping[str, Input],
        partitions: int | None = None,
        *,
        as_sets: bool = False,
        in_order: bool = False,
        as_record: bool = False,
    ) -> Replay:
        """Runs two programs on one input; arguments and errors are those of `run_on_spark`."""
        partitions = self.partitions if partitions is None else partitions
        left_run, right_run = (
            self.run_on_spark(each, [environment], partitions, as_set=as_sets, in_order=in_order, as_record=as_record)[
                0
            ]
            for each in (left, right)
        )
        return Replay(left_run, right_run, environment, partitions)

    def run_on_spark(
        self,
        program: Program,
        environments: Sequence[Mapping[str, Input]],
        partitions: int | None = None,
        time_limit: float | None = None,
        *,
        as_set: bool = False,
        in_order: bool = False,
        as_record: bool = False,
    ) -> tuple[Run, ...]:
        """Runs a program on each of several inputs: parameter -> basic value, or bag as dictionary or list.

        With `in_order`, lists and RDDs are lists, else bags. A dictionary is the bag of its items, unless `as_record`
        says that its keys are fixed. With `as_set`, Spark computes `distinct()` of the RDD that
        it returns.

        What the program raises is an outcome of the run. Raises ReplayUnavailable when this machine cannot run
        Spark, ReplayTimeout when not all runs finish within the time limit, and ReplayError when the program
        cannot be found or imported, does not take these parameters, returns something else than a basic value or
        an RDD of such, or ends its process.
        """
        partitions = _at_least_one(self.partitions if partitions is None else partitions)
        answer = self._answer(
            program,
            environments,
            {"partitions": partitions, "as_set": as_set, "in_order": in_order, "as_record": as_record},
            time_limit,
        )
        return tuple(Run(_outcome(run["written"]), _outcome(run["sparklite"]), run["folds"]) for run in answer["runs"])

    def observe_folds(
        self, program: Program, environments: Sequence[Mapping[str, Input]], time_limit: float | None = None
    ) -> tuple[tuple[ObservedFold, ...], ...]:
        """What each fold that a program calls returns on Spark, for each of several inputs, in the order of the calls.

        Folds are observed until the program ends or raises. Errors are those of `run_on_spark`.
        """
        request = {"partitions": self.partitions, "observe": True}
        answer = self._answer(program, environments, request, time_limit)
        return tuple(tuple(map(_observed, folds)) for folds in answer["observations"])

    def _answer(
        self,
        program: Program,
        environments: Sequence[Mapping[str, Input]],
        request: dict[str, Any],
        time_limit: float | None,
    ) -> dict[str, Any]:
        where = reference(program)
        values = [_environment(environment) for environment in environments]
        request = {"path": where.path, "function": where.function, "environments": values, **request}
        with self._one_at_a_time:
            answer = self._ask(request, self.time_limit if time_limit is None else time_limit, str(where))
        if "error" in answer:
            raise ReplayError(answer["error"])
        return answer

    def _ask(self, request: dict[str, Any], seconds: float, name: str) -> dict[str, Any]:
        try:
            if self._worker is None:
                require_spark()
                self._worker = _WorkerProcess(self.master)
                self._worker.await_ready()
            return self._worker.ask(request, seconds)
        except TimeoutError:
            self.close()
            raise ReplayTimeout(f"{name} did not finish on Spark within {seconds:g} s") from None
        except EOFError:
            self.close()
            raise ReplayError(f"{name} ended Spark, or the process that it ran in") from None
        except BaseException:  # an answer may be on its way, so the worker cannot be used again
            self.close()
            raise


INSTALL = "pip install 'tallystick[spark]'"


def require_spark() -> None:
    """Raises ReplayUnavailable unless this machine has what Spark needs."""
    if os.name != "posix":
        raise ReplayUnavailable("programs can be run on Spark on Linux and macOS only")
    if importlib.util.find_spec("pyspark") is None:
        raise ReplayUnavailable(f"PySpark is missing, so programs cannot be run on Spark: {INSTALL}")
    home = os.environ.get("JAVA_HOME")
    if home and not os.access(Path(home, "bin", "java"), os.X_OK):
        raise ReplayUnavailable(f"JAVA_HOME is {home}, where there is no bin/java: set it to a Java 17 or newer")
    if not home and shutil.which("java") is None:
        raise ReplayUnavailable("Java is missing, so programs cannot be run on Spark: install Java 17 or newer")


def _at_least_one(partitions: int) -> int:
    if partitions < 1:
        raise ValueError(f"an RDD has at least 1 partition, not {partitions}")
    return partitions


def _environment(environment: Mapping[str, Input]) -> dict[str, wire.Json]:
    result: dict[str, wire.Json] = {}
    for name, value in environment.items():
        try:
            spread = isinstance(value, Partitioned)
            result[name] = wire.encode_partitions(value.partitions) if spread else wire.encode(_bag_or_value(value))
        except TypeError as error:
            raise ReplayError(f"the value of {name} cannot be given to Spark: {error}") from None
    return result


def _bag_or_value(value: Value | Mapping[Value, int] | Sequence[Value]) -> Value | Bag:
    if isinstance(value, Mapping):
        if any(type(count) is not int or count < 0 for count in value.values()):
            raise TypeError("a multiplicity is a natural number")
        return {element: value[element] for element in wire.of_one_type(value)}
    if isinstance(value, bytes):
        raise wire.no_value(value)
    if isinstance(value, Sequence) and not isinstance(value, tuple | str):
        return wire.bag_of(value)
    return value


def _outcome(json_outcome: Any) -> Outcome:
    match json_outcome:
        case {"raised": [str(error), str(message)]}:
            return Raised(error, message)
    return Returned(wire.decode_result(json_outcome))


def _observed(fold: dict[str, Any]) -> ObservedFold:
    partitions = wire.decode_partitions(fold)
    return ObservedFold(fold["method"], fold["path"], fold["line"], partitions, _outcome(fold["outcome"]))


class _WorkerProcess(WorkerProcess):
    """A worker (`worker.py`)."""

    def __init__(self, master: str) -> None:
        def command(folder: str) -> list[str]:
            configuration = spark_settings("tallystick replay", master, folder)
            settings = {"parent": os.getpid(), "folder": folder, "configuration": configuration}
            return [sys.executable, "-m", "tallystick.replay.worker", json.dumps(settings)]

        super().__init__(command, sys.executable)

    def await_ready(self) -> None:
        """Waits until Spark runs; raises ReplayUnavailable when it does not start."""
        self.first_answer(START_SECONDS)
