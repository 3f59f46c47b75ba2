"""Where a file gets at names, modules and attributes without saying which: what may change what a program uses."""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import Final

from tallystick.frontends.pyspark.scoping.bound_names import BuiltinName
from tallystick.frontends.pyspark.scoping.scopes import library_name
from tallystick.frontends.pyspark.scoping.source import SourceFile

_GIVING: Final = frozenset({"globals", "locals", "exec", "eval"})
_ATTRIBUTES: Final = frozenset({"__globals__", "__builtins__", "f_globals", "f_locals", "f_builtins"})
_IN_TEXTS: Final = _ATTRIBUTES | _GIVING | {"setattr", "delattr", "__setattr__", "__dict__"}
_FULL_NAMES: Final = frozenset({"sys.modules", "sys._getframe", "inspect.currentframe"})
_SETTERS: Final = frozenset({"setattr", "delattr"})
_CLASSES: Final = frozenset({"type", "object"})


@lru_cache(maxsize=256)
def namespaces(source: SourceFile) -> tuple[ast.AST, ...]:
    """Where a file gets at names of modules without saying which: `globals()`, `vars()`, `__builtins__`, `exec(text)`.

    By other names too, as in `from builtins import exec as run` and `getattr(f, "__globals__")`. What `exec` runs in a
    dictionary that it is given binds names there.
    """
    found: list[ast.AST] = []
    elsewhere: set[ast.expr] = set()
    for node in ast.walk(source.tree):
        match node:
            case ast.Call(func=ast.Name(id="exec" | "eval") as called, args=[_, _, *_]):
                elsewhere.add(called)
            case BuiltinName(id=name) if name in _GIVING and node not in elsewhere:
                found.append(node)
            case ast.Call(func=ast.Name(id="vars"), args=[]) | ast.Name(id="__builtins__"):
                found.append(node)
            case ast.Attribute(attr=name) if name in _ATTRIBUTES:
                found.append(node)
            case ast.Attribute(value=ast.Call() | ast.Name(id="sys"), attr="modules"):
                found.append(node)
            case ast.Call(
                func=ast.Name(id="getattr" | "attrgetter") | ast.Attribute(attr="attrgetter"), args=arguments
            ):
                texts = [each.value for each in arguments if isinstance(each, ast.Constant)]
                found += [node] if any(_named(str(text)) for text in texts) else []
        if isinstance(node, ast.Attribute | ast.Name) and _is_by_other_name(node, source):
            found.append(node)
    return tuple(found)


def _named(text: str) -> bool:
    return not _IN_TEXTS.isdisjoint(text.split("."))


def _is_by_other_name(node: ast.Attribute | ast.Name, source: SourceFile) -> bool:
    full = library_name(node, source)
    if full is None:
        return False
    written = isinstance(node, ast.Name) and full == f"builtins.{node.id}"
    return full in _FULL_NAMES or (not written and full in {f"builtins.{each}" for each in (*_GIVING, "vars")})


@lru_cache(maxsize=256)
def patches(source: SourceFile) -> tuple[ast.AST, ...]:
    """Where a file imports what gives names other values by texts that name them: `unittest.mock`."""
    found: list[ast.AST] = []
    for node in ast.walk(source.tree):
        match node:
            case ast.Import(names=names) | ast.ImportFrom(module="unittest", names=names):
                found += [node for each in names if each.name in ("unittest.mock", "mock")]
            case ast.ImportFrom(module="unittest.mock" | "mock", level=0):
                found.append(node)
    return tuple(found)


@lru_cache(maxsize=256)
def setters_handed_on(source: SourceFile) -> tuple[ast.AST, ...]:
    """Where `setattr` or `delattr` is a value, so that it is not seen what they are called with."""
    called = {node.func for node in ast.walk(source.tree) if isinstance(node, ast.Call)}
    return tuple(
        node
        for node in ast.walk(source.tree)
        if node not in called
        and (
            (isinstance(node, BuiltinName) and node.id in _SETTERS)
            or (isinstance(node, ast.Attribute) and node.attr in {"__setattr__", "__delattr__"} and _of_python(node))
        )
    )


def _of_python(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id in _CLASSES


@lru_cache(maxsize=256)
def modules_handed_on(source: SourceFile, libraries: tuple[str, ...]) -> tuple[ast.Name, ...]:
    """Where one of these modules is a value, so that it is not seen what assigns to its attributes."""
    asked: set[ast.expr] = set()
    for node in ast.walk(source.tree):
        match node:
            case ast.Attribute(value=owner) | ast.Call(func=ast.Name(id="getattr" | "hasattr"), args=[owner, *_]):
                asked.add(owner)
    return tuple(
        node
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Name)
        and isinstance(node.ctx, ast.Load)
        and node not in asked
        and library_name(node, source) in libraries
    )
