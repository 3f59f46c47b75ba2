# ruff: noqa: E501
"""Constructs of Python that people write: each means what Python computes, over small imitations of Spark."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tallystick import check
from tallystick.core.errors import TallystickError
from tallystick.core.functions import FunctionError
from tallystick.frontends.pyspark import SourceProgram

from .local_rdd import load, run_by_python, run_by_terms, same

PAIRS = [("a", 3), ("b", -2), ("a", 7), ("c", 0), ("b", 3), ("", 3), ("a", 3)]
PREAMBLE = """
from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal, InvalidOperation
from enum import Enum, IntEnum, auto
from itertools import chain, combinations, product
from string import digits
from typing import NewType

class Size(Enum):
    SMALL = auto()
    LARGE = auto()

class Level(IntEnum):
    LOW = 3
    HIGH = auto()

FACTORS = {Size.SMALL: 2, Size.LARGE: 5}
WORDS = "a b".split()
LIMITS = [(0, "none"), (3, "some")]

@dataclass(frozen=True, order=True)
class Amount:
    value: int
    size: Size = Size.SMALL

    def __add__(self, other):
        return Amount(self.value + other.value, self.size)

@dataclass(frozen=True)
class Taxed(Amount):
    tax: int = 1

    def total(self):
        return self.value + self.tax

class Rule(ABC):
    bonus = 1

    def __init__(self, least):
        self.least = least

    @abstractmethod
    def holds(self, value): ...

class Above(Rule):
    def holds(self, value):
        return value > self.least

class Between(Rule):
    bonus = 10

    def __init__(self, least, most):
        super().__init__(least)
        self.most = most

    def holds(self, value):
        return self.least <= value <= self.most

    def __call__(self, value):
        return value + self.bonus

RULES = [Above(2), Between(-5, 3)]

class Sums:
    def __init__(self, n=0, total=0):
        self.n = n
        self.total = total

    def add(self, value):
        return Sums(self.n + 1, self.total + value)

    def merge(self, other):
        return Sums(self.n + other.n, self.total + other.total)

Count = NewType("Count", int)

def size_of(value):
    return Size.LARGE if value > 2 else Size.SMALL

def factor(value):
    match size_of(value):
        case Size.SMALL:
            return 1
        case Size.LARGE:
            return 7

def label(value):
    for limit, name in reversed(LIMITS):
        if value >= limit:
            return name
    return "less"

def maybe(value):
    if value > 0:
        return value

def both(value):
    if value > 2:
        yield value
        return
    yield -value

def number(text):
    try:
        return int(text)
    except (ValueError, KeyError):
        return -1

def parsed(text):
    try:
        first, second = map(int, text.split(","))
    except ValueError:
        return (0, 0)
    return (first, second)

def kind(text):
    table = {"a": 1, "b": 2}
    try:
        return table[text[0]] // (len(text) - 1)
    except IndexError:
        return -1
    except KeyError:
        return -2
    except ZeroDivisionError:
        return -3

def money(text):
    try:
        return Decimal(text) > 2
    except InvalidOperation:
        return False

def rest(t):
    first, *others = t
    *before, last = (*others, first)
    return (first, sum(others), len(before), last)
