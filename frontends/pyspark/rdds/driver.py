"""Calls whose results at the driver are dictionaries: each is read as the bag of its items."""

from __future__ import annotations

from tallystick.core.terms import Operator, build, constant, element, tuple_of
from tallystick.frontends.pyspark.rdds.calls import Call, require_hashable
from tallystick.frontends.pyspark.rdds.collected import counted, dictionary
from tallystick.frontends.pyspark.rdds.rdd_methods import rdd_method
from tallystick.frontends.pyspark.rdds.tables import table_of
from tallystick.frontends.pyspark.values.kinds import Dictionary


def _count_by_key(call: Call) -> Dictionary:
    """The dictionary of keys and how many elements have them."""
    call.pair_of(call.bag, call.place)
    return counted(call, call.bag, "defaultdict")


def _count_by_value(call: Call) -> Dictionary:
    """The dictionary of elements and how often they occur."""
    require_hashable(call.element, call.place, "an element")
    return counted(call, build(Operator.MAP, (tuple_of(element(call.element), constant(1)), call.bag)), "defaultdict")


def _collect_as_map(call: Call) -> Dictionary:
    """The dictionary of a by-key result, whose keys do not repeat."""
    call.pair_of(call.bag, call.place)
    if table_of(call.bag) is None:
        message = "keys of this RDD may repeat, and which value `collectAsMap` keeps depends on the order"
        raise call.place.error(message, "reduce by key before, and keep the keys as they are")
    return dictionary(call, call.bag)


RDD_METHODS = (
    rdd_method("countByKey()", "s.countByKey()", _count_by_key),
    rdd_method("countByValue()", "r.countByValue()", _count_by_value),
    rdd_method("collectAsMap()", "s.reduceByKey(max).collectAsMap()", _collect_as_map),
)
