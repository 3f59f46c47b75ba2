"""Rounds of a loop in which `continue` and `break` end each block they stand in, so that nothing follows them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence


def straightened(block: Sequence[ast.stmt]) -> list[ast.stmt]:
    """The statements of a round that mean the same, with no `continue`, and with each `break` at an end.

    What follows an `if` in which there is one goes to the ends of its branches that control gets past.
    """
    for index, statement in enumerate(block):
        rest = list(block[index + 1 :])
        match statement:
            case ast.Continue() if not rest:
                return list(block[:index])
            case ast.Break() if not rest:
                return list(block)
            case ast.If() if _leaves(statement):
                moved = ast.If(
                    statement.test,
                    straightened([*statement.body, *([] if _ends(statement.body) else rest)]) or [_nothing(statement)],
                    straightened([*statement.orelse, *([] if _ends(statement.orelse) else rest)]),
                )
                return [*block[:index], ast.copy_location(moved, statement)]
    return list(block)


def _nothing(beside: ast.stmt) -> ast.stmt:
    return ast.copy_location(ast.Pass(), beside)


def _leaves(statement: ast.stmt) -> bool:
    """Whether a `continue` or `break` of the loop around it stands in an `if`."""
    match statement:
        case ast.Continue() | ast.Break():
            return True
        case ast.If(body=body, orelse=orelse):
            return any(map(_leaves, (*body, *orelse)))
    return False


def _ends(block: Sequence[ast.stmt]) -> bool:
    """Whether control never gets past a block."""
    match block[-1] if block else None:
        case ast.Continue() | ast.Break() | ast.Return() | ast.Raise():
            return True
        case ast.If(body=body, orelse=orelse):
            return _ends(body) and _ends(orelse)
    return False


def only_loop_in(loop: ast.For, changed: frozenset[str]) -> ast.For | None:
    """The only loop in a loop, whose body alone mentions what both change, and alone may return; else None."""
    inner = [*_inside(loop.body)]
    if len(inner) != 1:
        return None
    nodes = {node for statement in inner[0].body for node in ast.walk(statement)}
    return None if any(_may_matter(node, changed) for node in ast.walk(loop) if node not in nodes) else inner[0]


def _may_matter(node: ast.AST, changed: frozenset[str]) -> bool:
    return isinstance(node, ast.Return | ast.Break) or (isinstance(node, ast.Name) and node.id in changed)


def _inside(block: Sequence[ast.stmt]) -> Iterator[ast.For]:
    """The loops in the branches of a block."""
    for statement in block:
        if isinstance(statement, ast.For):
            yield statement
        elif isinstance(statement, ast.If):
            yield from _inside(statement.body)
            yield from _inside(statement.orelse)
