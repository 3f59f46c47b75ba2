"""Two loops over groups, one in the other, are products by key; pairs of one sorted group are those in order."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tallystick import check
from tallystick.frontends.pyspark import SourceProgram

from .local_rdd import load, run_by_python, run_by_terms, same

PAIRS = [("a", 3), ("b", -1), ("a", 3), ("a", -2), ("c", 0), ("b", 5), ("c", 7), ("a", 2)]
OTHERS = [("a", 3), ("a", 9), ("b", 5), ("b", 5), ("d", 1)]
PREAMBLE = """
from itertools import combinations

def around(kv):
    key, (left, right) = kv
    for v in left:
        for w in set(right):
            if v != w:
                yield key, v + w

def later(values):
    values = sorted(set(values))
    found = []
    for i, v in enumerate(values):
        for w in values[i + 1:]:
            if w - v > 1:
                found.append((v, w))
    return found

def downwards(values):
    values = sorted(values, reverse=True)
    for i, v in enumerate(values):
        for w in values[i + 1:]:
            yield v, w
"""
BODIES = {
    "two sides": "s.cogroup(t).flatMap(lambda kv: [(kv[0], v, w) for v in kv[1][0] for w in kv[1][1]])",
    "values alone": "s.cogroup(t).values().flatMap(lambda p: [(w, v) for v in p[0] if v > 0 for w in p[1] if w != v])",
    "a generator": "s.cogroup(t).flatMap(around)",
    "with keys": "s.cogroup(t).flatMapValues(lambda p: [v - w for v in set(p[0]) for w in set(p[1])])",
    "a set of pairs": "s.cogroup(t).flatMapValues(lambda p: {v > w for v in p[0] for w in p[1]})",
    "one group twice": "s.groupByKey().flatMap(lambda kv: [(kv[0], v, w) for v in kv[1] for w in kv[1] if v < w])",
    "a set twice": "s.groupByKey().mapValues(set).flatMapValues(lambda g: ((v, w) for v in g for w in g))",
    "combinations": "s.groupByKey().flatMap(lambda kv: combinations(sorted(set(kv[1])), 2))",
    "combinations with keys": "s.distinct().groupByKey().flatMapValues(lambda g: combinations(sorted(g), 2))",
    "a slice": "s.groupByKey().flatMapValues(later)",
    "a slice downwards": "s.distinct().map(lambda p: (p[0], p[1])).groupByKey().values().flatMap(downwards)",
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_it_means_what_python_computes(body: str, read: Callable[..., SourceProgram]) -> None:
    text = f"{PREAMBLE}\ndef p(s: 'RDD[tuple[str, int]]', t: 'RDD[tuple[str, int]]'):\n    return {body}"
    assert same(run_by_terms(read(text), [PAIRS, OTHERS]), run_by_python(load(text), [PAIRS, OTHERS]))


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("flatMapValues(lambda g: combinations(sorted(g), 2))", "may be there twice"),
        ("flatMapValues(lambda g: combinations(g, 2))", "pairs of items of a group are read of a list that `sorted`"),
        ("flatMapValues(lambda g: combinations(sorted(set(g), key=abs), 2))", "without a key"),
        ("mapValues(lambda g: sum(i for i, v in enumerate(sorted(g))))", "the index of an item"),
        ("flatMapValues(lambda g: [i for i, v in enumerate(sorted(g))])", "the index of an item"),
        ("mapValues(lambda g: len([1 for v in g for w in g]))", "`len`"),
        ("flatMapValues(lambda g: [v + w + sum(g) for v in g for w in g])", "a result of the whole group"),
        ("map(lambda kv: [v for v in kv[1] for w in kv[1]])", "a list of what is made of pairs"),
    ],
)
def test_what_is_not_read_is_refused_by_name(body: str, message: str, refusal: Callable[..., str]) -> None:
    assert message in refusal(f"{PREAMBLE}\ndef p(s: 'RDD[tuple[str, int]]'):\n    return s.groupByKey().{body}")


JOBS = """
from itertools import combinations
from pyspark import RDD

def bought_together(sales: RDD[tuple[int, str]]):
    baskets = sales.distinct().groupByKey()
    return baskets.flatMap(lambda kv: [(p, 1) for p in combinations(sorted(kv[1]), 2)]).reduceByKey(lambda a, b: a + b)

def pairs(sales: RDD[tuple[int, str]]):
    baskets = sales.groupByKey().mapValues(set).values()
    return baskets.flatMap(lambda g: [(a, b) for a in g for b in g if a < b])

def pairs_right(sales: RDD[tuple[int, str]]):
    return sales.groupByKey().flatMap(lambda kv: combinations(sorted(set(kv[1])), 2))

def pairs_wrong(sales: RDD[tuple[int, str]]):
    return sales.groupByKey().flatMap(lambda kv: [(a, b) for a in kv[1] for b in kv[1] if a < b])

def pairs_with_themselves(sales: RDD[tuple[int, str]]):
    baskets = sales.groupByKey().mapValues(set).values()
    return baskets.flatMap(lambda g: [(a, b) for a in g for b in g if a <= b])

def joined(sales: RDD[tuple[int, str]]):
    once = sales.distinct()
    return once.join(once).values().filter(lambda p: p[0] < p[1])
"""


@pytest.mark.parametrize(
    ("other", "answer"),
    [
        ("pairs_right", "equivalent"),
        ("joined", "equivalent"),
        ("pairs_wrong", "inequivalent"),
        ("pairs_with_themselves", "inequivalent"),
    ],
)
def test_refactorings_are_told_apart(tmp_path: Path, other: str, answer: str) -> None:
    path = tmp_path / "jobs.py"
    path.write_text(JOBS)
    assert check(f"{path}:pairs", f"{path}:{other}").verdict.value == answer
