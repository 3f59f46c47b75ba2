"""The first items of sorted groups: what `[:n]` of `sorted` gives, and `heapq.nlargest`."""

from __future__ import annotations

from typing import Final

from tallystick.core.terms import project
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.groups import Firsts, Group
from tallystick.frontends.pyspark.values.options import component_count

MOST_FIRST: Final = 10


def first_of_group(group: Group, count: int, place: Place) -> Firsts:
    """`[:count]` of a sorted group."""
    if not 1 <= count <= MOST_FIRST:
        raise place.error(f"of a sorted group `[:1]` to `[:{MOST_FIRST}]` can be taken", "sort it the other way round")
    name = "first" if group.kind == "ascending" else "last"
    state = group.with_keys.aggregate(f"{name} {count}{' by' if group.keys else ''}", place)
    slots = [project(state, index) for index in range(component_count(state))]
    items = [(project(slot, 0), project(project(slot, 1), 1) if group.keys else project(slot, 1)) for slot in slots]
    return Firsts(tuple(items), None if group.keys or not group.is_never_empty else group.kind)
