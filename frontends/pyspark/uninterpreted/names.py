"""What names stand for in pure code: variables of its functions, and what the caller knows of the names outside."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from tallystick.frontends.pyspark.scoping.bound_names import all_parameters
from tallystick.frontends.pyspark.uninterpreted.types import Growth, NotPureError, PureType


@dataclass(frozen=True)
class Constant:
    """A constant of a module, by value: Python's own scalars, and tuples, lists, sets and dicts of them."""

    value: object


@dataclass(frozen=True)
class Helper:
    """A function of a module, and what the names in it stand for."""

    code: ast.FunctionDef | ast.Lambda
    resolve: Resolve


@dataclass(frozen=True)
class Imported:
    """A module of Python or something of one, by its full name: `itertools`, `itertools.groupby`."""

    name: str


@dataclass(frozen=True)
class RecordClass:
    """A class of records."""

    of: PureType


@dataclass(frozen=True)
class Compiled:
    """A compiled regular expression, by its text, in which its flags are."""

    pattern: str


Known: TypeAlias = Constant | Helper | Imported | RecordClass | Compiled
Resolve: TypeAlias = Callable[[str], "Known | None"]
"""What a name outside of the code stands for; None for builtins. Raises NotPureError where it is not known."""


@dataclass
class Scope:
    """The names of one function or comprehension, while it is read.

    Attributes:
        number: tells it from all others.
        bound: the names that are local.
        parent: the scope around it, or None.
        resolve: what the names outside of all scopes stand for.
        known: the types of the names that are bound so far, or functions; and of parts of their values, as `row.field`
            and `row[0]`, that a test said are not None.
        function: whether names are assigned here: comprehensions have only their targets.
        rebound: the local names that are bound in more than one place.
    """

    number: int
    bound: frozenset[str]
    parent: Scope | None
    resolve: Resolve
    known: dict[str, PureType | Local] = field(default_factory=dict)
    function: bool = True
    rebound: frozenset[str] = frozenset()


@dataclass(frozen=True, eq=False)
class Local:
    """A function that is defined in the code."""

    code: ast.FunctionDef | ast.Lambda
    scope: Scope


def bound_names(code: ast.FunctionDef | ast.Lambda) -> tuple[frozenset[str], frozenset[str]]:
    """The names that are local in a function, without the functions inside; and those that are bound more than once."""
    found = [each.arg for each in all_parameters(code)]
    waiting: list[ast.AST] = list(code.body) if isinstance(code, ast.FunctionDef) else [code.body]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef):
            found.append(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom | ast.ClassDef | ast.Match):
            raise NotPureError(node, "imports, classes and patterns in a function are not supported in pure code")
        elif isinstance(node, ast.NamedExpr):
            found.append(node.target.id)
            waiting.append(node.value)
        elif isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            found += [each.target.id for each in ast.walk(node) if isinstance(each, ast.NamedExpr)]
        elif isinstance(node, ast.Global | ast.Nonlocal):
            raise NotPureError(node, "`global` and `nonlocal` are not supported: results are returned")
        elif not isinstance(node, ast.Lambda):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del):
                found.append(node.id)
            if isinstance(node, ast.ExceptHandler) and node.name:
                found.append(node.name)
            waiting += ast.iter_child_nodes(node)
    return frozenset(found), frozenset(name for name in found if found.count(name) > 1)


def root_of(node: ast.expr) -> str | None:
    """The name of whose value `row.field` and `row[0]` are parts; None for other expressions, and names themselves."""
    match node:
        case ast.Attribute(value=value) | ast.Subscript(value=value, slice=ast.Constant(value=int())):
            return value.id if isinstance(value, ast.Name) else root_of(value)
    return None


def _is_lost(name: str, of: PureType | Local) -> bool:
    """Whether what is known on one way of control alone is not known where two meet."""
    return isinstance(of, Local) or not name.isidentifier()


