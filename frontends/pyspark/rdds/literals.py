"""RDDs of literals, as `sc.parallelize([…])` makes them.

SparkLite has no constant bags: all of its bags are empty where the inputs are. So an RDD of literals is kept as the
list of its elements, and understood where it meets an RDD: a product or join with it is a `flatMap` whose items are
there by condition.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tallystick.core.terms import (
    TRUE,
    Operator,
    Term,
    conjunction,
    element,
    equal,
    negation,
    project,
    tuple_of,
    variable,
)
from tallystick.core.types import TEXT, BagType, TupleType
from tallystick.frontends.pyspark.rdds.calls import Call
from tallystick.frontends.pyspark.rdds.operators import union_of
from tallystick.frontends.pyspark.rdds.rdd_methods import Result, methods_of
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import describe, is_rdd, show_type
from tallystick.frontends.pyspark.values.kinds import Broadcast, Listing, Literals, SparkContextValue
from tallystick.frontends.pyspark.values.options import (
    MISSING,
    common_type,
    common_type_of,
    component_count,
    converted,
    is_tuple,
    optional,
)

LITERALS_HINT: Final = (
    "an RDD of literals has `map mapValues keyBy keys values`, and `cartesian join leftOuterJoin rightOuterJoin` with "
    "an RDD: SparkLite has no constant bags"
)
ONE_LIST: Final = "give it a list of ints, bools, None or tuples of these"
METHODS: Final = (
    "cartesian(other)",
    "join(other, numPartitions=None)",
    "keyBy(f)",
    "keys()",
    "map(f, preservesPartitioning=False)",
    "mapValues(f)",
    "rightOuterJoin(other, numPartitions=None)",
    "values()",
)


def _parallelize(call: Call, context: SparkContextValue) -> Literals:
    """The RDD of the items of a list or tuple."""
    place, value = call.arguments["c"]
    items: list[Term] = []
    if isinstance(value, Listing):
        items = [item for _, item in value.items]
    elif isinstance(value, Term) and is_tuple(value.type):
        items = [project(value, index) for index in range(component_count(value))]
    else:
        raise place.error(f"`parallelize` of what is {describe(value)}", ONE_LIST)
    if isinstance(value, Listing) and any(condition is not TRUE for condition, _ in value.items):
        raise place.error("`parallelize` of a list that depends on a condition", ONE_LIST)
    return _of_one_type(items, place)


def _of_context(call: Call, context: SparkContextValue) -> Result:
    """What a SparkContext makes: an RDD, or a broadcast variable, which is read as its value."""
    match call.name:
        case "textFile":
            return _text_file(call)
        case "broadcast":
            return _broadcast(call)
    return _parallelize(call, context)


def _broadcast(call: Call) -> Broadcast:
    """A value that functions use by `.value`; an RDD is none."""
    place, value = call.arguments["value"]
    if is_rdd(value):
        raise place.error("`broadcast` of an RDD, which no function can use", "join the RDDs")
    return Broadcast(value)


def _text_file(call: Call) -> Term:
    """The lines of a file whose path is a parameter of the program: an input like any RDD."""
    place, path = call.arguments["name"]
    if not (isinstance(path, Term) and path.operator is Operator.VARIABLE and path.type == TEXT):
        raise place.error("`textFile` of what is no parameter", "make the path a parameter: `path: str`")
    call.reader.files.add(path)
    return variable(str(path.parameter[0]), BagType(TEXT))  # type: ignore[index]


def _of_one_type(items: list[Term], place: Place) -> Literals:
    if not items:
        raise place.error("`parallelize` of an empty list, whose elements have no type", ONE_LIST)
    of = common_type_of(item.type for item in items)
    if of is None:
        shown = " and ".join(sorted({show_type(item.type) for item in items}))
        raise place.error(f"the items have types {shown}", "the items of a list must have one type")
    return Literals(tuple(converted(item, of) for item in items))


def _call_of_literals(call: Call, literals: Literals) -> Result:
    """A method of an RDD of literals."""
    match call.name:
        case "cartesian":
            return product(call.rdd("other"), literals, lambda x, item: tuple_of(item, x))
        case "join" | "rightOuterJoin":
            keep = call.name == "rightOuterJoin"
            return joined(call, call.rdd("other"), literals, keep, lambda v, w: tuple_of(w, v))
    change = _changes(call)
    return _of_one_type([change(item) for item in literals.items], call.place)


def _changes(call: Call) -> Callable[[Term], Term]:
    """What a method makes of one element."""
    if call.name == "map":
        return lambda item: call.apply("f", item)
    if call.name == "keyBy":
        return lambda item: tuple_of(call.apply("f", item), item)

    def of_pair(item: Term) -> Term:
        if not is_tuple(item.type) or component_count(item) != 2:
            raise call.place.error(f"`{call.name}` needs an RDD of pairs, and this is RDD[{show_type(item.type)}]")
        key, value = project(item, 0), project(item, 1)
        return {"keys": key, "values": value}.get(call.name) or tuple_of(key, call.apply("f", value))

    return of_pair


def product(bag: Term, literals: Literals, pair: Callable[[Term, Term], Term]) -> Term:
    """The products of an RDD's elements with literals."""
    assert isinstance(bag.type, BagType)
    x = element(bag.type.element)
    return union_of([(TRUE, pair(x, item)) for item in literals.items], bag)


def joined(call: Call, bag: Term, literals: Literals, keep: bool, pair: Callable[[Term, Term], Term]) -> Term:
    """The join of an RDD with literals; the RDD's pairs without a partner are kept, with None, or are not."""
    key_type, _ = call.pair_of(bag, call.place)
    first = literals.items[0]
    if not is_tuple(first.type) or component_count(first) != 2:
        raise call.place.error(f"`{call.name}` needs an RDD of pairs, and this is RDD[{show_type(first.type)}]")
    of = common_type(key_type, project(first, 0).type)
    if of is None:
        keys = f"keys of type {show_type(key_type)} with keys of type {show_type(project(first, 0).type)}"
        raise call.place.error(f"`{call.name}` of {keys}", "the keys of both must have one type")
    assert isinstance(bag.type, BagType)
    assert isinstance(first.type, TupleType)
    whole = element(bag.type.element)
    key, value = converted(project(whole, 0), of), project(whole, 1)
    to = optional(first.type.components[1]) if keep else first.type.components[1]
    same = [equal(key, converted(project(item, 0), of)) for item in literals.items]
    rows = [
        (condition, tuple_of(key, pair(value, converted(project(item, 1), to))))
        for condition, item in zip(same, literals.items, strict=True)
    ]
    if keep:
        none = conjunction(*map(negation, same))
        rows.append((none, tuple_of(key, pair(value, converted(MISSING, to)))))
    return union_of(rows, bag)


OTHER_METHODS = (
    methods_of(
        SparkContextValue,
        ("broadcast(value)", "parallelize(c, numSlices=None)", "textFile(name, minPartitions=None)"),
        "of a SparkContext, `parallelize` of a list is supported, `textFile` of a parameter, and `broadcast`; "
        "where an accumulator counts, write `filter(…).count()` or `map(…).sum()`",
        _of_context,
    ),
    methods_of(Literals, METHODS, LITERALS_HINT, _call_of_literals),
)
