"""Sets of the items of a group, and groups that depend on a condition."""

from __future__ import annotations

from dataclasses import replace

from tallystick.core.terms import TRUE, Term, conjunction, ite, negation, project, rebuild, tuple_of
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import basic_type
from tallystick.frontends.pyspark.values.groups import Group
from tallystick.frontends.pyspark.values.kinds import ConstantSet, Listing, Unusable, Value
from tallystick.frontends.pyspark.values.options import default_of
from tallystick.frontends.pyspark.values.rounds import fresh


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
    one = fresh("item of a set", basic_type(made))
    items = ((TRUE, one),) if there is TRUE else ((project(one, 0), project(one, 1)),)
    return replace(group, item=one, items=items, kind="set", base=base, once=False, keys=())


def merged_groups(condition: Term, then: Value, otherwise: Value) -> Value:
    """A group where a condition holds, and else what is empty, or another group of the same values; or the reverse."""
    one, other = _items(then, otherwise), _items(otherwise, then)
    whole = then if isinstance(then, Group) else otherwise
    if one is None or other is None or not isinstance(whole, Group):
        return Unusable("depends on a condition and is no value", "choose between groups, and empty lists or sets")
    items = [(conjunction(condition, there), item) for there, item in one]
    same = {otherwise.item: whole.item} if isinstance(otherwise, Group) else {}  # of sets, each has its own variable
    other = [(rebuild(there, same, True), rebuild(item, same, True)) for there, item in other]
    items += [(conjunction(negation(condition), there), item) for there, item in other]
    return replace(whole, items=tuple(items))


def _items(value: Value, beside: Value) -> tuple[tuple[Term, Term], ...] | None:
    """The items of a group, or of what is empty; None where it is not made of the same values as the one beside it."""
    match value, beside:
        case Group(), Group():
            alike = all(getattr(value, name) == getattr(beside, name) for name in ("base", "folded", "kind"))
            alike = alike and (value.base is not None or value.item is beside.item)
            return value.items if alike and not value.keys and not beside.keys and not value.once else None
        case Group(), _:
            return value.items if len(value.keys) in (0, len(value.items)) else None
        case Listing(items=()), Group(kind=kind) if kind != "set":
            return ()
        case ConstantSet(items=()), Group(kind="set"):
            return ()
    return None
