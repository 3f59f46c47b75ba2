"""Lists that a function makes and appends to: which of them nothing else can see while they grow."""

from __future__ import annotations

import ast

from tallystick.frontends.pyspark.scoping.bound_names import BuiltinName
from tallystick.frontends.pyspark.scoping.scopes import Scope

READ_BY: frozenset[str] = frozenset({"len", "sum", "any", "all", "min", "max", "sorted", "tuple", "list"})
"""Functions that look at a list, and keep nothing of it."""


def is_private(name: str, scope: Scope) -> bool:
    """Whether a list of a function has no other name: it is made once, by a display, appended to, sorted and read.

    Where anything else is done with it, another name might stand for the same list, and would see it grow.
    """
    function = scope.node
    parents = {child: node for node in ast.walk(function) for child in ast.iter_child_nodes(node)}
    made = 0
    for node in ast.walk(function):
        if isinstance(node, ast.arg) and node.arg == name:
            return False
        if isinstance(node, ast.Global | ast.Nonlocal) and name in node.names:
            return False
        if isinstance(node, ast.Name) and node.id == name:
            if isinstance(node.ctx, ast.Store):
                made += 1
            if not _is_plain_use(node, parents, function):
                return False
    return made == len(scope.bindings[name]) == 1


def _is_plain_use(node: ast.Name, parents: dict[ast.AST, ast.AST], function: ast.AST) -> bool:
    around: ast.AST = node
    while (around := parents[around]) is not function:
        if isinstance(around, ast.FunctionDef | ast.Lambda | ast.ClassDef):
            return False
    match parents[node]:
        case ast.Assign(targets=[target], value=ast.List()) | ast.AnnAssign(target=target, value=ast.List()):
            return target is node
        case ast.Attribute():
            return is_changed(node, parents, frozenset({"append", "extend", "sort"}))
        case ast.Return() | ast.UnaryOp(op=ast.Not()):
            return True
        case ast.If(test=test) | ast.IfExp(test=test):
            return test is node
        case ast.For(iter=through) | ast.comprehension(iter=through):
            return through is node and not _grows_in(node, parents[node])
        case ast.Call(func=BuiltinName(id=reads), args=[argument]):
            return reads in READ_BY and argument is node
    return False


def grows(name: ast.Name, parents: dict[ast.AST, ast.AST]) -> bool:
    """Whether this is a name in a statement that appends to what it stands for."""
    return is_changed(name, parents, frozenset({"append", "extend"}))


def is_changed(name: ast.Name, parents: dict[ast.AST, ast.AST], methods: frozenset[str]) -> bool:
    """Whether this is a name in a statement that calls one of these methods."""
    match parents[name]:
        case ast.Attribute(attr=method) as called:
            call = parents[called]
            is_call = isinstance(call, ast.Call) and call.func is called and isinstance(parents[call], ast.Expr)
            return is_call and method in methods
    return False


def _grows_in(name: ast.Name, loop: ast.AST) -> bool:
    """Whether the loop that goes through a list appends to it."""
    return any(
        isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == name.id
        for node in ast.walk(loop)
    )
