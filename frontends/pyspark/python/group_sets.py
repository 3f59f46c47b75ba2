"""Sets of the items of a group."""

from __future__ import annotations

from dataclasses import replace

from tallystick.core.terms import TRUE, ite, project, rebuild, tuple_of, variable
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import basic_type
from tallystick.frontends.pyspark.values.groups import Group
from tallystick.frontends.pyspark.values.options import default_of


def set_of_group(group: Group, place: Place) -> Group:
    """The set of the items of a group.

    Where some may not be there, it is the set of pairs (whether it is there, item), of which those are items that are
    there: the pairs are a set with at least one item for each group.
    """
    (there, item), *others = group.items
    if others:
        raise place.error("a set of several items of each value of a group is not supported", "use `flatMap` before")
    if item is group.item and there is TRUE and group.base is not None:
        return replace(group, kind="set", once=False)
    if group.folded is not None:
        raise place.error("a set of keys or sums of a dictionary is not supported", "take them as they are")
    made = item if there is TRUE else tuple_of(there, ite(there, item, default_of(basic_type(item))))
    base = made if group.base is None else rebuild(made, {group.item: group.base}, inside=True)
    one = variable("item of a set", basic_type(made))
    items = ((TRUE, one),) if there is TRUE else ((project(one, 0), project(one, 1)),)
    return replace(group, item=one, items=items, kind="set", base=base, once=False, keys=())
