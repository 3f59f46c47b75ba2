"""Python's module `heapq`: nlargest and nsmallest, which are slices of what `sorted` gives."""

from __future__ import annotations

from typing import Final

from tallystick.core.terms import constant
from tallystick.frontends.pyspark.python.functions.arguments import Calls, calling, refuse_named
from tallystick.frontends.pyspark.python.functions.containers import in_sorted_order
from tallystick.frontends.pyspark.python.sorted_groups import first_of_group
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import describe, literal
from tallystick.frontends.pyspark.values.groups import Group
from tallystick.frontends.pyspark.values.kinds import Builtin, Listing, Value


def _best(name: str) -> Builtin:
    """The best items, in their order; of equally good ones, the first come first."""

    def apply(call: Calls, place: Place, values: list[Value], named: dict[str, Value]) -> Value:
        key = [named.pop("key")] if "key" in named else values[2:]
        refuse_named(name, named, place)
        count = literal(values[0]) if 2 <= len(values) <= 3 and len(key) < 2 else None
        if type(count) is not int or count < 1:
            raise place.error(f"`{name}` takes a positive constant, an iterable, and perhaps a key")
        order = {"reverse": constant(name == "nlargest"), **({"key": key[0]} if key else {})}
        whole = in_sorted_order(call, place, [values[1]], order)
        match whole:
            case Group():
                return first_of_group(whole, count, place)
            case Listing(items):
                return Listing(items[:count])
        raise place.error(f"`{name}` of what is {describe(whole)} is not supported", "use `sorted` and a slice")

    return calling(name, apply)


HEAPQ_MODULE: Final = {name: _best(name) for name in ("nlargest", "nsmallest")}
