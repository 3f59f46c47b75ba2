"""Engines that say what a text means: each runs a text on the one database, or raises Rejected or Failed.

DuckDB and SQLite run in this process, Spark is a local session; the servers are in `servers.py`.
"""

from __future__ import annotations

import logging
import os
import shutil
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from conformance.database import ROWS, SCHEMA

WORDS: Final = {
    "integer": "tinyint smallint int integer bigint hugeint byte short long"
    " utinyint usmallint uinteger ubigint uhugeint",
    "decimal": "decimal numeric",
    "double": "double float real",
    "text": "varchar text bpchar string char unknown name",
    "date": "date",
    "timestamp": "timestamp timestamptz datetime timestamp_ntz timestamp_s timestamp_ms timestamp_ns",
    "boolean": "boolean bool",
    "interval": "interval time daytimeinterval yearmonthinterval",
    "null": "null void",
}
KIND_OF: Final = {word: kind for kind, words in WORDS.items() for word in words.split()}


def kind_of(name: str) -> str:
    """What the type of an engine is called in all of them; the name itself if it is none of `WORDS`."""
    word = name.strip('"').lower().split("(")[0].split(" ")[0]
    return KIND_OF.get(word, word)


class RejectedError(Exception):
    """The engine does not take the text: syntax, names, types."""


class FailedError(Exception):
    """The engine takes the text and fails when it runs it."""


class MissingError(Exception):
    """The engine is not installed; the message names what installs it."""


@dataclass(frozen=True)
class Answer:
    """What an engine returns.

    Attributes:
        names: the names of the columns.
        types: their types by the words of `WORDS`; () where the engine declares none.
        rows: the rows, in the order that the engine gives them.
    """

    names: tuple[str, ...]
    types: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


class Engine(ABC):
    """An engine with the database of the table; `close()` ends it."""

    name: ClassVar[str]
    """The name of the dialect that it speaks."""
    product: ClassVar[str]
    kinds: ClassVar[Mapping[str, str]] = {}
    """What it calls types of the database that it calls otherwise."""
    loose: ClassVar[bool] = False
    """Whether truth values are numbers there."""

    @property
    @abstractmethod
    def version(self) -> str:
        """The version, as the engine says it."""

    @abstractmethod
    def run(self, text: str) -> Answer:
        """What a text returns. Raises RejectedError or FailedError."""

    @abstractmethod
    def close(self) -> None:
        """Ends the engine."""

    def constant(self, value: Any) -> str:
        """A value of the database as a constant."""
        if value is None:
            return "NULL"
        return str(value).upper() if isinstance(value, bool) else "'" + str(value).replace("'", "''") + "'"

    def load(self) -> None:
        """Makes the tables, with their rows."""
        for table, columns in SCHEMA.items():
            names = ", ".join(f"{name} {self.kinds.get(kind, kind)}" for name, kind in columns)
            self.run(f"CREATE TABLE {table} ({names})")
            for row in ROWS[table]:
                self.run(f"INSERT INTO {table} VALUES ({', '.join(map(self.constant, row))})")


class DuckDB(Engine):
    name = "duckdb"
    product = "DuckDB"

    def __init__(self) -> None:
        import duckdb

        self._duckdb = duckdb
        self._connection = duckdb.connect(config={"threads": 1})
        self.load()

    @property
    def version(self) -> str:
        return self._duckdb.__version__

    def run(self, text: str) -> Answer:
        d = self._duckdb
        rejections = (d.ParserException, d.BinderException, d.CatalogException, d.NotImplementedException)
        try:
            result = self._connection.execute(text)
            described = result.description or []
            rows = result.fetchall() if described else []
        except rejections as problem:
            raise RejectedError(first_line(problem)) from None
        except d.Error as problem:
            raise FailedError(first_line(problem)) from None
        return Answer(
            tuple(each[0] for each in described), tuple(kind_of(str(each[1])) for each in described), tuple(rows)
        )

    def close(self) -> None:
        self._connection.close()


