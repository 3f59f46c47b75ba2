"""Dictionaries whose keys are constant texts, as values of RDDs: as Python has them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tallystick import check
from tallystick.frontends.pyspark import SourceProgram
from tallystick.replay.record_inputs import makers, plain

from .local_rdd import load, run_by_python, run_by_terms, same

PAIRS = [("a", 3), ("b", -2), ("a", 7), ("c", 0), ("b", 3), ("", 3)]
PREAMBLE = """
from typing import NamedTuple, Optional, TypedDict

class Order(TypedDict):
    sku: str
    cents: int

class Best(NamedTuple):
    who: str
    entry: Order

FIELDS = ("sku", "cents")
DEFAULT = {"sku": "?", "cents": 0, "note": "none"}

def better(one, other):
    return one if (one["cents"], one["sku"]) >= (other["cents"], other["sku"]) else other

def priced(p):
    row = {"sku": p[0], "cents": p[1]}
    if p[1] < 0:
        row = {"cents": 0, "sku": p[0]}
    return row

def maybe(p):
    return {"value": None} if p[1] < 0 else {"value": p[1]}
"""
ROWS = "s.map(lambda p: {'sku': p[0], 'cents': p[1]})"
BODIES = {
    "by key": f"{ROWS}.filter(lambda d: d['cents'] > 0).map(lambda d: (d['sku'], d['cents'] + 1))",
    "get": f"{ROWS}.map(lambda d: (d.get('sku'), d.get('cents', 7), d.get('none', 7), d.get('none') is None))",
    "in": f"{ROWS}.map(lambda d: ('sku' in d, 'none' in d, len(d), 1 if d else 0))",
    "more entries": f"{ROWS}.map(lambda d: {{**d, 'cents': d['cents'] * 2, 'n': d['cents']}}).map(lambda d: d['n'])",
    "entries with defaults": f"{ROWS}.map(lambda d: {{**DEFAULT, **d}}).map(lambda d: (d['note'], d['sku']))",
    "by dict": "s.map(lambda p: dict(sku=p[0], cents=p[1])).map(lambda d: dict(d, cents=1)).map(lambda d: d['sku'])",
    "by zip": "s.map(lambda p: dict(zip(FIELDS, p))).map(lambda d: (d['cents'], d['sku']))",
    "by comprehension": "s.map(lambda p: {k: p[1] for k in ('a', 'b')}).map(lambda d: d['a'] + d['b'])",
    "equal": f"{ROWS}.map(lambda d: (d == {{'cents': 3, 'sku': 'a'}}, d != {{'sku': 'a', 'cents': 3}}))",
    "in a branch": "s.map(priced).map(lambda d: (d['sku'], d['cents']))",
    "None in a branch": "s.map(maybe).map(lambda d: d['value'])",
    "values of reduceByKey": (
        "s.map(lambda p: (p[1] % 2, {'sku': p[0], 'cents': p[1]})).reduceByKey(better).mapValues(lambda d: d['sku'])"
    ),
    "nested": "s.map(lambda p: {'who': p[0], 'of': {'n': p[1]}}).map(lambda d: (d['of']['n'], d['who']))",
    "of a class": "s.map(lambda p: Order(sku=p[0], cents=p[1])).map(lambda o: (o['cents'], o['sku']))",
    "in a record": "s.map(lambda p: Best(p[0], {'sku': p[0], 'cents': p[1]})).map(lambda b: b.entry['cents'])",
    "as arguments": "s.map(lambda p: {'one': p[1], 'other': 2}).map(lambda d: (lambda one, other: one * other)(**d))",
}


@pytest.mark.parametrize("name", BODIES)
def test_what_is_read_means_what_python_computes(name: str, read: Callable[..., SourceProgram]) -> None:
    text = f"{PREAMBLE}\ndef p(s: 'RDD[tuple[str, int]]'):\n    return {BODIES[name]}\n"
    program, function = read(text), load(text)
    for given in (PAIRS, PAIRS[:3], []):
        assert same(run_by_terms(program, [list(given)]), run_by_python(function, [list(given)])), name


REFUSED = {
    "keys in an order": (f"{ROWS}.map(lambda d: [k for k in d][0])", "the order of the entries"),
    "items in an order": (f"{ROWS}.map(lambda d: d.items())", "the order of the entries"),
    "a key that is missing": (f"{ROWS}.keyBy(lambda d: d)", "a dictionary, which has no hash"),
    "distinct": (f"{ROWS}.distinct()", "an element holds a dictionary, which has no hash"),
    "an order": (f"{ROWS}.max()", "`max` needs what Python orders"),
    "two kinds": ("s.map(lambda p: {'a': 1} if p[1] else {'b': 1})", "in one branch and of type"),
    "an assignment": ("s.map(assigned)", "that this function made, and keeps to itself"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_known_of_a_dictionary_is_refused(name: str, refusal: Callable[..., str]) -> None:
    body, message = REFUSED[name]
    start = "def assigned(p):\n    d = {'a': p[1]}\n    e = d\n    d['a'] = 2\n    return e\n"
    if name == "a key that is missing":
        body += ".groupByKey().mapValues(len)"
    assert message in refusal(f"{start}\ndef p(s: 'RDD[tuple[str, int]]'):\n    return {body}\n")


JOBS = """
from typing import TypedDict
from pyspark import RDD

class Order(TypedDict):
    sku: str
    cents: int

def one(r: RDD[Order]):
    return {"n": r.count(), "sum": r.map(lambda o: o["cents"]).sum()}

def right(r: RDD[Order]):
    return dict(sum=r.map(lambda o: o["cents"]).sum(), n=r.map(lambda o: 1).sum())

def wrong(r: RDD[Order]):
    return dict(sum=r.map(lambda o: o["cents"]).sum(), n=r.filter(lambda o: o["sku"]).count())

def other(r: RDD[Order]):
    return (r.count(), r.map(lambda o: o["cents"]).sum())

def same_keys(r: RDD[Order]):
    return r.map(lambda o: {"b": o["cents"], "a": o["cents"] + 1})

def changed(r: RDD[Order]):
    return r.map(lambda o: {"a": o["cents"], "b": o["cents"] + 1})
"""


def test_dictionaries_are_compared_by_their_keys(tmp_path: Path) -> None:
    path = tmp_path / "jobs.py"
    path.write_text(JOBS)
    assert check(f"{path}:one", f"{path}:right").verdict.value == "equivalent"
    assert check(f"{path}:one", f"{path}:wrong").verdict.value == "inequivalent"
    assert check(f"{path}:same_keys", f"{path}:changed").verdict.value == "inequivalent"
    assert check(f"{path}:one", f"{path}:other").verdict.value == "inequivalent"


def test_inputs_are_dictionaries_and_results_are_read_by_their_keys() -> None:
    program = load(JOBS.replace("from pyspark import RDD", "RDD = type"), "one")
    assert makers(program) == {}  # no RDD[…] of PySpark
    assert plain({"b": 1, "a": "x"}) == ("x", 1)
    assert plain([{1: 2}]) == [{1: 2}]


@pytest.mark.spark
@pytest.mark.slow
def test_dictionaries_on_spark(tmp_path: Path) -> None:
    path = tmp_path / "jobs.py"
    path.write_text(JOBS)
    for left, right in (("one", "wrong"), ("same_keys", "changed")):
        verdict = check(f"{path}:{left}", f"{path}:{right}", replay="spark")
        assert verdict.counterexample is not None
        assert "spark" in verdict.counterexample.replayed_on
