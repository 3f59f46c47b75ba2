"""RDDs in an order, and lists of the first elements: `sortBy`, `sortByKey`, `take`, `takeOrdered`, `top`, `collect`.

An order is kept beside the elements, as pairs (order, element): the order says how many of the first are taken (-1 for
all), and for each key whether it descends, and the key. A number that descends is one that ascends, negated. A program
that returns such pairs returns the list that they stand for, and lists are compared up to elements with equal keys.
Which of these are in a list of the first elements hangs on how the elements come (see `lineages`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from tallystick.core.functions import RAISE
from tallystick.core.terms import (
    Operator,
    Term,
    apply_function,
    build,
    constant,
    element,
    equal,
    ite,
    less,
    project,
    tuple_of,
)
from tallystick.core.types import INT
from tallystick.frontends.pyspark.python import arithmetic
from tallystick.frontends.pyspark.python.lists_in_order import cut_at, first_of
from tallystick.frontends.pyspark.rdds import partial
from tallystick.frontends.pyspark.rdds.calls import Call, element_of
from tallystick.frontends.pyspark.rdds.collected import collected
from tallystick.frontends.pyspark.rdds.orders import is_descending, ordered
from tallystick.frontends.pyspark.rdds.rdd_methods import Result, methods_of, rdd_method
from tallystick.frontends.pyspark.values.describing import as_bag, literal, show_type
from tallystick.frontends.pyspark.values.kinds import Collected, Ranked, Sorted, Taken
from tallystick.frontends.pyspark.values.options import common_type, converted

NONE_TAKEN: Final = constant(0)
RAISED: Final = apply_function(RAISE, INT)


def _sort_by(call: Call) -> Sorted:
    """The same elements in the order of f(x); as a result, a list up to elements of equal keys."""
    key = call.apply("keyfunc", element(call.element))
    return Sorted(ordered(call.bag, key, is_descending(call), call.place, shuffled=True))


def _sort_by_key(call: Call) -> Sorted:
    """The same pairs in the order of their keys; as a result, a list up to pairs of equal keys."""
    call.pair_of(call.bag, call.place)
    whole = project(element(call.element), 0)
    return Sorted(ordered(call.bag, whole, is_descending(call), call.place, shuffled=True))


def _take_ordered(call: Call) -> Ranked:
    """The list of the first elements by their order, or by that of a key."""
    return _first(call, False, RAISED)


def _top(call: Call) -> Ranked:
    """The list of the last elements by their order, or by that of a key, the last one first."""
    return _first(call, True)


def _first(call: Call, descending: bool, below_0: Term = NONE_TAKEN) -> Ranked:
    whole = element(call.element)
    given = call.arguments.get("key")
    key = whole if given is None else call.apply("key", whole)
    count = _count(call, below_0)
    cut = cut_at(call.place, f"{call.name}({{}})", count)
    return Ranked(ordered(call.bag, key, descending, call.place, count), count, cut=cut)


def _count(call: Call, below_0: Term = NONE_TAKEN) -> Term:
    """How many elements are taken. `takeOrdered` raises for a number below 0; the others take no elements then."""
    place, value = call.arguments["num"]
    number = arithmetic.integer(value, place, "how many elements are taken")
    known = literal(number)
    if type(known) is int and known < 0:
        raise place.error("how many elements are taken is below 0")
    return ite(less(number, constant(0)), below_0, number) if known is None else number


def _take(call: Call) -> Taken:
    """Some of the elements, of which only is read whether there are any, and how many, unless they are in an order."""
    most = literal(_count(call))
    if most is None:
        hint = "sort the RDD before, or write `takeOrdered`"
        raise call.arguments["num"][0].error("how many elements are taken in no order must be a constant", hint)
    return Taken(collected(call, call.bag), most)


def _collect(call: Call) -> Collected:
    """The list of the elements, in any order."""
    return collected(call, call.bag)


def _to_local_iterator(call: Call) -> Collected:
    """The elements, in any order, as an iterator that the first that goes through it uses up."""
    return replace(_collect(call), once=True)


def unordered(rdd: Sorted) -> Term:
    """The elements, whatever their order."""
    bag = as_bag(rdd)
    assert isinstance(bag, Term)
    return bag


def _changed(rdd: Sorted, change: Callable[[Term], Term]) -> Sorted:
    pair = element(element_of(rdd.pairs))
    value = tuple_of(project(pair, 0), change(project(pair, 1)))
    return Sorted(build(Operator.MAP, (value, rdd.pairs)))


def _call_of_sorted(call: Call, rdd: Sorted) -> Result:
    """A method that keeps the order, or takes what is first in it."""
    pair = element(element_of(rdd.pairs))
    match call.name:
        case "filter":
            condition = call.condition("f", project(pair, 1))
            return Sorted(build(Operator.FILTER, (condition, rdd.pairs)))
        case "map":
            return _changed(rdd, lambda x: call.apply("f", x))
        case "mapValues":
            return _changed(rdd, lambda x: tuple_of(project(x, 0), call.apply("f", project(x, 1))))
        case "keys" | "values":
            return _changed(rdd, lambda x: project(x, 0 if call.name == "keys" else 1))
        case "collect" | "toLocalIterator":
            return Ranked(rdd.pairs, once=call.name != "collect")
        case "first":
            return partial.first_in_order(call, rdd.pairs)
        case "take":
            return first_of(Ranked(rdd.pairs), _count(call), "take({})", call.place)
    return rdd


def _lookup(call: Call) -> Collected:
    """The values of a key, in an order that nothing fixes."""
    key, _ = call.pair
    asked, place = call.value("key"), call.arguments["key"][0]
    if common_type(key, asked.type) != key:
        raise place.error(f"`lookup` of {show_type(asked.type)} among keys of type {show_type(key)}", "give it a key")
    pair = element(call.element)
    found = build(Operator.FILTER, (equal(project(pair, 0), converted(asked, key)), call.bag))
    return collected(call, build(Operator.MAP, (project(pair, 1), found)))


RDD_METHODS = (
    rdd_method("sortBy(keyfunc, ascending=True, numPartitions=None)", "s.sortBy(lambda p: -p[1])", _sort_by),
    rdd_method("sortByKey(ascending=True, numPartitions=None)", "s.sortByKey()", _sort_by_key),
    rdd_method("takeOrdered(num, key=None)", "r.takeOrdered(3)", _take_ordered),
    rdd_method("top(num, key=None)", "r.top(3)", _top),
    rdd_method("take(num)", "len(r.take(1))", _take),
    rdd_method("lookup(key)", "s.lookup(7)", _lookup),
    rdd_method("collect()", "r.collect()", _collect),
    rdd_method("toLocalIterator(prefetchPartitions=False)", "sum(r.toLocalIterator())", _to_local_iterator),
)
OTHER_METHODS = (
    methods_of(
        Sorted,
        (
            "filter(f)",
            "map(f, preservesPartitioning=False)",
            "mapValues(f)",
            "keys()",
            "values()",
            "cache()",
            "collect()",
            "toLocalIterator(prefetchPartitions=False)",
            "first()",
            "take(num)",
        ),
        "an RDD in an order has the methods of others",
        _call_of_sorted,
    ),
)
