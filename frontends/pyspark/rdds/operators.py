"""RDD methods, one small function each, which makes the term of a call.

The table at the end gives the signatures, with PySpark's parameter names, and an example each over `r: RDD[int]`,
`s: RDD[tuple[int, int]]` and `t` of the same type; a docstring's first line is the meaning in the documentation.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import takewhile

from tallystick.core.binders import conjuncts
from tallystick.core.exceptions import may_be_empty, may_raise
from tallystick.core.terms import (
    FALSE,
    TRUE,
    Operator,
    Term,
    accumulator,
    add,
    apply,
    build,
    conjunction,
    constant,
    element,
    ite,
    project,
    rebuild,
    subterms,
    tuple_of,
)
from tallystick.core.types import BOOL, INT, RATIONAL, TEXT, BasicType, TupleType
from tallystick.frontends.pyspark.python.one_time import is_one_time
from tallystick.frontends.pyspark.python.texts import spread_of
from tallystick.frontends.pyspark.rdds.calls import Call, element_of, require_hashable
from tallystick.frontends.pyspark.rdds.folds import Merge
from tallystick.frontends.pyspark.rdds.rdd_methods import rdd_method
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import basic, basic_type, describe, dictionary_term, show_type
from tallystick.frontends.pyspark.values.groups import Gathered
from tallystick.frontends.pyspark.values.kinds import Listing, Objects, Pieces, Record, Setting, Spread, Table, Value
from tallystick.frontends.pyspark.values.nominal_types import EXACT, NominalType, content, wrapped
from tallystick.frontends.pyspark.values.options import common_type, converted, default_of, narrowed, unified


def _mapped(udf: Term, bag: Term) -> Term:
    return build(Operator.MAP, (udf, bag))


def _filtered(condition: Term, bag: Term) -> Term:
    return bag if condition is TRUE else build(Operator.FILTER, (condition, bag))


def _whole(call: Call) -> Term:
    return element(call.element)


def _map(call: Call) -> Term | Objects:
    """Every element x becomes f(x)."""
    place, function = call.arguments["f"]
    return mapped_or_kept(call.reader.udf(function, place, _whole(call)), call.bag, place)


def mapped_or_kept(result: Value, bag: Term, place: Place) -> Term | Objects:
    """The RDD of what a function returns for each element of a bag."""
    if is_one_time(result):
        raise place.error(
            "this makes an RDD of generators, which are used up by their first use", "make a list of each"
        )
    if isinstance(result, Pieces | Spread | Listing | Gathered) or _is_record_of_lists(result):
        return Objects(result, bag)
    if isinstance(result, Table) and dictionary_term(result) is None:
        return Objects(result, bag)
    return _mapped(basic(result, place, "what this function returns"), bag)


def _is_record_of_lists(value: Value) -> bool:
    return isinstance(value, Record) and all(isinstance(each, Term | Listing | Gathered) for each in value.items)


def _filter(call: Call) -> Term:
    """Keeps the elements x for which f(x) is True; what f tests for None is not None afterwards."""
    condition = call.condition("f", _whole(call))
    kept = build(Operator.FILTER, (condition, call.bag))
    fewer = narrowed(_whole(call), condition)
    return kept if fewer is _whole(call) else _mapped(fewer, kept)


def _cartesian(call: Call) -> Term:
    """All pairs of an element of this RDD and one of the other."""
    if (literals := call.literals("other")) is not None:
        return union_of([(TRUE, tuple_of(_whole(call), item)) for item in literals.items], call.bag)
    return build(Operator.CARTESIAN, (call.bag, call.rdd("other")))


def _union(call: Call) -> Term:
    """The elements of both RDDs: how often each occurs adds up."""
    other = call.rdd("other")
    both = unified(call.bag, other)
    if both is None:
        message = f"`union` of {show_type(call.bag.type)} and {show_type(other.type)}"
        raise call.arguments["other"][0].error(message, "the elements of both must have one type")
    return build(Operator.UNION, both)


def _map_values(call: Call) -> Term | Objects:
    """Every pair (k, v) becomes (k, f(v))."""
    pair = element(TupleType(call.pair))
    place, function = call.arguments["f"]
    result = call.reader.udf(function, place, project(pair, 1))
    if isinstance(result, Listing | Gathered):
        return Objects(Record((project(pair, 0), result)), call.bag)
    return _mapped(tuple_of(project(pair, 0), basic(result, place, "what this function returns")), call.bag)


def _key_by(call: Call) -> Term:
    """Every element x becomes (f(x), x)."""
    return _mapped(tuple_of(call.apply("f", _whole(call)), _whole(call)), call.bag)


def _keys(call: Call) -> Term:
    """Every pair (k, v) becomes k."""
    return _mapped(project(element(TupleType(call.pair)), 0), call.bag)


def _values(call: Call) -> Term:
    """Every pair (k, v) becomes v."""
    return _mapped(project(element(TupleType(call.pair)), 1), call.bag)


def _fold(call: Call) -> Term:
    """op(… op(op(zeroValue, x1), x2) …): SparkLite's fold, one pass over all elements."""
    initial, step = call.step("op", call.value("zeroValue"), call.element)
    merge = call.step_as_merge("op", basic_type(initial), call.element)
    return call.folded(build(Operator.FOLD, (initial, step, call.bag)), merge)


