"""Programs and formulas that proofs understand, right and faulty, over small sets of records."""

from __future__ import annotations

import operator
from itertools import combinations_with_replacement, product

from tallystick.streaming import (
    always,
    at,
    contains,
    equal_as_bag,
    equal_as_set,
    exists_record,
    for_each_record,
    has_size,
    is_empty,
    later,
    next_,
    streams_of,
)

add = operator.add


def few(record):
    """Three pairs of a key and a number."""
    return record == (0, 1) or record == (1, 1) or record == (1, 2)


def flagged(record):
    """Pairs of a key, 0 or 1, and a truth value."""
    return 0 <= record[0] <= 1


FEW, FLAGGED = streams_of(tuple[int, int], few), streams_of(tuple[int, bool], flagged)
WORDS = streams_of(tuple[str, str | None], lambda record: record[0] == "" or record[0] == "b")
RECORDS = {
    WORDS: [("", None), ("", "a"), ("b", "b"), ("b", "c")],
    FEW: [(0, 1), (1, 1), (1, 2)],
    FLAGGED: [(0, False), (0, True), (1, False), (1, True)],
}

ON_NUMBERS = {
    "identity": lambda s: s,
    "map": lambda s: s.map(lambda pair: (pair[0], pair[1] - 1)),
    "exchanged": lambda s: s.map(lambda pair: (pair[1], pair[0])),
    "filter": lambda s: s.filter(lambda pair: pair[1] > 1),
    "flatMap": lambda s: s.flatMap(lambda pair: [pair, (pair[0], 3)] if pair[1] > 1 else [pair]),
    "flatMapValues": lambda s: s.flatMapValues(lambda value: (value, value + 1)),
    "window": lambda s: s.window(2),
    "window of filtered": lambda s: s.filter(lambda pair: pair[0] == 1).window(2).mapValues(lambda value: value + 1),
    "union": lambda s: s.union(s.mapValues(lambda value: 2 * value)),
    "union with window": lambda s: s.union(s.window(2).filter(lambda pair: pair[0] == 0)),
    "sum": lambda s: s.reduceByKey(add),
    "max": lambda s: s.reduceByKey(max),
    "min of window": lambda s: s.window(2).reduceByKey(min),
    "sum of window": lambda s: s.reduceByKeyAndWindow(add, None, 2, 1),
    "sum of window with inverse": lambda s: s.reduceByKeyAndWindow(add, operator.sub, 2, 1),
    "sum of pairs": lambda s: (
        s.mapValues(lambda v: (v, 1))
        .reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))
        .map(lambda pair: (pair[0], pair[1][0] + pair[1][1]))
    ),
    "count": lambda s: s.map(lambda pair: pair[0]).countByValue(),
    "count of window": lambda s: s.map(lambda pair: pair[0]).countByValueAndWindow(2, 1),
    "largest": lambda s: s.reduce(max),
    "total": lambda s: s.map(lambda pair: pair[1]).reduce(add).map(lambda n: (0, n)),
    "running sum": lambda s: s.updateStateByKey(lambda new, before: sum(new) + (before or 0)),
    "running sum from": lambda s: s.updateStateByKey(lambda new, before: sum(new, before or 0)),
    "number of batches": lambda s: s.updateStateByKey(lambda new, before: (before or 0) + 1),
    "number of values": lambda s: s.updateStateByKey(lambda new, before: len(new) + (before or 0)),
    "latest": lambda s: s.updateStateByKey(lambda new, before: max(new) if new else before),
    "forgotten": lambda s: s.updateStateByKey(lambda new, before: max(new) if new else None),
    "largest so far": lambda s: s.updateStateByKey(lambda new, before: max(max(new), before or 0) if new else before),
    "smallest so far": lambda s: s.updateStateByKey(
        lambda new, before: before if not new else min(new) if before is None else min(min(new), before)
    ),
    "two after two": lambda s: s.updateStateByKey(
        lambda new, before: None if before == 2 else len(new) + (before or 0)
    ),
    "state of maximum": lambda s: s.reduceByKey(max).updateStateByKey(lambda new, before: sum(new) + (before or 0)),
    "state of window": lambda s: s.window(2).updateStateByKey(lambda new, before: min(len(new), 2)),
    "state that is filtered": lambda s: s.updateStateByKey(lambda new, before: sum(new) + (before or 0)).filter(
        lambda pair: pair[1] > 1
    ),
    "any above one": lambda s: s.updateStateByKey(lambda new, before: any(v > 1 for v in new)).mapValues(
        lambda b: 2 if b else 1
    ),
    "all above one": lambda s: s.updateStateByKey(lambda new, before: all(v > 1 for v in new if v != 3)).mapValues(
        lambda b: 2 if b else 1
    ),
    "sum of doubled": lambda s: s.updateStateByKey(
        lambda new, before: sum(2 * v for v in new if v > 1) + (before or 0)
    ),
    "number above one": lambda s: s.updateStateByKey(
        lambda new, before: len([v for v in new if v > 1]) + (before or 0)
    ),
    "window with inverse": lambda s: s.reduceByKeyAndWindow(add, operator.sub, 5, 1),
    "window with inverse and filter": lambda s: s.reduceByKeyAndWindow(
        add, operator.sub, 5, 1, filterFunc=lambda pair: pair[1] > 1
    ),
    "keyed by both": lambda s: s.map(lambda pair: (pair[0] + pair[1], 1)).reduceByKey(add),
    "window of state": lambda s: s.updateStateByKey(lambda new, before: len(new) + (before or 0)).window(2),
}
ON_FLAGS = {
    "any": lambda s: s.updateStateByKey(lambda new, before: any(new) or bool(before)).mapValues(
        lambda b: 1 if b else 0
    ),
    "all": lambda s: s.updateStateByKey(lambda new, before: all(new)).mapValues(lambda b: 1 if b else 0),
    "all so far": lambda s: s.updateStateByKey(lambda new, before: all(new) and (before is None or before)).mapValues(
        lambda b: 2 if b else 1
    ),
    "latest any": lambda s: s.updateStateByKey(lambda new, before: any(new) if new else bool(before)).mapValues(
        lambda b: 1 if b else 2
    ),
    "number of true": lambda s: s.updateStateByKey(lambda new, before: sum(new) + (before or 0)),
    "or": lambda s: s.reduceByKey(lambda a, b: a or b).mapValues(lambda b: 1 if b else 0),
    "and of window": lambda s: s.window(2).reduceByKey(lambda a, b: a and b).mapValues(lambda b: 1 if b else 2),
    "as numbers": lambda s: s.mapValues(lambda b: 2 if b else 1),
    "only true": lambda s: s.filter(lambda pair: pair[1]).mapValues(lambda b: 1),
}


