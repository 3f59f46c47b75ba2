"""The files that dbt leaves in its target folder: manifest.json, and catalog.json if there is one.

Manifests of the versions 10 to 12 are read, which dbt 1.6 and later write. Both files are untrusted: whatever is not of
the form that is expected is refused, with its place.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tallystick.frontends.errors import SourceError

LARGEST: Final = 500_000_000
"""Bytes of a file that is read."""
VERSIONS: Final = range(10, 13)
"""The versions of manifests that are read."""


@dataclass(frozen=True)
class Part:
    """An object of a manifest, and where it is."""

    data: Mapping[str, Any]
    where: str

    def text(self, key: str) -> str:
        """A text; "" if there is none."""
        return self._of(key, str, "a text") or ""

    def flag(self, key: str) -> bool:
        """A truth value; false if there is none."""
        return bool(self._of(key, bool, "true or false"))

    def part(self, key: str) -> Part:
        """An object; an empty one if there is none."""
        return Part(self._of(key, Mapping, "an object") or {}, f"{self.where}.{key}")

    def parts(self, key: str) -> dict[str, Part]:
        """The objects of an object, by name."""
        inner = self.part(key)
        return {name: inner.part(name) for name in inner.data}

    def texts(self, key: str) -> list[str]:
        """A list of texts; an empty one if there is none."""
        found = self._of(key, list, "a list") or []
        if not all(isinstance(each, str) for each in found):
            raise SourceError(f"{key!r} is no list of texts", self.where)
        return list(found)

    def _of(self, key: str, kind: type, described: str) -> Any:
        value = self.data.get(key)
        if value is not None and not isinstance(value, kind):
            raise SourceError(f"{key!r} is not {described}", self.where)
        return value


def manifest_in(path: Path) -> Path | None:
    """The manifest that a path means: the file itself, or in a target folder or a project; None if there is none."""
    for candidate in (path, path / "manifest.json", path / "target" / "manifest.json"):
        if candidate.is_file() and candidate.suffix == ".json":
            return candidate
    return None


def load(path: Path) -> Part:
    """The object of a file of JSON."""
    try:
        if path.stat().st_size > LARGEST:
            raise SourceError(f"the file has more than {LARGEST} bytes", str(path))
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise SourceError(f"the file cannot be read: {problem.strerror or problem}", str(path)) from None
    except (ValueError, RecursionError) as problem:
        raise SourceError(f"the file is no JSON: {str(problem).splitlines()[0]}", str(path)) from None
    if not isinstance(data, dict):
        raise SourceError("the file is no JSON object", str(path))
    return Part(data, str(path))


def require_version(manifest: Part) -> None:
    """Raises SourceError unless the manifest is of a version that is read."""
    said = manifest.part("metadata").text("dbt_schema_version")
    name = said.removesuffix(".json").rpartition("/")[2]
    if name not in [f"v{number}" for number in VERSIONS]:
        found = f"of the version {name}" if said else "no manifest of dbt"
        raise SourceError(f"the file is {found}; manifests of the versions 10 to 12 are read", manifest.where)
    if "nodes" not in manifest.data:
        raise SourceError("the manifest has no nodes", manifest.where, hint="make it anew with dbt compile")