def _fold_by_key(call: Call) -> Term:
    """A pair (k, m) for each key k, where m is the fold of the values of k."""
    _, value = call.pair
    initial, step = call.step("func", call.value("zeroValue"), value)
    merge = call.step_as_merge("func", basic_type(initial), value)
    return call.folded(build(Operator.FOLD_BY_KEY, (initial, step, call.bag)), merge)


def number_of_elements(call: Call) -> Term:
    """The number of elements: a fold that adds 1 for each."""
    return call.folded(build(Operator.FOLD, (constant(0), add(accumulator(INT), constant(1)), call.bag)), "none")


def _sum(call: Call) -> Term:
    """The sum of the elements: a fold that adds them up."""
    of = call.element
    if isinstance(of, NominalType) and of in EXACT:
        return wrapped(of, _sum(replace(call, receiver=_mapped(content(_whole(call)), call.bag))))
    if of not in (INT, RATIONAL):
        raise call.place.error(f"`sum` needs an RDD[int] or RDD[float], and this is {show_type(call.bag.type)}")
    zero = default_of(of)
    return call.folded(build(Operator.FOLD, (zero, add(accumulator(of), element(of)), call.bag)), "none")


def _distinct(call: Call) -> Term:
    """Each element once, however often it occurs."""
    require_hashable(call.element, call.place, "an element")
    return once_each(call.bag)


def once_each(bag: Term) -> Term:
    """Each element of a bag once: sets of items that it is made of, as in `set(text.split())`, may be lists as well."""
    return build(Operator.DISTINCT, (_with_lists(bag),))


def _with_lists(bag: Term) -> Term:
    """A bag with the same elements, however often."""
    match bag.operator, bag.arguments:
        case ((Operator.MAP | Operator.FILTER), (udf, inner)):
            return build(bag.operator, (udf, _with_lists(inner)))
        case ((Operator.UNION | Operator.CARTESIAN), (left, right)):
            return build(bag.operator, (_with_lists(left), _with_lists(right)))
        case Operator.EXPAND, (udf, inner):
            name, of = bag.parameter  # type: ignore[misc]
            return build(Operator.EXPAND, (udf, _with_lists(inner)), (str(name).removeprefix("set of "), of))
    return bag


def _flat_map(call: Call) -> Term:
    """The items of all f(x): f returns a list or tuple of fixed length, one by condition, or `split` of a text."""
    place, function = call.arguments["f"]
    with call.reader.all_items_of(function):
        result = call.reader.udf(function, place, _whole(call))
    return flattened(call, result, call.bag)


def flattened(call: Call, result: Value, bag: Term) -> Term:
    """The items of all lists that a function returns for the elements of a bag."""
    if isinstance(spread := spread_of(result), Spread):
        return _spread(_of_one_type(spread, call.place), bag, lambda pair, item: item)
    return union_of(call.listed("f", result), bag)


def _flat_map_values(call: Call) -> Term:
    """A pair (k, w) for each item w of f(v), for every pair (k, v)."""
    pair = element(TupleType(call.pair))
    place, function = call.arguments["f"]
    with call.reader.all_items_of(function):
        result = call.reader.udf(function, place, project(pair, 1))
    if isinstance(spread := spread_of(result), Spread):
        return _spread(_of_one_type(spread, place), call.bag, lambda pair, item: tuple_of(project(pair, 0), item))
    items = call.listed("f", result)
    return union_of([(condition, tuple_of(project(pair, 0), item)) for condition, item in items], call.bag)


