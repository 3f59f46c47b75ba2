"""Lists and dictionaries of an RDD's elements at the driver, loops that are left early, slices: as Python has them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tallystick import check
from tallystick.core.interpreter import bag_of
from tallystick.frontends.pyspark import SourceProgram

from .local_rdd import load, run_by_python, run_by_terms, same

PAIRS = [("a", 3), ("b", -2), ("a", 7), ("c", 0), ("b", 3), ("", 3)]
PREAMBLE = """
from decimal import Decimal
from enum import Enum
from functools import reduce
from pyspark.sql import Row

class Side(Enum):
    LEFT = 1
    RIGHT = 2

BOUNDS = (0, 3, 5)

def level(x):
    found = -1
    for index, bound in enumerate(BOUNDS):
        if x < bound:
            break
        found = index
    return found

def first_over(x):
    for bound in BOUNDS:
        if bound <= x:
            if bound == 3:
                continue
            else:
                x -= 1
        else:
            return (bound, x)
        x += 2
    return (-1, x)

def nested(x):
    total = 0
    for i in range(3):
        for j in range(3):
            if i * j > x:
                break
            if j == 1:
                continue
            total += 10 * i + j
        if total > 12:
            break
    return total

def kept(lines):
    for k, v in lines:
        if v < 0:
            continue
        if not k:
            continue
        yield (k, v)

def counts(s, n=3, tag="x"):
    return s.map(lambda p: (tag + p[0], min(p[1], n)))

class Job(object):
    def __init__(self, low=0):
        self.low = low

    def run(self, s):
        return s.filter(lambda p: p[1] > self.low)

def given(x):
    if x is None:
        x = 0
    return x * 2
