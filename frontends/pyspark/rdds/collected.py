"""Lists and dictionaries of an RDD's elements at the driver: what Python computes of them there.

`collect()` gives a list in an order that nothing fixes, so only what does not depend on it is read: aggregates,
`sorted`, and comprehensions, which are maps and filters of the elements.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

from tallystick.core.terms import (
    FALSE,
    TRUE,
    Operator,
    Term,
    accumulator,
    add,
    build,
    constant,
    element,
    ite,
    negation,
    project,
    tuple_of,
)
from tallystick.core.types import BOOL, INT, TupleType
from tallystick.frontends.pyspark.python.lists_in_order import limited
from tallystick.frontends.pyspark.python.reading import Reading
from tallystick.frontends.pyspark.python.truth import truth
from tallystick.frontends.pyspark.rdds.calls import Call, element_of, require_hashable
from tallystick.frontends.pyspark.rdds.lineages import marked
from tallystick.frontends.pyspark.rdds.operators import RDD_METHODS as OPERATORS
from tallystick.frontends.pyspark.rdds.operators import number_of_elements, whether_empty
from tallystick.frontends.pyspark.rdds.orders import ordered
from tallystick.frontends.pyspark.rdds.partial import RDD_METHODS as PARTIAL
from tallystick.frontends.pyspark.rdds.tables import table_of
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import basic, literal, show_type
from tallystick.frontends.pyspark.values.kinds import (
    Collected,
    ConstantSet,
    Dictionary,
    DictionaryKind,
    Listing,
    Ranked,
    Table,
    Value,
)
from tallystick.frontends.pyspark.values.options import is_tuple

_AS_METHODS: Final = {
    method.entry.name: method.meaning for method in (*OPERATORS, *PARTIAL) if method.entry.name in ("sum", "min", "max")
}


def collected(call: Call, bag: Term) -> Collected:
    """The list of a bag's elements, at the driver."""
    return Collected(bag, partial(_asked, call))


def list_of(reader: Reading, bag: Term, place: Place, once: bool = False) -> Collected:
    """The list of a bag's elements that code at the driver makes."""
    return replace(collected(Call(reader, bag, "collect", place, {}), bag), once=once)


def dictionary(call: Call, bag: Term, kind: DictionaryKind = "dict") -> Dictionary:
    """The dictionary of pairs whose keys do not repeat."""
    return Dictionary(collected(call, bag), kind)


def counted(call: Call, pairs: Term, kind: DictionaryKind) -> Dictionary:
    """The dictionary of keys of pairs and how many pairs have them."""
    step = add(accumulator(INT), constant(1))
    return dictionary(call, call.folded(build(Operator.FOLD_BY_KEY, (constant(0), step, pairs)), "none"), kind)


def _asked(call: Call, name: str, whole: Collected, place: Place, named: dict[str, Value]) -> Value:
    """What a function of Python's gives for a list: len, sum, min, max, any, all, bool, sorted, dict, keys, values."""
    if call.reader.in_udf and name != "set":  # a set may be asked for what it has, see `lookups`
        hint = "join the RDDs, or use `subtract` or `intersection`"
        raise place.error("the elements of an RDD are used inside a function that runs on elements", hint)
    here = replace(call, receiver=whole.bag, name=name, place=place, arguments={})
    if "key" in named and name in ("min", "max"):
        here = replace(here, arguments={"key": (place, named["key"])})
    match name:
        case "len":
            return number_of_elements(here)
        case "bool":
            return negation(whether_empty(here))
        case "fold":  # by a loop over its elements
            return here.folded(named["fold"], "none")  # type: ignore[arg-type]
        case "look up":  # in a dictionary, which means what its by-key fold means
            table = table_of(whole.bag)
            return here.folded(
                basic(named["fold"], place, "a fold"), "none", parts=() if table is None else (table.fold,)
            )
        case "Counter":
            require_hashable(here.element, place, "an item of a Counter")
            return counted(
                here, build(Operator.MAP, (tuple_of(element(here.element), constant(1)), here.bag)), "Counter"
            )
        case "set":
            require_hashable(here.element, place, "an item of a set")
            pairs = build(Operator.MAP, (tuple_of(element(here.element), TRUE), marked(here.bag, name)))
            seen = here.folded(build(Operator.FOLD_BY_KEY, (FALSE, TRUE, pairs)), "none")
            return dictionary(call, seen, "set")
        case "most common":
            key = project(element(here.element), 1)
            return Ranked(ordered(here.bag, key, True, place))
        case "any" | "all":
            return _whether(here, name == "any")
        case "sum" if here.element == BOOL:
            number = ite(element(BOOL), constant(1), constant(0))
            here = replace(here, receiver=build(Operator.MAP, (number, here.bag)))
        case "sorted":
            return _sorted(here, whole, named, place)
        case "dict":
            return _dictionary(here, place)
        case "keys" | "values":
            part = project(element(here.element), 0 if name == "keys" else 1)
            return replace(whole, bag=build(Operator.MAP, (part, whole.bag)))
    return _AS_METHODS[name](here)


