"""`python -m tallystick.experiments.dbt.commits REPOSITORY COMMIT…`: what commits of a dbt project changed.

Both versions are rendered as `python -m tallystick.experiments.dbt` does, without dbt and without a warehouse. What
`dbt ls --select state:modified+` would list are the models whose files or macros changed, and all that read these. They
are compared as `tallystick dataflow` compares folders of SQL, over the columns that either version reads of what else
they read, and the differences are run on DuckDB. One JSON object a line is printed for each commit: names of models,
counts and seconds.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tallystick.experiments.dbt.columns import Columns
from tallystick.experiments.dbt.files import ProjectError, ProjectFiles
from tallystick.experiments.dbt.reading import ProjectReading
from tallystick.experiments.dbt.rendering import Project

MEBIBYTES: Final = 4_096
"""Of memory, in all."""
_REF: Final = re.compile(r"\bref\(\s*(?:['\"]\w+['\"]\s*,\s*)?['\"](\w+)['\"]")
_MACRO: Final = re.compile(r"\bmacro\s+(?:default__|duckdb__)?(\w+)")
LIMIT: Final = 900
"""Seconds on the wall for the comparison of a commit."""


def main(arguments: list[str] | None = None) -> int:
    """Prints a line for each commit; the status is 3 where there is no project that can be read."""
    given = _parser().parse_args(arguments)
    for commit in given.commits:
        try:
            print(json.dumps(compared(given, commit), ensure_ascii=False), flush=True)
        except ProjectError as problem:
            print(f"error: {commit}: {problem}", file=sys.stderr)
            return 3
    return 0


def compared(given: argparse.Namespace, commit: str) -> dict[str, Any]:
    """What a commit changed, what dbt flags, and what is said of it."""
    with tempfile.TemporaryDirectory() as name:
        root, start = Path(name), time.process_time()
        old, new = (
            Version(given, _written(given.repository, revision, root / side))
            for revision, side in ((f"{commit}^", "old"), (commit, "new"))
        )
        modified = sorted(_changed(old.texts, new.texts) | _calling(_changed(old.macros, new.macros), old, new))
        flagged = old.above(modified) | new.above(modified)
        before, after = old.write(flagged, root / "from"), new.write(flagged, root / "to")
        columns = {name: _united(before.get(name, {}), after.get(name, {})) for name in before | after}
        (root / "schema.sql").write_text(_schema(columns), encoding="utf-8")
        rendered = time.process_time() - start
        said, seconds = _of_one_version(flagged, old, new), 0.0
        if said is None:
            said, seconds = _dataflow(root, new.project.dialect, given.timeout)
        shown = _git(given.repository, "show", "-s", "--format=%h%n%cs%n%s", commit).splitlines()
        return {
            "commit": shown[0], "day": shown[1], "subject": shown[2], "modified": modified, "flagged": len(flagged),
            "rendered": rendered, "seconds": seconds, **said,
        }  # fmt: skip


@dataclass
class Version:
    """A version of the project, in a folder of its own."""

    given: argparse.Namespace
    folder: Path

    def __post_init__(self) -> None:
        files = ProjectFiles(self.folder / self.given.path, self.given.inputs)
        dialect = self.given.dialect or files.adapter
        self.project = Project(files, dialect, self.given.packages)
        self.texts = {name: files.folder.text(path) for name, path in self.project.models.items()}
        self.macros = {name: files.folder.text(name) for name in files.of_kind("macro", ".sql")}
        self.refs = {name: set(_REF.findall(text)) for name, text in self.texts.items()}

    def above(self, names: Iterable[str]) -> set[str]:
        """The models of some names, and all that read them."""
        found, pending = set[str](), set(names)
        while pending:
            found |= pending
            pending = {name for name, reads in self.refs.items() if reads & pending} - found
        return found

    def write(self, flagged: set[str], folder: Path) -> dict[str, Columns]:
        """Writes the flagged models that are rendered, a file each; what else they read, with its columns."""
        folder.mkdir()
        below, pending = set[str](), flagged & self.project.models.keys()
        while pending:
            below |= pending
            pending = ({each for name in pending for each in self.refs[name]} & self.project.models.keys()) - below
        self.project.models = {name: path for name, path in self.project.models.items() if name in below}
        reading = ProjectReading(self.project)
        reading.run()
        models = [reading.models[name] for name in sorted(flagged & below)]
        for model in models:
            if not model.error:
                (folder / f"{model.name}.sql").write_text(model.sql, encoding="utf-8")
        read = {each for model in models for each in model.reads} - flagged
        return {name: reading.columns(name) for name in sorted(read)}


def _changed(old: Mapping[str, str], new: Mapping[str, str]) -> set[str]:
    return {name for name in old.keys() | new.keys() if old.get(name) != new.get(name)}


def _calling(paths: set[str], *versions: Version) -> set[str]:
    """The models that call macros of some files, or macros that call these."""
    found = set[str]()
    for version in versions if paths else ():
        names = {name for path in paths for name in _MACRO.findall(version.macros.get(path, ""))}
        while True:
            called = re.compile(rf"\b(?:{'|'.join(sorted(names)) or '-'})\b")
            more = {each for text in version.macros.values() if called.search(text) for each in _MACRO.findall(text)}
            if more <= names:
                break
            names |= more
        found |= {name for name, text in version.texts.items() if called.search(text)}
    return found


def _of_one_version(flagged: set[str], old: Version, new: Version) -> dict[str, Any] | None:
    """What is said where all models that are flagged are in one version; None where both have some."""
    for kind, version in (("added", old), ("removed", new)):
        if not flagged & version.texts.keys():
            return {"counts": {kind: len(flagged)}}
    return None


def _united(old: Columns, new: Columns) -> Columns:
    """The columns of both, whatever the case of their letters; one of both has the type of the new one."""
    names = {name.casefold() for name in new}
    return {name: of for name, of in old.items() if name.casefold() not in names} | new


def _schema(columns: Mapping[str, Columns]) -> str:
    """The inputs as CREATE TABLE statements."""
    tables = {
        name: ", ".join(f"{_name(column)} {text}" for column, text in listed.items())
        for name, listed in columns.items()
        if listed
    }
    return "".join(f"CREATE TABLE {name} ({listed});\n" for name, listed in tables.items())


def _name(column: str) -> str:
    return column if re.fullmatch(r"[A-Za-z_]\w*", column) else f'"{column}"'


def _dataflow(root: Path, dialect: str, timeout: float) -> tuple[dict[str, Any], float]:
    """What `tallystick dataflow` answers about the two folders, and its seconds of the processor."""
    if not all(any((root / side).iterdir()) for side in ("from", "to")):
        return {"error": "not rendered without a warehouse"}, 0.0
    command = [sys.executable, "-m", "tallystick", "dataflow", "from", "to", "--schema", "schema.sql"]
    command += ["--dialect", dialect, "--timeout", str(timeout), "--replay", "duckdb", "--json"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=LIMIT, check=False)
    except subprocess.TimeoutExpired:
        return {"error": f"no answer in {LIMIT} s"}, LIMIT
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if not done.stdout.startswith("{"):
        return {"error": done.stderr.strip().splitlines()[0] if done.stderr.strip() else "no answer"}, seconds
    return _told(json.loads(done.stdout)), seconds


def _told(answer: Mapping[str, Any]) -> dict[str, Any]:
    """The counts, the models that are changed and how that is known, and why others are unknown, by the first line."""
    if answer.get("error"):
        return {"error": answer["error"]["message"].splitlines()[0]}
    wires = answer["wires"]
    reasons = Counter(_cause(wire["reason"]) for wire in wires if wire["verdict"] == "unknown")
    return {
        "counts": answer["counts"],
        "changed": {wire["name"]: wire["reason"] for wire in wires if wire["verdict"] == "changed"},
        "unknown": dict(reasons.most_common()),
        "rebuild": len(answer["rebuild"]),
    }


def _cause(reason: str) -> str:
    """The first line of a reason, without names and places."""
    line = re.sub(r"\S+\.sql:\d+:\d+: ", "", reason.split("\n")[0])
    return re.sub(r"^(old|new) \S+: ", "", line)


def _written(repository: Path, revision: str, folder: Path) -> Path:
    """The files of a revision in a folder, but for those that are no text of a project."""
    folder.mkdir()
    archive = subprocess.Popen(
        ["git", "-C", str(repository), "archive", revision, "--", "."],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    subprocess.run(
        ["tar", "-x", "-C", str(folder), "--wildcards", "*.sql", "*.yml", "*.yaml", "*.csv"],
        stdin=archive.stdout, stderr=subprocess.DEVNULL, check=False,
    )  # fmt: skip
    archive.wait()
    return folder


def _git(repository: Path, *arguments: str) -> str:
    return subprocess.run(
        ["git", "-C", str(repository), *arguments], capture_output=True, text=True, check=True
    ).stdout.strip()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tallystick.experiments.dbt.commits", description=__doc__)
    parser.add_argument("repository", type=Path, help="a repository of git")
    parser.add_argument("commits", nargs="+", help="each is compared with its parent")
    parser.add_argument("--path", default=".", help="the folder of the project in it")
    parser.add_argument("--dialect", help="of its SQL; that of its profiles.yml if not given")
    parser.add_argument("--timeout", type=float, default=10.0, help="seconds for the proof of a model")
    parser.add_argument("--packages", type=Path, help="a folder of dbt packages")
    parser.add_argument("--inputs", default="", help="a folder of the project whose models fill refs that it lacks")
    return parser


if __name__ == "__main__":
    sys.exit(main())
