"""Pairs (order, element): what stands for a list, or an RDD, in an order (see `ordering`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tallystick.core.terms import (
    FALSE,
    TRUE,
    Operator,
    Term,
    build,
    constant,
    element,
    project,
    rebuild,
    simplified,
    tuple_of,
    variable,
)
from tallystick.core.types import BOOL, INT, RATIONAL, TEXT, TupleType
from tallystick.frontends.pyspark.python import arithmetic
from tallystick.frontends.pyspark.rdds.calls import Call
from tallystick.frontends.pyspark.rdds.lineages import sorted_by
from tallystick.frontends.pyspark.rdds.tables import table_of
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.coded_types import CodedType
from tallystick.frontends.pyspark.values.describing import literal, show_type
from tallystick.frontends.pyspark.values.options import component_count, is_option

ALL: Final = constant(-1)


def is_descending(call: Call) -> bool:
    """Whether `ascending` is False."""
    place, value = call.arguments.get("ascending", (call.place, TRUE))
    known = literal(value)
    if known is None:
        raise place.error("`ascending` must be True or False")
    return not known


def ordered(bag: Term, key: Term, descending: bool, place: Place, count: Term = ALL, *, shuffled: bool = False) -> Term:
    """The pairs of a bag's elements, each with its order by a key over `element`; they may come together for that."""
    columns = [
        part for leaf in _that_decide(bag, list(_leaves(key, place))) for part in _column(leaf, descending, place)
    ]
    pair = tuple_of(tuple_of(count, *columns), element(bag.type.element))  # type: ignore[union-attr]
    return build(Operator.MAP, (pair, sorted_by(bag, columns, shuffled)))


def _that_decide(bag: Term, leaves: list[Term]) -> list[Term]:
    """The parts of a key that are ever compared: none after those that make up the keys of a table, which differ."""
    if table_of(bag) is not None:
        of = project(element(bag.type.element), 0)  # type: ignore[union-attr]
        parts = set(_parts(of))
        for index in range(len(leaves)):
            if parts <= set(leaves[: index + 1]):
                return leaves[: index + 1]
    return leaves


def is_total(pairs: Term) -> bool:
    """Whether elements of these pairs that differ are surely not tied: their order decides each of their parts."""
    udf = element(pairs.type.element)  # type: ignore[union-attr]
    while pairs.operator in (Operator.MAP, Operator.FILTER):
        if pairs.operator is Operator.MAP:
            udf = rebuild(udf, dict.fromkeys(udf.bound, pairs.arguments[0]), False, simplified)
        pairs = pairs.arguments[1]
        order, item = project(udf, 0), project(udf, 1)
        columns = {_injective(project(order, index)) for index in range(2, component_count(order), 2)}
        is_of_table = item is element(pairs.type.element) and table_of(pairs) is not None  # type: ignore[union-attr]
        known = {column: variable(f"column {index}", column.type) for index, column in enumerate(columns)}
        if not any(rebuild(part, known).bound for part in _parts(project(item, 0) if is_of_table else item)):
            return True
    return False


def _injective(column: Term) -> Term:
    """A number of which a column is a multiple; any other column itself."""
    return column.arguments[0] if column.operator is Operator.SCALE and column.parameter else column


def _parts(term: Term) -> Iterator[Term]:
    """The parts of a term that have no parts."""
    if isinstance(term.type, TupleType):
        for index in range(component_count(term)):
            yield from _parts(project(term, index))
    else:
        yield term


def _leaves(key: Term, place: Place) -> Iterator[Term]:
    """The parts of a key that are compared one after the other."""
    if isinstance(key.type, TupleType) and not is_option(key.type) and not isinstance(key.type, CodedType):
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
