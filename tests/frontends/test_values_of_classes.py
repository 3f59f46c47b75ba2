"""Texts, exact numbers, orders, lists and what has no partner: what is read means what Python computes."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest
from tallystick.frontends.pyspark import SourceProgram

from .local_rdd import load, run_by_python, run_by_terms, same

TEXTS = ["", "a", "b a", "A,b,7", " x ", "ab=c", "b a", "ERROR: no, no"]
PAIRS = [("a", 3), ("a", 3), ("b", -4), ("", 0), ("B", 12)]
NUMBERS = [-7, 0, 0, 3, 12]

OF_TEXTS = {
    "words": "r.flatMap(lambda l: l.split())",
    "words by str.split": "r.flatMap(str.split).map(str.upper)",
    "pieces": "r.flatMap(lambda l: l.split(','))",
    "pieces of a few": "r.flatMap(lambda l: l.split('=', 1))",
    "a comprehension over words": "r.flatMap(lambda l: [(w, len(l)) for w in l.split() if w != 'a'])",
    "words of filtered lines": "r.filter(lambda l: 'a' in l).flatMap(lambda l: l.split())",
    "words under a condition": "r.flatMap(lambda l: l.split() if l else [])",
    "the first piece": "r.map(lambda l: l.split(',')[0])",
    "the last piece": "r.map(lambda l: l.split(',')[-1].strip())",
    "stripped pieces": "r.map(lambda l: [p.strip() for p in l.split(',')]).map(lambda ps: (ps[0], len(ps)))",
    "an RDD of lists": "r.map(lambda l: l.split(',')).filter(lambda ps: len(ps) > 1).map(lambda ps: ps[1])",
    "mapped pieces": "r.map(lambda l: list(map(str.strip, l.split(',')))[0])",
    "methods": "r.map(lambda l: (l.lower(), l.upper(), l.strip(), l.title(), l.replace('a', 'bc'), l.count('a')))",
    "tests": "r.map(lambda l: (l.isalpha(), l.startswith('a'), l.endswith(('a', ' ')), 'b' in l, 'b' not in l, not l))",
    "order": "r.map(lambda l: (l < 'b', l >= 'A', max(l, 'b'), sorted([l, 'b', 'a'], reverse=True)[0]))",
    "slices": "r.map(lambda l: (l[:2], l[1:], l[1:3], l[-2:]))",
    "f-strings": "r.map(lambda l: f'{l}:{len(l)}:{len(l):03d}:{l == \"a\"}')",
    "concatenation": "r.map(lambda l: 'x' + l + 'y' + str(len(l)) + '-'.join([l, 'z']) + '{}!'.format(l))",
    "a table of texts": "r.map(lambda l: {'a': 1, 'b a': 2}.get(l, 0))",
    "constants": "r.map(lambda l: (l, 'abc'.upper(), len('abc'), int('12'), 'a' < 'b'))",
    "a filter by a text": "r.filter(lambda l: l.strip())",
    "a fold of texts": "r.map(lambda l: (l[:1], l)).reduceByKey(max)",
    "the largest text": "r.max()",
    "the longest text": "r.map(lambda l: (len(l), l)).max()",
}
OF_PAIRS = {
    "sorted": "r.sortBy(lambda p: (-p[1], p[0]))",
    "sorted downwards": "r.distinct().sortBy(lambda p: p, ascending=False).map(lambda p: p[0])",
    "sorted by text, downwards": "r.distinct().sortBy(lambda p: (p[0], p[1]), False).filter(lambda p: p[1] < 9)",
    "taken": "r.sortBy(lambda p: (p[1], p[0])).take(2)",
    "the first": "r.sortBy(lambda p: (-p[1], p[0])).first()",
    "the best": "r.top(2, key=lambda p: (p[1], p[0]))",
    "the first in order": "r.takeOrdered(3, key=lambda p: (p[1], p[0]))",
    "the maximum by a key": "r.max(key=lambda p: (p[1], p[0]))",
    "a key that is missing in another RDD": "r.subtractByKey(r.filter(lambda p: p[1] > 0))",
    "elements of no other RDD": "r.subtract(r.map(lambda p: (p[0], p[1] + 1)))",
    "rows without a partner": "r.leftOuterJoin(r.filter(lambda p: p[1] > 0).map(lambda p: (p[0], p[1] + 1)))",
    "rows without a partner, counted": "r.map(lambda p: (p[0] + 'x', 1)).fullOuterJoin(r).count()",
    "groups": "r.groupBy(lambda p: p[0] == '').mapValues(len)",
    "the largest of a group": "r.map(lambda p: (p[1], p[0])).groupByKey().mapValues(max)",
    "dictionaries": "r.map(lambda p: {'name': p[0], 'n': p[1]}).map(lambda d: (d['name'], d['n'] + 1))",
    "partitions": "r.mapPartitions(lambda ps: (p[0] for p in ps if p[1] > 0))",
    "collected": "r.keys().collect()",
}
OF_NUMBERS = {
    "quotients": "r.map(lambda x: x / 4)",
    "floats": "r.map(lambda x: 0.5 * x - 1.5).filter(lambda y: y > -1)",
    "sums of floats": "r.map(lambda x: x * 0.25).sum() + 0.0",
    "products": "r.map(lambda x: x * x)",
    "by a variable": "r.filter(lambda x: x != 0).map(lambda x: (100 // x, 100 % x))",
    "bools": "r.filter(lambda x: (x > 0) is True)",
    "booleans that are numbers": "r.filter(lambda x: x % 3)",
}
OF_GROUPS = {
    "a comprehension with a condition": "r.groupByKey().mapValues(lambda g: sum(x + 1 for x in g if x > 0))",
    "items counted, bools summed": "r.groupByKey().mapValues(lambda g: (len([x for x in g if x]), sum(x > 0 for x in g)))",  # noqa: E501
    "any and all": "r.groupByKey().map(lambda p: (p[0], any(x > 3 for x in p[1]), all(p[1])))",
    "a default": "r.groupByKey().mapValues(lambda g: max((x for x in g if x < 0), default=7))",
    "the ends of a sorted group": "r.groupByKey().mapValues(lambda g: (sorted(g)[0], sorted(g, reverse=True)[0]))",
    "the size of a set": "r.groupByKey().mapValues(lambda g: len(set(g)))",
    "the size of a set of items": "r.groupByKey().mapValues(lambda g: len({x % 2 for x in g}))",
    "the sum of a sorted set": "r.groupByKey().mapValues(lambda g: sum(x * 2 for x in sorted(set(g))))",
    "a set of a set": "r.groupByKey().mapValues(lambda g: len(set(x // 4 for x in set(g))))",
    "the largest of a set": "r.groupByKey().mapValues(lambda g: (max(set(g)), len(g)))",
    "groups that are filtered": "r.groupByKey().filter(lambda p: len(p[1]) > 1).mapValues(sum)",
    "keys of filtered groups": "r.groupByKey().filter(lambda p: p[0] != 'b').filter(lambda p: sum(p[1]) > 0).keys()",
    "filtered groups counted": "r.groupByKey().filter(lambda p: max(p[1]) > 3).count()",
    "lists": "r.groupByKey().mapValues(list)",
    "sorted lists": "r.groupByKey().map(lambda p: (p[0], sorted(p[1])))",
    "lists of sets": "r.groupByKey().mapValues(lambda g: sorted({x // 4 for x in g}))",
    "lists of items": "r.groupByKey().mapValues(lambda g: [x + 1 for x in sorted(set(g))])",
    "lists of lists": "r.groupByKey().mapValues(list).mapValues(lambda g: sorted(g)).mapValues(len)",
    "sets": "r.groupByKey().mapValues(set)",
    "flat groups": "r.groupByKey().flatMap(lambda p: [(p[0], x) for x in p[1] if x > 0])",
    "flat sets": "r.groupByKey().flatMapValues(set)",
    "groups of a co-group": "r.cogroup(r.distinct()).mapValues(lambda p: (sum(x for x in p[0] if x > 0), max(p[1])))",
    "an attempt": "r.map(lambda p: attempt(p[0], p[1]))",
    "attempts in a generator": "r.flatMap(attempts)",
    "a look-up that may fail": "r.map(lambda p: (found(p[0]), p[1]))",
    "a named tuple": "r.map(lambda p: Named(p[0], number=p[1])).map(lambda n: (n.number, n.name))",
    "a broadcast table": "looked_up(r)",
    "per cent": "r.map(lambda p: ('%s: %d%%' % p, '<%s>' % p[0]))",
    "a key's values": "r.lookup('a')",
}
HELPERS = """
from collections import namedtuple
Named = namedtuple("Named", ["name", "number"])
TABLE = {"a": 1, "b": 2}
def attempt(name, number):
    try:
        quotient = 12 // number
        first, second = (name + ":1").split(":")
        return int(second) + quotient, name[:1]
    except (ZeroDivisionError, ValueError) as problem:
        return -1, ""
