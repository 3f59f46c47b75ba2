"""Generators as arguments of functions of the code, which are lists there where the function goes through them once."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Final

from tallystick.frontends.pyspark.uninterpreted.names import Local, TypingContext
from tallystick.frontends.pyspark.uninterpreted.types import may_change

TAKE_ALL: Final = frozenset({"sorted", "set", "frozenset", "list", "tuple", "sum", "min", "max"})
"""Functions that go through what they are given, to its end."""


def as_list(context: TypingContext, given: ast.GeneratorExp) -> ast.ListComp:
    """The list of the items of a generator: one node, each time that code is read."""
    made = ast.copy_location(ast.ListComp(given.elt, given.generators), given)
    found = context.growth.kept.setdefault(given, made)
    assert isinstance(found, ast.ListComp)
    return found


def stays_as_it_is(context: TypingContext, given: ast.GeneratorExp) -> bool:
    """Whether a generator gives the same items whenever it runs: it looks at nothing that may change before."""
    nodes = [*ast.walk(given)]
    if any(isinstance(each, ast.NamedExpr) for each in nodes):
        return False
    own = {each.id for each in nodes if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
    own |= {each.arg for each in nodes if isinstance(each, ast.arg)}
    names = {each.id for each in nodes if isinstance(each, ast.Name)} - own
    names |= {each.id for each in ast.walk(given.generators[0].iter) if isinstance(each, ast.Name)}
    found = [context.find(name, given) for name in sorted(names)]
    types = [each[1] for each in found if isinstance(each, tuple)]
    return not any(isinstance(of, Local) or may_change(of) for of in types)


def is_gone_through_once(code: ast.FunctionDef | ast.Lambda, name: str, is_builtin: Callable[[str], bool]) -> bool:
    """Whether all that a function does with a parameter is to go through it once, to its end: a list means the same.

    Args:
        code: the function.
        name: the parameter.
        is_builtin: whether a name stands for Python's own function where the function stands.
    """
    parents = {child: node for node in ast.walk(code) for child in ast.iter_child_nodes(node)}
    uses = [node for node in ast.walk(code) if isinstance(node, ast.Name) and node.id == name]
    bound = {each.id for each in ast.walk(code) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
    bound |= {each.arg for each in ast.walk(code) if isinstance(each, ast.arg)}
    bound |= {each.name for each in ast.walk(code) if isinstance(each, ast.FunctionDef) and each is not code}
    if len(uses) != 1 or name in {each.id for each in uses if not isinstance(each.ctx, ast.Load)}:
        return False
    (use,) = uses
    match around := parents[use]:
        case ast.Call(func=ast.Name(id=reads), args=[argument, *others]):
            alone = argument is use and (not others or reads == "sum")  # two lists have a largest, two generators none
            gone_through = alone and reads in TAKE_ALL and reads not in bound and is_builtin(reads)
        case ast.For(iter=through):
            gone_through = through is use and not _may_leave(around)
        case ast.comprehension(iter=through):
            whole = parents[around]
            gone_through = through is use and not isinstance(whole, ast.GeneratorExp) and whole.generators[0] is around  # type: ignore[attr-defined]
        case _:
            return False
    return gone_through and _runs_once(around, code, parents)


def _may_leave(loop: ast.For) -> bool:
    return any(isinstance(each, ast.Break | ast.Return | ast.Raise) for each in ast.walk(loop))


def _runs_once(node: ast.AST, code: ast.AST, parents: dict[ast.AST, ast.AST]) -> bool:
    """Whether a node of a function runs once at most: in no loop, and in no function or comprehension inside."""
    inner, each = node, parents[node]
    while each is not code:
        match each:
            case ast.For(iter=through) | ast.comprehension(iter=through):
                once = through is inner
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                once = each.generators[0] is inner
            case _:
                once = not isinstance(each, ast.While | ast.FunctionDef | ast.Lambda | ast.Try)
        if not once:
            return False
        inner, each = each, parents[each]
    return True
