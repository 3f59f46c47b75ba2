"""Dictionaries that a loop over the elements of an RDD fills: what its statements put in, and what else uses them."""

from __future__ import annotations

import ast
from typing import Final

from tallystick.core.terms import Term
from tallystick.frontends.pyspark.python import dictionary_cells, growing_collections
from tallystick.frontends.pyspark.python.reading import Reading
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import basic
from tallystick.frontends.pyspark.values.kinds import Builtin, Frame, Growing

_MAKERS: Final = ("Counter", "defaultdict", "dict")
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


def collected_in(loop: ast.For) -> list[str]:
    """The names of dictionaries of lists or sets to which a loop adds, or whose items it sets."""
    nodes = [node for each in loop.body for node in ast.walk(each)]
    statements = [node for node in nodes if isinstance(node, ast.stmt)]
    found = [put[0] for put in map(growing_collections.put_by_form, statements) if put is not None]
    for node in nodes:
        match node:
            case ast.Subscript(value=ast.Subscript(value=ast.Name(id=name)), ctx=ast.Store()):
                found.append(name)
    return found


def is_filled_once(name: str, reader: Reading, frame: Frame, loop: ast.For) -> bool:
    """Whether a dictionary is made by one assignment, with no other name, and only a loop uses it until that ends."""
    function = frame.scope.node
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
            if not _is_new(_assigned(node, parents), reader, frame):
                return False
        elif node.lineno <= (loop.end_lineno or 0) and not _stands_in(node, loop, parents):
            return False
    return made == len(frame.scope.bindings[name]) == 1


def _assigned(name: ast.Name, parents: dict[ast.AST, ast.AST]) -> ast.expr | None:
    """What is assigned to a name, and to nothing else; None where that is not plain."""
    match parents[name]:
        case ast.Assign(targets=[target], value=value) if target is name:
            return value
        case ast.AnnAssign(value=value):
            return value
        case ast.Tuple(elts=names) as several:
            match parents[several]:
                case ast.Assign(targets=[target], value=ast.Tuple(elts=values)) if target is several and len(
                    names
                ) == len(values):
                    return values[names.index(name)]
    return None


def _is_new(made: ast.expr | None, reader: Reading, frame: Frame) -> bool:
    """Whether an expression makes a dictionary that nothing else has a name for."""
    match made:
        case ast.Dict():
            return True
        case ast.Call(func=function):
            return isinstance(made_by := reader.evaluate(function, frame), Builtin) and made_by.name in _MAKERS
    return False


def _stands_in(node: ast.Name, loop: ast.For, parents: dict[ast.AST, ast.AST]) -> bool:
    """Whether a name stands in a loop, outside of functions, where its dictionary is indexed or asked for a key."""
    around: ast.AST = node
    while (around := parents[around]) is not loop:
        if isinstance(around, ast.FunctionDef | ast.Lambda | ast.ClassDef | ast.Module):
            return False
    match parents[node]:
        case ast.Subscript(value=whole) | ast.Attribute(value=whole, attr="get" | "setdefault"):
            return whole is node
        case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[right]):
            return right is node
    return False


def looks_at(name: str, loop: ast.For) -> bool:
    """Whether a loop looks at what a dictionary has, other than to add a number to it."""
    known = {
        node
        for statement in ast.walk(loop)
        if isinstance(statement, ast.stmt) and (put := _put(statement)) is not None and put[0] == name
        for node in ast.walk(statement)
    }
    return any(_is_name(node, name) and node not in known for node in ast.walk(loop))


def _is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


_Put = growing_collections.Put
"""How a value is put there is "set", "add", or "known" where it adds to what is there, or see `growing_collections`."""


def _put(statement: ast.stmt) -> _Put | None:
    """What a statement puts into a dictionary, at which it does not look otherwise; None for other statements."""
    put = growing_collections.put_by_form(statement) or _put_by_form(statement)
    if put is None or any(_is_name(node, put[0]) for part in put[1:3] for node in ast.walk(part)):  # type: ignore[arg-type]
        return None
    return put


