"""Assignment: targets and the values that they take apart."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from tallystick.core.terms import TRUE, Term, project
from tallystick.frontends.pyspark.python.texts import item_of
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import describe
from tallystick.frontends.pyspark.values.kinds import (
    Collected,
    Frame,
    Generator,
    Listing,
    Pieces,
    Record,
    Spread,
    Value,
)
from tallystick.frontends.pyspark.values.options import component_count, is_tuple

Parts = Value | list["Parts"]
"""A value, or the parts of a tuple display, which may be RDDs."""


def bind(target: ast.expr, value: Parts, frame: Frame) -> None:
    """Bind a target's names to a value, or to the parts of it."""
    place = frame.scope.source.place(target)
    match target:
        case ast.Tuple(elts=targets) | ast.List(elts=targets) if isinstance(value, list):
            for each, part in zip(targets, value, strict=True):
                bind(each, part, frame)
        case _ if isinstance(value, list):
            raise TypeError("only tuples take lists apart")
        case ast.Name(id=name):
            frame.values[name] = nameable(value, place)
        case ast.Tuple(elts=targets) | ast.List(elts=targets):
            items: Sequence[Value]
            if isinstance(value, Record):
                items = value.items
            elif isinstance(value, Pieces | Spread):
                items = [item_of(value, index, len(targets), place) for index in range(len(targets))]
            elif isinstance(value, Listing) and all(there is TRUE for there, _ in value.items):
                items = [item for _, item in value.items]
            elif isinstance(value, Term) and is_tuple(value.type):
                items = [project(value, index) for index in range(component_count(value))]
            else:
                raise place.error(f"only tuples can be unpacked, and this is {describe(value)}")
            size = len(items)
            for each in targets:
                if isinstance(each, ast.Starred):
                    raise frame.scope.source.place(each).error("`*` targets are not supported")
            if len(targets) != size:
                raise place.error(f"a tuple with {size} components is unpacked into {len(targets)} names")
            for each, item in zip(targets, items, strict=True):
                bind(each, item, frame)
        case _:
            raise place.error("only names and tuples of names can be assigned to")


def nameable(value: Value, place: Place) -> Value:
    """The value, unless it is a generator, which would be empty when it is used again."""
    if isinstance(value, Generator) or (isinstance(value, Collected) and value.once):
        raise place.error("a generator is used up by its first use, and is given a name", "make a list of it")
    return value
