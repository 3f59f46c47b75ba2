"""Calls of functions and methods, and their arguments."""

from __future__ import annotations

import ast
from contextlib import suppress
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Final

from tallystick.core.terms import TRUE, Term, constant
from tallystick.core.types import BOOL, INT, RATIONAL, TEXT, Type
from tallystick.frontends.pyspark.named_functions import containers
from tallystick.frontends.pyspark.python import dictionary_cells, group_dictionaries, texts
from tallystick.frontends.pyspark.python.expressions import comprehensions
from tallystick.frontends.pyspark.python.expressions.names import usable
from tallystick.frontends.pyspark.python.functions import counting
from tallystick.frontends.pyspark.python.functions.arguments import only_argument
from tallystick.frontends.pyspark.python.lists_in_order import first_of
from tallystick.frontends.pyspark.python.reading import Reading
from tallystick.frontends.pyspark.python.sequences import items_of
from tallystick.frontends.pyspark.python.tables_of_constants import table_method
from tallystick.frontends.pyspark.rdds import driver_sets, lookups, positive_list, statistics
from tallystick.frontends.pyspark.rdds.calls import method_place
from tallystick.frontends.pyspark.rdds.rdd_methods import Owner
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import (
    constant_value,
    describe,
    is_rdd,
    literal,
)
from tallystick.frontends.pyspark.values.dictionaries import is_dictionary, table_of_entries
from tallystick.frontends.pyspark.values.groups import GroupDictionary
from tallystick.frontends.pyspark.values.kinds import (
    Builtin,
    Collected,
    ConstantSet,
    Dictionary,
    DictionaryOfGroups,
    Frame,
    Growing,
    Ignored,
    Pieces,
    Ranked,
    SparkContextValue,
    StatCounter,
    Table,
    Tally,
    Value,
)
from tallystick.frontends.pyspark.values.nominal_types import DATE, DATETIME, DECIMAL, PARTIAL_FLOATS


def read_call(reader: Reading, node: ast.Call, frame: Frame, place: Place) -> Value:
    if isinstance(node.func, ast.Attribute):
        owner = reader.evaluate(node.func.value, frame)
        if isinstance(owner, Owner) and (
            is_rdd(owner) or (isinstance(owner, SparkContextValue) and not owner.is_session)
        ):
            for each in (*node.args, *(each for each in node.keywords if each.arg is None)):
                if isinstance(each, ast.Starred | ast.keyword):
                    where = place.source.place(each.value)
                    raise where.error(
                        "`*` arguments of a method of an RDD are not supported", "write each argument out"
                    )
            return positive_list.call(reader, owner, node, frame)
        if texts.is_text(owner):
            reader.goes_through(*node.args)  # only `join` is given a generator
            given, named = _arguments(reader, node, frame)
            return texts.method(owner, node.func.attr, given, named, method_place(place.source.place(node.func)))  # type: ignore[arg-type]
        if isinstance(owner, StatCounter):
            given, _ = _arguments(reader, node, frame)
            return statistics.asked(owner, node.func.attr, given, place)
        if isinstance(owner, Tally):
            given, _ = _arguments(reader, node, frame)
            return texts.of_tally(owner, node.func.attr, given, place)
        if isinstance(owner, Pieces) and node.func.attr == "count" and not owner.is_set:
            given, _ = _arguments(reader, node, frame)
            return texts.count_of(owner, texts.text(only_argument(place, given, "count"), place, "what is counted"))
        if node.func.attr == "count" and counting.has_count(owner):
            given, _ = _arguments(reader, node, frame)
            return counting.occurrences(owner, given, place)
        if isinstance(owner, Growing) and owner.cell is not None and node.func.attr in ("get", "setdefault"):
            given, _ = _arguments(reader, node, frame)
            look = dictionary_cells.get if node.func.attr == "get" else dictionary_cells.set_default
            return look(reader, owner, given, place)
        if isinstance(owner, GroupDictionary):
            given, _ = _arguments(reader, node, frame)
            return group_dictionaries.method(owner, node.func.attr, given, place)
        if driver_sets.is_set(owner) or (isinstance(owner, ConstantSet) and node.func.attr in driver_sets.METHODS):
            given, _ = _arguments(reader, node, frame)
            return driver_sets.combined(
                reader, node.func.attr, owner, only_argument(place, given, node.func.attr), place
            )
        if containers.is_coded(owner, "dict"):
            given, _ = _arguments(reader, node, frame)
            return texts.of_dict(owner, node.func.attr, given, place)
        if isinstance(owner, DictionaryOfGroups):
            given, _ = _arguments(reader, node, frame)
            return _of_groups(reader, owner, node.func.attr, given, place)
        if isinstance(owner, Dictionary) and node.func.attr in ("items", "keys", "values") and not node.args:
            items = owner.items
            return items if node.func.attr == "items" else items.asked(node.func.attr, place)
        if isinstance(owner, Dictionary) and node.func.attr == "most_common" and owner.kind == "Counter":
            given, _ = _arguments(reader, node, frame)
            return _most_common(owner, given, place)
        if isinstance(owner, Dictionary) and node.func.attr == "get":
            given, _ = _arguments(reader, node, frame)
            return lookups.get(reader, owner, given, place)
        if isinstance(owner, Term) and is_dictionary(owner):
            if node.func.attr != "get":
                message = "the order of the entries of this dictionary is not known"
                raise place.error(message, "take them by their keys: `d[key]`, `d.get(key)`")
            owner = table_of_entries(owner)
        if isinstance(owner, Table):
            given, _ = _arguments(reader, node, frame)
            return usable(table_method(reader, owner, node.func.attr, given, place), place)
    function = reader.evaluate(node.func, frame)
    if isinstance(function, Ignored):
        return _ignored(reader, node, frame)
    if isinstance(function, Builtin) and function.name in _TAKES_ALL:
        in_between = function.name == "reduce" or (function.name in ("max", "min") and node.keywords)
        if reader.attempts is None or not in_between:
            reader.goes_through(*node.args)
    given, named = _arguments(reader, node, frame)
    if isinstance(function, Builtin) and function.name in _LAZY:
        if len(given) == 2 and isinstance(source := given[1], Collected | Dictionary | Ranked):
            return comprehensions.mapped_elements(reader, function.name, given[0], source, place)
        with reader.lazily(node, place):
            return reader.call(function, place, given, named)
    return reader.call(function, place, given, named)


