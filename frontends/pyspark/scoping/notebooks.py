"""Jupyter notebooks as Python source text: the code cells, one after the other, without what only IPython reads."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

_MAGIC = re.compile(r"^(\s*)%(\w+)(.*)$")
# Magics that bind no Python name. Any other may give a name another value, and is refused; `time` runs what follows.
_LINE_MAGICS = frozenset(
    {
        "alias",
        "autoreload",
        "cd",
        "conda",
        "config",
        "env",
        "history",
        "load_ext",
        "ls",
        "matplotlib",
        "mkdir",
        "pinfo",
        "pip",
        "precision",
        "pwd",
        "reload_ext",
        "set_env",
        "who",
        "whos",
        "xmode",
    }
)
_CELL_MAGICS = frozenset(
    {
        "bash",
        "file",
        "html",
        "javascript",
        "js",
        "latex",
        "markdown",
        "script",
        "sh",
        "svg",
        "timeit",
        "writefile",
    }
)


@dataclass(frozen=True, slots=True)
class Notebook:
    """The source text of a notebook.

    Attributes:
        text: the code of all cells; a line that is no Python is a `pass`, so that lines keep their places.
        cells: for each code cell, its number among all code cells, from 1, and the line of the text that it begins on.
    """

    text: str
    cells: tuple[tuple[int, int], ...]

    def place(self, line: int) -> tuple[int, int]:
        """The code cell that a line of the text stands in, and its line there, both from 1."""
        number, first = next((each for each in reversed(self.cells) if each[1] <= line), (1, 1))
        return number, line - first + 1


def read_notebook(content: str) -> Notebook:
    """The notebook that a JSON text describes; raises ValueError when it is none."""
    try:
        data = json.loads(content)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    cells = data.get("cells") if isinstance(data, dict) else None
    if not isinstance(cells, list):
        raise ValueError("it has no cells")
    lines: list[str] = []
    places: list[tuple[int, int]] = []
    for cell in cells:
        if isinstance(cell, dict) and cell.get("cell_type") == "code":
            places.append((len(places) + 1, len(lines) + 1))
            lines += _python(_source(cell.get("source")))
    return Notebook("\n".join([*lines, ""]), tuple(places))


def _source(source: Any) -> str:
    """A cell's text, which is one string or a list of lines."""
    parts = source if isinstance(source, list) else [source]
    if not all(isinstance(part, str) for part in parts):
        raise ValueError("a code cell has no text")
    return "".join(parts)


def _python(cell: str) -> list[str]:
    """The lines of a cell as Python; raises ValueError for magics that may bind names."""
    lines = cell.replace("\r\n", "\n").split("\n")
    if lines[0].startswith("%%"):
        magic = lines[0][2:].split()[0] if lines[0][2:].split() else ""
        if magic in _CELL_MAGICS:
            return ["pass"] * len(lines)
        if lines[0].split() != ["%%time"]:
            raise ValueError(f"the cell magic `%%{magic}` is not supported")
        lines[0] = "pass"
    try:
        compile(cell, "<cell>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return [_line(line) for line in lines]
    return lines


def _line(line: str) -> str:
    """A line of a cell that is not Python throughout: magics, commands of the shell and questions bind nothing."""
    indentation = line[: len(line) - len(line.lstrip())]
    if line.strip()[:1] in ("!", "?") or line.rstrip().endswith("?"):
        return f"{indentation}pass"
    magic = _MAGIC.match(line)
    if magic is None:
        return line
    if magic[2] == "time":
        return f"{indentation}{magic[3].strip() or 'pass'}"
    if magic[2] not in _LINE_MAGICS:
        raise ValueError(f"the magic `%{magic[2]}` is not supported")
    return f"{indentation}pass"
