"""Sets of some items of a group, several sets of one group, and dictionaries that add up numbers of a group by keys."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tallystick import check
from tallystick.frontends.pyspark import SourceProgram

from .local_rdd import load, run_by_python, run_by_terms, same

PAIRS = [("a", 3), ("b", 0), ("a", 3), ("a", -1), ("c", 6), ("b", 5), ("", 1), ("b", -5), ("a", 2), ("b", 0)]
PREAMBLE = """
from collections import Counter, defaultdict

def summed(g):
    d = {}
    for x in g:
        d[x % 3] = d.get(x % 3, 0) + x
    return d

def summed_some(g):
    d = defaultdict(int)
    for x in g:
        if x > 0:
            d[x % 3] += x
        elif x < -2:
            d[x] += 1
    return d

def asked(d):
    return len(d), d.get(0, 0), d.get(2, -7), 1 in d, sum(v for k, v in d.items() if k), min(d.values(), default=9)

def best(d):
    return max(d.items(), key=lambda p: (p[1], p[0])), min(d, key=lambda k: (-d[k], k)), max(sorted(d), key=d.get)

def above(g):
    kinds = {x for x in g}
    mean = sum(kinds) // len(kinds)
    return [x for x in g if x > mean]

def largest(g):
    d = {}
    for x in g:
        if x % 3 not in d or x > d[x % 3]:
            d[x % 3] = x
    return d

def from_default(g):
    d = {}
    for x in g:
        d.setdefault(abs(x), 7)
        d[abs(x)] += x
    return d

def of_some(g):
    d = {}
    for x in g:
        if x >= 0:
            low, n = d.get(x % 2, (9, 0))
            d[x % 2] = (min(low, x), n + 1)
    return {k: low * 10 + n for k, (low, n) in d.items()}

def made_first(g):
    d = {}
    for x in g:
        if x % 3 not in d:
            d[x % 3] = 0
        if x != 3:
            d[x % 3] += x
    return d