"""
BODIES = {
    "starred items": "s.map(lambda p: (*p, 1)).flatMap(lambda t: [t, *[(t[0], 0, 0)]])",
    "starred targets": "s.map(lambda p: rest((p[1], 2, p[1] + 1)))",
    "sorted by a key": (
        "s.map(lambda p: (sorted((p[1], 2, -3), key=abs)[0], sorted((1, -1, p[1]), key=abs, reverse=True)[1]))"
    ),
    "extrema by a key": "s.map(lambda p: (min((p[1], 2, -2), key=abs), max((-3, 3, p[1]), key=lambda v: v * v)))",
    "extrema with a default": "s.map(lambda p: max((v for v in (p[1], 2) if v > 2), default=-1))",
    "next": "s.map(lambda p: next((i for i in (0, 2, 4) if i > p[1]), 9))",
    "reversed": "s.map(lambda p: list(reversed((p[1], 1)))[0])",
    "itertools": (
        "s.flatMap(lambda p: chain([p[1]], (a * b for a, b in product((1, 2), (p[1], 3))), (a - b for a, b "
        "in combinations((p[1], 1, 2), 2))))"
    ),
    "map of several": "s.map(lambda p: sum(map(lambda a, b: a * b, (p[1], 2), (3, 4))))",
    "constant texts": (
        "s.map(lambda p: (p[0] in WORDS, len(digits), [c for c in 'xyz'][1], dict(zip('ab', (1, 2)))['b']))"
    ),
    "formats": "s.map(lambda p: ('%03d-%s' % (p[1], p[0]), '{0}:{1:>4}:{0}'.format(p[0], p[1]), f'{p[1]:05d}'))",
    "members of enums": "s.map(lambda p: (FACTORS[size_of(p[1])], factor(p[1]), Level.HIGH + p[1]))",
    "operators of records": (
        "s.map(lambda p: (p[0], Amount(p[1]))).reduceByKey(lambda a, b: a + b).mapValues(lambda a: a.value)"
    ),
    "derived records": "s.map(lambda p: Taxed(p[1], tax=2)).map(lambda t: t.total() + FACTORS[t.size])",
    "objects of derived classes": "s.filter(lambda p: all(rule.holds(p[1]) for rule in RULES))",
    "objects that are called": "s.mapValues(Between(0, 1)).filter(lambda p: p[1] > RULES[0].bonus)",
    "lists of a module": "s.mapValues(label)",
    "no return": "s.map(lambda p: maybe(p[1])).filter(lambda v: v is not None)",
    "bare return": "s.map(lambda p: p[1]).flatMap(both)",
    "extrema of groups by a key": (
        "s.groupByKey().mapValues(lambda g: (max(g, key=lambda v: (v % 3, v)), min(g, key=abs)))"
    ),
    "the first of a group by a key": "s.groupByKey().mapValues(lambda g: sorted(g, key=lambda v: (abs(v), v))[0])",
    "floats and ints": "s.map(lambda p: p[1] / 2 if p[1] > 2 else 0).filter(lambda v: v >= 0).map(lambda v: v * 2 > 3)",
    "numbers of texts": "s.map(lambda p: number(p[0]) + number('7'))",
    "texts taken apart": "s.map(lambda p: parsed(p[0])).union(s.map(lambda p: parsed('3,4')))",
    "several handlers": "s.map(lambda p: kind(p[0])).union(s.map(lambda p: kind('bb')))",
    "decimals of texts": "s.map(lambda p: (money(p[0]), money('3.5')))",
    "a look-up": "s.reduceByKey(max).collectAsMap().get('a', 0) + s.countByKey()['b']",
    "look-ups of elements": (
        "(lambda d: s.map(lambda p: (p[0], d.get(p[0], -1))))(s.filter(lambda p: p[1] > "
        "0).reduceByKey(max).collectAsMap())"
    ),
    "keys of a dictionary": (
        "(lambda d: s.filter(lambda p: p[1] in d).map(lambda p: d.get(p[1], 7)))(s.values().countByValue())"
    ),
    "a Counter": "dict(Counter(s.keys().collect()))",
    "the most common": "[k for k, n in Counter(s.keys().collect()).most_common(1)]",
    "members of a list": "(lambda seen: s.filter(lambda p: p[1] in seen))(s.filter(lambda q: q[0] == 'b').values().collect())",
    "members of a set": (
        "(lambda seen: s.filter(lambda p: p[0] not in seen))(set(s.filter(lambda p: p[1] > 5).keys().collect()))"
    ),
    "the size of a set": "len(set(s.keys().collect()))",
    "some elements": "(len(s.take(3)), not s.take(1), 7 if s.take(2) else 8)",
    "bits": (
        "s.map(lambda p: (p[1] >> 1, p[1] & 7, 1 & p[1], p[1] << 3, ~p[1], (p[1] > 0) & (p[1] < 5), (p[1] > "
        "0) ^ (p[1] < 5)))"
    ),
    "bools as numbers": "s.map(lambda p: p[1] - (p[1] > 2) + (p[0] == 'a') * 3)",
    "tuples one after the other": "s.map(lambda p: (p[0],) + p + (1,))",
    "partition": (
        "s.map(lambda p: ('k=' + p[0]).partition('=')).map(lambda t: (t[2], t[1], t[0])).union(s.map(lambda "
        "p: p[0].partition('=')))"
    ),
    "accumulators of a class": (
        "s.aggregateByKey(Sums(), lambda a, v: a.add(v), lambda a, b: a.merge(b)).mapValues(lambda a: (a.n, a.total))"
    ),
    "the first items of groups": "s.groupByKey().mapValues(lambda g: (sum(sorted(g)[:2]), len(sorted(g)[:3])))",
    "items of the first items": (
        "s.groupByKey().flatMap(lambda kv: [(kv[0], v) for v in sorted(kv[1], reverse=True)[:2]])"
    ),
    "lists of the first items": "s.groupByKey().mapValues(lambda g: sorted(g)[:2])",
    "lists of the first items of sets": "s.groupByKey().mapValues(lambda g: sorted(set(g))[:2])",
    "sums of the first items of sets": "s.groupByKey().mapValues(lambda g: sum(sorted(set(g))[:2]))",
    "lists downwards": "s.groupByKey().mapValues(lambda g: sorted(g, reverse=True)[:2])",
    "a dictionary of what is sorted": "dict(sorted(s.countByKey().items(), key=lambda kv: -kv[1]))",
    "times": (
        "s.map(lambda p: datetime.utcfromtimestamp(90000 * p[1] + 3661))"
        ".map(lambda d: (d.strftime('%Y/%m/%d %H:%M:%S'), d.replace(minute=0, second=5) == d, d.replace(hour=0, day=1).day))"
    ),
    "new types": "s.map(lambda p: Count(p[1]) + 1)",
    "lists of lists": "s.map(lambda p: sum([p[1]] * 3 + [1]))",
    "map of a list of elements": "list(map(lambda p: p[1], s.takeOrdered(2)))",
}
LOOPS = {
    "sums": "total, n = 0, 1\nfor k, v in s.collect():\n    if k:\n        total += v\n        n += 1\nreturn total, n",
    "the best": (
        "best = None\nfor _, v in s.collect():\n    if best is None or v > best:\n        best = v\nreturn best"
    ),
    "a list": (
        "out = []\nfor k, v in s.collect():\n    if v > 0:\n        out.append((k, v))\nreturn len(out) + "
        "sum(v for _, v in out)"
    ),
    "a dictionary": "out = {}\nfor k, v in s.reduceByKey(max).collect():\n    out[k] = v + 1\nreturn out",
    "counts": (
        "out = {}\nfor k, v in s.collect():\n    if k not in out:\n        out[k] = v\n    else:\n        "
        "out[k] += v\nreturn out"
    ),
    "counts from 0": (
        "out = {}\nfor k, v in s.collect():\n    if k not in out:\n        out[k] = 0\n    out[k] += v\nreturn out"
    ),
    "get": (
        "out = dict()\nfor k, v in s.collect():\n    out[k] = out.get(k, 0) + v\nreturn {k: n for k, n in "
        "out.items() if n > 0}"
    ),
    "a defaultdict": "out = defaultdict(int)\nfor k, v in s.collect():\n    out[k] += 1\nreturn dict(out)",
    "keys of a dictionary": "n = 0\nfor k in s.countByKey():\n    n += len(k)\nreturn n",
}


def _agrees(text: str, read: Callable[..., SourceProgram]) -> None:
    program = read(text)
    for rows in (PAIRS, [], PAIRS[:2]):
        expected = run_by_python(load(text), [rows])
        assert same(run_by_terms(program, [rows]), expected)


@pytest.mark.parametrize("name", BODIES)
def test_what_is_read_is_what_python_computes(name: str, read: Callable[..., SourceProgram]) -> None:
    _agrees(
        f"from __future__ import annotations\n{PREAMBLE}\ndef p(s: RDD[tuple[str, int]]):\n    return {BODIES[name]}\n",
        read,
    )


@pytest.mark.parametrize("name", LOOPS)
def test_loops_over_elements_are_what_python_computes(name: str, read: Callable[..., SourceProgram]) -> None:
    body = "".join(f"    {line}\n" for line in LOOPS[name].splitlines())
    _agrees(f"from __future__ import annotations\n{PREAMBLE}\ndef p(s: RDD[tuple[str, int]]):\n{body}", read)


OBJECT = "class C:\n    def __init__(self, n): self.n = n\n"
REFUSED = {
    "a generator that is left early, in a try": (
        "def f(x):\n    try:\n        return any(int(part) > 3 for part in (x, x[1:]))\n    except ValueError:\n"
        "        return False\ndef p(s: RDD[str]):\n    return s.filter(f)",
        "Python may leave this generator before an item that raises an exception",
    ),
    "a map that is left early, in a try": (
        "def f(x):\n    try:\n        for part in map(int, (x, x[1:])):\n            if part > 3:\n"
        "                return True\n        return False\n    except ValueError:\n        return False\n"
        "def p(s: RDD[str]):\n    return s.filter(f)",
        "Python may leave this generator before an item that raises an exception",
    ),
    "a generator that is left early, at the driver": (
        "def p(r: RDD[int]):\n    def above(i):\n        return r.filter(lambda x: x > i).max()\n"
        "    return any(above(i) > 3 for i in (1, 5))",
        "Python may leave this generator before an item that raises an exception",
    ),
    "items that raise, in a try": (
        "def f(x):\n    try:\n        return len([int(part) for part in x.split(',')])\n    except ValueError:\n"
        "        return 0\ndef p(s: RDD[str]):\n    return s.map(f)",
        "this may raise ValueError for one of so many items",
    ),
    "a dictionary of two names that grows": (
        "def p(s: RDD[tuple[int, int]]):\n    d = {}\n    e = d\n    for k, v in s.collect():\n"
        "        d[k] = d.get(k, 0) + v\n    return e",
        "`d` is filled in this loop, and used otherwise before",
    ),
    "a dictionary that a function sees before it grows": (
        "def p(s: RDD[tuple[int, int]]):\n    d = {}\n    seen = lambda k: k in d\n    for k, v in s.collect():\n"
        "        d[k] = d.get(k, 0) + v\n    return s.filter(lambda t: seen(t[0]))",
        "`d` is filled in this loop, and used otherwise before",
    ),
    "keys that may repeat": (
        "def p(s: RDD[tuple[int, int]]):\n    d = {}\n    for k, v in s.collect():\n        d[k] = v\n    return d",
        "keys of this list may repeat",
    ),
    "a key that is not there": (
        "def p(s: RDD[tuple[int, int]]):\n    d = {}\n    for k, v in s.collect():\n        d[k] += v\n    return d",
        "a key that may be missing raises KeyError",
    ),
    "a dictionary that grows in a try": (
        "def p(s: RDD[tuple[int, str]]):\n    d = {}\n    for k, v in s.collect():\n        try:\n"
        "            d[k] = d.get(k, 0) + int(v)\n        except ValueError:\n            pass\n    return d",
        "a dictionary that grows in a `try` is not supported",
    ),
    "what is collected depends on the order": (
        "def p(r: RDD[int]):\n    total = 0\n    out = []\n    for x in r.collect():\n        total += x\n"
        "        out.append(total)\n    return out",
        "what this loop collects depends on the elements before",
    ),
    "a loop that is left": (
        "def p(r: RDD[int]):\n    for x in r.collect():\n        if x > 3:\n            return x\n    return 0",
        "what this loop returns depends on the order of the elements",
    ),
    "a variable of a loop afterwards": (
        "def p(r: RDD[int]):\n    for x in r.collect():\n        y = x\n    return y",
        "`y` is the last value of a loop",
    ),
    "a defaultdict whose keys are seen": (
        "def p(r: RDD[int]):\n    d = r.countByValue()\n    n = d[3]\n    return d",
        "this is a defaultdict, in which `[…]` makes a key that is not there",
    ),
    "a look-up in what may be None": (
        "def p(s: RDD[tuple[int, int | None]]):\n"
        "    d = s.reduceByKey(lambda a, b: a if a is not None else b).collectAsMap()\n    return 3 in d",
        "a look-up in a dictionary whose values may be None is not supported",
    ),
    "two look-ups": (
        "def p(s: RDD[tuple[int, int]]):\n    d = s.reduceByKey(max).collectAsMap()\n    e = s.countByKey()\n"
        "    return s.map(lambda t: d.get(t[0], 0) + e.get(t[1], 0))",
        "two look-ups in one function are not supported",
    ),
    "a look-up in a fold": (
        "def p(s: RDD[tuple[int, int]]):\n    d = s.countByKey()\n"
        "    return s.keys().fold(0, lambda a, x: a + d.get(x, 0))",
        "a look-up in a function of `fold` is not supported",
    ),
    "a default that names a field": (
        "from dataclasses import dataclass\nm = 3\n@dataclass\nclass C:\n    m: int = 1\n    n: int = m\n"
        "def p(r: RDD[C]):\n    return r.map(lambda c: c.n)",
        "a default value that names another field is not supported",
    ),
    "a class derived from two": (
        "class A:\n    def f(self): return 1\nclass B:\n    def g(self): return 1\nclass C(A, B):\n    pass\n"
        "def p(r: RDD[int]):\n    return r.map(lambda x: x + C().f())",
        "the class `C` is not supported",
    ),
    "private names of a derived class": (
        "class A:\n    def __init__(self, n): self.__n = n\n    def f(self): return self.__n\nclass B(A):\n"
        "    def __init__(self, n):\n        super().__init__(n)\n        self.__n = 99\n"
        "def p(r: RDD[int]):\n    return r.map(lambda x: B(x).f())",
        "`__n` is another name in each class that is derived",
    ),
    "private constants of a derived class": (
        "class A:\n    __k = 1\n    def f(self): return self.__k\nclass B(A):\n    __k = 2\n"
        "def p(r: RDD[int]):\n    return r.map(lambda x: x + B().f())",
        "`__k` is another name in each class that is derived",
    ),
    "an object of an abstract class": (
        "from abc import ABC, abstractmethod\nclass A(ABC):\n    def __init__(self, n): self.n = n\n"
        "    @abstractmethod\n    def f(self): ...\nclass B(A):\n    pass\n"
        "def p(r: RDD[int]):\n    return r.map(lambda x: B(x).n)",
        "`B` has the abstract method `f`",
    ),
    "objects that are compared": (
        OBJECT + "def p(r: RDD[int]):\n    return r.filter(lambda x: C(x) == C(1))",
        "`==` of objects of a plain class compares which object it is",
    ),
    "objects that are members": (
        OBJECT + "def p(r: RDD[int]):\n    return r.filter(lambda x: C(x) in (C(1), C(2)))",
        "`==` of objects of a plain class compares which object it is",
    ),
    "objects that are told apart": (
        OBJECT + "def p(r: RDD[int]):\n    return r.map(lambda x: C(x)).distinct().count()",
        "an element is an object of the class `C`, and these are told apart by which object it is",
    ),
    "objects as keys": (
        OBJECT + "def p(r: RDD[int]):\n    return r.map(lambda x: (C(x), 1)).reduceByKey(max)",
        "a key is an object of the class `C`, and these are told apart by which object it is",
    ),
    "objects that are returned": (
        OBJECT + "def p(r: RDD[int]):\n    return r.map(lambda x: C(x))",
        "`p` returns objects of a plain class, which are never equal",
    ),
    "an item of some elements": (
        "def p(r: RDD[int]):\n    return r.take(3)[0]",
        "this is a list of some elements of an RDD, which depends on their order",
    ),
    "lists by a key": (
        "def p(s: RDD[tuple[int, int]]):\n    return s.groupByKey().mapValues(lambda g: sorted(g, key=lambda v: -v)[:2])",
        "lists in an order by a key, or that may be empty, are not supported as results",
    ),
    "lists that may be empty": (
        "def p(s: RDD[tuple[int, int]]):\n    return s.groupByKey().mapValues(lambda g: sorted(v for v in g if v > 0)[:2])",
        "lists in an order by a key, or that may be empty, are not supported as results",
    ),
    "lists of one side that may be empty": (
        "def p(s: RDD[tuple[int, int]]):\n    return s.cogroup(s).mapValues(lambda g: sorted(g[0])[:2])",
        "lists in an order by a key, or that may be empty, are not supported as results",
    ),
    "a sum in a loop in order": (
        "def p(r: RDD[int]):\n    n = 0\n    for x in r.takeOrdered(3):\n        n += x\n    return n",
        "a loop over elements in an order may only append to lists",
    ),
    "two for each in order": (
        "def p(r: RDD[int]):\n    out = []\n    for x in r.takeOrdered(3):\n        out.append(x)\n"
        "        out.append(1)\n    return out",
        "a loop over elements in an order appends one item for each",
    ),
    "time zones": (
        "from datetime import datetime\ndef p(r: RDD[int]):\n    return r.map(lambda x: datetime.fromtimestamp(x).hour)",
        "`datetime.fromtimestamp` depends on the time zone",
    ),
    "next of nothing": (
        "def p(r: RDD[int]):\n    return r.map(lambda x: next(i for i in (1, 2) if i > x))",
        "`next` raises StopIteration where there is no item",
    ),
    "the largest of nothing": (
        "def p(r: RDD[int]):\n    return r.map(lambda x: max(i for i in (1, 2) if i > x))",
        "`max` of what may have no items raises ValueError",
    ),
    "auto after a text": (
        "from enum import Enum, auto\nclass E(Enum):\n    A = 'a'\n    B = auto()\ndef p(r: RDD[E]):\n    return r",
        "`auto()` is supported after ints that increase",
    ),
    "a list of objects that grows elsewhere": (
        "class C:\n    def __init__(self, n): self.n = n\nALL = [C(1)]\ndef more(): ALL.append(C(2))\n"
        "def p(r: RDD[int]):\n    return r.map(lambda x: x + ALL[0].n)",
        "which other code in jobs.py may change",
    ),
}

FAILING = {
    "an assignment with an operator": (
        "def f(x):\n    y = 10\n    try:\n        y //= x\n    except ZeroDivisionError:\n        return -1\n    return y"
    ),
    "divmod": (
        "def f(x):\n    try:\n        return divmod(10, x)\n    except ZeroDivisionError:\n        return (-5, 0)"
    ),
    "a text that is taken apart beside others": (
        "def f(x):\n    try:\n        (a, b), c = str(x).split('-'), x\n        return b\n"
        "    except ValueError:\n        return 'no'"
    ),
    "a key that no entry has": (
        "def f(x):\n    try:\n        return dict(a=10 // x)['b']\n    except KeyError:\n        return 6\n"
        "    except ZeroDivisionError:\n        return 7"
    ),
    "raise": (
        "def f(x):\n    try:\n        if x > 3:\n            raise ValueError\n        return x\n"
        "    except ValueError:\n        return 7"
    ),
    "raise after another exception": (
        "def f(x):\n    try:\n        y = 10 // x\n        if y > 3:\n            raise ValueError(f'{y} of {x}')\n"
        "        elif y == 2:\n            raise ZeroDivisionError\n        return y\n"
        "    except ZeroDivisionError:\n        return -1\n    except ValueError:\n        return -2"
    ),
    "a message that raises another exception": (
        "def f(x):\n    try:\n        if x < 3:\n            raise ValueError(10 // x)\n        return x\n"
        "    except ValueError:\n        return 7\n    except ZeroDivisionError:\n        return 8"
    ),
    "raise in a function": (
        "def g(x):\n    if x < 0:\n        raise ValueError('negative')\n    return 2 * x\n"
        "def f(x):\n    try:\n        return g(x)\n    except ValueError:\n        return 0"
    ),
    "assert": (
        "def f(x):\n    try:\n        assert x > 3, 'small'\n        return x\n    except AssertionError:\n        return 7"
    ),
    "a key whose value may be None": (
        "def f(x):\n    d = {1: None, 2: 5}\n    try:\n        return d[x]\n    except KeyError:\n        return 9"
    ),
}
UNFOLLOWED = {
    "raise of a class of the source": (
        "class Bad(Exception): pass\ndef f(x):\n    try:\n        if x > 3:\n            raise Bad\n        return [x]\n"
        "    except ValueError:\n        return [7]",
        "this exception is not supported",
    ),
    "raise again": (
        "def f(x):\n    try:\n        if x > 3:\n            raise\n        return [x]\n"
        "    except ValueError:\n        return [7]",
        "which exception this raises, in a `try`, is not followed",
    ),
    "raise of what no handler catches": (
        "def f(x):\n    try:\n        if x > 3:\n            raise KeyError\n        return [x]\n"
        "    except ValueError:\n        return [7]",
        "the code in this `try` may raise KeyError too",
    ),
    "a message of an assertion that is computed": (
        "def f(x):\n    try:\n        assert x > 3, 1 // x\n        return [x]\n    except AssertionError:\n        return [7]",
        "the message of an assertion in a `try` must be constant",
    ),
    "yield": (
        "def f(x):\n    try:\n        yield 1\n        yield 10 // x\n    except ZeroDivisionError:\n        yield 5",
        "a `yield` before what may raise an exception, in a `try`",
    ),
    "yield before a list is taken apart": (
        "def f(x):\n    try:\n        yield 0\n        a, b = str(x).split('-')\n        yield len(b)\n"
        "    except ValueError:\n        yield 5",
        "a `yield` before what may raise an exception, in a `try`",
    ),
    "yield before the rest of a list": (
        "def f(x):\n    try:\n        yield 0\n        a, b, *c = str(x).split('-')\n        yield len(b)\n"
        "    except ValueError:\n        yield 5",
        "a `yield` before what may raise an exception, in a `try`",
    ),
    "days that there are not": (
        "def f(x):\n    try:\n        return [x]\n    except OverflowError:\n        return [7]",
        "this exception is not supported",
    ),
}


@pytest.mark.parametrize("name", FAILING)
def test_exceptions_of_a_try_are_caught(name: str, read: Callable[..., SourceProgram]) -> None:
    """Each way in which the body of a `try` fails counts: the handler's value is what Python gives."""
    text = f"{FAILING[name]}\ndef p(r):\n    return r.map(f)"
    program = read(text, types="r: RDD[int]")
    for numbers in ([0], [1], [2], [5, 0], [-3, 4]):
        assert same(run_by_terms(program, [numbers]), run_by_python(load(text), [numbers])), numbers


