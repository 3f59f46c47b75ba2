"""Functions whose items are all taken, where a generator is as good as a list."""

from __future__ import annotations

import ast
from typing import Final

_LAZY: Final = frozenset(
    ["map", "filter", "zip", "enumerate", "reversed", "range", "accumulate", "chain", "islice", "pairwise"]
)


def yields(code: ast.Lambda | ast.FunctionDef) -> bool:
    """Whether a function is a generator function."""
    return any(isinstance(each, ast.Yield | ast.YieldFrom) for each in _own_nodes(code))


def _own_nodes(code: ast.Lambda | ast.FunctionDef) -> list[ast.AST]:
    """The nodes of a function, but for those of functions inside."""
    waiting: list[ast.AST] = list(code.body) if isinstance(code, ast.FunctionDef) else [code.body]
    found: list[ast.AST] = []
    while waiting:
        node = waiting.pop()
        found.append(node)
        if not isinstance(node, ast.FunctionDef | ast.Lambda):
            waiting += ast.iter_child_nodes(node)
    return found


def with_lists(code: ast.Lambda | ast.FunctionDef) -> ast.Lambda | ast.FunctionDef:
    """The function with lists in the place of the generators that it returns."""
    if isinstance(code, ast.Lambda):
        return ast.copy_location(ast.Lambda(code.args, _with_lists(code.body)), code)
    if yields(code) or not any(isinstance(each, ast.Return) for each in _own_nodes(code)):
        return code
    return _Returns(code).visit(code)


class _Returns(ast.NodeTransformer):
    """Copies the statements around the values that a function returns; what is not around them stays."""

    def __init__(self, outermost: ast.FunctionDef) -> None:
        self._outermost = outermost

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self.generic_visit(node) if node is self._outermost else node

    def visit_Return(self, node: ast.Return) -> ast.AST:
        return node if node.value is None else ast.copy_location(ast.Return(_with_lists(node.value)), node)

    def generic_visit(self, node: ast.AST) -> ast.AST:
        fields = {}
        for name, value in ast.iter_fields(node):
            if isinstance(value, list):
                fields[name] = [self.visit(each) if isinstance(each, ast.AST) else each for each in value]
            else:
                fields[name] = self.visit(value) if isinstance(value, ast.AST) else value
        return ast.copy_location(type(node)(**fields), node)


def _with_lists(value: ast.expr) -> ast.expr:
    """An expression with a list in the place of a generator; conditional expressions, of each of both."""
    match value:
        case ast.GeneratorExp():
            return ast.copy_location(ast.ListComp(value.elt, value.generators), value)
        case ast.IfExp():
            return ast.copy_location(ast.IfExp(value.test, _with_lists(value.body), _with_lists(value.orelse)), value)
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in _LAZY:
            starred = ast.copy_location(ast.Starred(value, ast.Load()), value)
            return ast.copy_location(ast.List([starred], ast.Load()), value)
    return value
