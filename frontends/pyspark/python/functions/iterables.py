"""Functions that make and change iterables of a fixed number of items: range, enumerate, zip, map, filter."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations, islice, product
from typing import Final

from tallystick.core.terms import (
    TRUE,
    Term,
    conjunction,
    constant,
    ite,
    tuple_of,
    variable,
)
from tallystick.core.types import BOOL, Type, is_basic
from tallystick.frontends.pyspark.python import products, texts
from tallystick.frontends.pyspark.python.arithmetic import exactly, integer
from tallystick.frontends.pyspark.python.functions.arguments import Calls, calling, only_argument, refuse_named
from tallystick.frontends.pyspark.python.functions.ranges import numbers_between
from tallystick.frontends.pyspark.python.lists_in_order import backwards
from tallystick.frontends.pyspark.python.sequences import (
    MOST_ITEMS,
    Items,
    certain_items,
    items_of,
)
from tallystick.frontends.pyspark.python.truth import truth
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import basic, literal, show_type
from tallystick.frontends.pyspark.values.groups import Group
from tallystick.frontends.pyspark.values.kinds import Builtin, Generator, Ranked, Spread, Value
from tallystick.frontends.pyspark.values.options import NONE, common_type, converted, unified
from tallystick.frontends.pyspark.values.rounds import Round


def _enumerate(place: Place, values: list[Value]) -> Value:
    """enumerate of one iterable, from 0 or from a constant."""
    if not 1 <= len(values) <= 2:
        raise place.error(f"`enumerate` takes one or two arguments, not {len(values)}")
    start = literal(integer(values[1], place, "the start of `enumerate`")) if len(values) > 1 else 0
    if start is None:
        raise place.error("the start of `enumerate` must be constant")
    if isinstance(values[0], Group) and start == 0:
        return products.enumerated(values[0], place)
    items = certain_items(values[0], place, "the argument of `enumerate`")
    return Generator(tuple((TRUE, tuple_of(constant(start + index), item)) for index, item in enumerate(items)))


def _zip(place: Place, values: list[Value]) -> Generator:
    """zip of iterables, as long as the shortest."""
    columns = [certain_items(each, place, "an argument of `zip`") for each in values]
    return Generator(tuple((TRUE, tuple_of(*row)) for row in zip(*columns, strict=False)))


def _reversed(place: Place, values: list[Value]) -> Generator | Ranked:
    """reversed of what has a fixed number of items, or of an RDD's elements, in an order."""
    whole = only_argument(place, values, "reversed")
    if isinstance(whole, Ranked) and not whole.once:
        return replace(backwards(whole, place), once=True)
    return Generator(tuple(reversed(_as_terms(items_of(whole, place, "the argument of `reversed`"), place))))


def _chained(place: Place, values: list[Value]) -> Generator:
    """itertools.chain of iterables."""
    found = [item for each in values for item in items_of(each, place, "an argument of `chain`")]
    return Generator(_as_terms(found, place))


def _product(place: Place, values: list[Value]) -> Generator:
    """itertools.product of iterables, as tuples."""
    columns = [certain_items(each, place, "an argument of `product`") for each in values]
    return _tuples(product(*columns), place)


def _combinations(place: Place, values: list[Value]) -> Value:
    """itertools.combinations of an iterable, of a constant number of items."""
    whole, size = exactly(place, values, 2, "combinations")
    count = literal(size)
    if type(count) is not int or count < 1:
        raise place.error("how many items `combinations` takes must be a positive constant")
    if isinstance(whole, Group) and count == 2:
        return products.pairs(whole, place)
    items = certain_items(whole, place, "the argument of `combinations`", any_order=False)
    return _tuples(combinations(items, count), place)


def _tuples(rows: Iterable[tuple[Term, ...]], place: Place) -> Generator:
    found = tuple(islice(rows, MOST_ITEMS + 1))
    if len(found) > MOST_ITEMS:
        raise place.error(f"this goes through more than {MOST_ITEMS} items", "use fewer")
    if any([each.type for each in row] in ([], [BOOL]) for row in found):
        raise place.error("a tuple of one bool, or of nothing, is not supported", "write a comprehension")
    return Generator(tuple((TRUE, tuple_of(*row)) for row in found))


def _as_terms(items: Items, place: Place) -> tuple[tuple[Term, Term], ...]:
    return tuple((there, basic(item, place, "an item")) for there, item in items)


