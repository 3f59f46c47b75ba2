"""Lists, sets and dictionaries handed to functions and classes of the same file: the names that these give them.

`Converter(RATES)` makes `rates` another name of what `RATES` holds, where `__init__` has a parameter of this name, and
so does `self.rates = rates`. What only reads by all of these names changes nothing.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache

from tallystick.frontends.pyspark.scoping.source import SourceFile


@lru_cache(maxsize=64)
def other_names(source: SourceFile) -> dict[ast.AST, str]:
    """The expressions of a file that give what a name or an attribute holds another name, and that name."""
    found: dict[ast.AST, str] = {}
    known = _defined_once(source)
    nodes = [*ast.walk(source.tree)]
    bound = Counter(name for node in nodes for name in _bound(node))
    functools = [each for each in nodes if isinstance(each, ast.ImportFrom) and each.module == "functools"]
    imported = {each.name for node in functools for each in node.names if bound[each.name] == 1 and not each.asname}
    for node in nodes:
        match node:
            case ast.Call(func=ast.Name(id="partial"), args=[ast.Name(id=function), *given]) if "partial" in imported:
                found.update(_given(known.get(function), given, node.keywords))
            case ast.Call(func=ast.Name(id=function), args=given):
                found.update(_given(known.get(function), given, node.keywords))
            case ast.Call(func=ast.Attribute(attr="broadcast"), args=[given]):
                found[given] = "value"  # the attribute by which the driver has the very same object
            case ast.FunctionDef(name="__init__"):
                found.update(_kept(node))
    return found


def name_of(node: ast.AST) -> str | None:
    """The name, or the name of the attribute, that an expression is; None for other expressions."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return None


def all_names(names: Iterable[str], sources: Iterable[SourceFile]) -> frozenset[str]:
    """These names, and those that what they hold has beside them in files."""
    found = set(names)
    pairs = {(name_of(node), other) for source in sources for node, other in other_names(source).items()}
    while more := {other for name, other in pairs if name in found} - found:
        found |= more
    return frozenset(found)


def takers(source: SourceFile, names: frozenset[str]) -> frozenset[str]:
    """The functions and classes of a file that are given what has one of these names."""
    calls = [node for node in ast.walk(source.tree) if isinstance(node, ast.Call)]
    given = {each for each in other_names(source) if name_of(each) in names}
    taking = [call for call in calls if given & {*call.args, *(each.value for each in call.keywords)}]
    return frozenset(each.id for call in taking for each in (call.func, *call.args[:1]) if isinstance(each, ast.Name))


def _defined_once(source: SourceFile) -> dict[str, tuple[ast.arguments, int]]:
    """The parameters of functions and plain classes whose names nothing else binds, and how many Python fills in."""
    nodes = [*ast.walk(source.tree)]
    bound = Counter(name for node in nodes for name in _bound(node))
    if "*" in bound:
        return {}
    found: dict[str, tuple[ast.arguments, int]] = {}
    for node in nodes:
        match node:
            case ast.FunctionDef(name=name, args=parameters, decorator_list=[]) if not _is_method(node, nodes):
                found[name] = parameters, 0
            case ast.ClassDef(name=name, bases=[], keywords=[], decorator_list=[], body=body):
                functions = {each.name: each for each in body if isinstance(each, ast.FunctionDef)}
                first = functions.get("__init__")
                if first is not None and not first.decorator_list and "__new__" not in functions:
                    found[name] = first.args, 1
    return {name: each for name, each in found.items() if bound[name] == 1}


def _bound(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name):
            yield name
        case (
            ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name))
        ):
            yield name
        case ast.MatchMapping(rest=str(name)) | ast.ExceptHandler(name=str(name)):
            yield name
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            yield from (each.asname or each.name.partition(".")[0] for each in names)


def _is_method(function: ast.FunctionDef, nodes: list[ast.AST]) -> bool:
    return any(isinstance(node, ast.ClassDef) and function in node.body for node in nodes)


def _given(
    known: tuple[ast.arguments, int] | None, given: list[ast.expr], keywords: list[ast.keyword]
) -> dict[ast.AST, str]:
    """The names of parameters for names and attributes that a call gives a function."""
    if known is None:
        return {}
    parameters, filled_in = known
    names = [each.arg for each in (*parameters.posonlyargs, *parameters.args)][filled_in:]
    found: dict[ast.AST, str] = {}
    for value, name in zip(given, names, strict=False):
        if isinstance(value, ast.Starred):
            break
        found[value] = name
    by_name = {*names, *(each.arg for each in parameters.kwonlyargs)}
    found.update({each.value: each.arg for each in keywords if each.arg in by_name})  # type: ignore[misc]
    return {value: name for value, name in found.items() if name_of(value) is not None}


def _kept(function: ast.FunctionDef) -> dict[ast.AST, str]:
    """The attributes to which an `__init__` assigns names, also where these are assigned."""
    itself = function.args.args[0].arg if function.args.args else ""
    found: dict[ast.AST, str] = {}
    for node in function.body:
        match node:
            case (
                ast.Assign(targets=[ast.Attribute(value=ast.Name(id=owner), attr=name) as target], value=value)
                | ast.AnnAssign(target=ast.Attribute(value=ast.Name(id=owner), attr=name) as target, value=value)
            ) if owner == itself and value is not None:
                found[target] = name
                if name_of(value) is not None:
                    found[value] = name
    return found
