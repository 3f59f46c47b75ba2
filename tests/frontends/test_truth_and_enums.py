"""Enums of ints and texts, truth of dates and numbers, fields by name, lengths that are known: as Python has them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tallystick.frontends.pyspark import SourceProgram

from .local_rdd import load, run_by_python, run_by_terms, same

NUMBERS = [-7, 0, 0, 3, 12]
TEXTS = ["", "a", "a b", "1 b c", "low", "HIGH", " x  y "]
PREAMBLE = """
from datetime import date, timedelta
from decimal import Decimal
from enum import Enum, IntEnum
from math import ceil
from operator import attrgetter
from typing import NamedTuple, Optional

class Level(IntEnum):
    NONE = 0
    LOW = 3
    HIGH = 12

class Word(str, Enum):
    LOW = "low"
    HIGH = "HIGH"
    EMPTY = ""

class Number(int, Enum):
    SEVEN = -7

class Plain(Enum):
    ZERO = 0

class Row(NamedTuple):
    key: int
    text: Optional[str] = None

def level(x):
    return Level.LOW if x == 3 else Level.HIGH if x > 3 else Level.NONE

def word(t):
    return Word.LOW if t == "low" else Word.EMPTY if not t else Word.HIGH

def second(line):
    parts = line.split(" ")
    if len(parts) < 2:
        return -1
    try:
        return int(parts[0])
    except ValueError:
        return len(parts[1]) + len(parts[-2])

def third(line):
    parts = line.split()
    if not len(parts) > 2:
        return "none"
    try:
        return parts[2] + str(int(parts[0]))
    except ValueError:
        return parts[1]
