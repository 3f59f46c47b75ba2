"""Folds from lists of a fixed length and dictionaries with constant keys mean what Python computes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sampling import examples
from tallystick import check
from tallystick.frontends.pyspark import SourceProgram

from .local_rdd import load, run_by_python, run_by_terms, same

PREAMBLE = """
from operator import add
def of_rest(s, n):
    return s.filter(lambda e: e[1] % 3 == n).count()
def added(a, b):
    return [a[0] + b[0], a[1] + b[1]]
def into(a, b):
    for i in range(len(a)):
        a[i] += b[i]
    return a
def of_keys(a, b):
    for k in b:
        a[k] += b[k]
    return a
def counted(acc, e):
    acc[e[1] % 3] += 1
    return acc
def at(acc, e):
    acc[e[1]] += 1
    return acc
def set_at(acc, e):
    acc[e[1] % 2] = e[0]
    acc[-1] = acc[0] + 1
    return acc
def named(acc, e):
    acc["n"] += 1
    if e[1] > 0:
        acc["positive"] = acc["positive"] + 1
    return acc
def chosen(acc, e):
    if e[1] > 0:
        return [acc[0] + 1, acc[1]]
    acc[1] += 1
    return acc
def by_text(acc, e):
    acc["even" if e[1] % 2 == 0 else "odd"] += e[0]
    return acc
def copied(acc, e):
    before = acc[:]
    acc[0] += e[1]
    return [acc[0], before[0]] if e[1] > 0 else before
def of_value(acc, v):
    acc[0] += v
    acc[1] += 1
    return acc
