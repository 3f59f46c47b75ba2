"""What has a fixed number of items when the source is read.

These are tuples, lists, `range`, `enumerate` and `zip` of these, sets of constants and dictionaries of constants. An
item may be there under a condition only, as in a list that a comprehension with `if` makes.
"""

from __future__ import annotations

from typing import Final

from tallystick.core.terms import TRUE, Term, constant, project
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import basic, constant_value, describe, what_to_do_with
from tallystick.frontends.pyspark.values.dictionaries import is_dictionary, table_of_entries
from tallystick.frontends.pyspark.values.enums import member
from tallystick.frontends.pyspark.values.groups import Firsts
from tallystick.frontends.pyspark.values.kinds import ConstantSet, EnumClass, Generator, Listing, Record, Table, Value
from tallystick.frontends.pyspark.values.nominal_types import NominalType, content
from tallystick.frontends.pyspark.values.options import component_count, is_tuple

MOST_ITEMS: Final = 256
Items = list[tuple[Term, Value]]
"""Items with the conditions under which they are there."""


def items_of(value: Value, place: Place, what: str = "this", any_order: bool = False) -> Items:
    """The items of an iterable, in order; raises SourceError for what has no fixed number of items.

    A set has no order, so its items are given only where `any_order` says that order does not matter.
    """
    match value:
        case Listing(items) | Generator(items) | Firsts(items):
            return list(items)
        case ConstantSet(items) if any_order:
            return [(TRUE, item) for item in items]
        case ConstantSet():
            raise place.error(f"{what} is a set, whose items have no order", "go through `sorted(…)` of it, or a tuple")
        case Table(entries):
            return [(TRUE, key) for key, _ in entries]
        case Term() if is_dictionary(value) and any_order:
            return [(TRUE, key) for key, _ in table_of_entries(value).entries]
        case Term() if is_dictionary(value):
            raise place.error("the order of the entries of this dictionary is not known", "take them by their keys")
        case EnumClass(of):
            return [(TRUE, member(value, name, place)) for name in of.members]
        case Record(items):
            return [(TRUE, item) for item in items]
        case Term() if isinstance(text := constant_value(value), str):
            return [(TRUE, constant(each)) for each in text]
        case Term() if is_tuple(value.type):
            return [(TRUE, project(value, index)) for index in range(component_count(value))]
    hint = what_to_do_with(value) or "go through a tuple, a list, `range` of constants, or a constant set or dictionary"
    raise place.error(f"{what} must have a fixed number of items, and is {describe(value)}", hint)


def bounded(items: Items, place: Place) -> Items:
    """The items, unless there are too many of them to unroll."""
    if len(items) > MOST_ITEMS:
        raise place.error(f"this goes through more than {MOST_ITEMS} items", "use fewer")
    return items


def certain_items(value: Value, place: Place, what: str, any_order: bool = False) -> list[Term]:
    """The items of an iterable all of which are there, as terms."""
    items = items_of(value, place, what, any_order)
    if any(condition is not TRUE for condition, _ in items):
        raise place.error(f"{what} has items that may not be there", "choose them afterwards")
    return [basic(item, place, f"an item of {what}") for _, item in items]


def constant_set(items: list[Term], place: Place) -> ConstantSet:
    """The set of constants; equal ones are one item."""
    for item in items:
        if not is_constant(item):
            hint = "compare with each value: `x == a or x == b`"
            raise place.error("an item of a set must be constant", hint)
    if len({item.type for item in items}) > 1:
        raise place.error("the items of a set must have one type")
    return ConstantSet(tuple(dict.fromkeys(items)))


def is_constant(term: Term) -> bool:
    """Whether a term is a constant, or a tuple of constants."""
    if constant_value(term) is not None:
        return True
    if isinstance(term.type, NominalType):  # a date, or a member of an enum
        return is_constant(content(term))
    return is_tuple(term.type) and all(is_constant(project(term, each)) for each in range(component_count(term)))
