"""Comprehensions and dictionaries of the source: unrolled, item by item.

A frame of its own holds the targets of a comprehension. Items are there under the conditions of its `if`s.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from tallystick.core.terms import FALSE, TRUE, Term, conjunction
from tallystick.frontends.pyspark.python import texts
from tallystick.frontends.pyspark.python.binding import bind
from tallystick.frontends.pyspark.python.builtin_functions import set_of_group
from tallystick.frontends.pyspark.python.reading import Reading
from tallystick.frontends.pyspark.python.sequences import bounded, constant_set, is_constant, items_of
from tallystick.frontends.pyspark.python.truth import truth
from tallystick.frontends.pyspark.scoping.scopes import Binding, Scope, targets_of
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import basic
from tallystick.frontends.pyspark.values.kinds import Frame, Generator, Group, Listing, Spread, Table, Value

Comprehension = ast.ListComp | ast.SetComp | ast.GeneratorExp


def comprehension(reader: Reading, node: Comprehension, frame: Frame, place: Place) -> Value:
    """The value of a comprehension, all of whose items are read."""
    if len(node.generators) == 1:
        source = texts.spread_of(reader.evaluate(node.generators[0].iter, frame))
        if isinstance(source, Spread) and not isinstance(node, ast.SetComp):
            return _spread(reader, node, source, frame, place)
        if isinstance(source, Group):
            return _of_group(reader, node, source, frame, place)
    items = _items(reader, node, frame, place)
    if isinstance(node, ast.GeneratorExp):
        return Generator(tuple(items))
    if isinstance(node, ast.ListComp):
        return Listing(tuple(items))
    if any(condition is not TRUE for condition, _ in items):
        raise place.error("which items this set has depends on values", "make a list, or write the conditions out")
    return constant_set([item for _, item in items], place)


def _spread(
    reader: Reading, node: ast.ListComp | ast.GeneratorExp, source: Spread, frame: Frame, place: Place
) -> Spread:
    """A comprehension over a list of unknown length, for one item of it."""
    items = _items(reader, node, frame, place, Listing(source.items))
    return Spread(source.pieces, source.item, tuple(items))


def _of_group(reader: Reading, node: Comprehension, source: Group, frame: Frame, place: Place) -> Group:
    """A comprehension over a group, for one value of it."""
    items = _items(reader, node, frame, place, Listing(source.items))
    made = replace(source, items=tuple(items), kind="iterable" if isinstance(node, ast.GeneratorExp) else "list")
    return set_of_group(made, place) if isinstance(node, ast.SetComp) else made


def _items(
    reader: Reading, node: Comprehension, frame: Frame, place: Place, given: Value | None = None
) -> list[tuple[Term, Term]]:
    return [
        (condition, basic(reader.evaluate(node.elt, inner), place.source.place(node.elt), "an item"))
        for condition, inner in _rounds(reader, node.generators, frame, place, given)
    ]


def table(reader: Reading, node: ast.Dict, frame: Frame, place: Place) -> Table:
    """A dictionary whose keys are constants; of equal keys, the last one counts."""
    entries: dict[Term, Value] = {}
    for key, value in zip(node.keys, node.values, strict=True):
        if key is None:
            raise place.error("`**` in a dictionary is not supported", "write each entry out")
        where = place.source.place(key)
        read = basic(reader.evaluate(key, frame), where, "a key")
        if not is_constant(read):
            raise where.error("a key of a dictionary must be constant", "write the cases out with `if`")
        entries[read] = reader.evaluate(value, frame)
    if len({key.type for key in entries}) > 1:
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
