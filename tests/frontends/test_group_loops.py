"""Loops over groups, what depends on other results of a group, and `heapq`: each means what Python computes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tallystick import check
from tallystick.frontends.pyspark import SourceProgram

from .local_rdd import load, run_by_python, run_by_terms, same

PAIRS = [(1, 3), (2, -2), (1, 7), (3, 0), (2, 3), (1, 3), (2, 9), (-1, -5)]
OTHERS = [(1, 2), (4, 4), (2, 0), (2, 0)]
PREAMBLE = """
import heapq
from collections import Counter, defaultdict
from heapq import nsmallest
class Summary:
    def __init__(self, total):
        self.total = total
def stats(g):
    n, t, lo, hi = 0, 0, None, None
    for x in g:
        if x < 0:
            continue
        n += 1
        t += x
        lo = x if lo is None else min(lo, x)
        if hi is None or x > hi:
            hi = x
    return n, t, lo, hi
def newest(rows):
    best = None
    for row in rows:
        if best is None or row > best:
            best = row
    return best
def evens(g):
    out = []
    for x in g:
        if x % 2 == 0:
            out.append(x * 10)
    return out
def tagged(kv):
    k, g = kv
    for x in g:
        if x > 2:
            yield k, x - k
def minus_key(kv):
    k, g = kv
    n = 0
    for x in g:
        n += x - k
    return k, n
def above(g):
    limit, n, m = max(g), 0, 0
    for x in g:
        n += 1 if x == limit else 0
    for y in g:
        m = max(m, y - limit, -100)
    return n, m
def in_two(pair):
    left, right = pair
    a, b = 0, 1
    for x in left:
        a += x
    for x in right:
        b += 2 * x
    return a, b
def helper(g, start):
    total = start
    for x in g:
        total += x
    return total
def distinct_sum(g):
    total = 0
    for x in set(g):
        total += x
    return total
def twice(g):
    total = 0
    for x in [2 * y for y in g if y > 0]:
        total += x
    m = 0
    if total > 6:
        for y in g:
            m -= 1
    return total, m
def has_large(g):
    for x in g:
        if x > 6:
            return True
    return False
def none_large(g):
    for x in g:
        if x <= 6:
            continue
        return "large"
    else:
        return "small"
def flagged(g):
    found, n = False, 5
    for x in g:
        if x < 0:
            found = True
            break
    else:
        n += 1
    return found, n
def stops(g):
    for x in g:
        if x > 6:
            return None
        if x < -3:
            break
    return 1
def value_returned(kv):
    k, g = kv
    n = 0
    for x in g:
        n += 0
        if x > k + 5:
            return k, k + 1
    return k, n
def unrolled(p):
    for x in p:
        if x == 2:
            break
    else:
        return -1
    return x
def doubled(g):
    out = []
    for x in g:
        out.extend([x, x + 1])
    return out
def steps(kv):
    k, g = kv
    seen = set(g)
    for step in (3, 7, 9):
        if step not in seen:
            return k, step
    return k, 0
def parts(p):
    out = []
    if p[0] > 1:
        out.append(p[0])
    if p[1] > 1:
        out.extend([p[1], 5])
        out.extend(x for x in p if x > 2)
    if not out:
        out.append(-1)
    return out
def items(g):
    d = defaultdict(int)
    for x in g:
        d[x] += x
    return [t for t in d.items() if t[1] != 3]
def items_of_items(g):
    d = {}
    for x in g:
        d[x % 2] = d.get(x % 2, 0) + 1
    n, most = 0, None
    for k, t in d.items():
        n += k * t
        most = t if most is None else max(most, t)
    return n, most
def by_rest(g):
    totals = {}
    for x in g:
        totals[x % 3] = totals.get(x % 3, 0) + x
    return max(totals.values()), len(totals.items()), sum(t for k, t in totals.items() if k > 0)
def counted(kv):
    k, g = kv
    counts = defaultdict(int)
    for x in g:
        r = abs(x) % 4
        counts[r] += 1
    return [(k, r, n) for r, n in counts.items() if n > 1 or r == k]
def by_counter(kv):
    k, g = kv
    c = Counter()
    for x in g:
        c[x - k] += 2
    return k, min(c.values()), sorted(c.items(), key=lambda t: (-t[1], t[0]))[0][0]
def shares(kv):
    k, g = kv
    total = sum(g)
    return [(k, v, total) for v in g if v * 2 > total]
