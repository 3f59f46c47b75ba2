"""Groups of values of a key, as `groupByKey` and `cogroup` make them: what a function computes of them, by key.

A group is never built: `asked` reads what functions compute of it. A function that only rearranges groups, such as
`sorted` or `set`, makes other groups. A program that returns groups returns the pairs of key and item, of which it says
whether they stand for lists, for lists in ascending order, or for sets.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from tallystick.core.terms import (
    FALSE,
    TRUE,
    Operator,
    Term,
    apply,
    build,
    conjunction,
    disjunction,
    element,
    free_variables,
    project,
    rebuild,
    tuple_of,
)
from tallystick.core.types import BasicType, TupleType
from tallystick.frontends.pyspark.rdds.asked import Asked
from tallystick.frontends.pyspark.rdds.calls import Call, element_of
from tallystick.frontends.pyspark.rdds.operators import number_of_elements, union_of
from tallystick.frontends.pyspark.rdds.rdd_methods import methods_of, rdd_method
from tallystick.frontends.pyspark.values.describing import basic, basic_type
from tallystick.frontends.pyspark.values.kinds import (
    Firsts,
    Generator,
    Group,
    Grouped,
    Listing,
    Part,
    Record,
    Tagged,
    Value,
)
from tallystick.frontends.pyspark.values.options import default_of

GROUP_HINT: Final = (
    "supported are `mapValues`, `map`, `filter` and `flatMap` of functions that take sum, len, min, max, any, all, "
    "set, sorted or list of a group, or a comprehension over it; join or union before `groupByKey`, or once "
    "`mapValues` has made a value of each group"
)
METHODS: Final = (
    "mapValues(f)",
    "map(f, preservesPartitioning=False)",
    "filter(f)",
    "flatMap(f, preservesPartitioning=False)",
    "flatMapValues(f)",
    "keys()",
    "count()",
    "cache()",
    "collect()",
)


def _group_by_key(call: Call) -> Grouped:
    """The values of each key, of which functions may take sum, len, min, max, set, sorted and the like."""
    return Grouped(Tagged(call.bag), (call.pair[1],))


def _group_by(call: Call) -> Grouped:
    """The elements x for each f(x), of which functions may take sum, len, min, max, set, sorted and the like."""
    whole = element(call.element)
    pairs = build(Operator.MAP, (tuple_of(call.apply("f", whole), whole), call.bag))
    return Grouped(Tagged(pairs), (call.pair_of(pairs, call.place)[1],))


def _cogroup(call: Call) -> Grouped:
    """The values of each key in both RDDs, as two groups; one of them may be empty."""
    left, right = call.with_one_key_type("other")
    return Grouped(tagged(left, right), tuple(value_type(bag) for bag in (left, right)))


def tagged(left: Term, right: Term) -> Tagged:
    """The pairs of two RDDs as one bag.

    Where maps and filters make both RDDs of one bag, with equal keys, that bag is gone through once. In all other cases
    they are put together by a union, in the order of the names of their inputs, so that joins whose sides are exchanged
    are over one bag.
    """
    if (both := of_one_bag(left, right)) is not None:
        return Tagged(both)
    if _names(right) < _names(left):
        return Tagged(tagged(right, left).bag, (1, 0))
    first, second = element(element_of(left)), element(element_of(right))
    absent = [default_of(value_type(bag)) for bag in (left, right)]
    from_left = tuple_of(project(first, 0), tuple_of(FALSE, project(first, 1), absent[1]))
    from_right = tuple_of(project(second, 0), tuple_of(TRUE, absent[0], project(second, 1)))
    mapped = build(Operator.MAP, (from_left, left)), build(Operator.MAP, (from_right, right))
    return Tagged(build(Operator.UNION, mapped))


def _names(bag: Term) -> list[str]:
    return sorted(str(name.parameter[0]) for name in free_variables(bag))  # type: ignore[index]


def of_one_bag(left: Term, right: Term) -> Term | None:
    """`tagged` without a union; None where these are not maps and filters of one bag, with equal keys."""
    first, second = _source(left), _source(right)
    if first.bag is not second.bag or project(first.value, 0) is not project(second.value, 0):
        return None
    parts = (first.condition, project(first.value, 1), second.condition, project(second.value, 1))
    either = disjunction(first.condition, second.condition)
    kept = first.bag if either is TRUE else build(Operator.FILTER, (either, first.bag))
    return build(Operator.MAP, (tuple_of(project(first.value, 0), tuple_of(*parts)), kept))


def _source(bag: Term) -> Part:
    """The bag that maps and filters make a bag of, and what they make of its elements."""
    if bag.operator not in (Operator.MAP, Operator.FILTER):
        return Part(TRUE, element(element_of(bag)), bag, True)
    udf, inner = bag.arguments
    source = _source(inner)
    image = apply(udf, source.value)
    if bag.operator is Operator.MAP:
        return replace(source, value=image)
    return replace(source, condition=conjunction(source.condition, image))


def value_type(bag: Term) -> BasicType:
    """The type of the values of a bag of pairs."""
    of = element_of(bag)
    assert isinstance(of, TupleType)
    return of.components[1]


def _call_of_groups(call: Call, grouped: Grouped) -> Term | Grouped:
    """A method of the groups that `grouped` stands for."""
    match call.name:
        case "cache" | "collect":
            return grouped
        case "filter":
            filtered = replace(grouped, kept=(*grouped.kept, call.arguments["f"]))
            return filtered if grouped.kind == "iterable" else _settled(call, filtered)
        case "count":
            return number_of_elements(replace(call, receiver=_keys(call, grouped)))
        case "keys":
            return _keys(call, grouped)
    if call.name in ("flatMap", "flatMapValues") and len(grouped.values) == 1:
        grouped = _settled(call, grouped)
    asked = Asked(grouped)
    whole = asked.groups if call.name in ("mapValues", "flatMapValues") else Record((asked.key, asked.groups))
    place, function = call.arguments["f"]
    returned = call.reader.udf(function, place, whole)
    if call.name in ("flatMap", "flatMapValues"):
        return _flattened(call, asked, returned)
    if isinstance(returned, Firsts) and call.name == "mapValues":
        return _regrouped_firsts(call, asked, returned)
    if (group := _only_group(call, asked, returned)) is not None:
        if (settled := _settled(call, grouped)) is not grouped:
            return _call_of_groups(call, settled)
        return _regrouped(call, asked, group)
    value = basic(returned, place, "what this function returns")
    fold, components = asked.folded(call)
    pair = element(element_of(fold))
    result = rebuild(value, components, inside=True)
    mapped = tuple_of(project(pair, 0), result) if call.name == "mapValues" else result
    return fold if mapped is tuple_of(project(pair, 0), project(pair, 1)) else build(Operator.MAP, (mapped, fold))


def _settled(call: Call, grouped: Grouped) -> Grouped:
    """The groups that their filters keep, as groups without filters."""
    if not grouped.kept or len(grouped.values) > 1 or grouped.kind == "set":
        return grouped
    return replace(grouped, tagged=Tagged(Asked(grouped).kept_pairs(call)), kept=())


def _regrouped_firsts(call: Call, asked: Asked, firsts: Firsts) -> Grouped:
    """The groups of the first items of sorted groups."""
    if firsts.kind is None:
        message = "lists in an order by a key, or that may be empty, are not supported as results"
        raise call.arguments["f"][0].error(message, "use `flatMap` to make pairs of the key and each item")
    bag = _spread_out(call, asked, list(firsts.items), lambda key, item: tuple_of(key, item))
    return Grouped(Tagged(bag), (value_type(bag),), firsts.kind)


def _spread_out(call: Call, asked: Asked, items: list[tuple[Term, Term]], made: Callable[[Term, Term], Term]) -> Term:
    """What is made of each item that functions compute of a group, where it is there."""
    fold, components = asked.folded(call)
    key = project(element(element_of(fold)), 0)
    rebuilt = [tuple(rebuild(part, components, inside=True) for part in item) for item in items]
    return union_of([(there, made(key, item)) for there, item in rebuilt], fold)


def _keys(call: Call, grouped: Grouped) -> Term:
    """The keys of groups, each once."""
    fold, _ = Asked(grouped).folded(call)
    return build(Operator.MAP, (project(element(element_of(fold)), 0), fold))


def _only_group(call: Call, asked: Asked, returned: Value) -> Group | None:
    """The group that a function makes of a group, and beside it the key where there is one; None for other values."""
    if call.name == "mapValues":
        return returned if isinstance(returned, Group) else None
    match returned:
        case Record((key, Group() as group)) if key is asked.key:
            return group
    return None


def _regrouped(call: Call, asked: Asked, group: Group) -> Grouped:
    """The groups that a function makes of groups."""
    place, _ = call.arguments["f"]
    if group.kind == "iterable":
        raise place.error("a group as Spark gives it, or a generator, is no result", "make a list of it")
    if len(group.items) > 1 or not group.is_never_empty or asked.grouped.kept:
        message = "groups that may be empty, or of which some are left out, are not supported as results"
        raise place.error(message, "use `filter` before `groupByKey`, or compute a value of each group")
    bag, ((_, made),) = asked.pairs_of(call, group)
    pair = element(element_of(bag))
    if made is not project(pair, 1):
        bag = build(Operator.MAP, (tuple_of(project(pair, 0), made), bag))
    return Grouped(Tagged(bag), (basic_type(made),), group.kind)


def _flattened(call: Call, asked: Asked, returned: Value) -> Term:
    """What a function makes of each value of a group, put together."""
    place, _ = call.arguments["f"]
    if isinstance(returned, Listing | Firsts | Generator) and returned.items:
        of_pair = call.name == "flatMapValues"
        items = [(there, basic(item, place, "an item")) for there, item in returned.items]
        if len({item.type for _, item in items}) > 1:
            raise place.error("the items that this returns are of several types", "make items of one type")
        return _spread_out(call, asked, items, lambda key, item: tuple_of(key, item) if of_pair else item)
    if not isinstance(returned, Group) or asked.grouped.kept or len(asked.grouped.values) > 1:
        message = f"`{call.name}` of groups is supported of a function that returns a group, or a list made of it"
        raise place.error(message, "as in `lambda pair: [(pair[0], value) for value in pair[1]]`")
    bag, items = asked.pairs_of(call, returned)
    if call.name == "flatMapValues":
        key = project(element(element_of(bag)), 0)
        items = [(there, tuple_of(key, item)) for there, item in items]
    return union_of(items, bag)


RDD_METHODS = (
    rdd_method("groupBy(f, numPartitions=None)", "r.groupBy(lambda x: x % 10).mapValues(len)", _group_by),
    rdd_method("groupByKey(numPartitions=None)", "s.groupByKey().mapValues(lambda g: (sum(g), len(g)))", _group_by_key),
    rdd_method(
        "cogroup(other, numPartitions=None)", "s.cogroup(t).mapValues(lambda p: (sum(p[0]), len(p[1])))", _cogroup
    ),
    rdd_method("groupWith(other)", "s.groupWith(t).mapValues(lambda p: (sum(p[0]), len(p[1])))", _cogroup),
)
OTHER_METHODS = (methods_of(Grouped, METHODS, GROUP_HINT, _call_of_groups),)
