"""Sets of groups without constants or keys, groups that are collected, and what goes through a group twice."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tallystick import check
from tallystick.frontends.pyspark import SourceProgram

from .local_rdd import load, run_by_python, run_by_terms, same

PAIRS = [(1, 3), (2, 2), (1, 3), (1, 1), (3, 0), (2, 5), (3, 7), (1, 2), (4, 3)]
PREAMBLE = """
from collections import defaultdict
def is_spread(values):
    low = min(values)
    return any(v > low + 1 for v in values)
def has_odd_above_least_even(g):
    g = list(g)
    even = [v for v in g if v % 2 == 0]
    if not even:
        return False
    least = min(even)
    return any(v % 2 == 1 and v > least for v in g)
def above_mean(g):
    g = list(g)
    different = {v for v in g}
    mean = sum(different) / len(different)
    return [v for v in g if v > mean]
def best_of_totals(g):
    g = list(g)
    totals = defaultdict(int)
    for v in g:
        totals[v % 3] += v
    best = max(totals.values())
    return [v for v in g if v + 3 > best]
"""
BODIES = {
    "without the key": "s.groupByKey().map(lambda kv: (kv[0], len(set(kv[1]) - {kv[0]})))",
    "without constants": (
        "s.groupByKey().mapValues(lambda g: (sum(set(g) - {3, 5}), max(set(g) & {3, 7}, default=-1)))"
    ),
    "items of a set": "s.groupByKey().mapValues(set).flatMap(lambda kv: [(kv[0], v) for v in kv[1] - {kv[0], 3}])",
    "items alone": "s.groupByKey().mapValues(set).flatMap(lambda kv: kv[1] - {kv[0]})",
    "a filter of sets": "s.groupByKey().mapValues(set).filter(lambda kv: 3 in kv[1]).flatMap(lambda kv: kv[1])",
    "empty or not": "s.groupByKey().filter(lambda kv: set(kv[1]) - {2, 5}).keys()",
    "against the group and its set": (
        "s.groupByKey().flatMap(lambda kv: [v for v in kv[1] if v * len(kv[1]) > sum(set(kv[1]))])"
    ),
    "against the mean of a set": "s.groupByKey().flatMapValues(above_mean)",
    "against totals of a group": "s.groupByKey().flatMap(lambda kv: best_of_totals(kv[1]))",
    "against what may not be there": "s.groupByKey().mapValues(has_odd_above_least_even)",
    "twice through a group": "s.groupByKey().mapValues(list).filter(lambda kv: is_spread(kv[1])).keys()",
    "twice, and a value": "s.groupByKey().filter(lambda kv: is_spread(list(kv[1]))).mapValues(len)",
    "a dictionary of groups": "{k: len(set(g)) for k, g in s.groupByKey().collect()}",
    "a dictionary of some groups": "{k: sum(g) for k, g in s.groupByKey().collect() if max(g) > 2}",
    "a list of groups": (
        "sum([k + min(g) for k, g in s.groupByKey().filter(lambda kv: len(kv[1]) > 1).collect() if k != 3])"
    ),
    "a sum over groups": "sum(len(g) for _, g in s.groupByKey().mapValues(set).collect())",
    "sorted": "sorted((len(g), k) for k, g in s.groupByKey().collect())",
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_it_means_what_python_computes(body: str, read: Callable[..., SourceProgram]) -> None:
    text = f"{PREAMBLE}\ndef p(s: 'RDD[tuple[int, int]]'):\n    return {body}"
    assert same(run_by_terms(read(text), [PAIRS]), run_by_python(load(text), [PAIRS]))


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("s.groupByKey().mapValues(lambda g: len(g - {1}))", "a set of it"),
        ("{k % 2: len(g) for k, g in s.groupByKey().collect()}", "may repeat"),
        ("[k for k, g in s.groupByKey().sortByKey().collect()]", "in no order"),
        ("s.groupByKey().mapValues(lambda g: set(g) - {1})", "may be empty"),
        ("s.groupByKey().flatMap(lambda kv: [v for v in kv[1] if v > sum(w - kv[0] for w in kv[1])])", "whole group"),
    ],
)
def test_what_is_not_read_is_refused_by_name(body: str, message: str, refusal: Callable[..., str]) -> None:
    assert message in refusal(f"{PREAMBLE}\ndef p(s: 'RDD[tuple[int, int]]'):\n    return {body}")


JOBS = """
from pyspark import RDD

def degree(edges: RDD[tuple[int, int]]):
    return edges.filter(lambda e: e[0] != e[1]).distinct().mapValues(lambda _: 1).reduceByKey(lambda a, b: a + b)

def degree_right(edges: RDD[tuple[int, int]]):
    return edges.groupByKey().map(lambda kv: (kv[0], len(set(kv[1]) - {kv[0]}))).filter(lambda kv: kv[1] > 0)

def degree_wrong(edges: RDD[tuple[int, int]]):
    return edges.groupByKey().map(lambda kv: (kv[0], len(set(kv[1]) - {kv[0]})))

def degree_of_lists(edges: RDD[tuple[int, int]]):
    found = edges.groupByKey().map(lambda kv: (kv[0], len([v for v in kv[1] if v != kv[0]])))
    return found.filter(lambda kv: kv[1] > 0)

def above(marks: RDD[tuple[int, int]]):
    return marks.groupByKey().flatMapValues(lambda g: [v for v in g if v > sum(set(g))])

def above_right(marks: RDD[tuple[int, int]]):
    sums = marks.distinct().reduceByKey(lambda a, b: a + b)
    return marks.join(sums).filter(lambda kv: kv[1][0] > kv[1][1]).mapValues(lambda p: p[0])

def above_wrong(marks: RDD[tuple[int, int]]):
    return marks.groupByKey().flatMapValues(lambda g: [v for v in g if v > sum(g)])

def sizes(edges: RDD[tuple[int, int]]):
    return edges.distinct().mapValues(lambda _: 1).reduceByKey(lambda a, b: a + b).collectAsMap()

def sizes_right(edges: RDD[tuple[int, int]]):
    return {k: len(set(g)) for k, g in edges.groupByKey().collect()}

def sizes_wrong(edges: RDD[tuple[int, int]]):
    return {k: len(list(g)) for k, g in edges.groupByKey().collect()}
"""


@pytest.mark.parametrize(
    ("one", "other", "answer"),
    [
        ("degree", "degree_right", "equivalent"),
        ("degree", "degree_wrong", "inequivalent"),
        ("degree", "degree_of_lists", "inequivalent"),
        ("above", "above_right", "equivalent"),
        ("above", "above_wrong", "inequivalent"),
        ("sizes", "sizes_right", "equivalent"),
        ("sizes", "sizes_wrong", "inequivalent"),
    ],
)
def test_refactorings_are_told_apart(tmp_path: Path, one: str, other: str, answer: str) -> None:
    path = tmp_path / "jobs.py"
    path.write_text(JOBS)
    assert check(f"{path}:{one}", f"{path}:{other}").verdict.value == answer