def _next(place: Place, values: list[Value]) -> Value:
    """The first item of a generator, or else a second argument."""
    if not 1 <= len(values) <= 2 or not isinstance(values[0], Generator):
        raise place.error("`next` is supported of a generator, perhaps with a default", "write a loop with `break`")
    result: Term | None = None if len(values) == 1 else basic(values[1], place, "the default of `next`")
    for there, item in reversed(values[0].items):
        if there is TRUE:
            result = item
            continue
        if result is None:
            raise place.error("`next` raises StopIteration where there is no item", "give it a default")
        both = unified(item, result)
        if both is None:
            raise place.error(
                f"`next` gives {show_type(item.type)} or {show_type(result.type)}", "make them of one type"
            )
        result = ite(there, *both)
    if result is None:
        raise place.error("`next` raises StopIteration where there is no item", "give it a default")
    return result


def _mapped(call: Calls, place: Place, values: list[Value], named: dict[str, Value]) -> Value:
    """map of a function over what has a fixed number of items, side by side, or over the pieces of a text."""
    refuse_named("map", named, place)
    if len(values) < 2:
        raise place.error("`map` takes a function and what it goes through")
    function, source, *others = values
    spread = texts.spread_of(source)
    if isinstance(spread, Spread) and not others:
        each = Round(spread)
        items = tuple((there, basic(call(function, [item]), place, "an item")) for there, item in each.items)
        return Spread(spread.pieces, spread.item, each.settled_items(items), True)
    if others:
        columns = [certain_items(each, place, "an argument of `map`") for each in values[1:]]
        rows = zip(*columns, strict=False)
        return Generator(tuple((TRUE, basic(call(function, list(row)), place, "an item")) for row in rows))
    found = items_of(source, place, "the argument of `map`")
    return Generator(tuple((there, basic(call(function, [item]), place, "an item")) for there, item in found))


def _filtered(call: Calls, place: Place, values: list[Value], named: dict[str, Value]) -> Value:
    """filter of what has a fixed number of items, or of the pieces of a text."""
    refuse_named("filter", named, place)
    function, source = exactly(place, values, 2, "filter")

    def kept(there: Term, item: Value) -> Term:
        is_none = isinstance(function, Term) and function.type == NONE
        result = item if is_none else call(function, [item])
        return conjunction(there, truth(result, place, "what the function of `filter` returns"))

    spread = texts.spread_of(source)
    if isinstance(spread, Spread):
        each = Round(spread)
        items = tuple((kept(there, item), item) for there, item in each.items)
        return Spread(spread.pieces, spread.item, each.settled_items(items), True)
    found = items_of(source, place, "the argument of `filter`")
    return Generator(tuple((kept(there, item), basic(item, place, "an item")) for there, item in found))


def reduced(call: Calls, place: Place, values: list[Value], named: dict[str, Value]) -> Value:
    """functools.reduce of a function over what has a fixed number of items."""
    refuse_named("reduce", named, place)
    if not 2 <= len(values) <= 3:
        raise place.error(f"`reduce` takes two or three arguments, not {len(values)}")
    if isinstance(values[1], Group):
        return _reduced_group(call, place, values[0], values[1], values[2:])
    items = items_of(values[1], place, "the argument of `reduce`")
    if any(there is not TRUE for there, _ in items):
        raise place.error("`reduce` goes through items that may not be there", "choose them in the function")
    found = [*values[2:], *(item for _, item in items)]
    if not found:
        raise place.error("`reduce` of nothing raises TypeError", "give it a first value")
    result, *others = found
    for each in others:
        result = call(values[0], [result, each])
    return result


def _reduced_group(call: Calls, place: Place, function: Value, group: Group, first: list[Value]) -> Value:
    """functools.reduce over a group, from a value: a fold, which must not depend on the order."""
    if not first or group.kind in ("ascending", "descending") or group.fold is None:
        message = "`reduce` of a group is supported with a first value, and of a group without an order"
        raise place.error(message, "write `reduceByKey`, or a loop")
    initial = basic(first[0], place, "the first value")
    of: Type = initial.type
    each = Round(group)
    while True:
        state = variable(f"item of reduce at {place.position} of {place.source.file}", of)
        after = state
        for there, item in each.items:
            result = basic(call(function, [after, item]), place, "what this function returns")
            wider = common_type(of, result.type)
            if wider is None or not is_basic(wider):
                raise place.error(f"this function returns {show_type(result.type)} for {show_type(of)}")
            if wider != of:
                break
            result = converted(result, of)
            after = result if there is TRUE else ite(there, result, after)
        else:
            return group.fold(group, converted(initial, of), each.settled(after), state, place)
        of = wider


FUNCTIONS: Final = {
    "enumerate": Builtin("enumerate", _enumerate),
    "filter": calling("filter", _filtered),
    "map": calling("map", _mapped),
    "next": Builtin("next", _next),
    "range": Builtin("range", numbers_between),
    "reversed": Builtin("reversed", _reversed),
    "zip": Builtin("zip", _zip),
}
ITERTOOLS_MODULE: Final = {
    "chain": Builtin("chain", _chained),
    "combinations": Builtin("combinations", _combinations),
    "product": Builtin("product", _product),
}