@pytest.mark.parametrize("name", UNFOLLOWED)
def test_exceptions_that_are_not_followed_are_refused(name: str, refusal: Callable[..., str]) -> None:
    text, message = UNFOLLOWED[name]
    assert message in refusal(f"{text}\ndef p(r):\n    return r.flatMap(f)", types="r: RDD[int]")


def test_a_method_that_meets_an_exception_leaves_the_others_to_go_on() -> None:
    def one(r):
        total = 0
        for x in r.collect():
            total = total + 10 // x
        return total

    def other(r):
        total = 0
        for x in r.filter(lambda x: x != 0).collect():
            total = total + 10 // x
        return total

    verdict = check(one, other, types="r: RDD[int]", timeout=60)
    assert verdict.verdict.value == "unknown"
    assert "defect" not in verdict.reasons
    assert "raises an exception where the method needs a value" in str(verdict.reasons)


@pytest.mark.parametrize("name", REFUSED)
def test_what_would_be_read_wrongly_is_refused(name: str, refusal: Callable[..., str]) -> None:
    text, message = REFUSED[name]
    assert message in refusal(text)


READS_OF_A_GROWING_LIST = (
    "out.append(len(out))",
    "out.append(x if not out else 0)",
    "out.append(x) if len(out) < 3 else None",
    "if x not in out: out.append(x)",
    "out.append(sum(out) + x)",
    "out.append(x)\n        n += len(out)",
    "out.append(x)\n        other.append(len(out))",
    "out.append(x)\n        same = out",
)