"""
BODIES = (
    "s.groupByKey().mapValues(stats)",
    "s.groupByKey().mapValues(newest)",
    "s.groupBy(lambda p: p[1] % 2).mapValues(newest)",
    "s.groupByKey().flatMapValues(evens)",
    "s.groupByKey().flatMap(tagged)",
    "s.groupByKey().map(minus_key)",
    "s.groupByKey().mapValues(above)",
    "s.cogroup(t).mapValues(in_two)",
    "s.groupByKey().mapValues(lambda g: (helper(g, 5), helper(g, -1)))",
    "s.groupByKey().mapValues(distinct_sum)",
    "s.groupByKey().mapValues(twice)",
    "s.groupByKey().flatMap(shares)",
    "s.groupByKey().mapValues(has_large)",
    "s.groupByKey().mapValues(none_large)",
    "s.groupByKey().mapValues(flagged)",
    "s.groupByKey().mapValues(stops)",
    "s.groupByKey().map(value_returned)",
    "s.map(unrolled)",
    "s.groupByKey().mapValues(by_rest)",
    "s.groupByKey().flatMap(counted)",
    "s.groupByKey().map(by_counter)",
    "s.groupByKey().mapValues(list).mapValues(by_rest)",
    "s.groupByKey().flatMapValues(items)",
    "s.groupByKey().mapValues(items_of_items)",
    "s.groupByKey().flatMapValues(doubled)",
    "s.groupByKey().map(steps)",
    "s.groupByKey().mapValues(lambda g: (3 in g, 9 not in list(g)))",
    "s.groupByKey().filter(lambda kv: kv[0] + 2 in kv[1]).keys()",
    "s.groupByKey().mapValues(lambda g: max(g) + 0 in [x + 1 for x in g])",
    "s.cogroup(t).mapValues(lambda p: (3 in p[0], 0 in p[1]))",
    "s.groupWith(t).mapValues(lambda p: (sum(p[0]), len(p[1])))",
    "s.flatMap(parts)",
    "s.groupByKey().map(lambda kv: (kv[0], sum(x - kv[0] for x in kv[1]), max(x * kv[0] for x in kv[1])))",
    "s.cogroup(t).map(lambda kv: (kv[0], sum(x - kv[0] for x in kv[1][0]), len(kv[1][1])))",
    "s.groupByKey().mapValues(lambda g: sum(x - max(g) for x in g))",
    "s.groupByKey().mapValues(lambda g: (len(g), sum(1 for x in g if x * len(g) > sum(g)), min(g)))",
    "s.groupByKey().flatMapValues(lambda g: [x for x in g if x == max(g)])",
    "s.groupByKey().filter(lambda kv: len(kv[1]) > 1).map(minus_key)",
    "s.groupByKey().flatMapValues(lambda g: heapq.nlargest(2, g))",
    "s.groupByKey().flatMapValues(lambda g: nsmallest(2, g))",
    "s.groupBy(lambda p: p[0] % 2).flatMapValues(lambda g: heapq.nlargest(2, g, key=lambda p: (p[1], p[0])))",
    "s.map(lambda p: max(heapq.nlargest(2, (p[0], p[1], 4))))",
)


@pytest.mark.parametrize("body", BODIES)
def test_it_means_what_python_computes(body: str, read: Callable[..., SourceProgram]) -> None:
    text = f"{PREAMBLE}\ndef p(s: 'RDD[tuple[int, int]]', t: 'RDD[tuple[int, int]]'): return {body}"
    function, program = load(text), read(text)
    for pairs in (PAIRS, PAIRS[:2], [], PAIRS[::-1]):
        assert same(run_by_terms(program, [pairs, OTHERS]), run_by_python(function, [pairs, OTHERS]))


LOOPS = (
    ("    for x in sorted(g):\n        n = 2 * n + x\n", "a loop over a sorted group"),
    (
        "    out = []\n    for x in g:\n        if x > 3:\n            break\n        out.append(x)\n",
        "appends to lists",
    ),
    (
        "    for x in g:\n        if x > 3:\n            return 'a'\n        if x < 0:\n            return x\n",
        "in one branch",
    ),
    ("    for x in g:\n        assert x > 3\n        n += x\n", "an exception"),
    ("    out = []\n    for x in g:\n        out.append(len(out))\n", "is read in this loop"),
    ("    out = [1]\n    for x in g:\n        out.append(x)\n", "not empty before"),
    ("    out = []\n    for x in g:\n        n += x\n        out.append(n)\n", "depends on the values before"),
    ("    d = {}\n    for x in g:\n        d[x] = 1\n        d[x + 1] = 2\n", "put at several keys"),
    ("    a = []\n    for x in g:\n        n += len(a)\n        a = a + [x]\n", "of a round before"),
    ("    a = {}\n    for x in g:\n        n += len(a)\n        a = {1: 2}\n", "of a round before"),
    ("    a = lambda y: y\n    for x in g:\n        n += a(x)\n        a = lambda y: -y\n", "of a round before"),
    (
        "    m = 0\n    for x in g:\n        n += m\n        match x:\n            case m:\n                pass\n",
        "changes",
    ),
    ("    def a(y): return y\n    for x in g:\n        n += a(x)\n        def a(y): return -y\n", ""),
    ("    d = Counter()\n    for x in g:\n        d[x] += x\n    n = len(set(d.values()))\n", "set of keys or sums"),
    ("    d = Counter()\n    for x in g:\n        d[x] += x\n    d[3] = 1\n    n = sum(d.values())\n", ""),
    ("    d = Counter()\n    for x in g:\n        d[x] += x\n    for x in g:\n        d[x] += x\n", ""),
    (
        "    d = {}\n    e = d\n    for x in g:\n        d[x] = d.get(x, 0) + 1\n    n = max(e.values())\n",
        "used otherwise",
    ),
    ("    d = {}\n    for x in g:\n        d[x] = d.get(x, 0) + d.get(1, 0)\n    n = max(d.values())\n", ""),
    ("    d = {}\n    for x in g:\n        d[x] = d.get(x, 0) + n\n        n = x\n", "depend on each other"),
    ("    d = {}\n    for x in g:\n        d[x] = d.get(x, 0) + 1\n        n += d[x]\n", "depend on each other"),
    (
        "    d = {}\n    e = {}\n    for x in g:\n        d[x] = max(d.get(x, 0), 1)\n        e[x] = e.get(x, 0) * 2\n",
        "two",
    ),
    (
        "    d = {}\n    for x in g:\n        d[x] = 1\n        if x > 3:\n            break\n",
        "`break` in a loop that fills",
    ),
    ("    d = [[0]]\n    for x in g:\n        d[0] = [x]\n", ""),
    ("    d = [0]\n    e = d\n    for x in g:\n        d[0] += x\n    n = e[0]\n", "keeps to itself"),
    ("    d = {'a': 0}\n    for x in g:\n        d['b'] = x\n", "other keys"),
    ("    d = set()\n    for x in g:\n        d.add(x)\n", "not"),
    ("    d = [0]\n    for x in g:\n        d.insert(0, x)\n", "not"),
    ("    it = iter(g)\n    for x in it:\n        n += x\n", "not"),
    ("    for x in g:\n        for y in g:\n            n += y\n", "starts from depends on the group"),
    (
        "    for x in g:\n        m = 0\n        for y in g:\n            m = m + n\n        n += m\n",
        "inside of another",
    ),
    ("    for x in g:\n        n += sum(g) * x\n    for y in g:\n        n += y\n", "starts from depends on the group"),
    ("    for x in g:\n        n += x\n    n = x\n", "last value of a loop"),
    ("    for x in g:\n        f = lambda: n\n        n += f() + x\n", ""),
    ("    n = len(g)\n    for x in g:\n        n += x\n", "starts from depends on the group"),
    ("    for x in g:\n        n = 'a'\n", "before the loop"),
    ("    n = sum(1 for x in g if x + 1 in g)\n", "in a group is not supported"),
    ("    for x in g:\n        n += x in g\n", "in a group is not supported"),
    ("    out = []\n    for x in g:\n        out.extend(out)\n    n = len(out)\n", "is read in this loop"),
    ("    n = 3 in (x for x in g)\n", "generator"),
    (
        "    try:\n        for x in g:\n            n += 10 // x\n    except ZeroDivisionError:\n        n = 0\n",
        "one of so many",
    ),
)


@pytest.mark.parametrize(("loop", "message"), LOOPS)
def test_loops_that_no_fold_says_are_refused(loop: str, message: str, refusal: Callable[..., str]) -> None:
    text = f"from collections import Counter\ndef f(g):\n    n = 0\n{loop}    return n\n"
    text += "def p(s: 'RDD[tuple[int, int]]'): return s.groupByKey().mapValues(f)"
    assert message in refusal(text)


def best_of_left(s):
    return s.filter(lambda p: p[0] != "#").reduceByKey(max)


def best_of_all(s):
    return s.filter(lambda p: not p[0].startswith("#")).groupByKey().mapValues(max)


def test_extrema_of_texts_are_measured_as_no_sums() -> None:
    verdict = check(best_of_left, best_of_all, types="s: RDD[tuple[str, str]]", timeout=60)
    assert not any("defect" in reason for reason in verdict.reasons.values())
    assert verdict.verdict.value == "inequivalent"


REDUCED = (
    ("lambda g: reduce(lambda a, x: a + x, g, 0)", ""),
    ("lambda g: reduce(lambda a, x: x if a is None or x > a else a, g, None)", ""),
    ("lambda g: reduce(max, [x * 2 for x in g if x > 0], 1)", ""),
    ("lambda g: reduce(lambda a, x: a + x, g)", "with a first value"),
    ("lambda g: reduce(lambda a, x: 2 * a + x, sorted(g), 0)", "without an order"),
    ("lambda g: reduce(lambda a, x: a + len(g), g, 0)", ""),
    ("lambda g: reduce(lambda a, x: 'a', g, 0)", "returns"),
    ("lambda g: reduce(lambda a, x: a + reduce(lambda b, y: b + a, g, 0), g, 0)", "inside of another"),
)


@pytest.mark.parametrize(("function", "message"), REDUCED)
def test_reduce_of_a_group_is_a_fold(
    function: str, message: str, read: Callable[..., SourceProgram], refusal: Callable[..., str]
) -> None:
    text = "from functools import reduce\n"
    text += f"def p(s: 'RDD[tuple[int, int]]'): return s.groupByKey().mapValues({function})"
    if message:
        assert message in refusal(text)
    else:
        assert same(run_by_terms(read(text), [PAIRS]), run_by_python(load(text), [PAIRS]))


FILTERED = (
    "s.groupByKey().filter(lambda kv: len(kv[1]) > 1).mapValues(sorted)",
    "s.groupByKey().mapValues(sorted).filter(lambda kv: len(kv[1]) > 1)",
    "s.groupByKey().mapValues(list).filter(lambda kv: sum(kv[1]) > kv[0]).flatMapValues(lambda g: g)",
    "s.groupByKey().filter(lambda kv: max(kv[1]) > 2).filter(lambda kv: kv[0] < 2).flatMapValues(lambda g: g)",
    "s.groupByKey().filter(lambda kv: max(kv[1]) > 2).flatMap(lambda kv: [(x, len(kv[1])) for x in kv[1]])",
)


@pytest.mark.parametrize("body", FILTERED)
def test_filtered_groups_are_filtered_pairs(body: str, read: Callable[..., SourceProgram]) -> None:
    text = f"def p(s: 'RDD[tuple[int, int]]'): return {body}"
    program = read(text)
    if "flatMap" not in body:  # groups as results are the bag of their pairs
        program = read(text.replace(body, f"{body}.flatMapValues(lambda g: g)"))
        text = text.replace(body, f"{body}.flatMapValues(lambda g: g)")
    assert same(run_by_terms(program, [PAIRS]), run_by_python(load(text), [PAIRS]))


def last(s):
    def of(g):
        v = 0
        for x in g:
            v = x
        return v

    return s.groupByKey().mapValues(of)


def test_a_loop_whose_value_depends_on_the_order_is_not_decided() -> None:
    verdict = check(last, last, types="s: RDD[tuple[int, int]]", timeout=60)
    assert verdict.verdict.value != "inequivalent"
    other = check(last, lambda_first, types="s: RDD[tuple[int, int]]", timeout=60)
    assert other.verdict.value == "unknown"


def first_large(s):
    def of(g):
        for x in g:
            if x > 3:
                return x
        return 0

    return s.groupByKey().mapValues(of)


def largest(s):
    return s.groupByKey().mapValues(lambda g: max([x for x in g if x > 3], default=0))


def test_the_first_value_that_a_loop_meets_depends_on_the_order() -> None:
    for one, other in ((first_large, largest), (first_large, first_large)):
        verdict = check(one, other, types="s: RDD[tuple[int, int]]", timeout=60)
        assert verdict.verdict.value != "inequivalent"
    assert check(first_large, largest, types="s: RDD[tuple[int, int]]", timeout=60).verdict.value == "unknown"


def lambda_first(s):
    def of(g):
        v = None
        for x in g:
            v = x if v is None else v
        return v or 0

    return s.groupByKey().mapValues(of)


def by_loop(s):
    def of(g):
        top, n = max(g), 0
        for x in g:
            if x == top:
                n += 1
        return n

    return s.groupByKey().mapValues(of)


def by_join(s):
    tops = s.reduceByKey(max)
    at_top = s.join(tops).filter(lambda kv: kv[1][0] == kv[1][1])
    return at_top.mapValues(lambda v: 1).reduceByKey(lambda a, b: a + b)


def of_distinct(s):
    return by_join(s.distinct())


def test_two_passes_over_a_group_are_a_join() -> None:
    types = "s: RDD[tuple[int, int]]"
    assert check(by_loop, by_join, types=types, timeout=60).verdict.value != "inequivalent"
    assert check(by_loop, of_distinct, types=types, timeout=60).verdict.value == "inequivalent"
