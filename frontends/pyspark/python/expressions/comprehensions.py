"""Comprehensions and dictionaries of the source: unrolled, item by item.

A frame of its own holds the targets of a comprehension. Items are there under the conditions of its `if`s.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from tallystick.core.terms import FALSE, TRUE, Operator, Term, build, conjunction, tuple_of
from tallystick.frontends.pyspark.python import texts
from tallystick.frontends.pyspark.python.binding import bind
from tallystick.frontends.pyspark.python.group_dictionaries import keys_of, of_pairs
from tallystick.frontends.pyspark.python.group_sets import set_of_group
from tallystick.frontends.pyspark.python.one_time import kept
from tallystick.frontends.pyspark.python.products import other
from tallystick.frontends.pyspark.python.reading import Reading
from tallystick.frontends.pyspark.python.sequences import bounded, constant_set, is_constant, items_of
from tallystick.frontends.pyspark.python.truth import truth
from tallystick.frontends.pyspark.rdds import lookups
from tallystick.frontends.pyspark.rdds.calls import Call
from tallystick.frontends.pyspark.rdds.collected import list_of, of_each
from tallystick.frontends.pyspark.rdds.groups import dictionary_of_groups
from tallystick.frontends.pyspark.rdds.operators import items_of_lists, union_of
from tallystick.frontends.pyspark.rdds.sources import SOURCES, Source, Sources, read_each, settled, source_of
from tallystick.frontends.pyspark.scoping.bound_names import targets_of
from tallystick.frontends.pyspark.scoping.scopes import Binding, Scope
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import basic, describe
from tallystick.frontends.pyspark.values.dictionaries import is_dictionary, table_of_entries
from tallystick.frontends.pyspark.values.groups import Group, Products
from tallystick.frontends.pyspark.values.held_lists import item_of_list
from tallystick.frontends.pyspark.values.kinds import (
    Collected,
    Dictionary,
    DictionaryOfGroups,
    Frame,
    Generator,
    Grouped,
    Listing,
    Ranked,
    Record,
    Spread,
    Table,
    Value,
)
from tallystick.frontends.pyspark.values.rounds import Round

_NEVER: Final = ("this comprehension never has an item", "return an empty list")
Comprehension = ast.ListComp | ast.SetComp | ast.GeneratorExp


def comprehension(reader: Reading, node: Comprehension, frame: Frame, place: Place) -> Value:
    """The value of a comprehension, all of whose items are read."""
    if not isinstance(node, ast.GeneratorExp) or reader.is_gone_through(node):
        iterables = [each.iter for each in node.generators]
        reader.goes_through(*iterables)
        failures = 0 if reader.attempts is None else reader.attempts.count
        made = _comprehension(reader, node, frame, place)
        if reader.attempts is not None:
            reader.attempts.require_no_failures_between(iterables, place)
            if isinstance(node, ast.GeneratorExp) and reader.attempts.count > failures:
                reader.attempts.lazy[node] = reader.attempts.count
        return made
    with reader.lazily(node, place):
        return _comprehension(reader, node, frame, place)


def _comprehension(reader: Reading, node: Comprehension, frame: Frame, place: Place) -> Value:
    if len(node.generators) == 1:
        source = texts.spread_of(keys_of(reader.evaluate(node.generators[0].iter, frame)))
        if isinstance(source, Spread):
            found = _spread(reader, node, source, frame, place)
            return texts.set_of_some(found, place) if isinstance(node, ast.SetComp) else found
        if isinstance(source, Group):
            return _of_group(reader, node, source, frame, place)
        if isinstance(source, SOURCES):
            return _of_elements(reader, node, source, frame, place)
    elif isinstance(source := keys_of(reader.evaluate(node.generators[0].iter, frame)), Collected | Dictionary):
        made = _of_lists(reader, node, source, frame, place)
        return made.asked("set", place) if isinstance(node, ast.SetComp) else made
    if (of_pairs := products(reader, node, frame, place)) is not None:
        return of_pairs
    items = _items(reader, node, frame, place)
    if isinstance(node, ast.GeneratorExp):
        return Generator(tuple(items))
    if isinstance(node, ast.ListComp):
        return Listing(tuple(items))
    if any(condition is not TRUE for condition, _ in items):
        raise place.error("which items this set has depends on values", "make a list, or write the conditions out")
    return constant_set([item for _, item in items], place)


def _spread(reader: Reading, node: Comprehension, source: Spread, frame: Frame, place: Place) -> Spread:
    """A comprehension over a list of unknown length, for one item of it."""
    each = Round(source)
    items = each.settled_items(tuple(_items(reader, node, frame, place, Listing(each.items))))
    return Spread(source.pieces, source.item, items, isinstance(node, ast.GeneratorExp))


def products(reader: Reading, node: Comprehension, frame: Frame, place: Place) -> Products | None:
    """A comprehension over two groups, for one item of each; None for other comprehensions."""
    if len(node.generators) != 2:
        return None
    outer, inner = node.generators
    first = reader.evaluate(outer.iter, frame)
    if not isinstance(first, Group):
        return None
    found: list[tuple[Term, Term]] = []
    second: Group | None = None
    one = Round(first)
    for condition, around in _rounds(reader, [outer], frame, place, Listing(one.items)):
        with reader.assuming(condition):
            through = reader.evaluate(inner.iter, around)
            if not isinstance(through, Group):
                return None
            second = other(through) if through.item is first.item else through
            each = Round(second)
            for further, innermost in _rounds(reader, [inner], around, place, Listing(each.items)):
                with reader.assuming(further):
                    made = basic(reader.evaluate(node.elt, innermost), place.source.place(node.elt), "an item")
                found += one.settled_items(each.settled_items(((conjunction(condition, further), made),)))
    if second is None:
        return None
    return Products(
        first, second, tuple(found), isinstance(node, ast.GeneratorExp), is_set=isinstance(node, ast.SetComp)
    )


def _of_group(reader: Reading, node: Comprehension, source: Group, frame: Frame, place: Place) -> Group:
    """A comprehension over a group, for one value of it."""
    each = Round(source)
    items = each.settled_items(tuple(_items(reader, node, frame, place, Listing(each.items))))
    if not items:
        raise place.error(*_NEVER)
    lazy = isinstance(node, ast.GeneratorExp)
    made = replace(source, items=items, kind="iterable" if lazy else "list", once=lazy)
    return set_of_group(made, place) if isinstance(node, ast.SetComp) else made


def _of_elements(reader: Reading, node: Comprehension, source: Sources, frame: Frame, place: Place) -> Value:
    """A comprehension over the elements of an RDD at the driver: a map and a filter of them."""
    lazy = isinstance(node, ast.GeneratorExp)
    if isinstance(node, ast.SetComp) and isinstance(source, Ranked):
        raise place.error("a set of a list in an order is not supported", "collect in any order")
    made = _of_each(reader, source, lazy, place, lambda each: _of_one(reader, node, node.elt, each, frame, place))
    return made.asked("set", place) if isinstance(node, ast.SetComp) and isinstance(made, Collected) else made


def _of_lists(
    reader: Reading, node: Comprehension, source: Collected | Dictionary, frame: Frame, place: Place
) -> Collected:
    """A comprehension over elements and lists that are made of each: the items of these lists."""
    first, *others = node.generators
    inner = ast.copy_location(ast.ListComp(node.elt, others), node)
    alone = ast.copy_location(ast.ListComp(inner, [first]), node)
    through, (condition, made) = read_each(
        reader, source_of(source, place), place, lambda each: _value_of_one(reader, alone, inner, each, frame, place)
    )
    lazy = isinstance(node, ast.GeneratorExp)
    if not isinstance(made, Spread | Listing) or not made.items:
        message = "a comprehension over elements and what is made of them goes through lists of values"
        raise place.error(message, "use `flatMap` before")
    items = [(conjunction(condition, there), item) for there, item in made.items]
    if isinstance(made, Spread):
        call = Call(reader, through.bag, "flatMap", place, {})
        bag = items_of_lists(call, replace(made, items=tuple(items)), through.bag)
        return list_of(reader, bag, place, lazy)
    if len({item.type for _, item in items}) > 1:
        raise place.error("the items that this makes are of several types", "make items of one type")
    return list_of(reader, union_of(items, through.bag), place, lazy)


def _of_each(
    reader: Reading, source: Sources, lazy: bool, place: Place, made: Callable[[Value], tuple[Term, Term]]
) -> Collected | Ranked:
    """The list of what is made of each element, where a condition holds."""
    start = source_of(source, place)
    try:
        through, (condition, item) = read_each(reader, start, place, made, by_key_only=isinstance(source, Collected))
    except lookups.LookUpError as lookup:
        return _looking_up(reader, start, lookup, lazy, place, made)
    order = [] if through.order is None else [through.order]
    bag, (condition, item, *order) = settled(reader, through, [condition, item, *order], place)
    if isinstance(source, Ranked) and source.most is not None and condition is not TRUE:
        raise place.error("some of the first items of a list in an order are not read", "use `filter` before")
    if condition is FALSE:
        raise place.error(*_NEVER)
    if isinstance(source, Ranked):
        pairs = bag if condition is TRUE else build(Operator.FILTER, (condition, bag))
        return replace(source, pairs=build(Operator.MAP, (tuple_of(order[0], item), pairs)), of=None, once=lazy)
    return of_each(list_of(reader, bag, place), condition, item, lazy)


def _looking_up(
    reader: Reading,
    source: Source,
    lookup: lookups.LookUpError,
    lazy: bool,
    place: Place,
    made: Callable[[Value], tuple[Term, Term]],
) -> Collected:
    """The list of what is made of each element, which looks up something else than the keys of a dictionary."""
    if (bag := lookups.joined_at_driver(reader, source.bag, lookup, made, place)) is not None:
        return list_of(reader, bag, place, lazy)
    source, (condition, item) = read_each(reader, source, place, made)
    return of_each(list_of(reader, source.bag, place), condition, item, lazy)


def mapped_elements(
    reader: Reading, name: str, function: Value, source: Collected | Dictionary | Ranked, place: Place
) -> Collected | Ranked:
    """`map` and `filter` of the elements of an RDD at the driver."""
    if reader.in_udf:
        raise place.error("the elements of an RDD are used inside a function that runs on elements", "join the RDDs")

    def made(each: Value) -> tuple[Term, Term]:
        result = reader.udf(function, place, each)
        if name == "filter" and isinstance(each, Term):
            return truth(result, place, "what the function of `filter` returns"), each
        return TRUE, basic(result, place, "an item")

    return _of_each(reader, source, True, place, made)


def _of_one(
    reader: Reading, node: Comprehension | ast.DictComp, made: ast.expr, each: Value, frame: Frame, place: Place
) -> tuple[Term, Term]:
    """When a comprehension has an item for an element, and which."""
    condition, value = _value_of_one(reader, node, made, each, frame, place)
    return condition, basic(value, place.source.place(made), "an item")


def _value_of_one(
    reader: Reading, node: Comprehension | ast.DictComp, made: ast.expr, each: Value, frame: Frame, place: Place
) -> tuple[Term, Value]:
    """When a comprehension has an item for an element, and which, perhaps a group."""
    if reader.in_udf:
        hint = "join the RDDs, or use `subtract` or `intersection`"
        raise place.error("the elements of an RDD are used inside a function that runs on elements", hint)
    reader.in_udf = True  # what is computed is computed for each element
    try:
        rounds = [*_rounds(reader, node.generators, frame, place, _only(each))]
        if not rounds:  # the condition never holds
            return FALSE, each if isinstance(each, Term) else each.items[0]  # type: ignore[union-attr]
        ((condition, inner),) = rounds
        with reader.assuming(condition):
            return condition, reader.evaluate(made, inner)
    finally:
        reader.in_udf = False


def _only(item: Value) -> Listing | Record:
    """What has one item."""
    return Listing(((TRUE, item),)) if isinstance(item, Term) else Record((item,))


def dictionary(reader: Reading, node: ast.DictComp, frame: Frame, place: Place) -> Value:
    """A comprehension of a dictionary: of constant keys, or of an RDD's elements whose keys stay as they are."""
    reader.goes_through(*(each.iter for each in node.generators))
    whole = reader.evaluate(node.generators[0].iter, frame)
    source = keys_of(whole)
    if isinstance(source, Group) and len(node.generators) == 1:
        pair = ast.copy_location(ast.Tuple([node.key, node.value], ast.Load()), node)
        made = ast.copy_location(ast.ListComp(pair, node.generators), node)
        return of_pairs(_of_group(reader, made, source, frame, place), place)
    if isinstance(whole, Collected | Dictionary | DictionaryOfGroups | Grouped) and len(node.generators) == 1:
        return _of_pairs(reader, node, whole, frame, place)
    entries: dict[Term, Value] = {}
    for condition, inner in _rounds(reader, node.generators, frame, place, source):
        if condition is not TRUE:
            raise place.error("which keys this dictionary has depends on values", "write the entries out")
        key = basic(reader.evaluate(node.key, inner), place.source.place(node.key), "a key")
        if not is_constant(key):
            raise place.source.place(node.key).error("a key of a dictionary must be constant", "write a function")
        entries[key] = kept(reader.evaluate(node.value, inner), place)
    if reader.attempts is not None:
        reader.attempts.require_no_failures_between([each.iter for each in node.generators], place)
    return _table(entries, place)


