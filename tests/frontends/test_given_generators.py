"""Generators as arguments of pure code's own functions: lists, where the function goes through them once."""

from __future__ import annotations

import ast
import random
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tallystick import check
from tallystick.frontends.pyspark.uninterpreted.code import PureCode, pure_code
from tallystick.frontends.pyspark.uninterpreted.names import Constant, Known
from tallystick.frontends.pyspark.uninterpreted.types import DATETIME, INT, NotPureError, PureType, bag_of, list_of

CONSTANTS = {"GAP": timedelta(minutes=30), "DAY": date(2024, 2, 29), "START": datetime(2024, 1, 1, 12)}


def _resolve(name: str) -> Known | None:
    return Constant(CONSTANTS[name]) if name in CONSTANTS else None


def _read(source: str, of: PureType) -> PureCode:
    (code,) = ast.parse(source).body
    assert isinstance(code, ast.FunctionDef)
    return pure_code(code, [("xs", of)], _resolve)


READ = {
    "sorted": "def g(ys):\n        return sorted(ys)[0]",
    "a set": "def g(ys):\n        return len(set(ys))",
    "in a condition": "def g(ys, k=1):\n        return sum(ys) if k else 0",
    "in order": "def g(ys):\n        n = 0\n        for y in sorted(ys):\n            n += y\n        return n",
    "a comprehension": "def g(ys):\n        return sorted([y * 2 for y in ys])",
    "a lambda": "g = lambda ys: max(ys)",
    "the first of two loops": "def g(ys):\n        return sorted([y + z for y in ys for z in (1, 2)])",
}
CALL = "\n    return g(x + 1 for x in xs if x != 3)"


@pytest.mark.parametrize("of", [bag_of(INT), list_of(INT)], ids=str)
@pytest.mark.parametrize("helper", READ.values(), ids=READ)
def test_a_list_means_the_same(helper: str, of: PureType) -> None:
    source = f"def f(xs):\n    {helper}{CALL}"
    code, names = _read(source, of), dict[str, Any]()
    exec(source, names)
    generator = random.Random(2)
    for _ in range(40):
        xs = [generator.randint(0, 5) for _ in range(generator.randint(1, 5))]
        xs.append(1)
        assert code.value(xs) == names["f"](xs)


REFUSED = {
    "twice": "def g(ys):\n        return sum(ys) + sum(ys)",
    "its truth": "def g(ys):\n        return 1 if ys else 0",
    "its length": "def g(ys):\n        return len(ys)",
    "kept": "def g(ys):\n        return ys",
    "in a loop": "def g(ys):\n        n = 0\n        for k in (1, 2):\n            n += sum(ys)\n        return n",
    "in a comprehension": "def g(ys):\n        return [sum(ys) for k in (1, 2)]",
    "the second of two loops": "def g(ys):\n        return [y for k in (1, 2) for y in ys]",
    "in a test of a comprehension": "def g(ys):\n        return [k for k in (1, 2) if k in set(ys)]",
    "in a function": "def g(ys):\n        h = lambda: sum(ys)\n        return h() + h()",
    "until something is found": "def g(ys):\n        for y in ys:\n            return y\n        return 0",
    "another `sum`": "def sum(zs):\n        return len(zs)\n    def g(ys):\n        return sum(ys)",
    "a parameter called `sum`": "def g(ys, sum=1):\n        return sum(ys)",
    "given another value": "def g(ys):\n        ys = sorted(ys)\n        return ys[0]",
    "in a `try`": (
        "def g(ys):\n        try:\n            return sum(ys)\n        except ValueError:\n            return 0"
    ),
}


@pytest.mark.parametrize("helper", REFUSED.values(), ids=REFUSED)
def test_other_uses_are_refused(helper: str) -> None:
    with pytest.raises(NotPureError):
        _read(f"def f(xs):\n    {helper}{CALL}", list_of(INT))


ADDS = "    acc = [5]\n    def g(out, ys):\n        out.append(1)\n        return sorted(ys)\n"
LATE = {
    "the length of what grows": f"def f(xs):\n{ADDS}    return g(acc, (x + len(acc) for x in xs))",
    "what grows itself": f"def f(xs):\n{ADDS}    return g(acc, (x for x in acc))",
    "a function of what grows": (
        f"def f(xs):\n{ADDS}    def n():\n        return len(acc)\n    return g(acc, (x + n() for x in xs))"
    ),
    "one name for two": f"def f(xs):\n{ADDS}    return g(acc, (acc for acc in acc))",
    "inside of a condition": f"def f(xs):\n{ADDS}    return g(acc, (x for x in xs if x > len(acc)))",
    "a name that it gives": f"def f(xs):\n{ADDS}    y = 0\n    return g(acc, ((y := x) for x in xs))",
    "the largest of two": "def f(xs):\n    g = lambda ys, zs: max(ys, zs)\n    return g((x for x in xs), xs)",
}


@pytest.mark.parametrize("source", LATE.values(), ids=LATE)
def test_what_a_generator_may_see_later_is_refused(source: str) -> None:
    with pytest.raises(NotPureError):
        _read(source, list_of(INT))


def test_what_is_taken_apart_at_once() -> None:
    assert _read("def f(xs):\n    a, b = map(abs, xs)\n    return a + b", list_of(INT)).value([-1, 2]) == 3
    with pytest.raises(NotPureError):
        _read("def f(xs):\n    a = map(abs, xs)\n    return sum(a)", list_of(INT))
    with pytest.raises(NotPureError):
        _read("def f(xs):\n    a, b = map(abs, xs)\n    return a + b", bag_of(INT))
    body = "    try:\n        a, b = map(abs, xs)\n    except ValueError:\n        return 0\n    return a + b"
    with pytest.raises(NotPureError, match="iterator"):
        _read(f"def f(xs):\n{body}", list_of(INT))


def test_times_of_the_module_are_constants() -> None:
    code = _read("def f(xs):\n    return [(x - START) // GAP for x in xs if x.day != DAY.day]", list_of(DATETIME))
    assert code.value([datetime(2024, 1, 1, 14), datetime(2024, 1, 29)]) == [4]
    texts = {
        _read(f"def f(xs):\n    return [x for x in xs if x - START > {gap}]", list_of(DATETIME)).text
        for gap in ("GAP", "GAP + GAP")
    }
    assert len(texts) == 2


JOBS = """
from datetime import datetime, timedelta
from pyspark import RDD
GAP = timedelta(minutes={minutes})
def count(times):
    n, last = 0, None
    for t in sorted(set(times)):
        if last is None or t - last > GAP:
            n += 1
        last = t
    return n
def p(r: RDD[tuple[str, datetime]]) -> RDD[tuple[str, int]]:
    return r.groupBy(lambda v: v[0]).mapValues(lambda vs: count(v[1] for v in vs))
"""


@pytest.mark.parametrize(("minutes", "answer"), [(30, "equivalent"), (31, "not")])
def test_programs_with_times_of_the_module(minutes: int, answer: str, tmp_path: Path) -> None:
    for name, number in (("one.py", 30), ("other.py", minutes)):
        (tmp_path / name).write_text(JOBS.format(minutes=number))
    verdict = check(f"{tmp_path}/one.py:p", f"{tmp_path}/other.py:p", timeout=2.0)
    assert (str(verdict.verdict) == "equivalent") == (answer == "equivalent")
