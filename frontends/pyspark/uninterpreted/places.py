"""Places of tuples, lists, texts and dicts, and what is assigned."""

from __future__ import annotations

import ast
from typing import Final

from tallystick.frontends.pyspark.uninterpreted.expressions import Expressions, Node, Typed
from tallystick.frontends.pyspark.uninterpreted.names import Constant
from tallystick.frontends.pyspark.uninterpreted.types import (
    BOOL,
    INT,
    NEVER,
    NONE,
    TEXT,
    NotPureError,
    PureType,
    inner,
    is_fixed,
    plain,
    sequence_of,
    tuple_of,
)

_SIZED: Final = ("list", "sequence", "range", "deque")


class Places(Expressions):
    """Reads items and slices, and the targets of assignments."""

    def _read_subscript(self, node: ast.Subscript) -> Typed:
        if (known := self._constant_item(node)) is not None:
            return self.constant(known.value, node)
        found, of = self.value(node.value)
        if isinstance(node.slice, ast.Slice):
            return self._slice(found, of, node.slice)
        index, by = self.value(node.slice)
        item, its = self.item_of((found, of), (index, by), node)
        return item, (self.certain_part(node) if of.kind == "tuple" else None) or its

    def _constant_item(self, node: ast.expr) -> Constant | None:
        """What a constant dictionary of a module has at a constant key: its other values may be of other types."""
        match node:
            case ast.Name(id=name):
                found = self.find(name, node)
                return found if isinstance(found, Constant) else None
            case ast.Subscript(value=value, slice=ast.Constant(value=key)):
                of = self._constant_item(value)
                if of is not None and isinstance(of.value, dict) and key in of.value:
                    return Constant(of.value[key])
        return None

    def item_of(self, whole: Typed, index: Typed, node: ast.AST) -> Typed:
        """An item of a value: `key` of dicts, which may change them; `at` of all others."""
        operator = "key" if plain(whole[1]).kind in ("dict", "unordered dict") else "at"
        return (operator, whole[0], index[0]), self.item(whole[1], *index, node)

    def item(self, of: PureType, index: Node, by: PureType, node: ast.AST) -> PureType:
        """The type of an item; raises NotPureError."""
        of, by = plain(of), plain(by)
        if of in (NEVER, NONE):
            return NEVER
        if of.kind in ("dict", "unordered dict"):
            self.check_equality(by, plain(inner(of)[0]), node)
            if not is_fixed(of):  # a defaultdict has the key from now on
                self.growth.add(of.cells[0], by, node)
            return inner(of)[1]
        if by not in (INT, BOOL, NEVER, NONE):
            raise NotPureError(node, f"the index is a value of the type {by}; int is supported")
        if of == TEXT:
            return TEXT
        if of.kind in _SIZED:
            return INT if of.kind == "range" else inner(of)[0]
        if of.kind == "tuple" or (of.kind == "record" and of.ordered):
            inside = inner(of)
            if index[0] == "const" and type(index[1]) is int:
                return inside[index[1]] if -len(inside) <= index[1] < len(inside) else NEVER
            return self.all_of(list(inside), node)
        raise NotPureError(node, f"items of values of the type {of} are not supported: their order is not known")

    def _slice(self, found: Node, of: PureType, node: ast.Slice) -> Typed:
        of = plain(of)
        bounds: list[Node] = []
        for each in (node.lower, node.upper, node.step):
            bound, by = self.value(each) if each is not None else (("const", None), NONE)
            if plain(by) not in (INT, BOOL, NONE, NEVER):
                raise NotPureError(node, f"a bound is a value of the type {by}; int is supported")
            bounds.append(bound)
        result = ("slice", found, *bounds)
        if of in (TEXT, NEVER, NONE):
            return result, TEXT if of == TEXT else NEVER
        if of.kind == "list":
            return result, self.fresh(node, "list", inner(of)[0])
        if of.kind in ("sequence", "range"):
            return result, of
        if of.kind == "tuple" or (of.kind == "record" and of.ordered):
            inside = inner(of)
            if all(bound[0] == "const" for bound in bounds):
                return result, tuple_of(*inside[slice(*(bound[1] for bound in bounds))])
            return result, sequence_of(self.all_of(list(inside), node))
        raise NotPureError(node, f"slices of values of the type {of} are not supported: their order is not known")

    def target(self, node: ast.expr, of: PureType) -> Node:
        """Assigns values of a type to names; raises NotPureError."""
        if isinstance(node, ast.Name):
            return self.bind(node.id, of, node)
        if isinstance(node, ast.Tuple | ast.List):
            return self._unpacked(node.elts, plain(of), node)
        raise NotPureError(node, f"`{ast.unparse(node)}` cannot be assigned in pure code")

    def _unpacked(self, nodes: list[ast.expr], of: PureType, node: ast.expr) -> Node:
        item, ordered = (NEVER, True) if of.kind in ("tuple", "record") else self.items(of, node)
        if not ordered:
            raise NotPureError(node, "the order of a group or set is not known: unpack `sorted(…)` of it")
        stars = [i for i, each in enumerate(nodes) if isinstance(each, ast.Starred)]
        inside = list(inner(of)) if of.kind in ("tuple", "record") else None
        if inside is not None and len(inside) < len(nodes) - len(stars):
            inside = None
        if inside is None or stars:
            item, ordered = self.items(of, node)
        targets: list[Node] = []
        for i, each in enumerate(nodes):
            if isinstance(each, ast.Starred):
                targets.append(("star", self.target(each.value, self.fresh(each, "list", item))))
            elif inside is None:
                targets.append(self.target(each, item))
            else:
                targets.append(self.target(each, inside[i if not stars or i < stars[0] else i - len(nodes)]))
        return ("tuple", *targets)