def attempts(pair):
    try:
        yield int(pair[0])
    except ValueError:
        yield pair[1]
    yield 12
def found(name):
    try:
        number = TABLE[name]
    except KeyError:
        return 0
    else:
        return number + 1
def looked_up(r):
    table = r.context.broadcast(TABLE)
    return r.map(lambda p: table.value.get(p[0], p[1]))
"""
BODIES = [(TEXTS, "str", name, body) for name, body in OF_TEXTS.items()]
BODIES += [(PAIRS, "tuple[str, int]", name, body) for name, body in OF_PAIRS.items()]
BODIES += [(PAIRS, "tuple[str, int]", name, body) for name, body in OF_GROUPS.items()]
BODIES += [(NUMBERS, "int", name, body) for name, body in OF_NUMBERS.items()]


@pytest.mark.parametrize(("elements", "of", "name", "body"), BODIES, ids=[name for _, _, name, _ in BODIES])
def test_what_is_read_means_what_python_computes(
    elements: list[object], of: str, name: str, body: str, read: Callable[..., SourceProgram]
) -> None:
    text = f"{HELPERS if name in OF_GROUPS else ''}def p(r: 'RDD[{of}]'):\n    return {body}\n"
    program, function = read(text), load(text)
    for given in (elements, elements[:3], []):
        expected = _exact(run_by_python(function, [list(given)]))
        assert same(_exact(run_by_terms(program, [list(given)])), expected), name


def _exact(value: object) -> object:
    """A value with exact numbers for floats; those above are."""
    match value:
        case dict():
            return {_exact(key): count for key, count in value.items()}
        case tuple():
            return tuple(map(_exact, value))
        case float():
            return Fraction(value)
        case int() if not isinstance(value, bool):
            return value
    return value


STATEMENTS = """
from enum import Enum

