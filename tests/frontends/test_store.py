"""Programs on a store of references: what is read, what is refused, and that wrong readings do not leave."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from tallystick.checking import check
from tallystick.core.errors import EvaluationError
from tallystick.core.functions import FunctionError
from tallystick.core.interpreter import evaluate
from tallystick.core.types import TEXT, BagType
from tallystick.frontends.errors import SourceError
from tallystick.frontends.pyspark import SourceProgram, programs_in
from tallystick.frontends.pyspark.program import found_at, read_text
from tallystick.frontends.pyspark.scoping.source import load
from tallystick.frontends.python.interpreter.limits import UnreadError
from tallystick.frontends.rdd import functions, read_program
from tallystick.frontends.rdd.functions import Functions
from tallystick.frontends.rdd.objects import Objects
from tallystick.frontends.rdd.program import evaluated, read_on_store
from tallystick.frontends.rdd.statements import Statements
from tallystick.frontends.rdd.store import Items
from tallystick.validation import ReadingError, Trial, that_counts, tried
from tallystick.validation.inputs import Draw

from .random_functions.programs import programs

HERE = Path(__file__).parent
UNSEEN = HERE.parent / "unseen"
CORPUS = HERE.parent / "corpus"
START = "from typing import cast\nfrom collections import defaultdict\nfrom pyspark import RDD, SparkContext\n\n\n"

ACCEPTED = """
import re
from abc import ABC, abstractmethod
from functools import reduce
from operator import add

WORD = re.compile(r"[a-z]+")
SETTINGS = {"most": 2, "names": ["a", "b"]}

class Step(ABC):
    @abstractmethod
    def apply(self, rdd):
        ...

class Larger(Step):
    def apply(self, rdd):
        return rdd.map(lambda x: x + 1)

class Smaller(Step):
    def __init__(self, most):
        self.most = most

    def apply(self, rdd):
        most = self.most
        return rdd.filter(lambda x: x < most)

def two_names(r: RDD[tuple[str, int]]):
    a = []
    b = cast(list, a)
    for k, v in r.collect():
        b.append(v)
    return len(a)

def through_a_call(r: RDD[tuple[str, int]]):
    def same(x):
        return x
    a = []
    same(a).append(1)
    return r.map(lambda p: (p[0], len(a)))

def a_copy_for_spark(sc: SparkContext, r: RDD[int]):
    d, xs, seen = {1: 2}, [1], {4}
    b, c, e = sc.broadcast(dict(d)), sc.broadcast(list(xs)), sc.broadcast(set(seen))
    d[1] = 3
    xs.append(2)
    seen.add(5)
    return r.map(lambda x: (x * b.value[1] * d[1], len(c.value) * 10 + len(xs), x in e.value, x in seen))

def what_may_be_none(r: RDD[tuple[str, int]]):
    def largest(vs):
        best = None
        for v in vs:
            if best is None or v > best:
                best = v
        return best + 1
    return r.groupByKey().mapValues(largest)

def an_attribute_of_what_may_be_none(r: RDD[str]):
    def number(text):
        found = re.match(r"([a-z]+)", text) if len(text) > 1 else None
        return found.group(1)
    return r.filter(lambda t: len(t) > 1 and t[0] in "abc").map(number)

def between_the_extremes(r: RDD[int]):
    low, high = r.min(), r.reduce(max)
    return r.map(lambda x: (x - low, high - low))

def steps_of_abstract_classes(r: RDD[int]):
    steps = [Larger(), Smaller(0)]
    for step in steps:
        print(type(step).__name__)
        r = step.apply(r)
    return r

def a_power_of_constants(r: RDD[int]):
    limit = (2**10, "~")
    return r.filter(lambda x: x < limit[0])

def set_where_it_is_known(r: RDD[tuple[str, int]]):
    found = dict.fromkeys(SETTINGS["names"], 0)
    for name, n in r.reduceByKey(max).collect():
        if name in found:
            found[name] = n
    return found

def neighbours(r: RDD[str]):
    def pairs(line):
        words = WORD.findall(line)
        return zip(words, words[1:])
    return r.flatMap(pairs).map(lambda p: (p, 1)).reduceByKey(lambda a, b: a + b)

def largest_by_a_key(r: RDD[tuple[str, int]]):
    def best(vs):
        return sorted(vs, key=lambda v: (-abs(v), v))[: SETTINGS["most"]]
    return r.groupByKey().mapValues(best)

def letters_for_letters(r: RDD[str]):
    table = str.maketrans("ab", "xy", "-.")
    return r.map(lambda t: (t.translate(table), t.translate({98: "--", 97: None})))

def in_a_tuple(r: RDD[int]):
    a = [0]
    pair = (a, a)
    pair[0].append(2)
    return r.map(lambda p: p + len(pair[1]))

def one_of_two(r: RDD[int]):
    def f(x):
        a, b = [1], [2, 3]
        c = a if x > 0 else b
        d = [*c]
        d.append(x)
        return len(d) * 100 + len(a) * 10 + len(b)
    return r.map(f)

