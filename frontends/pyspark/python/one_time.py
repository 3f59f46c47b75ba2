"""Iterables that the first that goes through them uses up: generators, `map`, `zip`, Spark's iterator of a partition.

The reader makes all items where the generator stands. So one may have a name only where that makes no difference: it is
used once, by the next statement, or it is a parameter that is used once; and a name must not stand in a loop, nor in a
function that may be called twice.
"""

from __future__ import annotations

import ast
from itertools import pairwise

from tallystick.frontends.pyspark.scoping.source import Function, Place
from tallystick.frontends.pyspark.values.groups import Group, Products
from tallystick.frontends.pyspark.values.kinds import Collected, Generator, Ranked, Spread, Value

HINT = "make a list of it"


def is_one_time(value: Value) -> bool:
    """Whether a value is used up by the first that goes through it."""
    once = isinstance(value, Collected | Group | Products | Ranked | Spread) and value.once
    return isinstance(value, Generator) or once


def kept(value: Value, place: Place) -> Value:
    """The value, unless it is used up by its first use, and is given a name or put into something."""
    if is_one_time(value):
        raise place.error("a generator is used up by its first use, and is given a name", HINT)
    return value


def refuse(value: Value, place: Place, what: str) -> None:
    """Raise SourceError where Python has no such thing of a generator."""
    if is_one_time(value):
        raise place.error(f"a generator has no {what}", HINT)


def is_used_once(name: str, function: Function) -> bool:
    """Whether a parameter stands once in a function, where it is surely used at most once."""
    return _only_use(name, function) is not None


def is_used_next(target: ast.Name, value: Value, function: ast.AST) -> bool:
    """Whether a variable gets a value once, and is used once, by the next statement, which changes no names before.

    A loop is such a statement for a list of unknown length alone, whose rounds change no names.
    """
    stored = [node for node in ast.walk(function) if _is_name(node, target.id) and isinstance(node.ctx, ast.Store)]  # type: ignore[attr-defined]
    use, after = _only_use(target.id, function), _statement_after(target, function)
    if len(stored) != 1 or use is None or after is None:
        return False
    kinds = (ast.Return, ast.Assign, ast.Expr, ast.AugAssign, *((ast.For,) if isinstance(value, Spread) else ()))
    nodes = [*ast.walk(after)]
    return isinstance(after, kinds) and use in nodes and not any(isinstance(node, ast.NamedExpr) for node in nodes)


def _statement_after(target: ast.Name, function: ast.AST) -> ast.AST | None:
    """The statement after the one that assigns to a variable."""
    for node in ast.walk(function):
        for block in (each for _, each in ast.iter_fields(node) if isinstance(each, list)):
            for statement, after in pairwise(block):
                match statement:
                    case ast.Assign(targets=[assigned]) | ast.AnnAssign(target=assigned) if assigned is target:
                        return after
    return None


def refuse_changes_in_loop(loop: ast.For, through: Value, place: Place) -> None:
    """Raise SourceError where the rounds of a loop change names that a generator, which runs meanwhile, uses."""
    if is_one_time(through):
        used = {node.id for node in ast.walk(loop.iter) if isinstance(node, ast.Name)}
        inside = [node for each in (loop.target, *loop.body) for node in ast.walk(each)]
        for node in inside:
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in used:
                raise place.error(f"this generator uses `{node.id}`, which the loop changes meanwhile", HINT)


def _is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _only_use(name: str, function: ast.AST) -> ast.AST | None:
    """The only place where a function uses a name, if nothing there runs twice; None otherwise."""
    uses = [node for node in ast.walk(function) if _is_name(node, name) and not isinstance(node.ctx, ast.Store)]  # type: ignore[attr-defined]
    if len(uses) != 1:
        return None
    parents = {child: node for node in ast.walk(function) for child in ast.iter_child_nodes(node)}
    inner: ast.AST = uses[0]
    while (outer := parents[inner]) is not function:
        if isinstance(outer, ast.For) and inner is not outer.iter:
            return None
        if isinstance(outer, ast.While | ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            return None
        if isinstance(outer, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            first = outer.generators[0]
            if inner is not first:
                return None
        if isinstance(outer, ast.comprehension) and inner is not outer.iter:
            return None
        inner = outer
    return uses[0]
