"""Dictionaries that a loop at the driver fills, and at one key of which each round looks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import indent

import pytest
from tallystick import check
from tallystick.frontends.pyspark import SourceProgram

from .local_rdd import load, run_by_python, run_by_terms, same

PAIRS = [("a", 3), ("b", 0), ("a", 7), ("", -2), ("a", -1), ("b", -5), ("c", 0), ("b", 0), ("", -4)]
PREAMBLE = "from collections import Counter, defaultdict\n"
LOOP = "for k, v in s.collect():\n"
LARGEST = "if k not in d or v > d[k]:\n    d[k] = v"
ROUNDS = {
    "the largest": LARGEST,
    "the largest, or this": "d[k] = max(d.get(k, v), v)",
    "the largest, if any": "best = d.get(k)\nif best is None or best < v:\n    d[k] = v",
    "the smallest above": "if v > 0:\n    if k in d:\n        d[k] = min(d[k], v)\n    else:\n        d[k] = v",
    "sums": "if k not in d:\n    d[k] = 0\nd[k] = d[k] + v",
    "sums from a default": "d.setdefault(k, 5)\nd[k] += v",
    "pairs": "if k in d:\n    d[k] = (d[k][0] + v, d[k][1] + 1)\nelse:\n    d[k] = (v, 1)",
    "pairs, or zeros": "total, n = d.get(k, (0, 0))\nd[k] = (total + v, n + 1)",
    "of keys that are made": "d[k + '!'] = max(v, d.get(k + '!', 0))",
    "none for some": "if v < 0:\n    continue\nd[k] = d.get(k, 0) + v * (2 if v > 5 else 1)",
    "whether": "d[k] = d.get(k, False) or v > 2",
}


def _program(name: str, made: str, body: str, result: str = "d") -> str:
    lines = f"d = {made}\n{LOOP}{indent(body, '    ')}\nreturn {result}"
    return f"def {name}(s: 'RDD[tuple[str, int]]'):\n{indent(lines, '    ')}\n"


@pytest.mark.parametrize("made", ["{}", "defaultdict(int)", "Counter()"])
@pytest.mark.parametrize("body", ROUNDS.values(), ids=ROUNDS)
def test_it_means_what_python_computes(made: str, body: str, read: Callable[..., SourceProgram]) -> None:
    text = PREAMBLE + _program("p", made, body)
    program = read(text)
    for size in range(len(PAIRS) + 1):
        assert same(run_by_terms(program, [PAIRS[:size]]), run_by_python(load(text), [PAIRS[:size]]))


def test_what_a_default_dictionary_makes_is_there(read: Callable[..., SourceProgram]) -> None:
    text = PREAMBLE + _program("p", "defaultdict(int)", "if d[k] < v:\n    d[k] = v", "sorted(d.items())")
    assert run_by_terms(read(text), [PAIRS]) == [("", 0), ("a", 7), ("b", 0), ("c", 0)]
    text = PREAMBLE + _program("p", "Counter()", "if d[k] < v:\n    d[k] = v", "sorted(d.items())")
    assert run_by_terms(read(text), [PAIRS]) == [("a", 7)]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("d[k] = d[k] + v", "a key that may be missing"),
        ("d[k] = max(d[k], v)", "KeyError"),
        ("d[k] = max(d.get(k + 'x', v), v)", "several keys"),
        ("d[k] = max(d.get(k, v), v)\n    d['all'] = d.get('all', 0) + v", "several keys"),
        ("d[k] = d.get(k, len(d))", "used otherwise"),
        ("e = d\n    d[k] = max(d.get(k, v), v)", "used otherwise"),
        ("d[k] = d.get(k, 'a') + 'b' if k in d else 1", "several types"),
    ],
)
def test_what_is_not_read_is_refused_by_name(body: str, message: str, refusal: Callable[..., str]) -> None:
    assert message in refusal(_program("p", "{}", body.replace("\n    ", "\n")))


LENGTHS = "def p(r: 'RDD[str]'):\n    d = {}\n    for x in r.collect():\n        if x.isdigit():\n"


def test_a_key_is_computed_where_python_computes_it(read: Callable[..., SourceProgram]) -> None:
    body = "if int(x) not in d or d[int(x)] < len(x):\n    d[int(x)] = len(x)\n"
    text = LENGTHS + indent(body, " " * 12) + "    return d\n"
    lines = ["7", "a", "07", "", "1", "b7"]
    assert same(run_by_terms(read(text), [lines]), run_by_python(load(text), [lines]))


def test_a_key_that_the_elements_before_decide_on_is_refused(refusal: Callable[..., str]) -> None:
    body = "    best = d.get(int(x))\nelse:\n    best = 5\nif best is not None and best > 3:\n    d[int(x)] = 1\n"
    assert "depends on the elements before" in refusal(LENGTHS + indent(body, " " * 8) + "    return d\n")


ROUNDS_BEFORE = {
    "a list": ("a = []", "n += len(a)", "a = a + [x]"),
    "a dictionary": ("a = {}", "n += len(a)", "a = {1: 2}"),
    "a function": ("a = lambda y: y", "n += a(x)", "a = lambda y: -y"),
    "a name of a pattern": ("a = 0", "n += a", "match x:\n            case a:\n                pass"),
}


@pytest.mark.parametrize("name", ROUNDS_BEFORE)
def test_what_a_round_before_may_have_made_is_not_read(name: str, refusal: Callable[..., str]) -> None:
    before, used, bound = ROUNDS_BEFORE[name]
    loop = f"    for x in r.collect():\n        {used}\n        {bound}\n"
    assert "round" in refusal(f"def p(r: 'RDD[int]'):\n    n = 0\n    {before}\n{loop}    return n\n")


SUMS = "s.reduceByKey(lambda a, b: a + b).collectAsMap()"
ANSWERS = {
    "the largest": (LARGEST, "s.reduceByKey(max).collectAsMap()", "equivalent"),
    "the smallest": (LARGEST, "s.reduceByKey(min).collectAsMap()", "inequivalent"),
    "sums": (ROUNDS["sums"], SUMS, "equivalent"),
    "sums of some": ("if v > 0:\n    " + ROUNDS["sums"].replace("\n", "\n    "), SUMS, "inequivalent"),
    "the first": ("if k not in d:\n    d[k] = v", "s.reduceByKey(max).collectAsMap()", "unknown"),
    "a default": (ROUNDS["sums from a default"], SUMS, "inequivalent"),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_pairs(name: str, tmp_path: Path) -> None:
    body, other, answer = ANSWERS[name]
    right = f"def g(s: 'RDD[tuple[str, int]]'):\n    return {other}\n"
    (tmp_path / "jobs.py").write_text(_program("f", "{}", body) + right)
    assert check(f"{tmp_path}/jobs.py:f", f"{tmp_path}/jobs.py:g").verdict == answer
