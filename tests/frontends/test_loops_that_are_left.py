"""Loops at the driver that `return` or `break` ends, and lists and dictionaries that are there under a condition."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from tallystick import check
from tallystick.core.interpreter import bag_of
from tallystick.frontends.pyspark import SourceProgram

from .local_rdd import load, run_by_python, run_by_terms, same

RANDOM = Random(11)
INPUTS = [[], [0], [5], [2, 2]] + [[RANDOM.randrange(-3, 7) for _ in range(size)] for size in range(1, 9)]
HEAD = "def p(r: 'RDD[int]', n: int):\n"
LOOPS = {
    "a return": "EACH:\n    if x > n:\n        return True\nreturn False",
    "of a parameter": "EACH:\n    if x > 3 and x != n:\n        return n + 1\nreturn n",
    "of None": "EACH:\n    if x > 3:\n        return None\nreturn n",
    "with else": "EACH:\n    if x > 3:\n        break\nelse:\n    return 0\nreturn n",
    "return with else": "EACH:\n    if x > 3:\n        return n\nelse:\n    return -1",
    "a flag": "found = False\nEACH:\n    if x > 3:\n        found = True\n        break\nreturn found",
    "a flag that was set": "f = n > 1\nEACH:\n    if x > 3:\n        f = False\n        break\nreturn f",
    "two flags": "a = b = n\nEACH:\n    if x > 3:\n        a = 1\n        b = n\n        break\nreturn (a, b)",
    "nested": "f = 0\nEACH:\n    if x > 1:\n        if x < 5:\n            f = 9\n            break\nreturn f",
    "continue": "EACH:\n    if x <= n:\n        continue\n    return True\nreturn False",
    "at the first": "EACH:\n    return True\nreturn False",
    "two places": "EACH:\n    if x < 0:\n        return 1\n    if x > 4:\n        return 1\nreturn 0",
    "of keys": "d = r.countByValue()\nfor x in d:\n    if d[x] > 1:\n        return True\nreturn False",
    "of groups": (
        "for k, g in r.keyBy(lambda x: x % 2).groupByKey().collect():\n    if sum(g) > n:\n        return True\n"
        "return False"
    ),
    "in a loop": "m = 0\nfor i in (1, 3):\n  EACH:\n    if x > i:\n      m = i\n      break\nreturn m",
    "and then": "EACH:\n    if x > 4:\n        return -1\nt = 0\nEACH:\n    t += x\nreturn t",
}
CONDITIONAL = {
    "no list": "if n < 2:\n    return []\nreturn sorted(r.collect())",
    "a list": "xs = r.collect()\nif n < 2:\n    return xs\nreturn []",
    "no dictionary": "if n < 2:\n    return {}\nreturn r.countByValue()",
    "by a conditional": "return r.countByValue() if n < 2 else {}",
    "the first": "xs = sorted(r.collect())[:2]\nreturn xs if n > 1 else []",
    "no set": "return {x for x in r.collect()} if n > 1 else set()",
}


def _body(text: str) -> str:
    return text.replace("EACH", "for x in r.collect()").replace("\n", "\n    ")


@pytest.mark.parametrize("name", [*LOOPS, *CONDITIONAL])
def test_it_means_what_python_computes(name: str, read: Callable[..., SourceProgram]) -> None:
    body = _body((LOOPS | CONDITIONAL)[name])
    text = f"{HEAD}    {body}\n"
    program, function = read(text), load(text)
    for given in INPUTS:
        for n in (0, 1, 4):
            expected, found = run_by_python(function, [list(given), n]), run_by_terms(program, [list(given), n])
            if isinstance(found, dict) and isinstance(expected, list):
                expected = bag_of(expected)
            assert same(found, expected), (given, n)


REFUSED = {
    "the element": "EACH:\n    if x > 1:\n        return x\nreturn 0",
    "what is made of it": "EACH:\n    if x > 1:\n        return x % 2\nreturn 0",
    "two values": "EACH:\n    if x > 3:\n        return 1\n    if x > 1:\n        return 2\nreturn 0",
    "one or the other": "EACH:\n    return x > 1\nreturn False",
    "both": "EACH:\n    if x > 3:\n        return 1\n    if x > 1:\n        break\nreturn 0",
    "rounds before": "m = 0\nEACH:\n    m += 1\n    if x > 3:\n        break\nreturn m",
    "rounds before, too": "m = 0\nEACH:\n    if x > 3:\n        break\n    m = 7\nreturn m",
    "another round": "m = 0\nEACH:\n    if x > 1:\n        m = 5\n    if x > 3:\n        break\nreturn m",
    "the element that ends it": "m = 0\nEACH:\n    if x > 1:\n        m = x\n        break\nreturn m",
    "the last one": "EACH:\n    if x > 3:\n        break\nreturn x",
    "by the rounds before": "m = 0\nEACH:\n    m += x\n    if m > 3:\n        return True\nreturn False",
    "a list that grows": "m = []\nEACH:\n    m.append(x)\n    if x > 3:\n        break\nreturn m",
    "a dictionary": "m = {}\nEACH:\n    m[x] = m.get(x, 0) + 1\n    if x > 3:\n        break\nreturn m",
    "no list of a dictionary": "return r.countByValue() if n > 1 else []",
    "no dictionary of a list": "return r.collect() if n > 1 else {}",
    "no list of a set": "return {x for x in r.collect()} if n > 1 else []",
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_depends_on_the_order_is_refused(name: str, refusal: Callable[..., str]) -> None:
    body = _body(REFUSED[name])
    assert refusal(f"{HEAD}    {body}\n")


@pytest.mark.parametrize(
    ("one", "other", "verdict"),
    [
        ("a return", "return not r.filter(lambda x: x > n).isEmpty()", "equivalent"),
        ("a return", "return any(n < x for x in r.collect())", "equivalent"),
        ("a return", "return any(n <= x for x in r.collect())", "inequivalent"),
        ("a return", "return all(x > n for x in r.collect())", "inequivalent"),
        ("a flag", "return r.filter(lambda x: x >= 4).count() > 0", "equivalent"),
        ("no list", "return sorted(x for x in r.collect() if n >= 2)", "equivalent"),
        ("no list", "return sorted(r.collect())", "inequivalent"),
        ("no dictionary", "return r.countByValue()", "inequivalent"),
    ],
)
def test_verdicts(one: str, other: str, verdict: str, tmp_path: Path) -> None:
    path = tmp_path / "programs.py"
    body = _body((LOOPS | CONDITIONAL)[one])
    path.write_text(f"{HEAD}    {body}\n\n{HEAD.replace('p(', 'q(')}    {other}\n")
    assert check(f"{path}:p", f"{path}:q").verdict == verdict


LOOK_UP = "def p(r: 'RDD[str]', s: 'RDD[str]', n: int):\n    d = r.countByValue() if n > 0 else {}\n    return d['x']\n"
SETS = "def p(r: 'RDD[str]', s: 'RDD[str]', n: int):\n    return set(r.collect()) if n > 0 else set(s.collect())\n"


def test_a_look_up_in_one_of_two_kinds_of_dictionaries_is_refused(refusal: Callable[..., str]) -> None:
    assert "makes a key" in refusal(LOOK_UP)


def test_one_of_two_sets_is_a_set(read: Callable[..., SourceProgram]) -> None:
    program, function = read(SETS), load(SETS)
    assert program.returns_set
    for n in (0, 1):
        given = [["a", "b", "a"], ["c", "c"], n]
        assert same(run_by_terms(program, given), run_by_python(function, given))
