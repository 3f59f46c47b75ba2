"""Random Python that has everything in which readers go wrong: two names of one object, rebound names of Python's own,
closures over variables that change, exceptions and `finally`, iterators used twice, changes while a loop goes on, `is`.
"""

from __future__ import annotations

import random
from textwrap import indent

PREAMBLE = """
import copy
import itertools
from collections import Counter, OrderedDict, defaultdict, deque
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import lru_cache, partial, reduce, wraps
from itertools import accumulate, chain, count, groupby, islice, pairwise
from operator import add, attrgetter, itemgetter, methodcaller
from typing import NamedTuple, NewType, cast

Kind = NewType("Kind", list)
TABLE = {"a": 1, "b": [2, 3]}
LOG = []


class Failure(ValueError):
    def __init__(self, code, *more):
        super().__init__(code, *more)
        self.code = code


class Pair(NamedTuple):
    one: int
    two: list = []

    def swapped(self):
        return Pair(len(self.two), [self.one])


@dataclass
class Box:
    held: object = None
    items: list = field(default_factory=list)

    def put(self, x):
        self.items.append(x)
        return self

    @property
    def size(self):
        return len(self.items)

    def __contains__(self, x):
        return x in self.items

    def __iter__(self):
        return iter(self.items)

    def __enter__(self):
        LOG.append("enter")
        return self

    def __exit__(self, kind, error, trace):
        LOG.append("exit" if kind is None else kind.__name__)
        return kind is KeyError


class Colour(Enum):
    RED = 1
    BLUE = 2

    @classmethod
    def of(cls, n):
        return cls.RED if n else cls.BLUE


class Base:
    shared = []

    def __init__(self, n):
        self.__n = n

    def value(self):
        return self.__n

    def __eq__(self, other):
        return isinstance(other, Base) and self.value() == other.value()

    def __lt__(self, other):
        return self.value() < other.value()

    __hash__ = None


class Derived(Base):
    def value(self):
        return super().value() + 1


def same(x):
    return x


def default(x, acc=[]):
    acc.append(x)
    return acc


def counter():
    n = 0

    def up(by=1):
        nonlocal n
        n += by
        return n

    return up


def noted(f):
    @wraps(f)
    def run(*given, **named):
        LOG.append(f.__name__)
        return f(*given, **named)

    return run


@noted
def fails(x):
    if isinstance(x, int) and x > 2:
        raise Failure(x)
    return x


@contextmanager
def noting(name):
    LOG.append(name)
    try:
        yield name
    finally:
        LOG.append("left " + name)


def walk(xs):  # when CPython ends a generator that nothing uses any more, no one says
    for i, x in enumerate(xs):
        if i > 3:
            return
        try:
            yield x
        except ValueError:
            yield -x


def nested(x):
    if isinstance(x, (list, tuple)):
        for y in x:
            yield from nested(y)
    else:
        yield x
"""
NUMBERS = ("n", "m", "0", "1", "2", "-1", "3", "len(xs)", "len(d)")
LISTS = ("xs", "ys", "zs", "[n, m]", "[]", "list(d)", "TABLE['b']", "Base.shared")
REBOUND = {
    "len": "lambda xs: 3", "sum": "lambda *xs: xs[-1]", "list": "same", "sorted": "same", "max": "lambda *xs, **k: xs[0]",
    "cast": "lambda kind, x: x[:]", "min": "max", "next": "lambda it, *d: 4", "reversed": "same",
}  # fmt: skip
VALUES = ("x", "y", "z", "t", "g", "b")


