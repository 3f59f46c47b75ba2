"""Loops and comprehensions at the driver over the items of lists that are made of collected elements."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from tallystick import check
from tallystick.core.interpreter import bag_of
from tallystick.core.pretty import text as shown
from tallystick.frontends.errors import SourceError
from tallystick.frontends.pyspark import SourceProgram

from .local_rdd import load, run_by_python, run_by_terms, same

RANDOM = Random(5)
WORDS = ["a", "b", "ab", "B", "", " "]
INPUTS = [[], [""], ["a a"]] + [
    [" ".join(RANDOM.choices(WORDS, k=RANDOM.randrange(5))) for _ in range(size)] for size in range(1, 7)
]
HEAD = "from collections import Counter, defaultdict\ndef p(r: 'RDD[str]', n: int):\n    "
READ = {
    "counts": "d = {}\nEACH\n    ITEMS\n        d[w] = d.get(w, 0) + 1\nreturn d",
    "a defaultdict": "d = defaultdict(int)\nEACH\n    for w in line.split(' '):\n        d[w.lower()] += n\nreturn d",
    "in a branch": "d = Counter()\nEACH\n    if len(line) > 1:\n        ITEMS\n            d[w] += 1\nreturn d",
    "after `continue`": "t = 0\nEACH\n    if not line:\n        continue\n    ITEMS\n        t += 1\nreturn t",
    "names before": "t = 0\nEACH\n    ws = line.split()\n    m = len(ws)\n    for w in ws:\n      t += m\nreturn t",
    "of a set": "d = Counter()\nEACH\n    for w in set(line.split()):\n        d[w] += 1\nreturn d",
    "lists by key": (
        "d = defaultdict(list)\nEACH\n    ITEMS\n        d[w].append(line)\nreturn {w: len(ls) for w, ls in d.items()}"
    ),
    "sets by key": (
        "d = {}\nEACH\n    ITEMS\n        d.setdefault(w, set()).add(line)\n"
        "return {w: sorted(ls) for w, ls in d.items()}"
    ),
    "a list": "t = []\nEACH\n    ITEMS\n        if w != 'a':\n            t.append((line, w))\nreturn t",
    "a return": "EACH\n    ITEMS\n        if len(w) > 1:\n            return True\nreturn False",
    "a look-up": (
        "d = r.flatMap(str.split).countByValue()\nt = 0\nEACH\n    ITEMS\n        t += d.get(w, 0)\nreturn t"
    ),
    "the largest": (
        "d = {}\nEACH\n    ITEMS\n        if w not in d or d[w] < len(line):\n            d[w] = len(line)\nreturn d"
    ),
    "a comprehension": "return [w + line for line in r.collect() for w in line.split()]",
    "with conditions": "return sum(len(w) for line in r.collect() if line for w in line.split() if w > 'a')",
    "of a Counter": "return Counter(w for line in r.collect() for w in line.split())",
    "of a set of items": "return {w for line in r.collect() for w in line.split()}",
    "of so many items": "return [(line, i) for line in r.collect() for i in (1, n)]",
}


def _text(body: str) -> str:
    body = body.replace("EACH", "for line in r.collect():").replace("ITEMS", "for w in line.split():")
    return HEAD + body.replace("\n", "\n    ") + "\n"


@pytest.mark.parametrize("name", READ)
def test_it_means_what_python_computes(name: str, read: Callable[..., SourceProgram]) -> None:
    text = _text(READ[name])
    program, function = read(text), load(text)
    assert "python" not in shown(program.program.expression)
    for given in INPUTS:
        expected, found = run_by_python(function, [list(given), 2]), run_by_terms(program, [list(given), 2])
        if isinstance(found, dict) and isinstance(expected, list):
            expected = bag_of(expected)
        assert same(found, expected), given


COUNTS = READ["counts"]
DIFFERENT = {
    "lines, too": "t = 0\nEACH\n    t += 1\n    ITEMS\n        t += 1\nreturn t",
    "the first word": "t = 0\nEACH\n    ITEMS\n        t += 1\n        break\nreturn t",
    "a flag": (
        "t = 0\nEACH\n    seen = 0\n    ITEMS\n        if seen == 0:\n            t += 1\n        seen = 1\nreturn t"
    ),
    "neighbours": (
        "t = 0\nEACH\n    last = ''\n    ITEMS\n        if w == last:\n            t += 1\n        last = w\nreturn t"
    ),
    "places": "t = 0\nEACH\n    for i, w in enumerate(line.split()):\n        t += i\nreturn t",
    "counted before": "t = 0\nEACH\n    k = 0\n    ITEMS\n        k += 1\n    t += k * k\nreturn t",
    "read after": "t, m = 0, 0\nEACH\n    ITEMS\n        t += 1\n    m = t\nreturn m",
    "with else": "t = 0\nEACH\n    ITEMS\n        t += 1\n    else:\n        t += 5\nreturn t",
    "a return for some": "EACH\n    ITEMS\n        if w > n:\n            return 1\n    return 0\nreturn 0",
    "a list by the state": "t = 0\nEACH\n    for w in (line + ' x' * t).split():\n        t += 1\nreturn t",
    "a condition on the state": "t = 0\nEACH\n    if t < 3:\n        ITEMS\n            t += 1\nreturn t",
    "in order": "t = []\nfor line in sorted(r.collect()):\n    ITEMS\n        t.append(w)\nreturn t",
}


@pytest.mark.parametrize("name", DIFFERENT)
def test_what_is_no_loop_over_pairs_is_not_read_as_one(name: str, read: Callable[..., SourceProgram]) -> None:
    """It is refused, or a function by name of the elements in an order."""
    try:
        program = read(_text(DIFFERENT[name]))
    except SourceError:
        return
    assert "words" not in shown(program.program.expression)


@pytest.mark.parametrize(
    ("body", "verdict"),
    [
        (
            "return r.flatMap(str.split).map(lambda w: (w, 1)).reduceByKey(lambda a, b: a + b).collectAsMap()",
            "equivalent",
        ),
        ("return r.flatMap(lambda x: x.split()).countByValue()", "equivalent"),
        ("return r.flatMap(lambda x: set(x.split())).countByValue()", "inequivalent"),
        ("return r.flatMap(lambda x: x.split(' ')).countByValue()", "inequivalent"),
    ],
)
def test_word_counts(body: str, verdict: str, tmp_path: Path) -> None:
    path = tmp_path / "programs.py"
    path.write_text(_text(COUNTS) + "\n" + _text(body).replace("def p(", "def q("))
    assert check(f"{path}:p", f"{path}:q").verdict == verdict
