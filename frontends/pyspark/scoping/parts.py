"""Lists, sets and dictionaries within a module's dictionary: whether code of a file may change them.

`CONFIG["rates"]` is another name of what is inside. Each use of the dictionary is followed through subscripts, `get`
and plain names; what comes out in the end must be no list, set or dictionary, or stand where it is only read.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from tallystick.frontends.pyspark.scoping.scopes import names_that_may_change
from tallystick.frontends.pyspark.scoping.source import SourceFile
from tallystick.frontends.pyspark.values.describing import constant_value
from tallystick.frontends.pyspark.values.kinds import ConstantSet, Listing, Table, Value


def holds_parts(value: Value) -> bool:
    """Whether a value is a dictionary that holds lists, sets or dictionaries."""
    return isinstance(value, Table) and any(map(_is_changeable, (part for _, part in value.entries)))


def parts_may_change(source: SourceFile, name: str, value: Value) -> bool:
    """Whether a file uses a name of such a dictionary so that what is inside may change."""
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
        known = key.value if isinstance(key, ast.Constant) else None
        values = [
            part
            for value in values
            if isinstance(value, Table)
            for each, part in value.entries
            if known is None or constant_value(each) is None or constant_value(each) == known
        ]


def _may_change(
    source: SourceFile, use: ast.AST, values: list[Value], parents: dict[ast.AST, ast.AST], seen: set[str]
) -> bool:
    around = parents[use]
    if isinstance(around, ast.Assign | ast.AnnAssign):
        targets = around.targets if isinstance(around, ast.Assign) else [around.target]
        match targets:
            case [ast.Name(id=alias)] if around.value is use:
                if alias in seen:
                    return False
                return alias in names_that_may_change(source) or _changes(
                    source, alias, values, parents, {*seen, alias}
                )
        return True
    return not _is_only_read(use, around, any(map(holds_parts, values)))


def _is_only_read(use: ast.AST, around: ast.AST, with_parts: bool) -> bool:
    """Whether nothing keeps a list, set or dictionary that stands here, nor what it holds."""
    match around:
        case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[right]):
            return right is use
        case ast.For(iter=through) | ast.comprehension(iter=through):
            return through is use
        case ast.Call(func=ast.Name(id="len" | "any" | "all" | "sum"), args=[argument]):
            return argument is use
        case ast.Attribute(value=owner, attr="keys" | "values" | "items" | "count" | "index"):
            return owner is use and not with_parts
    return False


def _is_changeable(value: Value) -> bool:
    return isinstance(value, Listing | ConstantSet | Table)
