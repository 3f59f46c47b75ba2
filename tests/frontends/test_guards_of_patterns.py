# ruff: noqa: E501
"""Guards of patterns that bind names: each case means what Python runs, and no name is read as what it was before."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest
from tallystick import check
from tallystick.frontends.pyspark import SourceProgram

from .local_rdd import load, run_by_python, run_by_terms, same

PAIRS = [*product((-1, 0, 1, 4), repeat=2), (4, 4)]
READ = {
    "names of a tuple": "case (a, b) if a > b:\n    return a - b\ncase (a, 0):\n    return a\ncase _:\n    return -1",
    "a name for all": "case u if u[0] == 4:\n    return u[1]\ncase (a, b):\n    return a",
    "a pattern with a name": "case (0, b) as u if u[0] < b:\n    return b\ncase (a, b):\n    return a",
    "a binding in the guard": "case (a, b) if (c := a + b) > 1:\n    return c\ncase (a, b):\n    return a - c",
    "a constant guard": "case (a, b) if False:\n    return a\ncase (c, d) if True:\n    return d\ncase _:\n    return 9",
    "a comprehension": "case (a, b) if any(x > a for x in (b, 0)):\n    return b\ncase (a, b):\n    return -a",
    "one guard after the other": "case (a, b) if a > 1:\n    return a\ncase (a, b) if b > 1:\n    return b\ncase (a, b):\n    return a + b",
    "names that only one case reads": "case (a, b) if b > 1:\n    return a\ncase (0, _):\n    return 7\ncase _:\n    return 8",
}


@pytest.mark.parametrize("name", READ)
@pytest.mark.parametrize("rows", [PAIRS, []], ids=("pairs", "nothing"))
def test_cases_with_guards_are_what_python_computes(
    name: str, rows: list[object], read: Callable[..., SourceProgram]
) -> None:
    text = _program(READ[name])
    assert same(run_by_terms(read(text), [rows]), run_by_python(load(text), [rows]))


def test_what_is_yielded_in_cases_with_guards_is_what_python_yields(read: Callable[..., SourceProgram]) -> None:
    text = (
        "from __future__ import annotations\n"
        "def f(t):\n"
        "    match t:\n"
        "        case (None, _):\n            yield 0\n"
        "        case (a, b) if b is not None and a > b:\n            yield a\n            yield b\n"
        "        case (a, None) if a > 0:\n            yield a\n"
        "def p(s: RDD[tuple[int | None, int | None]]): return s.flatMap(f)\n"
    )
    rows = list(product((None, -1, 0, 2), repeat=2))
    assert same(run_by_terms(read(text), [rows]), run_by_python(load(text), [rows]))


KEPT = "`a` may be bound by a pattern whose guard does not hold"
REFUSED = {
    "another case": ("case (a, b) if b > 3:\n    return 0\ncase _:\n    return a", KEPT),
    "another guard": (
        "case (a, b) if b > 3:\n    return 0\ncase (c, d) if a > 3:\n    return 1\ncase _:\n    return 2",
        KEPT,
    ),
    "what follows": ("case (a, b) if b > 3:\n    pass", KEPT),
    "a function that was made before": (
        "case (a, b) if b > 3:\n    return 0\ncase _:\n    return before()",
        "after this",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_name_is_not_read_where_the_guard_may_not_hold(name: str, refusal: Callable[..., str]) -> None:
    """Python leaves it bound to a part of the subject; read as what it was before, it would have a wrong value."""
    cases, message = REFUSED[name]
    before = "    before = lambda: a\n" if "before()" in cases else ""
    assert message in refusal(_program(cases, f"    a = 7\n{before}", "    return a\n"))


def test_a_name_that_a_guard_leaves_bound_is_no_state_of_a_loop(refusal: Callable[..., str]) -> None:
    text = (
        "def f(g):\n    n = m = 0\n    for x in g:\n        n += m\n        match x:\n"
        "            case m if m > 3:\n                pass\n    return n\n"
        "def p(s: 'RDD[tuple[int, int]]'): return s.groupByKey().mapValues(f)\n"
    )
    assert "`m` changes from round to round" in refusal(text)


def test_guards_decide_at_their_bounds() -> None:
    def cases(s):
        def f(t):
            match t:
                case (a, b) if a > b:
                    return a
                case (a, b) if b > 0:
                    return b
                case _:
                    return 0

        return s.map(f)

    def right(s):
        return s.map(lambda t: t[0] if t[0] > t[1] else max(t[1], 0))

    def ties(s):
        return s.map(lambda t: t[0] if t[0] >= t[1] else max(t[1], 1))

    def turned(s):
        return s.map(lambda t: t[1] if t[1] > 0 else t[0] if t[0] > t[1] else 0)

    types = "s: RDD[tuple[int, int]]"
    assert check(cases, right, types=types, timeout=60).verdict.value == "equivalent"
    assert check(cases, ties, types=types, timeout=60).verdict.value == "inequivalent"
    assert check(cases, turned, types=types, timeout=60).verdict.value == "inequivalent"


def _program(cases: str, before: str = "", after: str = "") -> str:
    inside = "".join(f"        {line}\n" for line in cases.splitlines())
    return (
        "from __future__ import annotations\n"
        f"def f(t):\n{before}    match t:\n{inside}{after}"
        "def p(s: RDD[tuple[int, int]]): return s.map(f)\n"
    )


SECOND_NAMES = {
    "a list": "zs, xs = [], []\n    match zs:\n        case xs:\n            pass\n    xs.append(n)\n    return len(zs)",
    "a list with a guard": "zs, xs = [], []\n    match zs:\n        case xs if n > 0:\n            pass\n    xs.append(n)\n    return len(zs)",
    "a list that was collected": "ys = r.collect()\n    xs = []\n    match ys:\n        case xs:\n            pass\n    xs.sort()\n    return ys",
    "a dictionary": "e, d = {}, {}\n    match e:\n        case d:\n            pass\n    for x in r.collect():\n        d[x] = d.get(x, 0) + 1\n    return len(e)",
    "a pattern with a name": "zs, xs = [], []\n    match zs:\n        case _ as xs:\n            pass\n    xs.append(n)\n    return len(zs)",
}


@pytest.mark.parametrize("body", SECOND_NAMES.values(), ids=SECOND_NAMES)
def test_a_pattern_gives_no_second_name_to_what_may_change(body: str, refusal: Callable[..., str]) -> None:
    assert refusal(f"def p(r: 'RDD[int]', n: int):\n    {body}")
