"""What functions read by paths and names, and what they write: no file is touched.

A read is that of a table of the schema, where the caller has said so (`sources`, from patterns to tables), or where
the last part of its path or name is that of a table: `/lake/orders` and `silver.orders` are `orders`. What is read is
noted, so that two readings of one table that may have other rows are told apart.

Functions are called where there are no tables but empty ones, no files, and nothing that they have written. So what
hangs on whether there is such a thing is not known (`exists`), what Spark does not find ends the call
(`Refusal`), whatever the function makes of that, and so does reading what was written, and whatever else changes
tables.
"""

from __future__ import annotations

import fnmatch
import functools
import hashlib
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NoReturn

from .asking import SECRET, is_a
from .session_facts import session_methods
from .settings import KEPT, UNORDERED, meaning, settings
from .unknown_rows import Refusal, family, replacing

TELLING = frozenset({"", "parquet", "orc", "delta", "iceberg", "avro", "hudi", "table"})
"""Formats of which a file itself says what columns it has."""
PATHS = ("parquet", "orc", "json", "csv", "text", "xml")
TARGETS = ("save", "saveAsTable", "insertInto", "jdbc", *PATHS)
HOW = ("format", "option", "options", "mode", "partitionBy", "bucketBy", "sortBy", "clusterBy")
TARGETS_V2 = ("create", "replace", "createOrReplace", "append", "overwrite", "overwritePartitions")
HOW_V2 = ("using", "option", "options", "tableProperty", "partitionedBy", "clusterBy")
# A comment ends at the first end: a text with many is searched in no more time than it is long.
COMMENT = r"/\*[^*]*\*+(?:[^/*][^*]*\*+)*/"
GAP = rf"(?:\s|--[^\n]*\n|{COMMENT})*"
IN_SQL = re.compile(
    r"""(?P<kept>'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.)*"|--[^\n]*"""
    rf"|{COMMENT})"
    r"""|(?P<start>\b(?:from|join)\s+)(?P<name>(?:`[^`]+`|\w+)(?:\.(?:`[^`]+`|\w+))+)"""
    rf"""|(?P<with>`[^`]+`|\b\w+)(?={GAP}(?:\([^()]*\){GAP})?\bas\b{GAP}\()""",
    re.IGNORECASE | re.DOTALL,
)
"""What is no part of a name in SQL, the names of several parts behind FROM and JOIN, and what a query may be named."""