def _whether(call: Call, some: bool) -> Term:
    """any, or all, of the elements' truth."""
    holds = truth(element(call.element), call.place, f"an item of the argument of `{call.name}`")
    bag = build(Operator.FILTER, (holds if some else negation(holds), call.bag))
    none = whether_empty(replace(call, receiver=bag))
    return negation(none) if some else none


def _sorted(call: Call, whole_list: Collected, named: dict[str, Value], place: Place) -> Ranked:
    """sorted, perhaps with a key and `reverse`: as `sortBy` has it."""
    downwards = literal(named.get("reverse", FALSE))
    if downwards is None or set(named) - {"key", "reverse"}:
        raise place.error("`sorted` takes a key, and a constant `reverse`")
    whole = element(call.element)
    key = whole
    if "key" in named:
        key = basic(call.reader.udf(named["key"], place, whole), place, "what the key of `sorted` returns")
    return Ranked(ordered(call.bag, key, bool(downwards), place), of=whole_list)


def _dictionary(call: Call, place: Place) -> Dictionary:
    """The dictionary of a list of pairs, whose keys do not repeat."""
    of = element_of(call.bag)
    if not (isinstance(of, TupleType) and is_tuple(of) and len(of.components) == 2):
        raise place.error(f"a dictionary is made of pairs, and these are of type {show_type(of)}")
    if table_of(call.bag) is None:
        message = "keys of this list may repeat, and which value a dictionary keeps depends on the order"
        raise place.error(message, "reduce by key before, and keep the keys as they are")
    return dictionary(call, call.bag)


def of_each(whole: Collected, condition: Term, item: Term, once: bool) -> Collected:
    """The list of what a comprehension makes of each element, over `element`."""
    bag = whole.bag if condition is TRUE else build(Operator.FILTER, (condition, whole.bag))
    made = bag if item is element(element_of(bag)) else build(Operator.MAP, (item, bag))
    return replace(whole, bag=made, once=once)


def collected_or_empty(condition: Term, then: Value, otherwise: Value) -> Value | None:
    """A list or a dictionary at the driver where a condition holds, or else an empty one, or the other way round.

    None for other values: an empty list is no empty dictionary. The condition is not on elements.
    """
    if condition.bound:
        return None
    for there, whole, empty in ((condition, then, otherwise), (negation(condition), otherwise, then)):
        match whole:
            case Collected(bag, once=False) if empty == Listing(()):
                return replace(whole, bag=build(Operator.FILTER, (there, bag)))
            case Ranked(most=Term() as most, once=False) if empty == Listing(()):
                return limited(whole, ite(there, most, constant(0)), whole.cut)
            case Ranked(pairs, once=False) if empty == Listing(()):
                return replace(whole, pairs=build(Operator.FILTER, (there, pairs)), of=None)
            case Dictionary(kind="set") if empty == ConstantSet(()):
                return _where(there, whole)
            case Dictionary() if isinstance(empty, Table) and not empty.entries and whole.kind != "set":
                return replace(_where(there, whole), kind=kind_of_either(whole.kind, "dict"))
    return None


def kind_of_either(one: DictionaryKind, other: DictionaryKind) -> DictionaryKind:
    """The kind of one of two dictionaries: where they differ, it is open what a look-up of a missing key does."""
    return one if one == other else "other default"


def _where(condition: Term, whole: Dictionary) -> Dictionary:
    return replace(whole, items=replace(whole.items, bag=build(Operator.FILTER, (condition, whole.bag))))
