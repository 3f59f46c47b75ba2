"""Dictionaries at the driver whose values are lists of so many items, and defaultdicts of lambdas."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from tallystick import check
from tallystick.core.interpreter import bag_of
from tallystick.frontends.pyspark import SourceProgram

from .local_rdd import load, run_by_python, run_by_terms, same

RANDOM = Random(9)
INPUTS = [[], [("a", 0)]] + [
    [(RANDOM.choice(["a", "b", ""]), RANDOM.randrange(-3, 4)) for _ in range(size)] for size in range(1, 9)
]
HEAD = "from collections import defaultdict\ndef p(s: 'RDD[tuple[str, int]]'):\n    "
SET = "    d[k][0] += v\n    d[k][1] = d[k][1] + 1\n"
EACH = "for k, v in s.collect():\n"
FILLED = {
    "made where missing": f"d = {{}}\n{EACH}    if k not in d:\n        d[k] = [0, 1]\n{SET}",
    "a lambda": f"d = defaultdict(lambda: [0, 1])\n{EACH}{SET}",
    "setdefault": f"d = {{}}\n{EACH}    MAKE\n{SET}",
    "one or the other": f"d = {{}}\n{EACH}    if k in d:\n        d[k][0] += v\n    else:\n        d[k] = [v, 1]\n",
    "for some": f"d = defaultdict(lambda: [5, 0])\n{EACH}    if v > 0:\n        d[k][1] += v\n",
    "anew": f"d = {{}}\n{EACH}    if k not in d:\n      d[k] = [0, 1]\n    d[k] = [d[k][0] + v * v, d[k][1] * 2]\n",
}
USED = {
    "taken apart": "return {k: a - 2 * b for k, (a, b) in d.items()}",
    "indexed": "return sorted((k, e[1]) for k, e in d.items())",
    "by key": "return [(k, d[k][0], d[k][1]) for k in sorted(d)]",
    "in a loop": "t = 0\nfor k, e in d.items():\n    t += e[0] * e[1]\nreturn t",
    "in order": "t = []\nfor k, (a, b) in sorted(d.items()):\n    t.append((k, a + b))\nreturn t",
    "values": "return (sum(a for a, b in d.values()), len(d), 'a' in d)",
}


def _text(body: str) -> str:
    body = body.replace("MAKE", "d.setdefault(k, [0, 1])")
    return HEAD + body.replace("\n", "\n    ") + "\n"


@pytest.mark.parametrize("filled", FILLED)
def test_it_means_what_python_computes(filled: str, read: Callable[..., SourceProgram]) -> None:
    for used in USED.values():
        text = _text(FILLED[filled] + used)
        program, function = read(text), load(text)
        for given in INPUTS:
            expected, found = run_by_python(function, [list(given)]), run_by_terms(program, [list(given)])
            if isinstance(found, dict) and isinstance(expected, list):
                expected = bag_of(expected)
            assert same(found, expected), (used, given)


REFUSED = {
    "itself": f"d = {{}}\n{EACH}    MAKE\n{SET}return d",
    "a list of it": f"d = {{}}\n{EACH}    MAKE\n{SET}return [e for e in d.values()]",
    "compared": f"d = {{}}\n{EACH}    MAKE\n{SET}return any(e == (0, 1) for e in d.values())",
    "the largest": f"d = {{}}\n{EACH}    MAKE\n{SET}return max(d.values())[0]",
    "shared": f"e = [0, 1]\nd = {{}}\n{EACH}    d.setdefault(k, e)\n{SET}return len(d)",
    "shared by a lambda": f"e = [0, 1]\nd = defaultdict(lambda: e)\n{EACH}{SET}return len(d)",
    "a function": f"def f():\n    return [0, 1]\nd = defaultdict(f)\n{EACH}{SET}return len(d)",
    "another name": f"d = {{}}\n{EACH}    MAKE\n    e = d[k]\n    e[0] += v\n    d[k][1] += e[0]\nreturn len(d)",
    "tuples, too": f"d = {{}}\n{EACH}    MAKE\n    if v > 1:\n        d[k] = (0, 0)\n{SET}return len(d)",
    "of tuples": f"d = {{}}\n{EACH}    d.setdefault(k, (0, 1))\n    d[k][0] += v\nreturn len(d)",
    "of two sizes": f"d = {{}}\n{EACH}    d[k] = [1, 2] if v else [1]\n    d[k][0] += v\nreturn len(d)",
    "no such item": f"d = {{}}\n{EACH}    MAKE\n    d[k][2] += v\nreturn len(d)",
    "by a value": f"d = {{}}\n{EACH}    MAKE\n    d[k][v % 2] += v\nreturn len(d)",
    "longer": f"d = {{}}\n{EACH}    MAKE\n    d[k] += [v]\n    d[k][0] += v\nreturn len(d)",
    "a missing key": f"d = {{}}\n{EACH}    d[k][0] += v\nreturn len(d)",
    "another default": f"d = defaultdict(lambda: 5)\n{EACH}    d[k] += v\nreturn d['x'] + len(d)",
    "a late name": f"n = 1\nd = defaultdict(lambda: [n, 0])\nn = 2\n{EACH}{SET}return len(d)",
    "sorted by it": f"d = {{}}\n{EACH}    MAKE\n{SET}return sorted(d.items(), key=lambda e: e[1])",
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_would_show_a_tuple_is_refused(name: str, refusal: Callable[..., str]) -> None:
    assert refusal(_text(REFUSED[name]))


def test_a_lambda_of_a_number_is_the_first_value(read: Callable[..., SourceProgram]) -> None:
    for first in (0, 5):
        text = _text(f"d = defaultdict(lambda: {first})\n{EACH}    d[k] += v\nreturn d")
        program, function = read(text), load(text)
        for given in INPUTS:
            assert same(run_by_terms(program, [list(given)]), run_by_python(function, [list(given)]))


@pytest.mark.parametrize(("add", "verdict"), [("1", "equivalent"), ("2", "inequivalent")])
def test_sums_and_counts(add: str, verdict: str, tmp_path: Path) -> None:
    path = tmp_path / "programs.py"
    loop = f"d = defaultdict(lambda: [0, 0])\n{EACH}    d[k][0] += v\n    d[k][1] += 1\n"
    reduced = (
        f"r = s.mapValues(lambda v: (v, {add})).reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))\n"
        "return r.mapValues(lambda e: e[0] // e[1]).collectAsMap()"
    )
    one, other = (
        _text(f"{loop}return {{k: d[k][0] // d[k][1] for k in d}}"),
        _text(reduced).partition("\n")[2].replace("def p(", "def q("),
    )
    path.write_text(one + "\n" + other)
    assert check(f"{path}:p", f"{path}:q").verdict == verdict