def rows_of_one_list(r: RDD[int]):
    def f(x):
        rows = [[0]] * 2
        rows[0].append(x)
        return len(rows[1])
    return r.map(f)

def added_in_place(r: RDD[int]):
    def f(x):
        a = [x]
        b = a
        b += [1, 2]
        return len(a)
    return r.map(f)

def next_and_rest(r: RDD[int]):
    def f(x):
        it = iter([x, 2, 3])
        first = next(it)
        return first, sum(it), sum(it)
    return r.map(f)

def twice(r: RDD[int]):
    values = (v + 1 for v in r.collect())
    return sum(values), sum(values)

def first_of_some(r: RDD[int]):
    limits = ((2, "a"), (5, "b"), (None, "c"))
    return r.map(lambda x: next(name for limit, name in limits if limit is None or x < limit))

def shadowed(r: RDD[int]):
    def f(x):
        def list(ys):
            return ys
        a = [x]
        b = list(a)
        a.append(1)
        return len(b)
    return r.map(f)

def late(r: RDD[int]):
    def f(x):
        functions = [lambda y: y + k for k in (1, 2, 3)]
        return functions[0](x)
    return r.map(f)

def counts(r: RDD[int]):
    found = {"even": 0, "odd": 0}
    for x in r.collect():
        found["even" if x % 2 == 0 else "odd"] += 1
    return found["even"], found["odd"]

def dict_with_two_names(r: RDD[tuple[str, int]]):
    d = {}
    e = d
    for k, v in r.collect():
        e[k] = e.get(k, 0) + v
    return len(d)

def objects(r: RDD[int]):
    total = Total()
    same = total
    for x in r.collect():
        same.see(x)
    return total.n, total.sum

def rdds_in_a_dict(r: RDD[int]):
    parts = {"small": r.filter(lambda x: x < 3), "large": r.filter(lambda x: x >= 3)}
    return {name: part.count() for name, part in parts.items()}

def unions(sc: SparkContext, r: RDD[int], s: RDD[int]):
    return sc.union([r, s, r]).map(lambda x: x + 1)

def left_early(r: RDD[int]):
    for x in r.collect():
        if x > 2:
            return True
    return False

def gathered_by_key(r: RDD[tuple[str, int]]):
    groups = defaultdict(list)
    for k, v in r.collect():
        groups[k].append(v)
    return {k: sum(vs) for k, vs in groups.items()}

def lists_at_keys(r: RDD[tuple[str, int]]):
    d = {}
    for k, v in r.collect():
        if k not in d:
            d[k] = []
        d[k].append(v)
    return {k: sum(vs) for k, vs in d.items()}

def lists_that_begin_with_an_item(r: RDD[tuple[str, int]]):
    d = {}
    for k, v in r.collect():
        if k not in d:
            d[k] = [v]
        else:
            d[k].append(v)
    return {k: max(vs) for k, vs in d.items()}

def new_lists_at_keys(r: RDD[tuple[str, int]]):
    d = {}
    for k, v in r.collect():
        more = [v]
        d[k] = d.get(k, []) + more
        more.append(5)
    return {k: sum(vs) for k, vs in d.items()}

def new_sets_at_keys(r: RDD[tuple[str, int]]):
    d = {}
    for k, v in r.collect():
        d[k] = d.get(k, set()) | {v}
    return {k: len(vs) for k, vs in d.items()}

def a_list_put_at_a_key_is_the_list_there(r: RDD[tuple[str, int]]):
    d = {}
    for k, v in r.collect():
        x = d.get(k, []) + [v]
        d[k] = x
        x.append(5)
    return {k: sum(vs) for k, vs in d.items()}

def lists_at_keys_set_by_default(r: RDD[tuple[str, int]]):
    d = {}
    for k, v in r.collect():
        d.setdefault(k, [])
        d[k].append(v)
    return {k: sum(vs) for k, vs in d.items()}

def sliced_texts(r: RDD[str]):
    return r.filter(lambda x: x[:1] != "#").map(lambda x: x[1:])

def a_text_and_a_test(r: RDD[str]):
    return r.filter(lambda x: x and x != "a")

def none_replaced(r: RDD[int | None]):
    def f(x):
        if x is None:
            x = 0
        return x * 2
    return r.map(f)

def view_of_a_dict(r: RDD[int]):
    d = {"a": 1}
    keys = d.keys()
    d["b"] = 2
    return r.map(lambda x: x + len(keys))

def entries_that_a_loop_sets(r: RDD[int]):
    d = {"a": 1, "b": 2}
    e = d
    for k, v in d.items():
        e[k] = v * 2
    return r.map(lambda x: x + d["a"] * 10 + d["b"])

def what_a_generator_has_for_a_fold(r: RDD[tuple[str, int]]):
    def of(g):
        return reduce(add, (-x for x in g if x % 2 == 0), 0)
    return r.mapValues(lambda v: [v, v * 2]).reduceByKey(add).mapValues(of)

def a_set_that_a_loop_makes(r: RDD[tuple[str, int]]):
    def of(g):
        s = set()
        for x in g:
            s.add(x)
        return sum(s), 1 in {abs(x) for x in g if x > 0}
    return r.groupByKey().mapValues(of)