def _of_pairs(
    reader: Reading,
    node: ast.DictComp,
    source: Collected | Dictionary | DictionaryOfGroups | Grouped,
    frame: Frame,
    place: Place,
) -> Value:
    """A dictionary of what is made of each element of an RDD at the driver; its values may be groups."""
    pair = ast.copy_location(ast.Tuple([node.key, node.value], ast.Load()), node)

    def made(each: Value) -> tuple[Term, Value]:
        return _value_of_one(reader, node, pair, each, frame, place)

    if isinstance(source, DictionaryOfGroups | Grouped):
        through, (condition, item) = read_each(reader, source_of(source, place), place, made)
        if through.asked is not None and isinstance(item, Record):
            return dictionary_of_groups(reader, through.asked, condition, item, place)
    listed = _of_each(reader, source, False, place, lambda each: _of_one(reader, node, pair, each, frame, place))
    assert isinstance(listed, Collected)
    return listed.asked("dict", place)


def _items(
    reader: Reading, node: Comprehension, frame: Frame, place: Place, given: Value | None = None
) -> list[tuple[Term, Term]]:
    return [
        (condition, item_of_list(reader.evaluate(node.elt, inner), place.source.place(node.elt), "an item"))
        for condition, inner in _rounds(reader, node.generators, frame, place, given)
    ]


