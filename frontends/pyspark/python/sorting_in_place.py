"""`xs.sort()` of the list of an RDD's elements: the name then stands for `sorted(xs)`; and `xs.reverse()` after that.

Nothing else may stand for the list before, which would be in another order then: it is a new list that the function
only appends to. What is done with it afterwards sees the order, under whatever name.
"""

from __future__ import annotations

import ast

from tallystick.core.terms import Term
from tallystick.frontends.pyspark.python.growing_lists import grows, is_changed
from tallystick.frontends.pyspark.scoping.bound_names import BuiltinName
from tallystick.frontends.pyspark.values.kinds import Collected, Frame, Ranked, Sorted


def is_sorted(name: str, statement: ast.stmt, frame: Frame) -> bool:
    """Whether a statement sorts, or reverses, the new list of an RDD's elements that a name stands for."""
    function = frame.scope.node
    if not isinstance(frame.values.get(name), Collected | Ranked) or not isinstance(function, ast.FunctionDef):
        return False
    return statement in function.body and _is_alone(name, statement, function, frame)


def _is_alone(name: str, statement: ast.stmt, function: ast.FunctionDef, frame: Frame) -> bool:
    """Whether a function makes a list once before a statement, and only appends to it and sorts it."""
    before = ast.Module(function.body[: function.body.index(statement)], [])
    parents = {child: node for node in ast.walk(before) for child in ast.iter_child_nodes(node)}
    mentions = [node for node in ast.walk(before) if isinstance(node, ast.Name) and node.id == name]
    made = [node for node in mentions if _is_made(node, parents[node], frame)]
    elsewhere = {each.arg for each in ast.walk(function.args) if isinstance(each, ast.arg)} | {
        each for node in ast.walk(function) if isinstance(node, ast.Global | ast.Nonlocal) for each in node.names
    }
    kept = [each for each in mentions if each not in made and not grows(each, parents) and not _sorts(each, parents)]
    return name not in elsewhere and len(made) == 1 and not kept


def _sorts(name: ast.Name, parents: dict[ast.AST, ast.AST]) -> bool:
    """Whether this is a name in a statement that puts what it stands for in an order."""
    return is_changed(name, parents, frozenset({"sort", "reverse"}))


def _is_made(name: ast.Name, around: ast.AST, frame: Frame) -> bool:
    """Whether this gives a name a list that was not there before."""
    match around:
        case ast.Assign(targets=[target], value=value) | ast.AnnAssign(target=target, value=ast.expr() as value):
            if target is not name:
                return False
            match value:
                case ast.List() | ast.ListComp():
                    return True
                case ast.Call(func=BuiltinName(id="list" | "sorted")):
                    return True
                case ast.Call(func=ast.Attribute(value=receiver, attr="collect")):
                    return _is_rdd(receiver, frame)
    return False


def _is_rdd(receiver: ast.expr, frame: Frame) -> bool:
    """Whether methods are called of an RDD that has a name: no method of the source's own, which may keep its lists."""
    while isinstance(receiver, ast.Attribute | ast.Call):
        receiver = receiver.func if isinstance(receiver, ast.Call) else receiver.value
    return isinstance(receiver, ast.Name) and isinstance(frame.values.get(receiver.id), Term | Sorted)
