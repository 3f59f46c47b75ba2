"""The process that runs user code on Spark: `python -m tallystick.replay.worker CONFIGURATION`.

It reads one request a line from its standard input, and answers each with one line on its standard output:

    {"path", "function", "partitions", "environments": [{parameter: value or bag}], "as_set": bool, "in_order": bool,
     "as_record": bool}
        -> {"runs": [{"written": outcome, "sparklite": outcome, "folds": bool}]} | {"error": message}
    the same with {"observe": true}
        -> {"observations": [[{"method", "path", "line", "partitions", "outcome"}]]} | {"error": message}

The first line that it writes is {"ready": version of Spark}. It ends when its input ends or its parent does, and
takes with it every process that it started: it is the leader of a session of its own.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from inspect import BoundArguments, Parameter, signature
from pathlib import Path
from typing import Any, NoReturn

from pyspark import SparkConf, SparkContext
from pyspark.core.rdd import RDD
from pyspark.sql import SparkSession
from tallystick.replay import processes, wire
from tallystick.replay.batching import run_together
from tallystick.replay.errors import ReplayError
from tallystick.replay.exceptions import raised
from tallystick.replay.meanings import observed_folds, one_left_fold, recording_folds
from tallystick.replay.record_inputs import makers, plain
from tallystick.replay.user_code import user_function

WATCH_SECONDS = 0.5
ELEMENT_LIMIT = 1_000_000
"""How many elements an input bag may have, duplicates counted."""


class Worker:
    """A Spark context, and the programs that run on it."""

    def __init__(self, configuration: Mapping[str, str]) -> None:
        self._configuration = SparkConf().setAll(list(configuration.items()))

    def context(self) -> SparkContext:
        """The running context: a new one when user code has stopped the last."""
        return SparkContext.getOrCreate(self._configuration)

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """The answer to one request."""
        try:
            with user_function(Path(request["path"]), request["function"]) as program:
                if request.get("observe"):
                    return {
                        "observations": [self._observed(program, request, each) for each in request["environments"]]
                    }
                return {"runs": self._runs(program, request)}
        except ReplayError as error:
            return {"error": str(error)}

    def _runs(self, program: Callable[..., Any], request: dict[str, Any]) -> list[dict[str, Any]]:
        name, environments, partitions = request["function"], request["environments"], request["partitions"]
        context = self.context()

        def outcome(environment: dict[str, wire.Json]) -> wire.Json:
            arguments = _arguments(program, name, environment, context, partitions)
            run = lambda: result(program(*arguments.args, **arguments.kwargs))  # noqa: E731
            return _outcome(name, run, request["in_order"])

        def result(returned: Any) -> Any:
            if request["as_record"]:
                return plain(tuple(returned) if isinstance(returned, list) else returned)
            return returned.distinct() if request["as_set"] and isinstance(returned, RDD) else returned

        with recording_folds() as folds:
            written = run_together(outcome, environments)
        with one_left_fold():
            sparklite = run_together(outcome, environments) if folds else written
        pairs = zip(written, sparklite, strict=True)
        return [{"written": one, "sparklite": other, "folds": bool(folds)} for one, other in pairs]

    def _observed(
        self, program: Callable[..., Any], request: dict[str, Any], environment: dict[str, wire.Json]
    ) -> list[dict[str, Any]]:
        name = request["function"]
        arguments = _arguments(program, name, environment, self.context(), request["partitions"])
        with observed_folds(lambda fold: _outcome(f"a fold in {name}", fold)) as calls:
            _outcome(name, lambda: program(*arguments.args, **arguments.kwargs))
        return calls


def _outcome(name: str, run: Callable[[], Any], in_order: bool = False) -> wire.Json:
    """What running something returned, all of it computed, or raised."""
    try:
        result = run()
        bag_or_value = result.collect() if isinstance(result, RDD) else result
        if isinstance(result, dict):
            bag_or_value = result.items()
    except (Exception, SystemExit) as error:
        return raised(error)
    if isinstance(result, RDD | list):
        bag_or_value = [item for each in bag_or_value for item in _of_group(each)]
    if in_order:
        return {"list": [wire.encode_value(plain(each)) for each in bag_or_value]}
    return _encoded(name, bag_or_value, isinstance(result, RDD | dict | list | set | frozenset))


def _of_group(element: Any) -> list[Any]:
    """An element as it is; a pair of a key and a list or set as the pairs of the key and each item."""
    match element:
        case (key, list() | set() | frozenset() as items) if type(element) is tuple:
            return [(key, item) for item in items]
    return [element]


def _arguments(
    program: Callable[..., Any],
    name: str,
    environment: dict[str, wire.Json],
    context: SparkContext,
    partitions: int,
) -> BoundArguments:
    program_signature = signature(program)
    contexts = {each.name for each in program_signature.parameters.values() if _is_context(each)} - set(environment)
    if set(program_signature.parameters) != set(environment) | contexts:
        taken, given = ", ".join(program_signature.parameters), ", ".join(environment)
        raise ReplayError(f"{name}({taken}) is given values for ({given}): it needs one for each parameter")
    values: OrderedDict[str, Any] = OrderedDict()
    made = makers(program)
    for parameter in program_signature.parameters:
        if parameter in contexts:
            is_session = _is_session(program_signature.parameters[parameter])
            values[parameter] = SparkSession(context) if is_session else context
            continue
        given, make = environment[parameter], made.get(parameter, _as_it_is)
        if isinstance(given, dict) and "partitions" in given:
            parts = wire.decode_partitions(given)
            values[parameter] = _spread(context, tuple(tuple(map(make, part)) for part in parts))
            continue
        value = wire.decode(given)
        if isinstance(value, dict) and _is_text(program_signature.parameters[parameter]):
            values[parameter] = _file(_elements(parameter, value))
        elif isinstance(value, dict):
            values[parameter] = context.parallelize(list(map(make, _elements(parameter, value))), partitions)
        else:
            values[parameter] = make(value)
    return BoundArguments(program_signature, values)


CONTEXT_NAMES = ("sc", "spark_context", "sparkContext")
SESSION_NAMES = ("spark", "spark_session")


def _as_it_is(value: Any) -> Any:
    return value


def _is_context(parameter: Parameter) -> bool:
    """Whether a parameter is a SparkContext or SparkSession, by annotation or else by name, which no input gives."""
    annotation = parameter.annotation
    if _is_session(parameter):
        return True
    if annotation is Parameter.empty:
        return parameter.name in CONTEXT_NAMES
    return annotation is SparkContext or str(annotation).strip("'\"").endswith("SparkContext")


def _is_session(parameter: Parameter) -> bool:
    """Whether a parameter is annotated, or without annotation named, as a SparkSession."""
    annotation = parameter.annotation
    if annotation is Parameter.empty:
        return parameter.name in SESSION_NAMES
    return annotation is SparkSession or str(annotation).strip("'\"").endswith("SparkSession")


def _is_text(parameter: Parameter) -> bool:
    """Whether a parameter is annotated as a text: a bag for it is what is in the file of that path."""
    annotation = type(parameter.default) if parameter.annotation is Parameter.empty else parameter.annotation
    return annotation is str or str(annotation).strip("'\"") == "str"


def _file(lines: list[str]) -> str:
    """The path of a new file with these lines, in the folder of this session."""
    if any(mark in line for line in lines for mark in "\n\r"):
        raise ReplayError("a line of a file has no line break in it")
    descriptor, path = tempfile.mkstemp(suffix=".txt")
    with open(descriptor, "w", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in lines)
    return path


def _spread(context: SparkContext, partitions: tuple[tuple[Any, ...], ...]) -> RDD[Any]:
    """An RDD with exactly these partitions."""
    if not partitions:
        return context.emptyRDD()
    return context.parallelize(partitions, len(partitions)).flatMap(lambda part: part)


def _elements(parameter: str, bag: dict[Any, int]) -> list[Any]:
    if sum(bag.values()) > ELEMENT_LIMIT:
        raise ReplayError(f"the bag {parameter} has more than {ELEMENT_LIMIT} elements")
    return [element for element, count in bag.items() for _ in range(count)]


def _encoded(name: str, result: Any, is_bag: bool) -> wire.Json:
    result = [plain(each) for each in result] if is_bag else result if type(result) is float else plain(result)
    try:
        if is_bag:
            return wire.encode(wire.bag_of(result))
        return wire.encode_result(result) if type(result) is float else wire.encode_value(result)
    except TypeError as error:
        what = "an RDD that is no bag" if is_bag else "no result"
        raise ReplayError(f"{name} returned {what}: {error}") from None


_ending = threading.Lock()
"""Never released: it is held until the process has ended."""


def _end(folder: str) -> NoReturn:
    """Ends this session, and removes what it has written; whoever calls it second waits for the end."""
    _ending.acquire()
    processes.end_own_session()
    shutil.rmtree(folder, ignore_errors=True)
    processes.end_own_group()


def _watch(parent: int, folder: str) -> None:
    """Ends this session when `parent` has ended, whatever user code is doing."""
    while os.getppid() == parent:
        time.sleep(WATCH_SECONDS)
    _end(folder)


def main() -> None:
    """Answers requests until the input ends, or the parent."""
    settings = json.loads(sys.argv.pop())  # user code has no command line
    parent, folder = settings["parent"], settings["folder"]
    threading.Thread(target=_watch, args=(parent, folder), daemon=True).start()
    try:
        _answer_requests(settings["configuration"])
    except BaseException:
        if os.getppid() == parent:
            raise  # the parent reads what went wrong, and removes the folder
    _end(folder)


def _answer_requests(configuration: dict[str, str]) -> None:
    # What user code and Spark print must not reach the protocol: it goes where the errors go.
    requests = os.fdopen(os.dup(0), encoding="ascii")
    answers = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    sys.dont_write_bytecode = True
    worker = Worker(configuration)

    def say(message: dict[str, Any]) -> None:
        answers.write(json.dumps(message) + "\n")
        answers.flush()

    say({"ready": worker.context().version})
    for line in requests:
        say(worker.answer(json.loads(line)))


if __name__ == "__main__":
    main()
