"""What must be known of values and expressions before they are used: truth, equality, order, text, effects."""

from __future__ import annotations

import ast
from typing import Final

from tallystick.frontends.pyspark.uninterpreted.methods import CHANGES
from tallystick.frontends.pyspark.uninterpreted.names import Context
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


class Checks(Context):
    """Refuses what is not known."""

    def narrow(self, test: ast.expr, holds: bool) -> dict[str, PureType]:
        """Notes which names of this function are not None where a test holds, or not; gives what they were before."""
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
            self.scope.known[name.id] = plain(known)
        return before

    def widen(self, before: dict[str, PureType], node: ast.AST) -> None:
        """Undoes `narrow`."""
        for name, of in before.items():
            self.scope.known[name] = self.joined(self.scope.known[name], of, node)

    def check_truth(self, of: PureType, node: ast.AST) -> None:
        """Whether the truth of values is known; raises NotPureError."""
        if of.kind in ITERATORS:
            raise NotPureError(node, "an iterator is always true; ask for the truth of a list")
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
        if classes and str(left).replace("optional", "") != str(right).replace("optional", ""):
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
        if plain(of) not in (INT, BOOL, FLOAT, TEXT, NONE, DATE, DATETIME, NEVER):
            raise NotPureError(node, f"texts are made of int, bool, str, None and dates, and this is {of}")

    def check_effects(self, found: object, node: ast.AST) -> None:
        """Whether what is computed for the items of what has no order changes nothing; raises NotPure."""
        if has_effects(found) or (self.growth.defaults and has_places(found)):
            raise NotPureError(node, "what has no order is iterated with expressions that change nothing")
        if self.trying:
            raise NotPureError(node, "inside of `try`, what has no order is not iterated: which exception comes first?")


def _has_class(of: PureType) -> bool:
    """Whether there are records inside that are no tuples in Python, and differ from them."""
    return (of.kind == "record" and not of.ordered) or any(map(_has_class, inner(of)))