def items_of_lists(call: Call, lists: Spread, bag: Term) -> Term:
    """The items of the list that is made of each element of a bag; with `flatMapValues`, each with its key."""
    by_key = call.name == "flatMapValues"
    return _spread(
        _of_one_type(lists, call.place), bag, lambda pair, item: tuple_of(project(pair, 0), item) if by_key else item
    )


def _of_one_type(spread: Spread, place: Place) -> Spread:
    """A list that may have items, all of one type."""
    if len({item.type for _, item in spread.items}) != 1:
        kind = "are of several types" if spread.items else "are never there"
        raise place.error(f"the items that this makes {kind}", "make items of one type")
    return spread


def _spread(spread: Spread, bag: Term, result: Callable[[Term, Term], Term]) -> Term:
    """What `result` makes of each element and each item of its list."""
    if _may_raise(spread.pieces):
        bag = _filtered(_before_items(spread), bag)
    pairs = expanded(spread.pieces, bag)
    each, item = (project(element(element_of(pairs)), place) for place in (0, 1))
    return union_of(
        [
            (_at(condition, spread.item, each, item), result(each, _at(value, spread.item, each, item)))
            for condition, value in spread.items
        ],
        pairs,
    )


def _before_items(spread: Spread) -> Term:
    """What holds where Python goes through the list: the conditions of all items, up to the first about an item."""
    leading = [
        tuple(takewhile(lambda part: spread.item not in subterms(part), conjuncts(condition)))
        for condition, _ in spread.items
    ]
    return conjunction(*(part for part in leading[0] if all(part in other for other in leading)))


def _at(term: Term, variable: Term, each: Term, item: Term) -> Term:
    """A term over an element and one item of its list, for these."""
    return rebuild(apply(term, each) if term.bound else term, {variable: item}, inside=True)


def expanded(pieces: Pieces, bag: Term) -> Term:
    """The bag of pairs of an element and each item of its list, over the bags that the elements are computed of."""
    match bag.operator, bag.arguments:
        case Operator.MAP, (udf, inner):
            pairs = expanded(replace(pieces, arguments=tuple(apply(each, udf) for each in pieces.arguments)), inner)
            each, item = (project(element(element_of(pairs)), place) for place in (0, 1))
            return _mapped(tuple_of(apply(udf, each), item), pairs)
        case Operator.FILTER, (condition, inner) if not _may_raise(pieces):
            pairs = expanded(pieces, inner)
            return build(Operator.FILTER, (apply(condition, project(element(element_of(pairs)), 0)), pairs))
        case Operator.UNION, (left, right):
            return build(Operator.UNION, (expanded(pieces, left), expanded(pieces, right)))
    return build(Operator.EXPAND, (tuple_of(*pieces.arguments), bag), (pieces.function, TEXT))


def _may_raise(pieces: Pieces) -> bool:
    by_nothing = pieces.function.endswith("pieces") and may_be_empty(pieces.arguments[1])
    return by_nothing or any(may_raise(node) for term in pieces.arguments for node in subterms(term))


def union_of(items: list[tuple[Term, Term]], bag: Term) -> Term:
    """The values that the elements of a bag give, each where its condition holds; at least one item."""
    parts = [_mapped(item, _filtered(condition, bag)) for condition, item in items]
    result = parts[0]
    for part in parts[1:]:
        result = build(Operator.UNION, (result, part))
    return result


def whether_empty(call: Call) -> Term:
    """Whether there is no element: a fold from True to False."""
    return call.folded(build(Operator.FOLD, (TRUE, FALSE, call.bag)), "none")


def _reduce_by_key(call: Call) -> Term:
    """A pair (k, m) for each key k, where m is the fold of k's values that starts from one of them."""
    _, value = call.pair
    step = same_type(call, "func", call.apply("func", first_component(value), element(value)), value)
    return _fold_from_first(call, step, value, merged_from_first(call, "func", value))


