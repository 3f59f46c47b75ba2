"""Joins of pairs with the groups of another RDD: functions look at a pair's value, and at the group of its key.

What functions ask of the group is a table, a by-key fold; so the join is one of pairs with a table. Items of the group
that `flatMap` makes are those of a join of pairs. What is asked of each value of the group may not depend on the value
of the pair.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from tallystick.core.terms import (
    TRUE,
    Operator,
    Term,
    apply,
    build,
    conjunction,
    element,
    equal,
    free_variables,
    ite,
    project,
    rebuild,
    tuple_of,
    variable,
)
from tallystick.core.types import TupleType
from tallystick.frontends.pyspark.python.truth import truth
from tallystick.frontends.pyspark.rdds import joins
from tallystick.frontends.pyspark.rdds.asked import Asked
from tallystick.frontends.pyspark.rdds.calls import Call, element_of
from tallystick.frontends.pyspark.rdds.named import without_failures
from tallystick.frontends.pyspark.rdds.operators import number_of_elements, union_of
from tallystick.frontends.pyspark.rdds.rdd_methods import Result, methods_of
from tallystick.frontends.pyspark.rdds.tagging import value_type
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import basic, basic_type
from tallystick.frontends.pyspark.values.groups import HAS_GROUP, Group, PerhapsGroup
from tallystick.frontends.pyspark.values.kinds import Builtin, Grouped, GroupJoin, Outer, Record, Value
from tallystick.frontends.pyspark.values.options import given, is_option, optional, present

METHODS: Final = (
    "map(f, preservesPartitioning=False)",
    "filter(f)",
    "flatMap(f, preservesPartitioning=False)",
    "mapValues(f)",
    "flatMapValues(f)",
    "keys()",
    "values()",
    "count()",
    "cache()",
)
HINT: Final = "an RDD of pairs and groups has `map`, `filter`, `flatMap`, `mapValues`, `values` and `count`"
KEEPS: Final = {"join": (False, False), "leftOuterJoin": (True, False), "rightOuterJoin": (False, True)}
"""Which sides of a join keep what has no partner."""


def with_groups(call: Call, groups: Grouped, side: int) -> GroupJoin:
    """A join of pairs with groups, which are its left side, 0, or its right side, 1."""
    place = call.arguments["other"][0]
    pairs = call.rdd("other") if side == 0 else call.bag
    keys = call.pair_of(pairs, place)[0], element_of(groups.bag).components[0]  # type: ignore[union-attr]
    plain = not groups.kept and not groups.alone and groups.by_key is None and groups.made is None
    if call.name not in KEEPS or keys[0] != keys[1] or len(groups.values) > 1 or not plain or groups.at_driver:
        message = f"`{call.name}` of these groups is not supported"
        raise place.error(message, "join before `groupByKey`, or once `mapValues` has made a value of each group")
    return GroupJoin(call.name, place, pairs, groups, side)


def _call_of_join(call: Call, joined: GroupJoin) -> Result:
    """A method of a join with groups."""
    return without_failures(call, lambda: _read(call, joined))


def _read(call: Call, joined: GroupJoin) -> Result:
    if joined.alone and call.name in ("keys", "values", "mapValues", "flatMapValues"):
        raise call.place.error(f"`{call.name}` of values and groups without their keys is not supported", "use `map`")
    match call.name:
        case "cache":
            return joined
        case "values":
            return replace(joined, alone=True)
        case "filter":
            place, function = call.arguments["f"]
            if joined.alone:
                function = _of_values(call, function)
            return replace(joined, kept=(*joined.kept, (place, function)))
        case "keys" | "count":
            of_key = Builtin(call.name, lambda _, given: _key_of(given))
            as_map = replace(call, name="map", arguments={"f": (call.place, of_key)})
            keys = _made(as_map, replace(joined, alone=False))
            return keys if call.name == "keys" else number_of_elements(replace(call, receiver=keys))
    return _made(call, joined)


def _of_values(call: Call, function: Value) -> Value:
    def apply_to_values(place: Place, given: list[Value]) -> Value:
        (pair,) = given
        assert isinstance(pair, Record)
        return call.reader.udf(function, place, pair.items[1])

    return Builtin("filter", apply_to_values)


def _key_of(given: list[Value]) -> Value:
    (pair,) = given
    assert isinstance(pair, Record)
    return pair.items[0]


def _made(call: Call, joined: GroupJoin) -> Term:
    """What `map`, `flatMap` and the like make of each pair and its group."""
    keeps = KEEPS[joined.method]
    asked, of = Asked(joined.grouped), value_type(joined.pairs)
    value = variable("value beside group", optional(of) if keeps[joined.side] else of)
    assert isinstance(asked.groups, Group)
    group = PerhapsGroup(asked.groups) if keeps[1 - joined.side] else asked.groups
    both = Record((group, value) if joined.side == 0 else (value, group))
    whole = Record((asked.key, both))
    place, function = call.arguments["f"]
    conditions = [truth(call.reader.udf(each, at, whole), at, "what this returns") for at, each in joined.kept]
    of_pair = joined.alone or call.name in ("mapValues", "flatMapValues")
    flat = call.name in ("flatMap", "flatMapValues")
    if not flat:
        returned = call.reader.udf(function, place, both if of_pair else whole)
        items = [(TRUE, basic(returned, place, "what this function returns"))]
    else:
        with call.reader.all_items_of(function):
            returned = call.reader.udf(function, place, both if of_pair else whole)
        if isinstance(returned, Group) and not conditions:
            return _items_of_groups(call, joined, asked, value, returned)
        items = call.listed("f", returned)
    if call.name in ("mapValues", "flatMapValues"):
        items = [(there, tuple_of(asked.key, item)) for there, item in items]
    bag, known = _joined(call, joined, asked, value)
    items = [(conjunction(*conditions, there), item) for there, item in items]
    return union_of([(rebuild(there, known, True), rebuild(item, known, True)) for there, item in items], bag)


def _joined(call: Call, joined: GroupJoin, asked: Asked, value: Term) -> tuple[Term, dict[Term, Term]]:
    """The join of the pairs with what is asked of the groups, and what the variables are for one of its rows."""
    fold, found = asked.folded(call)
    _require_apart(fold, value, call.place)
    sides = (fold, joined.pairs) if joined.side == 0 else (joined.pairs, fold)
    arguments = {"other": (joined.place, sides[1])}
    bag = joins.CALLS[joined.method](replace(call, name=joined.method, receiver=sides[0], arguments=arguments))
    bag = joins.completed(bag) if isinstance(bag, Outer) else bag
    assert isinstance(bag, Term)
    row = element(element_of(bag))
    key, state, other = project(row, 0), *(project(project(row, 1), side) for side in (joined.side, 1 - joined.side))
    if not KEEPS[joined.method][1 - joined.side]:
        known = {name: apply(term, tuple_of(key, state)) for name, term in found.items()}
        return bag, {**known, asked.key: key, value: other}
    assert is_option(state.type)
    there, pair = present(state), tuple_of(key, given(state))
    known = {
        name: ite(there, apply(term, pair), asked.initials[name])
        for name, term in found.items()
        if name is not asked.key
    }
    return bag, {**known, HAS_GROUP: there, asked.key: key, value: other}


def _require_apart(term: Term, value: Term, place: Place) -> None:
    if free_variables(term) & {value, HAS_GROUP}:
        message = "what this takes of each value of the group depends on the value beside the group"
        raise place.error(message, "join before `groupByKey`")


def _items_of_groups(call: Call, joined: GroupJoin, asked: Asked, value: Term, group: Group) -> Term:
    """The items that a function makes of those of each group, with the value beside it."""
    if KEEPS[joined.method][joined.side]:
        message = f"items of groups that `{joined.method}` has joined are not supported"
        raise call.place.error(message, "use `join`, or `flatMapValues` before")
    bag, items = asked.pairs_of(call, group)
    _require_apart(bag, value, call.place)
    pairs = element(TupleType((element_of(joined.pairs), element_of(bag))))
    left, right = project(pairs, 0), project(pairs, 1)
    same = equal(project(left, 0), project(right, 0))
    both = build(Operator.FILTER, (same, build(Operator.CARTESIAN, (joined.pairs, bag))))
    key, known = project(left, 0), {value: project(left, 1), HAS_GROUP: TRUE}
    rows = [tuple(rebuild(apply(part, right) if part.bound else part, known, True) for part in item) for item in items]
    if call.name == "flatMapValues":
        rows = [(there, tuple_of(key, item)) for there, item in rows]
    if len({basic_type(item) for _, item in rows}) > 1:
        raise call.place.error("the items that this returns are of several types", "make items of one type")
    return union_of([(there, item) for there, item in rows], both)


OTHER_METHODS = (methods_of(GroupJoin, METHODS, HINT, _call_of_join),)
