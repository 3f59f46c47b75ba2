"""Loops over what has no order: whether their rounds commute, and what is known after them.

A round may add to numbers, keep the largest or smallest value, set a flag, fill a list, a set or a dict that is made
right before, and return a constant. It reads nothing of these, and no name that another round has assigned.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from tallystick.frontends.pyspark.uninterpreted.checks import has_effects, has_places
from tallystick.frontends.pyspark.uninterpreted.types import (
    BOOL,
    EXACT,
    INT,
    TIMEDELTA,
    NotPureError,
    PureType,
    inner,
    is_totally_ordered,
    plain,
    variables,
)

Node = tuple[Any, ...]
_Way = str | tuple[str, tuple[type, object]] | None
"""How a name is changed: as a sum, a largest value, …, to a constant, to keys of a constant, or in another way."""
_SIGNS: Final = {"+": "sum", "-": "sum", "*": "product", "|": "or", "&": "and"}
_SUPPORTED: Final = (
    "a loop over a group or set is supported where its rounds commute: it adds to ints, keeps the largest or smallest "
    "value, sets a flag, fills lists, sets and dicts that are made right before it; else iterate `sorted(…)`"
)


@dataclass
class Round:
    """What a round does to the names around it.

    Attributes:
        names: how each name is changed that is the same in any order afterwards; of containers, "list", "set", "dict".
        others: the names that are assigned otherwise.
    """

    names: dict[str, str] = field(default_factory=dict)
    others: set[str] = field(default_factory=set)


def commuting(loop: Node, known: Mapping[str, PureType], defaults: bool, place: object) -> Round:
    """What a loop `("for", target, iterable, body, rest)` does in any order; raises NotPureError.

    Args:
        loop: the loop.
        known: the types of variables before the loop, whatever the number of its rounds.
        defaults: whether there is a defaultdict in the code.
        place: where the loop is.
    """
    reader = _Reader(known, defaults, place)
    reader.collect(loop[3])
    reader.choose(loop[1], loop[3])
    if variables(loop[2]) & reader.writes.keys():
        raise reader.refuse()
    reader.block(loop[3], variables(loop[1]), 0)
    reader.ends(loop[3])
    return reader.found


class _Reader:
    def __init__(self, known: Mapping[str, PureType], defaults: bool, place: object) -> None:
        self.known = known
        self.defaults = defaults
        self.place = place
        self.found = Round()
        self.writes: dict[str, set[_Way]] = {}
        self.returns: set[Node] = set()
        self.breaks = 0

    def refuse(self) -> NotPureError:
        return NotPureError(self.place, _SUPPORTED)

    def collect(self, statements: Iterable[Node]) -> None:
        """Notes how each name is changed."""
        for each in statements:
            if (found := _change(each)) is not None:
                self.writes.setdefault(found[0], set()).add(found[1])
            elif each[0] == "if":
                self.collect(each[2])
                self.collect(each[3])
            elif each[0] == "for":
                self._assigned(variables(each[1]))
                self.collect(each[3])
                self.collect(each[4])
            elif each[0] == "while":
                self.collect(each[2])
                self.collect(each[3])
            elif each[0] == "assign":
                for target in each[1]:
                    self._assigned(variables(target))

    def _assigned(self, names: Iterable[str]) -> None:
        for name in names:
            self.writes.setdefault(name, set()).add(None)

    def choose(self, target: Node, body: Node) -> None:
        """Tells the names that are the same in any order from those that live in a round."""
        self._assigned(variables(target))
        reads = _reads(body)
        for name, ways in self.writes.items():
            (way, *more) = ways
            of = self.known.get(name)
            flag = isinstance(way, tuple) and name in reads
            if way is not None and not more and of is not None and self._fits(way, of) and not flag:
                self.found.names[name] = way if isinstance(way, str) else {"const": "flag"}.get(way[0], "keys")
            else:
                self.found.others.add(name)

    def _fits(self, way: _Way, of: PureType) -> bool:
        match way:
            case "sum":
                return of in (INT, TIMEDELTA, *EXACT)
            case "product":
                return of == INT
            case "or" | "and":
                return of in (INT, BOOL)
            case "max" | "min":
                return is_totally_ordered(plain(of)) and not of.cells
            case "list" | "set":
                return of.kind == way
            case "count":
                return of.kind in ("dict", "unordered dict") and inner(of)[1] in (INT, *EXACT)
            case "sets":
                return of.kind in ("dict", "unordered dict") and inner(of)[1].kind == "set"
            case "const", _:
                return True
            case "keys", _:
                return of.kind in ("dict", "unordered dict")
        return False

    def value(self, node: object, fresh: set[str]) -> None:
        """What a round computes: nothing of what other rounds do, and no changes."""
        used = variables(node)
        if has_effects(node) or (self.defaults and has_places(node)):
            raise self.refuse()
        if used & set(self.found.names) or (used & self.found.others) - fresh:
            raise self.refuse()

    def block(self, statements: Iterable[Node], fresh: set[str], depth: int) -> set[str] | None:
        """Checks statements; gives the names that this round has assigned, None where control leaves."""
        now: set[str] | None = set(fresh)
        for each in statements:
            if now is None:
                return None
            now = self._statement(each, now, depth)
        return now

    def _statement(self, node: Node, fresh: set[str], depth: int) -> set[str] | None:
        change = _change(node)
        if change is not None and change[0] in self.found.names:
            for each in change[2]:
                self.value(each, fresh)
            return fresh
        match node:
            case ("assign", targets, value):
                self.value(value, fresh)
                if any(each[0] == "place" or has_effects(each) for each in targets):
                    raise self.refuse()
                return fresh.union(*map(variables, targets))
            case ("augment", _, ("var", _) as name, value) if name[1] in fresh and self._is_plain(name[1]):
                self.value(value, fresh)
                return fresh
            case ("do", value):
                self.value(value, fresh)
                return fresh
            case ("if", test, one, other):
                self.value(test, fresh)
                left, right = self.block(one, fresh, depth), self.block(other, fresh, depth)
                return right if left is None else left if right is None else left & right
            case ("for", target, items, body, rest):
                self.value(items, fresh)
                if has_effects(target):
                    raise self.refuse()
                self.block(body, fresh | variables(target), depth + 1)
                return self.block(rest, fresh, depth)
            case ("while", test, body, rest):
                self.value(test, fresh)
                self.block(body, fresh, depth + 1)
                return self.block(rest, fresh, depth)
            case ("raise", *said):
                self.value(tuple(said), fresh)
                return None
            case ("continue",):
                return None
            case ("break",):
                self.breaks += depth == 0
                return None
            case ("return", ("const", value)) if not isinstance(value, float):
                self.returns.add((type(value), value))
                return None
        raise self.refuse()

    def _is_plain(self, name: str) -> bool:
        """Whether a name of a round is a number or text: `+=` changes nothing else."""
        return plain(self.known.get(name, PureType("hidden"))) in (INT, BOOL, TIMEDELTA, *EXACT, PureType("text"))

    def ends(self, body: Node) -> None:
        """Where a loop ends early, no other item may have done anything else."""
        if not self.breaks and len(self.returns) <= 1:
            return
        flags = all(each == "flag" for each in self.found.names.values())
        if self.returns or self.breaks > 1 or not flags or set(_before_break(body)) != set(self.found.names):
            raise self.refuse()


def _change(node: Node) -> tuple[str, _Way, tuple[Node, ...]] | None:
    """The name that a statement changes, how, and what it computes for that; None for other statements."""
    match node:
        case ("augment", sign, ("var", name), value) if sign in _SIGNS:
            return name, _SIGNS[sign], (value,)
        case ("augment", "+" | "-", ("place", ("var", name), key), value):
            return name, "count", (key, value)
        case ("assign", (("var", name),), ("const", value)) if not isinstance(value, float):
            return name, ("const", (type(value), value)), ()
        case ("assign", (("var", name) as var,), ("binary", "+", one, other)) if var in (one, other):
            return name, "sum", (other if one == var else one,)
        case (
            "assign",
            (("var", name) as var,),
            ("call", "max" | "min", ("tuple", one, other), ("const", None)),
        ):
            if var in (one, other):
                return name, str(node[2][1]), (other if one == var else one,)
        case ("assign", (("place", ("var", name), key),), ("const", value)) if not isinstance(value, float):
            return name, ("keys", (type(value), value)), (key,)
        case ("assign", (("place", ("var", name) as var, key),), ("binary", "+", one, other)):
            old = ("method", "get", var, key, ("const", 0))
            if old in (one, other):
                return name, "count", (key, other if one == old else one)
        case ("if", test, (("assign", (("var", name) as var,), value),), ()):
            if (way := _better(test, tuple(var), value)) is not None:
                return name, way, (value,)
        case ("do", ("method", "append" | "extend", ("var", name), value)):
            return name, "list", (value,)
        case ("do", ("method", "add" | "update", ("var", name), value)):
            return name, "set", (value,)
        case ("do", ("method", "add" | "update", ("key", ("var", name), key), value)):
            return name, "sets", (key, value)
        case ("do", ("method", "add", ("method", "setdefault", ("var", name), key, ("set",)), value)):
            return name, "sets", (key, value)
    return None


def _better(test: Node, var: Node, value: Node) -> str | None:
    """Whether a test says that a value is larger ("max") or smaller ("min") than a variable, or that this is None."""
    match test:
        case ("or", ("compare", "is", known, ("const", None)), rest) if known == var:
            return _better(rest, var, value)
        case ("compare", sign, one, other) if {one, other} == {var, value} and one != other:
            larger = {">": "max", ">=": "max", "<": "min", "<=": "min"}.get(sign)
            return larger if one == value else {"max": "min", "min": "max"}.get(str(larger))
    return None


def _reads(statements: Iterable[Node]) -> set[str]:
    """The names whose values a block uses."""
    found: set[str] = set()
    for each in statements:
        if each[0] == "assign" and all(target[0] != "place" for target in each[1]):
            found |= variables(each[2])
        elif each[0] == "if":
            found |= variables(each[1]) | _reads(each[2]) | _reads(each[3])
        elif each[0] == "for":
            found |= variables(each[2]) | _reads(each[3]) | _reads(each[4])
        elif each[0] == "while":
            found |= variables(each[1]) | _reads(each[2]) | _reads(each[3])
        elif (change := _change(each)) is not None:
            found |= variables(change[2])
        else:
            found |= variables(each)
    return found


def _before_break(statements: Node) -> list[str]:
    """The flags that are set right where a loop over items ends early."""
    for place, each in enumerate(statements):
        if each == ("break",):
            changes = [_change(before) for before in statements[:place]]
            return [change[0] for change in changes if change is not None]
        if each[0] == "if":
            found = _before_break(each[2]) or _before_break(each[3])
            if found:
                return found
    return []