MEAN = "lambda t: (t[0], t[1])"
"""
BODIES = (
    "tuple(s.aggregate([0, 0], lambda a, e: [a[0] + e[1], a[1] + 1], added))",
    "tuple(s.aggregate([0] * 3, counted, into))",
    "tuple(s.aggregate([0] * 3, counted, lambda a, b: [x + y for x, y in zip(a, b)]))",
    "tuple(s.treeAggregate([0, 0, 0], counted, lambda a, b: list(map(add, a, b))))",
    "tuple(s.filter(lambda e: -3 <= e[1] < 3).aggregate([0] * 3, at, into))",
    "tuple(s.aggregate([0, 0], chosen, added))",
    "tuple(s.aggregate({'n': 0, 'positive': 0}, named, of_keys)[k] for k in ('n', 'positive'))",
    "s.aggregate({'even': 0, 'odd': 0}, by_text, of_keys)['odd']",
    "s.aggregate({0: 0, 1: 0}, lambda a, e: {0: a[0] + e[1], 1: a[1] + 1}, of_keys)[1]",
    "s.aggregateByKey([0, 0], of_value, added).mapValues(lambda t: (t[0], t[1]))",
    "s.combineByKey(lambda v: [v, 1], of_value, into).mapValues(lambda t: (t[0], t[1]))",
    "s.combineByKey(lambda v: {'t': v}, lambda a, v: {'t': a['t'] + v}, of_keys).mapValues(lambda d: d['t'])",
    "s.mapValues(lambda v: [v, 1]).reduceByKey(added).map(lambda e: (e[0], e[1][0], e[1][1]))",
    "s.mapValues(lambda v: [v, -v]).reduceByKey(lambda a, b: [max(x, y) for x, y in zip(a, b)])"
    ".flatMap(lambda e: e[1])",
    "tuple(s.filter(lambda e: e[1] > 0).aggregate([0, 0], copied, added))[0]",
    "s.map(lambda e: (5, 7, 9)[e[1] % 3] + [1, 2][e[0] % 2])",
    "s.filter(lambda e: -2 <= e[1] < 2).map(lambda e: (5, 7)[e[1]])",
)
ROWS = st.lists(st.tuples(st.integers(0, 2), st.integers(-4, 4)), max_size=5)


@pytest.mark.parametrize("body", BODIES)
@settings(max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=ROWS)
def test_it_means_what_python_computes(body: str, read: Callable[..., SourceProgram], rows: list[object]) -> None:
    text = f"{PREAMBLE}\ndef p(s: 'RDD[tuple[int, int]]'): return {body}"
    program = read(text)
    assert same(run_by_terms(program, [rows]), run_by_python(load(text), [rows]))


STEPS = {
    "another name": "b = acc\n        b[0] += 1\n        return acc",
    "the name of another list": "acc = [v, v]\n        acc[0] += 1\n        return acc",
    "a function that sets an item": "bump(acc)\n        return acc",
    "what a function returns": "return bump(acc)",
    "a loop over itself": "for x in acc:\n            acc[0] += x\n        return acc",
    "a loop over its places": "for i, x in enumerate(acc):\n            acc[1 - i] += x\n        return acc",
    "a generator": "g = (x for x in acc)\n        acc[0] = v\n        return list(g)",
    "what is computed later": "g = map(abs, acc)\n        acc[0] = v\n        return list(g)",
    "a function that looks at it": "f = lambda: acc[0]\n        acc[0] += v\n        return [f(), acc[1]]",
    "nothing returned": "acc[0] += v",
    "one more": "return acc + [v]",
    "no such item": "acc[2] += v\n        return acc",
    "a tuple": "return acc[0], acc[1] + v",
    "in a try": "try:\n            acc[v] += 1\n        except IndexError:\n            pass\n        return acc",
    "a slice": "acc[0:1] = [v]\n        return acc",
    "a generator that the loop goes through": "for x in (y for y in acc):\n            acc[1] += x\n        return acc",
}


@pytest.mark.parametrize("name", STEPS)
def test_states_that_may_be_seen_otherwise_are_refused(name: str, refusal: Callable[..., str]) -> None:
    step = f"    def step(acc, v):\n        {STEPS[name]}\n"
    helper = "def bump(a):\n    a[0] += 1\n    return a\n"
    text = f"{PREAMBLE}\n{helper}def p(r: 'RDD[int]'):\n{step}    return r.aggregate([0, 0], step, added)"
    assert "jobs.py:" in refusal(text)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("s.aggregate(Z, of_pair, added)", "keeps to itself"),
        ("s.combineByKey(lambda v: Z, of_value, added).mapValues(lambda t: t[0])", "is not supported"),
        ("s.mapValues(lambda v: Z).reduceByKey(into).mapValues(lambda t: t[0])", "jobs.py:"),
        ("s.aggregate({'n': 0}, lambda a, e: {'m': 1}, added)", "a dictionary with the keys of the first value"),
        ("s.aggregate({'n': 0}, set_key, of_keys)", "a key that a dictionary may not have yet"),
        ("s.aggregate([True], lambda a, e: [e[1] > 0], lambda a, b: b)", "must be an int, a bool, a str"),
        ("s.aggregate([0, 0], lambda a, e: [a[0] > 1, a[1]], added)", "the fold starts from"),
    ],
)
def test_what_is_not_read_is_refused_by_name(body: str, message: str, refusal: Callable[..., str]) -> None:
    more = (
        "Z = [0, 0]\ndef of_pair(acc, e): return of_value(acc, e[1])\n"
        "def of_value(acc, v):\n    acc[0] += v\n    return acc\n"
        "def set_key(acc, e):\n    acc[str(e[0])] = 1\n    return acc\n"
    )
    text = f"{PREAMBLE.replace('def of_value', 'def unused')}\n{more}\ndef p(s: 'RDD[tuple[int, int]]'): return {body}"
    assert message in refusal(text)


COUNTS = "[s.filter(lambda e: e[1] % 3 == 0).count(), of_rest(s, 1), of_rest(s, 2)]"
PAIRS = {
    "counted": ("s.aggregate([0] * 3, counted, into)", COUNTS, "equivalent"),
    "a list is no tuple": ("s.aggregate([0] * 3, counted, into)", f"tuple({COUNTS})", "inequivalent"),
    "another place": (
        "s.aggregate([0] * 3, counted, into)",
        "[of_rest(s, 1), of_rest(s, 0), of_rest(s, 2)]",
        "inequivalent",
    ),
    "merged otherwise": (
        "s.aggregate([0] * 3, counted, into)",
        "s.aggregate([0] * 3, counted, lambda a, b: [x + y for x, y in zip(a, b)])",
        "equivalent",
    ),
    "not merged": ("s.aggregate([0] * 3, counted, into)", "s.aggregate([0] * 3, counted, lambda a, b: a)", "unknown"),
    "from one": ("s.aggregate([0, 0], chosen, added)", "s.aggregate([1, 0], chosen, added)", "unknown"),
    "sum and number": (
        "s.aggregateByKey([0, 0], of_value, added).mapValues(lambda t: t[0] / t[1])",
        "s.mapValues(lambda v: (v, 1)).reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))"
        ".mapValues(lambda t: t[0] / t[1])",
        "equivalent",
    ),
    "sum and number of dictionaries": (
        "s.combineByKey(lambda v: {'t': v, 'n': 1}, lambda a, v: {'t': a['t'] + v, 'n': a['n'] + 1}, of_keys)"
        ".mapValues(lambda d: d['t'] / d['n'])",
        "s.mapValues(lambda v: [v, 1]).reduceByKey(added).mapValues(lambda t: t[0] / t[1])",
        "equivalent",
    ),
    "sum and a number that starts at 1": (
        "s.combineByKey(lambda v: [v, 0], of_value, added).mapValues(lambda t: (t[0], t[1]))",
        "s.combineByKey(lambda v: [v, 1], of_value, added).mapValues(lambda t: (t[0], t[1]))",
        "unknown",
    ),
    "the same entries in another order": (
        "s.aggregate({'n': 0, 'positive': 0}, named, of_keys)",
        "s.aggregate({'positive': 0, 'n': 0}, named, of_keys)",
        "equivalent",
    ),
}


@pytest.mark.parametrize("name", PAIRS)
def test_they_are_told_apart(name: str, write: Callable[[str, str], str]) -> None:
    left, right, answer = PAIRS[name]
    functions = "".join(
        f"def {f}(s: RDD[tuple[int, int]]):\n    return {body}\n" for f, body in (("f", left), ("g", right))
    )
    path = write("jobs.py", f"from pyspark import RDD\n{PREAMBLE}\n{functions}")
    assert check(f"{path}:f", f"{path}:g").verdict == answer
