"""Pure code as a function: read, typed, named by its canonical text, and evaluated.

The code is a deterministic function of its arguments: everything that is not known to be so is refused (`NotPure`).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from tallystick.frontends.pyspark.uninterpreted import canonical, interpreter
from tallystick.frontends.pyspark.uninterpreted.names import Local, Resolve, Scope
from tallystick.frontends.pyspark.uninterpreted.statements import Statements
from tallystick.frontends.pyspark.uninterpreted.types import (
    ITERATORS,
    Growth,
    NotPureError,
    PureType,
    celled,
    contains,
    inner,
    resolved,
)

_PASSES: Final = 12
_MOST_TEXT: Final = 100_000


@dataclass(frozen=True)
class PureCode:
    """A pure function.

    Attributes:
        text: its canonical text: equal texts are equal functions.
        takes: the types of its arguments.
        gives: the type of its values.
        value: computes it on Python's own values (records are tuples, bags are lists in any order, all sets are sets).
        code: what is evaluated.
    """

    text: str
    takes: tuple[PureType, ...]
    gives: PureType
    value: Callable[..., object] = field(compare=False)
    code: tuple[Any, ...] = field(compare=False, default=())


def pure_code(
    code: ast.Lambda | ast.FunctionDef | ast.expr, parameters: Sequence[tuple[str, PureType]], resolve: Resolve
) -> PureCode:
    """The function that a lambda, a `def`, or an expression with free names computes.

    Args:
        code: of a lambda or `def`, its parameters are the first of `parameters`, by position; the others are names
            outside of it that are arguments too. Of an expression, all are free names.
        parameters: names and types.
        resolve: what other names stand for: None for builtins; raises NotPureError.

    Raises:
        NotPureError: something in the code is not known to be pure, deterministic and of a known type.
    """
    try:
        return _typed(code, parameters, resolve)
    except RecursionError:
        raise NotPureError(code, "containers that hold themselves, and very deep code, are not supported") from None


def _typed(
    code: ast.Lambda | ast.FunctionDef | ast.expr, parameters: Sequence[tuple[str, PureType]], resolve: Resolve
) -> PureCode:
    growth = Growth()
    growth.exact = any(contains(of, ("rational", "decimal")) for _, of in parameters)
    types = [(name, celled(_inside(of), True)) for name, of in parameters]
    for _ in range(_PASSES):
        changes = growth.changes
        found, gives = _read(code, types, resolve, growth)
        if growth.changes == changes:
            growth.check_keys(code)
            return _made(found, tuple(of for _, of in parameters), resolved(gives), code)
    raise NotPureError(code, "the types in this code are not known")


def _made(found: tuple[Any, ...], takes: tuple[PureType, ...], gives: PureType, node: ast.AST) -> PureCode:
    if contains(gives, (*ITERATORS, "condition", "hidden", "match", "range", "deque")):
        raise NotPureError(node, f"a result of the type {gives} is not supported: lists are")
    text = canonical.text(found, takes)
    if len(text) > _MOST_TEXT:
        raise NotPureError(node, "this code is too long")
    return PureCode(text, takes, _outside(gives), lambda *values: interpreter.evaluate(found, values), found)


def _outside(of: PureType) -> PureType:
    """The type of results: of dicts, the order is no part of it."""
    kind = {"unordered dict": "dict", "nullable": "optional"}.get(of.kind, of.kind)
    name = of.name if of.kind in ("record", "enum") else ""
    return PureType(kind, tuple(map(_outside, of.of)), name, of.fields, (), of.ordered)


def _inside(of: PureType) -> PureType:
    """The type of arguments: of dicts, the order is not known."""
    kind = "unordered dict" if of.kind == "dict" else of.kind
    return PureType(kind, tuple(map(_inside, inner(of))), of.name, of.fields, (), of.ordered)


def _read(
    code: ast.Lambda | ast.FunctionDef | ast.expr,
    parameters: Sequence[tuple[str, PureType]],
    resolve: Resolve,
    growth: Growth,
) -> tuple[tuple[Any, ...], PureType]:
    names = [name for name, _ in parameters]
    types = [of for _, of in parameters]
    count = 0
    if isinstance(code, ast.Lambda | ast.FunctionDef):
        count = len(code.args.posonlyargs) + len(code.args.args)
        if code.args.vararg or code.args.kwarg or code.args.kwonlyargs or count > len(names):
            raise NotPureError(code, "functions with a fixed number of parameters are supported")
    free = names[count:] if isinstance(code, ast.Lambda | ast.FunctionDef) else names
    scope = Scope(0, frozenset(free) | _walruses(code), None, resolve)
    reader = Statements(scope)
    reader.growth = growth
    outer = tuple(reader.bind(name, of, code) for name, of in zip(free, types[len(names) - len(free) :], strict=True))
    if not isinstance(code, ast.Lambda | ast.FunctionDef):
        found, gives = reader.value(code)
        return ("fun", outer, found), gives
    reader_function, gives = reader.outermost(code, Local(code, scope), types[:count])
    _, inner_parameters, body = reader_function
    return ("fun", (*inner_parameters, *outer), body), gives


def _walruses(code: ast.AST) -> frozenset[str]:
    if isinstance(code, ast.Lambda | ast.FunctionDef):
        return frozenset()
    return frozenset(each.target.id for each in ast.walk(code) if isinstance(each, ast.NamedExpr))
