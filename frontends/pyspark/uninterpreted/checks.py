"""What must be known of values and expressions before they are used: truth, equality, order, text, effects."""

from __future__ import annotations

import ast
from typing import Final

from tallystick.frontends.pyspark.uninterpreted.methods import CHANGES
from tallystick.frontends.pyspark.uninterpreted.names import TypingContext, root_of
from tallystick.frontends.pyspark.uninterpreted.types import (
    BOOL,
    DATE,
    DATETIME,
    FLOAT,
    HIDDEN,
    INT,
    ITERATORS,
    NEVER,
    NONE,
    TEXT,
    NotPureError,
    PureType,
    certain,
    has_equality,
    inner,
    is_totally_ordered,
    plain,
)

_CHANGING: Final = frozenset(name for methods in CHANGES.values() for name in methods) | {"pop", "popleft"}


def has_effects(node: object) -> bool:
    """Whether an expression may change what another value of it is: then the order of its values matters."""
    if not isinstance(node, tuple) or not node:
        return False
    if node[0] in ("walrus", "do", "sort", "place", "augment") or (node[0] == "method" and node[1] in _CHANGING):
        return True
    return any(map(has_effects, node))


def has_places(node: object) -> bool:
    """Whether there are places of what may be a defaultdict, which has a key once it is asked for."""
    if not isinstance(node, tuple) or not node:
        return False
    if node[0] == "key":
        return True
    return any(map(has_places, node))


