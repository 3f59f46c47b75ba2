"""`intersection` and `subtract`, which ask what is in another RDD: by a product, or by conditions on one RDD."""

from __future__ import annotations

from tallystick.core.terms import (
    TRUE,
    Operator,
    Term,
    apply,
    build,
    conjunction,
    disjunction,
    element,
    equal,
    negation,
    project,
    rebuild,
    variable,
)
from tallystick.frontends.pyspark.rdds.calls import Call, element_of, require_hashable
from tallystick.frontends.pyspark.rdds.rdd_methods import rdd_method
from tallystick.frontends.pyspark.values.describing import show_type


def _intersection(call: Call) -> Term:
    """Each element that both RDDs have, once."""
    require_hashable(call.element, call.place, "an element")
    product = build(Operator.CARTESIAN, (call.bag, _of_one_type(call)))
    both = element(element_of(product))
    same = build(Operator.FILTER, (equal(project(both, 0), project(both, 1)), product))
    return build(Operator.DISTINCT, (build(Operator.MAP, (project(both, 0), same)),))


def _subtract(call: Call) -> Term:
    """The elements that the other RDD does not have, as often as here."""
    require_hashable(call.element, call.place, "an element")
    other = _of_one_type(call)
    base = call.bag
    while (taken := _membership(other, base)) is None:
        if base.operator not in (Operator.FILTER, Operator.DISTINCT):
            return without(element(call.element), call.bag, other)
        base = base.arguments[-1]
    return build(Operator.FILTER, (negation(taken), call.bag))


def _subtract_by_key(call: Call) -> Term:
    """The pairs (k, v) whose k the other RDD does not have."""
    left, right = call.with_one_key_type("other")
    return without(project(element(element_of(left)), 0), left, keys_of(right))


def keys_of(pairs: Term) -> Term:
    """The keys of an RDD of pairs."""
    return build(Operator.MAP, (project(element(element_of(pairs)), 0), pairs))


def without(key: Term, bag: Term, taken: Term) -> Term:
    """The elements of a bag whose key another bag does not have, over the bags that the elements are computed of."""
    match bag.operator, bag.arguments:
        case Operator.MAP, (udf, inner):
            return build(Operator.MAP, (udf, without(apply(key, udf), inner, taken)))
        case Operator.FILTER, (condition, inner):
            return build(Operator.FILTER, (condition, without(key, inner, taken)))
        case Operator.UNION, (left, right):
            return build(Operator.UNION, (without(key, left, taken), without(key, right, taken)))
    return build(Operator.WITHOUT, (key, bag, support(taken)))


def support(bag: Term) -> Term:
    """A bag with the same elements, however often, in a shorter form: as one map where there are several."""
    match bag.operator, bag.arguments:
        case Operator.DISTINCT, (whole,):
            return support(whole)
        case Operator.MAP, (udf, inner):
            inner = support(inner)
            if inner.operator is Operator.MAP:
                udf, inner = apply(udf, inner.arguments[0]), inner.arguments[1]
            if inner.operator is Operator.FOLD_BY_KEY and _only_key(udf):
                pairs = inner.arguments[2]
                key = project(element(element_of(pairs)), 0)
                return support(build(Operator.MAP, (rebuild(udf, {project(_whole(udf), 0): key}), pairs)))
            return inner if udf is element(element_of(inner)) else build(Operator.MAP, (udf, inner))
    return bag


def _whole(udf: Term) -> Term:
    return next(iter(udf.bound))


def _only_key(udf: Term) -> bool:
    """Whether a UDF over pairs looks at the key only."""
    if len(udf.bound) != 1:
        return False
    pair = _whole(udf)
    return not rebuild(udf, {project(pair, 0): variable("key of a pair", project(pair, 0).type)}).bound


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
    rdd_method("subtractByKey(other, numPartitions=None)", "s.subtractByKey(t)", _subtract_by_key),
    rdd_method("subtract(other, numPartitions=None)", "r.subtract(r.filter(lambda x: x > 0))", _subtract),
)
