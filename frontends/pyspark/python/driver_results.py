"""What loops at the driver leave: folds, lists and dictionaries of the elements that they went through."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final

from tallystick.core.terms import (
    TRUE,
    Operator,
    Term,
    accumulator,
    add,
    build,
    constant,
    element,
    project,
    subterms,
    tuple_of,
)
from tallystick.core.types import INT, RATIONAL, BasicType, TupleType
from tallystick.frontends.pyspark.python import dictionary_cells, growing_collections
from tallystick.frontends.pyspark.python.reading import Reading
from tallystick.frontends.pyspark.rdds.calls import element_of, require_hashable
from tallystick.frontends.pyspark.rdds.groups import grouped_dictionary
from tallystick.frontends.pyspark.rdds.operators import union_of
from tallystick.frontends.pyspark.rdds.sources import Source, settled
from tallystick.frontends.pyspark.scoping.source import Place
from tallystick.frontends.pyspark.values.describing import basic, describe
from tallystick.frontends.pyspark.values.kinds import (
    Collected,
    Dictionary,
    Entry,
    Growing,
    KeyEntry,
    Listing,
    Ranked,
    Value,
)
from tallystick.frontends.pyspark.values.options import common_type, converted

HINT: Final = "collect sums, lists and dictionaries in it, or use `reduceByKey` and the like"


def folded(
    through: Collected, before: dict[str, Value], types: dict[str, BasicType], after: dict[str, Value], place: Place
) -> dict[str, Term]:
    """The variables after the loop, as parts of one fold."""
    initial = [converted(basic(before[name], place, f"`{name}`"), of) for name, of in types.items()]
    steps = [converted(basic(after[name], place, f"`{name}`"), of) for name, of in types.items()]
    if len(types) == 1:
        fold = build(Operator.FOLD, (initial[0], steps[0], through.bag))
        through.asked("fold", place, fold=fold)
        return dict.fromkeys(types, fold)
    fold = build(Operator.FOLD, (tuple_of(*initial), tuple_of(*steps), through.bag))
    through.asked("fold", place, fold=fold)
    return {name: project(fold, index) for index, name in enumerate(types)}


def listed(through: Collected, before: Value, after: Value, place: Place) -> Collected:
    """The list of what is appended for each element."""
    if not isinstance(before, Listing) or before.items or not isinstance(after, Listing) or not after.items:
        raise place.error("a list that grows in a loop over the elements of an RDD must be empty before", HINT)
    _refuse_state([part for item in after.items for part in item], place)
    return replace(through, bag=_bag_of(list(after.items), through.bag, place))


def in_order(through: Ranked, bag: Term, order: Term | None, before: Value, after: Value, place: Place) -> Ranked:
    """The list of what is appended for each element of a list in an order, which is one item for each at most."""
    match before, after:
        case Listing(items=()), Listing(items=((there, item),)) if order is not None and (
            there is TRUE or through.most is None
        ):
            kept = bag if there is TRUE else build(Operator.FILTER, (there, bag))
            return replace(through, pairs=build(Operator.MAP, (tuple_of(order, item), kept)), of=None)
    raise place.error("a loop over elements in an order appends one item for each, to an empty list", HINT)


def _bag_of(items: list[tuple[Term, Term]], bag: Term, place: Place) -> Term:
    of: object = items[0][1].type
    for _, item in items:
        both = common_type(of, item.type)  # type: ignore[arg-type]
        if both is None:
            raise place.error("what this collects is of several types", "make items of one type")
        of = both
    return union_of([(there, converted(item, of)) for there, item in items], bag)  # type: ignore[arg-type]


def _refuse_state(parts: list[Term], place: Place) -> None:
    """Raise SourceError where what is collected depends on what was before in the loop."""
    if any(each.operator is Operator.ACCUMULATOR for part in parts for each in subterms(part)):
        raise place.error("what this loop collects depends on the elements before", HINT)


def folded_by_key(through: Collected, grown: Growing, place: Place) -> Dictionary:
    """The dictionary that a loop fills, each round of which looks at one key: a fold by key of its elements."""
    key, initial, step = dictionary_cells.fold_of(grown, place)
    assert grown.cell is not None
    row = element(element_of(through.bag))
    used = grown.cell.used
    bag = through.bag if used is TRUE else build(Operator.FILTER, (used, through.bag))
    pairs = build(Operator.MAP, (tuple_of(key, row), bag))
    fold = build(Operator.FOLD_BY_KEY, (initial, step, pairs))
    through.asked("fold", place, fold=fold)
    pair = element(element_of(fold))
    there = project(project(pair, 1), 1)
    kept = fold if project(step, 1) is TRUE else build(Operator.FILTER, (there, fold))
    bag = build(Operator.MAP, (tuple_of(project(pair, 0), project(project(pair, 1), 0)), kept))
    kind = grown.kind if grown.first is None and grown.size is None else "other default"
    return Dictionary(replace(through, bag=bag), "dict" if grown.kind == "dict" else kind)


def filled(reader: Reading, through: Collected, name: str, grown: Growing, place: Place) -> Value:
    """The dictionary that a loop fills."""
    _refuse_state([part for entry in grown.entries for part in entry[:3]], place)
    actions = {entry[3] for entry in grown.entries}
    if actions & set(growing_collections.ACTIONS):
        entries = growing_collections.entries_of(name, grown, place)
        holds = growing_collections.ACTIONS[entries[0][3]]
        return grouped_dictionary(reader, _pairs(entries, through.bag, place), holds, grown.kind, place)
    (action, *others) = actions
    if others or (action == "set" and len(grown.entries) > 1):
        raise place.error(f"`{name}` is filled in several ways, which is not supported", HINT)
    if grown.of is not None:
        raise place.error(f"`{name}` is a defaultdict of {grown.of}s, and filled otherwise", HINT)
    bag = _pairs(grown.entries, through.bag, place)
    of = element_of(bag).components[1]  # type: ignore[union-attr]
    listed = replace(through, bag=bag)
    if action == "set":
        made = listed.asked("dict", place)
        assert isinstance(made, Dictionary)
        return replace(made, kind=grown.kind)
    if of not in (INT, RATIONAL):
        raise place.error(f"`+=` of what is {describe(grown.entries[0][2])} in a dictionary is not supported", HINT)
    zero = constant(0) if of == INT else constant(Fraction(0))
    fold = build(Operator.FOLD_BY_KEY, (zero, add(accumulator(of), element(of)), bag))
    listed.asked("fold", place, fold=fold)
    return Dictionary(replace(through, bag=fold), grown.kind)


def _pairs(entries: Sequence[Entry], bag: Term, place: Place) -> Term:
    """The pairs of key and value that a loop puts into a dictionary for each element of a bag."""
    pairs = _bag_of([(there, tuple_of(key, value)) for there, key, value, _ in entries], bag, place)
    of = element_of(pairs)
    assert isinstance(of, TupleType)
    require_hashable(of.components[0], place, "a key")
    return pairs


def over_one_bag(
    reader: Reading, source: Source, after: dict[str, Value], names: list[str], place: Place
) -> tuple[Term, Term | None, dict[str, Value]]:
    """The bag that a loop goes through, the order of its elements if they have one, and these names after a round."""
    if source.asked is None:
        return source.bag, source.order, after
    terms = [] if source.order is None else [source.order]
    for name in names:
        terms += _terms_of(after[name])
    bag, found = settled(reader, source, terms, place)
    rebuilt = iter(found)
    order = None if source.order is None else next(rebuilt)
    return bag, order, {**after, **{name: _with_terms(after[name], rebuilt) for name in names}}


def _terms_of(value: Value) -> list[Term]:
    """The terms in a variable, list or dictionary after a round."""
    match value:
        case Listing(items):
            return [part for item in items for part in item]
        case Growing(entries=entries, cell=None):
            return [part for entry in entries for part in entry[:3]]
        case Growing(cell=KeyEntry(there=there, value=Term() as held, key=Term() as key, used=used)):
            return [there, held, key, used]
        case Term():
            return [value]
    return []


def _with_terms(value: Value, terms: Iterator[Term]) -> Value:
    """The same with other terms."""
    match value:
        case Listing(items):
            return Listing(tuple((next(terms), next(terms)) for _ in items))
        case Growing(entries=entries, cell=None):
            return replace(value, entries=[(next(terms), next(terms), next(terms), how) for *_, how in entries])
        case Growing(cell=KeyEntry(value=Term(), key=Term())):
            return replace(value, cell=KeyEntry(next(terms), next(terms), next(terms), next(terms)))
        case Term():
            return next(terms)
    return value