def table(reader: Reading, node: ast.Dict, frame: Frame, place: Place) -> Table:
    """A dictionary whose keys are constants; of equal keys, the last one counts."""
    entries: dict[Term, Value] = {}
    for key, value in zip(node.keys, node.values, strict=True):
        if key is None:
            more = reader.evaluate(value, frame)
            more = table_of_entries(more) if isinstance(more, Term) and is_dictionary(more) else more
            if not isinstance(more, Table):
                raise place.source.place(value).error(f"`**` of what is {describe(more)}", "write each entry out")
            entries.update(more.entries)
            continue
        where = place.source.place(key)
        read = basic(reader.evaluate(key, frame), where, "a key")
        if not is_constant(read):
            raise where.error("a key of a dictionary must be constant", "write the cases out with `if`")
        entries[read] = kept(reader.evaluate(value, frame), place)
    return _table(entries, place)


def _table(entries: dict[Term, Value], place: Place) -> Table:
    if len({key.type for key in entries}) > 1:  # keys of two types may be equal, as 1 and True are
        raise place.error("the keys of a dictionary must have one type")
    return Table(tuple(entries.items()))


def _rounds(
    reader: Reading, generators: list[ast.comprehension], frame: Frame, place: Place, given: Value | None = None
) -> Iterator[tuple[Term, Frame]]:
    """A frame for each round of a comprehension, with the condition under which it takes place."""
    if not generators:
        yield TRUE, frame
        return
    first, *others = generators
    if first.is_async:
        raise place.error("`async` in a comprehension is not supported")
    where = place.source.place(first.iter)
    scope = Scope(frame.scope.source, frame.scope.node)
    for name in targets_of(first.target):
        scope.bindings[name] = [Binding(first.target, False)]
    for condition, item in bounded(
        items_of(given or reader.evaluate(first.iter, frame), where, "what this goes through"), where
    ):
        inner = Frame(scope, {}, frame, runs_at_once=True)
        bind(first.target, item, inner)
        for test in first.ifs:
            with reader.assuming(condition):
                value = reader.evaluate(test, inner)
            condition = conjunction(condition, truth(value, place.source.place(test), "the condition"))
        if condition is FALSE:
            continue
        for further, innermost in _rounds(reader, others, inner, place):
            with reader.assuming(conjunction(condition, further)):
                yield conjunction(condition, further), innermost
