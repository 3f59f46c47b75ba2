"""Pure code of exact numbers, dates and texts from outside: floats and Decimals, patterns, iterators, sets in loops."""

from __future__ import annotations

import ast
import bisect
import random
import re
import statistics
from collections import defaultdict
from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from tallystick import check
from tallystick.core.errors import EvaluationError
from tallystick.frontends.pyspark.uninterpreted.code import PureCode, pure_code
from tallystick.frontends.pyspark.uninterpreted.names import Helper, Imported, Known
from tallystick.frontends.pyspark.uninterpreted.types import (
    DATE,
    DECIMAL,
    INT,
    RATIONAL,
    TEXT,
    NotPureError,
    PureType,
    bag_of,
    list_of,
    tuple_of,
)

HELPERS = """
def steps(values):
    last = None
    for each in sorted(values):
        if last is not None:
            yield each - last
        last = each

def growing(values):
    found = []
    for each in sorted(values):
        found.append(each)
        yield found
"""
MODULES: dict[str, Any] = {
    **{module.__name__: module for module in (bisect, re, statistics)},
    "defaultdict": defaultdict,
    "timedelta": timedelta,
    "Decimal": Decimal,
}
NAMES: dict[str, Known] = {
    **{name: Imported(name) for name in ("bisect", "re", "statistics")},
    "defaultdict": Imported("collections.defaultdict"),
    "timedelta": Imported("datetime.timedelta"),
    "Decimal": Imported("decimal.Decimal"),
    **{each.name: Helper(each, {}.get) for each in ast.parse(HELPERS).body if isinstance(each, ast.FunctionDef)},
}
FLOATS, DECIMALS, DATES, INTS = bag_of(RATIONAL), bag_of(DECIMAL), bag_of(DATE), bag_of(INT)
PAIRS, TEXTS, LIST = bag_of(tuple_of(INT, RATIONAL)), bag_of(TEXT), list_of(INT)
MADE: dict[PureType, Callable[[random.Random], Any]] = {
    RATIONAL: lambda chance: chance.randrange(-8, 16) / 4,
    DECIMAL: lambda chance: Decimal(chance.randrange(-8, 16)) / 4,
    DATE: lambda chance: date(2024, 2, 26) + timedelta(chance.randrange(12)),
    INT: lambda chance: chance.randrange(-2, 6),
    TEXT: lambda chance: "".join(chance.choice("ab1 ") for _ in range(chance.randrange(8))),
    tuple_of(INT, RATIONAL): lambda chance: (chance.randrange(3), chance.randrange(-8, 16) / 4),
}
WITHOUT_ORDER = {
    "sums and shares": ("t = sum(g)\n return sorted(x / t for x in g) if t else []", FLOATS),
    "a scan": (
        "t, last = 0.0, None\n for x in sorted(g):\n  if last is not None and x - last > 0.5:\n   t += 2 * x\n"
        "  last = x\n return t",
        FLOATS,
    ),
    "a sum in a loop": ("t = 0\n for x in g:\n  t += x if x > 1.5 else -x\n return t", FLOATS),
    "best by key": ("return max(g, key=lambda p: (p[1], p[0]), default=None)", PAIRS),
    "downwards": ("return [p[0] for p in sorted(g, key=lambda p: (-p[1], p[0]))]", PAIRS),
    "sums by key": (
        "d = defaultdict(float)\n for k, v in g:\n  d[k] += v\n return sorted((k, v) for k, v in d.items())",
        PAIRS,
    ),
    "rounding": ("return sorted((round(x), int(x), abs(x), x // 1, x % 1, round(x, 1)) for x in g)", FLOATS),
    "decimals": ("t = Decimal('0.5')\n for x in sorted(g):\n  t = t / 2 + x\n return t, sum(g, Decimal(0))", DECIMALS),
    "the median": ("return statistics.median(g) if g else None", FLOATS),
    "means": ("return statistics.mean(sorted(g)) if g else None", DECIMALS),
    "quotients of ints": ("n = len(g)\n return 1 / n < 0.3 if n else max(g, default=0.0) == 0", FLOATS),
    "streaks": (
        "s, best = set(g), 0\n for d in s:\n  if d - timedelta(days=1) not in s:\n   n = 1\n"
        "   while d + timedelta(days=n) in s:\n    n += 1\n   best = max(best, n)\n return best",
        DATES,
    ),
    "weeks": ("return sorted({tuple(d.isocalendar()[:2]) for d in g}), sum(d.isocalendar().week for d in g)", DATES),
    "an iterator": (
        "it = iter(sorted(g))\n last = next(it, None)\n out = []\n for x in it:\n  out.append(x - last)\n  last = x\n"
        " return out, last",
        INTS,
    ),
    "two from an iterator": (
        "s = sorted(g)\n it = iter(s)\n a = next(it)\n b = next(it)\n for x in it:\n  if x > 3:\n   break\n"
        "  a, b = b, x\n return a, b",
        INTS,
    ),
    "a generator": ("return list(steps(g)), sum(steps(g)), next(steps(g)), [x for x in steps(g) if x]", INTS),
    "keys at once": (
        "d = dict.fromkeys('ab1', 0)\n for t in sorted(g):\n  for c in sorted(t):\n   if c in d:\n    d[c] += 1\n"
        " return sorted(d.items())",
        TEXTS,
    ),
    "patterns": (
        "return sorted((re.sub('a+', 'b', t), re.findall('[ab]1', t), re.split(' +', t)) for t in g)",
        TEXTS,
    ),
    "matches": (
        "out = []\n for t in sorted(g):\n  m = re.search('(a)(1)?', t)\n  if m:\n"
        "   out.append((m.group(), m.start()))\n  out += [(k.group(0), k.end()) for k in re.finditer('b.', t)]\n"
        " return out",
        TEXTS,
    ),
    "lists put together": (
        "xs = [x for x in g if x > 1] + [x - 1 for x in g]\n ys = xs + [3]\n zs = ys if len(ys) > 3 else [0]\n"
        " while len(xs) > 9:\n  xs = ys\n return sorted(zs), sum(xs), max(ys)",
        INTS,
    ),
    "places": ("s = sorted(g)\n return [(bisect.bisect(s, x), bisect.bisect_left(s, 2)) for x in s]", INTS),
}
REFUSED = {
    "ties of floats": ("return max(g, key=lambda p: p[1])[0]", PAIRS),
    "texts of floats": ("return sorted(str(x) for x in g)", FLOATS),
    "floats in their order": ("return list(g)[0]", FLOATS),
    "quotients of Decimals": ("return sorted(x // 2 for x in g)", DECIMALS),
    "floats and Decimals": ("return sorted(x + 0.5 for x in g)", DECIMALS),
    "what a round before says": (
        "s, n = set(g), 0\n for d in s:\n  while n < 3 and d + timedelta(days=n) in s:\n   n += 1\n return n",
        DATES,
    ),
    "the last round": (
        "s, last = set(g), None\n for d in s:\n  n = 0\n  while n < 2:\n   last, n = d, n + 1\n return last",
        DATES,
    ),
    "the order of lists put together": ("xs = [x for x in g] + [1]\n return xs == [1]", INTS),
    "the end of lists put together": ("xs = [1] + [x for x in g]\n return xs[-1]", INTS),
    "a list or a group": ("xs = [x for x in g] if len(g) > 1 else [1, 2]\n return xs[0]", INTS),
    "what is added to a list or a group": (
        "xs = [x for x in g] if len(g) > 1 else [1, 2]\n xs.append(3)\n return sum(xs)",
        INTS,
    ),
    "iter of another list": ("list = sorted\n it = iter(sorted(g))\n return next(it)", INTS),
    "lists that are one": (
        "d = dict.fromkeys('ab1', [])\n for t in g:\n  if t in d:\n   d[t].append(t)\n return [d[c] for c in 'ab1']",
        TEXTS,
    ),
    "an iterator of a group": ("it = iter(g)\n return next(it)", INTS),
    "an iterator of what changes": (
        "s = sorted(g)\n it = iter(s)\n s.append(1)\n n = 0\n for x in it:\n  n += x\n return n",
        INTS,
    ),
    "an iterator used twice": ("it = iter(sorted(g))\n return [(x, next(it)) for x in it]", INTS),
    "an iterator in a try": ("try:\n  it = iter(sorted(g))\n  return next(it)\n except IndexError:\n  return 0", INTS),
    "a generator of what changes": ("return [len(x) for x in growing(g)]", INTS),
    "a pattern that is not constant": ("return sorted(re.sub(t, '', 'ab') for t in g)", TEXTS),
    "matches as results": ("return [re.match('a', t) for t in sorted(g)]", TEXTS),
    "matches as keys": ("return len({m for t in sorted(g) for m in re.finditer('a', t)})", TEXTS),
    "values of a list of lists": ("return bisect.bisect(g, 1)", list_of(LIST)),
}


