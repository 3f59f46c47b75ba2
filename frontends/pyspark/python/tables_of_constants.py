"""Membership in what has a fixed number of items, and look-ups in dictionaries whose keys are constants."""

from __future__ import annotations

import ast
from dataclasses import replace

from tallystick.core.terms import (
    FALSE,
    TRUE,
    Term,
    conjunction,
    constant,
    disjunction,
    equal,
    free_variables,
    less,
    less_equal,
    negation,
    tuple_of,
)
from tallystick.core.types import TEXT
from tallystick.frontends.pyspark.named_functions import containers
from tallystick.frontends.pyspark.python import arithmetic, one_time, texts
from tallystick.frontends.pyspark.python.arithmetic import compare
from tallystick.frontends.pyspark.python.reading import Reading
from tallystick.frontends.pyspark.python.sequences import items_of
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import basic
from tallystick.frontends.pyspark.values.groups import Gathered, Group
from tallystick.frontends.pyspark.values.kinds import ConstantSet, Interval, Listing, Pieces, Raises, Table, Value
from tallystick.frontends.pyspark.values.options import MISSING, NONE, implies_literal, is_none
from tallystick.frontends.pyspark.values.rounds import stands_for_an_item


def member(place: Place, value: Value, container: Value) -> Term:
    """The formula `value in container`."""
    if isinstance(container, Term) and container.type == TEXT:
        return texts.contains(container, value, place)
    if containers.is_coded(container):
        return containers.member(container, value, place)
    if isinstance(container, Interval):
        return _in_range(place, arithmetic.integer(value, place, "the left side of `in`"), container)
    if isinstance(container, Pieces):
        item = texts.text(value, place, "the left side of `in`")
        return negation(equal(texts.count_of(container, item), constant(0)))
    if isinstance(container, Group):
        one_time.refuse(container, place, "items of which `in` uses up some only")
        if any(map(stands_for_an_item, free_variables(basic(value, place, "this")))):
            raise place.error("whether an item of a list or group is in a group is not supported", "join the RDDs")
        equal_ones = tuple((there, same(place, value, item)) for there, item in container.items)
        return replace(container, items=equal_ones, kind="iterable").aggregate("any", place)
    if isinstance(container, Gathered) and not container.parts:
        container = Listing(container.items)
    found = [
        conjunction(there, same(place, value, item))
        for there, item in items_of(container, place, "the right side of `in`", any_order=True)
    ]
    return disjunction(*found) if found else FALSE


def _in_range(place: Place, number: Term, interval: Interval) -> Term:
    """Whether a number is in a range: not before its start, before its stop, and so many steps away."""
    start, stop, by = interval.start, interval.stop, constant(abs(interval.step))
    low, high = (start, number) if interval.step > 0 else (number, start)
    before = less(number, stop) if interval.step > 0 else less(stop, number)
    steps = equal(arithmetic.remainder(place, arithmetic.minus(place, number, start), by), constant(0))
    return conjunction(less_equal(low, high), before, TRUE if by is constant(1) else steps)


def same(place: Place, value: Value, item: Value) -> Term:
    """The formula `value == item`, as `in` and `count` ask it."""
    term = basic(value, place, "the left side of `in`")
    if isinstance(item, Term) and NONE in (term.type, item.type):
        return is_none(term if item.type == NONE else item)
    return compare(place, ast.Eq, value, item)


def looked_up(reader: Reading, table: Table, key: Value, place: Place) -> Value:
    """`table[key]`, which raises KeyError for a key that is not there: at the driver it must be known to be."""
    known = member(place, key, table)
    if (found := dict(table.entries).get(key)) is not None:  # type: ignore[arg-type]
        return found
    if known is not TRUE and not implies_literal(reader.path, known):
        if not reader.in_udf:
            hint = "use `.get(key, default)`, or test `key in …` before"
            raise place.error("a key that may be missing raises KeyError", hint)
        return _chosen(reader, list(table.entries), key, Raises(), place)
    *entries, (_, last) = table.entries
    return _chosen(reader, entries, key, last, place)


def table_method(reader: Reading, table: Table, name: str, given: list[Value], place: Place) -> Value:
    """A method of a dictionary: get, keys, values or items."""
    match name, given:
        case "get", [key]:
            return _chosen(reader, list(table.entries), key, MISSING, place)
        case "get", [key, default]:
            return _chosen(reader, list(table.entries), key, default, place)
        case "keys", []:
            return Listing(tuple((TRUE, key) for key, _ in table.entries))
        case "values", []:
            return Listing(tuple((TRUE, basic(value, place, "a value")) for _, value in table.entries))
        case "items", []:
            pairs = [tuple_of(key, basic(value, place, "a value")) for key, value in table.entries]
            return Listing(tuple((TRUE, pair) for pair in pairs))
    raise place.error(
        f"`{name}` of a dictionary of constants is not supported", "supported are get, keys, values, items"
    )


def _chosen(reader: Reading, entries: list[tuple[Term, Value]], key: Value, default: Value, place: Place) -> Value:
    """The value of the entry whose key this is, or else the default."""
    result = default
    for each, value in reversed(entries):
        holds = same(place, key, each)
        if holds in (TRUE, FALSE):  # the key is constant, too
            result = value if holds is TRUE else result
        else:
            result = reader.merge(holds, value, result, "every value of the dictionary")
    return result


def selected_of_set(group: Group, others: Value, operation: ast.operator, place: Place) -> Group:
    """`group - others` and `group & others` of a set of a group's items and one of so many items."""
    known = isinstance(others, ConstantSet) or (
        isinstance(others, Gathered) and others.kind == "set" and not others.parts
    )
    if group.kind != "set" or not known:
        message = "`-` and `&` of a group are read of a set of it and a set of so many items"
        raise place.error(message, "write `set(group) - {…}`, or a comprehension with a condition")

    def is_kept(there: Term, item: Term) -> Term:
        found = member(place, item, others)
        return conjunction(there, found if isinstance(operation, ast.BitAnd) else negation(found))

    return replace(group, items=tuple((is_kept(there, item), item) for there, item in group.items))
