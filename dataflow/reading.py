"""What a user names as a version of a workflow, read: SQL models, a dbt project, JSON of ours or of Texera's."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from tallystick.core.queries.assumptions import Assumption
from tallystick.dataflow.pair import Pair, paired
from tallystick.frontends.dbt.manifest import manifest_in
from tallystick.frontends.dbt.project import load_project, read_project, told_apart
from tallystick.frontends.errors import SourceError
from tallystick.frontends.pipelines.functions import is_pipeline
from tallystick.frontends.sql.dialects import SPARK, dialect_named
from tallystick.frontends.sql.reader import read_schema
from tallystick.frontends.sql.source import Source
from tallystick.frontends.texera.content import is_texera
from tallystick.frontends.texera.reader import read_texera
from tallystick.frontends.workflows.folder import read_folder
from tallystick.frontends.workflows.json_files import is_workflow, load_workflow

ALLOWED = (Assumption.EXACT_FLOATS.label,)
"""Assumptions that are made on request only."""


def read_versions(
    old: Path,
    new: Path,
    *,
    schema: Source | None = None,
    dialect: str | None = None,
    assume: Sequence[str] = (),
    collation: str | None = None,
) -> Pair:
    """Two versions: folders of `.sql` files over the tables of a schema; two projects of dbt, by their manifests; two
    workflows in JSON of ours, or in JSON of Texera's over the tables of a schema; two pipelines of PySpark, files or
    folders of functions over the tables of a schema, which are called on empty tables.

    Raises SourceError where one cannot be read.
    """
    unknown = [each for each in assume if each not in ALLOWED]
    if unknown:
        raise SourceError(f"there is no assumption {unknown[0]!r} to be asked for", "--assume", hint=", ".join(ALLOWED))
    exact = Assumption.EXACT_FLOATS.label in assume
    for path in (old, new):
        if not path.exists():
            raise SourceError("there is no such file or folder", str(path))
    if is_workflow(old) and is_workflow(new):
        return _of_files(old, new, schema, dialect, exact)
    if is_texera(old) and is_texera(new):
        return _of_texera(old, new, schema, dialect, exact)
    manifests = manifest_in(old), manifest_in(new)
    if manifests[0] is not None and manifests[1] is not None:
        return _of_projects((manifests[0], manifests[1]), schema, dialect, exact, collation)
    if is_pipeline(old) and is_pipeline(new):
        return _of_pipelines(old, new, schema, dialect)
    for path in (old, new):
        if (path / "dbt_project.yml").is_file():
            raise SourceError("this dbt project has no target/manifest.json", str(path), hint="run `dbt compile` in it")
    if schema is None:
        raise SourceError("a folder of models needs --schema: a file of CREATE TABLE statements, or JSON", str(old))
    meaning = dialect_named(dialect or "spark", collation)
    sources = read_schema(schema, meaning)
    given = Path(schema) if isinstance(schema, str) and os.path.exists(schema) else None
    versions = [read_folder(path, sources, meaning, given, exact_floats=exact) for path in (old, new)]
    return paired(versions[0], versions[1])


def _of_files(old: Path, new: Path, schema: Source | None, dialect: str | None, exact: bool) -> Pair:
    """Two versions of a workflow in JSON of ours."""
    files = load_workflow(old), load_workflow(new)
    given = None if schema is None else read_schema(schema, dialect_named(dialect or files[1].dialect))
    versions = [each.read(given, dialect, exact_floats=exact) for each in files]
    return paired(versions[0], versions[1])


def _of_texera(old: Path, new: Path, schema: Source | None, dialect: str | None, exact: bool) -> Pair:
    """Two versions of a workflow of Texera, whose expressions are of Spark's dialect here."""
    if schema is None:
        raise SourceError("a workflow of Texera needs --schema: a table for each file that is scanned", str(old))
    if dialect not in (None, SPARK.name):
        raise SourceError("workflows of Texera have one dialect", "--dialect", hint="leave it out")
    sources = read_schema(schema, SPARK)
    versions = [read_texera(path, sources, SPARK, exact_floats=exact) for path in (old, new)]
    return paired(versions[0], versions[1])


def _of_pipelines(old: Path, new: Path, schema: Source | None, dialect: str | None) -> Pair:
    """Two versions of a pipeline of PySpark. Its functions are called, on a Spark of their own."""
    if schema is None:
        raise SourceError("a pipeline needs --schema: the tables that its functions take", str(old))
    if dialect not in (None, SPARK.name):
        raise SourceError("pipelines have one dialect", "--dialect", hint="leave it out")
    from tallystick.dataflow.pipelines import read_pipelines

    return read_pipelines(old, new, schema)


def _of_projects(
    manifests: tuple[Path, Path], schema: Source | None, dialect: str | None, exact: bool, collation: str | None
) -> Pair:
    """Two versions of a project of dbt."""
    old, new = (load_project(path) for path in manifests)
    if dialect is None and old.dialect() != new.dialect():
        hint = "--dialect says in which both are read"
        reason = f"the versions are of two dialects: {old.dialect()} and {new.dialect()}"
        raise SourceError(reason, str(manifests[1]), hint=hint)
    meaning = dialect_named(dialect or new.dialect(), collation)
    given = None if schema is None else read_schema(schema, meaning)
    old, new = told_apart(old, new, meaning)
    seeds = old.seeds, new.seeds
    changed = frozenset(name for name in seeds[0].keys() | seeds[1].keys() if seeds[0].get(name) != seeds[1].get(name))
    versions = [read_project(project, meaning, changed, given, exact) for project in (old, new)]
    return paired(versions[0], versions[1])