def _read(body: str, of: PureType) -> PureCode:
    (tree,) = ast.parse(f"def f(g):\n {body}").body
    assert isinstance(tree, ast.FunctionDef)
    return pure_code(tree, [("g", of)], NAMES.get)


def _exact(value: Any) -> Any:
    if isinstance(value, float | Decimal):
        return Fraction(value)
    return type(value)(map(_exact, value)) if isinstance(value, list | tuple) else value


@pytest.mark.parametrize("case", WITHOUT_ORDER)
def test_values_are_pythons_in_any_order(case: str) -> None:
    body, of = WITHOUT_ORDER[case]
    code, chance = _read(body, of), random.Random(case)
    names = dict(MODULES)
    exec(f"{HELPERS}\ndef f(g):\n {body}", names)
    values = 0
    for _ in range(200):
        items = [MADE[of.of[0]](chance) for _ in range(chance.randrange(6))]
        try:
            expected = _exact(names["f"](list(items)))
        except (ArithmeticError, LookupError, StopIteration):
            expected = "error"
        try:
            found = _exact(code.value([_exact(each) for each in chance.sample(items, len(items))]))
        except (ArithmeticError, LookupError, ValueError, EvaluationError):
            assert expected == "error"
            continue
        values += 1
        assert found == expected or not _is_short(expected)
    assert values > 50


