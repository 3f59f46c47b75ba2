"""What functions read by paths and names, and what they write: no file is touched.

A read is that of a table of the schema, where the caller has said so (`sources`, from patterns to tables), or where
the last part of its path or name is that of a table: `/lake/orders` and `silver.orders` are `orders`. What is read is
noted, so that two readings of one table that may have other rows are told apart.
"""

from __future__ import annotations

import fnmatch
import functools
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from .unknown_rows import replacing

TELLING = frozenset({"", "parquet", "orc", "delta", "iceberg", "avro", "hudi", "table"})
"""Formats of which a file itself says what columns it has."""
PATHS = ("parquet", "orc", "json", "csv", "text", "xml")
TARGETS = ("save", "saveAsTable", "insertInto", *PATHS)
HOW = ("format", "option", "options", "mode", "partitionBy", "bucketBy", "sortBy", "clusterBy")
IN_SQL = re.compile(
    r"""(?P<kept>'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.)*"|--[^\n]*|/\*.*?\*/)"""
    r"""|(?P<start>\b(?:from|join)\s+)(?P<name>(?:`[^`]+`|\w+)(?:\.(?:`[^`]+`|\w+))+)""",
    re.IGNORECASE | re.DOTALL,
)
"""What is no part of a name in SQL, and the names of several parts behind FROM and JOIN."""


class Lake:
    """What one function has read and written.

    Attributes:
        read: for each table, how it was read: what was read, unless the caller has named it in full; its
            format and options, unless the files themselves say all.
        written: what was written, by where and how.
    """

    def __init__(self, session: Any, sources: Mapping[str, str], tables: frozenset[str]) -> None:
        """
        Args:
            session: has the tables.
            sources: what names and paths stand for: patterns with `*`, and tables, or a `*` for the last part.
            tables: those of the schema.
        """
        self.session, self.sources, self.tables = session, sources, tables
        self.read: dict[str, list[str]] = {}
        self.written: dict[str, Any] = {}

    def table(self, name: str, how: str = "") -> str | None:
        """The table that a path or name stands for; None if it is no other than Spark finds by itself.

        Raises ValueError if it is one that nobody knows.
        """
        if any(label.split(" ")[0] == name for label in self.written):
            raise ValueError(f"it reads {name} again, which it has written")
        last = _last_part(name)
        for pattern, table in self.sources.items():
            if fnmatch.fnmatchcase(name, pattern):
                return self._noted(last if table == "*" else table, how if pattern == name else f"{name} {how}".strip())
        if name.lower() in self.tables or _is_there(self.session, name):
            return None
        if last in self.tables:
            return self._noted(last, f"{name} {how}".strip())
        raise ValueError(f"{name} is no table of the schema: say which by --source {name}=TABLE")

    def stands_for_a_table(self, name: str) -> bool:
        """Whether a name is one of the caller's, was written, or ends as a table is called."""
        given = any(fnmatch.fnmatchcase(name, pattern) for pattern in self.sources)
        return given or _last_part(name) in self.tables or any(label.split(" ")[0] == name for label in self.written)

    def _noted(self, table: str, how: str) -> str:
        if table.lower() not in self.tables:
            raise ValueError(f"--source says {table}, which is no table of the schema")
        self.read.setdefault(table.lower(), []).append(how)
        return table

    def write(self, frame: Any, target: str, how: list[str]) -> None:
        """Notes what is written."""
        label = " ".join([target, *how])
        if label in self.written:
            raise ValueError(f"it writes {label} twice")
        self.written[label] = frame


def _last_part(name: str) -> str:
    """`orders` of `/lake/orders/`, `orders.parquet`, `/lake/orders/*.csv`, `silver.orders`."""
    parts = [part for part in name.replace("`", "").split("/") if part and "*" not in part and "=" not in part]
    last = parts[-1] if parts else ""
    if "/" in name or last.rpartition(".")[2].lower() in TELLING | set(PATHS):
        return last.partition(".")[0].lower()
    return last.rpartition(".")[2].lower()