ON_WORDS = {
    "words": lambda s: s,
    "given": lambda s: s.filter(lambda pair: pair[1] is not None),
    "keys": lambda s: s.map(lambda pair: (pair[0], None)),
    "first letters": lambda s: s.mapValues(lambda word: word if word is not None and word > "a" else None),
    "largest": lambda s: s.mapValues(lambda word: word or "").reduceByKey(max).map(lambda p: (p[0], p[1] or None)),
    "any given": lambda s: s.updateStateByKey(
        lambda new, before: any(word is not None for word in new) or bool(before)
    ).mapValues(lambda b: "b" if b else None),
    "begun": lambda s: s.filter(lambda pair: (pair[1] or "x").startswith("b")),
}


def atoms_of_words():
    """Predicates of one batch of texts."""
    return [
        at("output", for_each_record(lambda pair: pair[1] is not None)),
        at("output", for_each_record(lambda pair: pair[1] is None or pair[1] >= "b")),
        at("output", exists_record(lambda pair: pair[0] == "b")),
        at("output", contains(("b", "b"))),
        at("output", contains(("", None))),
        at("output", has_size(2)),
        at("output", is_empty),
        at("input", contains(("", "a"))),
        at("input", exists_record(lambda pair: pair[0] < "b")),
        at("input", is_empty),
    ]


def atoms(records):
    """Predicates of one batch."""
    if records is RECORDS[WORDS]:
        return atoms_of_words()
    some = records[-1]
    return [
        at("output", for_each_record(lambda pair: pair[1] > 0)),
        at("output", for_each_record(lambda pair: pair[1] < 3)),
        at("output", for_each_record(lambda pair: pair[0] == 0 or pair[1] == 1)),
        at("output", exists_record(lambda pair: pair[1] >= 2)),
        at("output", contains((1, 1))),
        at("output", contains((0, 2))),
        at("output", is_empty),
        at("output", has_size(1)),
        at("output", has_size(2)),
        at("output", equal_as_set([(0, 1), (1, 2)])),
        at("output", equal_as_bag([(1, 1), (1, 1)])),
        at("input", is_empty),
        at("input", contains(some)),
        at("input", has_size(2)),
        at("input", exists_record(lambda pair: pair[0] == 0)),
        at("input", for_each_record(lambda pair: pair[0] == 1)),
        at("input", for_each_record(lambda pair: not pair[1])),
        at("input", equal_as_bag([some, some])),
    ]


def formula(draw, known, depth=3):
    """A formula over atoms, drawn by a function that chooses one of a list."""
    if depth == 0 or draw(range(4)) == 0:
        atom = draw(known)
        return ~atom if draw((False, True)) else atom
    left = formula(draw, known, depth - 1)
    kind = draw(("and", "or", "implies", "next", "always", "later", "until", "release"))
    if kind == "next":
        return next_(left)
    if kind in ("always", "later"):
        return (always if kind == "always" else later)(left).on(2)
    right = formula(draw, known, depth - 1)
    match kind:
        case "and":
            return left & right
        case "or":
            return left | right
        case "implies":
            return left >> right
        case "until":
            return left.until(right).on(2)
    return left.release(right).on(2)


def all_streams(records, length, most):
    """All prefixes of a length with up to `most` of the records in each batch."""
    batches = [bag for size in range(most + 1) for bag in combinations_with_replacement(records, size)]
    return product(batches, repeat=length)