class Checks(TypingContext):
    """Refuses what is not known."""

    def narrow(self, test: ast.expr, holds: bool) -> dict[str, PureType]:
        """Notes which names of this function are not None where a test holds, or not, and which parts of their values.

        Gives what they were before; NEVER for parts of which nothing was known.
        """
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            return self.narrow(test.operand, not holds)
        before: dict[str, PureType] = {}
        if any(isinstance(each, ast.NamedExpr) for each in ast.walk(test)):
            return before
        if isinstance(test, ast.BoolOp):
            if isinstance(test.op, ast.And) == holds:
                for each in test.values:
                    before = self.narrow(each, holds) | before
            return before
        name, there = test, holds
        if isinstance(test, ast.Compare):
            of_none = len(test.ops) == 1 and isinstance(test.comparators[0], ast.Constant)
            of_none = of_none and test.comparators[0].value is None  # type: ignore[attr-defined]
            name, there = test.left, of_none and isinstance(test.ops[0], ast.IsNot if holds else ast.Is)
        known = self.scope.known.get(name.id) if isinstance(name, ast.Name) else None
        if there and isinstance(name, ast.Name) and isinstance(known, PureType):
            before[name.id] = known
            self.scope.known[name.id] = certain(known)
        part = self._part(name) if there and root_of(name) in self.scope.known else None
        if part is not None and part.kind == "nullable":
            before[ast.unparse(name)] = NEVER
            self.scope.known[ast.unparse(name)] = certain(part)
        return before

    def _part(self, node: ast.expr) -> PureType | None:
        """The type of a name's value, or of a part of it; None where it is not known."""
        if (known := self.certain_part(node)) is not None:
            return known
        match node:
            case ast.Name(id=name):
                of = self.scope.known.get(name)
                return of if isinstance(of, PureType) else None
            case ast.Attribute(value=value, attr=attribute):
                whole = self._part(value)
                if whole is not None and whole.kind == "record" and attribute in whole.fields:
                    return inner(whole)[whole.fields.index(attribute)]
            case ast.Subscript(value=value, slice=ast.Constant(value=int(place))):
                whole = self._part(value)
                if whole is not None and whole.kind == "tuple" and 0 <= place < len(inner(whole)):
                    return inner(whole)[place]
        return None

    def widen(self, before: dict[str, PureType], node: ast.AST) -> None:
        """Undoes `narrow`."""
        for name, of in before.items():
            if not name.isidentifier():
                self.scope.known.pop(name, None)
                continue
            self.scope.known[name] = self.joined(self.scope.known[name], of, node)

    def check_truth(self, of: PureType, node: ast.AST) -> None:
        """Whether the truth of values is known; raises NotPureError."""
        if of.kind in ITERATORS:
            raise NotPureError(node, "an iterator is always true; ask for the truth of a list")
        if certain(of).kind == "enum":
            raise NotPureError(node, "the truth of members of enums is not supported")
        if of.kind == "record" and not of.fields:
            raise NotPureError(node, "the truth of a record without fields is not supported")
        self.check_seen(of, node)

    def check_seen(self, of: PureType, node: ast.AST) -> None:
        """Whether a value is known whatever the order of a group is; raises NotPureError."""
        if plain(of) == HIDDEN:
            raise NotPureError(
                node,
                "a group or set is sorted by a key that holds all parts of its items, or of items that are equal for "
                "the key only these parts are used: which comes first is not known",
            )

    def check_equality(self, left: PureType, right: PureType, node: ast.AST) -> None:
        """Whether values can be compared for equality; raises NotPureError."""
        if not (has_equality(left) and has_equality(right)):
            raise NotPureError(node, "groups are not compared: their order is not known")
        classes = any(_has_class(each) for each in (left, right)) and not {left, right} & {NEVER, NONE}
        if classes and _without_none(left) != _without_none(right):
            raise NotPureError(node, f"values of the types {left} and {right} are not compared")
        self.check_alike(left, right, node)

    def check_alike(self, left: PureType, right: PureType, node: ast.AST) -> None:
        """Whether values are of classes that are compared with each other; raises NotPureError.

        Those of others are never equal, and have no order: code that compares them is a mistake.
        """
        if not _alike(left, right):
            raise NotPureError(node, f"values of the types {left} and {right} are not compared")

    def comparable(self, of: PureType) -> bool:
        """Whether `<` of values is known: it may raise an exception where one is None."""
        of = plain(of)
        if of in (NEVER, NONE, FLOAT) or is_totally_ordered(of) or of.kind == "set":
            return True
        return (of.kind in ("tuple", "sequence", "list") or (of.kind == "record" and of.ordered)) and all(
            map(self.comparable, inner(of))
        )

    def check_printed(self, of: PureType, node: ast.AST) -> None:
        """Whether the text of a value is known; raises NotPureError."""
        if certain(of) not in (INT, BOOL, FLOAT, TEXT, NONE, DATE, DATETIME, NEVER):
            raise NotPureError(node, f"texts are made of int, bool, str, None and dates, and this is {of}")

    def check_effects(self, found: object, node: ast.AST) -> None:
        """Whether what is computed for the items of what has no order changes nothing; raises NotPure."""
        if has_effects(found) or (self.growth.defaults and has_places(found)):
            raise NotPureError(node, "what has no order is iterated with expressions that change nothing")
        if self.trying:
            raise NotPureError(node, "inside of `try`, what has no order is not iterated: which exception comes first?")


def _without_none(of: PureType) -> str:
    return str(of).replace("optional", "").replace("nullable", "")


def _has_class(of: PureType) -> bool:
    """Whether there are records inside that are no tuples in Python, and differ from them."""
    return (of.kind == "record" and not of.ordered) or any(map(_has_class, inner(of)))


_NUMBERS = ({"int", "bool", "float"}, {"int", "bool", "rational"}, {"int", "decimal"})
_TUPLES = {"tuple", "sequence", "record"}


def _alike(left: PureType, right: PureType) -> bool:
    left, right = certain(left), certain(right)
    if left in (NEVER, NONE) or right in (NEVER, NONE):
        return True
    if "enum" in (left.kind, right.kind):
        return left == right
    kinds = {left.kind, right.kind}
    if kinds <= _TUPLES - {"sequence"} or kinds == {"list"} or kinds == {"sequence"}:
        return all(map(_alike, inner(left), inner(right)))
    return len(kinds) == 1 or any(map(kinds.issubset, _NUMBERS)) or kinds <= _TUPLES or not kinds & _SCALAR_KINDS


_SCALAR_KINDS = {"int", "bool", "float", "rational", "decimal", "text", "date", "datetime", "timedelta"}
