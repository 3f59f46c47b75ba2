"""Calls whose results at the driver are no ints, bools or tuples: dictionaries, and the quotient `mean`.

A program may return such a result, choose between two of them and hand them to helpers; nothing else is read of them.
A dictionary is read as the bag of its items, a mean as its sum and its count. Two means are equal where the quotients
are, so the verdict about programs that return means is taken further in `tallystick.decision.means`.
"""

from __future__ import annotations

from tallystick.core.terms import Operator, accumulator, add, build, constant, element, tuple_of
from tallystick.core.types import INT
from tallystick.frontends.pyspark.rdds.calls import Call, require_hashable
from tallystick.frontends.pyspark.rdds.collected import counted, dictionary
from tallystick.frontends.pyspark.rdds.rdd_methods import rdd_method
from tallystick.frontends.pyspark.rdds.tables import table_of
from tallystick.frontends.pyspark.values.describing import show_type
from tallystick.frontends.pyspark.values.kinds import Dictionary, Quotient


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


def _mean(call: Call) -> Quotient:
    """The exact quotient of sum and count, 0 for an empty RDD; it may only be returned."""
    if call.element != INT:
        raise call.place.error(f"`mean` needs an RDD[int], and this is {show_type(call.bag.type)}")
    total = build(Operator.FOLD, (constant(0), add(accumulator(INT), element(INT)), call.bag))
    count = build(Operator.FOLD, (constant(0), add(accumulator(INT), constant(1)), call.bag))
    return Quotient(call.folded(total, "none"), call.folded(count, "none"))


RDD_METHODS = (
    rdd_method("countByKey()", "s.countByKey()", _count_by_key),
    rdd_method("countByValue()", "r.countByValue()", _count_by_value),
    rdd_method("collectAsMap()", "s.reduceByKey(max).collectAsMap()", _collect_as_map),
    rdd_method("mean()", "r.mean()", _mean),
)
