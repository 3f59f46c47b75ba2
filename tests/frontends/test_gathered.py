"""Lists and sets that folds by key put together are groups: they mean what Python computes, or are refused."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tallystick.frontends.pyspark import SourceProgram

from .local_rdd import load, run_by_python, run_by_terms, same

PAIRS = [(1, 3), (2, -2), (1, 7), (3, 0), (2, 3), (1, 3), (2, 9), (-1, -5)]
PREAMBLE = """
def put(s, v):
    s.add(v % 5)
    return s
def joined(a, b):
    a.update(b)
    return a
def append(l, v):
    l.append(v)
    return l
def extend(a, b):
    a.extend(b)
    return a
def grow(l, v):
    l += [v]
    l.extend([v + 1])
    return l
def positive(l, v):
    if v > 0:
        l.append(v)
    return l
def twice(l, v):
    l.append(v)
    if v > 2:
        l.append(-v)
    elif v < 0:
        l.append(0)
    return l
def some(s, v):
    if v > 0:
        s.add(v % 5)
    return s
def either(s, v):
    if v > 0:
        s.add(v)
    else:
        s.add(-v)
    return s
"""
READ = (
    "s.aggregateByKey(set(), lambda s, v: s | {v}, lambda a, b: a | b).mapValues(len)",
    "s.aggregateByKey(set(), put, joined).mapValues(lambda g: (len(g), sum(g), max(g)))",
    "s.aggregateByKey(set(), lambda s, v: s.union({v}), set.union).map(lambda kv: (kv[0], len(kv[1])))",
    "s.aggregateByKey([], lambda l, v: l + [v], lambda a, b: b + a).mapValues(lambda g: (len(g), sum(g)))",
    "s.aggregateByKey([], append, extend).mapValues(lambda g: sum(x * 2 for x in g if x > 0))",
    "s.aggregateByKey([], grow, extend).mapValues(lambda g: (len(g), sum(g), min(g)))",
    "s.combineByKey(lambda v: [v], lambda l, v: l + [v], lambda a, b: a + b).mapValues(sum)",
    "s.combineByKey(lambda v: {v % 3}, lambda l, v: l | {v % 3}, joined).mapValues(len)",
    "s.combineByKey(lambda v: [v], append, extend).filter(lambda kv: len(kv[1]) > 1).mapValues(max)",
    "s.mapValues(lambda v: [v]).reduceByKey(lambda a, b: a + b).mapValues(lambda g: sorted(g)[0])",
    "s.mapValues(lambda v: {v}).reduceByKey(set.union).mapValues(len)",
    "s.map(lambda p: (p[0], {p[1], 4})).reduceByKey(lambda a, b: a | b).mapValues(len)",
    "s.map(lambda p: (p[1] % 2, [p[0]])).reduceByKey(extend).flatMapValues(lambda g: g)",
    "s.mapValues(lambda v: [v, v]).mapValues(lambda l: l + [1]).reduceByKey(extend).mapValues(len)",
    "s.aggregateByKey(set(), either, joined).mapValues(len)",
    "s.aggregateByKey([], lambda l, v: [*l, v], lambda a, b: [*a, *b]).mapValues(sum)",
    "s.combineByKey(lambda v: {v}, lambda s, v: {*s, v}, lambda a, b: {*a, *b}).mapValues(len)",
    "s.mapValues(lambda v: [v] if v > 0 else []).reduceByKey(extend).mapValues(len)",
    "s.mapValues(lambda v: {v % 5} if v > 0 else set()).reduceByKey(set.union).mapValues(lambda g: (len(g), sum(g)))",
    "s.aggregateByKey([], lambda l, v: l + [v] if v > 0 else l, extend).mapValues(lambda g: (len(g), sum(g)))",
    "s.aggregateByKey([], positive, extend).mapValues(lambda g: max(g) if g else 0)",
    "s.aggregateByKey([], twice, extend).mapValues(lambda g: (len(g), sum(g)))",
    "s.aggregateByKey(set(), some, joined).mapValues(lambda g: (len(g), sum(g)))",
    "s.aggregateByKey([], positive, extend).filter(lambda kv: len(kv[1]) > 1).mapValues(sum)",
    "s.aggregateByKey([], positive, extend).filter(lambda kv: kv[1]).keys()",
    "s.aggregateByKey([], positive, extend).flatMapValues(lambda g: g)",
    "s.mapValues(lambda v: [v]).foldByKey([], lambda a, b: a + b).mapValues(sum)",
    "s.groupByKey().mapValues(lambda g: [v for v in g if v > 0]).mapValues(len)",
    "s.groupByKey().mapValues(lambda g: {v % 3 for v in g if v > 0}).mapValues(lambda g: (len(g), sum(g)))",
    "s.groupByKey().mapValues(lambda g: {v % 3 for v in g if v > 0}).mapValues(lambda g: len([v for v in g if v]))",
    "s.groupByKey().mapValues(lambda g: sorted(v for v in g if v > 0)).filter(lambda p: p[1]).mapValues(min)",
    "s.groupByKey().mapValues(lambda g: [v for v in g if v > 0]).filter(lambda kv: len(kv[1]) > 1).mapValues(max)",
    "s.groupByKey().mapValues(lambda g: [v for v in g]).mapValues(lambda g: {v for v in g if v < 5}).mapValues(sum)",
    "s.groupByKey().map(lambda kv: (kv[0], [v for v in kv[1] if v > kv[0]])).mapValues(lambda g: (len(g), sum(g)))",
    "s.groupByKey().mapValues(lambda g: [v for v in g if v > 0]).values().map(len)",
    "s.groupByKey().mapValues(lambda g: [v for v in g if v > 3]).count()",
    "sorted(s.map(lambda p: {p[1]} if p[1] > 0 else set()).fold(set(), lambda a, b: a | b))",
    "sum(s.map(lambda p: [p[1]]).fold([], lambda a, b: a + b))",
    "len(s.map(lambda p: p[1]).aggregate(set(), lambda s, v: s | {v}, lambda a, b: a | b))",
    "sum(s.map(lambda p: p[1]).aggregate([], append, extend))",
)
REFUSED = (
    ("s.aggregateByKey([], lambda l, v: l if v in l else l + [v], lambda a, b: a + b).mapValues(len)", ""),
    ("s.aggregateByKey([], lambda l, v: l + l + [v], lambda a, b: a + b).mapValues(len)", "with itself"),
    ("s.aggregateByKey([], lambda l, v: l + [v], lambda a, b: a).mapValues(len)", "two lists together"),
    ("s.aggregateByKey([], lambda l, v: l + [v], lambda a, b: a + b + [0]).mapValues(len)", "two lists together"),
    ("s.aggregateByKey(set(), lambda l, v: l | {v}, lambda a, b: a + b).mapValues(len)", "operator"),
    ("s.aggregateByKey([], lambda l, v: l + [len(l)], lambda a, b: a + b).mapValues(sum)", ""),
    ("s.aggregateByKey([], alias, extend).mapValues(len)", "another name"),
    ("s.aggregateByKey([], helped, extend).mapValues(len)", "another name"),
    ("s.aggregateByKey([], captured, extend).mapValues(len)", "another name"),
    ("s.aggregateByKey([], kept, extend).mapValues(len)", "another name"),
    ("s.aggregateByKey([], nothing, extend).mapValues(len)", ""),
    ("s.combineByKey(lambda v: [v, v], append, extend).mapValues(len)", "other items"),
    ("s.aggregateByKey([], reset, extend).mapValues(len)", ""),
    ("s.aggregateByKey(set(), doubled, joined).mapValues(len)", "several items"),
    ("s.combineByKey(lambda v: [v], lambda l, v: l + [v] if v > 0 else l, extend).mapValues(len)", "other items"),
    ("s.aggregateByKey([], lambda l, v: [*l, *l, v], extend).mapValues(len)", "with itself"),
    ("s.mapValues(lambda v: [v]).foldByKey([1], lambda a, b: a + b).mapValues(len)", "from an empty list"),
    ("s.mapValues(lambda v: [v]).foldByKey(set(), lambda a, b: a + b).mapValues(len)", "from an empty list"),
    ("s.mapValues(lambda v: [v]).foldByKey([], extend).mapValues(len)", "another name"),
    ("s.map(lambda p: [p[1]]).fold([], extend)", "another name"),
    ("s.groupByKey().mapValues(lambda g: [v for v in g if v > 0])", "may be empty"),
    ("s.groupByKey().mapValues(lambda g: [v for v in g if v > 0]).filter(lambda kv: len(kv[1]) > 1)", "may be empty"),
    ("s.groupByKey().mapValues(lambda g: [v for v in g if v == max(g)])", "each value"),
    ("s.mapValues(lambda v: {'a': v}).reduceByKey(lambda a, b: a | b)", ""),
)
ALIASES = """
def alias(l, v):
    m = l
    l.append(v)
    return m