class Code:
    """Random code of a seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def pick(self, *options: str) -> str:
        return self.random.choice(options)

    def number(self, depth: int = 2) -> str:
        if depth == 0:
            return self.pick(*NUMBERS)
        n, xs = self.number(depth - 1), self.list(depth - 1)
        return self.pick(
            *(self.pick(*NUMBERS), f"({n} {self.pick('+', '-', '*', '//', '%', '&', '^')} {self.number(0)})"),
            *(f"len({xs})", f"sum({xs})", f"max({xs}, default={n})", f"({xs} or [1])[0]", f"{xs}[{self.number(0)}]"),
            *(f"d.get({n}, {self.number(0)})", f"up({n})", f"fails({n})", f"min({n}, {self.number(0)})", "b.size"),
            *(
                f"(n := {n})",
                f"int({n} is {self.number(0)})",
                f"next(it, {n})",
                "next(it)",
                f"({n} if {self.test(0)} else m)",
            ),
            *(f"sum(a * c for a, c in zip({xs}, {self.list(0)}))", f"reduce(add, {xs}, {n})", f"Derived({n}).value()"),
            *(
                f"int('{self.pick('4', '0', 'x')}')",
                f"[{n}, m].index({self.number(0)})",
                "d.setdefault(n, m)",
                f"(lambda n=m: n + {n})()",
            ),
            *(
                f"{xs}.count({n})",
                f"xs.pop({self.number(0)})",
                "len(LOG)",
                f"Pair({n}, {xs}).swapped().one",
                f"abs({n})",
            ),
        )

    def list(self, depth: int = 2) -> str:
        if depth == 0:
            return self.pick(*LISTS)
        xs, n = self.list(depth - 1), self.number(depth - 1)
        return self.pick(
            *(
                self.pick(*LISTS),
                f"cast(list, {xs})",
                f"Kind({xs})",
                f"same({xs})",
                f"({xs} or {self.list(0)})",
                f"[*{xs}, {n}]",
            ),
            *(
                f"({xs} and {self.list(0)})",
                f"({xs} if {self.test(0)} else {self.list(0)})",
                f"max({xs}, {self.list(0)}, key=len)",
            ),
            *(
                f"list({xs})",
                f"sorted({xs})",
                f"{xs}[:]",
                f"{xs}[{n}:]",
                f"[a for a in {xs} if a {self.pick('<', '>', '!=')} {n}]",
            ),
            *(
                f"default({n})",
                f"default({n}, {xs})",
                "list(it)",
                f"[*walk({xs})]",
                f"(zs := {xs})",
                f"copy.copy({xs})",
            ),
            *(
                f"[a for c in ({xs}, {self.list(0)}) for a in c]",
                f"list(map(up, {xs}))",
                f"list(reversed({xs}))",
                f"{xs} + {self.list(0)}",
            ),
            *(
                f"[{xs}][0]",
                f"{{1: {xs}}}.setdefault(1, [])",
                f"({xs}, 1)[0]",
                f"partial(same, {xs})()",
                f"Box({xs}).held",
                "b.items",
            ),
            *(
                f"list(chain({xs}, {self.list(0)}))",
                f"list(islice(it, {n}))",
                f"list(accumulate({xs}))",
                f"list(nested([{xs}, {n}]))",
            ),
            *(
                f"[k for k, _ in groupby({xs})]",
                f"list(enumerate({xs}))[0:1]",
                f"[f() for f in [lambda: a for a in {xs}]]",
            ),
            *(
                f"d.get({n}, {xs})",
                f"list(dict.fromkeys({xs}))",
                f"list(filter(None, {xs}))",
                f"attrgetter('items')(b.put({n}))",
            ),
        )

    def test(self, depth: int = 1) -> str:
        if depth == 0:
            return self.pick("n > m", "xs", "n in xs", "xs is ys", "m is None", "not d", "n == m", "ys == xs")
        n, xs = self.number(depth - 1), self.list(depth - 1)
        return self.pick(
            *(
                f"{n} < {self.number(0)} <= m",
                f"{xs} is {self.list(0)}",
                f"{n} in {xs}",
                f"{n} not in d",
                f"not {self.test(0)}",
            ),
            *(
                f"{self.test(0)} and {self.test(0)}",
                f"any(a > {n} for a in {xs})",
                f"all({xs})",
                f"{n} in it",
                f"{n} in b",
                "0 < n < m < 9",
            ),
            *(
                f"Derived({n}) == Base(m)",
                f"isinstance({self.pick(*VALUES)}, {self.pick('int', 'list', '(int, str)')})",
                f"{xs} == {self.list(0)}",
            ),
            *(
                f"Colour.of({n}) is Colour.RED",
                f"'{self.pick('a', 'x')}' in TABLE",
                f"hasattr(b, '{self.pick('held', 'none')}')",
            ),
        )

    def simple(self) -> str:
        n, xs = self.number(), self.list()
        return self.pick(
            *(
                f"{self.pick('n', 'm')} = {n}",
                f"{self.pick('xs', 'ys', 'zs')} = {xs}",
                f"xs = ys = {xs}",
                "xs, ys = ys, xs",
                f"n, m = m, {n}",
            ),
            *(
                f"{self.pick('xs', 'ys', 'zs')}.append({n})",
                f"{self.pick('xs', 'ys')} += {xs}",
                f"{self.pick('n', 'm')} {self.pick('+=', '-=', '*=')} {n}",
            ),
            *(
                f"xs[{self.number(0)}] = {n}",
                f"xs[{self.number(0)}] += {n}",
                f"del ys[{self.number(0)}]",
                f"d[{n}] = {xs}",
                f"d[n] = d.get(n, 0) + {n}",
            ),
            *(
                f"*xs, n = {xs}",
                f"n, *ys = {xs}",
                f"(n, m), *zs = [({n}, 1), {xs}]",
                f"d.setdefault({n}, []).append(m)",
                f"d.pop({n})",
            ),
            *(
                f"it = iter({xs})",
                f"it = (a + n for a in {xs})",
                f"it = map(same, {xs})",
                f"it = walk({xs})",
                f"it = zip({xs}, ys)",
            ),
            *(
                f"x = {xs}",
                f"y = [{xs}, {n}]",
                "z = x",
                f"t = (xs, {n})",
                f"b = Box({xs})",
                f"b.held = {xs}",
                f"b.put({n})",
                "g = b",
                "x = y",
            ),
            *(
                f"TABLE['b'] = {xs}",
                f"xs.extend({xs})",
                "xs.sort()",
                "ys.reverse()",
                f"xs[:] = {xs}",
                f"LOG.append({n})",
                "d.clear()",
            ),
            *(
                f"return {n}",
                f"return {xs}",
                f"raise Failure({n})",
                f"assert {self.test()}, {n}",
                "up = counter()",
                "up()",
                f"Base.shared.append({n})",
            ),
            *(
                f"x = {{a: c for a, c in zip({xs}, {self.list(0)})}}",
                f"y = {{*{xs}}}",
                f"t = f'{{n}}-{{{n}!r:>4}}'",
                f"x = Pair({n})",
                f"x.two.append({n})",
            ),
        )

    def block(self, depth: int, in_loop: bool = False) -> str:
        return "\n".join(self.statement(depth, in_loop) for _ in range(self.random.randint(1, 3)))

    def inner(self, depth: int, in_loop: bool = False) -> str:
        return indent(self.block(depth - 1, in_loop), "    ")

    def statement(self, depth: int, in_loop: bool = False) -> str:
        if in_loop and self.random.random() < 0.1:
            return self.pick("break", "continue")
        if depth == 0 or self.random.random() < 0.5:
            return self.simple()
        n, xs, inner = self.number(1), self.list(1), self.inner(depth, in_loop)
        kinds = (
            "ValueError",
            "Failure",
            "(KeyError, IndexError)",
            "Exception",
            "LookupError",
            "TypeError",
            "ZeroDivisionError",
        )
        looped = self.inner(depth, True)
        return self.pick(
            f"if {self.test()}:\n{inner}\nelse:\n{self.inner(depth, in_loop)}",
            f"for n in islice({xs}, 7):\n{looped}\nelse:\n{self.inner(depth, in_loop)}",
            f"for n, m in zip(islice({xs}, 5), {self.list(1)}):\n{looped}",
            f"for a in islice(xs, 6):\n    xs.append({n})\n{looped}",
            f"for k in islice(d, 5):\n{looped}\n    d[{n}] = 1",
            f"for k in count():\n    if k > 3:\n        break\n{looped}",
            f"try:\n{inner}\nexcept {self.pick(*kinds)} as error:\n    t = type(error).__name__\n{self.inner(depth, in_loop)}",
            f"try:\n{inner}\nfinally:\n    LOG.append('last')\n{self.inner(depth)}",
            f"try:\n{inner}\nexcept {self.pick(*kinds)}:\n    raise\nelse:\n{self.inner(depth, in_loop)}\nfinally:\n    n = {n}",
            f"with {self.pick('b', 'suppress(LookupError)', 'noting(str(n))', 'Box()')} as g:\n{inner}",
            f"def h(n, xs=xs, *, m=m):\n{self.inner(depth)}\n    return n\nx = h({n})",
            f"def h():\n    nonlocal n, xs\n{self.inner(depth)}\ny = h()",
            f"def h(*xs, **d):\n    yield n\n{self.inner(depth)}\n    yield xs\nz = list(h({n}, *{xs}, k=m))",
            f"fs = []\nfor a in {xs}:\n    fs.append(lambda c=a: (a, c))\nx = [f() for f in fs]",
            f"match {self.pick(n, xs, '(n, xs)', 'b', 'd', 't')}:\n    case [n, *zs]:\n{indent(inner, '    ')}\n    case {{1: x}}:\n        n = 5\n"
            f"    case int(m) if m > 1:\n{indent(self.inner(depth, in_loop), '    ')}\n    case Box(held=x) | x:\n        pass".replace(
                " | x", ""
            ),
        )

    def program(self) -> str:
        """A function `p` of a number, a list and a dictionary, and what it leaves."""
        bound = (f"{name} = {meaning}" for name, meaning in REBOUND.items() if self.random.random() < 0.05)
        declared = (
            "\n".join(bound)
            + "\nn = n\nxs = xs\nys, zs, m = xs, [], 2\nx = y = z = t = g = None\nb = Box()\nit = iter(xs)\nup = counter()"
        )
        body = indent(
            f"{declared}\n{self.block(3)}\n{self.block(3)}\nreturn n, m, xs, ys, zs, x, y, t, xs is ys, LOG, TABLE",
            "    ",
        )
        return f"{PREAMBLE}\n\ndef p(n, xs, d):\n{body}\n"
