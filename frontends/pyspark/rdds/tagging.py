"""The pairs of two RDDs as one bag, whose values say which of the two they are of."""

from __future__ import annotations

from dataclasses import replace

from tallystick.core.terms import (
    FALSE,
    TRUE,
    Operator,
    Term,
    apply,
    build,
    conjunction,
    disjunction,
    element,
    free_variables,
    project,
    tuple_of,
)
from tallystick.core.types import BasicType, TupleType
from tallystick.frontends.pyspark.rdds.calls import element_of
from tallystick.frontends.pyspark.values.groups import Tagged
from tallystick.frontends.pyspark.values.kinds import Part
from tallystick.frontends.pyspark.values.options import default_of


def tagged(left: Term, right: Term) -> Tagged:
    """The pairs of two RDDs as one bag.

    Where maps and filters make both RDDs of one bag, with equal keys, that bag is gone through once. In all other cases
    they are put together by a union, in the order of the names of their inputs, so that joins whose sides are exchanged
    are over one bag.
    """
    if (both := of_one_bag(left, right)) is not None:
        return Tagged(both, sides=(left, right))
    if _names(right) < _names(left):
        return Tagged(tagged(right, left).bag, (1, 0), (left, right))
    first, second = element(element_of(left)), element(element_of(right))
    absent = [default_of(value_type(bag)) for bag in (left, right)]
    from_left = tuple_of(project(first, 0), tuple_of(FALSE, project(first, 1), absent[1]))
    from_right = tuple_of(project(second, 0), tuple_of(TRUE, absent[0], project(second, 1)))
    mapped = build(Operator.MAP, (from_left, left)), build(Operator.MAP, (from_right, right))
    return Tagged(build(Operator.UNION, mapped), sides=(left, right))


def _names(bag: Term) -> list[str]:
    return sorted(str(name.parameter[0]) for name in free_variables(bag))  # type: ignore[index]


def of_one_bag(left: Term, right: Term) -> Term | None:
    """`tagged` without a union; None where these are not maps and filters of one bag, with equal keys."""
    first, second = _source(left), _source(right)
    if first.bag is not second.bag or project(first.value, 0) is not project(second.value, 0):
        return None
    parts = (first.condition, project(first.value, 1), second.condition, project(second.value, 1))
    either = disjunction(first.condition, second.condition)
    kept = first.bag if either is TRUE else build(Operator.FILTER, (either, first.bag))
    return build(Operator.MAP, (tuple_of(project(first.value, 0), tuple_of(*parts)), kept))


def _source(bag: Term) -> Part:
    """The bag that maps and filters make a bag of, and what they make of its elements."""
    if bag.operator not in (Operator.MAP, Operator.FILTER):
        return Part(TRUE, element(element_of(bag)), bag, True)
    udf, inner = bag.arguments
    source = _source(inner)
    image = apply(udf, source.value)
    if bag.operator is Operator.MAP:
        return replace(source, value=image)
    return replace(source, condition=conjunction(source.condition, image))


def value_type(bag: Term) -> BasicType:
    """The type of the values of a bag of pairs."""
    of = element_of(bag)
    assert isinstance(of, TupleType)
    return of.components[1]
