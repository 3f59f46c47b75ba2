"""What a program does at the driver with what it collected, as a function by name.

    def p(r, n):                                def p(r, n):
        xs = sorted(r.collect())                    def rest(collected):
        return xs[len(xs) // n]                         xs = sorted(collected)
                                                        return xs[len(xs) // n]
                                                    return rest(r.collect())

Both return the same: actions without failures and effects are called before, and what they are called on is not changed
by the rest. The elements that are collected have no order, and pure code sees none.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Sequence
from typing import Final

ACTIONS: Final = frozenset(("collect", "collectAsMap", "count", "isEmpty", "mean", "sum"))
"""Actions that never raise, whose results pure code may have for arguments."""
OF_A_NUMBER: Final = frozenset(("take", "takeOrdered", "top"))
"""Actions that do not raise for a constant number that is positive."""
_REST: Final = "the rest of it"
_COLLECTED: Final = "what was collected"
"""Names that no source has."""


def rests(
    function: ast.FunctionDef, line: int, module: ast.Module
) -> Iterator[tuple[ast.FunctionDef, ast.FunctionDef]]:
    """The ways to call the rest of a function as a function of its own: the shortest rests that have a line, first.

    Args:
        function: a program.
        line: which could not be read.
        module: where the function stands.

    Yields the function that calls its rest, and the rest.
    """
    known = _bound(module.body)
    first = next((at for at, each in enumerate(function.body) if each.lineno <= line <= (each.end_lineno or line)), -1)
    for start in range(first, -1, -1):
        found = _split(function, start, "sorted" in known or "*" in known)
        if found is not None:
            yield found


def _split(function: ast.FunctionDef, start: int, shadowed: bool) -> tuple[ast.FunctionDef, ast.FunctionDef] | None:
    """The function whose rest begins at a statement; None where an action needs what the rest computes.

    What the rest binds is its own: no function that is made before it may see that, since Spark runs it later.
    """
    nodes = [inner for each in function.body[start:] for inner in ast.walk(each)]
    hoisting = _Hoisting(any(isinstance(each, ast.Try | ast.TryStar | ast.With) for each in nodes))
    body = [hoisting.visit(copy.deepcopy(each)) for each in function.body[start:]]
    body = body if shadowed else _with_sorted(body)
    bound, before = _bound(body), [*function.body[:start], *hoisting.actions]
    if any(_may_depend(each, bound) for each in hoisting.actions) or not _captured(before).isdisjoint(bound):
        return None
    place = function.body[start]
    names = [ast.arg(f"{_COLLECTED} {number}") for number in range(len(hoisting.actions))]
    parameters = ast.arguments([], names, None, [], [], None, [])
    rest = ast.copy_location(ast.FunctionDef(_REST, parameters, body, [], None), place)
    call = ast.Return(ast.Call(ast.Name(_REST, ast.Load()), hoisting.actions, []))
    whole = copy.copy(function)
    whole.body = [*function.body[:start], rest, ast.copy_location(call, place)]
    ast.fix_missing_locations(whole)
    return whole, rest


def _with_sorted(statements: list[ast.stmt]) -> list[ast.stmt]:
    """Statements with `xs = sorted(xs)` for `xs.sort()`, where nothing mentions the collected list `xs` in between."""
    found = list(statements)
    for at, statement in enumerate(statements):
        match statement:
            case ast.Expr(ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="sort"), args=[], keywords=named)):
                before = [each for each in statements[:at] if name in _mentioned(each)]
                if len(before) == 1 and _is_collected(before[0], name):
                    call = ast.Call(ast.Name("sorted", ast.Load()), [ast.Name(name, ast.Load())], named)
                    made = ast.Assign([ast.Name(name, ast.Store())], call)
                    found[at] = ast.copy_location(made, statement)
    return found


def _mentioned(statement: ast.stmt) -> set[str]:
    return {each.id for each in ast.walk(statement) if isinstance(each, ast.Name)}


def _is_collected(statement: ast.stmt, name: str) -> bool:
    """Whether a statement binds a name, and no other, to what was collected."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=target)], value=ast.Name(id=value)):
            return target == name and value.startswith(_COLLECTED)
    return False


def _number(action: ast.Call) -> int:
    """The positive number that an action is given; 0 for others."""
    match action.args:
        case [ast.Constant(value=int(number))] if number > 0:
            return number
    return 0


def _may_depend(action: ast.expr, bound: set[str]) -> bool:
    """Whether an action may use a name that the rest binds, or bind one."""
    used = {each.id for each in ast.walk(action) if isinstance(each, ast.Name)}
    return bool(used & bound) or any(isinstance(each, ast.NamedExpr) for each in ast.walk(action))


def _captured(nodes: Sequence[ast.AST]) -> set[str]:
    """The names that functions in some nodes use."""
    functions = (each for node in nodes for each in ast.walk(node) if isinstance(each, ast.FunctionDef | ast.Lambda))
    found: set[str] = set()
    for function in functions:
        own = {each.arg for each in ast.walk(function.args) if isinstance(each, ast.arg)}
        body = function.body if isinstance(function.body, list) else [function.body]
        found |= {each.id for part in body for each in ast.walk(part) if isinstance(each, ast.Name)} - own
    return found


def _bound(statements: list[ast.stmt]) -> set[str]:
    """The names that statements, and functions and comprehensions in them, bind."""
    found: set[str] = set()
    for node in (inner for each in statements for inner in ast.walk(each)):
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name):
                found.add(name)
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                found.update((each.asname or each.name).partition(".")[0] for each in names)
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                found.add(name)
    return found


class _Hoisting(ast.NodeTransformer):
    """Puts parameters in the place of actions.

    Attributes:
        actions: what stands for each parameter.
    """

    def __init__(self, tries: bool) -> None:
        self.actions: list[ast.expr] = []
        self._tries = tries

    def visit_Try(self, node: ast.AST) -> ast.AST:
        """A `try`, whose actions stay: what the functions of an RDD raise is raised there, and perhaps caught."""
        return node

    visit_TryStar = visit_With = visit_Try  # noqa: N815

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.Lambda) -> ast.AST:
        """A function; where there is a `try`, its actions stay, as it may be called there."""
        return node if self._tries else self.generic_visit(node)

    visit_Lambda = visit_FunctionDef  # noqa: N815

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """An action, or a call that may have actions in its arguments."""
        match node:
            case ast.Call(func=ast.Attribute(attr=name), keywords=[]) if (
                name in OF_A_NUMBER and _number(node) > 0
            ) or (name in ACTIONS and not node.args):
                self.actions.append(node)
                return ast.copy_location(ast.Name(f"{_COLLECTED} {len(self.actions) - 1}", ast.Load()), node)
        return self.generic_visit(node)
