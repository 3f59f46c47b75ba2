"""Dictionaries of a group, as a loop over its values, a comprehension, `dict` or a Counter makes them.

They are sums of numbers, or folds of what is put at one key: their items are those of a set, each key with its state
(see `Group.folded`). Where each key has one value, the items are the pairs that are put there. What stands at one key
is a sum, or a fold, over the values of the group, so look-ups need no dictionary.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from tallystick.core.functions import RAISE
from tallystick.core.terms import (
    TRUE,
    Operator,
    Term,
    accumulator,
    add,
    apply,
    apply_function,
    conjunction,
    constant,
    disjunction,
    element,
    free_variables,
    ite,
    negation,
    project,
    rebuild,
    tuple_of,
    variable,
)
from tallystick.core.types import INT, RATIONAL, TupleType
from tallystick.frontends.pyspark.python.arithmetic import compare, plus
from tallystick.frontends.pyspark.python.group_sets import set_of_group
from tallystick.frontends.pyspark.python.sorted_groups import first_of_group
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import basic, basic_type, literal, show_type
from tallystick.frontends.pyspark.values.groups import DictionaryFold, Firsts, Group, GroupDictionary
from tallystick.frontends.pyspark.values.kinds import DictionaryKind, DictionaryOfGroups, Value
from tallystick.frontends.pyspark.values.options import MISSING, component_count, default_of, is_tuple, leaves, unified
from tallystick.frontends.pyspark.values.rounds import fresh, rounds_of, stands_for_an_item

Entry = tuple[Term, Term, Term]
"""What is added for one value of a group: when, to which key, and which number."""
HINT: Final = "add up numbers, one for each value of the group: `d[key] = d.get(key, 0) + value`"


def added_up(group: Group, entries: Sequence[Entry], kind: DictionaryKind, place: Place) -> GroupDictionary:
    """The dictionary that adds up these numbers of each value of a group, by their keys.

    At most one of the entries is there for a value. Where none may be, the items are those of a dictionary that has
    another item, too: for the values without a key.
    """
    there, key, number = entries[0]
    for condition, other, more in entries[1:]:
        both, numbers = unified(key, other), unified(number, more)
        if both is None or numbers is None or not (key is other or _exclude(there, condition)):
            raise place.error("a value of a group that is added to several keys is not supported", HINT)
        if key is other:
            first, second = (
                ite(each, of, default_of(basic_type(of))) for each, of in zip((there, condition), numbers, strict=True)
            )
            number = plus(place, first, second)
        else:
            key, number = ite(there, *both), ite(there, *numbers)
        there = disjunction(there, condition)
    if number.type not in (INT, RATIONAL) or group.base is not None:
        raise place.error("what a dictionary of a group adds up must be numbers, of a group itself", HINT)
    of = basic_type(number)
    base = tuple_of(key, number)
    if there is not TRUE:
        base = tuple_of(_where(there, key), ite(there, number, default_of(of)))
    each = fresh("item of a dictionary", basic_type(base))
    item = (TRUE, each)
    if there is not TRUE:
        item = project(project(each, 0), 0), tuple_of(project(project(each, 0), 1), project(each, 1))
    fold = default_of(of), add(accumulator(of), element(of))
    items = _items(group, each, item, base, fold)
    return GroupDictionary(_part(items, 0), items, _pairs_of(group, there, key, number), "sums", kind)


def folded(
    group: Group, used: Term, key: Term, fold: DictionaryFold, kind: DictionaryKind, place: Place
) -> GroupDictionary:
    """The dictionary that a loop fills, each round of which looks at one key of it, where that is used.

    The fold has pairs of a value and whether it is there; its step is over the variable for an item of the group.
    """
    ((_, item),) = group.items
    initial, step = fold
    if item is not group.item or group.base is not None:
        raise place.error("a loop that looks at what it fills goes through a group itself", HINT)
    step = rebuild(step, {item: element(basic_type(item))}, inside=True)
    base = tuple_of(key if used is TRUE else _where(used, key), item)
    each = fresh("item of a dictionary", TupleType((basic_type(project(base, 0)), basic_type(initial))))
    inner, state = project(each, 0), project(each, 1)
    found = tuple_of(inner if used is TRUE else project(inner, 1), project(state, 0))
    there = TRUE if project(step, 1) is TRUE else project(state, 1)
    there = there if used is TRUE else conjunction(project(inner, 0), there)
    items = _items(group, each, (there, found), base, (initial, step))
    return GroupDictionary(_part(items, 0), items, _pairs_of(group, used, key, item), "folds", kind, (initial, step))


def put(group: Group, entries: Sequence[Entry], kind: DictionaryKind, place: Place) -> GroupDictionary:
    """The dictionary in which each value of a group puts a value at a key; the last one of a key counts.

    Where values of one key may differ, which is the last depends on the order of the group: only the keys are read.
    """
    if len(entries) != 1:
        raise place.error("a value of a group that is put at several keys is not supported", HINT)
    ((there, key, value),) = entries
    of = _pairs_of(group, there, key, value)
    one_each = replace(group, items=((there, key),)).aggregate("one each", place) is TRUE
    if one_each:
        return GroupDictionary(_part(of, 0), of, of, "values", kind)
    if not _is_made_of(value, key, group.item):
        keys = set_of_group(replace(of, items=((there, key),)), place)
        return GroupDictionary(keys, None, of, "values", kind)
    items = replace(set_of_group(of, place), kind="iterable")
    return GroupDictionary(_part(items, 0), items, of, "values", kind)


def of_pairs(group: Group, place: Place) -> GroupDictionary:
    """`dict` of a group of pairs."""
    entries = []
    for there, item in group.items:
        if not is_tuple(item.type) or component_count(item) != 2:
            raise place.error(f"`dict` takes pairs, and these are of type {show_type(item.type)}", "make pairs of them")
        entries.append((there, project(item, 0), project(item, 1)))
    return put(group, entries, "dict", place)


def _is_made_of(value: Term, key: Term, item: Term) -> bool:
    """Whether a value depends on an item of a group by the key alone."""
    mark = variable("a key", basic_type(key))
    known = {leaf: of_mark for leaf, of_mark in zip(leaves(key), leaves(mark), strict=True) if free_variables(leaf)}
    return item not in free_variables(rebuild(value, known, inside=True))


def _items(group: Group, each: Term, item: tuple[Term, Term], base: Term, fold: DictionaryFold) -> Group:
    return replace(group, item=each, items=(item,), kind="iterable", base=base, once=False, folded=fold, keys=())


def _pairs_of(group: Group, there: Term, key: Term, value: Term) -> Group:
    """The pairs of key and value."""
    return replace(group, items=((there, tuple_of(key, value)),), kind="list", once=False, keys=())


def _where(there: Term, key: Term) -> Term:
    return tuple_of(there, ite(there, key, default_of(basic_type(key))))


def _exclude(one: Term, other: Term) -> bool:
    """Whether it is plain that not both conditions hold: a part of one is the opposite of a part of the other."""
    parts = [each.arguments if each.operator is Operator.AND else (each,) for each in (one, other)]
    return any(negation(first) is second for first in parts[0] for second in parts[1])


def counted(group: Group, place: Place) -> GroupDictionary:
    """The Counter of the items of a group."""
    entries = [(there, item, constant(1)) for there, item in group.items]
    return added_up(group, entries, "Counter", place)


def keys_of(value: Value) -> Value:
    """A dictionary of a group, or of groups, as its keys, through which Python goes; other values as they are."""
    return value.keys if isinstance(value, GroupDictionary | DictionaryOfGroups) else value


def items_of(whole: GroupDictionary, place: Place) -> Group:
    """The group of items; raises SourceError where the order of the values decides which value a key has."""
    if whole.items is None:
        message = "which value this dictionary has for a key depends on the order of the group"
        raise place.error(message, "put the smallest or the largest one, or sums")
    return whole.items


def _part(items: Group, index: int) -> Group:
    ((there, item),) = items.items
    return replace(items, items=((there, project(item, index)),))


def method(whole: GroupDictionary, name: str, given: list[Value], place: Place) -> Value:
    """A method of a dictionary of a group."""
    match name, given:
        case "items", []:
            return items_of(whole, place)
        case "keys", []:
            return whole.keys
        case "values", []:
            return _part(items_of(whole, place), 1)
        case "get", [key]:
            return _or(whole, key, MISSING, place)
        case "get", [key, default]:
            return _or(whole, key, basic(default, place, "the default of `get`"), place)
        case "most_common", ([] | [_]) if whole.kind == "Counter":
            return _most_common(items_of(whole, place), given, place)
        case "copy", []:
            return whole
        case "total", [] if whole.kind == "Counter":
            return _part(items_of(whole, place), 1).aggregate("sum", place)
    message = f"`{name}` of a dictionary of a group is not supported"
    raise place.error(message, "supported are items, keys, values, `get(key, 0)`, `max(d.items(), key=…)` and the like")


def _most_common(items: Group, given: list[Value], place: Place) -> Value:
    """The items by how often they are there; those as often as others stay in the order that they are in."""
    ((_, item),) = items.items
    by_count = replace(items, kind="descending", keys=(project(item, 1),))
    if not given:
        return by_count
    count = literal(given[0])
    if type(count) is not int or count < 1:
        raise place.error("how many items `most_common` gives must be constant")
    if count == 1:
        return Firsts(((by_count.is_there(place), by_count.best(True, place)),), None)
    return first_of_group(by_count, count, place)


def _or(whole: GroupDictionary, key: Value, default: Term, place: Place) -> Term:
    """What a dictionary has for a key, or else a default."""
    there, value = _at(whole, key, place)
    if there is TRUE or (whole.how == "sums" and default is default_of(basic_type(value))):
        return value
    both = unified(value, default)
    if both is None:
        raise place.error("this look-up gives values of several types", "give a default of the values' type")
    return ite(there, *both)


def looked_up(whole: GroupDictionary, key: Value, may_be_seen: bool, place: Place) -> Term:
    """`d[key]`: 0 for a key that a Counter or a defaultdict has not, or else KeyError.

    A defaultdict has the key afterwards; raises SourceError where code may see that.
    """
    there, value = _at(whole, key, place)
    if there is TRUE:
        return value
    if whole.kind == "defaultdict" and may_be_seen:
        message = "this is a defaultdict, in which `[…]` makes a key that is not there"
        raise place.error(message, "write `.get(key, 0)`")
    if whole.kind in ("Counter", "defaultdict"):
        return _or(whole, key, constant(0), place)
    return ite(there, value, apply_function(RAISE, basic_type(value)))


def is_key(whole: GroupDictionary, key: Value, place: Place) -> Term:
    """`key in d`."""
    if whole.items is not None:
        return _at(whole, key, place)[0]
    return _found(whole, key, place).aggregate("any", place)


def _found(whole: GroupDictionary, key: Value, place: Place) -> Group:
    """Whether each value of the group puts something at a key."""
    ((there, pair),) = whole.of.items
    found = conjunction(there, compare(place, ast.Eq, _known(key, place), project(pair, 0)))
    return replace(whole.of, items=((TRUE, found),))


def _at(whole: GroupDictionary, key: Value, place: Place) -> tuple[Term, Term]:
    """Whether a dictionary has a key, and what it has there, where it has it; a sum is 0 where it has not."""
    if (known := _of_own_key(whole, key)) is not None:
        return TRUE, known
    of_key = _found(whole, key, place)
    ((_, found),), ((_, pair),) = of_key.items, whole.of.items
    value = project(pair, 1)
    if whole.fold is not None:
        return _folded_at(whole, found, value, place)
    is_there, of_key = of_key.aggregate("any", place), replace(of_key, items=((found, value),))
    if whole.how == "sums":
        return is_there, of_key.aggregate("sum", place)
    items_of(whole, place)
    return is_there, of_key.aggregate("max", place)


def _of_own_key(whole: GroupDictionary, key: Value) -> Term | None:
    """What a dictionary has for the key of one of its items, in a loop over these; None for other keys."""
    if whole.items is None or not isinstance(key, Term):
        return None
    ((there, pair),) = whole.items.items
    if there is not TRUE and whole.items.base is None:  # other loops, over the group, have the same variable
        return None
    for here in rounds_of(whole.items.item, key):
        item = rebuild(pair, {whole.items.item: here}, inside=True)
        if key is project(item, 0):
            return project(item, 1)
    return None


def _folded_at(whole: GroupDictionary, found: Term, value: Term, place: Place) -> tuple[Term, Term]:
    """The state of the fold of what is put at one key."""
    assert whole.fold is not None
    initial, step = whole.fold
    state = variable(f"item of look-up {place.position}", basic_type(initial))
    after = ite(found, apply(step, value, state), state)
    assert whole.of.fold is not None
    whole_item = replace(whole.of, items=((TRUE, whole.of.item),))
    result = whole.of.fold(whole_item, initial, after, state, place)
    return project(result, 1), project(result, 0)


def _known(key: Value, place: Place) -> Term:
    asked = basic(key, place, "a key")
    if any(map(stands_for_an_item, free_variables(asked))):
        raise place.error("a look-up of an item of a list or group is not supported", "go through `d.items()`")
    return asked