def found_before_its_arguments(r: RDD[int]):
    switch = Switch()
    n = switch.now(switch.flip())
    return r.map(lambda x: x + n)

def where_an_item_is_there(r: RDD[int]):
    def f(x):
        known = {5: 1}
        fives, again = [], []
        if x == 5:
            fives.append(x)
        both = (fives, again)
        both[1].extend(map(lambda y: known[y], fives))
        return 1 if x == 5 else len(again)
    return r.map(f)

class Switch:
    def __init__(self):
        self.now = lambda x: 1
    def flip(self):
        self.now = lambda x: 2

class Total:
    def __init__(self):
        self.n = self.sum = 0
    def see(self, x):
        self.n += 1
        self.sum += x
"""
REFUSED = {
    "a list of an RDD's elements in place": (
        "def p(r: RDD[int]):\n    xs = r.collect()\n    xs.append(1)\n    return len(xs)\n",
        "`append` of this list or set is not supported here",
    ),
    "a list that is read while it is filled": (
        "def p(r: RDD[int]):\n    xs = []\n    for x in r.collect():\n        if len(xs) < 3:\n"
        "            xs.append(x)\n    return len(xs)\n",
        "a list or a set is read in the loop that fills it",
    ),
    "the value of the last round": (
        "def p(r: RDD[int]):\n    last = 0\n    for x in r.collect():\n        last = x\n    return last\n",
        "`last` keeps what the last round of a loop left, which depends on the order of the items",
    ),
    "an object in rounds to come": (
        "def p(r: RDD[int]):\n    out, row = [], []\n    for x in r.collect():\n        row.append(x)\n"
        "        out.append(len([row]))\n        out.append(row)\n    return len(out)\n",
        "a loop adds an object to a list, and changes it",
    ),
    "what workers write": (
        "def p(r: RDD[int]):\n    seen = []\n    def f(x):\n        seen.append(x)\n        return x\n"
        "    return r.map(f).count() + len(seen)\n",
        "a function that an RDD is given changes what is outside of it: workers have copies",
    ),
    "a variable that changes before Spark runs": (
        "def p(r: RDD[int]):\n    k = 1\n    s = r.map(lambda x: x + k)\n    k = 2\n    return s.sum() + k\n",
        "a variable that a function of this RDD uses has changed since, and Spark runs the function later",
    ),
    "a list that changes before Spark runs": (
        "def p(r: RDD[int]):\n    ks = [1]\n    s = r.map(lambda x: x + len(ks))\n    ks.append(2)\n    return s\n",
        "an object that a function of this RDD uses has changed since, and Spark runs the function later",
    ),
    "an iterator after a search": (
        "def p(r: RDD[int]):\n    it = iter([1, 2, 3])\n    found = any(y > 1 for y in it)\n"
        "    return r.count() + sum(it)\n",
        "an iterator is used after what may have left it early",
    ),
    "one iterator side by side": (
        "def p(r: RDD[int]):\n    it = iter([1, 2])\n    pairs = [a + b for a, b in zip(it, it)]\n"
        "    return r.count() + len(pairs)\n",
        "one iterator is given twice",
    ),
    "membership in an iterator": (
        "def p(r: RDD[int]):\n    def f(x):\n        it = iter((1, 2, 3))\n        return x in it, sum(it)\n"
        "    return r.map(f)\n",
        "`in` of an iterator is not supported",
    ),
    "a list that a loop changes which goes through it": (
        "def p(r: RDD[int]):\n    xs = [1, 2]\n    for y in xs:\n        if y < 2:\n            xs.append(y + 5)\n"
        "    return r.count() + len(xs)\n",
        "a loop changes what it goes through",
    ),
    "an object of the module": (
        "KNOWN = []\n\n\ndef p(r: RDD[int]):\n    KNOWN.append(1)\n    return r.map(lambda x: x + len(KNOWN))\n",
        "an object is changed that is not this program's alone",
    ),
    "a name of the module": (
        "K = 1\n\n\ndef p(r: RDD[int]):\n    global K\n    K = 2\n    return r.map(lambda x: x + K)\n",
        "an assignment to a name of the module is not supported",
    ),
    "two keys of one dictionary": (
        "def p(r: RDD[tuple[str, str]]):\n    d = {}\n    for a, b in r.collect():\n        d[a] = d.get(b, 0) + 1\n"
        "    return len(d)\n",
        "a round of this loop uses several keys of a dictionary that it fills",
    ),
    "the order of a set": (
        "def p(r: RDD[int]):\n    out = []\n    for word in {'a', 'b'}:\n        out.append(word)\n"
        "    return r.map(lambda x: out[0])\n",
        "what this goes through is a set, whose items have no order",
    ),
    "a list that is left": (
        "def p(r: RDD[int]):\n    xs = []\n    for x in r.collect():\n        if x > 2:\n            break\n"
        "        xs.append(x)\n    return len(xs)\n",
        "`break` or `return` in a loop that fills something is not supported",
    ),
    "what a loop returns of an item": (
        "def p(r: RDD[int]):\n    for x in r.collect():\n        if x > 2:\n            return x\n    return 0\n",
        "a loop returns what depends on the item",
    ),
    "a `while`": (
        "def p(r: RDD[int]):\n    n = r.count()\n    while n > 0:\n        n = n - 2\n    return n\n",
        "a `while` whose number of rounds depends on values is not supported",
    ),
    "a pattern of dictionaries": (
        "def p(r: RDD[int]):\n    match {'a': r.count()}:\n        case {'a': 0}:\n            return 0\n"
        "    return r.count()\n",
        "this pattern of `match` is not supported here",
    ),
    "a call that raises TypeError": (
        "def p(r: RDD[int]):\n    xs = []\n    xs.append()\n    return r.count()\n",
        "this program is not evaluated: TypeError (Objects._list_append() missing 1 required positional argument: "
        "'item')",
    ),
    "an object that a round gives another list": (
        "class Seen:\n    def __init__(self):\n        self.items = []\n        self.n = 0\n\n\n"
        "def p(r: RDD[int]):\n    seen = Seen()\n    for x in r.collect():\n        seen.items = seen.items + [x]\n"
        "        seen.n += 1\n    return len(seen.items) + seen.n\n",
        "an object has other parts after a round of a loop than before",
    ),
    "a dictionary whose keys a round puts into another order": (
        "def p(r: RDD[int]):\n    d = {'a': 0, 'b': 0}\n    for x in r.collect():\n        v = d.pop('a')\n"
        "        d['a'] = v + x\n    return d['a'], d['b']\n",
        "an object has other parts after a round of a loop than before",
    ),
    "a list that each round clears": (
        "def p(r: RDD[int]):\n    xs = []\n    for x in r.collect():\n        xs.clear()\n        xs.append(x)\n"
        "    return len(xs)\n",
        "a loop clears what it fills",
    ),
    "a loop all of whose rounds raise, of which there may be none": (
        "def p(r: RDD[int]):\n    n = [r.count()]\n    if n[0] > 2:\n"
        "        for x in r.filter(lambda v: v < 0).collect():\n            raise ValueError\n        return 1\n"
        "    return 0\n",
        "a loop whose rounds all raise an exception is not supported",
    ),
    "a set that `|=` changes, or does not where it is frozen": (
        "def p(r: RDD[int]):\n    a = b = frozenset((1,))\n    b |= {2}\n    return r.map(lambda x: x + len(a))\n",
        "`|=` of a list or a set is not supported here",
    ),
    "whether a frozen set that was copied is the same": (
        "def p(r: RDD[int]):\n    a = frozenset((1,))\n    b = frozenset(a)\n    return r.map(lambda x: b is a)\n",
        "`is` of sets and iterators is not supported",
    ),
    "a later entry that a loop over entries sets": (
        "def p(r: RDD[int]):\n    d, t = {'a': 1, 'b': 2}, 0\n    for k, v in d.items():\n        d['b'] = 10\n"
        "        t += v\n    return r.count() + t\n",
        "a loop changes what it goes through",
    ),
    **{
        f"a list that changes after `{made}`": (
            f"def p(r: RDD[int]):\n    xs = [1, 2]\n    it = {made}\n    xs[0] = 3\n"
            "    return r.count() + len(list(it))\n",
            "a list has changed since an iterator of it was made",
        )
        for made in ("zip(xs, [1, 2, 3])", "enumerate(xs)", "reversed(xs)")
    },
    **{
        f"a generator that writes, in `{use}`": (
            "def p(r: RDD[int]):\n    log = []\n    def g():\n        for y in (1, 2, 3):\n            log.append(y)\n"
            f"            yield len(log)\n    found = {use}\n    return r.count() + len(log)\n",
            "an iterator that changes something is not supported",
        )
        for use in ("any(g())", "[a * b for a, b in zip(g(), g())]", "log.extend(g())")
    },
    "what a function writes for each element": (
        "def p(r: RDD[int]):\n    log = []\n    xs = list(map(lambda y: log.append(y), r.collect()))\n"
        "    return len(log)\n",
        "a function that is called for each item changes something",
    ),
    "an iterator after a shorter list": (
        "def p(r: RDD[int]):\n    it = iter([1, 2, 3, 4])\n    pairs = list(zip((v for v in it), [1]))\n"
        "    return r.count() + len(list(it))\n",
        "an iterator is used after what may have left it early",
    ),
    "two iterators that read one": (
        "def p(r: RDD[int]):\n    it = iter([1, 2])\n    pairs = [a + b for a, b in zip(map(abs, it), map(abs, it))]\n"
        "    return r.count() + len(pairs)\n",
        "two iterators read one",
    ),
    "`zip` of different lengths that is strict": (
        "def p(r: RDD[int]):\n    xs = [1]\n    return r.count() + len(list(zip(xs, [1, 2], strict=True)))\n",
        "`zip` of lists of different lengths, where `strict` is given",
    ),
    "views that are equal in any order": (
        "def p(r: RDD[int]):\n    d = {'a': 1, 'b': 2}\n    return r.count() + (d.keys() == {'b': 1, 'a': 1}.keys())\n",
        "`==` of a view of a dictionary is not supported",
    ),
    "a class that says what its attributes are": (
        "class One:\n    def __init__(self):\n        self.n = 1\n    def __getattribute__(self, name):\n"
        "        return 5\n\n\ndef p(r: RDD[int]):\n    one = One()\n    return r.map(lambda x: x + one.n)\n",
        "an object of the class `One` is not supported",
    ),
    "a dataclass with its own `__init__`": (
        "from dataclasses import dataclass\n\n\n@dataclass\nclass One:\n    n: int\n    xs: list\n"
        "    def __init__(self, n, xs):\n        self.n = n + 1\n        self.xs = xs\n\n\n"
        "def p(r: RDD[int]):\n    one = One(1, [2])\n    return r.map(lambda x: x + one.n)\n",
        "this part of the class `One` is not supported",
    ),
    "a variable that changes before Spark runs a sum of RDDs": (
        "def p(r: RDD[int]):\n    k = 1\n    s = r.map(lambda x: x + k) + r\n    k = 5\n    return s\n",
        "a variable that a function of this RDD uses has changed since, and Spark runs the function later",
    ),
    "the value of a broadcast variable": (
        "def p(sc: SparkContext, r: RDD[int]):\n    b = sc.broadcast([1])\n    b.value.append(2)\n"
        "    return r.map(lambda x: x + len(b.value))\n",
        "an object is changed that is not this program's alone",
    ),
    **{
        f"what Spark has a copy of, by `{change}`": (
            "class Limits:\n    def __init__(self, low):\n        self.low = low\n\n\n"
            f"def p(sc: SparkContext, r: RDD[int]):\n    d = {made}\n    e = d\n    b = sc.broadcast(d)\n    {change}\n"
            "    return r.filter(lambda x: b.value is not None)\n",
            "an object is changed after Spark was given it, which has a copy",
        )
        for made, change in (
            ("{1: 2}", "d[1] = 3"),
            ("{1: 2}", "e.update({1: 3})"),
            ("{1: 2}", "del d[1]"),
            ("{1: [2]}", "d[1].append(3)"),
            ("[1, 2]", "e.append(3)"),
            ("{1, 2}", "d.add(3)"),
            ("Limits(2)", "e.low = 3"),
            ("{}", "for x in r.distinct().collect(): d[x] = 1"),
        )
    },
    "letters that are exchanged": (
        "def p(r: RDD[str]):\n    return r.map(lambda t: t.translate(str.maketrans('ab', 'ba')))\n",
        "`translate` with a table that gives what it replaces is not supported",
    ),
    "a table of letters that has a value for each": (
        "def p(r: RDD[str]):\n    d = defaultdict(str)\n    d[97] = 'x'\n    return r.map(lambda t: t.translate(d))\n",
        "`translate` is supported with a constant table that gives texts",
    ),
    "a text of what may be None": (
        "def p(r: RDD[int]):\n    return r.map(lambda x: '<%s>' % (x if x > 0 else None))\n",
        "the text of a value is not read: it is of type int | None",
    ),
    "a table of letters that is not constant": (
        "def p(r: RDD[str], a: str):\n    return r.map(lambda t: t.translate({97: a}))\n",
        "`translate` is supported with a constant table that gives texts",
    ),
    "a function of Python's that is not read": (
        "import json\n\n\ndef p(r: RDD[str]):\n    return r.map(lambda t: json.dumps([t]))\n",
        "`json.dumps` of the module json is not supported",
    ),
    "what Spark has a copy of, in a tuple": (
        "def p(sc: SparkContext, r: RDD[int]):\n    xs = [1]\n    b = sc.broadcast((1, xs))\n    xs.append(2)\n"
        "    return r.map(lambda x: x + len(b.value[1]))\n",
        "an object is changed after Spark was given it, which has a copy",
    ),
    "what a function asks of a partition": (
        "def p(r: RDD[str]):\n    def f(part):\n        return [len(list(part))]\n    return r.mapPartitions(f)\n",
        "what this function asks of a whole partition depends on how elements are spread over partitions",
    ),
    "a list at a key that is exchanged": (
        "def p(r: RDD[tuple[str, int]]):\n    d = {}\n    for k, v in r.collect():\n        d[k] = [v]\n"
        "    return {k: len(vs) for k, vs in d.items()}\n",
        "a list or a set at a key is exchanged for another",
    ),
    "one list at all keys": (
        "def p(r: RDD[tuple[str, int]]):\n    d, e = {}, []\n    for k, v in r.collect():\n        if k not in d:\n"
        "            d[k] = e\n        d[k].append(v)\n    return {k: len(vs) for k, vs in d.items()}\n",
        "one list or set is put at several keys",
    ),
    "a list that stood at a key before": (
        "def p(r: RDD[tuple[str, int]]):\n    d = {}\n    for k, v in r.collect():\n        d.setdefault(k, [])\n"
        "        y = d[k]\n        d[k] = y + [v]\n        y.append(9)\n"
        "    return {k: sum(vs) for k, vs in d.items()}\n",
        "a list or a set at a key is used otherwise than it was made",
    ),
    "what is added to a list at a key by whether it is there": (
        "def p(r: RDD[tuple[str, int]]):\n    d = {}\n    for k, v in r.collect():\n        if k not in d:\n"
        "            d[k] = [v]\n        elif v > 1:\n            d[k].append(v)\n"
        "    return {k: sum(vs) for k, vs in d.items()}\n",
        "what is put at a key depends on what is there",
    ),
    "a key with an empty list": (
        "def p(r: RDD[tuple[str, int]]):\n    d = {}\n    for k, v in r.collect():\n        if k not in d:\n"
        "            d[k] = []\n        if v > 0:\n            d[k].append(v)\n"
        "    return {k: len(vs) for k, vs in d.items()}\n",
        "a key gets an empty list or set",
    ),
    "exceptions": (
        "def p(r: RDD[int]):\n    try:\n        return r.count()\n    except ValueError:\n        return 0\n",
        "`try` is supported in functions that run on elements only",
    ),
}


def written(folder: Path, text: str) -> str:
    """The name of a file with a program."""
    file = folder / "jobs.py"
    file.write_text(START + text)
    return str(file)


@pytest.fixture(scope="module")
def accepted(tmp_path_factory: pytest.TempPathFactory) -> str:
    return written(tmp_path_factory.mktemp("accepted"), ACCEPTED)


NAMES = [line.partition("(")[0].removeprefix("def ") for line in ACCEPTED.splitlines() if line.startswith("def ")]


@pytest.mark.parametrize("name", NAMES)
def test_what_is_read_is_what_the_interpreter_computes(accepted: str, name: str) -> None:
    assert tried(read_on_store(f"{accepted}:{name}")).compared > 5


@pytest.mark.parametrize("what", REFUSED)
def test_what_has_no_certain_meaning_is_refused_where_it_stands(tmp_path: Path, what: str) -> None:
    text, message = REFUSED[what]
    with pytest.raises(SourceError) as refused:
        evaluated(found_at(written(tmp_path, text) + ":p"))
    assert refused.value.message == message
    assert refused.value.line > 4


def test_a_reading_on_the_store_counts_once_it_was_tried(accepted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    alone, both = f"{accepted}:rdds_in_a_dict", f"{accepted}:left_early"
    with pytest.raises(SourceError):
        read_text(alone)
    read = read_program(alone)
    assert read.must_be_tried
    assert not read_program(both).must_be_tried

    def stopped(trying: object) -> Trial:
        raise UnreadError("the attribute `x`")

    monkeypatch.setattr("tallystick.validation._Trying.compare", stopped)
    with pytest.raises(SourceError) as refused:
        tried(read)
    assert refused.value.message == (
        "`rdds_in_a_dict` is read only where its reading can be tried, and its reading was not tried: the attribute `x`"
    )
    with pytest.raises(SourceError):
        that_counts(alone)
    assert not that_counts(both).must_be_tried


def test_a_program_that_neither_reads_is_refused_as_its_text(tmp_path: Path) -> None:
    reference = written(tmp_path, "def p(r: RDD[int]):\n    return r.sample(False, 0.5)\n") + ":p"
    with pytest.raises(SourceError) as of_both:
        read_program(reference)
    assert of_both.value.message == "the RDD method `sample` is not supported"


OTHER_CODE = {
    "a list": ("TABLE = [1]\n\n\ndef grow():\n    TABLE.append(2)\n", "len(TABLE)", "`TABLE` is a list"),
    "a list in a dict that no text says": (
        "TABLE = {k: [k] for k in (1, 2)}\n\n\ndef grow():\n    TABLE[1].append(2)\n",
        "len(TABLE[1])",
        "may change a list, set or dictionary that `TABLE` holds",
    ),
    "a list that is a default value": (
        "TABLE = [1]\n\n\ndef size(x, t=TABLE):\n    return len(t)\n\n\ndef grow():\n    TABLE.append(2)\n",
        "size(x)",
        "`TABLE` is a list",
    ),
    "a constant of a class, of an object of it": (
        "class C:\n    XS = [1]\n\n\ndef grow():\n    C.XS.append(2)\n\n\ndef made(of=C):\n    return of()\n",
        "len(made().XS)",
        "`XS` is a constant of the class `C`",
    ),
    "an attribute of an object": (
        "class C:\n    def __init__(self):\n        self.n = 1\n    def more(self):\n        self.n += 1\n\n\n"
        "ONE = C()\n",
        "ONE.n",
        "this may give `n`, which the program uses, another value",
    ),
}


@pytest.mark.parametrize("what", OTHER_CODE)
def test_what_other_code_may_change_in_a_module_is_refused(tmp_path: Path, what: str) -> None:
    before, value, message = OTHER_CODE[what]
    with pytest.raises(SourceError) as refused:
        read_on_store(
            written(tmp_path, f"{before}\n\ndef p(r: RDD[int]):\n    return r.map(lambda x: x + {value})\n") + ":p"
        )
    assert message in refused.value.message


def test_what_other_files_may_change_in_a_module_is_refused(tmp_path: Path) -> None:
    (tmp_path / "helpers.py").write_text("LIMIT = 3\n")
    (tmp_path / "others.py").write_text("import helpers\ndef later(): helpers.LIMIT = 9\n")
    for imported, name in (("from helpers import LIMIT", "LIMIT"), ("import helpers", "helpers.LIMIT")):
        text = f"import others\n{imported}\n\n\ndef p(r: RDD[int]):\n    return r.filter(lambda x: x > {name})\n"
        with pytest.raises(SourceError) as refused:
            read_on_store(written(tmp_path, text) + ":p")
        assert refused.value.message == "this may give `LIMIT`, which the program uses, another value"


PAIRS = """
def before(r: RDD[tuple[str, int]]):
    steps = [lambda v: v + 1, lambda v: v * 2]
    for step in steps:
        r = r.mapValues(step)
    return r

