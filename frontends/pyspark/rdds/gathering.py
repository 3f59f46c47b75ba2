"""Folds by key that put lists or sets together: groups, in any order, of what they add for each value.

`aggregateByKey([], lambda l, v: l + [v], lambda a, b: a + b)` makes the groups of `groupByKey`, as lists; with sets it
makes the sets of these.
"""

from __future__ import annotations

from typing import Final

from tallystick.core.terms import TRUE, Term, element, project, tuple_of
from tallystick.core.types import TupleType
from tallystick.frontends.pyspark.python.gathered import HINT, as_gathered, same_items
from tallystick.frontends.pyspark.rdds.calls import Call, element_of, require_hashable
from tallystick.frontends.pyspark.rdds.collected import collected
from tallystick.frontends.pyspark.rdds.operators import once_each, union_of
from tallystick.frontends.pyspark.values.describing import basic_type, describe
from tallystick.frontends.pyspark.values.groups import Gathered, GatheredKind, Tagged
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
    whole = collected(call, union_of(_of_one_type(call, added), call.bag))
    if kind == "list":
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
    each = [(there, tuple_of(key, item)) for there, item in _of_one_type(call, whole)]
    return _of_pairs(call, whole, each, bag)


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
    pair = element(TupleType(call.pair))
    value = project(pair, 1)
    items = [(_of_value(there, value), _of_value(item, value)) for there, item in _of_one_type(call, added)]
    return _of_pairs(call, added, [(there, tuple_of(project(pair, 0), item)) for there, item in items], bag)


def _of_value(term: Term, value: Term) -> Term:
    from tallystick.core.terms import apply

    return apply(term, value) if term.bound else term


def _of_pairs(call: Call, added: Gathered, pairs: list[tuple[Term, Term]], bag: Term) -> Grouped:
    if not any(there is TRUE for there, _ in pairs):
        message = f"a {added.kind} of a key may stay empty, which is not supported"
        raise call.place.error(message, "use `filter` before, and add an item of each value")
    found = union_of(pairs, bag)
    if added.kind == "set":
        found = once_each(found)
    of = element_of(found)
    assert isinstance(of, TupleType)
    return Grouped(Tagged(found), (basic_type(project(element(of), 1)),), added.kind)