class Lake:
    """What one function has read and written.

    Attributes:
        read: for each table, how it was read: what was read, unless the caller has named it in full; its
            format and options, unless the files themselves say all.
        written: what was written, by where and how.
        orders: under which settings on which the order of rows hangs it was written.
        kept: under which of these settings rows were kept (cache, persist, checkpoint).
        own: the settings that the function has set.
        reordered: whether such settings may have been changed after rows were kept.
        refused: why the call is none that can be compared, whatever the function has made of it.
        unfound: why Spark did not read what the function has asked for, unless it was refused.
    """

    def __init__(
        self,
        session: Any,
        sources: Mapping[str, str],
        tables: frozenset[str],
        given: frozenset[str] = frozenset(),
    ) -> None:
        """
        Args:
            session: has the tables.
            sources: what names and paths stand for: patterns with `*`, and tables, or a `*` for the last part.
            tables: those of the schema.
            given: the settings that the caller has chosen.
        """
        self.session, self.sources, self.tables, self.given = session, sources, tables, given
        self._settings = _settings(session)
        self.read: dict[str, list[str]] = {}
        self.written: dict[str, Any] = {}
        self.orders: dict[str, dict[str, str]] = {}
        self.kept: list[dict[str, str]] = []
        self.reordered = False
        self.own: set[str] = set()
        self.refused = self.unfound = ""
        self._targets: list[str] = []
        self._names: dict[str, set[str]] = {}
        self._views: set[str] = set()

    def refuse(self, reason: str) -> NoReturn:
        """Ends the call."""
        self.refused = self.refused or reason
        raise Refusal(reason)

    def table(self, name: str, how: str = "") -> str | None:
        """The table that a path or name stands for; None if it is no other than Spark finds by itself.

        Raises Refusal if it is one that nobody knows, or that is no longer what it was.
        """
        self._require_unwritten(name)
        last = _last_part(name)
        for pattern, table in self.sources.items():
            if fnmatch.fnmatchcase(name, pattern):
                own = last if table == "*" else table
                return self._noted(own, name, how if pattern == name else f"{name} {how}".strip())
        if name.lower() in self.tables or _is_there(self.session, name):
            self._names.setdefault(name.lower(), set()).add(name)
            return None
        if last in self.tables:
            return self._noted(last, name, f"{name} {how}".strip())
        return self.refuse(f"{name} is no table of the schema: say which by --source {name}=TABLE")

    def stands_for_a_table(self, name: str) -> bool:
        """Whether a name is one of the caller's, was written, or ends as a table is called."""
        given = any(fnmatch.fnmatchcase(name, pattern) for pattern in self.sources)
        return given or _last_part(name) in self.tables or self._is_written(name)

    def _noted(self, table: str, name: str, how: str) -> str:
        own = table.lower()
        if own not in self.tables:
            self.refuse(f"--source says {table}, which is no table of the schema")
        if own in self._views:
            self.refuse(f"it reads {name} as the table {own}, whose name it has given to a view: {RENAME}")
        self.read.setdefault(own, []).append(how)
        self._names.setdefault(own, set()).add(name)
        return table

    def makes_a_view(self, name: str) -> None:
        """Notes that a name means a view from now on."""
        self._views.add(name.replace("`", "").lower())

    def write(self, frame: Any, target: str, how: list[str]) -> None:
        """Notes what is written."""
        self.require_as_read(frame)
        now, then = _settings(self.session), self._settings  # the writer asks for them, whatever they are at the end
        changed = [f"{key}={now.get(key)}" for key in sorted({*now, *then}) if now.get(key) != then.get(key)]
        label = " ".join([target, *how, *map(_without_secrets, changed)])
        if label in self.written:
            self.refuse(f"it writes {label} twice")
        self.written[label] = frame
        self.orders[label] = self.order(settings(self.session)["order"])
        self._targets.append(target)

    def set(self, key: str) -> None:
        """Notes that a setting is set."""
        self.own.add(key)
        self.reordered |= bool(self.kept) and not UNORDERED.match(key)

    def keep(self) -> None:
        """Notes that rows are kept as they come when they are first asked for."""
        self.kept.append(settings(self.session)["order"])

    def order(self, found: dict[str, str]) -> dict[str, str]:
        """The settings on which the order of rows hangs, with a mark if some may have come under others."""
        return {**found, KEPT: ""} if self.reordered or any(kept != found for kept in self.kept) else found

    def require_as_read(self, frame: Any) -> None:
        """Refuses a DataFrame of a table that was written since it was read: rows are read when they are needed."""
        for table in _relations(frame) if self._targets else ():
            for name in self._names.get(table, ()):
                self._require_unwritten(name)

    def require_query(self, made: Any, text: str) -> None:
        """Refuses what SQL has run that was no query and changes tables, or a query of what was written."""
        execution = made._jdf.queryExecution()
        for plan in (execution.logical(), execution.analyzed()):
            if is_a(plan, COMMAND) or is_a(plan, SCRIPT):
                return self._require_harmless(execution.analyzed())
        for table in _relations(made):
            if table not in self._names and re.search(rf"\b{table}\b", text, re.IGNORECASE):
                self._names[table] = {table}
        return self.require_as_read(made)

    def _require_harmless(self, command: Any) -> None:
        name = str(command.getClass().getSimpleName()).removesuffix("$")
        if name in KEEPING:
            self.keep()
        if name in ("SetCommand", "ResetCommand"):
            self.set("")
        if name not in HARMLESS:
            self.refuse(f"it runs a command of SQL that is no query ({name}), whose effects are not compared")
        if name == "CreateViewCommand":
            view = str(command.name().table())
            if str(command.viewType().toString()) != "LocalTempView":
                self.refuse(f"it makes a view that other sessions see, {view}: make a temporary one")
            self.makes_a_view(view)

    def _require_unwritten(self, name: str) -> None:
        if self._is_written(name):
            self.refuse(f"it reads {name} again, which it has written")

    def _is_written(self, name: str) -> bool:
        return any(_may_be_one(name, each) for each in self._targets)


