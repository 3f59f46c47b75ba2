"""Lists and sets that a fold puts together: what is added to those that it has, by `+`, `|`, `append` and such.

A fold by key that starts from an empty list and appends one item for each value makes the list of these items, whatever
the order of the values; so does one that adds to a set. What was put together before is not looked into.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from itertools import takewhile
from typing import Final

from tallystick.core.terms import TRUE, Term, conjunction, ite, negation
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import basic, describe
from tallystick.frontends.pyspark.values.groups import Gathered
from tallystick.frontends.pyspark.values.kinds import ConstantSet, Frame, Listing, Record, Unusable, Value

HINT: Final = "add to the list or set that a fold has, and return it: `l + [x]`, `s | {x}`, `s.add(x)`"
_SYMBOLS: Final = {"list": ast.Add, "set": ast.BitOr}
_METHODS: Final = {"append": ("list", True), "extend": ("list", False), "add": ("set", True), "update": ("set", False)}
"""Methods that change a list or a set: of which kind, and whether they add one item, not those of another."""


def as_gathered(value: Value) -> Gathered | None:
    """A list or set as one that is put together; None for other values."""
    match value:
        case Gathered():
            return value
        case Listing(items):
            return Gathered("list", (), items)
        case ConstantSet(items):
            return Gathered("set", (), tuple((TRUE, item) for item in items))
    return None


def combined(kind: type[ast.operator], left: Value, right: Value, place: Place) -> Gathered | None:
    """`+` of lists and `|` of sets, one of which a fold puts together; None for other values."""
    if not isinstance(left, Gathered) and not isinstance(right, Gathered):
        return None
    one, other = as_gathered(left), as_gathered(right)
    if one is None or other is None or one.kind != other.kind or _SYMBOLS[one.kind] is not kind:
        what = f"{describe(left)} and {describe(right)}"
        raise place.error(f"this operator of what is {what} is not supported", HINT)
    return joined(one, other, place)


def union(place: Place, values: list[Value]) -> Gathered:
    """`a.union(b)` of sets, or `set.union(a, b)`."""
    if len(values) == 2 and (whole := combined(ast.BitOr, values[0], values[1], place)) is not None:
        return whole
    raise place.error("`union` is supported of two sets that a fold puts together", HINT)


def joined(one: Gathered, other: Gathered, place: Place) -> Gathered:
    """Two lists, or two sets, put together."""
    if one.kind == "list" and set(one.parts) & set(other.parts):
        raise place.error("this puts a list together with itself", HINT)
    parts = tuple(dict.fromkeys((*one.parts, *other.parts)))
    return Gathered(one.kind, parts, (*one.items, *other.items), one.function)


def changed(name: str, method: str, given: Value, frame: Frame, place: Place) -> bool:
    """Follow a statement that changes a list or set of a fold, `name.method(given)`; False for other values."""
    before = frame.values.get(name)
    if not isinstance(before, Gathered):
        return False
    kind, adds_item = _METHODS.get(method, ("", False))
    if kind != before.kind:
        raise place.error(f"`{method}` of what is {describe(before)} is not supported", HINT)
    if adds_item:
        more = Gathered(before.kind, (), ((TRUE, basic(given, place, "what is added")),))
    elif (found := as_gathered(given)) is not None:
        more = found
    else:
        raise place.error(f"`{method}` by what is {describe(given)} is not supported", HINT)
    frame.values[name] = replace(assigned(name, before, frame, place), **_parts_of(joined(before, more, place)))
    return True


def _parts_of(whole: Gathered) -> dict[str, object]:
    return {"parts": whole.parts, "items": whole.items}


def assigned(name: str, before: Gathered, frame: Frame, place: Place) -> Gathered:
    """The list or set that a statement changes, where nothing else sees the change: raises SourceError otherwise.

    It is changed in the function that the fold calls, and has one name there; no function made in there uses that.
    """
    inner = [
        each
        for node in ast.walk(frame.scope.node)
        if isinstance(node, ast.Lambda | ast.FunctionDef) and node is not frame.scope.node
        for each in ast.walk(node)
    ]
    others = [value for each, value in frame.values.items() if each != name]
    seen = any(isinstance(each, ast.Name) and each.id == name for each in inner) or any(
        isinstance(value, Record) or (isinstance(value, Gathered) and set(value.parts) & set(before.parts))
        for value in others
    )
    if seen or before.function is not frame.scope.node:
        raise place.error("a list or set of a fold, which changes here, may have another name", HINT)
    return before


def merged_gathered(condition: Term, one: Value, other: Value) -> Value:
    """A list or set where a condition holds, and else another one that is put together from the same ones."""
    then, otherwise = as_gathered(one), as_gathered(other)
    if (
        then is None
        or otherwise is None
        or (then.kind, then.parts, then.function) != (otherwise.kind, otherwise.parts, otherwise.function)
    ):
        return Unusable("depends on a condition and is no value", "add items under conditions, and return one list")
    pairs = zip(then.items, otherwise.items, strict=False)
    both = [same for same, _ in takewhile(lambda pair: pair[0] == pair[1], pairs)]
    match then.items[len(both) :], otherwise.items[len(both) :]:
        case [(there, item)], [(also, other)] if there is also is TRUE and item.type == other.type:
            return replace(then, items=(*both, (TRUE, ite(condition, item, other))))
        case rest, others:
            holds = [(conjunction(condition, there), item) for there, item in rest]
            fails = [(conjunction(negation(condition), there), item) for there, item in others]
            return replace(then, items=(*both, *holds, *fails))


def same_items(one: Gathered, other: Gathered) -> bool:
    """Whether both hold the same items beside what they were put together from."""
    if one.kind == "set":
        return set(one.items) == set(other.items)
    rest: list[tuple[Term, Term]] = list(other.items)
    for item in one.items:
        if item not in rest:
            return False
        rest.remove(item)
    return not rest
