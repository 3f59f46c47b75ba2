"""No two modules of `tallystick.streaming` import each other, directly or by way of others, at any place."""

from __future__ import annotations

import ast
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "streaming"
ROOT = "tallystick.streaming"


def _modules():
    found = {}
    for path in FOLDER.rglob("*.py"):
        parts = path.relative_to(FOLDER).with_suffix("").parts
        found[".".join((ROOT, *(parts[:-1] if parts[-1] == "__init__" else parts)))] = path
    return found


def _imports(path, modules):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names] + [node.module]
            names = [names[0] if names[0] in modules else node.module] if len(names) == 2 else names
        else:
            continue
        yield from (name for name in names if name in modules)


def test_there_are_no_import_circles():
    modules = _modules()
    packages = {name for name, path in modules.items() if path.name == "__init__.py"}
    # What a package's own `__init__` gathers, it takes from below: only the modules themselves are looked at.
    graph = {
        name: {each for each in _imports(path, modules) if each != name and each not in packages}
        for name, path in modules.items()
        if name not in packages
    }
    finished, path = set(), []

    def visit(name):
        assert name not in path, " → ".join([*path[path.index(name) :], name])
        if name in finished:
            return
        path.append(name)
        for imported in sorted(graph[name]):
            visit(imported)
        path.pop()
        finished.add(name)

    for name in sorted(graph):
        visit(name)
    assert len(finished) > 30