@pytest.mark.parametrize("statement", READS_OF_A_GROWING_LIST)
def test_a_list_that_grows_in_a_loop_over_elements_is_not_read_there(
    statement: str, refusal: Callable[..., str]
) -> None:
    """What it holds then depends on the elements before."""
    text = (
        "def p(r: RDD[int]):\n    out, other, n = [], [], 0\n    for x in r.collect():\n"
        f"        {statement}\n    return len(out) + n + len(other)\n"
    )
    assert "is read in this loop" in refusal(text) or "keeps to itself" in refusal(text)


def test_a_plain_dictionary_of_counts_has_no_value_for_what_is_not_counted() -> None:
    def plain(r):
        return dict(r.countByValue())[5]

    def counter(r):
        return r.countByValue()[5]

    def counted(r):
        return r.filter(lambda x: x == 5).count()

    assert check(plain, counted, types="r: RDD[int]", timeout=60).verdict.value == "inequivalent"
    assert check(counter, counted, types="r: RDD[int]", timeout=60).verdict.value == "equivalent"


def test_a_handler_catches_what_functions_raise_that_map_calls(read: Callable[..., SourceProgram]) -> None:
    """The handler's value is taken, where a builtin that another function calls raises."""
    text = (
        "def f(x):\n    try:\n        return sum(map(int, (x, '1')))\n    except ValueError:\n        return -5\n"
        "def p(s: 'RDD[str]'): return s.map(f)"
    )
    assert same(run_by_terms(read(text), [["3", "a"]]), {4: 1, -5: 1})
    with pytest.raises(FunctionError):
        run_by_terms(read("def p(s: 'RDD[str]'): return s.map(lambda x: sum(map(int, (x, '1'))))"), [["a"]])


