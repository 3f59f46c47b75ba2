"""Tuples, lists, sets and f-strings as they are written."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from tallystick.core.terms import (
    TRUE,
    tuple_of,
)
from tallystick.core.types import BOOL
from tallystick.frontends.pyspark.python import texts
from tallystick.frontends.pyspark.python.reading import Reading
from tallystick.frontends.pyspark.python.sequences import constant_set
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import (
    basic,
)
from tallystick.frontends.pyspark.values.kinds import (
    Builtin,
    Closure,
    Frame,
    Group,
    Listing,
    Partial,
    Record,
    Value,
)


def read_tuple(reader: Reading, node: ast.Tuple, frame: Frame, place: Place) -> Value:
    if not node.elts:
        raise place.error("the empty tuple is not supported", "a tuple has at least one component")
    values = [reader.evaluate(each, frame) for each in node.elts]
    if any(isinstance(value, Group) for value in values) or _are_functions(values):
        return Record(tuple(values))
    components = [
        basic(value, place.source.place(each), "a component of a tuple")
        for value, each in zip(values, node.elts, strict=True)
    ]
    if [each.type for each in components] == [BOOL]:
        raise place.error("a tuple of one bool is not supported", "use the bool itself")
    return tuple_of(*components)


def _are_functions(values: Sequence[Value]) -> bool:
    return all(isinstance(value, Closure | Builtin | Partial) for value in values)


def read_list(reader: Reading, node: ast.List, frame: Frame, place: Place) -> Value:
    values = [reader.evaluate(each, frame) for each in node.elts]
    if values and not frame.static and _are_functions(values):  # no other code can change this list
        return Record(tuple(values))
    items = [
        basic(value, place.source.place(each), "an item of a list")
        for value, each in zip(values, node.elts, strict=True)
    ]
    return Listing(tuple((TRUE, item) for item in items))


def read_set(reader: Reading, node: ast.Set, frame: Frame, place: Place) -> Value:
    items = [basic(reader.evaluate(each, frame), place.source.place(each), "an item of a set") for each in node.elts]
    return constant_set(items, place)


def read_f_string(reader: Reading, node: ast.JoinedStr, frame: Frame, place: Place) -> Value:
    parts: list[tuple[Value, str]] = []
    for each in node.values:
        specification = ""
        if isinstance(each, ast.FormattedValue):
            if each.conversion not in (-1, ord("s")):
                raise place.error("a conversion in an f-string is not supported", "write the value alone")
            match each.format_spec:
                case None:
                    pass
                case ast.JoinedStr(values=[ast.Constant(value=str(specification))]):
                    pass
                case _:
                    raise place.error("this format of an f-string is not supported", "write the value alone")
            parts.append((reader.evaluate(each.value, frame), specification))
        else:
            parts.append((reader.evaluate(each, frame), ""))
    return texts.formatted(place, parts)