def _settings(session: Any) -> dict[str, Any]:
    found = meaning(settings(session))
    return {**found.pop("others"), **found}


COMMAND = "org.apache.spark.sql.catalyst.plans.logical.Command"
SCRIPT = "org.apache.spark.sql.catalyst.plans.logical.CompoundBody"
RENAME = "give the view another name"
RELATION = re.compile(r"\bRelation spark_catalog\.\w+\.(\w+)\[")
"""The tables that Spark's text of a plan names."""


def _relations(frame: Any) -> set[str]:
    return {each.lower() for each in RELATION.findall(str(frame._jdf.queryExecution().analyzed().toString()))}


def _may_be_one(first: str, second: str) -> bool:
    """Whether two paths, or two names of tables, may be of one table. A path and a name are of two."""
    if ("/" in first) != ("/" in second):
        return False
    if "/" in first:
        one, other = (re.sub(r"^\w+:", "", each).strip("/") + "/" for each in (first, second))
    else:  # parts from the last one on, of which the current database and catalogue may be missing
        one, other = ("".join(f"{part}/" for part in reversed(_parts_of(each))) for each in (first, second))
    return one.startswith(other) or other.startswith(one)


def _parts_of(name: str) -> list[str]:
    return name.replace("`", "").lower().split(".")


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
        return bool(
            session._jsparkSession.catalog().tableExists(name)
        )  # a query that fails would count as one that was run
    except Exception:
        return False


@contextmanager
def in_lake(lake: Lake) -> Iterator[None]:
    """Functions read and write the tables of a lake. What they make of a Refusal, or of what Spark does not find, does
    not count: the block ends with a Refusal."""
    from pyspark.sql import DataFrame
    from pyspark.sql.catalog import Catalog
    from pyspark.sql.readwriter import DataFrameReader, DataFrameWriter, DataFrameWriterV2

    kind = type(lake.session)
    table, sql, exists = kind.table, kind.sql, Catalog.tableExists

    def found(session: Any, name: str) -> Any:
        other = lake.table(name)
        return table(session, name if other is None else other)

    def queried(session: Any, text: str, *others: Any, **named: Any) -> Any:
        names = {name.lower() for each in IN_SQL.finditer(text) for name in _with_names(each)}
        made = sql(session, IN_SQL.sub(lambda each: _in_sql(lake, each, names), text), *others, **named)
        lake.require_query(made, text)
        return made

    def is_there(catalog: Any, *given: Any, **named: Any) -> Any:
        name = given[0] if given else named["tableName"]
        return lake.stands_for_a_table(name) or exists(catalog, *given, **named)

    def to(frame: Any, target: str) -> Any:
        writer = DataFrameWriterV2(frame, target)
        writer.__dict__["_tallystick_target"] = target
        return writer

    kind._tallystick_table = table
    asked = functools.partial(_asked, lake)
    methods: list[tuple[type, str, Any]] = [
        *((kind, "table", asked(found)), (kind, "sql", asked(queried)), (Catalog, "tableExists", is_there)),
        *((each, "writeTo", to) for each in family(DataFrame) if "writeTo" in vars(each)),
    ]
    for of, names, made in (
        (DataFrameReader, ("format", "option", "options", "schema"), _said),
        (DataFrameReader, ("load", "table", *PATHS), lambda method: asked(_reading(lake, method))),
        (DataFrameWriter, HOW, _said),
        (DataFrameWriter, TARGETS, functools.partial(_writing, lake)),
        (DataFrameWriterV2, HOW_V2, _said),
        (DataFrameWriterV2, TARGETS_V2, functools.partial(_writing, lake)),
        *((each, VIEWS, functools.partial(_viewing, lake)) for each in family(DataFrame)),
    ):
        methods += [(of, name, made(vars(of)[name])) for name in names if name in vars(of)]
    methods += session_methods(lake)
    try:
        with replacing(methods):
            yield
    finally:
        if lake.refused:
            raise Refusal(lake.refused)
    if lake.unfound:
        raise Refusal(f"it goes on where Spark does not read what it asks for: {lake.unfound}")


