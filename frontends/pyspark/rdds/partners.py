"""Items of one side of a co-group that are taken where the other side has no values."""

from __future__ import annotations

from dataclasses import replace

from tallystick.core.terms import Operator, Term, conjunction, element, free_variables, project
from tallystick.frontends.pyspark.rdds.calls import element_of
from tallystick.frontends.pyspark.rdds.set_operations import keys_of, without
from tallystick.frontends.pyspark.values.groups import Group


def without_partner(bag: Term, group: Group, is_empty: Term, other: Term) -> tuple[Term, Group] | None:
    """The pairs of a side whose key the other side has not, where all items are taken under that condition alone.

    `is_empty` says that the other side is empty, and is no part of what else is asked; None where it is.
    """
    items = []
    for there, item in group.items:
        holds = there.arguments if there.operator is Operator.AND else (there,)
        rest = conjunction(*(each for each in holds if each is not is_empty))
        if is_empty not in holds or (free_variables(rest) | free_variables(item)) & free_variables(is_empty):
            return None
        items.append((rest, item))
    kept = without(project(element(element_of(bag)), 0), bag, keys_of(other))
    return kept, replace(group, items=tuple(items))
