"""Which names a statement binds, and which names nothing around them binds, so that they are Python's own."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Final

_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_MARK: Final = "is_builtin"


class _OfPython(type):
    def __instancecheck__(cls, node: object) -> bool:
        return isinstance(node, ast.Name) and getattr(node, _MARK, False)


class BuiltinName(ast.Name, metaclass=_OfPython):
    """The pattern of a name that is read, and that no scope around it binds: `BuiltinName(id="list")` is Python's list.

    Nodes that a reader makes itself are none: only the text of a file says what a name in it stands for.
    """


def mark_builtin_names(tree: ast.Module) -> None:
    """Let the names of a parsed file that are Python's own be instances of `BuiltinName`.

    A name is not, where a scope around it may bind it, by whatever statement; in a module with `import *` none is.
    """
    by_functions = {name for node in ast.walk(tree) if isinstance(node, ast.Global) for name in node.names}
    bound = _bound_by(tree.body) | by_functions
    for statement in tree.body if "*" not in bound else ():
        _mark(statement, bound)


def _mark(outermost: ast.stmt, of_module: frozenset[str]) -> None:
    waiting: list[tuple[ast.AST, frozenset[str], frozenset[str]]] = [(outermost, of_module, frozenset())]
    while waiting:  # a node, what functions and comprehensions around it bind, and what the class around it does
        node, hidden, of_class = waiting.pop()
        inner: frozenset[ast.AST] = frozenset()
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                setattr(node, _MARK, name not in hidden and name not in of_class)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                inner = frozenset([node.body] if isinstance(node, ast.Lambda) else node.body)
                own = {each.arg for each in all_parameters(node)} | _bound_by(inner)
                waiting += [(each, hidden | own, frozenset()) for each in inner]
            case ast.ClassDef(body=body):
                inner = frozenset(body)  # the functions of a class do not see its names
                waiting += [(each, hidden, _bound_by(inner)) for each in inner]
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                hidden |= of_class.union(*(targets_of(each.target) for each in node.generators))
        waiting += [(each, hidden, of_class) for each in ast.iter_child_nodes(node) if each not in inner]


def _bound_by(statements: Iterable[ast.AST]) -> frozenset[str]:
    return frozenset(name for each in statements for name, _ in bound_names(each))


def all_parameters(function: _Function) -> list[ast.arg]:
    """Every parameter of a function, starred ones too."""
    names = function.args
    starred = [each for each in (names.vararg, names.kwarg) if each is not None]
    return [*names.posonlyargs, *names.args, *names.kwonlyargs, *starred]


_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def bound_names(statement: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """The names that a statement binds in its own scope, each with the innermost statement that binds it.

    A walrus is its own statement here. The targets of a comprehension are its own names, and do not count.
    """
    waiting: list[tuple[ast.AST, ast.AST, bool]] = [(statement, statement, True)]
    while waiting:
        node, owner, bare = waiting.pop()
        if isinstance(node, ast.stmt | ast.NamedExpr):
            owner = node
        for name in _names_of(node, bare):
            yield name, owner
        bare = bare and not isinstance(node, _COMPREHENSIONS)
        waiting.extend((child, owner, bare) for child in reversed(_evaluated_here(node)))


def targets_of(target: ast.AST) -> list[str]:
    """The names that a target binds."""
    return [node.id for node in ast.walk(target) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]


def _evaluated_here(node: ast.AST) -> list[ast.AST]:
    """The children of a node that belong to the same scope: all but the bodies of functions and classes."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            return [*node.decorator_list, *_defaults(node)]
        case ast.ClassDef():
            return [*node.decorator_list]
        case ast.Lambda():
            return [*_defaults(node)]
        case ast.NamedExpr():
            return [node.value]
    return list(ast.iter_child_nodes(node))


def _defaults(function: _Function) -> list[ast.expr]:
    return [*function.args.defaults, *(each for each in function.args.kw_defaults if each is not None)]


def _names_of(node: ast.AST, bare: bool) -> list[str]:
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()) if bare:
            return [name]
        case ast.NamedExpr(target=ast.Name(id=name)):
            return [name]
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return [node.name]
        case ast.Import() | ast.ImportFrom():
            return [(each.asname or each.name).partition(".")[0] for each in node.names]
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            return [name]
        case ast.MatchMapping(rest=str(name)):
            return [name]
    return []