def _asked(lake: Lake, method: Any) -> Any:
    """A method that reads, of which is noted that it fails."""

    @functools.wraps(method)
    def asked(*given: Any, **named: Any) -> Any:
        try:
            return method(*given, **named)
        except Exception as error:
            lake.unfound = lake.unfound or str(error).partition("\n")[0]
            raise

    return asked


HARMLESS = frozenset(
    {
        *("CreateViewCommand", "SetCommand", "ResetCommand", "SetNamespaceCommand", "SetCatalogAndNamespace"),
        *("CacheTableCommand", "CacheTable", "UncacheTable", "UncacheTableCommand", "ClearCacheCommand"),
        *("RefreshTable", "RefreshTableCommand", "DropTempViewCommand", "CreateVariable", "SetVariable"),
    }
)
"""Commands of SQL that change no more than the session."""
KEEPING = frozenset({"CacheTableCommand", "CacheTable"})
"""Those by which rows are kept as they came."""


VIEWS = ("createTempView", "createOrReplaceTempView", "registerTempTable")


def _viewing(lake: Lake, method: Any) -> Any:
    """A method that makes a temporary view."""

    @functools.wraps(method)
    def viewed(own: Any, name: str) -> Any:
        lake.makes_a_view(name)
        return method(own, name)

    return viewed


def _with_names(found: re.Match[str]) -> Iterator[str]:
    if found["with"] is not None:
        yield found["with"].replace("`", "")


def _in_sql(lake: Lake, found: re.Match[str], named: set[str]) -> str:
    """What stands in a text for a piece of it; `named` are the names that WITH gives there."""
    if found["name"] is None:
        return found[0]
    name = found["name"].replace("`", "")
    if not lake.stands_for_a_table(name):  # EXTRACT(YEAR FROM o.day), or what Spark itself refuses
        return found[0]
    table = lake.table(name)
    if table is not None and table.lower() in named:
        lake.refuse(f"it reads {name} as the table {table}, whose name WITH gives to a query: give it another one")
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
        rest = [
            _without_secrets(f"{key}={value}")
            for key, value in sorted(named.items())
            if key not in ("path", "tableName")
        ]
        said = [_shown(*each) for each in _all_said(own)] + rest + ([] if name in ("load", "table") else [name])
        telling = all(each.removeprefix("format ") in TELLING for each in said)
        table = lake.table(paths[0], "" if telling else " ".join(said))
        return method(own, *given, **named) if table is None else lake.session._tallystick_table(table)

    return read


def _shown(name: str, given: Any, named: Any) -> str:
    values = [str(getattr(each, "json", lambda each=each: each)()) for each in given]
    return _without_secrets(" ".join([name, *values, *(f"{key}={value}" for key, value in sorted(named.items()))]))


def _without_secrets(text: str) -> str:
    """A text, or its digest if it may have a password: verdicts and certificates show it."""
    if not SECRET.search(text.lower()):
        return text
    return f"sha256:{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


def _writing(lake: Lake, method: Any) -> Any:
    name = method.__name__

    def write(own: Any, *given: Any, **named: Any) -> None:
        target, others = own.__dict__.get("_tallystick_target"), [*given]
        if target is None:
            target, *others = given or (named.pop("path", named.pop("tableName", named.pop("name", ""))),)
        rest = [*map(str, others), *(f"{key}={value}" for key, value in sorted(named.items()))]
        said = [_shown(*each) for each in _all_said(own)]
        kind = [] if name == "save" else [name]
        to = _without_secrets(str(target)) if name == "jdbc" else str(target or "")  # of an URL
        lake.write(own._df, to, [*kind, *said, *map(_without_secrets, rest)])

    return write
