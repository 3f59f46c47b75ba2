"""Joins: of any two RDDs, and outer joins where they can be expressed.

What has no partner in an outer join is there because no element of the other RDD has its key, which no UDF can ask.
There are two ways around it. Where keys of neither RDD repeat, the join is one by-key fold (`tables`). In all other
cases an outer join is kept apart as long as something without a partner may be in it: when a filter demands both sides,
or a function returns no item, what is left is a plain join.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import reduce
from typing import Final

from tallystick.core.terms import FALSE, TRUE, Operator, Term, build, conjunction, element, equal, project, tuple_of
from tallystick.core.types import BasicType, TupleType
from tallystick.frontends.pyspark.rdds.calls import Call, element_of
from tallystick.frontends.pyspark.rdds.literals import joined
from tallystick.frontends.pyspark.rdds.rdd_methods import methods_of, rdd_method
from tallystick.frontends.pyspark.rdds.set_operations import keys_of, support, without
from tallystick.frontends.pyspark.rdds.tables import joined_tables, table_of
from tallystick.frontends.pyspark.rdds.tagging import of_one_bag
from tallystick.frontends.pyspark.values.describing import show_type
from tallystick.frontends.pyspark.values.kinds import Outer, Part
from tallystick.frontends.pyspark.values.options import MISSING, converted, narrowed, optional, unified

METHODS: Final = (
    "filter(f)",
    "flatMap(f, preservesPartitioning=False)",
    "flatMapValues(f)",
    "keys()",
    "map(f, preservesPartitioning=False)",
    "mapValues(f)",
    "values()",
)
OUTER_HINT: Final = (
    "this is supported of RDDs whose keys do not repeat, such as results of `reduceByKey`, or where a filter or "
    "`flatMap` drops what has no partner"
)


def _join(call: Call) -> Term:
    """A pair (k, (v, w)) for each pair (k, v) here and (k, w) in the other RDD."""
    if (literals := call.literals("other")) is not None:
        return joined(call, call.bag, literals, False, tuple_of)
    left, right = call.with_one_key_type("other")
    tables = table_of(left), table_of(right)
    if tables[0] is not None and tables[1] is not None and of_one_bag(tables[0].folded, tables[1].folded) is not None:
        return joined_tables(call, tables[0], tables[1], False, False)
    return bag_of(_partners(left, right))


def _left_outer_join(call: Call) -> Term | Outer:
    """As join, with (k, (v, None)) where no (k, w) is; keys must not repeat, or what has no partner be dropped."""
    return _outer_join(call, True, False)


def _right_outer_join(call: Call) -> Term | Outer:
    """As join, with (k, (None, w)) where no (k, v) is; as leftOuterJoin otherwise."""
    return _outer_join(call, False, True)


def _full_outer_join(call: Call) -> Term | Outer:
    """As join, with (k, (v, None)) and (k, (None, w)) for what has no partner; as leftOuterJoin otherwise."""
    return _outer_join(call, True, True)


def _outer_join(call: Call, keep_left: bool, keep_right: bool) -> Term | Outer:
    if (literals := call.literals("other")) is not None and not keep_right:
        return joined(call, call.bag, literals, True, tuple_of)
    left, right = call.with_one_key_type("other")
    tables = table_of(left), table_of(right)
    if tables[0] is not None and tables[1] is not None:
        return joined_tables(call, tables[0], tables[1], keep_left, keep_right)
    first, second = (element_of(bag).components[1] for bag in (left, right))  # type: ignore[union-attr]
    to = TupleType((optional(first) if keep_right else first, optional(second) if keep_left else second))
    parts = [_as(_partners(left, right), to)]
    for bag, keeps, side in ((left, keep_left, 0), (right, keep_right, 1)):
        if keeps:
            pair = element(element_of(bag))
            values = (project(pair, 1), MISSING) if side == 0 else (MISSING, project(pair, 1))
            others = keys_of(right if side == 0 else left)
            parts.append(_as(Part(TRUE, tuple_of(project(pair, 0), tuple_of(*values)), bag, False, others), to))
    return Outer(call.name, call.place, tuple(parts))


def _as(part: Part, values: BasicType) -> Part:
    return replace(part, value=tuple_of(project(part.value, 0), converted(project(part.value, 1), values)))


def _partners(left: Term, right: Term) -> Part:
    """All pairs of one of each RDD with equal keys."""
    both = element(TupleType((element_of(left), element_of(right))))
    first, second = project(both, 0), project(both, 1)
    same_key = equal(project(first, 0), project(second, 0))
    joined = tuple_of(project(first, 0), tuple_of(project(first, 1), project(second, 1)))
    return Part(same_key, joined, build(Operator.CARTESIAN, (left, right)), True)


def bag_of(part: Part) -> Term:
    """The bag of a part's values, where its condition holds."""
    bag = part.bag
    if part.others is not None:
        key = project(element(element_of(bag)), 0) if part.key is None else part.key
        bag = without(key, bag, support(part.others))
    kept = bag if part.condition is TRUE else build(Operator.FILTER, (part.condition, bag))
    return build(Operator.MAP, (part.value, kept))