def helped(l, v):
    append(l, v)
    return l
def captured(l, v):
    f = lambda: l
    l.append(v)
    return f()
def kept(l, v):
    pair = (l, v)
    l.append(v)
    return pair[0]
def reset(l, v):
    return l + [v] if v > 0 else []
def doubled(s, v):
    if v > 0:
        s.add(v)
        s.add(-v)
    return s
def nothing(l, v):
    return l.append(v)
"""


@pytest.mark.parametrize("body", READ)
def test_it_means_what_python_computes(body: str, read: Callable[..., SourceProgram]) -> None:
    text = f"{PREAMBLE}\ndef p(s: 'RDD[tuple[int, int]]'): return {body}"
    function, program = load(text), read(text)
    for pairs in (PAIRS, PAIRS[:2], [], PAIRS[::-1]):
        assert same(run_by_terms(program, [pairs]), run_by_python(function, [pairs]))


@pytest.mark.parametrize(("body", "message"), REFUSED)
def test_other_uses_of_what_a_fold_has_are_refused(body: str, message: str, refusal: Callable[..., str]) -> None:
    assert message in refusal(f"{PREAMBLE}{ALIASES}\ndef p(s: 'RDD[tuple[int, int]]'): return {body}")


def test_a_value_in_a_set_of_values_equals_one_of_them(read: Callable[..., SourceProgram]) -> None:
    text = "def p(s: 'RDD[tuple[int, int]]'): return s.filter(lambda p: 3 in {p[0], p[1]} or p[1] in set([p[0], 0]))"
    assert same(run_by_terms(read(text), [PAIRS]), run_by_python(load(text), [PAIRS]))


GROUPS = (
    "s.groupByKey().mapValues(lambda g: [v for v in g if v > 0]).filter(lambda kv: kv[1])",
    "s.groupByKey().mapValues(lambda g: sorted({v for v in g if v > 0})).filter(lambda kv: len(kv[1]) > 0)",
    "s.groupByKey().mapValues(lambda g: {v for v in g if v > 0}).filter(lambda kv: bool(kv[1]))",
    "s.aggregateByKey([], positive, extend).filter(lambda kv: kv[1])",
)


@pytest.mark.parametrize("body", GROUPS)
def test_groups_with_items_are_results(body: str, read: Callable[..., SourceProgram]) -> None:
    text = f"{PREAMBLE}\ndef p(s: 'RDD[tuple[int, int]]'): return {body}"
    function, program = load(text), read(text)
    for pairs in (PAIRS, PAIRS[:2], [], PAIRS[::-1]):
        assert same(run_by_terms(program, [pairs]), run_by_python(function, [pairs]))