def _is_short(value: Any) -> bool:
    """Whether floats in a value have few digits, so that none was rounded."""
    if isinstance(value, list | tuple):
        return all(map(_is_short, value))
    return not isinstance(value, Fraction) or value.denominator < 2**20


@pytest.mark.parametrize("case", REFUSED)
def test_what_depends_on_an_order_or_on_digits_is_refused(case: str) -> None:
    with pytest.raises(NotPureError):
        _read(*REFUSED[case])


PROGRAMS = """
from decimal import Decimal
from typing import NamedTuple
from pyspark import RDD

class Sale(NamedTuple):
    id: int
    shop: str
    amount: float

RATE = 0.19

def rises(sales):
    total, last = 0.0, None
    for s in sorted(sales, key=lambda s: (s.amount, s.id)):
        if last is not None and s.amount - last > RATE:
            total += s.amount * 0.5
        last = s.amount
    return total

def falls(sales):
    total, last = 0.0, None
    for s in sorted(sales, key=lambda s: (s.amount, s.id)):
        if last is not None and s.amount - last >= RATE:
            total += s.amount * 0.5
        last = s.amount
    return total

def one(r: RDD[Sale]):
    return r.groupBy(lambda s: s.shop).mapValues(rises)

def same(r: RDD[Sale]):
    return r.map(lambda s: (s.shop, s)).groupByKey().mapValues(lambda g: rises(g))

def other(r: RDD[Sale]):
    return r.groupBy(lambda s: s.shop).mapValues(falls)

def rate(r: RDD[int]):
    return r.map(lambda n: RATE)

def by_name(r: RDD[int]):
    def chosen(n):
        while n > 3:
            n -= 2
        return 0.19
    return r.map(chosen)
"""


def test_programs_of_floats_are_compared(tmp_path) -> None:
    path = tmp_path / "jobs.py"
    path.write_text(PROGRAMS)
    assert check(f"{path}:one", f"{path}:same").verdict == "equivalent"
    verdict = check(f"{path}:one", f"{path}:other")
    assert verdict.verdict != "equivalent"
    assert "floating-point numbers are exact" in check(f"{path}:one", f"{path}:same").assumptions


def test_a_float_of_the_source_is_the_number_that_is_written(tmp_path) -> None:
    """What is read in full and what has a name never differ by the digits of a float."""
    path = tmp_path / "jobs.py"
    path.write_text(PROGRAMS)
    assert check(f"{path}:rate", f"{path}:by_name").verdict != "inequivalent"
