"""The text that a function hangs on: its own, and whatever in the files of its pipeline it refers to, directly or not.

A module that is imported counts with all of its text, and so does each statement at the top of a file that is no
definition of a function: it may do anything. Comments, white space and docstrings do not count.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tallystick.frontends.errors import SourceError
from tallystick.frontends.sql.source import LARGEST_TEXT, load


@dataclass(frozen=True)
class File:
    """A file of a pipeline, parsed and not run."""

    path: Path
    tree: ast.Module

    @classmethod
    def read(cls, path: Path) -> File:
        """A file. Raises SourceError where it is no Python."""
        source = load(path)
        if len(source.text) > LARGEST_TEXT:
            raise SourceError(f"the text has more than {LARGEST_TEXT} characters", source.name)
        try:
            return cls(path, ast.parse(source.text))
        except (SyntaxError, ValueError, RecursionError, MemoryError) as problem:
            line, column = (getattr(problem, each, None) or 0 for each in ("lineno", "offset"))
            message = f"the file is no Python: {getattr(problem, 'msg', problem)}"
            raise SourceError(message, source.name, line, column) from None

    @cached_property
    def functions(self) -> dict[str, list[ast.FunctionDef | ast.AsyncFunctionDef]]:
        """The functions at the top of the file, by their names."""
        found: dict[str, list[ast.FunctionDef | ast.AsyncFunctionDef]] = {}
        for node in self.tree.body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                found.setdefault(node.name, []).append(node)
        return found

    @cached_property
    def others(self) -> list[ast.stmt]:
        """The other statements at the top of the file."""
        return [
            node
            for node in self.tree.body
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not _is_doc(node)
        ]


def closure(node: ast.FunctionDef, file: File, files: Sequence[File]) -> str:
    """The text that a function hangs on."""
    parts: dict[str, list[str]] = {}
    pending: list[tuple[File, ast.AST]] = [(file, node), *((file, each) for each in file.others)]
    seen = {id(each) for _, each in pending}
    while pending:
        place, each = pending.pop(0)
        parts.setdefault("" if place is file else place.path.name, []).append(_text(each))
        names = _names(each)
        reached = [(place, other) for name in names for other in place.functions.get(name, ())]
        for other in files:
            if other is not place and other.path.stem in names | {other.path.parent.name} & names:
                reached += [(other, statement) for statement in other.tree.body]
        for target in reached:
            if id(target[1]) not in seen:
                seen.add(id(target[1]))
                pending.append(target)
    return "\n".join(line for name in sorted(parts) for line in (f"# {name}", *sorted(parts[name])))


def called_elsewhere(files: Sequence[File]) -> set[str]:
    """The names that functions and other statements refer to and do not bind themselves, or import."""
    found: set[str] = set()
    for file in files:
        imports = [each for each in ast.walk(file.tree) if isinstance(each, ast.Import | ast.ImportFrom)]
        found |= {alias.name for each in imports if isinstance(each, ast.ImportFrom) for alias in each.names}
        modules = {alias.asname or alias.name.partition(".")[0] for each in imports for alias in each.names}
        for node in file.tree.body:
            own = node.name if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else ""
            found |= {name for name in _free(node, modules) if name != own}
    return found


def _free(node: ast.AST, modules: set[str]) -> set[str]:
    """The names that a statement reads, also of modules, without those that it binds anywhere."""
    loaded = {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)}
    for each in ast.walk(node):
        if isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name) and each.value.id in modules:
            loaded.add(each.attr)
    bound = {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load)}
    bound |= {each.arg for each in ast.walk(node) if isinstance(each, ast.arg)}
    return loaded - bound


def _names(node: ast.AST) -> set[str]:
    """The names in a statement, those of modules that it imports among them; in a function, not its parameters."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return set(_words(node))
    given = node.args
    parameters = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    own = {each.arg for each in parameters if each is not None}
    inside = {word for each in node.body for word in _words(each)}
    return (inside - own) | {
        word for each in (*node.decorator_list, given, node.returns or given) for word in _words(each)
    }


def _words(node: ast.AST) -> Iterator[str]:
    for each in ast.walk(node):
        match each:
            case ast.Name(id=name) | ast.Attribute(attr=name):
                yield name
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                for alias in names:
                    yield from alias.name.split(".")
                if isinstance(each, ast.ImportFrom) and each.module:
                    yield from each.module.split(".")
            case ast.Constant(value=str(text)):
                yield text  # importlib.import_module("helpers")
            case _:
                pass


def _text(node: ast.AST) -> str:
    """A statement without comments, white space and docstrings."""
    return ast.dump(_WithoutDocs().visit(ast.parse(ast.unparse(node))))


class _WithoutDocs(ast.NodeTransformer):
    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        body = getattr(node, "body", None)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and body and _is_doc(body[0]):
            node.body = body[1:] or [ast.Pass()]
        return node


def _is_doc(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
