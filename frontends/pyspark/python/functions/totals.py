"""Functions of all items of an iterable or a group: any, all, sum, len, min and max."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from functools import reduce
from typing import Final

from tallystick.core.terms import (
    FALSE,
    TRUE,
    Term,
    conjunction,
    constant,
    disjunction,
    implies,
    ite,
    negation,
    tuple_of,
)
from tallystick.core.types import RATIONAL, TEXT
from tallystick.frontends.pyspark.named_functions import containers
from tallystick.frontends.pyspark.python import arithmetic, texts
from tallystick.frontends.pyspark.python.arithmetic import combine, integer, ordered, plus
from tallystick.frontends.pyspark.python.functions.arguments import (
    Calls,
    calling,
    listed_elements,
    number_or_bool,
    only_argument,
    refuse_named,
    value_of_bool,
)
from tallystick.frontends.pyspark.python.one_time import refuse
from tallystick.frontends.pyspark.python.selected_items import selected, some_selected
from tallystick.frontends.pyspark.python.sequences import (
    Items,
    items_of,
)
from tallystick.frontends.pyspark.python.truth import truth
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import basic, basic_type, show_type
from tallystick.frontends.pyspark.values.enums import as_value
from tallystick.frontends.pyspark.values.groups import Group, GroupKind
from tallystick.frontends.pyspark.values.kinds import Builtin, Collected, Dictionary, Pieces, Spread, Taken, Value
from tallystick.frontends.pyspark.values.nominal_types import EXACT, TIMEDELTA
from tallystick.frontends.pyspark.values.options import NONE, default_of, is_option, unified
from tallystick.frontends.pyspark.values.rounds import Round


def _any(place: Place, values: list[Value]) -> Term:
    """any of an iterable."""
    if len(values) == 1 and (some := some_selected(values[0])) is not None:
        return some
    return disjunction(FALSE, *(conjunction(there, holds) for there, holds in _truths(place, values, "any")))


def _all(place: Place, values: list[Value]) -> Term:
    """all of an iterable."""
    return conjunction(TRUE, *(implies(there, holds) for there, holds in _truths(place, values, "all")))


def _truths(place: Place, values: list[Value], name: str) -> list[tuple[Term, Term]]:
    whole = only_argument(place, values, name)
    items = items_of(whole, place, f"the argument of `{name}`", any_order=True)
    return [(there, truth(item, place, f"an item of the argument of `{name}`")) for there, item in items]


def _total(place: Place, values: list[Value]) -> Term:
    """sum of an iterable of numbers, or of bools, of which each true one counts 1; from 0 or from a second argument."""
    if not 1 <= len(values) <= 2:
        raise place.error(f"`sum` takes one or two arguments, not {len(values)}")
    result = _start(values[1], place) if len(values) > 1 else constant(0)
    if (counted := selected(values[0], true_ones=True)) is not None:
        for count, item in counted:
            number = number_or_bool(item, place, "an item of the argument of `sum`")
            result = combine(place, ast.Add, result, arithmetic.times(place, count, number))
        return result
    for there, item in items_of(values[0], place, "the argument of `sum`", any_order=True):
        if isinstance(item, Term) and item.type in _SUMMED:
            number, nothing = item, default_of(basic_type(item))
        else:
            number, nothing = number_or_bool(item, place, "an item of the argument of `sum`"), constant(0)
        result = combine(place, ast.Add, result, number if there is TRUE else ite(there, number, nothing))
    return result


_SUMMED: Final = (RATIONAL, *EXACT, TIMEDELTA)
"""What `sum` adds up beside ints and bools."""


def _start(value: Value, place: Place) -> Term:
    """What `sum` starts from: a number, or a span of time."""
    if isinstance(value, Term) and value.type in _SUMMED:
        return value
    return integer(value, place, "the start of `sum`")


def _length(place: Place, values: list[Value]) -> Term:
    """len of what has a fixed number of items."""
    whole = only_argument(place, values, "len")
    if isinstance(whole, Spread) and all(condition is TRUE for condition, _ in whole.items):
        return arithmetic.times(place, constant(len(whole.items)), texts.number_of_pieces(whole.pieces))
    if isinstance(whole, Pieces):
        return texts.number_of_pieces(whole)
    if containers.is_coded(whole):
        return containers.length(whole, place)
    if (counted := selected(whole)) is not None:
        return reduce(lambda total, each: plus(place, total, each[0]), counted, constant(0))
    if isinstance(whole, Term) and whole.type == TEXT:
        return texts.length(whole)
    if isinstance(whole, Term) and is_option(whole.type):
        message = f"the argument of `len` may be None, and is of type {show_type(whole.type)}"
        raise place.error(message, "test it before, as in `len(x) if x is not None else 0`")
    result = constant(0)
    for there, _ in items_of(whole, place, "the argument of `len`", any_order=True):
        result = plus(place, result, constant(1) if there is TRUE else value_of_bool(there))
    return result


def _counted_or_summed(name: str, apply: Callable[[Place, list[Value]], Term]) -> Builtin:
    """A builtin that takes groups and lists of elements, too."""

    def applied(place: Place, values: list[Value]) -> Value:
        if name == "len" and len(values) == 1:
            refuse(values[0], place, "`len`")
        match values:
            case [Collected() | Dictionary() as whole]:
                return listed_elements(whole, place).asked(name, place)
            case [Taken(of, most)] if name == "len":
                return arithmetic.minimum(place, [of.asked("len", place), constant(most)])
            case [Group() as group]:
                if name == "sum" and any(item.type == TIMEDELTA for _, item in group.items):
                    raise place.error("`sum` of timedeltas starts from 0, which raises TypeError", "give it a start")
                return group.aggregate(name, place)
            case [Group() as group, start] if name == "sum":
                return combine(place, ast.Add, group.aggregate(name, place), _start(start, place))
        return apply(place, values)

    def from_start(place: Place, values: list[Value], named: dict[str, Value]) -> Value:
        refuse_named(name, {each: value for each, value in named.items() if each != "start"}, place)
        return applied(place, [*values, named["start"]])

    return Builtin(name, applied, from_start if name == "sum" else None)


Better = Callable[[Term, Term], Term]


def _extremum(name: str, better: Better) -> Builtin:
    """min or max: of arguments, of an iterable or of a group, perhaps by a key; of equally good ones, the first."""

    def apply(call: Calls, place: Place, values: list[Value], named: dict[str, Value]) -> Value:
        refuse_named(name, {each: value for each, value in named.items() if each not in ("key", "default")}, place)
        key, default = named.get("key"), named.get("default")
        if isinstance(key, Term) and key.type == NONE:
            key = None
        keyed = (lambda item: item) if key is None else (lambda item: call(key, [item]))
        if default is not None and len(values) != 1:
            raise place.error(f"`{name}` takes a default with one iterable only")
        match values:
            case [Collected() | Dictionary() as whole] if default is None:
                return listed_elements(whole, place).asked(name, place, **({} if key is None else {"key": key}))
            case [Group() as group]:
                kind: GroupKind = "ascending" if name == "min" else "descending"
                whole = group if key is None else sorted_by(group, keyed, kind, place)
                found = group.aggregate(name, place) if key is None else whole.best(True, place)
                return _or_default(found, group, name, default, place)
            case [whole]:
                items = items_of(whole, place, f"the argument of `{name}`", any_order=key is None)
                return _of_items(items, name, better, keyed, default, place)
        return _of_items([(TRUE, item) for item in values], name, better, keyed, default, place)

    return calling(name, apply)


def _of_items(
    items: Items, name: str, better: Better, keyed: Callable[[Value], Value], default: Value | None, place: Place
) -> Term:
    """The best of some items, each of which is there under a condition."""
    what = f"an argument of `{name}`"
    found: Term = FALSE
    best: tuple[Term, Term] | None = None  # the best so far, which there is where `found` holds, and its key
    for there, each in items:
        item = basic(each, place, what)
        of_item = basic(as_value(keyed(item)), place, what)
        if best is None:
            best = item, of_item
        else:
            one, other = ordered(best[1], of_item, place, what)
            both = unified(best[0], item)
            if both is None:
                raise place.error(f"{what} is of type {show_type(item.type)}, and another of {show_type(best[0].type)}")
            chosen = conjunction(there, disjunction(negation(found), better(one, other)))
            best = ite(chosen, both[1], both[0]), ite(chosen, other, one)
        found = disjunction(found, there)
    if best is not None and found is TRUE:
        return best[0]
    if default is None:
        raise place.error(f"`{name}` of what may have no items raises ValueError", "give it a default")
    last = basic(default, place, "the default")
    both = (last, last) if best is None else unified(best[0], last)
    if both is None:
        raise place.error(f"the default of `{name}` is of another type than the items")
    return ite(found, *both) if best is not None else last


def sorted_by(group: Group, keyed: Callable[[Value], Value], kind: GroupKind, place: Place) -> Group:
    """The list of a group's items in the order of keys; those with equal keys stay in the order that they are in."""
    each = Round(group)
    keys = tuple(each.settled(basic(as_value(keyed(item)), place, "a key")) for _, item in each.items)
    if group.is_sorted:
        before = group.keys or tuple(item for _, item in group.items)
        if group.kind != kind and all(arithmetic.is_number(key.type) for key in keys):
            keys, kind = tuple(arithmetic.negative(place, key) for key in keys), group.kind
        if group.kind == kind:
            keys = tuple(tuple_of(key, earlier) for key, earlier in zip(keys, before, strict=True))
    return replace(group, kind=kind, keys=keys, once=False)


def _or_default(best: Term, group: Group, name: str, default: Value | None, place: Place) -> Term:
    """min or max of a group, or the default where the group has no items."""
    if default is None or group.is_never_empty:
        return best
    there, best, _ = best.arguments  # or else it raises
    both = unified(best, basic(default, place, "the default"))
    if both is None:
        raise place.error(f"the default of `{name}` is of another type than the items")
    return ite(there, *both)


FUNCTIONS: Final = {
    "all": _counted_or_summed("all", _all),
    "any": _counted_or_summed("any", _any),
    "len": _counted_or_summed("len", _length),
    "max": _extremum("max", lambda best, other: arithmetic.precedes(best, other)),
    "min": _extremum("min", lambda best, other: arithmetic.precedes(other, best)),
    "sum": _counted_or_summed("sum", _total),
}
