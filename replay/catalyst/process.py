"""A Spark process of its own that is asked for plans; it may be of another Python, with another version of Spark."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tallystick.replay.errors import ReplayError, ReplayTimeout
from tallystick.replay.replayer import START_SECONDS, require_spark
from tallystick.replay.settings import spark_settings
from tallystick.replay.worker_process import WorkerProcess

FOLDER = Path(__file__).parent
START = """
import importlib.util, sys
folder = sys.argv[1]
place = folder + "/__init__.py"
own = importlib.util.spec_from_file_location("_tallystick", place, submodule_search_locations=[folder])
sys.modules["_tallystick"] = importlib.util.module_from_spec(own)
from _tallystick.server import server
server()
"""
"""Starts the server in a Python that need not have Tallystick: this folder is a package of its own there."""

WALL = 10.0
"""So many times what databases may take of the processor may pass before there is no answer."""


class QueryRefused(ReplayError):  # noqa: N818 - it names what Spark did
    """Spark does not analyse or run a query; the message is Spark's."""


class SparkPlans:
    """Asks a Spark of its own for plans, and for rows.

    with SparkPlans(settings={"spark.sql.ansi.enabled": "false"}) as spark:
        spark.prepare(["CREATE TABLE t (a INT) USING parquet"])
        plans = spark.plans("SELECT a FROM t WHERE a > 0")
    """

    def __init__(
        self,
        settings: Mapping[str, str] | None = None,
        master: str = "local[1]",
        python: str = sys.executable,
        time_limit: float = 120.0,
    ) -> None:
        """
        Args:
            settings: settings of Spark, besides those that keep it quiet and small.
            master: the URL of the Spark master.
            python: an interpreter that has PySpark 3.3 or newer.
            time_limit: seconds for a request.
        """
        if python == sys.executable:
            require_spark()
        self.time_limit = time_limit
        self._worker = WorkerProcess(lambda _: [python, "-c", START, str(FOLDER)], python)
        quiet = spark_settings("tallystick", master, self._worker.folder)
        chosen = quiet | {"spark.sql.shuffle.partitions": "1", "spark.sql.session.timeZone": "UTC", **(settings or {})}
        start = time.perf_counter()
        try:
            self._worker.send({"master": master, "settings": chosen, "given": sorted(settings or {})})
            self.version = str(self._worker.first_answer(START_SECONDS).get("version", ""))
        except BaseException:
            self.close()
            raise
        self.start_seconds = time.perf_counter() - start
        if not self.version:
            self.close()
            raise ReplayError("Spark does not start")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends Spark."""
        self._worker.end()

    def prepare(self, statements: Sequence[str]) -> None:
        """Runs statements, such as those that create tables. Raises QueryRefused."""
        self._ask({"setup": list(statements)})

    def plans(self, query: str, steps: bool = False, setup: Sequence[str] = ()) -> dict[str, Any]:
        """The plans of a query, as `asking.captured` has them. Raises QueryRefused."""
        return self._ask({"query": query, "steps": steps, "setup": list(setup)})

    def columns(self, table: str) -> list[dict[str, Any]]:
        """The columns of a table, with names, types and whether they are nullable, as Spark has them."""
        return self._ask({"columns": table})["columns"]

    def functions(
        self, references: Sequence[tuple[str, str]], setup: Sequence[str] = (), **more: Any
    ) -> list[dict[str, Any]]:
        """The analysed plans of functions of files, (path, name) each, on tables. Runs the user's code.

        Each is called after the statements of `setup`, in a session of its own. `more` is `given`, `keep` and `roots`,
        see `calling.Calls`.
        """
        return self._ask({"functions": [list(each) for each in references], "setup": list(setup), **more})["plans"]

    def results(self, references: Sequence[tuple[str, str]], **more: Any) -> list[dict[str, Any]]:
        """The analysed plans of all that functions of files make: see `calling.Calls.results`. Runs the user's code.

        `more` is `said`, `sources` and `tables`, see `calling.Calls`.
        """
        return self._ask({"results": [list(each) for each in references], **more})["results"]

    def collected(
        self, references: Sequence[tuple[str, str]], setup: Sequence[str], **more: Any
    ) -> list[list[list[Any]]]:
        """The rows of what functions of files make of tables. Runs the user's code, and Spark. See `functions`."""
        return self._ask({"collect": [list(each) for each in references], "setup": list(setup), **more})["rows"]

    def rows(self, queries: Sequence[str], setup: Sequence[str] = ()) -> list[list[list[Any]]]:
        """The rows of queries after some statements, values as Spark prints them. Raises QueryRefused."""
        return self._ask({"run": list(queries), "setup": list(setup)})["rows"]

    def tried(
        self,
        wanted: Sequence[str] | Sequence[tuple[str, str, str | None]],
        databases: Sequence[Sequence[str]],
        seconds: float,
        **more: Any,
    ) -> list[list[list[list[Any]] | str]]:
        """The rows of texts, or of results of functions, on databases, or messages: see `calling.Calls.tried`.

        For each text or function a list, of as many databases as there was time for, in seconds of the processor. The
        statements of a database make temporary views. Runs the user's code.
        """
        texts = [each for each in wanted if isinstance(each, str)]
        functions = [list(each) for each in wanted if not isinstance(each, str)]
        request = {"databases": [list(each) for each in databases], "seconds": seconds, **more}
        limit = max(self.time_limit, WALL * seconds)
        return self._ask({**request, "texts": texts, "tried": functions}, limit)["results"]

    def _ask(self, request: dict[str, Any], time_limit: float | None = None) -> dict[str, Any]:
        limit = self.time_limit if time_limit is None else time_limit
        try:
            answer = self._worker.ask(request, limit)
        except TimeoutError:
            self.close()
            raise ReplayTimeout(f"Spark did not answer within {limit:g} s") from None
        except EOFError:
            self.close()
            raise ReplayError("Spark ended, or the process that it ran in") from None
        except BaseException:  # an answer may be on its way, so the process cannot be used again
            self.close()
            raise
        if "error" in answer:
            raise QueryRefused(answer["error"])
        return answer
