"""Pairs of items of groups: of two groups of a co-group, or of one group, as `combinations` of a sorted one has them.

Two loops, one in the other, make a list of what is made of each pair of items. Where both are over one group, the pairs
of an item and a later one in a sorted list are those of an item and a larger one, if no item is there twice.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from typing import Literal

from tallystick.core.terms import TRUE, Term, constant, free_variables, rebuild, tuple_of, variable
from tallystick.frontends.pyspark.python import arithmetic
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import basic_type
from tallystick.frontends.pyspark.values.groups import Group, Products
from tallystick.frontends.pyspark.values.rounds import INDEX, index_of, rounds_of


@dataclass(frozen=True)
class Nested:
    """Loops, one in the other, that make a list, and do nothing else.

    Attributes:
        made: the list as a comprehension.
        to: the name of the list that it is appended to; True where it is yielded.
    """

    made: ast.ListComp
    to: str | Literal[True]


def nested(loop: ast.For) -> Nested | None:
    """Two or more loops that append or yield one value in the innermost one; None for other statements."""
    generators: list[ast.comprehension] = []
    statement: ast.stmt = loop
    while True:
        match statement:
            case ast.For(target=target, iter=through, body=[inner], orelse=[]):
                generators.append(ast.comprehension(target, through, [], 0))
                statement = inner
            case ast.If(test=test, body=[inner], orelse=[]):
                generators[-1].ifs.append(test)
                statement = inner
            case ast.Expr(value=ast.Yield(value=ast.expr() as item)):
                return _made(loop, item, generators, True)
            case ast.Expr(
                value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append"), args=[item], keywords=[])
            ):
                return _made(loop, item, generators, name)
            case _:
                return None


def _made(loop: ast.For, item: ast.expr, generators: list[ast.comprehension], to: str | Literal[True]) -> Nested | None:
    if len(generators) != 2:
        return None
    return Nested(ast.copy_location(ast.ListComp(item, generators), loop), to)


def other(group: Group) -> Group:
    """The same group, with another variable for its items."""
    name = str(group.item.parameter[0])  # type: ignore[index]
    item = variable(f"{name}, the other", basic_type(group.item))
    parts = [tuple(rebuild(part, {group.item: item}, inside=True) for part in pair) for pair in group.items]
    return replace(group, item=item, items=tuple(parts), keys=(), once=False)  # type: ignore[arg-type]


def pairs(group: Group, place: Place) -> Products:
    """`combinations(group, 2)` of a sorted group."""
    after = _after(group, group.item, place)
    ((later, item),) = after.items
    return Products(group, after, ((later, tuple_of(group.item, item)),), True)


def enumerated(group: Group, place: Place) -> Group:
    """`enumerate` of a sorted group, whose indices are read in `group[index + 1:]` alone."""
    _require_sorted(group, place)
    made = tuple((there, tuple_of(index_of(group.item, group.kind), item)) for there, item in group.items)
    return replace(group, items=made, kind="iterable", keys=(), once=True)


def from_index(group: Group, lower: Term, place: Place) -> Group | None:
    """`group[index + 1:]`; None where the bound is no such index."""
    for index in free_variables(lower):
        name = str(index.parameter[0]).removeprefix(f"{INDEX}{group.kind} ")  # type: ignore[index]
        item = variable(name, basic_type(group.item))
        if rounds_of(group.item, item) and lower is arithmetic.plus(place, index, constant(1)):
            return _after(group, item, place)
    return None


def _after(group: Group, item: Term, place: Place) -> Group:
    """The items of a sorted group after one of them."""
    _require_sorted(group, place)
    group.aggregate("apart", place)
    later = other(group)
    order = (item, later.item) if group.kind == "ascending" else (later.item, item)
    return replace(later, items=((arithmetic.precedes(*order), later.item),), at_least_one=False)


def _require_sorted(group: Group, place: Place) -> None:
    if not group.is_sorted or group.keys or group.items != ((TRUE, group.item),):
        message = "pairs of items of a group are read of a list that `sorted` makes of the group, without a key"
        raise place.error(message, "write `sorted(set(group))`")
