"""Two functions that make DataFrames of tables: do they return the same on all tables?"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from tallystick.frontends.catalyst.nodes import Refused
from tallystick.frontends.catalyst.reader import read_plans
from tallystick.frontends.catalyst.reading import SourceTable
from tallystick.frontends.errors import SourceError, kind_of, shortened
from tallystick.frontends.sql.source import Source
from tallystick.options import OptionError, require_valid
from tallystick.plans.dataframes import with_names, with_reason
from tallystick.plans.deciding import decided
from tallystick.plans.schemas import declared_tables
from tallystick.plans.trying import UNASKED, tried
from tallystick.plans.validating import prepared
from tallystick.plans.verdict import PlanVerdict, whole
from tallystick.queries.trials import TRIALS
from tallystick.replay.catalyst.calling import WRITTEN
from tallystick.replay.catalyst.process import QueryRefused, SparkPlans
from tallystick.replay.catalyst.settings import meaning, other_settings, same_order
from tallystick.replay.references import reference

Program = str | Callable[..., Any]


@dataclass(frozen=True)
class Calling:
    """How functions are called.

    Attributes:
        param: values of parameters that are no tables; texts become what annotations say.
        source: what paths, names and parameters stand for: patterns with `*`, and tables, or `*` for their last part.
    """

    param: Mapping[str, Any] = field(default_factory=dict)
    source: Mapping[str, str] = field(default_factory=dict)

    def request(self, tables: Sequence[SourceTable]) -> dict[str, Any]:
        """What Spark's process is told with a function."""
        names = [table.name for table in tables]
        return {"said": dict(self.param), "sources": dict(self.source), "tables": names}


def check_functions(
    before: Program,
    after: Program,
    *,
    schema: Source,
    timeout: float = 30.0,
    replay: str | None = None,
    settings: Mapping[str, str] | None = None,
    param: Mapping[str, Any] | None = None,
    source: Mapping[str, str] | None = None,
    spark: SparkPlans | None = None,
) -> PlanVerdict:
    """Whether two functions that make DataFrames return the same, whatever their tables hold.

    Both are called on empty tables of the schema, in a process of its own, each with a session and modules of its own:
    a parameter is the table of its name, or the session if it is called spark. A function that makes something else on
    account of rows (collect, count, …) is refused; one that only logs these is not. What it writes is not written; it
    is its result, if it returns nothing.

    Args:
        before, after: "path.py:function", "path.py:Class.method", or functions at the top level of a file.
        schema: the tables: CREATE TABLE statements or JSON, a text or a path.
        timeout: seconds for deciding.
        replay: both are called again, on the tables of a counterexample, or on some random ones where there is none, to
            try the reading; "spark" asks for more of these, "reference" for none.
        settings: settings of Spark.
        param: values of parameters that are no tables; texts become what annotations say.
        source: which tables paths, names and parameters stand for, such as {"/lake/*": "*", "silver.o": "orders"}.
        spark: a process to use; one is started, and ended, where none is given.

    Raises:
        SourceError: a function fails, its plan is not understood, or the results cannot be compared.
        MisreadingError: Spark does not return what was read, so that there is no verdict.
    """
    require_valid(timeout=timeout)
    if replay not in (None, "reference", "spark"):
        raise OptionError(f"replay must be one of 'reference', 'spark', and is {replay!r}")
    references = [_reference(each) for each in (before, after)]
    declared = declared_tables(schema)
    calling = Calling(param or {}, source or {})
    if spark is None:
        with SparkPlans(settings) as process:
            return compared(process, references, prepared(process, declared), calling, timeout, replay)
    return compared(spark, references, prepared(spark, declared), calling, timeout, replay)


def compared(
    spark: SparkPlans,
    references: Sequence[tuple[str, str]],
    tables: Sequence[SourceTable],
    calling: Calling,
    timeout: float,
    replay: str | None,
) -> PlanVerdict:
    """The verdict about two functions, each a file and a name, on a Spark that has these tables: `check_functions`."""
    start = time.perf_counter()
    results = [_results(spark, each, calling, tables) for each in references]
    notes = _read_alike(results, references, calling)
    plans = [result["plans"] for result in results]
    if [*plans[0]] != [*plans[1]]:
        made = (", ".join(name or "one DataFrame" for name in each) for each in plans)
        raise SourceError("the functions make {} and {}".format(*made), references[1][1])
    names = (references[0][1], references[1][1])
    if names[0] == names[1]:
        names = (":".join(references[0]), ":".join(references[1]))
    parts = []
    for place in plans[0]:
        first, second = plans[0][place], plans[1][place]
        if meaning(first["settings"]) != meaning(second["settings"]):
            reason = f"it leaves Spark with other settings than the other function: {_differing(first, second)}"
            raise SourceError(reason, references[1][1])
        alike = same_order(first["settings"], second["settings"])
        try:
            pair = read_plans(first["analyzed"], second["analyzed"], first["settings"], tables, same_order=alike)
        except SourceError as error:
            raise _with_place(error, spark, references, calling, tables) from None
        if place.startswith(WRITTEN) and pair.left.names != pair.right.names:
            columns = " and ".join(", ".join(each.names) for each in (pair.left, pair.right))
            raise SourceError(f"what is {place} has other columns: {columns}", references[1][1])
        own = (f"{names[0]}{_at(place)}", f"{names[1]}{_at(place)}")
        verdict = with_names(decided(pair, own, timeout), pair)
        if not alike:
            verdict = with_reason(verdict, first["settings"], second["settings"])
        if replay != "reference":
            wanted = [(*each, place) for each in references]
            number = UNASKED if replay is None else TRIALS
            verdict = tried(verdict, pair, spark, wanted, number, calling.request(tables))
        parts.append(verdict)
    verdict = whole(parts, names)
    return replace(verdict, seconds=time.perf_counter() - start, notes=(*verdict.notes, *notes))


