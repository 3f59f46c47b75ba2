"""Generators, `map` and Spark's iterators of partitions are used up by their first use: no second one is read."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tallystick.frontends.pyspark import SourceProgram

from .local_rdd import load, run_by_python, run_by_terms, same

START = """
from functools import partial
class Kept:
    def __init__(self, items):
        self.items = (item for item in items)
def twice(items):
    return sum(items) + sum(items)
def once(items):
    return sum(items) + 1
def again(part):
    first = [x for x in part]
    return [x for x in part]
def in_rounds(part):
    return [x + y for y in (1, 2) for x in part]
def renamed(part):
    rows = (x + 1 for x in part)
    return (x for x in rows if x > 1)
def looped(part):
    rows = map(abs, part)
    for x in rows:
        yield x + 1
def rebound(part):
    k = 1
    rows = (x + k for x in part)
    k = 2
    return [x for x in rows]
def changed(x):
    k, total = 1, 0
    for v in (y + k for y in (x, 2 * x)):
        k = 100
        total += v
    return total
def pieces(line):
    parts = (part + "!" for part in line.split(","))
    a, b = parts
    return b + a
def pieces_twice(line):
    parts = (part + "!" for part in line.split(","))
    return len(list(parts)), len(list(parts))
def in_tuple(g):
    pair = (x for x in g), 1
    return sum(pair[0]) + sum(pair[0])
def in_dictionary(g):
    table = {"a": (x for x in g)}
    return sum(table["a"]) + sum(table["a"])
def by_name(**named):
    return sum(named["g"]) + sum(named["g"])
def of_two_types(part):
    for x in part:
        yield x
        yield bool(x)
def of_none(part):
    for x in part:
        if False:
            yield x
def with_default(g, h=(x for x in (1, 2))):
    return sum(h) + sum(g)
def of_object(g):
    made = Kept(g)
    return sum(made.items) + sum(made.items)
def of_dictionary(x):
    table = {k: (y for y in (x, 1)) for k in (1, 2)}
    return sum(table[1]) + sum(table[1])
"""
ITEMS, LINES, GROUPS = "RDD[int]", "RDD[str]", "RDD[tuple[str, int]]"
GIVEN = {ITEMS: [3, -1, 3, 0], LINES: ["a,b", "c,d"], GROUPS: [("a", 3), ("b", -2), ("a", 7)]}
READ = {
    "a parameter that is used once": (GROUPS, "groupByKey().mapValues(lambda g: once(x for x in g if x > 0))"),
    "a name that the next statement uses": (ITEMS, "mapPartitions(renamed)"),
    "a name that the next loop goes through": (ITEMS, "mapPartitions(looped)"),
    "pieces that are taken apart": (LINES, "map(pieces)"),
    "a list of them": (LINES, "map(lambda l: (lambda parts: len(parts) + len(parts))(list(map(len, l.split(',')))))"),
    "a list of a group": (GROUPS, "groupByKey().mapValues(lambda g: (lambda h: sum(h) + len(h))([x for x in g]))"),
}
USED_UP = "a generator is used up by its first use, and is given a name"
REFUSED = {
    "a parameter that is used twice": (GROUPS, "groupByKey().mapValues(lambda g: twice(x for x in g))", USED_UP),
    "an iterator of a partition": (ITEMS, "mapPartitions(again)", USED_UP),
    "a partition in rounds": (ITEMS, "mapPartitions(in_rounds)", USED_UP),
    "a name that changes before the use": (ITEMS, "mapPartitions(rebound)", USED_UP),
    "pieces": (LINES, "map(pieces_twice)", USED_UP),
    "in a tuple": (GROUPS, "groupByKey().mapValues(in_tuple)", USED_UP),
    "in a dictionary": (GROUPS, "groupByKey().mapValues(in_dictionary)", USED_UP),
    "in a comprehension of a dictionary": (ITEMS, "map(of_dictionary)", USED_UP),
    "in an object": (GROUPS, "groupByKey().mapValues(of_object)", USED_UP),
    "by name": (GROUPS, "groupByKey().mapValues(lambda g: by_name(g=(x for x in g)))", USED_UP),
    "in a partial call": (ITEMS, "map(partial(with_default, (x for x in (1, 2))))", USED_UP),
    "as a default": (GROUPS, "groupByKey().mapValues(with_default)", USED_UP),
    "by `:=`": (ITEMS, "map(lambda x: sum(g := (y for y in (x, 2))) + sum(g))", USED_UP),
    "a name that the loop changes": (
        ITEMS,
        "map(changed)",
        "this generator uses `k`, which the loop changes meanwhile",
    ),
    "an RDD of them": (LINES, "map(lambda l: (x for x in l.split(','))).count()", "this makes an RDD of generators"),
    "their length": (GROUPS, "groupByKey().mapValues(lambda g: len(x for x in g))", "a generator has no `len`"),
    "their items": (LINES, "map(lambda l: map(len, l.split(','))[0])", "a generator has no items that are indexed"),
    "items of two types, of partitions": (ITEMS, "mapPartitions(of_two_types)", "are of several types"),
    "items of two types, of pieces": (LINES, "flatMap(lambda l: of_two_types(l.split(',')))", "are of several types"),
    "no items, of partitions": (ITEMS, "mapPartitions(of_none)", "must make items of each element alone"),
    "no items, of pieces": (LINES, "flatMap(lambda l: of_none(l.split(',')))", "are never there"),
    "no items, by key": (LINES, "keyBy(len).flatMapValues(lambda l: of_none(l.split(',')))", "are never there"),
    "their truth": (
        GROUPS,
        "groupByKey().mapValues(lambda g: 1 if (x for x in g if x > 9) else 0)",
        "is a generator, which Python always finds true",
    ),
}


@pytest.mark.parametrize("name", READ)
def test_what_is_used_once_is_read(name: str, read: Callable[..., SourceProgram]) -> None:
    of, body = READ[name]
    text = f"{START}\ndef p(r: '{of}'):\n    return r.{body}\n"
    program, given = read(text), GIVEN[of]
    assert same(run_by_terms(program, [given]), run_by_python(load(text), [given]))


@pytest.mark.parametrize("name", REFUSED)
def test_what_may_be_used_twice_is_refused(name: str, refusal: Callable[..., str]) -> None:
    of, body, message = REFUSED[name]
    assert message in refusal(f"{START}\ndef p(r: '{of}'):\n    return r.{body}\n")


WHOLE_PARTITIONS = (
    "    values = list(part)\n    return [len(values)]\n",
    "    return [len(list(part))]\n",
    "    return [sum(1 for x in list(part)), len(list(part))]\n",
    "    return list(part)[0]\n",
    "    return [len(set(part))]\n",
    "    first, second = part\n    return [first]\n",
    "    from collections import Counter\n    return Counter(part).items()\n",
)


@pytest.mark.parametrize("body", WHOLE_PARTITIONS)
@pytest.mark.parametrize("of", ["int", "str"])
def test_what_is_asked_of_a_whole_partition_is_refused(body: str, of: str, refusal: Callable[..., str]) -> None:
    assert refusal(f"def f(part):\n{body}def p(r: 'RDD[{of}]'): return r.mapPartitions(f)").startswith("jobs.py:")
