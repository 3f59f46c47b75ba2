"""The files of a dbt project, and what its YAML says: settings, columns of sources, seeds and models."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any, Final

import yaml

MADE: Final = frozenset({"target", "dbt_packages", "dbt_modules", "logs", ".git", ".venv", "venv", "node_modules"})
"""Folders that are no part of the text of a project."""
LARGEST: Final = 4_000_000
"""Bytes of a file that is read."""
MOST_FILES: Final = 50_000
ROWS_OF_SEEDS: Final = 1_000
"""Rows of a seed by which its types are told."""
PROJECT: Final = "dbt_project.yml"


class ProjectError(Exception):
    """A folder is no dbt project that can be read, and why."""


@dataclass(frozen=True)
class Folder:
    """The files of a folder, by names relative to it. Links are not followed: they may lead out of it."""

    root: Path

    @cached_property
    def names(self) -> list[str]:
        """The names of all files; raises ProjectError if they are too many."""
        found = []
        for path in sorted(self.root.rglob("*")):
            name = path.relative_to(self.root)
            if path.is_file() and not MADE & set(name.parts) and not self._linked(name):
                found.append(name.as_posix())
            if len(found) > MOST_FILES:
                raise ProjectError(f"the folder has more than {MOST_FILES:,} files")
        return found

    def _linked(self, name: Path) -> bool:
        return any((self.root / part).is_symlink() for part in (name, *name.parents))

    def ending(self, *ends: str) -> list[str]:
        """The names that end so."""
        return [name for name in self.names if name.endswith(ends)]

    def text(self, name: str) -> str:
        """The text of a file; "" of one that is too large."""
        path = self.root / name
        return path.read_text("utf-8", "replace") if path.stat().st_size <= LARGEST else ""

    def yaml(self, name: str) -> dict[str, Any]:
        """What a file of YAML says; {} if it is none."""
        try:
            part = yaml.load(self.text(name), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        except (yaml.YAMLError, ValueError, RecursionError):
            return {}
        return part if isinstance(part, dict) else {}


def parts(part: object, key: str) -> list[dict[str, Any]]:
    """The objects in a list of an object; [] if there is no such list."""
    found = part.get(key) if isinstance(part, Mapping) else None
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def part(of: object, key: str) -> dict[str, Any]:
    """The object in an object; {} if there is none."""
    found = of.get(key) if isinstance(of, Mapping) else None
    return found if isinstance(found, dict) else {}


def text_of(said: object) -> str:
    """The text of a scalar; "" of anything else: by its aliases, a list of YAML may be longer than any memory."""
    return str(said) if isinstance(said, str | int | float) else ""


class ProjectFiles:
    """The files of a project by what they are, with those of a folder `inputs` of it, which fill refs that it lacks."""

    def __init__(self, root: Path, inputs: str = "") -> None:
        self.folder, self.inputs = Folder(root), inputs.strip("/")
        if PROJECT not in self.folder.names:
            raise ProjectError(f"{root} has no {PROJECT}")
        self.settings = self.folder.yaml(PROJECT)
        self.name = text_of(self.settings.get("name"))

    def of_kind(self, kind: str, end: str) -> list[str]:
        """The names of models, macros, seeds or snapshots, in the folders that the settings give."""
        old = {"model": "source", "seed": "data"}.get(kind, kind)
        said = self.settings.get(f"{kind}-paths") or self.settings.get(f"{old}-paths") or [f"{kind}s"]
        roots = [text_of(each).strip("/") for each in said] if isinstance(said, list) else [f"{kind}s"]
        roots += [f"{self.inputs}/{kind}s"] if self.inputs else []
        return [name for name in self.folder.ending(end) if any(name.startswith(f"{root}/") for root in roots)]

    def is_input(self, name: str) -> bool:
        """Whether a file is one of the folder that fills refs."""
        return bool(self.inputs) and name.startswith(f"{self.inputs}/")

    @cached_property
    def properties(self) -> list[dict[str, Any]]:
        """What all other files of YAML say."""
        return [self.folder.yaml(name) for name in self.folder.ending(".yml", ".yaml") if not name.endswith(PROJECT)]

    @cached_property
    def adapter(self) -> str:
        """The adapter that the profiles beside the project name; "" if they name none, or several."""
        wanted = text_of(self.settings.get("profile"))
        found = set()
        for name in self.folder.ending("profiles.yml"):
            for profile, said in self.folder.yaml(name).items():
                if profile == wanted:
                    outputs = part(said, "outputs").values()
                    found |= {text_of(each.get("type")) for each in outputs if isinstance(each, Mapping)}
        return found.pop() if len(found) == 1 else ""

    def variables(self) -> dict[str, Any]:
        """The variables of the settings."""
        said = part(self.settings, "vars")
        return {**said, **part(said, self.name)}

    def materialised(self, path: str) -> str:
        """How the settings have a model kept, by its folder."""
        level, found = part(part(self.settings, "models"), self.name), "view"
        for name in (*PurePosixPath(path).with_suffix("").parts[1:], None):
            said = level.get("+materialized") or level.get("materialized")
            found = said if isinstance(said, str) else found
            level = part(level, name) if name is not None else {}
        return found

    def declared(self) -> Iterator[tuple[str, dict[str, str]]]:
        """The columns of sources (`source.table`), seeds, models and snapshots, with their types; "" for none."""
        for said in self.properties:
            for source in parts(said, "sources"):
                for table in parts(source, "tables"):
                    yield f"{text_of(source.get('name'))}.{text_of(table.get('name'))}", _columns(table)
            for kind in ("models", "snapshots", "seeds"):
                for node in parts(said, kind):
                    yield text_of(node.get("name")), _columns(node)

    def seeds(self) -> Iterator[tuple[str, dict[str, str]]]:
        """The columns of seeds: names of the first line, types as declared or as the rows show."""
        own = {
            text_of(node.get("name")): _columns(node) | _texts(part(node, "config").get("column_types"))
            for said in self.properties
            for node in parts(said, "seeds")
        }
        for path in self.of_kind("seed", ".csv"):
            name = PurePosixPath(path).stem
            known = self._column_types(path) | {each: of for each, of in own.get(name, {}).items() if of}
            known = {each.casefold(): of for each, of in known.items()}
            found = told_types(self.folder.text(path).splitlines())
            yield name, {each: known.get(each.casefold()) or of for each, of in found.items()}
        for name, columns in own.items():
            if all(columns.values()):
                yield name, columns

    def _column_types(self, path: str) -> dict[str, str]:
        """What the settings say of the types of a seed, by its folders and name."""
        level, found = part(part(self.settings, "seeds"), self.name), {}
        for name in (*PurePosixPath(path).with_suffix("").parts[1:], None):
            found |= _texts(level.get("+column_types") or level.get("column_types"))
            level = part(level, name) if name is not None else {}
        return found


def _columns(node: Mapping[str, Any]) -> dict[str, str]:
    return {text_of(each["name"]): text_of(each.get("data_type")) for each in parts(node, "columns") if "name" in each}


def _texts(of: object) -> dict[str, str]:
    return {text_of(name): text_of(text) for name, text in of.items()} if isinstance(of, Mapping) else {}


_FORMS: Final = (
    ("boolean", r"(?i:true|false)"),
    ("integer", r"[+-]?\d{1,18}"),
    ("float", r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?"),
    ("date", r"\d{4}-\d\d-\d\d"),
    ("timestamp", r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d+)?)?"),
)
"""Types that dbt gives to the columns of a seed, by the form that all values have, in the order in which it tries."""


def told_types(lines: Iterable[str]) -> dict[str, str]:
    """The columns of a file of comma-separated values, with the types that its first rows show; text for the others."""
    try:
        header, *rows = (row for row, _ in zip(csv.reader(lines), range(ROWS_OF_SEEDS + 1), strict=False))
    except (ValueError, csv.Error):
        return {}
    columns = [[row[at] for row in rows if at < len(row) and row[at].strip()] for at in range(len(header))]
    return {name.strip(): _told(values) for name, values in zip(header, columns, strict=True)}


def _told(values: list[str]) -> str:
    forms = ((kind, pattern) for kind, pattern in _FORMS if values)
    return next((kind for kind, form in forms if all(re.fullmatch(form, each.strip()) for each in values)), "text")
