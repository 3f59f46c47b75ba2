"""What loops and comprehensions at the driver go through, and what their code is read for: one element of it.

Where the code looks a key up in a dictionary of an RDD's elements, the elements are joined with the dictionary's pairs,
and the code is read again. Where both have keys that do not repeat, the join is one by-key fold (see `tables`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from tallystick.core.terms import TRUE, Operator, Term, apply, build, element, ite, project, rebuild, tuple_of
from tallystick.frontends.pyspark.python.reading import Reading
from tallystick.frontends.pyspark.rdds.asked import Asked
from tallystick.frontends.pyspark.rdds.calls import Call, element_of
from tallystick.frontends.pyspark.rdds.lookups import LookUpError, with_answers
from tallystick.frontends.pyspark.rdds.operators import items_of_lists
from tallystick.frontends.pyspark.rdds.summaries import require_no_state
from tallystick.frontends.pyspark.rdds.tables import joined_tables, table_of
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import basic_type
from tallystick.frontends.pyspark.values.kinds import (
    Collected,
    Dictionary,
    DictionaryOfGroups,
    Grouped,
    Ranked,
    Record,
    Spread,
    Value,
)
from tallystick.frontends.pyspark.values.options import MISSING, converted, optional, some

Sources = Collected | Dictionary | DictionaryOfGroups | Grouped | Ranked
"""What can be gone through."""
SOURCES: Final = (Collected, Dictionary, DictionaryOfGroups, Grouped, Ranked)
MOST_LOOK_UPS: Final = 8
T = TypeVar("T")


class InnerLoopError(Exception):
    """The body of a loop over elements has a loop over a list of unknown length that is made of an element.

    Attributes:
        items: the list, whose items are there where the inner loop runs.
    """

    def __init__(self, items: Spread, place: Place) -> None:
        super().__init__("an inner loop")
        self.items = items
        self.place = place


@dataclass(frozen=True)
class Source:
    """The elements that are gone through, which are made of those of a bag.

    Attributes:
        bag: the bag.
        each: what stands for one element, over the elements of the bag.
        order: the order of a list in an order, over these; None for others.
        answers: what look-ups give: for a key and the pairs of a dictionary an option.
        asked: where the elements are made of groups, which the bag does not have, what is asked of these.
        groups: what look-ups of groups give: for a key and the groups of a dictionary the group.
        item: where the elements are pairs of one that is gone through and an item of a list that is made of it, for the
            items of which an inner loop runs, this item; None for others.
    """

    bag: Term
    each: Value
    order: Term | None = None
    answers: tuple[tuple[Term, Term, Term], ...] = ()
    asked: Asked | None = None
    groups: tuple[tuple[Term, Grouped, Value], ...] = ()
    item: Term | None = None

    def over(self, bag: Term, before: Term) -> Source:
        """The same elements, made of those of another bag; `before` makes elements of this bag of them."""
        answers = tuple((apply(key, before), pairs, apply(answer, before)) for key, pairs, answer in self.answers)
        order = None if self.order is None else apply(self.order, before)
        assert isinstance(self.each, Term)
        item = None if self.item is None else apply(self.item, before)
        return Source(bag, apply(self.each, before), order, answers, item=item)


def source_of(through: Sources, place: Place) -> Source:
    """The elements that are gone through: of a dictionary, its keys."""
    match through:
        case Grouped():
            if not through.at_driver:
                raise place.error("an RDD of groups cannot be gone through", "write `collect()` after it")
            if through.by_key is not None or len(through.values) != 1:
                raise place.error("a loop over these groups is not supported", "go through groups in no order")
            asked = Asked(through)
            each = asked.groups if through.alone else Record((asked.key, asked.groups))
            return Source(through.bag, each, asked=asked)
        case Dictionary():
            return _with_itself(Source(through.bag, project(element(element_of(through.bag)), 0)))
        case DictionaryOfGroups():
            return Source(through.keys.bag, element(element_of(through.keys.bag)))
        case Collected(bag):
            return _with_itself(Source(bag, element(element_of(bag))))
        case Ranked(pairs):
            return _in_order(pairs)


def _in_order(pairs: Term) -> Source:
    """The elements of a list in an order, as those of the bag that was put into it, where this is plain."""
    pair = element(element_of(pairs))
    if pairs.operator is Operator.MAP:
        udf, bag = pairs.arguments
        if project(udf, 1) is element(element_of(bag)):
            return _with_itself(Source(bag, element(element_of(bag)), project(udf, 0)))
    return Source(pairs, project(pair, 1), project(pair, 0))


def _with_itself(source: Source) -> Source:
    """The source, where its bag has the pairs of a dictionary: a look-up of the key of a pair gives its value."""
    if table_of(source.bag) is None:
        return source
    row = element(element_of(source.bag))
    return replace(source, answers=(*source.answers, (project(row, 0), source.bag, some(project(row, 1)))))


def read_each(
    reader: Reading, source: Source, place: Place, read: Callable[[Value], T], by_key_only: bool = False
) -> tuple[Source, T]:
    """What code gives for one element of a source, and the source with what the code looks up.

    Raises LookUpError where `by_key_only`, for look-ups of other things than the keys of a dictionary.
    """
    while True:
        with _answered(reader, source):
            try:
                return source, read(source.each)
            except InnerLoopError as inner:
                source = _with_items(reader, source, inner)
                continue
            except LookUpError as lookup:
                found = lookup
        if len(source.answers) > MOST_LOOK_UPS:
            raise found.place.error(f"more than {MOST_LOOK_UPS} look-ups in one loop are not supported")
        source = _looked_up(reader, source, found, place, by_key_only)


@contextmanager
def _answered(reader: Reading, source: Source) -> Iterator[None]:
    """The block knows what look-ups of a source give."""
    outside = reader.answers, reader.groups, reader.item
    reader.answers = outside[0] | {(key, pairs): answer for key, pairs, answer in source.answers}
    reader.groups = outside[1] | {(key, whole): group for key, whole, group in source.groups}
    reader.item = source.item
    try:
        yield
    finally:
        reader.answers, reader.groups, reader.item = outside


def _with_items(reader: Reading, source: Source, inner: InnerLoopError) -> Source:
    """Each element with each item of a list that is made of it."""
    if source.asked is not None or source.order is not None or source.item is not None:
        raise inner.place.error("a loop over a list of unknown length is not supported here", "use `flatMap` before")
    require_no_state(
        [*inner.items.pieces.arguments, *(part for item in inner.items.items for part in item)], inner.place
    )
    row = element(element_of(source.bag))
    items = tuple((there, tuple_of(row, item)) for there, item in inner.items.items)
    call = Call(reader, source.bag, "flatMap", inner.place, {})
    bag = items_of_lists(call, replace(inner.items, items=items), source.bag)
    both = element(element_of(bag))
    return replace(source.over(bag, project(both, 0)), item=project(both, 1))


def _looked_up(reader: Reading, source: Source, lookup: LookUpError, place: Place, by_key_only: bool) -> Source:
    """The source, of which a look-up is known."""
    if source.asked is not None:
        raise lookup.place.error("a look-up beside groups is not supported", "compute values of the groups before")
    if isinstance(lookup.dictionary, DictionaryOfGroups):
        return _of_groups(source, lookup, lookup.dictionary)
    pairs, by_key = lookup.dictionary.bag, _by_key(source, lookup.key)
    if by_key is not None and element_of(pairs).components[0] == lookup.key.type:  # type: ignore[union-attr]
        known = _joined(reader, by_key, pairs, place)
        if known is not None:
            return known
    if by_key_only:
        raise lookup
    bag = with_answers(reader, source.bag, lookup, pairs)
    row = element(element_of(bag))
    known = source.over(bag, project(row, 0))
    return replace(known, answers=(*known.answers, (apply(lookup.key, project(row, 0)), pairs, project(row, 1))))


def _by_key(source: Source, key: Term) -> Source | None:
    """The source over pairs whose keys do not repeat, where a key is that of the pair; else None."""
    bag = source.bag
    if table_of(bag) is not None and key is project(element(element_of(bag)), 0):
        return source
    if bag.operator is Operator.MAP and key is element(element_of(bag)):
        udf, inner = bag.arguments
        row = element(element_of(inner))
        if table_of(inner) is not None and udf is project(row, 0):
            return _with_itself(source.over(inner, udf))
    return None


def _joined(reader: Reading, source: Source, pairs: Term, place: Place) -> Source | None:
    """The source with what a dictionary has for the key of each of its pairs; None where that is no table."""
    if any(known is pairs for _, known, _ in source.answers):  # the dictionary itself
        return source
    left, right = table_of(source.bag), table_of(pairs)
    if left is None or right is None:
        return None
    if left.fold is right.fold:
        option = optional(basic_type(right.value))
        found = ite(right.exists, converted(right.value, option), converted(MISSING, option))
        kept = left.fold if left.exists is TRUE else build(Operator.FILTER, (left.exists, left.fold))
        both = tuple_of(project(left.row, 0), tuple_of(left.value, found))
        bag = build(Operator.MAP, (both, kept))
    else:
        bag = joined_tables(Call(reader, source.bag, "[…]", place, {}), left, right, True, False)
    row = element(element_of(bag))
    known = source.over(bag, tuple_of(project(row, 0), project(project(row, 1), 0)))
    return replace(known, answers=(*known.answers, (project(row, 0), pairs, project(project(row, 1), 1))))


def _of_groups(source: Source, lookup: LookUpError, dictionary: DictionaryOfGroups) -> Source:
    """The source with the groups of a dictionary, through whose keys it goes."""
    keys = dictionary.keys.bag
    if source.bag is not keys or lookup.key is not source.each:
        message = "a look-up of another key than that of this round, in a dictionary of lists or sets"
        raise lookup.place.error(f"{message}, is not supported", "go through its `items()`")
    asked = Asked(dictionary.grouped)
    order = None if source.order is None else apply(source.order, asked.key)
    return Source(
        dictionary.grouped.bag, asked.key, order, asked=asked, groups=((asked.key, dictionary.grouped, asked.groups),)
    )


def settled(reader: Reading, source: Source, terms: list[Term], place: Place) -> tuple[Term, list[Term]]:
    """The bag of a source, and terms over its elements, once all is read that is asked of groups."""
    if source.asked is None:
        return source.bag, terms
    fold, known = source.asked.folded(Call(reader, source.bag, "collect", place, {}))
    return fold, [rebuild(each, known, inside=True) for each in terms]
