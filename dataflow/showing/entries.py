"""A verdict as lines of a report, each at the file of its model."""

from __future__ import annotations

import os
from pathlib import Path

from tallystick.dataflow.showing.text import difference_lines, first_line, printable
from tallystick.dataflow.verdict import DataflowVerdict, WireVerdict
from tallystick.reports import Entry

SUFFIXES = (".sql", ".py")
MADE = ("target", "dbt_packages", "dbt_modules", "node_modules", "__pycache__")
"""Folders whose files nobody writes."""


def entries(verdict: DataflowVerdict, new: Path) -> list[Entry]:
    """A line for each wire; its file is the one of its name in the new version, if there is one such file alone."""
    places = _places(new)
    return [_entry(verdict, wire, places.get(wire.name, "")) for wire in verdict.wires]


def _entry(verdict: DataflowVerdict, wire: WireVerdict, path: str) -> Entry:
    lines = [f"{wire.name}: {wire.change}: {first_line(wire.reason)}" if wire.reason else f"{wire.name}: {wire.change}"]
    if wire.difference is not None:
        lines += ["it differs on this input:", *difference_lines(verdict, wire, wire.difference)]
    return Entry(wire.name, str(wire.change), "\n".join(map(printable, lines)), path)


def _places(new: Path) -> dict[str, str]:
    """The files of a version, or of the project whose target it is, by the names of models."""
    root = new.parent if new.name == "target" else new
    if not root.is_dir():
        return {}
    found: dict[str, list[str]] = {}
    for place, folders, files in os.walk(root):
        folders[:] = sorted(each for each in folders if not each.startswith(".") and each not in MADE)
        for file in files:
            name, suffix = os.path.splitext(file)
            if suffix in SUFFIXES:
                found.setdefault(name, []).append(str(Path(place, file)))
    return {name: paths[0] for name, paths in found.items() if len(paths) == 1}
