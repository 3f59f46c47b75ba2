"""Lists, sets and dictionaries within a module's dictionary, list or tuple: whether code of a file may change them.

`CONFIG["rates"]` is another name of what is inside. Each use of the whole is followed through subscripts, `get`,
loops and plain names; what comes out in the end must be no list, set or dictionary, or stand where it is only read.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Final

from tallystick.core.terms import Operator, Term
from tallystick.frontends.pyspark.scoping.bound_names import BuiltinName
from tallystick.frontends.pyspark.scoping.scopes import names_that_may_change, reading_uses
from tallystick.frontends.pyspark.scoping.source import SourceFile
from tallystick.frontends.pyspark.values.describing import constant_value
from tallystick.frontends.pyspark.values.kinds import ConstantSet, Listing, Table, Value
from tallystick.frontends.pyspark.values.record_types import RecordType, unhashable_in

_READING: Final = frozenset({"all", "any", "len", "sum"})
"""Functions that keep nothing of what they go through."""


def parts_of(value: Value) -> list[Value]:
    """What a dictionary, list or tuple holds; a term that only its type describes stands for its own parts."""
    match value:
        case Table(entries):
            return [part for _, part in entries]
        case Listing(items):
            return [item for _, item in items]
        case Term(operator=Operator.TUPLE, arguments=components):
            return list(components)
        case Term() if _is_changeable(value):
            return [value]
    return []


def holds_parts(value: Value) -> bool:
    """Whether a value is a dictionary, list or tuple that holds lists, sets or dictionaries."""
    return any(map(_is_changeable, parts_of(value)))


def parts_may_change(source: SourceFile, name: str, value: Value) -> bool:
    """Whether a file uses a name of such a value so that what is inside may change."""
    parents = {child: node for node in ast.walk(source.tree) for child in ast.iter_child_nodes(node)}
    renamed = any(
        each.name == name and each.asname not in (None, name)
        for node in ast.walk(source.tree)
        if isinstance(node, ast.ImportFrom)
        for each in node.names
    )
    return renamed or _changes(source, name, [value], parents, {name})


def _changes(
    source: SourceFile, name: str, values: Sequence[Value], parents: dict[ast.AST, ast.AST], seen: set[str]
) -> bool:
    for node in ast.walk(source.tree):
        is_use = isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
        if is_use or (isinstance(node, ast.Attribute) and node.attr == name):
            use, found = _followed(node, list(values), parents)
            if any(map(_is_changeable, found)) and _may_change(source, use, found, parents, seen):
                return True
    return False


def _followed(use: ast.AST, values: list[Value], parents: dict[ast.AST, ast.AST]) -> tuple[ast.AST, list[Value]]:
    """The longest chain of subscripts and `get` that begins with a use, and what values it may have."""
    while True:
        around = parents[use]
        match around:
            case ast.Subscript(value=whole, slice=key, ctx=ast.Load()) if whole is use:
                use = around
            case ast.Attribute(value=whole, attr="get") if whole is use and isinstance(parents[around], ast.Call):
                use = parents[around]
                key = use.args[0] if isinstance(use, ast.Call) and use.args else use
            case _:
                return use, values
        if not isinstance(key, ast.Slice):
            known = key.value if isinstance(key, ast.Constant) else None
            values = [part for value in values for part in _found_at(value, known)]


def _found_at(value: Value, key: object) -> list[Value]:
    """What a subscript may give: the parts of a dictionary under this key, all of them where it is None."""
    match value:
        case Table(entries) if key is not None:
            return [part for each, part in entries if constant_value(each) in (None, key)]
        case Term(operator=Operator.TUPLE, arguments=components, type=RecordType(kind="dict", names=names)):
            return [part for name, part in zip(names, components, strict=True) if key in (None, name)]
    return parts_of(value)


def _may_change(
    source: SourceFile, use: ast.AST, values: list[Value], parents: dict[ast.AST, ast.AST], seen: set[str]
) -> bool:
    around = parents[use]
    if isinstance(around, ast.Assign | ast.AnnAssign):
        targets = around.targets if isinstance(around, ast.Assign) else [around.target]
        match targets:
            case [ast.Name(id=alias)] if around.value is use:
                return _alias_may_change(source, alias, values, parents, seen)
        return True
    if isinstance(around, ast.For | ast.comprehension) and around.iter is use:
        return _may_change_items(source, around.target, values, parents, seen)
    with_parts = any(map(holds_parts, values))
    return not (_is_only_read(use, around, with_parts) or (not with_parts and use in reading_uses(source)))


def _may_change_items(
    source: SourceFile, target: ast.expr, values: list[Value], parents: dict[ast.AST, ast.AST], seen: set[str]
) -> bool:
    """Whether a loop through lists and tuples, or through the keys of dictionaries, may change an item."""
    items = [part for value in values if not isinstance(value, Table) for part in parts_of(value)]
    if not any(map(_is_changeable, items)):
        return False
    return not isinstance(target, ast.Name) or _alias_may_change(source, target.id, items, parents, seen)


def _alias_may_change(
    source: SourceFile, alias: str, values: Sequence[Value], parents: dict[ast.AST, ast.AST], seen: set[str]
) -> bool:
    """Whether another name of values is used so that they may change; a name that is bound to its own parts may be."""
    return (
        alias in seen
        or alias in names_that_may_change(source)
        or _changes(source, alias, values, parents, {*seen, alias})
    )


def _is_only_read(use: ast.AST, around: ast.AST, with_parts: bool) -> bool:
    """Whether nothing keeps a list, set or dictionary that stands here, nor what it holds."""
    match around:
        case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[right]):
            return right is use
        case ast.Call(func=BuiltinName(id=name), args=[argument]) if name in _READING:
            return argument is use
        case ast.Attribute(value=owner, attr="keys" | "values" | "items" | "count" | "index"):
            return owner is use and not with_parts
    return False


def _is_changeable(value: Value) -> bool:
    return isinstance(value, Listing | ConstantSet | Table) or (
        isinstance(value, Term) and unhashable_in(value.type) is not None
    )
