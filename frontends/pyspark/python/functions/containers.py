"""Functions that make lists, tuples, sets and dictionaries, and `sorted`."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from tallystick.core.terms import (
    FALSE,
    TRUE,
    Term,
    constant,
    ite,
    project,
    tuple_of,
)
from tallystick.core.types import BOOL
from tallystick.frontends.pyspark.named_functions import containers
from tallystick.frontends.pyspark.python import arithmetic, group_dictionaries, texts
from tallystick.frontends.pyspark.python.arithmetic import ordered, precedes
from tallystick.frontends.pyspark.python.functions.arguments import (
    Calls,
    calling,
    listed_elements,
    only_argument,
    refuse_named,
)
from tallystick.frontends.pyspark.python.functions.totals import sorted_by
from tallystick.frontends.pyspark.python.group_sets import set_of_group
from tallystick.frontends.pyspark.python.sequences import certain_items, constant_set, is_constant, items_of
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import basic, literal, show_type
from tallystick.frontends.pyspark.values.dictionaries import is_dictionary, table_of_entries
from tallystick.frontends.pyspark.values.enums import as_value
from tallystick.frontends.pyspark.values.groups import Gathered, Group, GroupDictionary, GroupKind
from tallystick.frontends.pyspark.values.kinds import (
    Builtin,
    Collected,
    ConstantSet,
    Dictionary,
    DictionaryOfGroups,
    Listing,
    Pieces,
    Ranked,
    Spread,
    Table,
    Value,
)
from tallystick.frontends.pyspark.values.options import NONE, component_count, is_tuple, unified

MOST_SORTED: Final = 16


def _require_order(group: Group, place: Place) -> None:
    for _, item in group.items:
        if not arithmetic.has_order(item.type):
            raise place.error(f"`sorted` needs what Python orders, and this is {show_type(item.type)}")


def in_sorted_order(call: Calls, place: Place, values: list[Value], named: dict[str, Value]) -> Value:
    """sorted of an iterable of what Python orders, by exchanging neighbours; `key` and `reverse` may be given.

    Of the list of an RDD's elements: as `sortBy` has it.
    """
    whole = only_argument(place, values, "sorted")
    if isinstance(named.get("key"), Term) and named["key"].type == NONE:  # type: ignore[union-attr]
        del named["key"]
    if containers.is_coded(whole, "list", "sequence", "set") and not named:
        return containers.as_sorted(whole, place)
    if isinstance(whole, Collected | Dictionary):
        return listed_elements(whole, place).asked("sorted", place, **named)
    key, downwards = named.pop("key", None), literal(named.pop("reverse", FALSE))
    refuse_named("sorted", named, place)
    if downwards is None:
        raise place.error("`sorted` with `reverse` that is not constant is not supported", "write both cases out")
    if isinstance(whole, Group):
        kind: GroupKind = "descending" if downwards else "ascending"
        if key is None:
            _require_order(whole, place)
            return replace(whole, kind=kind, keys=(), once=False)
        return sorted_by(whole, lambda item: call(key, [item]), kind, place)
    items = certain_items(whole, place, "the argument of `sorted`", any_order=key is None)
    return in_order(items, [item if key is None else call(key, [item]) for item in items], bool(downwards), place)


def in_order(items: list[Term], keys: list[Value], downwards: bool, place: Place) -> Listing:
    """The items in the order of their keys; those with equal keys stay in order, also downwards."""
    if len(items) > MOST_SORTED:
        raise place.error(f"`sorted` of more than {MOST_SORTED} items is not supported")
    what = "an item of the argument of `sorted`"
    rows = [(basic(as_value(key), place, what), item) for key, item in zip(keys, items, strict=True)]
    for end in range(len(rows) - 1, 0, -1):
        for index in range(end):
            (one, first), (other, second) = rows[index], rows[index + 1]
            one, other = ordered(one, other, place, what)
            both = unified(first, second)
            if both is None:
                raise place.error(f"{what} is of another type than others")
            first, second = both
            exchanged = precedes(one, other) if downwards else precedes(other, one)
            rows[index] = ite(exchanged, other, one), ite(exchanged, second, first)
            rows[index + 1] = ite(exchanged, one, other), ite(exchanged, first, second)
    return Listing(tuple((TRUE, item) for _, item in rows))


def _dict(place: Place, values: list[Value], named: dict[str, Value]) -> Value:
    """dict of pairs whose keys are constants, and of values by name; of a list of an RDD's elements."""
    match values:
        case [GroupDictionary() as whole] if not named:
            return replace(whole, kind="dict")
        case [Group() as group] if not named:
            return group_dictionaries.of_pairs(group, place)
        case [DictionaryOfGroups() as whole] if not named:
            return replace(whole, kind="dict")
        case [Dictionary() as whole] if not named:
            return replace(whole, kind="dict")  # which has no values for keys that are not there
        case [Collected() as whole] | [Ranked(of=Collected() as whole)] if not named:  # the order makes no difference
            return whole.asked("dict", place)
        case []:
            entries: dict[Term, Value] = {}
        case [Table(of)]:
            entries = dict(of)
        case [Term() as one] if is_dictionary(one):
            entries = dict(table_of_entries(one).entries)
        case [one]:
            entries = {}
            for item in certain_items(one, place, "the argument of `dict`"):
                if not (is_tuple(item.type) and component_count(item) == 2 and is_constant(project(item, 0))):
                    raise place.error("`dict` takes pairs whose keys are constants", "write `{key: value, …}`")
                entries[project(item, 0)] = project(item, 1)
        case _:
            raise place.error(f"`dict` takes one argument, not {len(values)}")
    entries |= {constant(name): value for name, value in named.items()}
    if len({key.type for key in entries}) > 1:
        raise place.error("the keys of a dictionary must have one type")
    return Table(tuple(entries.items()))


