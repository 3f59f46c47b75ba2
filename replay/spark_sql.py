"""Queries run on a Spark in a process of its own, which says nothing and ends with the call.

The caller's own Spark session, if there is one, is left alone. The process reads one request, a line of JSON, and
writes one answer.
"""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import sys
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import IO, Any, Final

from tallystick.replay import processes
from tallystick.replay.errors import ReplayUnavailable
from tallystick.replay.sql_engines import EngineError, Ran, Result, Rows, databases_on_spark

TIME_LIMIT: Final = 180.0
"""Seconds for the start of Spark, which takes about 5 on a quiet machine, and for all queries."""
SETTINGS: Final = {
    "spark.sql.ansi.enabled": "true",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.shuffle.partitions": "1",
    "spark.sql.timestampType": "TIMESTAMP_NTZ",
}
"""What the dialect `spark` means: Spark 4's defaults, and timestamps without time zones."""


def on_own_spark(setup: Sequence[str], queries: Sequence[str], time_limit: float = TIME_LIMIT) -> list[Rows]:
    """The rows that Spark returns for each query after the setup.

    Raises EngineError when Spark is not there, does not finish in time, or refuses or fails to run a text.
    """
    [results] = databases_on_own_spark(setup, [()], [queries], time_limit=time_limit).results
    for each in results:
        if isinstance(each, EngineError):
            raise each
    return [each for each in results if not isinstance(each, EngineError)]


def databases_on_own_spark(
    setup: Sequence[str],
    databases: Sequence[Sequence[str]],
    queries: Sequence[Sequence[str]],
    seconds: float | None = None,
    time_limit: float = TIME_LIMIT,
) -> Ran:
    """What Spark returns for the queries of each database, which are filled one after the other.

    Args:
        seconds: after which no other database is tried.
        time_limit: seconds for all, after which there is no answer.

    Raises EngineError when Spark is not there, does not finish in time, or fails at the setup.
    """
    process = subprocess.Popen(
        [sys.executable, "-m", "tallystick.replay.spark_sql"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    request = {
        "setup": list(setup),
        "databases": [list(each) for each in databases],
        "queries": [list(each) for each in queries],
        "seconds": time_limit if seconds is None else seconds,
    }
    try:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(request).encode() + b"\n")
        process.stdin.close()
        line = _line(process.stdout, time_limit)
    finally:
        processes.end_session(process.pid)
        process.wait()
    if not line:
        raise EngineError(f"Spark did not answer in {time_limit:g} s, or ended")
    answer = json.loads(line)
    if "error" in answer:
        raise EngineError(answer["error"])
    return Ran(answer["engine"], tuple(tuple(map(_decoded_result, each)) for each in answer["results"]))


def _decoded_result(result: Any) -> Result:
    return EngineError(result) if isinstance(result, str) else [tuple(map(decoded, row)) for row in result]


def _encoded_result(result: Result) -> Any:
    return str(result) if isinstance(result, EngineError) else [list(map(encoded, row)) for row in result]


def _line(stream: IO[bytes], time_limit: float) -> bytes:
    """What a process writes until it closes its output; nothing if it does not begin to in time."""
    with selectors.DefaultSelector() as selector:
        selector.register(stream, selectors.EVENT_READ)
        return stream.read() if selector.select(time_limit) else b""


def encoded(value: Any) -> Any:
    """A value of a row as JSON."""
    match value:
        case None | bool() | int() | str():
            return value
        case Decimal() | float():
            return {type(value).__name__: str(value)}
        case datetime():
            return {"datetime": value.isoformat()}
        case date():
            return {"date": value.isoformat()}
        case timedelta():
            return {"timedelta": value // timedelta(microseconds=1)}
        case _:
            return {"other": str(value)}


_DECODERS: Final = {
    "Decimal": Decimal,
    "float": float,
    "datetime": datetime.fromisoformat,
    "date": date.fromisoformat,
    "timedelta": lambda microseconds: timedelta(microseconds=microseconds),
    "other": str,
}


def decoded(value: Any) -> Any:
    """The value that `encoded` has written."""
    if not isinstance(value, Mapping):
        return value
    [(kind, text)] = value.items()
    return _DECODERS[kind](text)


def main() -> None:
    """Answers one request from standard input on standard output, to which nothing else may write."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    request = json.loads(sys.stdin.readline())
    try:
        from tallystick.replay.session import spark_session

        with spark_session("local[1]") as session:
            for name, value in SETTINGS.items():
                session.conf.set(name, value)
            ran = databases_on_spark(session, *(request[each] for each in ("setup", "databases", "queries", "seconds")))
            results = [[_encoded_result(each) for each in results] for results in ran.results]
            answer: dict[str, Any] = {"engine": ran.engine, "results": results}
            answers.write(json.dumps(answer))
            answers.close()
    except (EngineError, ReplayUnavailable) as error:
        answers.write(json.dumps({"error": str(error)}))
        answers.close()


if __name__ == "__main__":
    main()