"""
BODIES = {
    "items, sorted": "sorted(s.countByKey().items())",
    "keys, sorted": "sorted(s.countByKey(), reverse=True)",
    "by a key": "sorted(s.collect(), key=lambda p: (-p[1], p[0]))",
    "the first ones": "sorted(s.collect(), key=lambda p: (-p[1], p[0]))[:2]",
    "fewer than the first ones": "s.takeOrdered(3)[:2] ",
    "more than the first ones": "s.takeOrdered(2)[:3]",
    "of the first ones": "[k for k, v in s.takeOrdered(3, key=lambda p: (-p[1], p[0]))]",
    "a dictionary of pairs": "dict(list(s.reduceByKey(max).collect()))",
    "a dictionary of a dictionary": "dict(s.countByKey())",
    "a dictionary that is mapped": "{k: v + 1 for k, v in s.reduceByKey(max).collect() if v > 0}",
    "a dictionary of items": "{k: -v for k, v in s.countByKey().items()}",
    "a list that is mapped": "[v * v for k, v in s.collect() if k]",
    "values": "list(s.countByKey().values())",
    "aggregates": "(sum(v for _, v in s.collect()), len(s.collect()), len([1 for k, v in s.collect() if k and v]))",
    "extrema": "(max(s.collect()), min(v for k, v in s.collect()), max(s.countByKey().values()))",
    "whether there is one": (
        "(any(v > 5 for _, v in s.collect()), all(v for _, v in s.collect()), 1 if s.collect() else 0)"
    ),
    "break": "s.mapValues(level)",
    "continue": "s.map(lambda p: first_over(p[1]))",
    "loops in loops": "s.map(lambda p: nested(p[1]))",
    "continue in a generator": "s.mapPartitions(kept)",
    "slices": "s.map(lambda p: (p[0], p[1], p[1] + 1)).map(lambda t: (t[:2], t[::-1], t[-2:], [1, 2, 3][:2][1]))",
    "truth of a text and a condition": "s.filter(lambda p: p[0] and p[1] > 2)",
    "truth of a number or a text": "s.filter(lambda p: p[1] or p[0])",
    "Decimals of a group": "s.mapValues(lambda v: Decimal(v) / 4).groupByKey().mapValues(sum).map(lambda p: p[1] > 1)",
    "defaults say types": "counts(s)",
    "a class of object": "Job(2).run(s)",
    "map, filter and reduce of functions": (
        "s.map(lambda p: reduce(lambda a, f: f(a), [abs, lambda x: x + 1, given], p[1]) + sum(map(given, (p[1], 2)))"
        " + len(list(filter(lambda x: x > p[1], BOUNDS))))"
    ),
    "filter of pieces": "s.flatMap(lambda p: filter(None, (p[0] + ' x ').split(' ')))",
    "a tuple of functions": "s.map(lambda p: [f(p[1]) for f in (given, level, lambda x: -x)][2])",
    "an RDD and another": "s + s.filter(lambda p: p[1] > 0)",
    "is True": (
        "s.mapValues(lambda v: v > 0).leftOuterJoin(s.mapValues(lambda v: None if v == 3 else v > 1))"
        ".map(lambda x: (x[1][1] is True, x[1][1] is not False, x[1][0] is False))"
    ),
    "members of an enum": "s.map(lambda p: [side == Side.LEFT for side in Side][0])",
    "fields of a row": "s.map(lambda p: Row(name=p[0], n=p[1])).map(lambda r: (r['n'], r.name))",
    "None that was replaced": "s.leftOuterJoin(s.filter(lambda p: p[1] > 2)).mapValues(lambda p: given(p[1]))",
}


@pytest.mark.parametrize("name", BODIES)
def test_what_is_read_means_what_python_computes(name: str, read: Callable[..., SourceProgram]) -> None:
    text = f"{PREAMBLE}\ndef p(s: 'RDD[tuple[str, int]]'):\n    return {BODIES[name]}\n"
    program, function = read(text), load(text)
    for given in (PAIRS, PAIRS[:3], PAIRS[4:], []):
        expected, found = run_by_python(function, [list(given)]), run_by_terms(program, [list(given)])
        if isinstance(found, dict) and isinstance(expected, list):
            expected = bag_of(expected)
        assert same(found, expected), name


def test_types_of_parameters_are_those_of_their_defaults(read: Callable[..., SourceProgram]) -> None:
    program = read("def p(sc, r: 'RDD[int]', low=3, name='a', strict=True):\n    return r.filter(lambda x: x > low)\n")
    assert program.parameters == "(r: RDD[int], low: int, name: str, strict: bool)"


def test_items_that_are_sorted_are_a_sorted_table() -> None:
    def one(s):
        return sorted(s.countByKey().items())

    def other(s):
        return s.mapValues(lambda v: 1).reduceByKey(lambda a, b: a + b).sortByKey().collect()

    def wrong(s):
        return s.mapValues(lambda v: 1).distinct().sortByKey().collect()

    types = "s: RDD[tuple[str, int]]"
    assert check(one, other, types=types, timeout=120).verdict.value == "equivalent"
    assert check(one, wrong, types=types, timeout=120).verdict.value == "inequivalent"


@pytest.mark.slow
def test_the_best_of_what_is_no_number_is_compared_by_all_of_it() -> None:
    """A reading of a fold is not tried for a component whose step depends on another: that ended in a defect."""

    def one(s):
        return s.map(lambda p: (p[0], (-p[1], p[2]))).reduceByKey(min).mapValues(lambda p: (-p[0], p[1]))

    def right(s):
        def better(a, b):
            if a[0] == b[0]:
                return a if a[1] <= b[1] else b
            return a if a[0] > b[0] else b

        return s.map(lambda p: (p[0], (p[1], p[2]))).reduceByKey(better)

    def wrong(s):
        return s.map(lambda p: (p[0], (p[1], p[2]))).reduceByKey(max)

    types = "s: RDD[tuple[int, int, tuple[int, int]]]"
    assert check(one, right, types=types, timeout=120).verdict.value == "equivalent"
    assert check(one, wrong, types=types, timeout=120).verdict.value == "inequivalent"