def after(r: RDD[tuple[str, int]]):
    return r.map(lambda kv: (kv[0], 2 * kv[1] + 2))

def wrong(r: RDD[tuple[str, int]]):
    return r.map(lambda kv: (kv[0], 2 * kv[1] + 1))
"""


@pytest.mark.parametrize(("other", "verdict"), [("after", "equivalent"), ("wrong", "inequivalent")])
def test_pairs_of_what_both_readers_read_are_decided(tmp_path: Path, other: str, verdict: str) -> None:
    file = written(tmp_path, PAIRS)
    found = check(f"{file}:before", f"{file}:{other}")
    assert found.verdict.value == verdict
    assert len(found.trials) == 2


# planted misreadings


def _copied(self: Any, of: Any, content: Items, item: Any) -> Any:
    """A list that is appended to is another one: its other names do not see it."""
    return None


def _other_branch(self: Any, test: Any, one: Any, other: Any) -> Any:
    """A join that takes the other branch."""
    return joined(self, test, other, one)


def _sum_of_one(self: Any, of: Any) -> Any:
    """A row with a wrong term."""
    return self.lift(1)


joined = Statements.choice
PLANTED = {
    "two_names": (Objects, "_list_append", _copied),
    "one_of_two": (Statements, "choice", _other_branch),
    "added_in_place": (Functions, "_length", _sum_of_one),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_misreading_is_no_verdict(accepted: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    of, method, planted = PLANTED[name]
    monkeypatch.setattr(of, method, planted)
    if method == "_length":
        monkeypatch.setitem(vars(functions)["_RULES"], len, planted)
    with pytest.raises(ReadingError):
        tried(read_on_store(f"{accepted}:{name}"))


# both readers


def values(read: SourceProgram, inputs: list[Any]) -> Any:
    """What a program means on inputs; "raises" where it has no value."""
    try:
        return evaluate(read.program.expression, dict(zip(read.program.parameters, inputs, strict=True)), 50_000)
    except (EvaluationError, FunctionError):
        return "raises"


def compared(reference: str) -> str:
    """How a reading on the store differs from that of the text."""
    try:
        one = read_text(reference)
    except SourceError:
        return "refused as a text"
    try:
        other = read_on_store(reference)
    except SourceError:
        return "refused on the store"
    if one.program.expression is other.program.expression:
        return "one term"
    draw = Draw(load(one.path).tree, one.function_name)
    names = [str(each.parameter[0]) for each in one.program.parameters]  # type: ignore[index]
    types = [BagType(TEXT) if name in one.files else of for name, of in zip(names, one.declared, strict=True)]
    for _ in range(15):
        inputs = [draw.value(of) for of in types]
        assert values(one, inputs) == values(other, inputs), f"{reference}: {inputs}"
    return "equal values"


@pytest.mark.parametrize("file", ["totals", "top_k", "word_counts", "campaigns"])
def test_both_readers_mean_the_same(file: str) -> None:
    found = Counter(map(compared, programs_in(str(CORPUS / f"{file}.py"))))
    assert found["refused on the store"] == 0
    assert found["one term"] > found["equal values"]


RAISING = """
def before(r: RDD[int], s: RDD[int], t: RDD[int]):
    total = s.reduce(lambda a, b: a + b)
    return r.map(lambda x: x + total)