"""
OF_NUMBERS = {
    "members that are ints": "r.map(lambda x: (x == Level.LOW, x < Level.HIGH, Level.LOW + x, max(x, Level.LOW + 0)))",
    "members that are compared": "r.map(lambda x: (level(x) > Level.LOW, level(x) == 3, level(x) != Level.HIGH))",
    "the value of a member": "r.map(lambda x: (level(x).value, level(x).name, -level(x).value, Number.SEVEN == x))",
    "the truth of a member": "r.map(lambda x: (1 if level(x) else 0, 1 if Plain.ZERO else 0, not Level.NONE))",
    "members in a tuple": "r.filter(lambda x: x in (Level.LOW, Level.HIGH))",
    "the truth of a date": "r.map(lambda x: date(2020, 1, 1) if x > 0 else None).map(lambda d: 1 if d else 0)",
    "the truth of a difference": "r.map(lambda x: 1 if timedelta(days=x) else 0)",
    "the truth of a float": "r.map(lambda x: (1 if x / 4 else 0, 1 if 0.5 else 0, 1 if not (0.0 * x) else 0))",
    "the truth of a Decimal": "r.map(lambda x: 1 if Decimal(x) else 2)",
    "ceilings": "r.map(lambda x: (ceil(x / 5), ceil(x / -4), ceil(x)))",
    "a field by name": "r.map(lambda x: Row(x, 'a')).map(attrgetter('key'))",
    "fields by name": "r.map(lambda x: Row(x, 'a')).map(attrgetter('text', 'key'))",
    "a record whose field was tested": (
        "r.map(lambda x: Row(x, 'ab' if x else None)).filter(lambda e: e.text is not None).map(lambda e: len(e.text))"
    ),
    "a record whose field was tested twice": (
        "r.map(lambda x: Row(x, 'ab' if x else None)).filter(lambda e: e.text).filter(lambda e: len(e.text) > e.key)"
        ".keyBy(lambda e: e.text.upper()).mapValues(lambda e: e.key)"
    ),
}
OF_TEXTS = {
    "members that are texts": "r.map(lambda t: (t == Word.LOW, Word.HIGH != t, t < Word.LOW, t in (Word.LOW, 'a')))",
    "the value of a text": "r.map(lambda t: (word(t).value, word(t) == 'low', 1 if word(t) else 0))",
    "a length that was tested": "r.map(second)",
    "a number of words that was tested": "r.map(third)",
}
BODIES = [(NUMBERS, "int", name, body) for name, body in OF_NUMBERS.items()]
BODIES += [(TEXTS, "str", name, body) for name, body in OF_TEXTS.items()]


@pytest.mark.parametrize(("elements", "of", "name", "body"), BODIES, ids=[name for _, _, name, _ in BODIES])
def test_what_is_read_means_what_python_computes(
    elements: list[object], of: str, name: str, body: str, read: Callable[..., SourceProgram]
) -> None:
    text = f"{PREAMBLE}\ndef p(r: 'RDD[{of}]'):\n    return {body}\n"
    program, function = read(text), load(text)
    for given in (elements, elements[:3], []):
        assert same(run_by_terms(program, [list(given)]), run_by_python(function, [list(given)])), name


def test_a_collected_list_that_is_sorted_is_a_sorted_rdd(read: Callable[..., SourceProgram]) -> None:
    for one, other in (
        ("sorted(r.collect())", "r.sortBy(lambda x: x).collect()"),
        ("sorted(r.collect(), reverse=True)", "r.sortBy(lambda x: x, ascending=False).collect()"),
    ):
        left, right = (read(f"def p(r: 'RDD[tuple[str, int]]'):\n    return {body}\n") for body in (one, other))
        assert left.program == right.program
        assert left.returns == "list"


START = "    parts = x.split(' ')\n    "
REFUSED = {
    "an index beyond the tested length": (
        "    parts = x.split(' ')\n    if len(parts) < 2:\n        return 0\n    try:\n        return int(parts[2])",
        "the code in this `try` may raise IndexError too",
    ),
    "a length that was tested from above": (
        "    parts = x.split(' ')\n    if len(parts) > 2:\n        return 0\n    try:\n        return int(parts[1])",
        "the code in this `try` may raise IndexError too",
    ),
    "the length of another list": (
        f"{START}if len(x.split(',')) < 2:\n        return 0\n    try:\n        return int(parts[1])",
        "the code in this `try` may raise IndexError too",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_an_index_that_may_be_out_of_range_is_an_exception_to_catch(name: str, refusal: Callable[..., str]) -> None:
    body, message = REFUSED[name]
    text = f"def f(x):\n{body}\n    except ValueError:\n        return 1\n\n"
    text += "def p(r: 'RDD[str]'):\n    return r.map(f)\n"
    assert message in refusal(text)


OTHERS = {
    "a member of another type": (
        "from enum import IntEnum\nclass E(IntEnum):\n    A = 'a'\n"
        "def p(r: 'RDD[int]'):\n    return r.map(lambda x: E.A)",
        "a member of `E` has a value of another type than its class",
    ),
    "values of several types": (
        "from enum import Enum\nclass E(Enum):\n    A = 'a'\n    B = 1\n"
        "def p(r: 'RDD[int]'):\n    return r.map(lambda x: E.A.value)",
        "the enum `E` is not supported",
    ),
    "values that are equal": (
        "from enum import Enum\nclass E(Enum):\n    A = 1\n    B = True\n"
        "def p(r: 'RDD[int]'):\n    return r.map(lambda x: E.A == E.B)",
        "the enum `E` is not supported",
    ),
    "keys that are equal": (
        "def p(r: 'RDD[int]'):\n    return r.map(lambda x: len({k: 1 for k in (1, True, 2)}))",
        "the keys of a dictionary must have one type",
    ),
    "a field that is not compared": (
        "from dataclasses import dataclass, field\n@dataclass(frozen=True)\nclass E:\n    n: int\n"
        "    m: int = field(default=0, compare=False)\n"
        "def p(r: 'RDD[int]'):\n    return r.map(lambda x: E(3, x) == E(3, 1))",
        "`field(default=0, compare=False)` is not supported",
    ),
    "the format of an int's text": (
        "def p(r: 'RDD[int]'):\n    return r.map(lambda x: f'{x!s:5}')",
        "a conversion in an f-string is not supported",
    ),
    "what is printed raises": (
        "def f(s):\n    try:\n        print(f'{s:d}')\n        return 1\n    except ValueError:\n        return 0\n"
        "def p(r: 'RDD[str]'):\n    return r.map(f)",
        "this format of an f-string is not supported",
    ),
    "what is printed may raise": (
        "def p(r: 'RDD[int]'):\n    print(f'{r.count():c}')\n    return r.count()",
        "this format of an f-string is not supported",
    ),
    "no field": (
        "from operator import attrgetter\ndef p(r: 'RDD[int]'):\n    return r.map(attrgetter('real'))",
        "`real` is no field of int",
    ),
    "what may be None": (
        "def p(r: 'RDD[str | None]'):\n    return r.map(lambda t: len(t))",
        "the argument of `len` may be None, and is of type str | None",
    ),
    "what a merge may be": (
        "from typing import NamedTuple\nclass E(NamedTuple):\n    n: int\n    t: str | None\n"
        "def p(r: 'RDD[E]'):\n    return r.filter(lambda e: e.t is not None).map(lambda e: E(e.n, None))"
        ".map(lambda e: len(e.t))",
        "the argument of `len` may be None",
    ),
    "a dictionary as a result": (
        "def p(r: 'RDD[int]'):\n    return {3: r.count()}",
        "`p` returns a dictionary whose keys are no texts, or whose values are no terms",
    ),
    "dictionaries without types": (
        "def p(r: 'RDD[dict]'):\n    return r",
        "the type `dict` needs its elements in brackets",
    ),
    "a key for what has an order": (
        "def p(r: 'RDD[int]'):\n    return sorted(r.takeOrdered(3), key=lambda x: -x)",
        "the argument of `sorted` must have a fixed number of items, and is a list of the elements of an RDD",
    ),
}


@pytest.mark.parametrize("name", OTHERS)
def test_what_is_not_read_is_refused_with_what_is(name: str, refusal: Callable[..., str]) -> None:
    text, message = OTHERS[name]
    assert message in refusal(text)


READ = {
    "formats of what is printed": (
        "def p(r: 'RDD[int]'):\n    n = r.count()\n    print(f'{n:>5} {n / 2:.2f} {n!r}', f'{n:,}')\n    return n"
    ),
    "a default that `field` gives": (
        "from dataclasses import dataclass, field\n@dataclass(frozen=True)\nclass E:\n    n: int\n"
        "    m: int = field(default=4, repr=False)\n"
        "def p(r: 'RDD[int]'):\n    return r.map(lambda x: E(x)).map(lambda e: e.m + e.n)"
    ),
}


@pytest.mark.parametrize("name", READ)
def test_what_is_near_to_it_is_read(name: str, read: Callable[..., SourceProgram]) -> None:
    program, given = read(READ[name]), [3, 1, 3]
    assert same(run_by_terms(program, [given]), run_by_python(load(READ[name]), [given]))
