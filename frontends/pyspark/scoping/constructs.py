"""What the constructs of Python that are not supported are called in messages."""

from __future__ import annotations

import ast
from typing import Final

_CONSTRUCTS: Final[dict[type[ast.AST], str]] = {
    ast.AnnAssign: "this assignment",
    ast.Assert: "`assert`",
    ast.AsyncFor: "an `async for` loop",
    ast.AsyncFunctionDef: "an `async` function",
    ast.AsyncWith: "`async with`",
    ast.AugAssign: "this assignment",
    ast.Await: "`await`",
    ast.Break: "`break`",
    ast.ClassDef: "a class",
    ast.Continue: "`continue`",
    ast.Delete: "`del`",
    ast.Dict: "a dictionary",
    ast.DictComp: "a dictionary comprehension",
    ast.For: "a `for` loop",
    ast.FormattedValue: "an f-string",
    ast.GeneratorExp: "a generator expression",
    ast.Global: "`global`",
    ast.JoinedStr: "an f-string",
    ast.ListComp: "a list comprehension",
    ast.Match: "`match`",
    ast.NamedExpr: "`:=`",
    ast.Nonlocal: "`nonlocal`",
    ast.Raise: "`raise`",
    ast.Set: "a set",
    ast.SetComp: "a set comprehension",
    ast.Slice: "a slice",
    ast.Starred: "`*`",
    ast.Try: "`try`",
    ast.TryStar: "`try`",
    ast.While: "a `while` loop",
    ast.With: "`with`",
    ast.Yield: "`yield`",
    ast.YieldFrom: "`yield from`",
}


def construct(node: ast.AST) -> str:
    """What a kind of source code that is not supported is called."""
    return _CONSTRUCTS.get(type(node), f"`{type(node).__name__}`")