def after(r: RDD[int], s: RDD[int], t: RDD[int]):
    total = s.sum()
    return r.map(lambda x: x + total)

def where_it_raises(r: RDD[int], s: RDD[int], t: RDD[int]):
    total, empty = s.sum(), s.isEmpty()
    return r.map(lambda x: x + total).union(t.filter(lambda x: empty))

def wrong(r: RDD[int], s: RDD[int], t: RDD[int]):
    total = s.sum()
    return r.map(lambda x: x - total)
"""


@pytest.mark.parametrize(
    ("other", "verdict"), [("after", "equivalent"), ("where_it_raises", "unknown"), ("wrong", "inequivalent")]
)
def test_an_input_on_which_a_program_raises_shows_no_difference(tmp_path: Path, other: str, verdict: str) -> None:
    file = written(tmp_path, RAISING)
    found = check(f"{file}:before", f"{file}:{other}")
    assert found.verdict.value == verdict
    assert (found.counterexample is not None) == (verdict == "inequivalent")


KEYS_OF_NONE = """
FIRST = {None: 0, "a": 1}
OTHER = {None: 7, "a": 1}

def before(r: RDD[int]):
    return r.map(lambda x: FIRST["a" if x > 5 else None])

def after(r: RDD[int]):
    return r.map(lambda x: OTHER["a" if x > 5 else None])
