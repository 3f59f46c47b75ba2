"""Which parts of the elements of a bag tell these apart, by how the bag is made."""

from __future__ import annotations

from tallystick.core.terms import Operator, Term, apply, element, project
from tallystick.frontends.pyspark.rdds.calls import element_of
from tallystick.frontends.pyspark.values.groups import Group
from tallystick.frontends.pyspark.values.options import leaves


def has_no_duplicates(bag: Term) -> bool:
    """Whether no element of a bag is there twice, by how it is made."""
    return tells_apart([element(element_of(bag))], bag)


def tells_apart(parts: list[Term], bag: Term) -> bool:
    """Whether elements of a bag at two places differ in some of these parts of an element, by how the bag is made."""
    row = element(element_of(bag))
    known = {leaf for part in parts for leaf in leaves(part)}
    match bag.operator:
        case Operator.DISTINCT if known >= set(leaves(row)):
            return True
        case Operator.FOLD_BY_KEY:
            return known >= set(leaves(project(row, 0)))
        case Operator.FILTER | Operator.DISTINCT:
            return tells_apart(parts, bag.arguments[-1])
        case Operator.MAP:
            udf, inner = bag.arguments
            return tells_apart([apply(part, udf) if part.bound else part for part in parts], inner)
    return False


def is_of_one_each(group: Group) -> bool:
    """Whether no two items of a set, or of a dictionary, make the same item of a group."""
    row = group.item if group.folded is None else project(group.item, 0)
    if len(group.items) != 1:
        return False
    ((there, item),) = group.items
    holds = there.arguments if there.operator is Operator.AND else (there,)
    return set(leaves(row)) <= {*leaves(item), *holds}
