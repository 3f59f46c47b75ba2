"""Look-ups in dictionaries of an RDD's elements, such as `collectAsMap()` gives.

At the driver, what a key stands for is a fold of the pairs that have it. In a function that runs on elements, as of a
broadcast variable, a look-up is a left outer join of these elements with the pairs of the dictionary: the function is
read once to see the key, and then for elements whose key the dictionary has, and for those whose it has not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import reduce
from typing import Final

from tallystick.core.functions import RAISE
from tallystick.core.terms import (
    FALSE,
    TRUE,
    Operator,
    Term,
    apply,
    apply_function,
    build,
    conjunction,
    constant,
    element,
    equal,
    free_variables,
    ite,
    project,
    rebuild,
    subterms,
    tuple_of,
)
from tallystick.core.types import TupleType
from tallystick.frontends.pyspark.python.reading import Reading
from tallystick.frontends.pyspark.rdds.calls import Call, element_of
from tallystick.frontends.pyspark.rdds.joins import bag_of, carried_out, union
from tallystick.frontends.pyspark.rdds.set_operations import keys_of
from tallystick.frontends.pyspark.rdds.tables import side_of, table_of
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import basic, show_type
from tallystick.frontends.pyspark.values.kinds import Dictionary, DictionaryOfGroups, Part, Value
from tallystick.frontends.pyspark.values.options import (
    MISSING,
    common_type,
    converted,
    given,
    is_option,
    optional,
    present,
    some,
    unified,
)
from tallystick.frontends.pyspark.values.rounds import stands_for_an_item

METHODS: Final = ("map", "filter", "flatMap", "mapValues", "flatMapValues", "keyBy")
"""Methods whose functions may look things up."""


class LookUpError(Exception):
    """A function that runs on elements looks a key up, of which the reader does not know the value yet."""

    def __init__(self, key: Term, dictionary: Dictionary | DictionaryOfGroups, place: Place) -> None:
        super().__init__("a look-up")
        self.key = key
        self.dictionary = dictionary
        self.place = place


def found(reader: Reading, dictionary: Dictionary, key: Value, place: Place) -> tuple[Term, Term]:
    """Whether a dictionary has a key, and the value there."""
    asked = basic(key, place, "a key of a dictionary")
    of = element_of(dictionary.bag)
    assert isinstance(of, TupleType)
    if is_option(of.components[1]):
        raise place.error("a look-up in a dictionary whose values may be None is not supported", "join the RDDs")
    if common_type(of.components[0], asked.type) != of.components[0]:
        keys = f"{show_type(asked.type)} among keys of type {show_type(of.components[0])}"
        raise place.error(f"a look-up of {keys} is not supported", "look up what the keys are")
    asked = converted(asked, of.components[0])
    if not reader.in_udf:
        return _at_driver(dictionary, asked, place)
    known = reader.answers.get((asked, dictionary.bag))
    if known is None:
        raise LookUpError(asked, dictionary, place)
    return present(known), given(known)


def _at_driver(dictionary: Dictionary, key: Term, place: Place) -> tuple[Term, Term]:
    """The fold of the pairs that have a key."""
    table = table_of(dictionary.bag)
    if table is None:
        raise place.error("a look-up in this dictionary is not supported", "look up in one of pairs that are reduced")
    side = side_of(table.fold)
    pair = element(element_of(table.folded))
    of_key = build(Operator.FILTER, (equal(project(pair, 0), key), table.folded))
    values = build(Operator.MAP, (project(pair, 1), of_key))
    state = build(Operator.FOLD, (side.initial, side.step, values))
    dictionary.items.asked("look up", place, fold=state)
    accumulated = apply(side.accumulated, state, state)
    there = conjunction(apply(side.started, state, state), table.at(table.exists, key, accumulated))
    return there, table.at(table.value, key, accumulated)


def group_of(reader: Reading, dictionary: DictionaryOfGroups, key: Value, place: Place) -> Value:
    """`d[key]` of a dictionary of lists or sets, for the key of a round that goes through it."""
    asked = basic(key, place, "a key of a dictionary")
    known = reader.groups.get((asked, dictionary.grouped))
    if known is None and reader.in_udf:
        raise LookUpError(asked, dictionary, place)
    if known is None:
        raise place.error(
            "a look-up in a dictionary of lists or sets is not supported here", "go through its `items()`"
        )
    return known


def looked_up(reader: Reading, dictionary: Dictionary, key: Value, is_named: bool, place: Place) -> Value:
    """`d[key]`: 0 where the dictionary counts and has no such key; else KeyError.

    A defaultdict has the key afterwards, so it must have no name by which it could be used again.
    """
    there, value = found(reader, dictionary, key, place)
    if there is TRUE:
        return value
    if dictionary.kind == "other default" or (dictionary.kind == "defaultdict" and is_named):
        message = "this is a defaultdict, in which `[…]` makes a key that is not there"
        raise place.error(message, "write `.get(key, 0)`")
    if dictionary.kind != "dict":
        return _or(there, value, constant(0), place)
    if not reader.in_udf:
        reader.raises_unless(there, place)
        return value
    return ite(there, value, apply_function(RAISE, value.type))  # type: ignore[arg-type]


def get(reader: Reading, dictionary: Dictionary, arguments: list[Value], place: Place) -> Term:
    """`d.get(key)` and `d.get(key, default)`."""
    if not 1 <= len(arguments) <= 2:
        raise place.error("`get` takes a key and a default")
    there, value = found(reader, dictionary, arguments[0], place)
    default = basic(arguments[1], place, "the default of `get`") if len(arguments) > 1 else MISSING
    return _or(there, value, default, place)


def _or(there: Term, value: Term, default: Term, place: Place) -> Term:
    both = unified(value, default)
    if both is None:
        types = f"{show_type(value.type)} or {show_type(default.type)}"
        raise place.error(f"this look-up gives {types}", "give a default of the values' type")
    return ite(there, *both)


def joined(call: Call, lookup: LookUpError) -> Term:
    """What a method of an RDD gives whose function looks a key up."""
    if call.name not in METHODS:
        message = f"a look-up in a function of `{call.name}` is not supported"
        raise lookup.place.error(message, "use `map` before, or join")
    try:
        return _joined(call, lookup, lambda part: carried_out(call, part))
    except _SecondLookUpError as second:
        raise second.place.error("two look-ups in one function are not supported", "use `map` twice") from None


class _SecondLookUpError(Exception):
    """A function that runs on elements looks two keys up."""

    def __init__(self, place: Place) -> None:
        super().__init__("a second look-up")
        self.place = place


def joined_at_driver(
    reader: Reading, bag: Term, lookup: LookUpError, made: Callable[[Term], tuple[Term, Term]], place: Place
) -> Term | None:
    """What a comprehension over elements gives that looks a key up; None where it looks two up.

    `made` says when it has an item for an element, and which.
    """

    def carried(part: Part) -> Iterator[Part]:
        condition, item = made(part.value)
        if condition is not FALSE:
            yield replace(part, condition=conjunction(part.condition, condition), value=item)

    try:
        return _joined(Call(reader, bag, "comprehension", place, {}), lookup, carried)
    except _SecondLookUpError:
        return None


def with_answers(reader: Reading, bag: Term, lookup: LookUpError, pairs: Term) -> Term:
    """The elements of a bag, each with what a look-up among pairs gives, of a key over the elements: an option."""
    if any(each.operator is Operator.ACCUMULATOR for each in subterms(lookup.key)):
        raise lookup.place.error("a look-up of a key that depends on the elements before is not supported")

    def carried(part: Part) -> Iterator[Part]:
        key = apply(lookup.key, part.value)
        yield replace(part, value=tuple_of(part.value, reader.answers[key, pairs]))

    return _joined(Call(reader, bag, "[…]", lookup.place, {}), lookup, carried)


def _joined(call: Call, lookup: LookUpError, carried: Callable[[Part], Iterator[Part]]) -> Term:
    place = lookup.place
    if isinstance(lookup.dictionary, DictionaryOfGroups):
        raise place.error(
            "a look-up in a dictionary of lists or sets is not supported here", "join with `groupByKey()`"
        )
    whole = element(call.element)
    pairs = lookup.dictionary.bag
    if any(map(stands_for_an_item, free_variables(lookup.key))):
        raise place.error("a look-up of each item of a list is not supported", "use `flatMap` before, and join")
    of = element_of(pairs)
    assert isinstance(of, TupleType)
    to = optional(of.components[1])
    both = element(TupleType((call.element, of)))
    one, row = project(both, 0), project(both, 1)
    key_there = rebuild(lookup.key, {whole: one}, inside=True)
    partners = Part(equal(key_there, project(row, 0)), one, build(Operator.CARTESIAN, (call.bag, pairs)), True)
    others = Part(TRUE, whole, call.bag, False, keys_of(pairs), lookup.key)
    answers = (
        (partners, key_there, some(project(row, 1))),
        (others, lookup.key, converted(MISSING, to)),
    )
    parts: list[Part] = []
    for part, key, answer in answers:
        call.reader.answers[key, pairs] = answer
        try:
            parts += carried(part)
        except LookUpError as second:
            raise _SecondLookUpError(second.place) from None
        finally:
            del call.reader.answers[key, pairs]
    if not parts:
        raise place.error("nothing is ever made of what is looked up here", "return an empty list")
    return reduce(lambda one, other: union(call, one, other), map(bag_of, parts))