def _put_by_form(statement: ast.stmt) -> _Put | None:
    match statement:
        case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name), slice=key)], value=value):
            more, how = _added_to(name, key, value) or (value, "set")
            return name, key, more, how
        case ast.AugAssign(target=ast.Subscript(value=ast.Name(id=name), slice=key), op=ast.Add(), value=value):
            return name, key, value, "known"
        case ast.If(test=ast.Compare(left=key, ops=[kind], comparators=[ast.Name(id=name)])):
            found, missing = statement.body, statement.orelse
            if isinstance(kind, ast.NotIn):
                found, missing = missing, found
            value = _counted(name, key, found, missing) if isinstance(kind, ast.In | ast.NotIn) else None
            return None if value is None else (name, key, value, "add")
    return None


def filled(reader: Reading, statement: ast.stmt, frame: Frame, place: Place) -> bool:
    """Note what a statement puts into a dictionary that grows; False for other statements."""
    if dictionary_cells.changed(reader, statement, frame, place):
        return True
    put = _put(statement)
    if put is None or not isinstance(grown := frame.values.get(put[0]), Growing) or grown.cell is not None:
        return False
    name, key, value, how = put
    if how.removesuffix(" known") in growing_collections.ACTIONS:
        return grown.collects and _collected(reader, put, grown, frame, place)
    if how == "known" and grown.kind == "dict":
        asked = basic(reader.evaluate(key, frame), place, "a key")
        if not any(known is asked and before == "add" for _, known, _, before in grown.entries):
            raise place.error("a key that may be missing raises KeyError", HINT)
    return _note(reader, name, key, value, "add" if how == "known" else how, frame)


def _added_to(name: str, key: ast.expr, value: ast.expr) -> tuple[ast.expr, str] | None:
    """What `d[key] = d.get(key, 0) + value` adds, or `d[key] = d[key] + value`, and how."""
    match value:
        case ast.BinOp(
            left=ast.Call(
                func=ast.Attribute(value=ast.Name(id=owner), attr="get"), args=[asked, ast.Constant(value=zero)]
            ),
            op=ast.Add(),
            right=more,
        ) if owner == name and type(zero) is int and zero == 0 and _same(asked, key):
            return more, "add"
        case ast.BinOp(left=ast.Subscript(value=ast.Name(id=owner), slice=asked), op=ast.Add(), right=more) if (
            owner == name and _same(asked, key)
        ):
            return more, "known"
    return None


def _counted(name: str, key: ast.expr, found: list[ast.stmt], missing: list[ast.stmt]) -> ast.expr | None:
    """What is added by `if key in d: d[key] += value`, `else: d[key] = value`; or without the first, `d[key] = 0`."""
    match found, missing:
        case (
            [ast.AugAssign(target=ast.Subscript(value=ast.Name(id=one), slice=of), op=ast.Add(), value=more)],
            [ast.Assign(targets=[ast.Subscript(value=ast.Name(id=other), slice=new)], value=value)],
        ) if one == other == name and _same(of, key) and _same(new, key) and _same(more, value):
            return value
        case (
            [],
            [ast.Assign(targets=[ast.Subscript(value=ast.Name(id=other), slice=new)], value=ast.Constant(value=zero))],
        ) if other == name and _same(new, key) and type(zero) is int and zero == 0:
            return missing[0].value  # type: ignore[attr-defined]
    return None


def _same(one: ast.expr, other: ast.expr) -> bool:
    return ast.dump(one) == ast.dump(other)


def _collected(reader: Reading, put: _Put, grown: Growing, frame: Frame, place: Place) -> bool:
    """Note what a statement puts into a list or a set, or that a key gets an empty one."""
    name, key, value, how = put
    action = how.removesuffix(" known")
    asked = basic(reader.evaluate(key, frame), place, "a key of a dictionary")
    if how != action and not growing_collections.is_known(grown, reader.path, asked, action):
        raise place.error("a key that may be missing raises KeyError", growing_collections.HINT)
    return _note(reader, name, key, key if action in growing_collections.EMPTY.values() else value, action, frame)


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
