"""Items of one side of a co-group, and groups that depend on a condition: as Python computes them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tallystick import check
from tallystick.frontends.pyspark import SourceProgram

from .local_rdd import load, run_by_python, run_by_terms, same

LEFT = [("a", 3), ("b", 0), ("a", -1), ("", 6), ("a", 3), ("c", 5), ("c", 5)]
RIGHT = [("a", 2), ("d", 0), ("a", 2), ("", -4), ("", 6), ("d", 1), ("c", 1)]
PREAMBLE = """
def kept(p):
    left, right = list(p[0]), list(p[1])
    if not right:
        return left
    return [x for x in left if x > min(right)]

def by_sign(pair):
    key, (left, right) = pair
    if sum(right) > 0:
        return [(key, x) for x in left]
    return []

def far(g):
    m = max(g)
    return [x for x in set(g) if 2 * x >= m]
"""
BODIES = {
    "one side": "s.cogroup(t).flatMapValues(lambda p: p[0])",
    "the other side": "s.cogroup(t).flatMapValues(lambda p: [x * 2 for x in p[1] if x])",
    "where the other is empty": "s.cogroup(t).flatMap(lambda e: [] if e[1][1] else [(e[0], v) for v in e[1][0]])",
    "where the other is not": "s.cogroup(t).flatMap(lambda e: [(e[0], v) for v in e[1][0]] if e[1][1] else [])",
    "of groups that a filter keeps": "s.cogroup(t).filter(lambda e: not list(e[1][1])).flatMapValues(lambda p: p[0])",
    "by the key and the other": (
        "s.cogroup(t).filter(lambda e: e[0] > 'a' and len(e[1][1]) < 2).flatMapValues(lambda p: list(p[0]))"
    ),
    "by a sum of the other": "s.cogroup(t).flatMap(by_sign)",
    "the set of one side": "s.cogroup(t).flatMapValues(lambda p: set(p[0]) if len(p[1]) != 1 else set())",
    "of one bag": "s.cogroup(s.filter(lambda e: e[1] > 0)).flatMapValues(lambda p: p[0] if not p[1] else [])",
    "of two parts of one bag": (
        "s.filter(lambda e: e[1] < 4).cogroup(s.filter(lambda e: e[1] > 0)).flatMapValues(lambda p: p[1])"
    ),
    "of a set by the best": "s.groupByKey().flatMapValues(far)",
    "of a group by its size": "s.groupByKey().flatMapValues(lambda g: sorted(g) if len(g) > 1 else [])",
    "two lists of a group": (
        "s.groupByKey().flatMapValues(lambda g: [x for x in g if x > 0] if len(g) > 1 else [-x for x in g])"
    ),
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_it_means_what_python_computes(body: str, read: Callable[..., SourceProgram]) -> None:
    types = "s: 'RDD[tuple[str, int]]'" + (", t: 'RDD[tuple[str, int]]'" if "(t)" in body else "")
    text = f"{PREAMBLE}\ndef p({types}):\n    return {body}"
    program = read(text)
    for size in range(len(LEFT) + 1):
        inputs = [LEFT[:size], RIGHT[:size]][: types.count(":")]
        assert same(run_by_terms(program, inputs), run_by_python(load(text), inputs))


ALONE = BODIES["where the other is empty"]
BOTH = BODIES["where the other is not"]
ANSWERS = {
    "alone": (ALONE, "s.subtractByKey(t)", "equivalent"),
    "kept alone": (BODIES["of groups that a filter keeps"], "s.subtractByKey(t)", "equivalent"),
    "alone, but for some": (ALONE, "s.subtractByKey(t.filter(lambda e: e[1] > 0))", "inequivalent"),
    "alone, once each": (ALONE, "s.subtractByKey(t).distinct()", "inequivalent"),
    "the other one": (ALONE, "t.subtractByKey(s)", "inequivalent"),
    "both": (BOTH, "s.join(t.keys().distinct().map(lambda k: (k, 1))).mapValues(lambda p: p[0])", "equivalent"),
    "for each partner": (BOTH, "s.join(t).mapValues(lambda p: p[0])", "inequivalent"),
    "one side": (BODIES["one side"], "s", "equivalent"),
    "a set or a list": (BODIES["one side"], "s.cogroup(t).flatMapValues(lambda p: set(p[0]))", "inequivalent"),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_pairs(name: str, tmp_path: Path) -> None:
    left, right, answer = ANSWERS[name]
    types = "s: 'RDD[tuple[str, int]]', t: 'RDD[tuple[str, int]]'"
    functions = "".join(f"def {f}({types}):\n    return {each}\n" for f, each in (("f", left), ("g", right)))
    (tmp_path / "jobs.py").write_text(PREAMBLE + functions)
    assert check(f"{tmp_path}/jobs.py:f", f"{tmp_path}/jobs.py:g").verdict == answer


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("s.cogroup(t).flatMapValues(lambda p: [x for x in p[0] if x > max(y for y in p[1] if y)])", ""),
        ("s.cogroup(t).mapValues(lambda p: p[0] if p[1] else [])", "is no result"),
        ("s.cogroup(t).flatMapValues(kept)", "depends on a result of the whole group"),
    ],
)
def test_what_is_not_read_is_refused(body: str, message: str, refusal: Callable[..., str]) -> None:
    types = "s: 'RDD[tuple[str, int]]', t: 'RDD[tuple[str, int]]'"
    assert message in refusal(f"{PREAMBLE}\ndef p({types}):\n    return {body}\n")
