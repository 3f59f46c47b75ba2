"""`intersection` and `subtract`, which ask what is in another RDD: by a product, or by conditions on one RDD."""

from __future__ import annotations

from tallystick.core.terms import (
    TRUE,
    Operator,
    Term,
    build,
    conjunction,
    disjunction,
    element,
    equal,
    negation,
    project,
)
from tallystick.frontends.pyspark.calls import Call, element_of, require_hashable
from tallystick.frontends.pyspark.rdd_methods import rdd_method
from tallystick.frontends.pyspark.values import show_type


def _intersection(call: Call) -> Term:
    """Each element that both RDDs have, once."""
    require_hashable(call.element, call.place, "an element")
    product = build(Operator.CARTESIAN, (call.bag, _of_one_type(call)))
    both = element(element_of(product))
    same = build(Operator.FILTER, (equal(project(both, 0), project(both, 1)), product))
    return build(Operator.DISTINCT, (build(Operator.MAP, (project(both, 0), same)),))


def _subtract(call: Call) -> Term:
    """The elements that the other RDD does not have, as often as here; both are parts of one RDD."""
    require_hashable(call.element, call.place, "an element")
    other = _of_one_type(call)
    base = call.bag
    while (taken := _membership(other, base)) is None:
        if base.operator not in (Operator.FILTER, Operator.DISTINCT):
            hint = "it can be decided where `filter`, `distinct` and `union` make both RDDs of one RDD: write `filter`"
            raise call.place.error("whether this `subtract` removes an element is no condition on the element", hint)
        base = base.arguments[-1]
    return build(Operator.FILTER, (negation(taken), call.bag))


def _membership(bag: Term, base: Term) -> Term | None:
    """The condition under which an element of `base` is in a bag that is made of it; None where there is none."""
    if bag is base:
        return TRUE
    match bag.operator, bag.arguments:
        case Operator.DISTINCT, (whole,):
            return _membership(whole, base)
        case Operator.FILTER, (condition, whole):
            inside = _membership(whole, base)
            return None if inside is None else conjunction(condition, inside)
        case Operator.UNION, parts:
            inside = [_membership(part, base) for part in parts]
            known = [each for each in inside if each is not None]
            return disjunction(*known) if len(known) == len(inside) else None
    return None


def _of_one_type(call: Call) -> Term:
    other = call.rdd("other")
    if other.type != call.bag.type:
        message = f"`{call.name}` of {show_type(call.bag.type)} and {show_type(other.type)}"
        raise call.arguments["other"][0].error(message, "the elements of both must have one type")
    return other


RDD_METHODS = (
    rdd_method("intersection(other)", "s.intersection(t)", _intersection),
    rdd_method("subtract(other, numPartitions=None)", "r.subtract(r.filter(lambda x: x > 0))", _subtract),
)