def _list(place: Place, values: list[Value]) -> Value:
    """list of an iterable, or of a group, of which only its elements matter."""
    if not values:
        return Listing(())
    whole = texts.characters(only_argument(place, values, "list"))
    if containers.is_coded(whole, "list"):
        return whole
    if isinstance(whole, Group):
        return replace(whole, kind="list", once=False)
    if isinstance(whole, Collected | Dictionary):
        return replace(listed_elements(whole, place), once=False)
    if isinstance(whole, Spread | Ranked):
        return replace(whole, once=False)
    if isinstance(whole, Pieces):
        return whole
    return Listing(tuple((there, basic(item, place, "an item")) for there, item in items_of(whole, place)))


def _tuple(place: Place, values: list[Value]) -> Value:
    """tuple of an iterable all of whose items are there; of a list of unknown length, the list."""
    values = [*map(texts.characters, values)]
    if len(values) == 1 and isinstance(values[0], Pieces | Spread):
        return replace(values[0], once=False) if isinstance(values[0], Spread) else values[0]
    if len(values) == 1 and isinstance(values[0], Group):
        raise place.error("a tuple of a group is not supported", "make a list of it, or `sorted`")
    items = certain_items(only_argument(place, values, "tuple"), place, "the argument of `tuple`")
    if not items or [item.type for item in items] == [BOOL]:
        raise place.error("this tuple is not supported", "a tuple has at least one component, and more than one bool")
    return tuple_of(*items)


def _set(place: Place, values: list[Value]) -> Value:
    """set or frozenset of constants, of a group, of the characters of a text, or of so many items as are known."""
    if not values:
        return ConstantSet(())
    values = [*map(texts.characters, values)]
    if len(values) == 1 and containers.is_coded(values[0], "list", "sequence", "set"):
        return containers.as_set(values[0], place)
    if len(values) == 1 and isinstance(values[0], Group):
        return set_of_group(values[0], place)
    if len(values) == 1 and isinstance(values[0], Collected | Dictionary):
        return listed_elements(values[0], place).asked("set", place)
    if len(values) == 1 and isinstance(values[0], Pieces):
        return texts.set_of(values[0])
    if len(values) == 1 and isinstance(values[0], Spread):
        return texts.set_of_some(values[0], place)
    items = certain_items(only_argument(place, values, "set"), place, "the argument of `set`", any_order=True)
    if not all(map(is_constant, items)):
        return Gathered("set", (), tuple((TRUE, item) for item in items))
    return constant_set(items, place)


FUNCTIONS: Final = {
    "dict": Builtin("dict", lambda place, values: _dict(place, values, {}), _dict),
    "frozenset": Builtin("frozenset", _set),
    "list": Builtin("list", _list),
    "set": Builtin("set", _set),
    "sorted": calling("sorted", in_sorted_order),
    "tuple": Builtin("tuple", _tuple),
}
