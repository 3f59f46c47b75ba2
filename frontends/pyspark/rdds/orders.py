"""Pairs (order, element): what stands for a list, or an RDD, in an order (see `ordering`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tallystick.core.terms import FALSE, TRUE, Operator, Term, build, constant, element, project, tuple_of
from tallystick.core.types import BOOL, INT, RATIONAL, TEXT, TupleType
from tallystick.frontends.pyspark.python import arithmetic
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import show_type
from tallystick.frontends.pyspark.values.options import component_count, is_option

ALL: Final = constant(-1)


def ordered(bag: Term, key: Term, descending: bool, place: Place, count: Term = ALL) -> Term:
    """The pairs of a bag's elements, each with its order by a key over `element`."""
    columns = [part for leaf in _leaves(key, place) for part in _column(leaf, descending, place)]
    return build(Operator.MAP, (tuple_of(tuple_of(count, *columns), element(bag.type.element)), bag))  # type: ignore[union-attr]


def _leaves(key: Term, place: Place) -> Iterator[Term]:
    """The parts of a key that are compared one after the other."""
    if isinstance(key.type, TupleType) and not is_option(key.type):
        for index in range(component_count(key)):
            yield from _leaves(project(key, index), place)
    elif key.type in (INT, RATIONAL, TEXT, BOOL):
        yield key
    else:
        raise place.error(f"an order by values of type {show_type(key.type)} is not supported", "test for None before")


def _column(leaf: Term, descending: bool, place: Place) -> tuple[Term, Term]:
    if leaf.type in (INT, RATIONAL) and descending:
        return FALSE, arithmetic.negative(place, leaf)
    return (TRUE if descending else FALSE), leaf
