"""Which variable each name is: what a scope binds and uses, and then what each name resolves to.

Two passes, as CPython's `symtable` makes them; its rules are those of the language reference, *Naming and binding*.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from tallystick.frontends.python.syntax import Builtin, CellVariable, Global, Local, OfClass

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
OWN_CLASS = "__class__"
"""The variable by which a method knows its class, for `super()`."""


@dataclass(eq=False)
class Scope:
    """A module, a class, a function or a comprehension.

    Attributes:
        bound, used: the names that it binds, and that it reads.
        declared_global, declared_nonlocal: as its statements say.
        cells: names that it binds and that functions in it see.
        captured: names of functions around it that it, or a function in it, sees.
        class_name: of the class around it, by which names with two underscores are known.
    """

    kind: Literal["module", "class", "function"]
    parent: Scope | None
    class_name: str = ""
    is_comprehension: bool = False
    bound: set[str] = field(default_factory=set)
    used: set[str] = field(default_factory=set)
    declared_global: set[str] = field(default_factory=set)
    declared_nonlocal: set[str] = field(default_factory=set)
    cells: set[str] = field(default_factory=set)
    captured: set[str] = field(default_factory=set)
    inner: list[Scope] = field(default_factory=list)
    has_star: bool = False

    def binds(self, name: str) -> bool:
        """Whether a name is a variable of this scope itself."""
        if name == OWN_CLASS and self.kind == "class":
            return True
        return name in self.bound and name not in self.declared_global | self.declared_nonlocal


def mangled(name: str, class_name: str) -> str:
    """A name as a class has it: `__x` in a class `C` is `_C__x`."""
    owner = class_name.lstrip("_")
    return f"_{owner}{name}" if name.startswith("__") and not name.endswith("__") and owner else name


class Scopes:
    """The scopes of a module: `of` has them by the node that opens each."""

    def __init__(self, tree: ast.Module) -> None:
        self.module = Scope("module", None)
        self.of: dict[ast.AST, Scope] = {tree: self.module}
        _Collector(self).collect(tree.body, self.module)
        self._capture(self.module)

    def resolve(self, name: str, scope: Scope) -> Local | CellVariable | OfClass | Global | Builtin:
        """The variable that a name is in a scope."""
        name = mangled(name, scope.class_name)
        if name not in scope.declared_global:
            owner = self._owner(name, scope)
            if owner is scope and scope.kind == "class" and name != OWN_CLASS:
                return OfClass(name)
            if owner is not None and owner.kind != "module":
                return (
                    Local(name)
                    if owner is scope and name not in scope.cells
                    else CellVariable(name, owner is not scope)
                )
        module = self.module
        return Global(name) if name in module.bound or module.has_star else Builtin(name)

    @staticmethod
    def _owner(name: str, scope: Scope) -> Scope | None:
        """The innermost scope that binds a name for another; classes around it are not seen, but for `__class__`."""
        at: Scope | None = scope
        while at is not None:
            seen = at.kind != "class" or at is scope or name == OWN_CLASS
            if seen and name in at.declared_global:
                return None
            if seen and at.binds(name):
                return at
            at = at.parent
        return None

    def _capture(self, scope: Scope) -> None:
        """Note which variables functions share."""
        for each in scope.inner:
            self._capture(each)
        for name in scope.used | scope.bound:
            if name in scope.declared_global:
                self.module.bound.add(name)
                continue
            owner = self._owner(name, scope)
            if owner is None or owner is scope or owner.kind == "module":
                continue
            owner.cells.add(name)
            at = scope
            while at is not owner:
                at.captured.add(name)
                assert at.parent is not None
                at = at.parent


class _Collector:
    """The first pass: what each scope binds and uses."""

    def __init__(self, scopes: Scopes) -> None:
        self._scopes = scopes

    def collect(self, nodes: Iterable[ast.AST], scope: Scope) -> None:
        """Note what nodes bind and use in a scope; a stack instead of calls, so that depth has no bound."""
        waiting = [(each, scope) for each in nodes]
        while waiting:
            node, within = waiting.pop()
            waiting += self._visit(node, within)

    def _visit(self, node: ast.AST, scope: Scope) -> Iterator[tuple[ast.AST, Scope]]:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                yield from self._function(node, scope)
            case ast.ClassDef():
                self._bind(node.name, scope)
                yield from ((each, scope) for each in (*node.bases, *node.keywords, *node.decorator_list))
                inner = self._open(node, "class", scope, node.name)
                yield from ((each, inner) for each in node.body)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                yield from self._comprehension(node, scope)
            case ast.NamedExpr(target=ast.Name(id=name), value=value):
                owner = scope
                while owner.is_comprehension and owner.parent is not None:
                    owner = owner.parent
                self._bind(name, owner)
                self._use(name, scope)
                yield value, scope
            case ast.Name(id=name, ctx=ast.Load()):
                self._use(name, scope)
                if name == "super" and scope.kind == "function":
                    scope.used.add(OWN_CLASS)
            case ast.Global(names=names):
                scope.declared_global.update(mangled(each, scope.class_name) for each in names)
                scope.bound.update(names)
            case ast.Nonlocal(names=names):
                scope.declared_nonlocal.update(mangled(each, scope.class_name) for each in names)
                scope.used.update(mangled(each, scope.class_name) for each in names)
            case ast.AnnAssign(target=target, value=value):
                yield from ((each, scope) for each in (target, value) if each is not None)
                if scope.kind != "function":
                    yield node.annotation, scope
            case _:
                for name in bound_by(node):
                    self._bind(name, scope)
                scope.has_star = scope.has_star or (isinstance(node, ast.ImportFrom) and node.names[0].name == "*")
                yield from ((each, scope) for each in ast.iter_child_nodes(node))

    def _open(self, node: ast.AST, kind: Literal["class", "function"], scope: Scope, class_name: str) -> Scope:
        made = Scope(kind, scope, class_name, isinstance(node, Comprehension))
        scope.inner.append(made)
        self._scopes.of[node] = made
        return made

    def _bind(self, name: str, scope: Scope) -> None:
        scope.bound.add(mangled(name, scope.class_name))

    def _use(self, name: str, scope: Scope) -> None:
        scope.used.add(mangled(name, scope.class_name))

    def _function(self, node: FunctionNode, scope: Scope) -> Iterator[tuple[ast.AST, Scope]]:
        arguments = node.args
        outside: list[ast.AST | None] = [*arguments.defaults, *arguments.kw_defaults]
        if not isinstance(node, ast.Lambda):
            self._bind(node.name, scope)
            outside += node.decorator_list
        inner = self._open(node, "function", scope, scope.class_name)
        for each in parameters(arguments):
            self._bind(each.arg, inner)
        yield from ((each, scope) for each in outside if each is not None)
        yield from ((each, inner) for each in ([node.body] if isinstance(node, ast.Lambda) else node.body))

    def _comprehension(self, node: Comprehension, scope: Scope) -> Iterator[tuple[ast.AST, Scope]]:
        inner = self._open(node, "function", scope, scope.class_name)
        first, *others = node.generators
        yield first.iter, scope
        parts: list[ast.AST] = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        parts += [first.target, *first.ifs, *others]
        yield from ((each, inner) for each in parts)


def parameters(arguments: ast.arguments) -> list[ast.arg]:
    """All parameters of a function."""
    starred = [each for each in (arguments.vararg, arguments.kwarg) if each is not None]
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *starred]


def bound_by(node: ast.AST) -> list[str]:
    """The names that a node itself binds, which is no scope."""
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            return [name]
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            return [(each.asname or each.name).partition(".")[0] for each in names if each.name != "*"]
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            return [name]
        case ast.MatchMapping(rest=str(name)):
            return [name]
    return []