def halves(g):
    d = defaultdict(int)
    for x in g:
        if x % 2:
            continue
        d[x % 3] = max(d[x % 3], 6 // (x % 2 + 1) - x)
    return d

def of_keys(g):
    d = {}
    for x in g:
        d[abs(x)] = abs(x) % 3
    return d

def last(g):
    d = {}
    for x in g:
        if x != 1:
            d[x % 3] = x
    return d

def above_zero(pair):
    key, g = pair
    d = {}
    for x in g:
        d[x % 3] = max(d.get(x % 3, len(key)), x)
    for k, v in d.items():
        if v > 0:
            yield key, k, v

def first(g):
    d = {}
    for x in g:
        if x % 3 not in d:
            d[x % 3] = x
    return d

def of_both(p):
    d = {}
    for x in p[1]:
        d[x % 2] = min(d.get(x % 2, x), x, 4)
    return len(d), sum(d.values()), d.get(1, -1), len(Counter(p[0])), Counter(p[1])[3]

def no_key(g):
    e = defaultdict(int)
    for x in g:
        e[x] += 1
    return e[0] - e[3]
"""
BODIES = {
    "a set of some": "s.groupByKey().mapValues(lambda g: len({x for x in g if x > 0}))",
    "the best of some": "s.groupByKey().mapValues(lambda g: max({x * x for x in g if x != 3}, default=-1))",
    "in a set of some": "s.groupByKey().mapValues(lambda g: 3 in {x for x in g if x > 0})",
    "without the key": "s.groupByKey().map(lambda e: len({x for x in e[1] if x > len(e[0])}))",
    "a set of a set of some": "s.groupByKey().mapValues(lambda g: sum({x % 2 for x in {abs(x) for x in g if x}}))",
    "its items": "s.groupByKey().flatMap(lambda e: [(e[0], x) for x in sorted({x for x in e[1] if x > 0})])",
    "a group and its set": "s.groupByKey().mapValues(lambda g: (len(list(g)), len(set(g)), sum(g)))",
    "two sets": "s.groupByKey().mapValues(lambda g: (len({x % 2 for x in g}), sum({x for x in g if x > 0}), max(g)))",
    "a Counter and a set of its items": (
        "s.groupByKey().mapValues(lambda g: sum(Counter(g).values()) * 100 + len(set((x, 1) for x in g)))"
    ),
    "a Counter and a set, counted": (
        "s.groupByKey().mapValues(lambda g: sum(1 for _ in Counter(g).items()) + sum(9 for _ in {(x, 1) for x in g}))"
    ),
    "what depends on a set of all": "s.groupByKey().flatMapValues(above)",
    "a filter by a set": "s.groupByKey().filter(lambda e: len(set(e[1])) > 2).mapValues(list)",
    "what depends on a group": "s.groupByKey().mapValues(lambda g: len({x for x in g if x < max(g)}))",
    "a set, and more": "s.groupByKey().mapValues(lambda g: (len(set(g)), sum(x for x in g if x < max(g))))",
    "a Counter of one side": "s.cogroup(s).mapValues(lambda p: len(Counter(p[0])))",
    "a filter of both": "s.groupByKey().filter(lambda e: len(set(e[1])) < len(e[1])).mapValues(len)",
    "two filters": "s.groupByKey().filter(lambda e: len(set(e[1])) > 1).filter(lambda e: sum(e[1]) > 3).keys()",
    "sets of both sides": (
        "s.cogroup(s.mapValues(lambda v: v % 3)).mapValues(lambda p: (len(set(p[0])), len(set(p[1]))))"
    ),
    "sets and sums of both sides": (
        "s.cogroup(s.filter(lambda e: e[1] > 0)).mapValues(lambda p: (sum(p[0]), sum({x for x in p[1] if x < 6})))"
    ),
    "a Counter": "s.groupByKey().mapValues(lambda g: asked(Counter(g)))",
    "the best of a Counter": "s.groupByKey().mapValues(lambda g: best(Counter(x % 4 for x in g)))",
    "a Counter and a sum": "s.groupByKey().mapValues(lambda g: (max(Counter(g).values()), sum(g), len(set(g))))",
    "a Counter of some": "s.groupByKey().mapValues(lambda g: asked(Counter(x for x in g if x > 0)))",
    "keys of a Counter": "s.groupByKey().flatMapValues(lambda g: Counter(g))",
    "what is there twice": "s.groupByKey().flatMapValues(lambda g: [k for k, n in Counter(g).items() if n > 1])",
    "sums": "s.groupByKey().mapValues(lambda g: asked(summed(g)))",
    "the best sum": "s.groupByKey().mapValues(lambda g: best(summed(g)))",
    "sums of some": "s.groupByKey().mapValues(lambda g: asked(summed_some(g)))",
    "a key that is not there": "s.groupByKey().mapValues(no_key)",
    "the largest at each key": "s.groupByKey().mapValues(lambda g: asked(largest(g)))",
    "the best of the largest": "s.groupByKey().mapValues(lambda g: best(largest(g)))",
    "sums from a default": "s.groupByKey().mapValues(lambda g: asked(from_default(g)))",
    "pairs at keys of some": "s.groupByKey().mapValues(lambda g: asked(of_some(g)))",
    "zeros first": "s.groupByKey().mapValues(lambda g: asked(made_first(g)))",
    "a default dictionary that is looked at": (
        "s.groupByKey().mapValues(lambda g: sum(halves(g).values()) + halves(g)[1])"
    ),
    "one value for each key": "s.groupByKey().mapValues(lambda g: (asked(of_keys(g)), best(of_keys(g))))",
    "the keys of a last value": (
        "s.groupByKey().mapValues(lambda g: (len(last(g)), max(last(g), default=5), 2 in last(g)))"
    ),
    "keys of a last value": "s.groupByKey().flatMapValues(lambda g: last(g))",
    "a generator": "s.groupByKey().flatMap(above_zero)",
    "what is above": "s.groupByKey().flatMapValues(lambda g: [k for k, v in largest(g).items() if v > 2])",
    "dictionaries of both sides": "s.cogroup(s.filter(lambda e: e[1] > 0)).mapValues(of_both)",
    "dictionaries of both inputs": "s.map(lambda e: e).cogroup(s.map(lambda e: (e[0] + 'a', e[1]))).mapValues(of_both)",
    "a comprehension": "s.groupByKey().mapValues(lambda g: asked({x: x * 2 for x in g if x > 0}))",
    "one of a dictionary": "s.groupByKey().mapValues(lambda g: asked({k: v for k, v in summed(g).items() if v > 0}))",
    "one of a set": "s.groupByKey().mapValues(lambda g: asked({x: 1 for x in set(g)}))",
    "pairs of what is there once": (
        "s.distinct().map(lambda e: (e, 2)).reduceByKey(lambda a, b: a).map(lambda e: (e[0][0], (e[0][1], e[1])))"
        ".groupByKey().mapValues(lambda g: asked(dict(g)))"
    ),
    "pairs of a sum": (
        "s.map(lambda e: ((e[0], e[1] % 3), e[1])).reduceByKey(lambda a, b: a + b)"
        ".map(lambda e: (e[0][0], (e[0][1], e[1]))).groupByKey().mapValues(lambda g: (asked(dict(g)), best(dict(g))))"
    ),
    "the highest count": "s.groupByKey().mapValues(lambda g: Counter(g).most_common(1)[0][1])",
    "the number of all": "s.groupByKey().mapValues(lambda g: Counter(g).total())",
    "one that a Counter has not": "s.groupByKey().mapValues(lambda g: Counter(g)[3] + dict(summed(g)).get(1, 2))",
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_it_means_what_python_computes(body: str, read: Callable[..., SourceProgram]) -> None:
    text = f"{PREAMBLE}\ndef p(s: 'RDD[tuple[str, int]]'):\n    return {body}"
    program = read(text)
    for size in range(len(PAIRS) + 1):
        assert same(run_by_terms(program, [PAIRS[:size]]), run_by_python(load(text), [PAIRS[:size]]))


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("s.groupByKey().mapValues(lambda g: {x for x in g if x > 0})", "may be empty"),
        ("s.groupByKey().mapValues(lambda g: sum(last(g).values()))", "depends on the order of the group"),
        ("s.groupByKey().mapValues(lambda g: last(g)[1])", "depends on the order of the group"),
        ("s.groupByKey().mapValues(lambda g: len({x: y for x in g for y in g}))", "must have a fixed number of items"),
        ("s.groupByKey().mapValues(lambda g: (lambda d: d[5] + len(d))(summed_some(g)))", "makes a key that is not"),
        ("s.groupByKey().mapValues(lambda g: [Counter(g)[x] for x in g][0])", "a look-up of an item of a list"),
    ],
)
def test_what_is_not_read_is_refused_by_name(body: str, message: str, refusal: Callable[..., str]) -> None:
    assert message in refusal(f"{PREAMBLE}\ndef p(s: 'RDD[tuple[str, int]]'):\n    return {body}")


GROUPS, DISTINCT = "s.groupByKey().mapValues", "s.distinct()"
ANSWERS = {
    "distinct ones": (f"{GROUPS}(lambda g: len(set(g)))", f"{DISTINCT}.mapValues(lambda v: 1).reduceByKey(add)", True),
    "some and none of them": (
        f"{GROUPS}(lambda g: len({{x for x in g if x > 0}}))",
        f"{DISTINCT}.filter(lambda e: e[1] > 0).mapValues(lambda v: 1).reduceByKey(add)",
        False,
    ),
    "some, and once each": (
        f"{GROUPS}(lambda g: len({{x for x in g if x > 0}}))",
        f"{GROUPS}(lambda g: len([x for x in g if x > 0]))",
        False,
    ),
    "both, in any order": (
        f"{GROUPS}(lambda g: (len(set(g)), sum(g)))",
        f"{GROUPS}(lambda g: (sum(g), len(set(g)))).mapValues(lambda p: (p[1], p[0]))",
        True,
    ),
    "both, and a join": (
        f"{GROUPS}(lambda g: (len(set(g)), sum(g)))",
        f"{DISTINCT}.mapValues(lambda v: 1).reduceByKey(add).join(s.reduceByKey(add))",
        True,
    ),
    "both, or one twice": (
        f"{GROUPS}(lambda g: (len(set(g)), len(g)))",
        f"{GROUPS}(lambda g: (len(g), len(g)))",
        False,
    ),
    "one value of a dictionary": (
        f"{GROUPS}(lambda g: Counter(g)[3])",
        "s.mapValues(lambda v: 1 if v == 3 else 0).reduceByKey(add)",
        True,
    ),
    "another value": (f"{GROUPS}(lambda g: Counter(g)[3])", f"{GROUPS}(lambda g: Counter(g)[4])", False),
    "a set of pairs, and a dictionary": (
        f"{GROUPS}(lambda g: sum(1 for _ in {{(x, 1) for x in g}}))",
        f"{GROUPS}(lambda g: sum(1 for _ in Counter(g).items()))",
        None,
    ),
    "of a set, or of a list": (
        "s.groupByKey().flatMapValues(above)",
        "s.groupByKey().flatMapValues(lambda g: [x for x in g if x > sum(g) // len(list(g))])",
        False,
    ),
    "the largest at each key": (
        f"{GROUPS}(lambda g: sum(largest(g).values()))",
        "s.map(lambda e: ((e[0], e[1] % 3), e[1])).reduceByKey(max).map(lambda e: (e[0][0], e[1])).reduceByKey(add)",
        True,
    ),
    "the largest, or the smallest": (
        f"{GROUPS}(lambda g: sum(largest(g).values()))",
        "s.map(lambda e: ((e[0], e[1] % 3), e[1])).reduceByKey(min).map(lambda e: (e[0][0], e[1])).reduceByKey(add)",
        False,
    ),
    "the number of keys": (
        f"{GROUPS}(lambda g: len({{x % 3: x for x in g}}))",
        "s.mapValues(lambda v: v % 3).distinct().mapValues(lambda v: 1).reduceByKey(add)",
        True,
    ),
    "the number of keys of some": (
        f"{GROUPS}(lambda g: len(last(g)))",
        "s.mapValues(lambda v: v % 3).distinct().mapValues(lambda v: 1).reduceByKey(add)",
        False,
    ),
    "from a default, or not": (
        f"{GROUPS}(lambda g: sum(from_default(g).values()))",
        f"{GROUPS}(lambda g: sum(g))",
        False,
    ),
    "a generator of the largest": (
        "s.groupByKey().flatMap(above_zero)",
        "s.groupByKey().flatMap(lambda e: [(e[0], k, v) for k, v in largest(e[1]).items() if v > 0])",
        False,
    ),
    "the most common, of two as often": (
        f"{GROUPS}(lambda g: Counter(g).most_common(1)[0][0])",
        f"{GROUPS}(lambda g: min(Counter(g).items(), key=lambda p: (-p[1], p[0]))[0])",
        None,
    ),
    "how often the most common is there": (
        f"{GROUPS}(lambda g: Counter(g).most_common(1)[0][1])",
        f"{GROUPS}(lambda g: max(Counter(g).values()))",
        None,
    ),
    "the first at each key": (
        f"{GROUPS}(lambda g: sum(first(g).values()))",
        f"{GROUPS}(lambda g: sum(first(sorted(g)).values()))",
        None,
    ),
    "ties": (
        f"{GROUPS}(lambda g: max(Counter(g).items(), key=lambda p: (p[1], p[0])))",
        f"{GROUPS}(lambda g: max(Counter(g).items(), key=lambda p: (p[1], -p[0])))",
        False,
    ),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_pairs(name: str, tmp_path: Path) -> None:
    left, right, answer = ANSWERS[name]
    functions = "".join(
        f"def {f}(s: 'RDD[tuple[str, int]]'):\n    return {each}\n" for f, each in (("f", left), ("g", right))
    )
    (tmp_path / "jobs.py").write_text(f"from operator import add\n{PREAMBLE}{functions}")
    verdict = check(f"{tmp_path}/jobs.py:f", f"{tmp_path}/jobs.py:g").verdict
    expected = {True: ("equivalent",), False: ("inequivalent",), None: ("equivalent", "unknown")}[answer]
    assert verdict in expected
