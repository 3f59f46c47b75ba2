"""Assignment: targets and the values that they take apart."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from tallystick.core.functions import RAISE
from tallystick.core.terms import TRUE, Term, apply_function, constant, ite, less_equal, project
from tallystick.core.types import TEXT
from tallystick.frontends.pyspark.python import one_time
from tallystick.frontends.pyspark.python.texts import item_of, number_of_pieces, piece
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import basic, describe
from tallystick.frontends.pyspark.values.kinds import (
    Frame,
    Generator,
    Listing,
    Pieces,
    Record,
    Spread,
    Unusable,
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
        case ast.Name(id=name) as target:
            may_be_named = one_time.is_one_time(value) and one_time.is_used_next(target, value, frame.scope.node)
            frame.values[name] = value if may_be_named else one_time.kept(value, place)
        case ast.Tuple(elts=targets) | ast.List(elts=targets):
            items: Sequence[Value]
            if isinstance(value, Record):
                items = value.items
            elif isinstance(value, Pieces) and any(isinstance(each, ast.Starred) for each in targets):
                _bind_pieces(targets, value, frame)
                return
            elif isinstance(value, Pieces | Spread):
                items = [item_of(value, index, len(targets), place) for index in range(len(targets))]
            elif isinstance(value, Listing | Generator) and all(there is TRUE for there, _ in value.items):
                items = [item for _, item in value.items]
            elif isinstance(value, Term) and is_tuple(value.type):
                items = [project(value, index) for index in range(component_count(value))]
            else:
                raise place.error(f"only tuples can be unpacked, and this is {describe(value)}")
            size = len(items)
            if any(isinstance(each, ast.Starred) for each in targets):
                _bind_starred(targets, items, frame, place)
                return
            if len(targets) != size:
                raise place.error(f"a tuple with {size} components is unpacked into {len(targets)} names")
            for each, item in zip(targets, items, strict=True):
                bind(each, item, frame)
        case _:
            raise place.error("only names and tuples of names can be assigned to")


def _bind_starred(targets: Sequence[ast.expr], items: Sequence[Value], frame: Frame, place: Place) -> None:
    """Bind targets of which one takes the list of what the others leave."""
    (index,) = (index for index, each in enumerate(targets) if isinstance(each, ast.Starred))
    after = len(targets) - index - 1
    if len(items) < len(targets) - 1:
        raise place.error(f"a tuple with {len(items)} components is unpacked into more names")
    end = len(items) - after
    rest = Listing(tuple((TRUE, basic(each, place, "an item of a list")) for each in items[index:end]))
    bind(targets[index].value, rest, frame)  # type: ignore[attr-defined]
    for each, item in zip([*targets[:index], *targets[index + 1 :]], [*items[:index], *items[end:]], strict=True):
        bind(each, item, frame)


def _bind_pieces(targets: Sequence[ast.expr], pieces: Pieces, frame: Frame) -> None:
    """Bind targets to the first and last pieces of a text; how many are between these is not known."""
    (index,) = (index for index, each in enumerate(targets) if isinstance(each, ast.Starred))
    enough = less_equal(constant(len(targets) - 1), number_of_pieces(pieces))
    unknown = Unusable("is a list of unknown length", "index the list that `split` gives")
    frame.values[_name_of(targets[index], frame)] = unknown
    for place, each in enumerate(targets):
        if place != index:
            found = piece(pieces, place if place < index else place - len(targets))
            bind(each, ite(enough, found, apply_function(RAISE, TEXT)), frame)


def _name_of(target: ast.expr, frame: Frame) -> str:
    match target:
        case ast.Starred(value=ast.Name(id=name)):
            return name
    raise frame.scope.source.place(target).error("only a name can be starred here")
