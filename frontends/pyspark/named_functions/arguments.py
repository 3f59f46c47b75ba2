"""Values of the reader as arguments of pure code: the terms that say what they are, and how these are read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tallystick.certificates.refuting import listed
from tallystick.core import functions
from tallystick.core.terms import Operator, Term, accumulator, add, apply_function, build, constant, element, project
from tallystick.core.types import INT, BagType, BasicType, Type
from tallystick.frontends.errors import SourceError
from tallystick.frontends.pyspark.named_functions.bags import items_of, number_of_items
from tallystick.frontends.pyspark.named_functions.coding import decoded
from tallystick.frontends.pyspark.named_functions.pure_types import Records, pure_type
from tallystick.frontends.pyspark.python.one_time import is_one_time
from tallystick.frontends.pyspark.python.reading import Reading
from tallystick.frontends.pyspark.rdds.calls import Call
from tallystick.frontends.pyspark.rdds.orders import is_total
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.uninterpreted import types as pure
from tallystick.frontends.pyspark.uninterpreted.types import NotPureError, PureType
from tallystick.frontends.pyspark.values.describing import describe
from tallystick.frontends.pyspark.values.groups import Group
from tallystick.frontends.pyspark.values.kinds import Collected, Dictionary, Pieces, Ranked, Record, Value
from tallystick.frontends.pyspark.values.record_types import plain_type


@dataclass(frozen=True)
class Argument:
    """An argument of pure code.

    Attributes:
        of: its type.
        terms: what it is made of.
        shape: how it is made of these: equal shapes and equal terms are equal values.
        value: makes it from the values of the terms.
    """

    of: PureType
    terms: tuple[Term, ...]
    shape: str
    value: Callable[[Sequence[Any]], Any]


def argument(value: Value, records: Records, place: Place, reader: Reading | None = None) -> Argument:
    """A value as an argument; raises NotPureError for values that pure code does not have.

    Args:
        value: what the reader has for it.
        records: the classes of records, which are added to.
        place: where the code is called.
        reader: notes the folds that collected elements are made of.
    """
    if is_one_time(value):
        raise NotPureError(None, "a generator as an argument of pure code is not supported: make a list of it")
    match value:
        case Term() if not isinstance(value.type, BagType):
            of = _given(value.type, records)
            return Argument(of, (value,), "value", lambda given: decoded(of, given[0]))
        case Record(items):
            return _tuple([argument(each, records, place) for each in items])
        case Group():
            return _group(value, records, place)
        case Collected(bag, once=False):
            return _collected(bag, records, place, reader)
        case Ranked(once=False):
            return _ranked(value, records, place, reader)
        case Dictionary(kind="dict"):
            return _dictionary(value, records, place, reader)
        case Pieces(arguments, function) if function in functions.LISTS:
            listed = functions.LISTS[function][2]
            of = pure.set_of(pure.TEXT) if value.is_set else pure.list_of(pure.TEXT)
            kind: Callable[[Any], Any] = set if value.is_set else list
            return Argument(of, arguments, f"list {function} {len(arguments)}", lambda given: kind(listed(*given)))
    raise NotPureError(None, f"{describe(value)} as an argument of pure code is not supported")


def _given(of: Type, records: Records) -> PureType:
    """The type in pure code of an argument, in which parts that may be None are used after a test alone."""
    found = pure_type(of, records)
    if pure.contains(found, ("none",)):
        raise NotPureError(None, "values that are None as arguments of pure code are not supported")
    return pure.from_outside(found)


def _tuple(items: Sequence[Argument]) -> Argument:
    """A tuple of arguments."""
    ends = [sum(len(each.terms) for each in items[:index]) for index in range(len(items) + 1)]

    def value(given: Sequence[Any]) -> Any:
        return tuple(each.value(given[ends[i] : ends[i + 1]]) for i, each in enumerate(items))

    terms = tuple(term for each in items for term in each.terms)
    shape = f"({', '.join(each.shape for each in items)})"
    return Argument(pure.tuple_of(*(each.of for each in items)), terms, shape, value)


def _group(group: Group, records: Records, place: Place) -> Argument:
    """A group as the sum of the numbers of its items; where it is sorted, that is done to the items again."""
    types = {item.type for _, item in group.items}
    if len(types) != 1 or group.folded is not None or group.keys:
        raise NotPureError(None, f"{describe(group)} as an argument of pure code is not supported")
    (item_type,) = types
    of = _given(item_type, records)
    if group.is_sorted and not pure.is_totally_ordered(of):
        raise NotPureError(None, "items that are sorted must have an order in which none are tied")
    core: BasicType = plain_type(item_type)  # type: ignore[assignment]
    name = number_of_items(core)
    numbered = tuple((there, apply_function(name, INT, item)) for there, item in group.items)
    try:
        total = replace(group, items=numbered, kind="iterable").aggregate("sum", place)
    except SourceError as problem:
        raise NotPureError(None, problem.message) from None

    def items(given: Sequence[Any]) -> list[Any]:
        return [decoded(of, each) for each in items_of(name, given[0])]

    if group.is_sorted:
        down = group.kind == "descending"
        return Argument(pure.list_of(of), (total,), group.kind, lambda given: sorted(items(given), reverse=down))
    if group.kind == "set":
        return Argument(pure.set_of(of), (total,), "set", lambda given: set(items(given)))
    return Argument(pure.bag_of(of), (total,), "bag", items)


def _numbered(bag: Term, reader: Reading | None, place: Place) -> tuple[Term, str]:
    """The sum of the numbers of an RDD's elements, and the name of the function that numbers them."""
    assert isinstance(bag.type, BagType)
    if reader is None:
        raise NotPureError(None, "an RDD's elements as an argument of a builtin are not supported")
    name = number_of_items(plain_type(bag.type.element))  # type: ignore[arg-type]
    each = apply_function(name, INT, element(bag.type.element))
    call = Call(reader, None, "collect", place, {})
    return call.folded(build(Operator.FOLD, (constant(0), add(accumulator(INT), each), bag)), "none"), name


