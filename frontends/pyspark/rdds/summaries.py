"""Aggregates of groups as folds: the initial state and the step of sum, len, min, max, any, all and the like."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from tallystick.core.terms import (
    FALSE,
    TRUE,
    Operator,
    Term,
    add,
    conjunction,
    constant,
    disjunction,
    ite,
    negation,
    project,
    tuple_of,
)
from tallystick.core.types import BOOL, INT, RATIONAL, BasicType, TupleType
from tallystick.frontends.pyspark.python import arithmetic
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import basic_type, show_type
from tallystick.frontends.pyspark.values.groups import Group
from tallystick.frontends.pyspark.values.options import default_of

NAMES: Final = ("sum", "len", "min", "max", "any", "all")
BY_KEY: Final = ("min by", "max by")
"""Aggregates of groups of pairs (key, item): the item whose key is best."""
Step = Callable[[Term, Term], Term]


def require_summed(name: str, group: Group, place: Place) -> BasicType:
    """The type of a group's items; raises SourceError where the aggregate of these is not read."""
    types = {item.type for _, item in group.items}
    if len(types) > 1:
        raise place.error("the items of this have several types", "make items of one type")
    (of,) = map(basic_type, [group.items[0][1]])
    first = name.startswith(("first ", "last "))
    if name not in (*NAMES, *BY_KEY) and not first:
        raise place.error(f"`{name}` of a group is not supported", f"supported are {', '.join(NAMES)}, list and set")
    fits = {
        "len": True,
        "sum": of in (INT, RATIONAL, BOOL),
        "any": of == BOOL,
        "all": of == BOOL,
        **dict.fromkeys(BY_KEY, _has_ordered_key(of)),
        **({name: _has_ordered_key(of)} if first and name.endswith(" by") else {}),
    }.get(name, arithmetic.has_order(of))
    if not fits:
        what = {"sum": "numbers", "any": "bools", "all": "bools"}.get(name, "what Python orders")
        raise place.error(f"`{name}` needs groups of {what}, and these are of type {show_type(of)}")
    return of


def _has_ordered_key(of: BasicType) -> bool:
    return isinstance(of, TupleType) and arithmetic.has_order(TupleType(of.components[:1]))


def _firsts(of: BasicType, count: int, better: Step) -> tuple[Term, Step]:
    """The first items in an order: pairs of whether there is one, and which; a new one goes before worse ones."""

    def step(state: Term, each: Term) -> Term:
        there, moved, slots = TRUE, each, list[Term]()
        for index in range(count):
            filled, item = (project(project(state, index), part) for part in (0, 1))
            before = conjunction(there, disjunction(negation(filled), better(moved, item)))
            slots.append(tuple_of(ite(before, TRUE, filled), ite(before, moved, item)))
            there, moved = ite(before, filled, there), ite(before, item, moved)
        return tuple_of(*slots)

    return tuple_of(*(tuple_of(FALSE, default_of(of)) for _ in range(count))), step


def _first_or(of: BasicType, better: Step) -> tuple[Term, Step]:
    def step(state: Term, each: Term) -> Term:
        best = project(state, 0)
        return tuple_of(ite(project(state, 1), ite(better(each, best), each, best), each), TRUE)

    return tuple_of(default_of(of), FALSE), step


def _better(ascending: bool, by_key: bool) -> Step:
    """Whether an item goes before another, by their keys if they are pairs (key, item)."""

    def better(each: Term, best: Term) -> Term:
        keys = (project(each, 0), project(best, 0)) if by_key else (each, best)
        return arithmetic.precedes(*keys) if ascending else arithmetic.precedes(*reversed(keys))

    return better


def summary(name: str, of: BasicType) -> tuple[Term, Step]:
    """Initial state and step of an aggregate of values of a type."""
    match name:
        case "sum" if of == BOOL:
            return constant(0), lambda state, each: add(state, ite(each, constant(1), constant(0)))
        case "sum":
            return default_of(of), lambda state, each: add(state, each)
        case "len":
            return constant(0), lambda state, _: add(state, constant(1))
        case "any":
            return FALSE, lambda state, each: disjunction(state, each)
        case "all":
            return TRUE, lambda state, each: conjunction(state, each)
        case "min by" | "max by":
            return _first_or(of, _better(name == "min by", True))
        case _ if name.startswith(("first ", "last ")):
            order, count, *by = name.split()
            return _firsts(of, int(count), _better(order == "first", bool(by)))
        case "min":
            return _first_or(of, lambda each, best: arithmetic.precedes(each, best))
    return _first_or(of, lambda each, best: arithmetic.precedes(best, each))


def require_no_state(parts: Sequence[Term], place: Place) -> None:
    """Raise SourceError where what is asked of a group, or list, depends on the state of a loop at the driver."""
    if any(each.operator is Operator.ACCUMULATOR for part in parts for each in part.bound):
        message = "what is taken of a group, or of a list, depends on the elements before"
        raise place.error(message, "take it of the group alone, and add it up after that")
