"""A process that answers requests about plans, one JSON object a line: started by `process.py`, with any PySpark."""

from __future__ import annotations

import json
import os
import queue
import signal
import sys
import threading
import time
from typing import Any

from .asking import captured
from .calling import Calls, message, plain_row

Json = Any


def server() -> None:
    """Answers requests from standard input on standard output, one JSON object a line; ends with the input.

    The first request has `settings` (a mapping), the names of those of them that the caller has `given`, and `master`.
    Each further one has `setup` (statements), `query` (a text), `steps`, `run` (texts whose rows are wanted), or
    `functions`, `results` or `collect` (functions of files, whose plan, plans or rows are wanted, see `Calls`), or
    `databases` (see `Calls.tried`) with `texts` or `tried` functions. An answer is what was asked for, or `error`.
    """
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what Spark and users' code print does not mix with answers
    session, calls = None, Calls()

    def answered(request: Json) -> Json:
        nonlocal session
        if session is None:
            session = _session(request["master"], request["settings"])
            calls.given = frozenset(request.get("given", ()))
            return {"version": session.version}
        if "databases" in request:
            return {"results": list(calls.tried(session, request))}
        if not {"functions", "results", "collect"} & set(request):
            for text in request.get("setup", ()):
                session.sql(text)
        if "columns" in request:
            fields = session.table(request["columns"]).schema.fields
            return {"columns": [{**field.jsonValue(), "nullable": field.nullable} for field in fields]}
        if "functions" in request:
            return {"plans": [calls.plan(session, request, path, name) for path, name in request["functions"]]}
        if "results" in request:
            return {"results": [calls.results(session, request, path, name) for path, name in request["results"]]}
        if "collect" in request:
            return {"rows": [calls.rows(session, request, path, name) for path, name in request["collect"]]}
        if "run" in request:
            return {"rows": [[plain_row(row) for row in session.sql(text).collect()] for text in request["run"]]}
        if "query" in request:
            return captured(session.sql(request["query"]), bool(request.get("steps")))
        return {}

    for line in iter(_lines().get, None):
        try:
            answer = answered(json.loads(line))
        except Exception as error:
            answer = {"error": message(error)}
        print(json.dumps(answer), file=out, flush=True)
    if session is not None:
        session.stop()


PATIENCE_SECONDS = 10.0
"""How long a request may go on when nobody waits for its answer any more."""


def _lines() -> queue.Queue[str | None]:
    """The lines of standard input, then None. When the caller has ended, this process and Spark end, too."""
    lines: queue.Queue[str | None] = queue.Queue()

    def read() -> None:
        for line in sys.stdin:
            lines.put(line)
        lines.put(None)
        time.sleep(PATIENCE_SECONDS)
        os.killpg(0, signal.SIGKILL)

    threading.Thread(target=read, daemon=True).start()
    return lines


def _session(master: str, chosen: dict[str, str]) -> Any:
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master(master).appName("tallystick")
    for key, value in chosen.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    return session
