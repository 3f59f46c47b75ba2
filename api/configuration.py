"""Defaults of options from a file: `tallystick.toml`, or the table `[tool.tallystick]` of `pyproject.toml`.

A key is the name of an option. Keys on top hold for each command of COMMANDS that has the option; those of a table that
is called like a command hold for it alone, and go first. No key runs a program or writes a file, so that a repository
of somebody else's is compared without either.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from tallystick.core.errors import TallystickError

COMMANDS: Final = ("check", "audit", "lint", "explain", "plans", "dataflow", "changes", "serve")
"""The commands that heed a file: questions about programs. What reproduces a paper heeds none."""
TEXT, TEXTS, NUMBER, COUNT = "a text", "a list of texts", "a number", "a whole number"
KEYS: Final[Mapping[str, tuple[str, str]]] = {
    "assume": (TEXTS, "as --assume"),
    "base": (TEXT, "the revision that `changes` compares with"),
    "collation": (TEXT, "as --collation"),
    "dialect": (TEXT, "what SQL means"),
    "memory": (COUNT, "mebibytes for a pair"),
    "schema": (TEXT, "the tables: a path from the folder of the file, or a text"),
    "select": (TEXTS, "models that `dataflow` and `changes` look at"),
    "solver": (TEXT, "what decides premises first"),
    "sources": (TEXT, "what `changes` and `lint` look at where no path is given: a path from the folder of the file"),
    "timeout": (NUMBER, "seconds, as --timeout"),
}
"""What a file may say, the type, and the meaning."""
PARAMETERS: Final = {"changes": {"sources": "path"}, "lint": {"sources": "paths"}}
"""Where the parameter of a command is not called like the key."""


class ConfigurationError(TallystickError, ValueError):
    """A file of configuration is not understood.

    Attributes:
        path: the file.
        hint: what was meant, perhaps, or "".
    """

    def __init__(self, path: Path, message: str, hint: str = "") -> None:
        super().__init__(f"{path}: {message}{f'; {hint}' if hint else ''}")
        self.path, self.hint = str(path), hint


def found(folder: Path) -> Path | None:
    """The file that holds in a folder: its own, or one above it in the same repository of git; None if there is none.

    Outside of a repository the folder's own counts alone: what lies above it may be anybody's.
    """
    above = [folder, *folder.parents]
    root = next((index for index, each in enumerate(above) if (each / ".git").exists()), 0)
    for each in above[: root + 1]:
        if (file := each / "tallystick.toml").is_file():
            return file
        if (file := each / "pyproject.toml").is_file() and "tallystick" in table(file, "tool"):
            return file
    return None


def table(file: Path, name: str) -> dict[str, Any]:
    """A table of a file; empty where it has none. Raises ConfigurationError where the file is no TOML.

    Projects that do not speak of Tallystick are not parsed.
    """
    content = file.read_bytes()
    if b"tallystick" not in content and file.name == "pyproject.toml":
        return {}
    import tomllib

    try:
        parsed = tomllib.loads(content.decode())
    except ValueError as problem:  # also of what is not UTF-8
        raise ConfigurationError(file, f"this is no TOML: {problem}") from None
    wanted = parsed if not name else parsed.get(name, {})
    return wanted if isinstance(wanted, dict) else {}


def defaults(file: Path, command: str, takes: Collection[str]) -> dict[str, Any]:
    """What a file says of the parameters of a command: the names of `takes` that it speaks of, with their values.

    Raises ConfigurationError for what it may not say, wherever in the file it stands.
    """
    content = table(file, "") if file.name == "tallystick.toml" else table(file, "tool").get("tallystick", {})
    if not isinstance(content, dict):
        raise ConfigurationError(file, "tool.tallystick is no table")
    given: dict[str, Any] = {}
    for key, value in content.items():
        if key in COMMANDS and isinstance(value, dict):
            continue
        _require(file, key, value, [*KEYS, *COMMANDS])
        given[key] = value
    for name in COMMANDS:
        for key, value in content.get(name, {}).items():
            _require(file, key, value, KEYS, f"{name}.")
            if name == command and _parameter(name, key) not in takes:
                raise ConfigurationError(file, f"{name}.{key}: {name} has no option --{key}")
        given |= content.get(name, {}) if name == command else {}
    return dict(_values(file, command, given, takes))


def _parameter(command: str, key: str) -> str:
    return PARAMETERS.get(command, {}).get(key, key)


def _values(file: Path, command: str, given: Mapping[str, Any], takes: Collection[str]) -> Iterator[tuple[str, Any]]:
    for key, value in given.items():
        name = _parameter(command, key)
        if name not in takes:
            continue
        path = Path(os.path.relpath(file.parent / value)) if key in ("schema", "sources") else None
        if path is not None and (key == "sources" or path.is_file()):
            value = [str(path)] if name == "paths" else str(path)
        yield name, value


def _require(file: Path, key: str, value: Any, known: Collection[str], before: str = "") -> None:
    """Raises ConfigurationError unless a key is known, and its value has the type."""
    if key not in KEYS:
        import difflib

        close = difflib.get_close_matches(key, known, 1)
        meant = f"did you mean {close[0]}?" if close else f"there are {', '.join(known)}"
        raise ConfigurationError(file, f"there is no key {before}{key}", meant)
    of, _ = KEYS[key]
    right = {
        TEXT: isinstance(value, str),
        TEXTS: isinstance(value, list) and all(isinstance(each, str) for each in value),
        NUMBER: isinstance(value, int | float) and not isinstance(value, bool),
        COUNT: isinstance(value, int) and not isinstance(value, bool),
    }
    if not right[of]:
        raise ConfigurationError(file, f"{before}{key} must be {of}")