class Size(Enum):
    SMALL = 1
    LARGE = 2

def size(x):
    assert x > -100, "too small"
    if x < 5:
        return Size.SMALL
    return Size.LARGE

def items(x):
    found = [x]
    if x > 3:
        found.append(x + 1)
    return found

def small(part):
    for x in part:
        y = 2 * x
        if size(x) == Size.SMALL:
            yield y

def p(r: "RDD[int]"):
    print(f"{r.count()} numbers")
    return r.mapPartitions(small).union(r.flatMap(items)).map(lambda x: (x, size(x).name))
"""


def test_statements_of_functions_on_elements(read: Callable[..., SourceProgram]) -> None:
    program, function = read(STATEMENTS), load(STATEMENTS)
    assert same(run_by_terms(program, [NUMBERS]), run_by_python(function, [NUMBERS]))
    assert program.assumptions == {"no expression raises an error"}


GROWING = {
    "a list with another name": "    xs = [x]\n    ys = xs\n    xs.append(1)\n    return ys",
    "a parameter": "    def more(xs):\n        xs.append(1)\n        return xs\n    return more([x])",
    "a list that a function sees": "    xs = [x]\n    f = lambda: xs\n    xs.append(1)\n    return f()",
    "a list that a loop goes through": "    xs = [x]\n    for y in xs:\n        xs.append(y)\n    return xs",
}


@pytest.mark.parametrize("name", GROWING)
def test_a_list_that_may_have_another_name_does_not_grow(name: str, refusal: Callable[..., str]) -> None:
    text = f"def f(x):\n{GROWING[name]}\n\ndef p(r: 'RDD[int]'):\n    return r.flatMap(f)\n"
    assert "`append` is supported of a list that this function made, and keeps to itself" in refusal(text)


REFUSED = {
    "the present moment": (
        "from datetime import date\ndef p(r: 'RDD[int]'):\n    return r.map(lambda x: date.today())",
        "`date.today` is not supported and depends on when the program runs",
    ),
    "rounds that know of each other": (
        "def f(part):\n    n = 0\n    for x in part:\n        n += x\n        yield n\n"
        "def p(r: 'RDD[int]'):\n    return r.mapPartitions(f)",
        "`n` changes from round to round of this loop",
    ),
    "the sum of a partition": (
        "def p(r: 'RDD[int]'):\n    return r.mapPartitions(lambda part: [sum(part)])",
        "the argument of `sum` must have a fixed number of items, and is a list of unknown length",
    ),
    "DataFrames": ("def p(d: 'DataFrame'):\n    return d", "functions on DataFrames are not read from source"),
    "a sample": ("def p(r: 'RDD[int]'):\n    return r.sample(False, 0.5)", "the RDD method `sample` is not supported"),
    "positions": (
        "def p(r: 'RDD[int]'):\n    return r.zipWithIndex()",
        "the RDD method `zipWithIndex` is not supported",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_has_no_one_meaning_is_refused(name: str, refusal: Callable[..., str]) -> None:
    text, message = REFUSED[name]
    assert message in refusal(text)
