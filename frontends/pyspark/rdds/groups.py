"""Groups of values of a key, as `groupByKey` and `cogroup` make them: what a function computes of them, by key.

A group is never built: `asked` reads what functions compute of it. A function that only rearranges groups, such as
`sorted` or `set`, makes other groups. A program that returns groups returns the pairs of key and item, of which it says
whether they stand for lists, for lists in ascending order, or for sets.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final, Literal

from tallystick.core.terms import (
    TRUE,
    Operator,
    Term,
    build,
    conjunction,
    constant,
    element,
    free_variables,
    less,
    project,
    rebuild,
    tuple_of,
)
from tallystick.frontends.pyspark.python.arithmetic import has_order
from tallystick.frontends.pyspark.python.group_dictionaries import keys_of
from tallystick.frontends.pyspark.python.reading import Reading
from tallystick.frontends.pyspark.python.texts import spread_of
from tallystick.frontends.pyspark.rdds import group_joins
from tallystick.frontends.pyspark.rdds.asked import Asked, item_of_group
from tallystick.frontends.pyspark.rdds.calls import Call, element_of, require_hashable
from tallystick.frontends.pyspark.rdds.collected import collected
from tallystick.frontends.pyspark.rdds.named import without_failures
from tallystick.frontends.pyspark.rdds.operators import (
    items_of_lists,
    number_of_elements,
    once_each,
    union_of,
    whether_empty,
)
from tallystick.frontends.pyspark.rdds.orders import is_descending, ordered
from tallystick.frontends.pyspark.rdds.rdd_methods import Result, methods_of, rdd_method
from tallystick.frontends.pyspark.rdds.tagging import tagged, value_type
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import basic, basic_type, show_type
from tallystick.frontends.pyspark.values.groups import Firsts, Group, Products, Tagged
from tallystick.frontends.pyspark.values.kinds import (
    Builtin,
    DictionaryKind,
    DictionaryOfGroups,
    Generator,
    Grouped,
    Listing,
    Record,
    Sorted,
    Spread,
    Value,
)

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
    "values()",
    "sortByKey(ascending=True, numPartitions=None)",
    "count()",
    "isEmpty()",
    "cache()",
    "collect()",
    "collectAsMap()",
    "join(other, numPartitions=None)",
    "leftOuterJoin(other, numPartitions=None)",
    "rightOuterJoin(other, numPartitions=None)",
)
AT_DRIVER: Final = "go through it by a loop or a comprehension, or call methods of the RDD before `collect()`"
OF_PAIRS: Final = ("mapValues", "flatMapValues", "keys", "values", "sortByKey", "collectAsMap")
"""Methods that need the keys beside the groups."""


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


def _read_again(call: Call, grouped: Grouped) -> Result:
    """A method of groups; its functions may be given names, see `named_functions`."""
    return without_failures(call, lambda: _call_of_groups(call, grouped))


def _call_of_groups(call: Call, grouped: Grouped) -> Result:
    """A method of the groups that `grouped` stands for."""
    if grouped.at_driver:
        raise call.place.error(f"`{call.name}` of a list of groups at the driver is not supported", AT_DRIVER)
    if grouped.alone and call.name in OF_PAIRS:
        raise call.place.error(f"`{call.name}` needs pairs, and these are groups without their keys", "use `map`")
    if grouped.by_key is not None and call.name not in ("cache", "collect", "count", "isEmpty", "filter"):
        return _in_order(call, grouped)
    if call.name in group_joins.KEEPS:
        other = call.arguments["other"][1]
        if isinstance(other, Grouped) and call.name == "join":
            return _of_both(call, grouped, other)
        return group_joins.with_groups(call, grouped, 0)
    match call.name:
        case "cache":
            return grouped
        case "collect":
            return replace(grouped, at_driver=True)
        case "collectAsMap":
            return as_dictionary(call.reader, _settled(call, grouped), "dict", call.place)
        case "values":
            return replace(grouped, alone=True)
        case "sortByKey":
            of = element_of(grouped.bag).components[0]  # type: ignore[union-attr]
            if not has_order(of):
                raise call.place.error(f"`sortByKey` needs keys that Python orders, and these are {show_type(of)}")
            return replace(grouped, by_key="descending" if is_descending(call) else "ascending")
        case "filter":
            return _kept(call, grouped)
        case "count":
            return number_of_elements(replace(call, receiver=_keys(call, grouped)))
        case "isEmpty":
            return whether_empty(replace(call, receiver=_keys(call, grouped)))
        case "keys":
            return _keys(call, grouped)
    return _of_functions(call, grouped)


def _of_both(call: Call, left: Grouped, right: Grouped) -> Grouped:
    """The join of two RDDs of groups: a co-group both of whose groups have values."""
    place = call.arguments["other"][0]
    if any(each != Grouped(each.tagged, each.values, left.kind) for each in (left, right)):
        raise place.error("a join of groups of two kinds, or filtered ones, is not supported", "filter afterwards")
    both = _cogroup(replace(call, receiver=left.bag, arguments={"other": (place, right.bag)}))
    has_both = Builtin("join", lambda where, given: _have_items(where, given))
    return replace(left, tagged=both.tagged, values=both.values, kept=((place, has_both),))


def _have_items(place: Place, given: list[Value]) -> Value:
    groups = _group_of(given)
    assert isinstance(groups, Record)
    return conjunction(*(each.is_there(place) for each in groups.items if isinstance(each, Group)))


def _in_order(call: Call, grouped: Grouped) -> Grouped | Sorted:
    """A method of an RDD of groups that is in the order of its keys, which have no ties."""
    if call.name not in ("mapValues", "sortByKey"):
        message = f"`{call.name}` of groups in an order is not supported"
        raise call.place.error(message, "use `mapValues` and `filter`, or `sortByKey` at the end")
    made = _call_of_groups(call, replace(grouped, by_key=None))
    if isinstance(made, Grouped):
        return replace(made, by_key=made.by_key or grouped.by_key)
    assert isinstance(made, Term)
    key = project(element(element_of(made)), 0)
    return Sorted(ordered(made, key, grouped.by_key == "descending", call.place, shuffled=True))


def _kept(call: Call, grouped: Grouped) -> Grouped:
    """The groups that a filter keeps."""
    place, function = call.arguments["f"]
    if grouped.alone:
        of_group = function
        function = Builtin("filter", lambda where, given: call.reader.udf(of_group, where, _group_of(given)))
    filtered = replace(grouped, kept=(*grouped.kept, (place, function)))
    if grouped.made is not None and not grouped.kept and (some := _with_items(call, filtered)) is not None:
        return some
    return filtered if grouped.kind == "iterable" else _settled(call, filtered)


def _with_items(call: Call, filtered: Grouped) -> Grouped | None:
    """The groups that have items, where that is what a filter asks, as groups that are never empty; else None."""
    asked = Asked(filtered)
    group, place = asked.groups, filtered.kept[0][0]
    assert isinstance(group, Group)
    count = group.aggregate("len", place)
    holds = asked.condition(call, *filtered.kept[0])
    if holds not in (group.is_there(place), less(constant(0), count)):
        return None
    bag, items = Asked(replace(filtered, kept=())).pairs_of(call, group)
    if len(items) != 1:
        return None
    ((there, item),) = items
    found = union_of([(there, tuple_of(project(element(element_of(bag)), 0), item))], bag)
    return replace(
        filtered, tagged=Tagged(found), values=(value_type(found),), kept=(), made=None, by=_order(group, place)
    )


def _group_of(given: list[Value]) -> Value:
    """The groups of a pair of key and groups."""
    (pair,) = given
    assert isinstance(pair, Record)
    return pair.items[1]


def _of_functions(call: Call, grouped: Grouped) -> Term | Grouped:
    """What `map`, `flatMap` and the like make of groups."""
    if call.name in ("flatMap", "flatMapValues") and len(grouped.values) == 1:
        grouped = _settled(call, grouped)
    asked = Asked(grouped)
    of_group = grouped.alone or call.name in ("mapValues", "flatMapValues")
    whole = asked.groups if of_group else Record((asked.key, asked.groups))
    place, function = call.arguments["f"]
    if call.name in ("flatMap", "flatMapValues"):
        with call.reader.all_items_of(function):
            returned = call.reader.udf(function, place, whole)
        return _flattened(call, asked, returned)
    returned = call.reader.udf(function, place, whole)
    if isinstance(returned, Firsts) and of_group:
        return replace(_regrouped_firsts(call, asked, returned), alone=grouped.alone)
    if (group := _only_group(asked, returned, of_group)) is not None:
        if (settled := _settled(call, grouped)) is not grouped:
            return _of_functions(call, settled)
        return replace(_regrouped(call, asked, group), alone=grouped.alone)
    value = basic(returned, place, "what this function returns")
    fold, components = asked.folded(call)
    pair = element(element_of(fold))
    result = rebuild(value, components, inside=True)
    mapped = tuple_of(project(pair, 0), result) if call.name == "mapValues" else result
    return fold if mapped is tuple_of(project(pair, 0), project(pair, 1)) else build(Operator.MAP, (mapped, fold))


def _settled(call: Call, grouped: Grouped) -> Grouped:
    """The groups that their filters keep, as groups without filters, where two passes say which."""
    if not grouped.kept or len(grouped.values) > 1:
        return grouped
    kept = Asked(grouped).kept_pairs(call)
    return grouped if kept is None else replace(grouped, tagged=Tagged(kept), kept=())


def grouped_dictionary(
    reader: Reading, pairs: Term, holds: Literal["list", "set"], kind: DictionaryKind, place: Place
) -> DictionaryOfGroups:
    """The dictionary of the list, or the set, of the values of each key of pairs."""
    if holds == "set":
        require_hashable(value_type(pairs), place, "an item of a set")
        pairs = once_each(pairs)
    return as_dictionary(reader, Grouped(Tagged(pairs), (value_type(pairs),), holds), kind, place)


def as_dictionary(reader: Reading, grouped: Grouped, kind: DictionaryKind, place: Place) -> DictionaryOfGroups:
    """The dictionary of groups by key."""
    call = Call(reader, grouped.bag, "groupByKey", place, {})
    require_hashable(element_of(grouped.bag).components[0], place, "a key")  # type: ignore[union-attr]
    return DictionaryOfGroups(replace(grouped, at_driver=True), collected(call, _keys(call, grouped)), kind)


def dictionary_of_groups(
    reader: Reading, asked: Asked, condition: Term, pair: Record, place: Place
) -> DictionaryOfGroups:
    """The dictionary that a comprehension makes: of pairs of each key and a group that is made of its group."""
    group = _only_group(asked, pair, False)
    if group is None or condition is not TRUE:
        message = "a dictionary of lists or sets with other keys, or with some of them, is not supported"
        raise place.error(message, "keep each key as it is, and all of them")
    call = Call(reader, asked.grouped.bag, "mapValues", place, {"f": (place, group)})
    return as_dictionary(reader, _regrouped(call, asked, group), "dict", place)


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


def _only_group(asked: Asked, returned: Value, of_group: bool) -> Group | None:
    """The group that a function makes of a group, and beside it the key where there is one; None for other values."""
    if of_group:
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
    if asked.grouped.kept:
        message = "groups of which some are left out are not supported as results"
        raise place.error(message, "use `filter` before `groupByKey`, or compute a value of each group")
    if len(group.items) > 1 or not group.is_never_empty:
        asked.require_of_values(group, place)
        return replace(asked.grouped, kind=group.kind, by=None, made=(place, group))
    bag, ((_, made),) = asked.pairs_of(call, group)
    pair = element(element_of(bag))
    if made is not project(pair, 1):
        bag = build(Operator.MAP, (tuple_of(project(pair, 0), made), bag))
    return Grouped(Tagged(bag), (basic_type(made),), group.kind, by=_order(group, place))


def _order(group: Group, place: Place) -> Term | None:
    """What a list is in the order of; None where that is the items."""
    if not group.is_sorted or not group.keys:
        return None
    (key,), ((_, item),) = group.keys, group.items
    if item is not group.item or free_variables(key) - {item}:
        message = "a list in an order by a key, whose items are made of others, is not supported as a result"
        raise place.error(message, "sort the items as they are, or use `flatMap` to make pairs of key and item")
    return rebuild(key, {item: item_of_group(0, basic_type(item))}, inside=True)


def _flattened(call: Call, asked: Asked, returned: Value) -> Term:
    """What a function makes of each value of a group, put together."""
    place, _ = call.arguments["f"]
    if isinstance(spread := spread_of(returned), Spread):
        fold, components = asked.folded(call)
        return items_of_lists(call, _rebuilt(spread, components), fold)
    returned = keys_of(returned)
    if isinstance(returned, Listing | Firsts | Generator) and returned.items:
        of_pair = call.name == "flatMapValues"
        items = [(there, basic(item, place, "an item")) for there, item in returned.items]
        if len({item.type for _, item in items}) > 1:
            raise place.error("the items that this returns are of several types", "make items of one type")
        return _spread_out(call, asked, items, lambda key, item: tuple_of(key, item) if of_pair else item)
    if isinstance(returned, Products) and not asked.grouped.kept:
        bag, items = asked.products_of(call, returned)
        key = project(project(element(element_of(bag)), 0), 0)
        if not returned.is_set:
            return _of_pairs(call, bag, items, key)
        require_hashable(basic_type(items[0][1]), place, "an item of a set")
        bag = once_each(union_of([(there, tuple_of(key, item)) for there, item in items], bag))
        pair = element(element_of(bag))
        return _of_pairs(call, bag, [(TRUE, project(pair, 1))], project(pair, 0))
    if not isinstance(returned, Group):
        message = f"`{call.name}` of groups is supported of a function that returns a group, or a list made of it"
        raise place.error(message, "as in `lambda pair: [(pair[0], value) for value in pair[1]]`")
    bag, items = asked.pairs_of(call, returned)
    return _of_pairs(call, bag, items, project(element(element_of(bag)), 0))


def _rebuilt(spread: Spread, components: Mapping[Term, Term]) -> Spread:
    """A list of unknown length that is made of a key and what functions compute of its group."""
    pieces = replace(
        spread.pieces, arguments=tuple(rebuild(each, components, inside=True) for each in spread.pieces.arguments)
    )
    items = (
        (rebuild(there, components, inside=True), rebuild(item, components, inside=True))
        for there, item in spread.items
    )
    return replace(spread, pieces=pieces, items=tuple(items))


def _of_pairs(call: Call, bag: Term, items: list[tuple[Term, Term]], key: Term) -> Term:
    """The items that are made of each element of a bag, as pairs with a key where the method keeps it."""
    if len({item.type for _, item in items}) > 1:
        raise call.place.error("the items that this returns are of several types", "make items of one type")
    if call.name == "flatMapValues":
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
OTHER_METHODS = (methods_of(Grouped, METHODS, GROUP_HINT, _read_again),)