def _collected(bag: Term, records: Records, place: Place, reader: Reading | None) -> Argument:
    """The collected elements of an RDD, in no order."""
    assert isinstance(bag.type, BagType)
    of = _given(bag.type.element, records)
    total, name = _numbered(bag, reader, place)
    return Argument(
        pure.bag_of(of), (total,), "bag", lambda given: [decoded(of, each) for each in items_of(name, given[0])]
    )


def _dictionary(dictionary: Dictionary, records: Records, place: Place, reader: Reading | None) -> Argument:
    """A dictionary of an RDD's elements, whose keys do not repeat."""
    pair = element(dictionary.bag.type.element)  # type: ignore[union-attr]
    key, value = (_given(project(pair, place).type, records) for place in (0, 1))
    total, name = _numbered(dictionary.bag, reader, place)

    def made(given: Sequence[Any]) -> dict[Any, Any]:
        return {decoded(key, one): decoded(value, other) for one, other in items_of(name, given[0])}

    return Argument(pure.PureType("unordered dict", (key, value)), (total,), "dict", made)


def _ranked(ranked: Ranked, records: Records, place: Place, reader: Reading | None) -> Argument:
    """A list in an order in which no elements that differ are tied."""
    if not is_total(ranked.pairs):
        raise NotPureError(None, "elements that are sorted must have an order in which none are tied")
    of = _given(ranked.pairs.type.element.components[1], records)  # type: ignore[union-attr]
    total, name = _numbered(ranked.pairs, reader, place)

    def made(given: Sequence[Any]) -> list[Any]:
        return [decoded(of, each) for each in listed(Counter(items_of(name, given[0])))[0]]

    return Argument(pure.list_of(of), (total,), "list in an order", made)
