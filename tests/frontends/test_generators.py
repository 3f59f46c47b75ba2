"""Generators with a loop over a list of unknown length or a group, `yield from`, and `.count` of lists."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tallystick.frontends.pyspark import SourceProgram

from .local_rdd import load, run_by_python, run_by_terms, same

PAIRS = [("a,b", 3), ("", 1), ("a,b", 3), ("b,,b", 0), ("a", 15), ("a", -25)]
PREAMBLE = """
import operator

def of_words(e):
    yield from e[0].split(",")

def of_some(e):
    yield from (w + "!" for w in e[0].split(",") if w)

def of_group(e):
    yield from ((e[0], v) for v in e[1] if v > 0)

def added_up(e):
    total = 0
    for v in [v for v in (e[1], 2, 7) if v > 1]:
        if v == 3:
            continue
        total += v
    return total

def first_over(e):
    found = 0
    for v in [v for v in (e[1], 3, 15, 4) if v != 3]:
        if v > 4:
            break
        found += 1
        if v < 0:
            return -1
    else:
        return 100
    return found

def of_both(e):
    yield e[1]
    yield from (v for v in (e[1], 7) if v > 3)
"""
BODIES = {
    "of the pieces of a text": "s.flatMap(of_words)",
    "of some": "s.flatMap(of_some)",
    "of a group": "s.groupByKey().flatMap(of_group)",
    "after another item": "s.flatMap(of_both)",
    "a loop over some": "s.map(added_up)",
    "a loop over some that ends": "s.map(first_over)",
    "how often in a list": "s.groupByKey().mapValues(lambda g: list(g).count(3))",
    "how often in a sorted list": "s.groupByKey().mapValues(lambda g: sorted(g, key=lambda v: -v).count(max(g)))",
    "how often in a tuple": "s.map(lambda e: (e[1], abs(e[1]), 3).count(3))",
    "how often in a list of some": "s.map(lambda e: [v for v in (e[1], 3) if v > 1].count(3))",
    "how often among collected ones": "list(s.values().collect()).count(3)",
    "lists put together": "s.mapValues(lambda v: [v]).reduceByKey(operator.add).mapValues(sum)",
    "sets put together": "s.mapValues(lambda v: {v}).reduceByKey(operator.or_).mapValues(len)",
    "some is true": "s.mapValues(lambda v: v > 1).reduceByKey(operator.or_)",
    "rounded to tens": "s.map(lambda e: (round(e[1], -1), round(e[1] * 3, -2), round(e[1], 2)))",
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_it_means_what_python_computes(body: str, read: Callable[..., SourceProgram]) -> None:
    text = f"{PREAMBLE}\ndef p(s: 'RDD[tuple[str, int]]'):\n    return {body}"
    program = read(text)
    for size in range(len(PAIRS) + 1):
        assert same(run_by_terms(program, [PAIRS[:size]]), run_by_python(load(text), [PAIRS[:size]]))


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("for w in e[0].split(','): yield w\n    yield ''", "outside of its loop"),
        ("yield ''\n    for w in e[0].split(','): yield w", "more than this loop"),
        ("for w in e[0].split(','): yield w\n    for w in ('a', 'b'): yield w", "outside of its loop"),
        ("yield from e[0].split(',')\n    yield from (e[0], '')", "outside of its loop"),
        ("yield from e[0].split(',')\n    yield from e[0].split()", "more than this loop"),
    ],
)
def test_items_beside_those_of_a_loop_are_not_taken_for_items_of_each_round(
    lines: str, message: str, refusal: Callable[..., str]
) -> None:
    text = f"def f(e):\n    {lines}\ndef p(s: 'RDD[tuple[str, int]]'):\n    return s.flatMap(f)"
    assert message in refusal(text)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("s.groupByKey().mapValues(lambda g: g.count(3))", "`.count` is not supported"),
        ("s.groupByKey().mapValues(lambda g: set(g).count(3))", "`.count` is not supported"),
        ("s.groupByKey().mapValues(lambda g: list(g).count('a'))", "compares str and int"),
        ("s.groupByKey().mapValues(lambda g: sum(list(g).count(v) for v in g))", "how often an item"),
        ("s.map(lambda e: round(e[1], e[1]))", "must be a constant"),
    ],
)
def test_what_is_not_read_is_refused_by_name(body: str, message: str, refusal: Callable[..., str]) -> None:
    assert message in refusal(f"def p(s: 'RDD[tuple[str, int]]'):\n    return {body}")