def _is_there(session: Any, name: str) -> bool:
    """Whether Spark finds a table of this name, or there is such a file."""
    if "/" in name:
        return os.path.exists(name.removeprefix("file:"))
    try:
        return bool(session.catalog.tableExists(name))  # a query that fails would count as one that was run
    except Exception:
        return False


@contextmanager
def in_lake(lake: Lake) -> Iterator[None]:
    """Functions read and write the tables of a lake."""
    from pyspark.sql.readwriter import DataFrameReader, DataFrameWriter

    kind = type(lake.session)
    table, sql = kind.table, kind.sql

    def found(session: Any, name: str) -> Any:
        other = lake.table(name)
        return table(session, name if other is None else other)

    def queried(session: Any, text: str, *others: Any, **named: Any) -> Any:
        return sql(session, IN_SQL.sub(lambda each: _in_sql(lake, each), text), *others, **named)

    kind._tallystick_table = table
    methods: list[tuple[type, str, Any]] = [(kind, "table", found), (kind, "sql", queried)]
    for of, names, made in (
        (DataFrameReader, ("format", "option", "options", "schema"), _said),
        (DataFrameReader, ("load", "table", *PATHS), functools.partial(_reading, lake)),
        (DataFrameWriter, HOW, _said),
        (DataFrameWriter, TARGETS, functools.partial(_writing, lake)),
    ):
        methods += [(of, name, made(vars(of)[name])) for name in names if name in vars(of)]
    with replacing(methods):
        yield


def _in_sql(lake: Lake, found: re.Match[str]) -> str:
    if found["name"] is None:
        return found[0]
    name = found["name"].replace("`", "")
    if not lake.stands_for_a_table(name):  # EXTRACT(YEAR FROM o.day), or what Spark itself refuses
        return found[0]
    table = lake.table(name)
    return found[0] if table is None else f"{found['start']}`{table}`"


def _said(method: Any) -> Any:
    """A method that says how is read or written, and is remembered."""

    def said(own: Any, *given: Any, **named: Any) -> Any:
        _all_said(own).append((method.__name__, given, named))
        return method(own, *given, **named)

    return said


def _all_said(own: Any) -> list[tuple[str, Any, Any]]:
    return own.__dict__.setdefault("_tallystick_said", [])


def _reading(lake: Lake, method: Any) -> Any:
    name = method.__name__

    def read(own: Any, *given: Any, **named: Any) -> Any:
        paths = [each for each in given if isinstance(each, str)] or [named.get("path", named.get("tableName"))]
        if len(paths) != 1 or not isinstance(paths[0], str):
            return method(own, *given, **named)
        rest = [f"{key}={value}" for key, value in sorted(named.items()) if key not in ("path", "tableName")]
        said = [_shown(*each) for each in _all_said(own)] + rest + ([] if name in ("load", "table") else [name])
        telling = all(each.removeprefix("format ") in TELLING for each in said)
        table = lake.table(paths[0], "" if telling else " ".join(said))
        return method(own, *given, **named) if table is None else lake.session._tallystick_table(table)

    return read


def _shown(name: str, given: Any, named: Any) -> str:
    values = [str(getattr(each, "json", lambda each=each: each)()) for each in given]
    return " ".join([name, *values, *(f"{key}={value}" for key, value in sorted(named.items()))])


def _writing(lake: Lake, method: Any) -> Any:
    name = method.__name__

    def write(own: Any, *given: Any, **named: Any) -> None:
        target = given[0] if given else named.pop("path", named.pop("tableName", named.pop("name", "")))
        rest = [str(each) for each in given[1:]] + [f"{key}={value}" for key, value in sorted(named.items())]
        said = [_shown(*each) for each in _all_said(own)]
        kind = [] if name == "save" else [name]
        lake.write(own._df, str(target or ""), [*kind, *said, *rest])

    return write
