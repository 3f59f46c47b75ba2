"""`.count(value)` of lists and tuples: how many of the items are equal to a value."""

from __future__ import annotations

from dataclasses import replace

from tallystick.core.terms import TRUE, Operator, Term, build, conjunction, constant, element, free_variables, ite
from tallystick.frontends.pyspark.python.arithmetic import plus
from tallystick.frontends.pyspark.python.functions.arguments import only_argument
from tallystick.frontends.pyspark.python.sequences import items_of
from tallystick.frontends.pyspark.python.tables_of_constants import same
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import basic
from tallystick.frontends.pyspark.values.groups import Group
from tallystick.frontends.pyspark.values.kinds import Collected, Listing, Ranked, Value
from tallystick.frontends.pyspark.values.options import is_tuple
from tallystick.frontends.pyspark.values.rounds import stands_for_an_item


def has_count(owner: Value) -> bool:
    """Whether a value is a list or a tuple of which `.count` is read here."""
    if isinstance(owner, Group):
        return owner.kind in ("list", "ascending", "descending")
    if isinstance(owner, Collected):
        return not owner.once
    if isinstance(owner, Ranked):
        return owner.of is not None and not owner.once
    return isinstance(owner, Listing) or (isinstance(owner, Term) and is_tuple(owner.type))


def occurrences(owner: Value, given: list[Value], place: Place) -> Value:
    """`.count(value)` of a value for which `has_count` holds."""
    value = only_argument(place, given, "count")
    if isinstance(owner, Ranked) and owner.of is not None:
        owner = owner.of
    if isinstance(owner, Group):
        if any(map(stands_for_an_item, free_variables(basic(value, place, "this")))):
            raise place.error("how often an item of a list or group is in a group is not supported", "join the RDDs")
        equal_ones = tuple((conjunction(there, same(place, value, item)), item) for there, item in owner.items)
        return replace(owner, items=equal_ones, kind="list", keys=()).aggregate("len", place)
    if isinstance(owner, Collected):
        if basic(value, place, "this").bound:
            message = "how often an element of an RDD is in a list of elements is not supported"
            raise place.error(message, "use `map(lambda x: (x, 1)).reduceByKey(add)`")
        condition = same(place, value, element(owner.bag.type.element))  # type: ignore[union-attr]
        return replace(owner, bag=build(Operator.FILTER, (condition, owner.bag))).asked("len", place)
    result = constant(0)
    for there, item in items_of(owner, place, "what `count` counts in"):
        found = conjunction(there, same(place, value, item))
        result = plus(place, result, constant(1) if found is TRUE else ite(found, constant(1), constant(0)))
    return result