class SQLite(Engine):
    name = "sqlite"
    product = "SQLite"
    loose = True

    def __init__(self) -> None:
        import sqlite3

        self._sqlite3 = sqlite3
        self._connection = sqlite3.connect(":memory:", isolation_level=None)
        self.load()

    @property
    def version(self) -> str:
        return self._sqlite3.sqlite_version

    def run(self, text: str) -> Answer:
        try:
            cursor = self._connection.execute(text)
            rows = cursor.fetchall()
        except self._sqlite3.Error as problem:
            error = FailedError if "overflow" in str(problem) else RejectedError
            raise error(first_line(problem)) from None
        return Answer(tuple(each[0] for each in cursor.description or ()), (), tuple(rows))

    def close(self) -> None:
        self._connection.close()


class Spark(Engine):
    """A local session, ANSI as Spark 4 has it by default, in the time zone UTC, here and for its texts."""

    name = "spark"
    product = "Spark"
    kinds: ClassVar = {"VARCHAR(10)": "STRING"}

    def __init__(self) -> None:
        from pyspark.sql import SparkSession

        self._folder = tempfile.mkdtemp(prefix="conformance-spark-")
        self._zone = os.environ.get("TZ")
        os.environ["TZ"] = "UTC"  # collect() converts moments to local time
        time.tzset()
        settings = {
            "spark.ui.enabled": "false",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.host": "127.0.0.1",
            "spark.sql.shuffle.partitions": "1",
            "spark.sql.session.timeZone": "UTC",
            "spark.sql.warehouse.dir": self._folder,
            "spark.local.dir": self._folder,
            "spark.log.level": "OFF",
            "spark.ui.showConsoleProgress": "false",
            "spark.driver.memory": "1g",
            "spark.driver.extraJavaOptions": "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Duser.timezone=UTC",
        }
        builder = SparkSession.builder.master("local[1]")
        for key, value in settings.items():
            builder = builder.config(key, value)
        self._session = builder.getOrCreate()
        logging.getLogger("SQLQueryContextLogger").setLevel(logging.CRITICAL + 1)  # a page of JSON for each failure
        self.load()

    @property
    def version(self) -> str:
        return self._session.version

    def load(self) -> None:
        """Makes views of constants, which are tables for a query."""
        for table, columns in SCHEMA.items():
            types = [self.kinds.get(kind, kind) for _, kind in columns]
            rows: Sequence[Sequence[Any]] = ROWS[table] or [[None] * len(columns)]
            values = ", ".join(
                "(" + ", ".join(f"CAST({self.constant(v)} AS {kind})" for v, kind in zip(row, types, strict=True)) + ")"
                for row in rows
            )
            names = ", ".join(name for name, _ in columns)
            view = f"SELECT * FROM VALUES {values} AS v({names}){'' if ROWS[table] else ' WHERE FALSE'}"
            self._session.sql(f"CREATE OR REPLACE TEMPORARY VIEW {table} AS {view}")

    def run(self, text: str) -> Answer:
        from pyspark.errors import AnalysisException, ParseException

        try:
            frame = self._session.sql(text)
            fields = frame.schema.fields
            rows = tuple(tuple(row) for row in frame.collect())
        except (AnalysisException, ParseException) as problem:
            raise RejectedError(first_line(problem)) from None
        except Exception as problem:  # whatever it throws at run time
            raise FailedError(first_line(problem)) from None
        return Answer(
            tuple(each.name for each in fields), tuple(kind_of(each.dataType.typeName()) for each in fields), rows
        )

    def close(self) -> None:
        self._session.stop()
        shutil.rmtree(self._folder, ignore_errors=True)
        if self._zone is None:
            del os.environ["TZ"]
        else:
            os.environ["TZ"] = self._zone
        time.tzset()


def first_line(problem: BaseException) -> str:
    """The message of an error, on one line, cut."""
    return " ".join(str(problem).split())[:200]
