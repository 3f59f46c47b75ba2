"""What can be gone through one by one when the source is read: comprehensions and loops over it are unrolled.

An iterable has a fixed number of items, some of which may be there under a condition only: tuples, lists, `range`,
`enumerate` and `zip` of these, sets of constants and dictionaries of constants. Comprehensions give lists, whatever
their brackets; a generator expression is read only where something takes all of its items at once.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from tallystick.core.terms import FALSE, TRUE, Term, conjunction, constant, project, tuple_of
from tallystick.frontends.pyspark import arithmetic
from tallystick.frontends.pyspark.options import component_count, is_tuple
from tallystick.frontends.pyspark.reading import Reading
from tallystick.frontends.pyspark.scopes import Binding, Scope, position_of, targets_of
from tallystick.frontends.pyspark.source import Place
from tallystick.frontends.pyspark.statements import bind
from tallystick.frontends.pyspark.truth import truth
from tallystick.frontends.pyspark.values import (
    Builtin,
    ConstantSet,
    Frame,
    Listing,
    Record,
    Table,
    Value,
    basic,
    describe,
    literal,
    what_to_do_with,
)

MOST_ITEMS: Final = 256
Comprehension = ast.ListComp | ast.SetComp | ast.GeneratorExp
Items = list[tuple[Term, Value]]
"""Items with the conditions under which they are there."""


def items_of(value: Value, place: Place, what: str = "this") -> Items:
    """The items of an iterable, in order; raises SourceError for what has no fixed number of items."""
    match value:
        case Listing(items):
            return list(items)
        case ConstantSet(items):
            return [(TRUE, item) for item in items]
        case Table(entries):
            return [(TRUE, key) for key, _ in entries]
        case Record(items):
            return [(TRUE, item) for item in items]
        case Term() if is_tuple(value.type):
            return [(TRUE, project(value, index)) for index in range(component_count(value))]
    hint = what_to_do_with(value) or "go through a tuple, a list, `range` of constants, or a constant set or dictionary"
    raise place.error(f"{what} must have a fixed number of items, and is {describe(value)}", hint)


def comprehension(reader: Reading, node: Comprehension, frame: Frame, place: Place) -> Value:
    """The items of a comprehension, as a list; of a set comprehension, as a set of constants."""
    items = [
        (condition, basic(reader.evaluate(node.elt, inner), place.source.place(node.elt), "an item"))
        for condition, inner in _rounds(reader, node.generators, frame, place)
    ]
    if not isinstance(node, ast.SetComp):
        return Listing(tuple(items))
    if any(condition is not TRUE for condition, _ in items):
        raise place.error("which items this set has depends on values", "make a list, or write the conditions out")
    return constant_set([item for _, item in items], place)


def constant_set(items: list[Term], place: Place) -> ConstantSet:
    """The set of constants; equal ones are one item."""
    for item in items:
        if not _is_constant(item):
            hint = "compare with each value: `x == a or x == b`"
            raise place.error("an item of a set must be constant", hint)
    return ConstantSet(tuple(dict.fromkeys(items)))


def table(reader: Reading, node: ast.Dict, frame: Frame, place: Place) -> Table:
    """A dictionary whose keys are constants; of equal keys, the last one counts."""
    entries: dict[Term, Value] = {}
    for key, value in zip(node.keys, node.values, strict=True):
        if key is None:
            raise place.error("`**` in a dictionary is not supported", "write each entry out")
        where = place.source.place(key)
        read = basic(reader.evaluate(key, frame), where, "a key")
        if not _is_constant(read):
            raise where.error("a key of a dictionary must be constant", "write the cases out with `if`")
        entries[read] = reader.evaluate(value, frame)
    if len({key.type for key in entries}) > 1:
        raise place.error("the keys of a dictionary must have one type")
    return Table(tuple(entries.items()))


def _is_constant(term: Term) -> bool:
    if literal(term) is not None:
        return True
    return is_tuple(term.type) and all(_is_constant(project(term, each)) for each in range(component_count(term)))


def _rounds(
    reader: Reading, generators: list[ast.comprehension], frame: Frame, place: Place
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
    for condition, item in bounded(items_of(reader.evaluate(first.iter, frame), where, "what this goes through"), where):
        inner = Frame(scope, {}, frame, ALWAYS, loop=(0, 0))
        bind(first.target, item, inner)
        for test in first.ifs:
            with reader.assuming(condition):
                value = reader.evaluate(test, inner)
            condition = conjunction(condition, truth(value, place.source.place(test), "the condition"))  # noqa: PLW2901
        if condition is FALSE:
            continue
        for further, innermost in _rounds(reader, others, inner, place):
            with reader.assuming(conjunction(condition, further)):
                yield conjunction(condition, further), innermost


ALWAYS: Final = (1 << 60, 0)
"""Where the frame of a comprehension is made: it runs at once, after all that stands around it."""


def bounded(items: Items, place: Place) -> Items:
    """The items, unless there are too many of them to unroll."""
    if len(items) > MOST_ITEMS:
        raise place.error(f"this goes through more than {MOST_ITEMS} items", "use fewer")
    return items


def _range(place: Place, values: list[Value]) -> Listing:
    """range of constants."""
    bounds = [literal(arithmetic.integer(each, place, "an argument of `range`")) for each in values]
    numbers = [each for each in bounds if each is not None]
    if len(numbers) != len(values) or not 1 <= len(values) <= 3:
        raise place.error("the arguments of `range` must be one to three constants")
    if len(numbers) == 3 and numbers[2] == 0:
        raise place.error("the step of `range` is zero")
    found = range(*numbers)
    if len(found) > MOST_ITEMS:
        raise place.error(f"this range has more than {MOST_ITEMS} items", "use fewer")
    return Listing(tuple((TRUE, constant(each)) for each in found))


def _certain(place: Place, value: Value, name: str) -> list[Term]:
    items = items_of(value, place, f"the argument of `{name}`")
    if any(condition is not TRUE for condition, _ in items):
        raise place.error(f"`{name}` of items that may not be there", "filter afterwards")
    return [basic(item, place, f"an item of the argument of `{name}`") for _, item in items]


def _enumerate(place: Place, values: list[Value]) -> Listing:
    """enumerate of one iterable, from 0 or from a constant."""
    if not 1 <= len(values) <= 2:
        raise place.error(f"`enumerate` takes one or two arguments, not {len(values)}")
    start = literal(arithmetic.integer(values[1], place, "the start of `enumerate`")) if len(values) > 1 else 0
    if start is None:
        raise place.error("the start of `enumerate` must be constant")
    items = _certain(place, values[0], "enumerate")
    return Listing(tuple((TRUE, tuple_of(constant(start + index), item)) for index, item in enumerate(items)))


def _zip(place: Place, values: list[Value]) -> Listing:
    """zip of iterables, as long as the shortest."""
    columns = [_certain(place, each, "zip") for each in values]
    return Listing(tuple((TRUE, tuple_of(*row)) for row in zip(*columns, strict=False)))


BUILTINS: Final = {
    "enumerate": Builtin("enumerate", _enumerate),
    "range": Builtin("range", _range),
    "zip": Builtin("zip", _zip),
}
