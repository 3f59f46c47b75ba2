"""Tuples that hold lists and sets, which functions for `flatMap` return, and what `reduceByKey` makes of them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tallystick import check
from tallystick.frontends.pyspark import SourceProgram

from .local_rdd import load, run_by_python, run_by_terms, same

ROWS = [("a b", 3), ("a a", -2), ("", 7), ("b", 0), ("c a b", 3), ("a b", 3), ("c", -9)]
PREAMBLE = """
from operator import add
def extend(a, b):
    a.extend(b)
    return a
def bump(a, b):
    a[0] += b[0]
    return a
def yielded(x):
    if x[1] > 0:
        yield x[0], [x[1]]
    yield "all", [x[1]]
def appended(x):
    out = []
    if x[1] >= 0:
        out.append((x[0], [x[1]]))
    if x[1] > 2:
        out.append(("more", [2]))
    return out
def early(x):
    if x[1] == 0:
        return []
    if x[1] < 0:
        return [("less", [x[1]])]
    return [(x[0], [x[1]]), ("more", [-x[1]])]
def shared(x):
    both = [x[1]]
    return [(x[0], both), ("all", both)]
def later(x):
    own = [x[1]]
    yield x[0], own
    own.append(1)
"""
READ = (
    "s.flatMap(lambda x: [] if x[1] == 0 else [(x[0], [x[1]])]).reduceByKey(add).mapValues(sum)",
    "s.flatMap(lambda x: [(x[0], [x[1]])] if x[1] > 0 else []).reduceByKey(lambda a, b: a + b).mapValues(len)",
    "s.flatMap(lambda x: [(w, [x[1]]) for w in x[0].split()]).reduceByKey(add).mapValues(lambda g: max(g) - min(g))",
    "s.flatMap(lambda x: [(w, {x[1]}) for w in x[0].split() if w != 'c']).reduceByKey(set.union).mapValues(len)",
    "s.flatMap(lambda x: ((w, {x[1]}) for w in x[0].split())).reduceByKey(set.union).mapValues(sorted)",
    "s.flatMap(lambda x: [(x[0], [1]), (x[0], [x[1]])]).reduceByKey(add).mapValues(sum)",
    "s.flatMap(lambda x: [(x[0], ['+']), (x[0], ['-'])] if x[1] > 0 else []).reduceByKey(add).mapValues(len)",
    "s.flatMap(yielded).reduceByKey(add).mapValues(lambda g: (len(g), sum(g)))",
    "s.flatMap(appended).reduceByKey(add).mapValues(lambda g: (len(g), sum(g)))",
    "s.flatMap(early).reduceByKey(add).mapValues(lambda g: (len(g), sum(g)))",
    "s.flatMap(shared).reduceByKey(add).mapValues(sum)",
    "s.groupByKey().flatMap(lambda kv: [(v, [kv[0]]) for v in kv[1]]).reduceByKey(add).mapValues(len)",
    "s.flatMap(lambda x: [(w, [x[1]]) for w in x[0].split()]).map(lambda p: (p[0], p[1][0])).filter(lambda p: p[1])",
    "s.flatMap(lambda x: [(x[0], [x[1], 2])] if x[1] else []).map(lambda p: p[1][0] + len(p[1]))",
    "s.flatMap(lambda x: [(w, [x[1]]) for w in x[0].split()]).filter(lambda p: p[0] == 'a').count()",
)
REFUSED = (
    ("s.flatMap(shared).reduceByKey(extend).mapValues(len)", "may have another name"),
    ("s.flatMap(shared).reduceByKey(bump).mapValues(len)", ""),
    ("s.groupByKey().mapValues(lambda g: min([({v}, v) for v in g])[1])", ""),
    ("s.flatMap(later).reduceByKey(add).mapValues(len)", "keeps to itself"),
    ("s.flatMap(lambda x: [(x[0], [x[1]]), (x[0], [])]).reduceByKey(add).mapValues(len)", ""),
    ("s.flatMap(lambda x: [(x[0], [x[1]]), (x[0], [1])]).distinct()", "groups of values"),
    ("s.flatMap(lambda x: [(x[0], [x[1]]), (x[0], [1])]).filter(lambda p: p[1] == [1]).count()", "`==`"),
    ("s.flatMap(lambda x: [(x[0], [x[1]]), (x[0], [1])])", "must return"),
    ("s.flatMap(lambda x: [(x[0], [x[1]]), (x[0], [1])]).collect()", ""),
)


@pytest.mark.parametrize("body", READ)
def test_it_means_what_python_computes(body: str, read: Callable[..., SourceProgram]) -> None:
    text = f"{PREAMBLE}\ndef p(s: 'RDD[tuple[str, int]]'): return {body}"
    function, program = load(text), read(text)
    for rows in (ROWS, ROWS[:2], [], ROWS[::-1]):
        assert same(run_by_terms(program, [rows]), run_by_python(function, [rows]))


@pytest.mark.parametrize(("body", "message"), REFUSED)
def test_other_uses_are_refused(body: str, message: str, refusal: Callable[..., str]) -> None:
    assert message in refusal(f"{PREAMBLE}\ndef p(s: 'RDD[tuple[str, int]]'): return {body}")


WORDS = "s.flatMap(lambda x: [(w, {}) for w in x[0].split()])"
GROUPED = f"{WORDS.format('x[1]')}.groupByKey().mapValues(len)"
PAIRS = (
    (f"{WORDS.format('[x[1]]')}.reduceByKey(add).mapValues(len)", GROUPED, True),
    (f"{WORDS.format('{x[1]}')}.reduceByKey(set.union).mapValues(len)", GROUPED, False),
    (
        "s.flatMap(lambda x: [] if x[1] == 0 else [(x[0], [x[1]])]).reduceByKey(add).mapValues(sum)",
        "s.reduceByKey(add)",
        False,
    ),
    (
        "s.flatMap(lambda x: [] if x[1] == 0 else [(x[0], [x[1]])]).reduceByKey(add).mapValues(sum)",
        "s.filter(lambda x: x[1] != 0).reduceByKey(add)",
        True,
    ),
)


@pytest.mark.parametrize(("one", "other", "equal"), PAIRS)
def test_they_are_compared_with_groups(one: str, other: str, equal: bool, tmp_path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "jobs.py"
    bodies = (f"def {name}(s: 'RDD[tuple[str, int]]'): return {body}\n" for name, body in (("p", one), ("q", other)))
    path.write_text(f"from pyspark import RDD\n{PREAMBLE}\n{''.join(bodies)}", encoding="utf-8")
    verdict = check(f"{path}:p", f"{path}:q").verdict.value
    assert verdict == ("equivalent" if equal else "inequivalent")
