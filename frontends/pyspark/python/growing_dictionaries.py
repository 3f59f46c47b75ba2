"""Dictionaries that a loop over the elements of an RDD fills: what its statements put in, and what else uses them."""

from __future__ import annotations

import ast
from typing import Final

from tallystick.core.terms import Term
from tallystick.frontends.pyspark.python.reading import Reading
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import basic
from tallystick.frontends.pyspark.values.kinds import Frame, Growing

HINT: Final = "write `d[key] = value` for keys that do not repeat, or add up: `d[key] = d.get(key, 0) + value`"


def filled_in(loop: ast.For) -> list[str]:
    """The names of dictionaries to whose keys a loop assigns."""
    found = [
        node.value.id
        for each in loop.body
        for node in ast.walk(each)
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name)
    ]
    return list(dict.fromkeys(found))


def is_filled_once(name: str, function: ast.AST, loop: ast.For) -> bool:
    """Whether a dictionary is made by one assignment, and nothing but this loop uses it until the loop ends."""
    parents = {child: node for node in ast.walk(function) for child in ast.iter_child_nodes(node)}
    made = 0
    for node in ast.walk(function):
        if isinstance(node, ast.arg) and node.arg == name:
            return False
        if isinstance(node, ast.Global | ast.Nonlocal) and name in node.names:
            return False
        if not (isinstance(node, ast.Name) and node.id == name):
            continue
        if isinstance(node.ctx, ast.Store):
            made += 1
            if not isinstance(parents[node], ast.Assign | ast.AnnAssign):
                return False
        elif node.lineno <= (loop.end_lineno or 0) and not _stands_in(node, loop, parents):
            return False
    return made == 1


def _stands_in(node: ast.Name, loop: ast.For, parents: dict[ast.AST, ast.AST]) -> bool:
    """Whether a name stands in a loop, outside of functions, where its dictionary is indexed or asked for a key."""
    around: ast.AST = node
    while (around := parents[around]) is not loop:
        if isinstance(around, ast.FunctionDef | ast.Lambda | ast.ClassDef | ast.Module):
            return False
    match parents[node]:
        case ast.Subscript(value=whole) | ast.Attribute(value=whole, attr="get"):
            return whole is node
        case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[right]):
            return right is node
    return False


def filled(reader: Reading, statement: ast.stmt, frame: Frame, place: Place) -> bool:
    """Note what a statement puts into a dictionary that grows; False for other statements."""
    match statement:
        case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name), slice=key)], value=value):
            more = _added_to(name, key, value)
            return _note(reader, name, key, value if more is None else more, "set" if more is None else "add", frame)
        case ast.AugAssign(target=ast.Subscript(value=ast.Name(id=name), slice=key), op=ast.Add(), value=value):
            grown = frame.values.get(name)
            if isinstance(grown, Growing) and grown.kind == "dict":
                asked = basic(reader.evaluate(key, frame), place, "a key")
                if not any(known is asked and how == "add" for _, known, _, how in grown.entries):
                    raise place.error("a key that may be missing raises KeyError", HINT)
            return _note(reader, name, key, value, "add", frame)
        case ast.If(test=ast.Compare(left=key, ops=[kind], comparators=[ast.Name(id=name)])):
            found, missing = statement.body, statement.orelse
            if isinstance(kind, ast.NotIn):
                found, missing = missing, found
            return _counted(reader, name, key, found, missing, frame) if isinstance(kind, ast.In | ast.NotIn) else False
    return False


def _added_to(name: str, key: ast.expr, value: ast.expr) -> ast.expr | None:
    """What `d[key] = d.get(key, 0) + value` adds."""
    match value:
        case ast.BinOp(
            left=ast.Call(
                func=ast.Attribute(value=ast.Name(id=owner), attr="get"), args=[asked, ast.Constant(value=zero)]
            ),
            op=ast.Add(),
            right=more,
        ) if owner == name and type(zero) is int and zero == 0 and _same(asked, key):
            return more
    return None


def _counted(
    reader: Reading, name: str, key: ast.expr, found: list[ast.stmt], missing: list[ast.stmt], frame: Frame
) -> bool:
    """`if key in d: d[key] += value`, `else: d[key] = value`; or without the first, `d[key] = 0`."""
    match found, missing:
        case (
            [ast.AugAssign(target=ast.Subscript(value=ast.Name(id=one), slice=of), op=ast.Add(), value=more)],
            [ast.Assign(targets=[ast.Subscript(value=ast.Name(id=other), slice=new)], value=value)],
        ) if one == other == name and _same(of, key) and _same(new, key) and _same(more, value):
            return _note(reader, name, key, value, "add", frame)
        case (
            [],
            [ast.Assign(targets=[ast.Subscript(value=ast.Name(id=other), slice=new)], value=ast.Constant(value=zero))],
        ) if other == name and _same(new, key) and type(zero) is int and zero == 0:
            return _note(reader, name, key, missing[0].value, "add", frame)  # type: ignore[attr-defined]
    return False


def _same(one: ast.expr, other: ast.expr) -> bool:
    return ast.dump(one) == ast.dump(other)


def _note(reader: Reading, name: str, key: ast.expr, value: ast.expr, how: str, frame: Frame) -> bool:
    grown = frame.values.get(name)
    if not isinstance(grown, Growing):
        return False
    if reader.attempts is not None:
        raise frame.scope.source.place(key).error("a dictionary that grows in a `try` is not supported", HINT)
    source = frame.scope.source
    added: Term = basic(reader.evaluate(value, frame), source.place(value), "a value of a dictionary")
    asked = basic(reader.evaluate(key, frame), source.place(key), "a key of a dictionary")
    grown.entries.append((reader.path, asked, added, how))
    return True
