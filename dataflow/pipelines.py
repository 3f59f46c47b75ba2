"""Two versions of a PySpark pipeline, read: their functions are called on empty tables, in a Spark of their own.

Each function is called once, in the order in which they read each other, on empty tables or on what those made that it
reads. `frontends/pipelines` says what is a function, and reads the plans.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from tallystick.core.queries.catalogue import Database
from tallystick.core.queries.types import SqlRow
from tallystick.dataflow.pair import Pair, paired
from tallystick.dataflow.replaying import told
from tallystick.dataflow.verdict import Change, DataflowVerdict, WireVerdict
from tallystick.frontends.catalyst.data import name_text, returned, views
from tallystick.frontends.catalyst.reading import SourceTable
from tallystick.frontends.catalyst.types import SparkType
from tallystick.frontends.pipelines.functions import Function, load_pipeline
from tallystick.frontends.pipelines.reading import PipelineReading
from tallystick.frontends.sql.source import Source
from tallystick.frontends.workflows.version import Version
from tallystick.plans.schemas import DeclaredTable, declared_tables
from tallystick.queries.trials import permits
from tallystick.replay.catalyst.process import QueryRefused, SparkPlans
from tallystick.replay.sql_engines import rounded

SETTINGS = {"spark.sql.debug.maxToStringFields": "100000"}
"""Plans are printed in full."""
DATABASES = {"old": "tallystick_old_version", "new": "tallystick_new_version"}


@dataclass(frozen=True)
class Pipeline:
    """A version of a pipeline.

    Attributes:
        functions: each after those that it reads.
        roots: where its imports are looked for, besides the folder of a file.
        passed: the functions whose results are passed on as they are, not as tables.
        types: the Spark types of the columns of functions.
        tables: what it reads, with Spark's types.
    """

    functions: tuple[Function, ...]
    roots: tuple[str, ...]
    passed: frozenset[str]
    types: Mapping[str, tuple[SparkType, ...]]
    tables: Mapping[str, SourceTable]

    def request(self, function: Function, version: str) -> dict[str, object]:
        """What Spark is asked besides a function: what its parameters are, and to keep what it makes."""
        given = {name: f"{version} {name}" for name in function.reads if name in self.passed}
        return {"given": given, "keep": f"{version} {function.name}", "roots": list(self.roots)}


def read_pipelines(old: Path, new: Path, schema: Source, spark: SparkPlans | None = None) -> Pair:
    """Two versions of a pipeline over the tables of a schema.

    Args:
        spark: a process to use; one is started, and ended, where none is given.

    Raises SourceError where the functions of one are not found, or do not fit together.
    """
    declared = declared_tables(schema)
    names = {table.table.name.lower() for table in declared}
    functions = {version: load_pipeline(path, names) for version, path in (("old", old), ("new", new))}
    if spark is None:
        with SparkPlans(SETTINGS) as process:
            return _paired(process, functions, {"old": old, "new": new}, declared)
    return _paired(spark, functions, {"old": old, "new": new}, declared)


def _paired(
    spark: SparkPlans,
    functions: Mapping[str, Sequence[Function]],
    paths: Mapping[str, Path],
    declared: Sequence[DeclaredTable],
) -> Pair:
    pipelines, versions = {}, []
    for which, path in paths.items():
        pipelines[which], version = _read(spark, which, functions[which], path, declared)
        versions.append(version)
    spark.prepare(["USE default"])
    return replace(paired(*versions), on_spark=partial(replayed, pipelines))


def _read(
    spark: SparkPlans, version: str, functions: Sequence[Function], path: Path, declared: Sequence[DeclaredTable]
) -> tuple[Pipeline, Version]:
    database = DATABASES[version]
    spark.prepare(
        [
            f"DROP DATABASE IF EXISTS {database} CASCADE",
            f"CREATE DATABASE {database}",
            f"USE {database}",
            *(table.creation for table in declared),
        ]
    )
    sources = [table.source(spark.columns(table.table.name)) for table in declared]
    reading = PipelineReading(spark.plans("SELECT 1")["settings"], sources, database, functions)
    roots = (str(path.resolve()),) if path.is_dir() else ()
    made = Pipeline(tuple(functions), roots, frozenset(), reading.types, reading.reading.tables)
    lost: dict[str, str] = {}
    for function in functions:
        without = next((name for name in function.reads if name in lost), None)
        if without is not None:
            lost[function.name] = f"it reads {without}, which makes no DataFrame of empty tables"
            reading.failed(function, lost[function.name])
            continue
        made = replace(made, passed=frozenset(reading.passed))
        try:
            request = made.request(function, version)
            [captured] = spark.functions([(str(function.path), function.name)], [f"USE {database}"], **request)
        except QueryRefused as error:
            lost[function.name] = f"it fails on empty tables: {str(error).splitlines()[0]}"
            reading.failed(function, lost[function.name])
            continue
        if reading.add(function, captured):
            columns = (f"{name_text(each['name'])} {each['ddl']}" for each in captured["columns"])
            spark.prepare([f"CREATE TABLE {name_text(function.name)} ({', '.join(columns)}) USING parquet"])
    return replace(made, passed=frozenset(reading.passed), tables=dict(reading.reading.tables)), reading.version()


def replayed(pipelines: Mapping[str, Pipeline], verdict: DataflowVerdict) -> DataflowVerdict:
    """The verdict, in which a changed function says that Spark, which was asked to call both versions on the input,
    returned what the interpreter says. One of which it returns something else is unknown."""
    differing = [wire for wire in verdict.wires if wire.difference is not None]
    if not differing:
        return verdict
    with SparkPlans() as spark:
        answers = {wire.name: _replayed(spark, pipelines, wire) for wire in differing}
    return replace(verdict, wires=tuple(answers.get(wire.name, wire) for wire in verdict.wires))


def _replayed(spark: SparkPlans, pipelines: Mapping[str, Pipeline], wire: WireVerdict) -> WireVerdict:
    found = wire.difference
    assert found is not None
    for version, name, outcome in (("old", wire.old, found.old), ("new", wire.name, found.new)):
        try:
            rows = _rows(spark, pipelines[version], version, name, found.database)
        except QueryRefused as error:
            return told(wire, f"not replayed: Spark does not run it: {str(error).splitlines()[0]}")
        if not permits(outcome, rows):
            reason = f"Spark returns other rows for {version} {name} than the reference interpreter"
            return replace(wire, change=Change.UNKNOWN, reason=reason, difference=None)
    return told(wire, "replayed on Spark")


def _rows(spark: SparkPlans, pipeline: Pipeline, version: str, name: str, database: Database) -> list[SqlRow]:
    """What a function returns on a database. All that it reads are results of functions, passed on as they are."""
    own = {table: pipeline.tables[table] for table in database if table in pipeline.tables}
    setup = views(own, database)
    everything = replace(pipeline, passed=frozenset(function.name for function in pipeline.functions))
    needed = _upstream(pipeline.functions, name)
    for function in needed[:-1]:
        spark.functions([(str(function.path), function.name)], setup, **everything.request(function, version))
    last = needed[-1]
    [rows] = spark.collected([(str(last.path), last.name)], setup, **everything.request(last, version))
    return [rounded(row) for row in returned(rows, pipeline.types[name])]


def _upstream(functions: Sequence[Function], name: str) -> list[Function]:
    """A function behind all that it reads, directly or not."""
    wanted, found = {name}, []
    for function in reversed(functions):
        if function.name in wanted:
            wanted |= set(function.reads)
            found.append(function)
    return found[::-1]
