"""The functions of a pipeline, found in its files without running them.

A function of a file is a model if it takes a table, or says that it returns a DataFrame. A parameter without a default
is the table or the function of its name, or the session if it is called spark. Functions that are no models begin with
an underscore, return something else, or are called by others with arguments of their own.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Final

from tallystick.frontends.errors import SourceError
from tallystick.frontends.pipelines.closures import File, called_elsewhere, closure

SESSIONS: Final = ("spark", "session")
"""Parameters that are the session."""
MOST_FILES: Final = 1_000
"""Files that a folder may have."""


@dataclass(frozen=True)
class Function:
    """A function of a pipeline.

    Attributes:
        name: of the function, and of the model.
        path: of its file.
        reads: the tables and functions that its parameters name, in their order.
        text: its own text, and that of all that it refers to, without comments and white space.
    """

    name: str
    path: Path
    reads: tuple[str, ...]
    text: str


@dataclass(frozen=True)
class _Found:
    node: ast.FunctionDef
    file: File

    @property
    def tables(self) -> list[ast.arg]:
        """The parameters without defaults, but for sessions."""
        given = self.node.args
        positional = [*given.posonlyargs, *given.args]
        needed = positional[: len(positional) - len(given.defaults)]
        needed += [each for each, default in zip(given.kwonlyargs, given.kw_defaults, strict=True) if default is None]
        return [each for each in needed if each.arg not in SESSIONS]

    @property
    def may_be_model(self) -> bool:
        """Whether it is public, and returns a DataFrame as far as it says."""
        if self.node.name.startswith("_"):
            return False
        said = self.node.returns
        return bool(self.tables) if said is None else _last_word(said) == "DataFrame"


def is_pipeline(path: Path) -> bool:
    """Whether a path is a file of Python, or a folder with some and without models of SQL."""
    if path.is_dir():
        return any(path.rglob("*.py")) and not any(path.rglob("*.sql"))
    return path.suffix == ".py" and path.is_file()


def load_pipeline(path: Path, tables: Collection[str]) -> list[Function]:
    """The functions of a file, or of the files of a folder, each after those that it reads.

    Files whose names begin with an underscore or test_, and conftest.py, have no models.

    Args:
        tables: the names of the sources.

    Raises SourceError where there is no function, a parameter is no table and no function, two functions have one
    name, or they read each other in a circle.
    """
    files = [File.read(each) for each in _paths(path)]
    found = [
        _Found(node, file)
        for file in files
        if not file.path.name.startswith(("_", "test_", "conftest."))
        for node in file.tree.body
        if isinstance(node, ast.FunctionDef)
    ]
    models = _models([each for each in found if each.may_be_model], set(tables), files)
    if not models:
        hint = "a model takes tables of the schema, or is annotated to return a DataFrame"
        raise SourceError("there is no function that makes a DataFrame", str(path), hint=hint)
    reads = {name: [arg.arg for arg in each.tables if arg.arg in models] for name, each in sorted(models.items())}
    try:
        order = list(TopologicalSorter(reads).static_order())
    except CycleError as error:
        circle = " reads ".join(reversed(error.args[1]))
        where = str(models[error.args[1][0]].file.path)
        raise SourceError(f"functions read each other in a circle: {circle}", where) from None
    return [_function(models[name], files) for name in order]


def _function(found: _Found, files: Sequence[File]) -> Function:
    reads = tuple(arg.arg for arg in found.tables)
    return Function(found.node.name, found.file.path, reads, closure(found.node, found.file, files))


def _models(found: list[_Found], tables: set[str], files: Sequence[File]) -> dict[str, _Found]:
    """The functions that are models. Raises SourceError where it is not known what a parameter is."""
    helpers: set[str] = set()
    used = called_elsewhere(files)
    while True:
        models = [each for each in found if each.node.name not in helpers]
        known = tables | {each.node.name for each in models}
        odd = [(each, arg) for each in models for arg in each.tables if arg.arg not in known]
        fresh = {each.node.name for each, _ in odd if each.node.name in used}
        if odd and not fresh:
            each, arg = odd[0]
            message = f"{each.node.name} takes {arg.arg}, which is no table of the schema and no function"
            hint = "functions that are no models begin with an underscore"
            raise SourceError(message, str(each.file.path), arg.lineno, arg.col_offset + 1, hint)
        if not fresh:
            break
        helpers |= fresh
    named: dict[str, _Found] = {}
    for each in models:
        for other in (name for name in (*named, *tables) if name.lower() == each.node.name.lower()):
            what = f"a table of the schema and a function have the name {each.node.name}"
            if other in named:
                what = f"two functions have the name {each.node.name}"
                what += "" if other == each.node.name else f", as Spark reads {other}"
            raise SourceError(what, str(each.file.path), each.node.lineno)
        named[each.node.name] = each
    return named


def _paths(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    found = sorted(each for each in path.rglob("*.py") if each.is_file() and not _is_hidden(each.relative_to(path)))
    if len(found) > MOST_FILES:
        raise SourceError(f"there are more than {MOST_FILES} .py files in this folder", str(path))
    return found


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") or part == "__pycache__" for part in path.parts)


def _last_word(annotation: ast.expr) -> str:
    """The name of a type: DataFrame of `pyspark.sql.DataFrame`, also as a text."""
    text = annotation.value if isinstance(annotation, ast.Constant) else ast.unparse(annotation)
    return str(text).rpartition(".")[2].strip()
