"""Dictionaries of a group: what a loop over its values, or a Counter of them, adds up by keys of their own.

Their items are those of a set (see `Group.totals`), each key with its sum. What stands at one key is a sum over the
values of the group, so look-ups need no dictionary.
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
    apply_function,
    conjunction,
    constant,
    disjunction,
    free_variables,
    ite,
    negation,
    project,
    tuple_of,
    variable,
)
from tallystick.core.types import INT, RATIONAL
from tallystick.frontends.pyspark.python.arithmetic import compare
from tallystick.frontends.pyspark.python.attempts import stands_for_an_item
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import basic, basic_type
from tallystick.frontends.pyspark.values.groups import Group, Totals
from tallystick.frontends.pyspark.values.kinds import DictionaryKind, Value
from tallystick.frontends.pyspark.values.options import MISSING, default_of, unified

Entry = tuple[Term, Term, Term]
"""What is added for one value of a group: when, to which key, and which number."""
HINT: Final = "add up numbers, one for each value of the group: `d[key] = d.get(key, 0) + value`"


def added_up(group: Group, entries: Sequence[Entry], kind: DictionaryKind, place: Place) -> Totals:
    """The dictionary that adds up these numbers of each value of a group, by their keys.

    At most one of the entries is there for a value. Where none may be, the items are those of a dictionary that has
    another item, too: for the values without a key.
    """
    there, key, number = entries[0]
    for condition, other, more in entries[1:]:
        both, numbers = unified(key, other), unified(number, more)
        if not _exclude(there, condition) or both is None or numbers is None:
            raise place.error("a value of a group that is added to several keys is not supported", HINT)
        key, number, there = ite(there, *both), ite(there, *numbers), disjunction(there, condition)
    if number.type not in (INT, RATIONAL) or not group.at_least_one or group.base is not None:
        raise place.error("a dictionary of a group adds up numbers, of groups that are never empty", HINT)
    base = tuple_of(key, number)
    if there is not TRUE:
        inner = tuple_of(there, ite(there, key, default_of(basic_type(key))))
        base = tuple_of(inner, ite(there, number, default_of(basic_type(number))))
    each = variable("item of a dictionary", basic_type(base))
    item = (TRUE, each)
    if there is not TRUE:
        item = project(project(each, 0), 0), tuple_of(project(project(each, 0), 1), project(each, 1))
    items = replace(group, item=each, items=(item,), kind="iterable", base=base, once=False, totals=True, keys=())
    return Totals(items, replace(group, items=((there, tuple_of(key, number)),), kind="list", once=False), kind)


def _exclude(one: Term, other: Term) -> bool:
    """Whether it is plain that not both conditions hold: a part of one is the opposite of a part of the other."""
    parts = [each.arguments if each.operator is Operator.AND else (each,) for each in (one, other)]
    return any(negation(first) is second for first in parts[0] for second in parts[1])


def counted(group: Group, place: Place) -> Totals:
    """The Counter of the items of a group."""
    entries = [(there, item, constant(1)) for there, item in group.items]
    return added_up(group, entries, "Counter", place)


def keys_of(value: Value) -> Value:
    """A dictionary of a group as the group of its keys, which is what Python goes through; other values as they are."""
    return _parts(value, 0) if isinstance(value, Totals) else value


def _parts(totals: Totals, index: int) -> Group:
    ((there, item),) = totals.items.items
    return replace(totals.items, items=((there, project(item, index)),))


def method(totals: Totals, name: str, given: list[Value], place: Place) -> Value:
    """A method of a dictionary of a group."""
    match name, given:
        case "items", []:
            return totals.items
        case "keys", []:
            return _parts(totals, 0)
        case "values", []:
            return _parts(totals, 1)
        case "get", [key]:
            return _or(totals, key, MISSING, place)
        case "get", [key, default]:
            return _or(totals, key, basic(default, place, "the default of `get`"), place)
    message = f"`{name}` of a dictionary of sums of a group is not supported"
    raise place.error(message, "supported are items, keys, values, `get(key, 0)`, `max(d.items(), key=…)` and the like")


def _or(totals: Totals, key: Value, default: Term, place: Place) -> Term:
    """What a dictionary has for a key, or else a default."""
    value = total(totals, key, place)
    if _is_its_own(totals, key) or default is default_of(basic_type(value)):
        return value
    both = unified(value, default)
    if both is None:
        raise place.error("this look-up gives a number or something else", "give a default of the values' type")
    return ite(is_key(totals, key, place), *both)


def looked_up(totals: Totals, key: Value, may_be_seen: bool, place: Place) -> Term:
    """`d[key]`: 0 for a key that a Counter or a defaultdict has not, or else KeyError.

    A defaultdict has the key afterwards; raises SourceError where code may see that.
    """
    value = total(totals, key, place)
    if _is_its_own(totals, key) or totals.kind == "Counter":
        return value
    if totals.kind == "defaultdict":
        if may_be_seen:
            message = "this is a defaultdict, in which `[…]` makes a key that is not there"
            raise place.error(message, "write `.get(key, 0)`")
        return value
    return ite(is_key(totals, key, place), value, apply_function(RAISE, basic_type(value)))


def is_key(totals: Totals, key: Value, place: Place) -> Term:
    """`key in d`."""
    if _is_its_own(totals, key):
        return TRUE
    ((there, pair),) = totals.of.items
    found = conjunction(there, compare(place, ast.Eq, _known(key, place), project(pair, 0)))
    return replace(totals.of, items=((TRUE, found),)).aggregate("any", place)


def total(totals: Totals, key: Value, place: Place) -> Term:
    """What a dictionary has for a key, or 0."""
    if _is_its_own(totals, key):
        return project(totals.items.items[0][1], 1)
    ((there, pair),) = totals.of.items
    found = conjunction(there, compare(place, ast.Eq, _known(key, place), project(pair, 0)))
    return replace(totals.of, items=((found, project(pair, 1)),)).aggregate("sum", place)


def _is_its_own(totals: Totals, key: Value) -> bool:
    return key is project(totals.items.items[0][1], 0)


def _known(key: Value, place: Place) -> Term:
    asked = basic(key, place, "a key")
    if any(map(stands_for_an_item, free_variables(asked))):
        raise place.error("a look-up of an item of a list or group is not supported", "go through `d.items()`")
    return asked