def test_a_loop_whose_result_depends_on_the_order_is_not_decided() -> None:
    def one(r):
        last = 0
        for x in r.collect():
            last = x
        return last

    def other(r):
        last = 0
        for y in r.collect():
            last = y + 0
        return last

    verdict = check(one, other, types="r: RDD[int]", timeout=60)
    assert verdict.verdict.value == "unknown"
    assert "depends on the order of the elements" in verdict.reasons["order"]


def test_look_ups_are_joins() -> None:
    def one(s, t):
        table = t.reduceByKey(max).collectAsMap()
        return s.map(lambda p: (p[0], p[1] + table.get(p[0], 0)))

    def right(s, t):
        return s.leftOuterJoin(t.reduceByKey(max)).mapValues(lambda v: v[0] + (v[1] or 0))

    def wrong(s, t):
        return s.join(t.reduceByKey(max)).mapValues(lambda v: v[0] + v[1])

    types = "s: RDD[tuple[int, int]], t: RDD[tuple[int, int]]"
    assert check(one, right, types=types, timeout=120).verdict.value == "equivalent"
    assert check(one, wrong, types=types, timeout=120).verdict.value == "inequivalent"


def test_lists_are_no_tuples_and_their_direction_counts() -> None:
    def one(r):
        return [r.count(), r.sum()]

    def same_list(r):
        return [r.map(lambda x: 1).sum(), r.sum()]

    def other(r):
        return [r.count(), r.map(abs).sum()]

    def pair(r):
        return (r.count(), r.sum())

    types = "r: RDD[int]"
    assert check(one, same_list, types=types, timeout=60).verdict.value == "equivalent"
    assert check(one, other, types=types, timeout=60).verdict.value == "inequivalent"
    assert check(one, pair, types=types, timeout=60).verdict.value == "inequivalent"

    def upwards(s):
        return s.groupByKey().mapValues(lambda g: sorted(g)[:2])

    def downwards(s):
        return s.groupByKey().mapValues(lambda g: sorted(g, reverse=True)[:2])

    with pytest.raises(TallystickError, match="such are never equal"):
        check(upwards, downwards, types="s: RDD[tuple[int, int]]", timeout=60)
