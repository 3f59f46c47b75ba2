"""Dictionaries at the driver whose values are lists of so many items: `d[key] = [0, 0]`, `d[key][0] += value`.

Such a list is read as a tuple. This means the same where nothing but its items is ever looked at: no program can tell
then which of both it is, nor whether two keys have one list, as each list is made by a display of its own.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from tallystick.frontends.pyspark.scoping.bound_names import BuiltinName

_OF_KEYS: Final = frozenset({"len", "sorted"})
"""Functions that look at the keys of a dictionary."""


def size_of_lists(name: str, loop: ast.For, function: ast.AST, first: int | None) -> int | None:
    """How many items the lists of a dictionary have that a loop fills; None where its values may be seen otherwise.

    Args:
        name: the dictionary's.
        loop: the loop.
        function: the function in which both are.
        first: how many items a list has that the dictionary makes itself, if it does.
    """
    made = [*_made(name, loop)]
    sizes = {_size(each) for each in made} | (set() if first is None else {first})
    if len(sizes) != 1 or (size := sizes.pop()) is None or size < 2:
        return None
    parents = {child: node for node in ast.walk(function) for child in ast.iter_child_nodes(node)}
    uses = (node for node in ast.walk(function) if isinstance(node, ast.Name) and node.id == name)
    shown = (isinstance(node.ctx, ast.Store) or _shows_items(node, size, parents, function) for node in uses)
    return size if all(shown) else None


def _made(name: str, loop: ast.For) -> Iterator[ast.expr]:
    """What a loop puts at keys of a dictionary."""
    for node in ast.walk(loop):
        match node:
            case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=owner))], value=value) if owner == name:
                yield value
            case ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr="setdefault"), args=[_, value]) if (
                owner == name
            ):
                yield value


def _size(made: ast.expr) -> int | None:
    if isinstance(made, ast.List) and not any(isinstance(each, ast.Starred) for each in made.elts):
        return len(made.elts)
    return None


def _shows_items(node: ast.expr, size: int, parents: dict[ast.AST, ast.AST], function: ast.AST) -> bool:
    """Whether a use of a dictionary shows its keys and items of its lists only."""
    around = parents[node]
    match around:
        case ast.Subscript(value=whole) if whole is node:
            return _is_item(around, size, parents)
        case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[right]):
            return right is node
        case ast.For(iter=through) | ast.comprehension(iter=through):
            return through is node
        case ast.Call(func=BuiltinName(id=reads), args=[argument], keywords=[]):
            return argument is node and reads in _OF_KEYS
        case ast.Attribute(attr="setdefault"):
            call = parents[around]
            return isinstance(call, ast.Call) and isinstance(parents[call], ast.Expr)
        case ast.Attribute(attr="items" | "values" as method):
            call = parents[around]
            return isinstance(call, ast.Call) and _goes_through(call, method, size, parents, function)
    return False


def _is_item(at_key: ast.Subscript, size: int, parents: dict[ast.AST, ast.AST]) -> bool:
    """Whether `d[key]` gets a list, is taken apart, or is indexed by a constant."""
    match parents[at_key]:
        case ast.Assign(targets=[target]) if target is at_key:
            return True
        case ast.Assign(targets=[ast.Tuple(elts=names)]):
            return _takes_apart(names, size)
        case ast.Subscript(value=whole, slice=index) if whole is at_key:
            return _is_index(index)
    return False


def _is_index(index: ast.expr) -> bool:
    return isinstance(index, ast.Constant) and type(index.value) is int


def _takes_apart(names: list[ast.expr], size: int) -> bool:
    return len(names) == size and all(isinstance(each, ast.Name) for each in names)


def _goes_through(call: ast.Call, method: str, size: int, parents: dict[ast.AST, ast.AST], function: ast.AST) -> bool:
    """Whether a loop goes through `d.items()`, perhaps sorted, or `d.values()`, and only items of lists are used."""
    through: ast.expr = call
    match parents[call]:
        case ast.Call(func=BuiltinName(id="sorted"), args=[argument], keywords=[]) as ordered if (
            argument is call and method == "items"
        ):
            through = ordered
    match parents[through]:
        case ast.For(iter=each, target=target) | ast.comprehension(iter=each, target=target) if each is through:
            pass
        case _:
            return False
    if method == "items":
        if not (isinstance(target, ast.Tuple) and len(target.elts) == 2):
            return False
        target = target.elts[1]
    if isinstance(target, ast.Tuple):
        return _takes_apart(target.elts, size)
    return isinstance(target, ast.Name) and _only_indexed(target.id, parents[through], parents, function)


def _only_indexed(name: str, loop: ast.AST, parents: dict[ast.AST, ast.AST], function: ast.AST) -> bool:
    """Whether all that is done with what a loop gives a name to is to take items at constant indices."""
    if isinstance(loop, ast.comprehension):
        seen = [*ast.walk(parents[loop])]
    elif parents[loop] is function:
        line = loop.lineno  # type: ignore[attr-defined]
        seen = [node for node in ast.walk(function) if getattr(node, "lineno", 0) >= line]
    else:
        seen = [*ast.walk(function)]
    for node in seen:
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
            match parents[node]:
                case ast.Subscript(value=whole, slice=index, ctx=ast.Load()) if whole is node and _is_index(index):
                    continue
            return False
    return True
