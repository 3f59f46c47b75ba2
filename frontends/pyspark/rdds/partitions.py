"""`mapPartitions` of a function that goes through a partition and makes items of each element, one by one."""

from __future__ import annotations

from tallystick.core.terms import TRUE, Term, element, rebuild, variable
from tallystick.frontends.pyspark.python.texts import ITEM, UnknownListError
from tallystick.frontends.pyspark.rdds.calls import Call
from tallystick.frontends.pyspark.rdds.operators import union_of
from tallystick.frontends.pyspark.rdds.rdd_methods import rdd_method
from tallystick.frontends.pyspark.values.describing import describe
from tallystick.frontends.pyspark.values.kinds import Pieces, Spread

PARTITION = Pieces((), "")
"""A partition's elements: of which list they are is not said."""


def _map_partitions(call: Call) -> Term:
    """The items that f makes of each element, one by one: a generator, or a comprehension over its argument."""
    place, function = call.arguments["f"]
    item = variable(ITEM, call.element)
    try:
        result = call.reader.udf(function, place, Spread(PARTITION, item, ((TRUE, item),), True))
    except UnknownListError:
        message = "what this function asks of a whole partition depends on how elements are spread over partitions"
        raise place.error(
            message, "make items of each element alone, or write `fold`, `aggregate` or `count`"
        ) from None
    if not isinstance(result, Spread) or result.pieces != PARTITION or not result.items:
        message = f"this function must make items of each element alone, and returns what is {describe(result)}"
        raise place.error(message, "write `(f(x) for x in partition if c)`, or a generator with one loop")
    if len({value.type for _, value in result.items}) > 1:
        raise place.error("the items that this makes are of several types", "make items of one type")
    each = {item: element(call.element)}
    return union_of([(rebuild(c, each, True), rebuild(value, each, True)) for c, value in result.items], call.bag)


RDD_METHODS = (
    rdd_method(
        "mapPartitions(f, preservesPartitioning=False)",
        "r.mapPartitions(lambda p: (x + 1 for x in p))",
        _map_partitions,
    ),
)
OTHER_METHODS = ()