class TypingContext:
    """Scopes and types, while code is read."""

    def __init__(self, scope: Scope) -> None:
        self.growth = Growth()
        self.scope = scope
        self.calls: tuple[int, ...] = ()
        """The calls of functions of the code that are being read: where containers are made."""
        self.read_calls = 0
        self.scopes = 0
        self.trying = 0
        """How many `try` are around what is read: there, which exception comes first may matter."""
        self.observers: list[dict[str, PureType | Local]] = []
        """Where exceptions may lead: what names may be there."""

    def fresh(self, node: object, kind: str, *inside: PureType) -> PureType:
        """The type of a new container, made by this node."""
        return self.growth.fresh(self.calls, node, kind, *inside)

    def function_scope(self, code: ast.FunctionDef | ast.Lambda, around: Scope | None, resolve: Resolve) -> Scope:
        """The scope of a call of a function."""
        self.scopes += 1
        bound, rebound = bound_names(code)
        return Scope(self.scopes, bound, around, resolve, {}, True, rebound)

    def comprehension_scope(self, bound: frozenset[str]) -> Scope:
        """The scope of a comprehension."""
        self.scopes += 1
        return Scope(self.scopes, bound, self.scope, self.scope.resolve, {}, False)

    def is_rebound(self, variable: str) -> bool:
        """Whether a variable may be bound in another place too, with another type."""
        name, _, number = variable.partition("#")
        scope: Scope | None = self.scope
        while scope is not None and str(scope.number) != number:
            scope = scope.parent
        return scope is not None and name in scope.rebound

    def find(self, name: str, node: ast.AST) -> tuple[str, PureType | Local] | Known | None:
        """What a name stands for: a variable and its type, or what is known of it; None for builtins."""
        scope: Scope | None = self.scope
        while scope is not None:
            if name in scope.bound:
                if name not in scope.known:
                    raise NotPureError(node, f"`{name}` may have no value here")
                return f"{name}#{scope.number}", scope.known[name]
            scope = scope.parent
        return self.scope.resolve(name)

    def certain_part(self, node: ast.expr) -> PureType | None:
        """The type of a part of a value where a test said that it is not None; None elsewhere."""
        name = root_of(node)
        scope: Scope | None = self.scope
        while scope is not None and name not in scope.bound:
            scope = scope.parent
        found = None if scope is None or name is None else scope.known.get(ast.unparse(node))
        return found if isinstance(found, PureType) else None

    def bind(self, name: str, of: PureType | Local, node: ast.AST) -> tuple[str, str]:
        """Lets a name of the present function, or of the present comprehension's targets, have a value of a type."""
        scope = self.scope
        while name not in scope.bound and scope.parent is not None:
            scope = scope.parent
        for path in [each for each in scope.known if each.startswith((f"{name}.", f"{name}["))]:
            del scope.known[path]
        scope.known[name] = of
        for seen in self.observers:
            if name in seen or not isinstance(of, Local):
                seen[name] = of if name not in seen else self.joined(seen[name], of, node)
        return "var", f"{name}#{scope.number}"

    def joined(self, one: PureType | Local, other: PureType | Local, node: ast.AST) -> PureType | Local:
        """What a name may be that is one of two."""
        if isinstance(one, Local) or isinstance(other, Local):
            if one is not other:
                raise NotPureError(
                    node, "a name that may stand for different functions is not supported: `if` inside of one"
                )
            return one
        return self.growth.join(one, other, node)

    def merge(self, into: dict[str, PureType | Local], other: dict[str, PureType | Local], node: ast.AST) -> None:
        """Joins what names may be where two ways of control meet; functions and parts must be known on both."""
        for name in [name for name, of in into.items() if name not in other and _is_lost(name, of)]:
            del into[name]
        for name, of in other.items():
            if name in into or not _is_lost(name, of):
                into[name] = self.joined(into[name], of, node) if name in into else of
