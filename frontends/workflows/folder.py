"""A folder of `.sql` files as a workflow: each file is a model, which others read by its name, without quotes."""

from __future__ import annotations

from pathlib import Path

from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.dialects import Dialect
from tallystick.frontends.sql.schema import Schema
from tallystick.frontends.sql.source import load
from tallystick.frontends.workflows.models import Model, read_models
from tallystick.frontends.workflows.version import Version

MOST_FILES = 10_000
"""Files that a folder may have."""


def read_folder(
    folder: Path, sources: Schema, dialect: Dialect, without: Path | None = None, exact_floats: bool = False
) -> Version:
    """The version in a folder and the folders in it.

    Args:
        without: a file that is no model, such as the schema.
        exact_floats: as for `read_models`.

    Raises SourceError where there is no model, two have one name, or they read each other in a circle.
    """
    paths = sorted(path for path in folder.rglob("*.sql") if without is None or not path.samefile(without))
    if not paths:
        raise SourceError("there is no .sql file in this folder", str(folder))
    if len(paths) > MOST_FILES:
        raise SourceError(f"there are more than {MOST_FILES} .sql files in this folder", str(folder))
    models = [Model(path.stem, load(path), dialect.folded(path.stem, quoted=False)) for path in paths]
    return read_models(models, sources, dialect, exact_floats=exact_floats, ordered=True)
