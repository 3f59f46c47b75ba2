"""Loops, and those over what has no order."""

from __future__ import annotations

import ast
from typing import Final

from tallystick.frontends.pyspark.uninterpreted.commuting import commuting
from tallystick.frontends.pyspark.uninterpreted.expressions import Node
from tallystick.frontends.pyspark.uninterpreted.names import Local, Scope
from tallystick.frontends.pyspark.uninterpreted.pattern_calls import Patterns
from tallystick.frontends.pyspark.uninterpreted.types import NotPureError, PureType, inner, resolved, variables

_PASSES: Final = 12
_MAKES: Final = (
    *(f"builtins.{name}" for name in ("list", "set", "dict")),
    *(f"collections.{name}" for name in ("Counter", "defaultdict")),
)
_FILLS: Final = ("append", "add", "extend", "update", "sort")


class Loops(Patterns):
    """Reads loops; `block` and `place` are added by statements.py."""

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self.exits: list[list[dict[str, PureType | Local]]] = []
        self.unordered: dict[int, bool] = {}
        """Whether a loop goes over what has no order, by the identity of its node."""
        self.inside: ast.FunctionDef | None = None
        """The function whose body is read."""

    def block(self, statements: list[ast.stmt]) -> tuple[Node, ...]:
        """Statements, one after the other."""
        raise NotImplementedError

    def place(self, node: ast.expr, of: PureType) -> Node:
        """Where a value is assigned."""
        raise NotImplementedError

    def _loop(self, node: ast.For | ast.While, start: ast.expr) -> Node:
        """A loop: read until the types of names no longer change."""
        for _ in range(_PASSES):
            before, changes = dict(self.scope.known), self.growth.changes
            self.exits.append([])
            head = self._head(node, start)
            body = self.block(node.body)
            exits = self.exits.pop()
            for each in exits:
                self.merge(self.scope.known, each, node)
            self.merge(self.scope.known, before, node)
            if self.growth.changes == changes and _same(self.scope.known, before):
                after = dict(self.scope.known)
                rest = self.block(node.orelse)
                self.merge(self.scope.known, after, node)
                return (*head, body, rest)
        raise NotPureError(node, "the types of the names in this loop are not known")

    def _head(self, node: ast.For | ast.While, start: ast.expr) -> Node:
        if isinstance(node, ast.While):
            return "while", self.condition(start)
        found, of, ordered = self.iterable(start, later=True)
        self.unordered[id(node)] = not ordered
        return "for", self.place(node.target, of), found

    def _read_for(self, node: ast.For) -> Node:
        found = self._loop(node, node.iter)
        if self.unordered[id(node)]:
            self._in_any_order(found, node)
        return found

    def _read_while(self, node: ast.While) -> Node:
        return self._loop(node, node.test)

    def _read_break(self, node: ast.Break) -> Node:
        del node
        self.exits[-1].append(dict(self.scope.known))
        return ("break",)

    def _read_continue(self, node: ast.Continue) -> Node:
        del node
        self.exits[-1].append(dict(self.scope.known))
        return ("continue",)

    def _in_any_order(self, loop: Node, node: ast.For) -> None:
        """Checks a loop over what has no order, and notes what is known after it; raises NotPureError."""
        if self.trying:
            raise NotPureError(node, "inside of `try`, what has no order is not iterated: which exception comes first?")
        known = {f"{name}#{self.scope.number}": of for name, of in self.scope.known.items() if isinstance(of, PureType)}
        found = commuting(loop, known, self.growth.defaults, node)
        filled = {name for name, way in found.names.items() if way in ("list", "set", "count", "sets", "keys")}
        if variables(loop[4]) & (found.others | filled):
            raise NotPureError(node, "`else` of a loop over what has no order uses names of the loop")
        for name in filled:
            short, of = name.partition("#")[0], known[name]
            empty = found.names[name] == "sets"
            if name != f"{short}#{self.scope.number}" or not self.is_made_before(short, node, empty):
                raise NotPureError(node, f"`{short}` is supported where it is made, empty, right before this loop")
            if of.kind == "list":
                self.scope.known[short] = PureType("bag", (inner(of)[0],), "list")
            elif of.kind == "dict":
                self.scope.known[short] = PureType("unordered dict", cells=of.cells)
        for name in found.others:
            self.scope.known.pop(name.partition("#")[0], None)

    def is_made_before(self, name: str, node: ast.AST, empty: bool = False) -> bool:
        """Whether a container has this name alone: it is made in the same block, and was only filled since then."""
        if self.inside is None or name not in self.scope.bound:
            return False
        parts = [each for each in ast.walk(self.inside) if isinstance(each, ast.FunctionDef | ast.Lambda)]
        if any(_uses(each, name) for each in parts if each is not self.inside):
            return False
        for each in ast.walk(self.inside):
            for _, block in ast.iter_fields(each):
                if isinstance(block, list) and (at := _position(block, node)) is not None:
                    return self._is_made_in(block[:at], name, empty)
        return False

    def _is_made_in(self, block: list[ast.stmt], name: str, empty: bool) -> bool:
        for each in reversed(block):
            if isinstance(each, ast.Assign | ast.AnnAssign) and each.value is not None:
                targets = each.targets if isinstance(each, ast.Assign) else [each.target]
                if len(targets) == 1 and isinstance(targets[0], ast.Name) and targets[0].id == name:
                    return not _uses(each.value, name) and self._makes(each.value, empty)
            fills = {
                id(part.func.value)
                for part in ast.walk(each)
                if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr in _FILLS
            }
            if any(isinstance(part, ast.Name) and part.id == name and id(part) not in fills for part in ast.walk(each)):
                return False
        return False

    def _makes(self, node: ast.expr, empty: bool) -> bool:
        """Whether an expression makes a container that no other name has, or an empty one, of new sets by default."""
        if empty:
            default = isinstance(node, ast.Call) and all(isinstance(e, ast.Name) and e.id == "set" for e in node.args)
            return (isinstance(node, ast.Dict) and not node.keys) or (default and self._makes(node, False))
        if isinstance(node, ast.List | ast.Set | ast.Dict | ast.ListComp | ast.SetComp | ast.DictComp):
            return True
        if not isinstance(node, ast.Call):
            return False
        if isinstance(node.func, ast.Name) and self.find(node.func.id, node) is None:
            return f"builtins.{node.func.id}" in _MAKES
        return self.imported(node.func) in _MAKES


def _position(block: list[object], node: ast.AST) -> int | None:
    """Where a statement stands in a block."""
    for place, each in enumerate(block):
        if each is node or (isinstance(each, ast.Expr) and each.value is node):
            return place
    return None


def _uses(code: ast.AST, name: str) -> bool:
    return any(isinstance(each, ast.Name) and each.id == name for each in ast.walk(code))


def _same(one: dict[str, PureType | Local], other: dict[str, PureType | Local]) -> bool:
    def plainly(known: dict[str, PureType | Local]) -> dict[str, object]:
        return {name: resolved(of) if isinstance(of, PureType) else of for name, of in known.items()}

    return plainly(one) == plainly(other)