_TAKES_ALL: Final = frozenset(("dict", "frozenset", "list", "max", "min", "reduce", "set", "sorted", "sum", "tuple"))
"""Functions that ask for all items of what they are given."""
_LAZY: Final = frozenset(("filter", "map"))
"""Functions whose results call functions once items are asked for."""


def _of_groups(reader: Reading, owner: DictionaryOfGroups, name: str, given: list[Value], place: Place) -> Value:
    """A method of a dictionary of lists or sets."""
    match name, given:
        case "items", []:
            return owner.grouped
        case "keys", []:
            return owner.keys
        case "values", []:
            return replace(owner.grouped, alone=True)
        case "get", [key] | [key, _]:
            return lookups.group_of(reader, owner, key, place)
    message = f"`{name}` of a dictionary of lists or sets is not supported"
    raise place.error(message, "supported are items, keys and values, and `d[key]` for its keys")


def _most_common(counter: Dictionary, given: list[Value], place: Place) -> Value:
    """The items of a Counter that count most; which come first of those that count the same, nothing fixes."""
    whole = counter.items.asked("most common", place)
    assert isinstance(whole, Ranked)
    if not given:
        return whole
    count = literal(given[0])
    if type(count) is not int or count < 0 or len(given) > 1:
        raise place.error("how many items `most_common` gives must be constant")
    return first_of(whole, constant(count), "most_common({})", place)


def _arguments(reader: Reading, node: ast.Call, frame: Frame) -> tuple[list[Value], dict[str, Value]]:
    """The arguments of a call by position and by name; starred ones are taken apart."""
    given: list[Value] = []
    for each in node.args:
        if isinstance(each, ast.Starred):
            where = frame.scope.source.place(each)
            reader.goes_through(each.value)
            items = items_of(reader.evaluate(each.value, frame), where, "a starred argument")
            if any(there is not TRUE for there, _ in items):
                raise where.error("a starred argument has items that may not be there", "write each argument out")
            given += [item for _, item in items]
        else:
            given.append(reader.evaluate(each, frame))
    named: dict[str, Value] = {}
    for keyword in node.keywords:
        where = frame.scope.source.place(keyword.value)
        value = reader.evaluate(keyword.value, frame)
        entries: list[tuple[object, Value]] = [(keyword.arg, value)]
        if keyword.arg is None:
            if isinstance(value, Term) and is_dictionary(value):
                value = table_of_entries(value)
            if not isinstance(value, Table):
                raise where.error(f"`**` of what is {describe(value)} is not supported", "write each argument out")
            entries = [(constant_value(key), each) for key, each in value.entries]
        for name, each in entries:
            if not isinstance(name, str) or name in named:
                raise where.error("the names of arguments must be texts that differ", "write each argument out")
            named[name] = each
    return given, named


_SAMPLES: Final[dict[Type, object]] = {
    INT: -1,
    BOOL: True,
    TEXT: "a",
    RATIONAL: 1.5,
    DECIMAL: Decimal(1),
    **dict.fromkeys(PARTIAL_FLOATS, 1.5),
    **dict.fromkeys((DATE, DATETIME), date.max),
}
"""A value of each type, whose formats raise where those of another value may."""


def _require_format(value: Value, part: ast.FormattedValue, place: Place) -> None:
    """Raise SourceError where Python may find no text for a value by what stands after its colon."""
    if part.format_spec is None:
        return
    sample = _SAMPLES.get(value.type) if isinstance(value, Term) else None
    if part.conversion != -1:
        sample = "a"
    match part.format_spec:
        case ast.JoinedStr(values=[ast.Constant(value=str(specification))]) if sample is not None:
            with suppress(ValueError, OverflowError):
                format(sample, specification)
                return
    raise place.error("this format of an f-string is not supported", "write the value alone")


def _ignored(reader: Reading, node: ast.Call, frame: Frame) -> Value:
    """A call without influence on the result, whose arguments are computed."""
    waiting: list[ast.expr] = [*node.args, *(each.value for each in node.keywords)]
    for each in waiting:
        if isinstance(each, ast.JoinedStr):
            for part in each.values:
                if isinstance(part, ast.FormattedValue):
                    _require_format(reader.evaluate(part.value, frame), part, frame.scope.source.place(part))
        elif not isinstance(each, ast.Constant):
            reader.evaluate(each, frame)
    return Ignored()