def merged_from_first(call: Call, parameter: str, value: BasicType) -> Term:
    """How Spark merges two states of a fold from the first element, by the function that the fold has itself."""
    state = TupleType((value, BOOL))
    other = element(state)
    merged = call.apply(parameter, first_component(value), project(other, 0))
    both = tuple_of(converted(merged, value), TRUE)
    return ite(project(other, 1), ite(project(accumulator(state), 1), both, other), accumulator(state))


def same_type(call: Call, parameter: str, step: Term, value: BasicType) -> Term:
    """What a function that combines two values returns, if it is of their type; raises SourceError otherwise."""
    if common_type(value, step.type) != value:
        message = f"this function returns {show_type(step.type)} for values of type {show_type(value)}"
        raise call.arguments[parameter][0].error(message, "both have one type")
    return converted(step, value)


def first_component(value: BasicType) -> Term:
    """The value combined so far, in a fold that starts from the first element: its state says whether there was one."""
    return project(accumulator(TupleType((value, BOOL))), 0)


def _fold_from_first(call: Call, step: Term, value: BasicType, merge: Merge) -> Term:
    """By-key folds from the first value. No key is without values, so the flag of each result is True."""
    folded = build(Operator.FOLD_BY_KEY, (*from_first(step, value), call.bag))
    call.folded(folded, merge, first_component(value))
    pair = element(element_of(folded))
    return _mapped(tuple_of(project(pair, 0), project(project(pair, 1), 0)), folded)


def from_first(step: Term, value: BasicType) -> tuple[Term, Term]:
    """Initial state and step of a fold from the first element; `step` combines `first_component` and element."""
    state = accumulator(TupleType((value, BOOL)))
    update = tuple_of(ite(project(state, 1), step, element(value)), TRUE)
    return tuple_of(default_of(value), FALSE), update


def _persist(call: Call) -> Term:
    """The same elements; only the execution changes."""
    for place, value in call.arguments.values():
        if not isinstance(value, Setting):
            raise place.error(f"`storageLevel` must be one of StorageLevel, and is {describe(value)}")
    return call.bag


def _same(call: Call) -> Term:
    """The same elements; only the execution changes."""
    call.reader.repartitions |= call.name in ("coalesce", "repartition")
    return call.bag


RDD_METHODS = (
    rdd_method("map(f, preservesPartitioning=False)", "r.map(lambda x: 2 * x)", _map),
    rdd_method("filter(f)", "r.filter(lambda x: x > 0)", _filter),
    rdd_method("cartesian(other)", "r.cartesian(s)", _cartesian),
    rdd_method("union(other)", "s.union(t)", _union),
    rdd_method("mapValues(f)", "s.mapValues(lambda v: v + 1)", _map_values),
    rdd_method("keyBy(f)", "r.keyBy(lambda x: x % 10)", _key_by),
    rdd_method("keys()", "s.keys()", _keys),
    rdd_method("values()", "s.values()", _values),
    rdd_method("fold(zeroValue, op)", "r.fold(0, lambda a, x: a + x)", _fold),
    rdd_method("foldByKey(zeroValue, func, numPartitions=None)", "s.foldByKey(0, lambda a, v: a + v)", _fold_by_key),
    rdd_method("count()", "r.count()", number_of_elements),
    rdd_method("sum()", "r.sum()", _sum),
    rdd_method("distinct(numPartitions=None)", "r.distinct()", _distinct),
    rdd_method("flatMap(f, preservesPartitioning=False)", "r.flatMap(lambda x: [x, -x] if x > 0 else [x])", _flat_map),
    rdd_method("flatMapValues(f)", "s.flatMapValues(lambda v: (v, v + 1))", _flat_map_values),
    rdd_method("isEmpty()", "r.isEmpty()", whether_empty),
    rdd_method("reduceByKey(func, numPartitions=None)", "s.reduceByKey(lambda a, v: a + v)", _reduce_by_key),
    rdd_method("persist(storageLevel=StorageLevel.MEMORY_ONLY)", "r.persist()", _persist),
    rdd_method("cache()", "r.cache()", _same),
    rdd_method("coalesce(numPartitions, shuffle=False)", "r.coalesce(1)", _same),
    rdd_method("repartition(numPartitions)", "r.repartition(4)", _same),
    rdd_method("unpersist(blocking=False)", "r.unpersist()", _same),
)
