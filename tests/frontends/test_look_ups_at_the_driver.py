"""Look-ups in dictionaries of an RDD's elements at the driver, in loops and comprehensions, and in defaultdicts."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from tallystick.core.interpreter import bag_of
from tallystick.frontends.pyspark import SourceProgram

from .local_rdd import load, run_by_python, run_by_terms, same

RANDOM = Random(3)
HEAD = "from collections import Counter, defaultdict\ndef p(s: 'RDD[tuple[str, int]]', k: str):\n    "
SUMS = """d, n = defaultdict(int), {}
for j, v in s.collect():
    d[j] += v
    if v > 0:
        n[j] = n.get(j, 0) + 1
"""
BODIES = {
    "its own keys": "d = s.countByKey()\nreturn [(j, d[j]) for j in sorted(d)]",
    "its own keys, in any order": "d = s.countByKey()\nreturn {j: d[j] + 1 for j in d}",
    "its own items": "d = s.countByKey()\nreturn [(j, d[j] - m) for j, m in d.items()]",
    "of another": SUMS + "return {j: (d[j], n.get(j, 0)) for j in d}",
    "the other way round": SUMS + "return {j: d[j] // n[j] for j in n}",
    "in order": SUMS + "return [(j, d[j], n.get(j)) for j in sorted(d, reverse=True)]",
    "items in order": SUMS + "return [(j, v, n.get(j, -1)) for j, v in sorted(d.items())]",
    "whether it is there": SUMS + "return sorted(j for j in d if j in n)",
    "of other keys": SUMS + "return sum(d.get(j + 'a', 7) * v for j, v in s.collect())",
    "in a loop": SUMS + "t = 0\nfor j in d:\n    t += d[j] * n.get(j, 3)\nreturn t",
    "in a loop of elements": SUMS + "t = 0\nfor j, v in s.collect():\n    t += v * n.get(j, 0)\nreturn t",
    "two in a loop": SUMS + "t = 0\nfor j, v in s.collect():\n    t += n.get(j, 0) * d.get(j + '!', v)\nreturn t",
    "two in a comprehension": SUMS + "return [n.get(j, 0) + d.get(j, v) for j, v in s.collect()]",
    "in a loop in order": SUMS + "t = []\nfor j in sorted(n):\n    if d[j] > 1:\n        t.append((j, n[j]))\nreturn t",
    "into a dictionary": SUMS + "t = {}\nfor j, v in n.items():\n    t[j] = v - d[j]\nreturn t",
    "three": SUMS + "m = s.reduceByKey(max).collectAsMap()\nreturn {j: (d[j], n.get(j, 0), m[j]) for j in d}",
    "after it was read": "d = s.countByKey()\nt = sum(d.values())\nreturn (d[k], t)",
    "after it was gone through": (
        "d = s.countByKey()\nt = sum(v for v in d.values() if v > 1)\nfor v in d.values():\n    t += v\nreturn d[k] + t"
    ),
    "the only uses": "d = s.countByKey()\nreturn d[k] + d['a']",
}


@pytest.mark.parametrize("name", BODIES)
def test_it_means_what_python_computes(name: str, read: Callable[..., SourceProgram]) -> None:
    text = HEAD + BODIES[name].replace("\n", "\n    ") + "\n"
    program, function = read(text), load(text)
    for size in range(9):
        given = [(RANDOM.choice(["a", "b", "", "aa"]), RANDOM.randrange(-2, 4)) for _ in range(size)]
        for key in ("a", "c"):
            expected, found = run_by_python(function, [list(given), key]), run_by_terms(program, [list(given), key])
            if isinstance(found, dict) and isinstance(expected, list):
                expected = bag_of(expected)
            assert same(found, expected), given


SEEN = {
    "its length": "n = d[k]\nreturn n + len(d)",
    "in one statement": "return d[k] + len(d)",
    "a view": "m = d.values()\nn = d[k]\nreturn n + sum(m)",
    "another name": "e = d\nn = d[k]\nreturn n + len(e)",
    "a function": "def f():\n    return len(d)\nn = d[k]\nreturn n + f()",
    "a loop": "t = 0\nfor j in (1, 2):\n    t += len(d)\n    t += d[k]\nreturn t",
    "a function that is called sum": "def sum(x):\n    return x\nm = sum(d)\nn = d[k]\nreturn n + len(m)",
}


@pytest.mark.parametrize("name", SEEN)
def test_a_key_that_a_look_up_makes_is_seen(name: str, refusal: Callable[..., str]) -> None:
    text = HEAD + "d = s.countByKey()\n    " + SEEN[name].replace("\n", "\n    ") + "\n"
    assert "makes a key" in refusal(text)


def test_a_key_by_the_rounds_before_is_refused(refusal: Callable[..., str]) -> None:
    body = "d = s.countByValue()\nt = 0\nfor j, v in s.collect():\n    t += d.get(('a', t), 1)\nreturn t"
    assert "elements before" in refusal(HEAD + body.replace("\n", "\n    ") + "\n")