def _differing(first: dict[str, Any], second: dict[str, Any]) -> str:
    return ", ".join(other_settings(meaning(first["settings"]), meaning(second["settings"])))


def _with_place(
    error: SourceError,
    spark: SparkPlans,
    references: Sequence[tuple[str, str]],
    calling: Calling,
    tables: Sequence[SourceTable],
) -> SourceError:
    """The error with the function that it is about, and the line in which the function makes what is not understood."""
    if error.side is None:
        return error
    path, name = references[error.side]
    sites: list[str] = []
    if isinstance(error, Refused):
        with suppress(QueryRefused):
            [found] = spark.results([(path, name)], **calling.request(tables), where=error.node.name)
            sites = [each for part in found["where"] for each in part]
    file, _, line = sites[0].rpartition(":") if sites else (path, "", "")
    at = (file, int(line), 1) if line.isdigit() else (path, 0, 0)
    return SourceError(f"{name}: {error.message}", *at, error.hint)


def _at(place: str) -> str:
    return place if place.startswith("[") or not place else f" ({place})"


def _results(
    spark: SparkPlans, function: tuple[str, str], calling: Calling, tables: Sequence[SourceTable]
) -> dict[str, Any]:
    """What a function makes. Raises SourceError if it fails, or makes something else when it is called once more."""
    path, name = function
    try:
        found, again = spark.results([function, function], **calling.request(tables))
    except QueryRefused as error:
        raise SourceError(f"{name} fails: {str(error).splitlines()[0]}", path) from None
    if not _same(found, again, tables):
        raise SourceError(f"{name} {OTHERWISE}", path, hint=GIVEN)
    return found


OTHERWISE = "makes something else when it is called again: it hangs on the clock, on chance, or on what it keeps"
GIVEN = "make what it takes a parameter, and give its value by --param"


def _same(found: dict[str, Any], again: dict[str, Any], tables: Sequence[SourceTable]) -> bool:
    """Whether two calls of a function have made the same, as far as it is understood."""
    plans = found["plans"], again["plans"]
    if [*plans[0]] != [*plans[1]] or found["read"] != again["read"]:
        return False
    for first, second in zip(plans[0].values(), plans[1].values(), strict=True):
        if first["settings"] != second["settings"]:
            return False
        with suppress(SourceError):
            pair = read_plans(first["analyzed"], second["analyzed"], first["settings"], tables)
            if pair.left != pair.right and not any(map(_is_of_a_call, pair.open_sources)):
                return False
    return True


def _is_of_a_call(source: str) -> bool:
    """Whether a source is another one whenever a function makes it, so that it is equal to none of another function."""
    return source.startswith("rdd ")


def _read_alike(
    results: list[dict[str, Any]], references: Sequence[tuple[str, str]], calling: Calling
) -> Iterator[str]:
    """Notes on what was read by other names. Raises SourceError for readings of one table that may have other rows,
    and for values that no function takes."""
    for name in calling.param:
        if not any(name in result["used"] for result in results):
            raise SourceError(f"no parameter is called {name}", references[1][1])
    read: dict[str, set[str]] = {}
    for result in results:
        for table, ways in result["read"].items():
            read.setdefault(table, set()).update(ways)
    for table, ways in read.items():
        if len(ways) > 1:
            shown = " and as ".join(sorted(way or "the table that was named" for way in ways))
            raise SourceError(f"{table} is read as {shown}, which may have other rows", references[1][1], hint=SAY_SO)
    return (f"{way} is taken for the table {table}" for table, ways in sorted(read.items()) for way in ways if way)


SAY_SO = "if they have the same rows, say so of each: --source PATH=TABLE"


def _reference(program: object) -> tuple[str, str]:
    """The file and the name of a function. Raises SourceError or ReplayError where there is none."""
    if callable(program):
        found = reference(program)
        return found.path, found.function
    if not isinstance(program, str):
        raise SourceError(f"a function is named PATH.py:FUNCTION, not given as {kind_of(program)}", "--schema")
    path, colon, name = program.rpartition(":")
    if not colon or not path.endswith(".py") or not all(part.isidentifier() for part in name.split(".", 1)):
        raise SourceError("a function that makes a DataFrame is named PATH.py:FUNCTION", shortened(program))
    if not os.path.isfile(path):
        raise SourceError("there is no such file", shortened(path))
    return path, name
