"""`tallystick changes`: compares the working copy with the revision of git from which it started."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from tallystick.commands.dataflow import compare, dataflow

if TYPE_CHECKING:
    from tallystick.frontends.sql.source import Source

OPTIONS = [each for each in dataflow.params if isinstance(each, click.Option)]
"""The options of `dataflow`, which `changes` has, too."""


@click.command(params=OPTIONS)
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--base", default="HEAD", show_default=True, help="A revision; where the working branch left it is the old version."
)
@click.option("--prepare", metavar="COMMAND", help='Run by a shell in both versions first, such as "dbt compile".')
def changes(path: Path, base: str, prepare: str | None, **options: Any) -> None:
    """Compare PATH with what it was where the branch left BASE, model by model, as `dataflow` does.

    PATH is a folder of .sql files, a dbt project, or a pipeline of PySpark, in a repository of git. The new version is
    the working copy as it is; the old one is written to a temporary folder. Options and exit status are those of
    `dataflow`.
    """
    root = Path(_git("rev-parse", "--show-toplevel", at=path))
    place = path.resolve().relative_to(root.resolve())
    start = _git("merge-base", base, "HEAD", at=root)
    with tempfile.TemporaryDirectory() as folder:
        old = Path(folder) / "old"
        old.mkdir()
        _check_out(root, start, old)
        if prepare is not None:
            for version in (old, root):
                _prepared(prepare, version / (place if path.is_dir() else place.parent))
        if not (old / place).exists():
            raise click.UsageError(f"{path} is not in {base}: there is nothing to compare it with")
        if (schema := _below(root, options["schema"])) is not None:
            (old / schema).unlink(missing_ok=True)  # where it lies among the models: it is none
        names = f"{path} at {start[:12]}", str(path)
        raise SystemExit(compare(old / place, path, names, **options))


def _git(*arguments: str, at: Path, **variables: str) -> str:
    """What git prints; raises UsageError with what it says where it fails.

    Hooks of git run with variables that name the index of the commit in the making: they are kept from git here.
    """
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | variables
    folder = at if at.is_dir() else at.parent
    try:
        done = subprocess.run(
            ["git", *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        raise click.UsageError("git is not installed") from None
    if done.returncode:
        raise click.UsageError(f"git {arguments[0]} fails: {done.stderr.strip()}")
    return done.stdout.strip()


def _below(root: Path, schema: Source | None) -> Path | None:
    """The place of a schema's file in the repository, if it has one."""
    if not isinstance(schema, str) or not os.path.isfile(schema):
        return None
    file = Path(schema).resolve()
    return file.relative_to(root.resolve()) if file.is_relative_to(root.resolve()) else None


def _check_out(root: Path, revision: str, folder: Path) -> None:
    """Writes the files of a revision, by an index of its own: the repository stays as it is."""
    with tempfile.TemporaryDirectory() as elsewhere:
        index = str(Path(elsewhere) / "index")
        _git("read-tree", revision, at=root, GIT_INDEX_FILE=index)
        _git("checkout-index", "--all", f"--prefix={folder}/", at=root, GIT_INDEX_FILE=index)


def _prepared(command: str, folder: Path) -> None:
    """Runs a command in a version; raises UsageError where it fails."""
    done = subprocess.run(
        command, shell=True, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    if done.returncode:
        output = done.stdout.decode(errors="replace").strip()
        raise click.UsageError(f"{command!r} ends with {done.returncode} in {folder}: {output[-2000:]}")