"""


def test_none_may_be_a_key(tmp_path: Path) -> None:
    file = written(tmp_path, KEYS_OF_NONE)
    assert check(f"{file}:before", f"{file}:after").verdict.value == "inequivalent"


RAISED_UNUSED = """
def before(r: RDD[int]):
    def one(x):
        unused = 10 // x
        return 1 if x > 0 else 0
    return r.map(one)

def after(r: RDD[int]):
    return r.map(lambda x: 1 if x >= 0 else 0)

def wrong(r: RDD[int]):
    return r.map(lambda x: 1 if x >= 2 else 0)

def first(r: RDD[int]):
    unused = r.map(lambda x: 10 // 2).count()
    return r.max()

def default(r: RDD[int]):
    return 0 if r.isEmpty() else r.max()
"""


@pytest.mark.parametrize(
    ("left", "right", "verdict"),
    [
        ("before", "after", "unknown"),
        ("after", "before", "unknown"),
        ("before", "wrong", "inequivalent"),
        ("first", "default", "inequivalent"),
    ],
)
def test_what_raises_for_a_value_that_nothing_uses_shows_no_difference(
    tmp_path: Path, left: str, right: str, verdict: str
) -> None:
    file = written(tmp_path, RAISED_UNUSED)
    assert check(f"{file}:{left}", f"{file}:{right}").verdict.value == verdict


@pytest.mark.slow
def test_both_readers_mean_the_same_on_the_whole_corpus() -> None:
    found = Counter(compared(each) for file in sorted(CORPUS.glob("*.py")) for each in programs_in(str(file)))
    assert found["one term"] > 950
    assert found["refused on the store"] < 12


NOT_READ = {
    "retail.py": {"with_names_broadcast"},  # `collectAsMap` of keys that may repeat
    "platform_logs.py": {"all_tags"},
    "pipelines.py": {"between"},
    "transport.py": {"severe_services", "partition_counts", "merged_config_keys"},
}


@pytest.mark.slow
@pytest.mark.parametrize("file", NOT_READ)
def test_functions_as_data_engineers_write_them(file: str) -> None:
    refused = set()
    for reference in programs_in(str(UNSEEN / file)):
        try:
            assert tried(read_on_store(reference)).compared
        except SourceError:
            refused.add(reference.rpartition(":")[2])
    assert refused == NOT_READ[file]


def random_programs(seeds: range, folder: Path) -> Counter[str]:
    """Reads random programs, and tries what was read."""
    found: Counter[str] = Counter()
    for seed in seeds:
        for program in programs(seed):
            file = folder / "random_program.py"
            file.write_text(program.source)
            try:
                read = read_on_store(f"{file}:p")
            except SourceError:
                found["refused"] += 1
            else:
                found["agrees" if tried(read).compared else "untried"] += 1
    return found


def test_random_programs_mean_what_the_interpreter_computes(tmp_path: Path) -> None:
    found = random_programs(range(1), tmp_path)
    assert found["agrees"] > 5


@pytest.mark.slow
@pytest.mark.parametrize("first", range(3000, 3200, 50))
def test_many_random_programs_mean_what_the_interpreter_computes(tmp_path: Path, first: int) -> None:
    found = random_programs(range(first, first + 50), tmp_path)
    assert found["agrees"] > 3 * found["refused"]


ALIASES = """
from collections import OrderedDict
from pyspark import RDD
def f(row):
    d = [3, 5]
    e = {alias}
    d.append(row)
    return sum(e) + len(e)
def p(r: RDD[int]):
    return r.map(f)
"""


@pytest.mark.parametrize("alias", ["dict(x=d)['x']", "[*[d]][0]", "{'x': d}['x']", "(d,)[0]", "dict([('x', d)])['x']"])
def test_a_list_is_the_same_where_a_container_holds_it(alias: str, tmp_path: Path) -> None:
    read = read_on_store(written(tmp_path, ALIASES.format(alias=alias)) + ":p")
    assert tried(read).compared > 0  # and agrees


@pytest.mark.parametrize("alias", ["OrderedDict(x=d)['x']", "OrderedDict([('x', d)])['x']"])
def test_a_list_that_a_value_of_the_library_holds_is_not_changed(alias: str, tmp_path: Path) -> None:
    try:
        read = read_on_store(written(tmp_path, ALIASES.format(alias=alias)) + ":p")
    except SourceError:
        return
    assert tried(read).compared > 0
