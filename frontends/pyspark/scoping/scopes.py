"""Which names a module or function binds, and where: Python's scoping rules, read from the source text."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from tallystick.frontends.pyspark.scoping.bound_names import BuiltinName, all_parameters, bound_names
from tallystick.frontends.pyspark.scoping.handing_on import all_names, name_of, other_names
from tallystick.frontends.pyspark.scoping.source import Function, SourceFile

Position = tuple[int, int]


@dataclass(frozen=True)
class Binding:
    """One place that binds a name.

    Attributes:
        statement: the statement, parameter or expression that binds it.
        direct: whether it is a statement of the scope's own body, which runs exactly once.
        typing_only: whether it stands under `if TYPE_CHECKING:`.
    """

    statement: ast.AST
    direct: bool
    typing_only: bool = False

    @property
    def position(self) -> Position:
        """Where the binding starts."""
        return position_of(self.statement)

    @property
    def effect(self) -> Position:
        """Where the name has its value: a function may use itself, other statements end before they bind."""
        node = self.statement
        if isinstance(node, ast.FunctionDef):
            return position_of(node)
        return getattr(node, "end_lineno", 0) or 0, getattr(node, "end_col_offset", 0) or 0


@dataclass(frozen=True, eq=False)
class Scope:
    """The names that the body of a module, function or lambda binds, with every binding of each."""

    source: SourceFile
    node: ast.Module | Function
    bindings: dict[str, list[Binding]] = field(default_factory=dict)


def value_given(name: str, statement: ast.Assign | ast.AnnAssign) -> ast.expr | None:
    """The expression that an assignment gives a name, also in `A, B = 1, 2`; None where there is none to point at."""
    match statement:
        case ast.Assign(targets=[target], value=ast.expr() as value):
            return _value_in(name, target, value)
        case ast.AnnAssign(target=target, value=ast.expr() as value):
            return _value_in(name, target, value)
    return None


def _value_in(name: str, target: ast.expr, value: ast.expr) -> ast.expr | None:
    match target, value:
        case ast.Name(id=found), _:
            return value if found == name else None
        case (ast.Tuple(elts=targets) | ast.List(elts=targets), ast.Tuple(elts=values) | ast.List(elts=values)):
            starred = any(isinstance(each, ast.Starred) for each in (*targets, *values))
            if not starred and len(targets) == len(values):
                found = [_value_in(name, *both) for both in zip(targets, values, strict=True)]
                return next((each for each in reversed(found) if each is not None), None)
    return None


@lru_cache(maxsize=256)
def assigned_attributes(source: SourceFile) -> tuple[ast.Attribute, ...]:
    """The attributes that a file assigns to or deletes, as in `helpers.K = 3` and `setattr(helpers, "K", 3)`."""
    nodes = [*ast.walk(source.tree)]
    called = [found for node in nodes if (found := _set_by_call(node)) is not None]
    return *(node for node in nodes if isinstance(node, ast.Attribute) and is_assigned(node)), *called


ANY: Final = "*"
"""What an attribute is called whose name a call computes."""
_SETTERS: Final = ("setattr", "delattr", "__setattr__", "__delattr__")


def _set_by_call(node: ast.AST) -> ast.Attribute | None:
    """The attribute that a call of `setattr` and its kin assigns to or deletes; any one in the dictionary of all."""
    match node:
        case ast.Call(func=ast.Name(id=name), args=[owner, what, *_]) if name in _SETTERS:
            pass
        case ast.Call(func=ast.Attribute(attr=name), args=[owner, what, _]) if name == "__setattr__":
            pass  # object.__setattr__(owner, "name", value)
        case ast.Call(func=ast.Attribute(value=owner, attr=name), args=[what, *_]) if name in _SETTERS:
            pass
        case ast.Call(func=ast.Name(id="vars"), args=[owner]) | ast.Attribute(value=owner, attr="__dict__"):
            what = None
        case _:
            return None
    attribute = str(what.value) if isinstance(what, ast.Constant) else ANY
    return ast.copy_location(ast.Attribute(owner, attribute, ast.Store()), node)


def is_assigned(node: ast.Attribute) -> bool:
    """Whether an attribute is assigned to or deleted."""
    return not isinstance(node.ctx, ast.Load)


def stands_in_init(node: ast.Attribute, source: SourceFile) -> bool:
    """Whether an assignment is to an attribute of the object that an `__init__` makes."""
    return any(
        isinstance(function, ast.FunctionDef)
        and function.name == "__init__"
        and any(each is node for each in ast.walk(function))
        and isinstance(node.value, ast.Name)
        and function.args.args[:1] != []
        and node.value.id == function.args.args[0].arg
        for function in ast.walk(source.tree)
    )


def stands_in_new(node: ast.Attribute, source: SourceFile) -> bool:
    """Whether an assignment is in a `__new__`, which makes objects."""
    functions = (each for each in ast.walk(source.tree) if isinstance(each, ast.FunctionDef))
    return any(each.name == "__new__" and any(inner is node for inner in ast.walk(each)) for each in functions)


_READING: Final = {
    *("all", "any", "dict", "enumerate", "frozenset", "len", "list", "max", "min", "range"),
    *("reversed", "set", "sorted", "sum", "tuple", "zip"),
}
_READING_METHODS: Final = {"count", "get", "index", "items", "keys", "values"}


@lru_cache(maxsize=256)
def names_that_may_change(source: SourceFile) -> frozenset[str]:
    """Names and attributes whose value a file uses in a way that may change it, or hand it to what may.

    Membership tests, subscripts, loops, reading methods and the builtins that only read do not count, nor does the
    assignment that gives the name its value, nor what gives it another name by which nothing changes it.
    """
    reading, handed_on = reading_uses(source), other_names(source)
    found: set[str] = set()
    for node in ast.walk(source.tree):
        if node in reading or node in handed_on:
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load | ast.Del):
            found.add(node.id)
        elif isinstance(node, ast.Attribute):
            found.add(node.attr)
        elif isinstance(node, ast.AugAssign) and (name := name_of(node.target)) is not None:
            found.add(name)
    found |= {
        name for node in handed_on if (name := name_of(node)) and not found.isdisjoint(all_names([name], [source]))
    }
    renamed = [each for node in ast.walk(source.tree) if isinstance(node, ast.ImportFrom) for each in node.names]
    return frozenset(found | {each.name for each in renamed if each.asname in found})


@lru_cache(maxsize=64)
def reading_uses(source: SourceFile) -> frozenset[ast.AST]:
    """The expressions of a file that stand where a list, set or dictionary is only read, and kept by nothing."""
    reading: set[ast.AST] = set()
    for node in ast.walk(source.tree):
        match node:
            case ast.Dict(keys=keys, values=values):
                reading.update(value for key, value in zip(keys, values, strict=True) if key is None)
            case ast.Compare(ops=operators, comparators=right):
                pairs = zip(operators, right, strict=True)
                reading.update(each for operator, each in pairs if isinstance(operator, ast.In | ast.NotIn))
            case ast.Subscript(value=whole, ctx=ast.Load()):
                reading.add(whole)
            case ast.Call(func=BuiltinName(id="min" | "max"), args=[_, _, *_]):
                pass  # gives one of its arguments
            case ast.Call(func=BuiltinName(id=name), args=arguments) if name in _READING:
                reading.update(arguments)
            case ast.Call(func=ast.Attribute(value=BuiltinName(id="dict"), attr="fromkeys"), args=[keys, *_]):
                reading.add(keys)
            case ast.Call(func=ast.Attribute(value=owner, attr=method)) if method in _READING_METHODS:
                reading.add(owner)
            case ast.For(iter=iterable) | ast.comprehension(iter=iterable):
                reading.add(iterable)
    return frozenset(reading)


def position_of(node: ast.AST) -> Position:
    """Line and column of a node, which order the statements of a body without loops as they run."""
    return getattr(node, "lineno", 0), getattr(node, "col_offset", 0)


@lru_cache(maxsize=4096)
def scope_of(source: SourceFile, node: ast.Module | Function) -> Scope:
    """The scope that a module or function opens."""
    scope = Scope(source, node)
    if not isinstance(node, ast.Module):
        for parameter in all_parameters(node):
            _bind(scope, parameter.arg, Binding(parameter, False))
    body = [ast.Expr(node.body)] if isinstance(node, ast.Lambda) else node.body
    for statement in body:
        typing_only = isinstance(statement, ast.If) and is_type_checking(statement.test)
        for name, owner in bound_names(statement):
            _bind(scope, name, Binding(owner, owner is statement or typing_only, typing_only))
    for inner in ast.walk(node):  # a nested function may rebind names of this scope
        if isinstance(inner, ast.Global if isinstance(node, ast.Module) else ast.Nonlocal):
            for name in inner.names:
                _bind(scope, name, Binding(inner, False))
    return scope


def _bind(scope: Scope, name: str, binding: Binding) -> None:
    """Note a binding; a second import of the same is none."""
    known = scope.bindings.setdefault(name, [])
    imports = [_imported(each.statement, name) for each in (*known[:1], binding) if each.direct]
    if name == "*" or not (len(known) == 1 and len(imports) == 2 and imports[0] == imports[1] is not None):
        known.append(binding)


def _imported(statement: ast.AST, bound: str) -> tuple[int, str, str] | None:
    """What an import binds to a name: the dots before the module, the module, and the name in it."""
    match statement:
        case ast.ImportFrom(module=module, names=names, level=level):
            found = [(level, module or "", each.name) for each in names if bound in (each.asname, each.name)]
        case ast.Import(names=names):
            found = [(0, each.name, "") for each in names if bound in (each.asname, each.name)]
        case _:
            return None
    return found[0] if len(found) == 1 else None


def exported(source: SourceFile) -> frozenset[str] | None:
    """The names that `import *` takes from a file; None where its text does not fix them."""
    bindings = scope_of(source, source.tree).bindings
    match bindings.get("__all__"):
        case None:
            return None if "*" in bindings else frozenset(each for each in bindings if not each.startswith("_"))
        case [Binding(statement=ast.Assign(targets=[ast.Name()], value=ast.List(elts=names) | ast.Tuple(elts=names)))]:
            texts = [each.value for each in names if isinstance(each, ast.Constant) and isinstance(each.value, str)]
            uses = [node for node in ast.walk(source.tree) if isinstance(node, ast.Name) and node.id == "__all__"]
            return frozenset(texts) if len(texts) == len(names) and len(uses) == 1 else None
    return None


def is_type_checking(test: ast.expr) -> bool:
    """Whether a condition is `TYPE_CHECKING` or `typing.TYPE_CHECKING`."""
    name = test.id if isinstance(test, ast.Name) else test.attr if isinstance(test, ast.Attribute) else ""
    return name == "TYPE_CHECKING"


def imported_name(statement: ast.AST, bound: str) -> str | None:
    """The full name that an import binds to `bound`."""
    if isinstance(statement, ast.Import):
        for alias in statement.names:
            if alias.asname == bound:
                return alias.name
            if alias.asname is None and alias.name.partition(".")[0] == bound:
                return bound
    if isinstance(statement, ast.ImportFrom) and statement.level == 0:
        for alias in statement.names:
            if (alias.asname or alias.name) == bound:
                return f"{statement.module}.{alias.name}"
    return None


def library_name(node: ast.expr, source: SourceFile) -> str | None:
    """The full name that a name of a module has, as in typing.NamedTuple, if one import or nothing binds it.

    A name that nothing around it binds is Python's own.
    """
    attributes: list[str] = []
    while isinstance(node, ast.Attribute):
        attributes.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    bindings = scope_of(source, source.tree).bindings
    if "*" in bindings:
        return None
    bound = bindings.get(node.id, [])
    first = imported_name(bound[0].statement, node.id) if len(bound) == 1 and bound[0].direct else None
    if isinstance(node, BuiltinName):
        first = f"builtins.{node.id}"
    return None if first is None else ".".join([first, *reversed(attributes)])
