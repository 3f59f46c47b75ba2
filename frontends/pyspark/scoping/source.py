"""Source files, parsed and never run, and the places in them that errors point at."""

from __future__ import annotations

import ast
import tokenize
import warnings
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from types import CodeType
from typing import Final

from tallystick.frontends.errors import SourceError, excerpt_of
from tallystick.frontends.pyspark.scoping.bound_names import mark_builtin_names
from tallystick.frontends.pyspark.scoping.notebooks import Notebook, read_notebook

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
NOTEBOOK: Final = ".ipynb"


@dataclass(frozen=True, eq=False)
class SourceFile:
    """A parsed file.

    Attributes:
        path: the file, as it was named.
        folder: the absolute folder of the file, from which imports of sibling files start.
        name: what messages call it.
        text, tree: the source text, and its syntax tree.
        code: what Python compiles it to; it is compared with functions in memory, and never run.
        notebook: the notebook that the text was read from, if any.
    """

    path: Path
    folder: Path
    name: str
    text: str
    tree: ast.Module
    code: CodeType
    notebook: Notebook | None = None

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the text."""
        return lines_of(self.text)

    @property
    def file(self) -> Path:
        """The absolute path of the file."""
        return self.folder / self.path.name

    def shown(self, line: int) -> tuple[str, int]:
        """How messages call the file and a line of it: in a notebook, the lines of each code cell are counted anew."""
        return shown_in(self.notebook, self.name, line)

    def place(self, node: ast.AST) -> Place:
        """The place of a node of this file."""
        return Place(self, node)

    def segment(self, node: ast.AST) -> str:
        """The whole source lines of a statement, decorators included."""
        first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", []))])  # type: ignore[attr-defined]
        return "\n".join(self.lines[first - 1 : node.end_lineno])  # type: ignore[attr-defined]


@dataclass(frozen=True)
class Place:
    """A node of a source file, for errors to point at."""

    source: SourceFile
    node: ast.AST

    @property
    def position(self) -> tuple[int, int]:
        """Line and column, both from 1."""
        line, offset = getattr(self.node, "lineno", 1), getattr(self.node, "col_offset", 0)
        lines = self.source.lines
        return line, characters(lines[line - 1] if line <= len(lines) else "", offset) + 1

    def error(self, message: str, hint: str = "") -> SourceError:
        """The error that points at this place."""
        node, lines = self.node, self.source.lines
        line, column = self.position
        text, start = lines[line - 1] if line <= len(lines) else "", column - 1
        same_line = getattr(node, "end_lineno", line) == line
        end = characters(text, getattr(node, "end_col_offset", 0)) if same_line else len(text.rstrip())
        excerpt = excerpt_of(text, start, end)
        name, line = self.source.shown(line)
        return SourceError(message, name, line, column, hint, excerpt)


def shown_in(notebook: Notebook | None, name: str, line: int) -> tuple[str, int]:
    """How messages call a file, or the cell of a notebook, and a line of it."""
    if notebook is None:
        return name, line
    cell, line = notebook.place(line)
    return f"{name}[{cell}]", line


def lines_of(text: str) -> list[str]:
    """The lines of a source text as Python counts them: form feeds and the like end no line."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def characters(line: str, offset: int) -> int:
    """The number of characters in the first `offset` bytes of a line, which is how `ast` counts columns."""
    return len(line.encode()[:offset].decode(errors="replace"))


def load(path: Path, name: str | None = None) -> SourceFile:
    """The parsed file at `path`; raises SourceError when it is missing, unreadable or no Python."""
    name = str(path) if name is None else name
    notebook = None
    try:
        if path.suffix == NOTEBOOK:
            notebook = read_notebook(path.read_text(encoding="utf-8"))
            text = notebook.text
        else:
            with tokenize.open(path) as stream:
                text = stream.read()
    except FileNotFoundError:
        raise SourceError("there is no such file", name) from None
    except OSError as problem:
        raise SourceError(f"the file cannot be read: {problem.strerror or problem}", name) from None
    except (SyntaxError, ValueError) as problem:
        kind = "a notebook" if path.suffix == NOTEBOOK else "Python source text"
        raise SourceError(f"the file is not {kind}: {_first_line(problem)}", name) from None
    return parse(text, path, name, notebook)


def parse(text: str, path: Path, name: str, notebook: Notebook | None = None) -> SourceFile:
    """The parsed `text` of a file; raises SourceError when it is no Python or nested too deeply."""
    return _parse(text, path, path.resolve().parent, name, notebook)


@lru_cache(maxsize=64)
def _parse(text: str, path: Path, folder: Path, name: str, notebook: Notebook | None) -> SourceFile:
    """The same text of the same file is the same SourceFile, so that it is parsed once."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            warnings.simplefilter("ignore", DeprecationWarning)
            tree = ast.parse(text)
            code = compile(tree, name, "exec", dont_inherit=True)  # finds the errors that the parser leaves
        mark_builtin_names(tree)
        return SourceFile(path, folder, name, text, tree, code, notebook)
    except SyntaxError as problem:
        line, offset = problem.lineno or 1, max((problem.offset or 1) - 1, 0)
        lines = lines_of(text)
        shown = lines[line - 1] if line <= len(lines) else ""
        end = problem.end_offset - 1 if problem.end_lineno == line and problem.end_offset else offset + 1
        excerpt = excerpt_of(shown, offset, end)
        message = f"syntax error: {problem.msg}"
        name, line = shown_in(notebook, name, line)
        raise SourceError(message, name, line, offset + 1, excerpt=excerpt) from None
    except (RecursionError, MemoryError):
        raise SourceError("the code is nested too deeply", name, hint="name intermediate values") from None
    except ValueError as problem:
        raise SourceError(f"the file is not Python source text: {_first_line(problem)}", name) from None


def _first_line(problem: Exception) -> str:
    return (str(problem).splitlines() or [type(problem).__name__])[0]
