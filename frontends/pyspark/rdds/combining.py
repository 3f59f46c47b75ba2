"""Aggregates by two functions: one that takes elements, one that merges the results of partitions.

Spark's value depends on how the elements are spread unless both functions agree. The terms here are the left fold by
the first function; that the second agrees with it is partition safety (THEORY section 5), which is proved before a
program with such a call gets a verdict.
"""

from __future__ import annotations

from tallystick.core.terms import FALSE, TRUE, Operator, Term, accumulator, build, element, ite, project, tuple_of
from tallystick.core.types import BOOL, TupleType
from tallystick.frontends.pyspark.rdds import fixed_states, gathering
from tallystick.frontends.pyspark.rdds.calls import Call, attempted, element_of
from tallystick.frontends.pyspark.rdds.rdd_methods import Result, rdd_method
from tallystick.frontends.pyspark.values.describing import basic, basic_type, show_type
from tallystick.frontends.pyspark.values.kinds import Grouped, Objects
from tallystick.frontends.pyspark.values.options import common_type, converted, default_of


def _aggregate(call: Call) -> Result:
    """The left fold of the elements by seqOp, where combOp agrees with it."""
    if (kind := gathering.empty_kind(call.arguments["zeroValue"][1])) is not None:
        return gathering.aggregated_at_driver(call, kind)
    if (shape := fixed_states.shape_of(call.arguments["zeroValue"][1])) is not None:
        return fixed_states.aggregated(call, shape)
    initial, step = call.step("seqOp", call.value("zeroValue"), call.element)
    merge = call.merge("combOp", basic_type(initial))
    return call.folded(build(Operator.FOLD, (initial, step, call.bag)), merge, two_functions=True)


_EXAMPLE = "(0, 0), lambda a, x: (a[0] + x, a[1] + 1), lambda a, b: (a[0] + b[0], a[1] + b[1])"


def _aggregate_by_key(call: Call) -> Term | Grouped | Objects:
    """A pair (k, m) for each key k, where m is the fold of k's values by seqFunc, where combFunc agrees with it."""
    _, value = call.pair
    if (kind := gathering.empty_kind(call.arguments["zeroValue"][1])) is not None:
        return gathering.aggregated(call, kind, "seqFunc", "combFunc")
    if (shape := fixed_states.shape_of(call.arguments["zeroValue"][1])) is not None:
        return fixed_states.aggregated_by_key(call, shape)
    initial, step = call.step("seqFunc", call.value("zeroValue"), value)
    merge = call.merge("combFunc", basic_type(initial))
    return call.folded(build(Operator.FOLD_BY_KEY, (initial, step, call.bag)), merge, two_functions=True)


def _combine_by_key(call: Call) -> Term | Grouped | Objects:
    """As aggregateByKey, where the first value of a key becomes createCombiner(v)."""
    _, value = call.pair
    place, function = call.arguments["createCombiner"]
    made = call.reader.udf(function, place, element(value))
    gathered = gathering.as_gathered(made)
    if (shape := fixed_states.shape_of(made)) is not None:
        if gathered is None:
            return fixed_states.combined(call, shape, shape.term(made, place))
        read = attempted(call.reader, lambda: fixed_states.combined(call, shape, shape.term(made, place)))
        if read is not None:
            return read
    if gathered is not None:
        return gathering.combined(call, gathered)
    first = basic(made, place, "what this function returns")
    combined, step = call.widened(
        "mergeValue",
        first,
        lambda of: call.apply("mergeValue", project(accumulator(TupleType((of, BOOL))), 0), element(value)),
    )
    state = TupleType((combined, BOOL))
    so_far, other = accumulator(state), element(state)
    update = tuple_of(ite(project(so_far, 1), step, converted(first, combined)), TRUE)
    merged = call.apply("mergeCombiners", project(so_far, 0), project(other, 0))
    if common_type(combined, merged.type) != combined:
        message = f"this function returns {show_type(merged.type)} for results of type {show_type(combined)}"
        raise call.arguments["mergeCombiners"][0].error(message, "both have one type")
    both = ite(project(so_far, 1), tuple_of(converted(merged, combined), TRUE), other)
    merge = ite(project(other, 1), both, so_far)
    initial = tuple_of(default_of(combined), FALSE)
    folded = build(Operator.FOLD_BY_KEY, (initial, update, call.bag))
    call.folded(folded, merge, project(so_far, 0), two_functions=True)
    pair = element(element_of(folded))
    return build(Operator.MAP, (tuple_of(project(pair, 0), project(project(pair, 1), 0)), folded))


RDD_METHODS = (
    rdd_method(
        "aggregateByKey(zeroValue, seqFunc, combFunc, numPartitions=None)",
        f"s.aggregateByKey({_EXAMPLE})",
        _aggregate_by_key,
    ),
    rdd_method(
        "combineByKey(createCombiner, mergeValue, mergeCombiners, numPartitions=None)",
        "s.combineByKey(lambda v: v, lambda a, v: a + v, lambda a, b: a + b)",
        _combine_by_key,
    ),
    rdd_method("aggregate(zeroValue, seqOp, combOp)", f"r.aggregate({_EXAMPLE})", _aggregate),
    rdd_method("treeAggregate(zeroValue, seqOp, combOp, depth=2)", f"r.treeAggregate({_EXAMPLE})", _aggregate),
)