def completed(outer: Outer) -> Term:
    """The rows of an outer join, those without a partner too."""
    first, *others = map(bag_of, outer.parts)
    for bag in others:
        both = unified(first, bag)
        if both is None:
            raise outer.place.error("the rows of this join have several types", "the elements must have one type")
        first = build(Operator.UNION, both)
    return first


def _call_of_outer(call: Call, outer: Outer) -> Term | Outer:
    """A method of an outer join, carried out on each of its parts; a bag when no row is left without a partner."""
    parts = [each for part in outer.parts for each in carried_out(call, part)]
    parts = [part for part in parts if part.partner or part.condition is not FALSE]
    if not all(part.partner for part in parts):
        return Outer(outer.method, outer.place, tuple(parts))
    return reduce(lambda one, other: union(call, one, other), map(bag_of, parts))


def union(call: Call, left: Term, right: Term) -> Term:
    """The union of what a method makes of two parts; raises SourceError where they have no type in common."""
    both = unified(left, right)
    if both is None:
        types = f"{show_type(left.type)} and {show_type(right.type)}"
        raise call.place.error(f"this gives {types}", "the elements must have one type")
    return build(Operator.UNION, both)


def carried_out(call: Call, part: Part) -> Iterator[Part]:
    """What a method makes of a part of an outer join."""
    match call.name:
        case "filter":
            condition = call.condition("f", part.value)
            value = narrowed(part.value, condition)
            yield replace(part, condition=conjunction(part.condition, condition), value=value)
        case "map":
            yield replace(part, value=call.apply("f", part.value))
        case "keyBy":
            yield replace(part, value=tuple_of(call.apply("f", part.value), part.value))
        case "flatMap":
            for condition, item in call.items("f", part.value, not part.partner):
                yield replace(part, condition=conjunction(part.condition, condition), value=item)
        case _:
            yield from _carried_out_on_pairs(call, part)


def _carried_out_on_pairs(call: Call, part: Part) -> Iterator[Part]:
    call.pair_of(bag_of(part), call.place)
    key, value = project(part.value, 0), project(part.value, 1)
    match call.name:
        case "keys" | "values":
            yield replace(part, value=key if call.name == "keys" else value)
        case "mapValues":
            yield replace(part, value=tuple_of(key, call.apply("f", value)))
        case "flatMapValues":
            for condition, item in call.items("f", value, not part.partner):
                yield replace(part, condition=conjunction(part.condition, condition), value=tuple_of(key, item))


RDD_METHODS = (
    rdd_method("join(other, numPartitions=None)", "s.join(t)", _join),
    rdd_method(
        "leftOuterJoin(other, numPartitions=None)",
        "s.reduceByKey(max).leftOuterJoin(t.reduceByKey(min))",
        _left_outer_join,
    ),
    rdd_method(
        "rightOuterJoin(other, numPartitions=None)",
        "s.reduceByKey(max).rightOuterJoin(t.reduceByKey(min))",
        _right_outer_join,
    ),
    rdd_method(
        "fullOuterJoin(other, numPartitions=None)",
        "s.reduceByKey(max).fullOuterJoin(t.reduceByKey(min))",
        _full_outer_join,
    ),
)
CALLS: Final = {each.entry.name: each.meaning for each in RDD_METHODS}
"""What the methods mean, by name."""
OTHER_METHODS = (methods_of(Outer, METHODS, OUTER_HINT, _call_of_outer),)
