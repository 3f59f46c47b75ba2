"""Folds by key that put lists or sets together: groups, in any order, of what they add for each value.

`aggregateByKey([], lambda l, v: l + [v], lambda a, b: a + b)` makes the groups of `groupByKey`, as lists; with sets it
makes the sets of these.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from tallystick.core.terms import TRUE, Operator, Term, apply, build, element, project, tuple_of
from tallystick.core.types import TupleType
from tallystick.frontends.pyspark.python.gathered import HINT, as_gathered, same_items
from tallystick.frontends.pyspark.python.group_sets import set_of_group
from tallystick.frontends.pyspark.rdds.asked import Asked
from tallystick.frontends.pyspark.rdds.calls import Call, element_of, require_hashable
from tallystick.frontends.pyspark.rdds.collected import collected
from tallystick.frontends.pyspark.rdds.operators import once_each, union_of
from tallystick.frontends.pyspark.values.describing import basic_type, describe
from tallystick.frontends.pyspark.values.groups import Gathered, GatheredKind, Group, Tagged
from tallystick.frontends.pyspark.values.kinds import (
    Closure,
    Collected,
    ConstantSet,
    Dictionary,
    Grouped,
    Listing,
    Value,
)
from tallystick.frontends.pyspark.values.options import common_type_of, converted

_FOLDED: Final = 0
_MERGED: Final = 1
"""Which list or set a fold has: the one of the values before, and the one that it is merged with."""


def empty_kind(value: Value) -> GatheredKind | None:
    """Whether a fold starts from an empty list or set; None where it starts from something else."""
    match value:
        case Listing(items=()):
            return "list"
        case ConstantSet(items=()):
            return "set"
    return None


def aggregated(call: Call, kind: GatheredKind, sequence: str, combine: str) -> Grouped:
    """What `aggregateByKey` makes from empty lists or sets."""
    added = _step(call, kind, sequence)
    _require_merge(call, kind, combine)
    return _grouped(call, added, call.bag)


def aggregated_at_driver(call: Call, kind: GatheredKind) -> Collected | Dictionary:
    """What `aggregate` makes from an empty list or set."""
    added = _step(call, kind, "seqOp", call.element)
    _require_merge(call, kind, "combOp")
    return _at_driver(call, added, call.bag)


def put_together(call: Call, each: Gathered, parameter: str, bag: Term) -> Collected | Dictionary:
    """What `fold` makes of lists or sets, from an empty one; several elements may share one."""
    _require_merge(call, each.kind, parameter, may_change=False)
    return _at_driver(call, each, bag)


def _at_driver(call: Call, each: Gathered, bag: Term) -> Collected | Dictionary:
    whole = collected(call, union_of(_of_one_type(call, each), bag))
    if each.kind == "list":
        return whole
    made = whole.asked("set", call.place)
    assert isinstance(made, Dictionary)
    return made


def combined(call: Call, first: Gathered) -> Grouped:
    """What `combineByKey` makes whose first values are lists or sets."""
    added = _step(call, first.kind, "mergeValue")
    if not same_items(first, added):
        message = "the first value of a key adds other items to a list or set than the later ones"
        raise call.arguments["mergeValue"][0].error(message, "add the same items of each value")
    _require_merge(call, first.kind, "mergeCombiners")
    return _grouped(call, first, call.bag)


def reduced(call: Call, parameter: str, key: Term, value: Value, bag: Term, *, shared: bool) -> Grouped:
    """What `reduceByKey` makes of pairs whose values are lists or sets, which several pairs may share."""
    whole = as_gathered(value)
    if whole is None:
        raise call.place.error(f"`{call.name}` of what is {describe(value)} is not supported", HINT)
    _require_merge(call, whole.kind, parameter, may_change=not shared)
    items = _of_one_type(call, whole)
    if not _is_never_empty(items):
        one = element(element_of(bag))
        return _perhaps_empty(call, whole, items, build(Operator.MAP, (tuple_of(key, one), bag)))
    return _of_pairs(whole, [(there, tuple_of(key, item)) for there, item in items], bag)


def _step(call: Call, kind: GatheredKind, parameter: str, of: object = None) -> Gathered:
    place, function = call.arguments[parameter]
    value = element(call.pair[1] if of is None else call.element)
    result = call.reader.udf(function, place, _folded(kind, _FOLDED, function), value)
    if not isinstance(result, Gathered) or result.parts != (_FOLDED,) or not result.items:
        message = f"this function must add items of the value to a {kind}, and returns what is {describe(result)}"
        raise place.error(message, HINT)
    return result


def _require_merge(call: Call, kind: GatheredKind, parameter: str, *, may_change: bool = True) -> None:
    place, function = call.arguments[parameter]
    both = (_folded(kind, each, function if may_change else None) for each in (_FOLDED, _MERGED))
    result = call.reader.udf(function, place, *both)
    if not isinstance(result, Gathered) or sorted(result.parts) != [_FOLDED, _MERGED] or result.items:
        symbol = "+" if kind == "list" else "|"
        raise place.error(f"this function must put two {kind}s together", f"write `lambda a, b: a {symbol} b`")


def _folded(kind: GatheredKind, part: int, function: Value | None) -> Gathered:
    return Gathered(kind, (part,), (), function.node if isinstance(function, Closure) else None)


def _of_one_type(call: Call, added: Gathered) -> list[tuple[Term, Term]]:
    of = common_type_of([item.type for _, item in added.items])
    if of is None:
        raise call.place.error("the items of this list or set are of several types", "make items of one type")
    if added.kind == "set":
        require_hashable(of, call.place, "an item of a set")
    return [(there, converted(item, of)) for there, item in added.items]


def _grouped(call: Call, added: Gathered, bag: Term) -> Grouped:
    items = _of_one_type(call, added)
    if not _is_never_empty(items):
        return _perhaps_empty(call, added, items, bag)
    pair = element(TupleType(call.pair))
    key, value = project(pair, 0), project(pair, 1)
    return _of_pairs(added, [(_of(there, value), tuple_of(key, _of(item, value))) for there, item in items], bag)


def _is_never_empty(items: list[tuple[Term, Term]]) -> bool:
    return any(there is TRUE for there, _ in items)


def _of(term: Term, value: Term) -> Term:
    return apply(term, value) if term.bound else term


def _perhaps_empty(call: Call, added: Gathered, items: list[tuple[Term, Term]], bag: Term) -> Grouped:
    """The groups of pairs of key and value, of which some may add no item."""
    of = element_of(bag)
    assert isinstance(of, TupleType)
    asked = Asked(Grouped(Tagged(bag), (of.components[1],)))
    assert isinstance(asked.groups, Group)
    value = asked.groups.item
    made = replace(asked.groups, items=tuple((_of(there, value), _of(item, value)) for there, item in items))
    made = set_of_group(made, call.place) if added.kind == "set" else replace(made, kind="list")
    return replace(asked.grouped, kind=added.kind, made=(call.place, made))


def _of_pairs(added: Gathered, pairs: list[tuple[Term, Term]], bag: Term) -> Grouped:
    found = union_of(pairs, bag)
    if added.kind == "set":
        found = once_each(found)
    of = element_of(found)
    assert isinstance(of, TupleType)
    return Grouped(Tagged(found), (basic_type(project(element(of), 1)),), added.kind)
