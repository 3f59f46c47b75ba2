"""What the random programs have in common: functions, classes and tables of a module."""

PREAMBLE = r"""
import heapq
import operator
import re
from collections import Counter, defaultdict, namedtuple
from dataclasses import dataclass, replace
from enum import Enum, IntEnum
from functools import partial, reduce, wraps
from itertools import chain, combinations, product
from typing import NamedTuple

Named = namedtuple("Named", "name number")
TABLE = {"a": 1, "b": 2, "": -3}
LIMITS = [(0, "low"), (3, "mid"), (7, "high")]
SOME = {1, 2, 7, -3}
WORD = re.compile(r"[a-z]+", re.IGNORECASE)
FIELD = re.compile(r"(?P<k>[a-z]*)[=,](\w*)", flags=re.I)


class Size(Enum):
    SMALL = 1
    LARGE = 2


class Level(IntEnum):
    LOW = 2
    HIGH = 5


class Entry(NamedTuple):
    name: str
    number: int = 4

    def doubled(self):
        return self.number * 2


@dataclass(frozen=True, order=True)
class Amount:
    value: int
    unit: str = "c"

    def __add__(self, other):
        return Amount(self.value + other.value, self.unit)

    @property
    def large(self):
        return self.value > 3


@dataclass(frozen=True)
class Taxed(Amount):
    tax: int = 1

    def total(self):
        return self.value + self.tax


class Scale:
    UNIT = 3

    def __init__(self, factor):
        self.factor = factor

    def of(self, n):
        return n * 2 + self.factor * self.UNIT

    def twice(self, n):
        return self.of(n) + self.of(n + 1)


class Shift(Scale):
    UNIT = 5

    def __init__(self, factor, by=1):
        super().__init__(factor)
        self.by = by

    def of(self, n):
        return n + self.by - self.factor

    @staticmethod
    def plain(n):
        return n - 1

    @classmethod
    def unit(cls, n):
        return n + cls.UNIT

    def __call__(self, n):
        return n + self.by


def plain(function):
    @wraps(function)
    def inner(*args, **kwargs):
        return function(*args, **kwargs)
    return inner


@plain
def shifted(n, by=2):
    return n + by


def parsed(text, default=0):
    try:
        return int(text)
    except ValueError:
        return default


def fields(line):
    try:
        first, second = line.split(",")
        return second, len(first)
    except ValueError:
        return line, -1


def parsed_by_pattern(text, default):
    found = re.match(r"^(-?\d+)(?:,(\d+))?$", text)
    if not found:
        return default
    first, second = found.groups()
    return int(first) if second is None else int(second)


def key_value(text):
    if (found := FIELD.search(text)) is None:
        return text, 0
    return found["k"].lower(), len(found.group(2))


def size_of(n):
    return Size.LARGE if n > 2 else Size.SMALL


def label(n):
    for limit, text in reversed(LIMITS):
        if n >= limit:
            return text
    return "none"


def at_least(k):
    return lambda n: n >= k


def maybe(n):
    if n > 0:
        return n


def items(n, text):
    if n > 2:
        yield n
        return
    yield len(text)
    if n < 0:
        yield -n


def total(first, *others, scale=1, **named):
    return first + scale * sum(others) + named.get("more", 0)
"""
