"""Macros: those of the project, of packages in a folder, and of dbt where its packages are installed, as texts.

The folder `stand_ins` has the common macros of dbt and dbt_utils, for where they cannot be found; they say what the
documentation of each macro says. Macros of dbt itself are read from its installed packages, of which nothing is run.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from tallystick.experiments.dbt.files import PROJECT, Folder, ProjectFiles, text_of
from tallystick.experiments.dbt.sandbox import NotRenderedError, Sandbox

COMMENT: Final = re.compile(r"\{#.*?#\}", re.DOTALL)
_MACRO: Final = re.compile(r"\{%[-+]?\s*macro\s+(\w+)\s*(\(.*?\{%[-+]?\s*endmacro\s*[-+]?%\})", re.DOTALL)
STAND_INS: Final = ("dbt", "dbt_utils")

Macros = dict[tuple[str, str], Any]
"""What may be called, by package and name."""


class Returned(Exception):  # noqa: N818
    """What a macro returns with `return`."""

    def __init__(self, value: object) -> None:
        super().__init__()
        self.value = value


class Macro:
    """A macro of a package, compiled when it is first called."""

    def __init__(self, jinja: Sandbox, macros: Macros, package: str, name: str, body: str) -> None:
        self._jinja, self._macros, self._package, self._name, self._body = jinja, macros, package, name, body
        self._compiled: Callable[..., object] | None = None

    def __call__(self, *values: object, **named: object) -> object:
        if self._compiled is None:  # names that begin with _ are not exported, hence the prefix
            own = {name: macro for (package, name), macro in self._macros.items() if package == self._package}
            text = "{% macro macro__" + self._name + self._body
            made = self._jinja.from_string(text, globals=own).module.__dict__[f"macro__{self._name}"]
            self._compiled = made
        assert self._compiled is not None
        try:
            return self._compiled(*values, **named)
        except Returned as result:
            return result.value


def load_macros(jinja: Sandbox, project: ProjectFiles, adapter: str, packages: Path | None) -> Macros:
    """All macros; where several have one name in one package, the last one counts, of the project's own files."""
    found: Macros = {}
    for package, text in _texts(project, adapter, packages):
        for name, body in _MACRO.findall(COMMENT.sub("", text)):
            found[package, name] = Macro(jinja, found, package, name, body)
    return found


def _texts(project: ProjectFiles, adapter: str, packages: Path | None) -> Iterator[tuple[str, str]]:
    for package in STAND_INS:
        yield package, (files("tallystick.experiments.dbt") / "stand_ins" / f"{package}.sql").read_text("utf-8")
    for included in (Path(entry) / "dbt" / "include" for entry in sys.path):
        for part in ("global_project", adapter):
            yield from (("dbt", text) for text in _folder(included / part / "macros"))
    for folder in sorted(packages.iterdir()) if packages is not None and packages.is_dir() else ():
        if (folder / PROJECT).is_file():
            name = text_of(Folder(folder).yaml(PROJECT).get("name"))
            yield from ((name, text) for text in _folder(folder / "macros"))
    yield from ((project.name, project.folder.text(name)) for name in project.of_kind("macro", ".sql"))


def _folder(root: Path) -> Iterator[str]:
    folder = Folder(root)
    return (folder.text(name) for name in folder.ending(".sql")) if root.is_dir() else iter(())


class Dispatch:
    """`adapter.dispatch`: the macro of the adapter, or the default one; of the project before that of packages."""

    def __init__(self, macros: Mapping[tuple[str, str], Any], project: str, adapter: str) -> None:
        self._macros, self._project, self._adapter = macros, project, adapter

    def __call__(self, macro_name: str, macro_namespace: str | None = None, **_: object) -> Any:
        others = sorted({package for package, _ in self._macros})
        for package in dict.fromkeys((self._project, macro_namespace or "dbt", "dbt", *others)):
            for prefix in (self._adapter, "default"):
                if (package, f"{prefix}__{macro_name}") in self._macros:
                    return self._macros[package, f"{prefix}__{macro_name}"]
        raise NotRenderedError(f"there is no macro {macro_name} for {self._adapter}")
