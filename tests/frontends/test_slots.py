"""Items that a function sets, of a dictionary with constant keys or of a list of so many items: as Python sets them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import indent

import pytest
from tallystick import check
from tallystick.core.functions import FunctionError
from tallystick.frontends.pyspark import SourceProgram

from .local_rdd import load, run_by_python, run_by_terms, same

NUMBERS = [0, 3, -1, 3, 5, -7, 2, 0, 8]
PAIRS = [("a", 3), ("b", 0), ("a", -1), ("", 6), ("a", 3), ("b", 5), ("b", -2), ("a", 8)]
OF_ONE = {
    "constant keys": "d = {'a': 1, 'b': 2}\nd['a'] += x\nd['b'] = x * 2\nreturn d['a'], d['b']",
    "a new key": "d = {}\nd['x'] = x\nd['y'] = x + 1\nreturn d['x'] * d['y']",
    "its items": "d = {'n': 0}\nd['n'] -= x\nd['m'] = 1\nreturn max(d.items()), min(d.items())",
    "in branches": "d = {1: 0, 2: 0}\nif x > 0:\n    d[1] = x\nelse:\n    d[2] = -x\nreturn d[1] - d[2] + len(d)",
    "a key that is known": "d = {0: 5, 1: 7}\nif x in d:\n    d[x] += 1\nreturn d[0] * d[1]",
    "indices": "c = [0, 0, 0]\nc[x % 3] = x\nc[-1] += 1\nc[0] -= 2\nreturn c[0], c[1], c[2]",
    "an index from the end": "c = [1, 2]\nif -2 <= x < 2:\n    c[x] = 9\nreturn c[0] * 10 + c[1]",
    "lists in branches": "c = [x] * 2\nif x > 1:\n    c[0] = 4\nelif x < 0:\n    c[1] *= x\nreturn sum(c), max(c)",
    "in a loop of constants": "c = [0] * 3\nfor i in range(3):\n    c[i] = x + i\nc[1] = c[0]\nreturn c[1] - c[2]",
    "by a truth": "c = [10, 20]\nc[x > 2] += x\nreturn c[0], c[1]",
    "keys in one of two orders": (
        "d = {}\nif x > 0:\n    d['a'] = 1\n    d['b'] = 2\nelse:\n    d['b'] = 2\n    d['a'] = 1\nreturn list(d)[0]"
    ),
    "all of them": "d = {'a': x, 'b': 1}\nd['a'] = d['b']\nreturn sum(d.values()), max(d.values()), 'a' in d",
    "a list of pairs": "c = [(0, 0), (1, 1)]\nc[0] = (x, c[1][0])\nreturn c[0], c[1]",
}
OF_GROUPS = {
    "sums by constant keys": (
        "d = {0: 0, 1: 0}\nfor x in g:\n    if x % 3 in d:\n        d[x % 3] += x\nreturn d[0], d[1], sum(d.values())"
    ),
    "counts by index": "c = [0] * 4\nfor x in g:\n    c[x % 4] += 1\nreturn max(c), c[0], c[3]",
    "extremes": (
        "d = {'low': 9, 'high': -9}\nfor x in g:\n    d['low'] = min(d['low'], x)\n"
        "    d['high'] = max(d['high'], x)\nreturn d['high'] - d['low']"
    ),
    "one of one": "c = [0]\nfor x in g:\n    c[0] += x\nreturn c[0]",
    "branches": (
        "c = [0, 0]\nn = 0\nfor x in g:\n    n += 1\n    if x > 0:\n        c[0] += x\n"
        "    elif x < -1:\n        c[1] += 1\nreturn c[0] * 3 - c[1] + n"
    ),
    "a dictionary and a sum": (
        "d = {}\nn = 0\nfor x in g:\n    d[x % 3] = d.get(x % 3, 0) + x\n    n += 1\nreturn max(d.values()), n"
    ),
    "two dictionaries": (
        "d = {}\ne = {}\nfor x in g:\n    d[x % 3] = d.get(x % 3, 0) + x\n    e[x] = max(e.get(x, 1), x)\n"
        "return max(d.values()), sum(e.values()), len(e)"
    ),
    "a dictionary and a list": (
        "d = {}\nl = []\nfor x in g:\n    if x > 0:\n        l.append(x)\n    d[x] = 1\nreturn len(d), sum(l)"
    ),
    "a tuple of it": "c = [0, 0]\nfor x in g:\n    c[x % 2] += x\nreturn tuple(c)",
    "until": ("c = [0, 0]\nfor x in g:\n    c[x > 2] = 1\n    if c[0] + c[1] > 1:\n        return True\nreturn False"),
    "raises nowhere": "d = {'a': 0}\nfor x in g:\n    d['a'] += 6 // (x + 50)\nreturn d['a']",
}


def _of_one(body: str, name: str = "p") -> str:
    return f"def {name}(r: 'RDD[int]'):\n    def f(x):\n{indent(body, ' ' * 8)}\n    return r.map(f)\n"


def _of_group(body: str, name: str = "p") -> str:
    inner = f"    def f(g):\n{indent(body, ' ' * 8)}\n"
    return f"def {name}(s: 'RDD[tuple[str, int]]'):\n{inner}    return s.groupByKey().mapValues(f)\n"


@pytest.mark.parametrize("body", OF_ONE.values(), ids=OF_ONE)
def test_it_means_what_python_computes(body: str, read: Callable[..., SourceProgram]) -> None:
    text = _of_one(body)
    assert same(run_by_terms(read(text), [NUMBERS]), run_by_python(load(text), [NUMBERS]))


@pytest.mark.parametrize("body", OF_GROUPS.values(), ids=OF_GROUPS)
def test_loops_over_groups_mean_what_python_computes(body: str, read: Callable[..., SourceProgram]) -> None:
    text, program = _of_group(body), read(_of_group(body))
    for size in range(len(PAIRS) + 1):
        assert same(run_by_terms(program, [PAIRS[:size]]), run_by_python(load(text), [PAIRS[:size]]))


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("d = {'a': 1}\nv = d.values()\nd['a'] = x\nreturn sum(v)", "keeps to itself"),
        ("d = {'a': 1}\nd['a'] = x\nreturn (lambda: d['a'])()", "keeps to itself"),
        ("d = {1: 2}\nd[x] = (1 for _ in (1, 2))\nreturn len(d)", ""),
    ],
)
def test_what_is_not_followed_is_refused(body: str, message: str, refusal: Callable[..., str]) -> None:
    assert message in refusal(_of_one(body))


NAMED = {
    "a second name": "d = {'a': 1}\ne = d\nd['a'] = x\nreturn e['a']",
    "a key that may be new": "d = {1: 2}\nd[x] = 1\nreturn len(d)",
    "a loop over what it sets": "d = {1: 2, 3: 4}\nfor k, v in d.items():\n    d[3] = v + x\nreturn d[3]",
}


@pytest.mark.parametrize("body", NAMED.values(), ids=NAMED)
def test_pure_code_has_the_values_of_python(body: str, read: Callable[..., SourceProgram]) -> None:
    text = _of_one(body)
    assert same(run_by_terms(read(text), [NUMBERS]), run_by_python(load(text), [NUMBERS]))


COUNTS = "c = [0] * 3\nfor x in g:\n    c[x % 3] += 1\nreturn c[0], c[2]"
BY_SUMS = "s.mapValues(lambda x: (1 if x % 3 == {} else 0, 1 if x % 3 == 2 else 0))"
ADDED = ".reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))"
KEYS = "d = {1: 0, 2: 0}\nfor x in g:\n    if x in d:\n        d[x] = max(d[x], x)\nreturn d[1] + d[2]"
ANSWERS = {
    "counts": (COUNTS, BY_SUMS.format(0) + ADDED, "equivalent"),
    "other counts": (COUNTS, BY_SUMS.format(1) + ADDED, "inequivalent"),
    "keys": (KEYS, "s.mapValues(lambda x: x if x in (1, 2) else 0).reduceByKey(max)", "inequivalent"),
    "the last one": ("c = [0]\nfor x in g:\n    c[0] = x\nreturn c[0]", "s.reduceByKey(max)", "unknown"),
    "the sum of both": (
        "c = [0, 0]\nfor x in g:\n    c[x % 2] += x\nreturn c[0] + c[1]",
        "s.reduceByKey(lambda a, b: a + b)",
        "equivalent",
    ),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_pairs(name: str, tmp_path: Path) -> None:
    body, other, answer = ANSWERS[name]
    right = f"def g(s: 'RDD[tuple[str, int]]'):\n    return {other}\n"
    (tmp_path / "jobs.py").write_text(_of_group(body, "f") + right)
    assert check(f"{tmp_path}/jobs.py:f", f"{tmp_path}/jobs.py:g").verdict == answer


def test_an_index_that_is_out_of_range_raises(read: Callable[..., SourceProgram]) -> None:
    program = read(_of_one("c = [0, 0]\nc[x] = 5\nreturn c[0] + c[1]"))
    assert run_by_terms(program, [[1, -2, 0]]) == {5: 3}
    with pytest.raises(FunctionError):
        run_by_terms(program, [[2]])
