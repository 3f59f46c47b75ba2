"""Two names for one list or dictionary, and names of Python's functions that code gives another meaning.

Each program means what Python computes, or is refused: whatever gives a list its second name, and however a name is
bound. A name that stands for Python's own function is read.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tallystick.core.interpreter import bag_of
from tallystick.frontends.pyspark import SourceProgram

from .local_rdd import run_by_terms
from .random_functions.comparing import Tally, compare_program
from .random_functions.programs import RandomProgram

INPUTS = ([], [("a", 1)], [("a", 2), ("b", 0), ("a", 5), ("a", 1)])
PREAMBLE = """
import copy
import functools
import itertools
from collections import Counter, OrderedDict, UserDict, defaultdict, deque
from functools import lru_cache, partial, reduce, wraps
from itertools import chain
from operator import add, itemgetter
from typing import NewType, cast
from pyspark import RDD

Kind = NewType("Kind", dict)


class Box:
    kept = None

    def __init__(self, held=None):
        self.held = held

    def same(self, x):
        return x

    @staticmethod
    def plain(x):
        return x

    def join(self, x):
        return x


def same(x):
    return x


def default(x, y=None):
    return y or x


def star(*xs):
    return xs[0]


def named(**xs):
    return xs["x"]


def yields(x):
    yield x


def chosen(c, x):
    if c:
        return x
    return x


def inner(x):
    def get():
        return x
    return get


def transparent(f):
    @wraps(f)
    def run(*given):
        return f(*given)
    return run


@transparent
def wrapped(x):
    return x


@lru_cache(maxsize=None)
def kept_one(x):
    return x
"""
ALIASES = (
    *("d", "(d)", "cast(dict, d)", "cast('x', d)", "Kind(d)", "same(d)", "default(d)", "default(None, d)", "star(d)"),
    *("named(x=d)", "chosen(n > 1, d)", "inner(d)()", "wrapped(d)", "transparent(same)(d)", "Box().same(d)"),
    *("Box.plain(d)", "Box(d).held", "Box().join(d)", "next(iter([d]))", "next(yields(d))", "[*yields(d)][0]"),
    *("max([d], key=len)", "min(d, d, key=len)", "max([], default=d)", "d or {}", "{} or d", "None or d", "d and d"),
    *("d if n else d", "(lambda: d)()", "(lambda x=d: x)()", "[d][0]", "(d, 1)[0]", "{1: d}[1]", "{1: d}.get(1)"),
    *("{}.get(1, d)", "{}.setdefault(1, d)", "{1: d}.setdefault(1, None)", "{1: d}.pop(1)", "[d].pop()"),
    *("sorted([d], key=len)[0]", "list((d,))[0]", "tuple([d])[0]", "[x for x in [d]][0]", "reduce(same, [d])"),
    *("list(chain([d]))[0]", "list(itertools.chain.from_iterable([[d]]))[0]", "list(zip([d]))[0][0]"),
    *("list(map(same, [d]))[0]", "list(filter(None, [d]))[0] if d else d", "list(enumerate([d]))[0][1]"),
    *("list(reversed([d]))[0]", "itemgetter(0)([d])", "partial(same, d)()", "functools.reduce(default, [d, d])"),
    *("copy.copy([d])[0]", "add([d], [])[0]", "([d] + [])[0]", "([d] * 2)[1]", "[d][:][0]", "dict(x=d)['x']"),
    *("(g := d)", "deque([d])[0]", "getattr(Box(d), 'held')", "vars(Box(d))['held']", "sum([[d]], [])[0]"),
)
STATEMENTS = (
    *("e = d", "e, = [d]", "(e, f), g = (d, 1), 2", "e, *f = d, 1", "f, *e = 1, d\ne = e[0]", "e = f = d"),
    *("for e in [d]:\n    pass", "for e in (d, d):\n    pass", "f = [d]\nfor e in f:\n    pass"),
    *(
        "match d:\n    case e:\n        pass",
        "match [d]:\n    case [e]:\n        pass",
        "e = None\nmatch d:\n    case e: pass",
    ),
    *("match {1: d}:\n    case {1: e}:\n        pass", "match (1, d):\n    case (1, *f):\n        e = f[0]"),
    *(
        "if (e := d) is None:\n    pass",
        "f = [e := d]",
        "def f():\n    return d\ne = f()",
        "def f(x=d):\n    return x\ne = f()",
    ),
    *("f = {}\nf['k'] = d\ne = f['k']", "f = []\nf.append(d)\ne = f[0]", "b = Box()\nb.held = d\ne = b.held"),
    *("Box.kept = d\ne = Box.kept", "try:\n    e = d\nexcept ValueError:\n    e = None", "e = d if n else d"),
    *("e = {}\nif n > 1:\n    e = d", "e = d\nd = e", "def f():\n    nonlocal e\n    e = d\ne = None\nf()"),
    *("import copy as e\ne = d", "with Box(d) as e:\n    pass", "e = {}\ne |= d\ne = d", "global e\ne = d"),
    *(f"e = {alias}" for alias in ALIASES),
)
MAKING = {"list": "d = [n, 7]", "dict": "d = {0: n, 1: 7}", "empty": "d = {}", "set": "d = {n}", "grown": "d = []"}
CHANGES = {
    "list": (
        "d[0] = 5",
        "e[0] = 5",
        "d.append(3)",
        "e.append(3)",
        "d[1] += n",
        "d += [9]",
        "e.sort()",
        "d.extend([1])",
    ),
    "grown": ("d.append(n)", "e.append(n)"),
    "dict": ("d[0] = 5", "e[0] = 5", "e[1] += n", "d.update({0: 9})", "e.pop(0)", "del d[0]", "e.setdefault(0, 3)"),
    "empty": ("d[n] = 5", "e[n] = 5", "e.setdefault(n, 3)", "d[n] = d.get(n, 0) + 1"),
    "set": ("d.add(5)", "e.add(5)", "d |= {4}"),
}
SEEN = {"list": "(sum({0}), len({0}))", "grown": "(sum({0}), len({0}))", "set": "(sum({0}), len({0}))"}
KEYS = "(sum({0}.values()), sum({0}), len({0}))"


def indented(text: str, depth: int) -> str:
    return "\n".join("    " * depth + line for line in text.splitlines())


def function(kind: str, statement: str, change: str, seen: str) -> str:
    """A function on an element that makes something, gives it a second name, changes it, and looks at one of both."""
    result = SEEN.get(kind, KEYS).format(seen)
    body = f"name, n = row\n{MAKING[kind]}\n{statement}\n{change}\nreturn {result}"
    return f"{PREAMBLE}\ndef f(row):\n{indented(body, 1)}\n\ndef p(r: RDD[tuple[str, int]]):\n    return r.map(f)\n"


def loop(statement: str, change: str, seen: str, of_group: bool) -> str:
    """The same with a dictionary that a loop fills: of a group, or at the driver."""
    body = f"n = 2\nd = {{}}\n{statement}\nfor n in vs:\n{indented(change, 1)}\nreturn {KEYS.format(seen)}"
    if of_group:
        program = "def p(r: RDD[tuple[str, int]]):\n    return r.groupByKey().mapValues(f)\n"
        return f"{PREAMBLE}\ndef f(vs):\n{indented(body, 1)}\n\n{program}"
    body = body.replace("in vs", "in r.values().collect()")
    return f"{PREAMBLE}\ndef p(r: RDD[tuple[str, int]]):\n{indented(body, 1)}\n"


def compared(sources: list[str], path: Path, step: int = 1) -> Tally:
    tally = Tally()
    for source in sources[::step]:
        compile(source, "jobs.py", "exec")
        compare_program(RandomProgram(source, INPUTS, frozenset()), path, tally)
    return tally


STEPS = pytest.mark.parametrize("step", [17, pytest.param(1, marks=pytest.mark.slow)])


@STEPS
@pytest.mark.parametrize("kind", MAKING)
def test_what_has_two_names_changes_under_both(kind: str, step: int, tmp_path: Path) -> None:
    sources = [
        function(kind, statement, change, seen)
        for index, statement in enumerate(STATEMENTS)
        for change in CHANGES[kind]
        for seen in "de"
        if not statement.startswith(("def f():\n    nonlocal", "global")) and (index + len(change)) % 2 == (seen == "d")
    ]
    tally = compared(sources, tmp_path / "jobs.py", step)
    assert tally.programs > tally.refused, "some of this is read"


@STEPS
@pytest.mark.parametrize("of_group", [True, False])
def test_a_dictionary_that_a_loop_fills_is_filled_under_both_names(of_group: bool, step: int, tmp_path: Path) -> None:
    changes = ("d[n] = d.get(n, 0) + n", "e[n] = e.get(n, 0) + n", "e[n] = 3")
    sources = [
        loop(statement, change, seen, of_group)
        for statement in STATEMENTS
        if not statement.startswith(("def f():\n    nonlocal", "global"))
        for change in changes
        for seen in "de"
    ]
    compared(sources, tmp_path / "jobs.py", step)


MEANINGS = {
    "list": ("ys = list(d)\nd.append(9)\nreturn len(ys)", "d = list()\nd.append(n)\nreturn len(d)"),
    "sorted": ("ys = sorted(d)\nd[0] = 9\nreturn ys[0]",),
    "tuple": ("ys = tuple(d)\nd.append(9)\nreturn len(ys)",),
    "dict": ("e = {1: n}\nys = dict(e)\ne[1] = 9\nreturn ys[1]", "e = dict()\ne[n] = 1\nreturn len(e)"),
    "set": ("return len(set([n, n]))",),
    "sum": ("return sum([n, 1])",),
    "len": ("return len([n, 1])",),
    "max": ("return max([n, 1])", "ys = max(d, [])\nd[0] = 9\nreturn sum(ys)"),
    "min": ("return min(n, 1)",),
    "abs": ("return abs(n)",),
    "int": ("return int('3') + n",),
    "str": ("return str(n)",),
    "bool": ("return bool(n)",),
    "any": ("return any([n, 0])",),
    "all": ("return all([n, 0])",),
    "range": ("return sum([i for i in range(3)]) + n",),
    "enumerate": ("return sum([i * x for i, x in enumerate(d)])",),
    "zip": ("return sum([i * x for i, x in zip(d, d)])",),
    "map": ("return sum(map(str, d)) if False else len([x for x in map(abs, d)])",),
    "filter": ("return len([x for x in filter(None, d)])",),
    "reversed": ("ys = [x for x in reversed(d)]\nreturn ys[0]",),
    "round": ("return round(n)",),
    "print": ("print(n)\nreturn n",),
    "ValueError": ("try:\n    return int(name)\nexcept ValueError:\n    return -1",),
    "isinstance": ("return isinstance(n, int)",),
    "iter": ("return next(iter(d))",),
    "super": ("return n",),
    "frozenset": ("return len(frozenset([n, n]))",),
    "divmod": ("return divmod(n, 2)",),
    "hash": ("return n",),
}
"""What a function returns that uses a name; `d` is a list of two numbers, `n` one and `name` a text."""
MODULE = "def other(xs=3, ys=3):\n    return xs\n"
BINDINGS = {
    "def": ("def {0}(xs=3, ys=3):\n    return xs", "", ""),
    "assignment": ("{0} = other", "", ""),
    "unpacking": ("{0}, other_2 = other, 1", "", ""),
    "import as": ("from operator import pos as {0}", "", ""),
    "import": ("from helpers import {0}", "", ""),
    "import of all": ("from helpers import *", "", ""),
    "class": ("class {0}:\n    def __init__(self, *xs):\n        pass", "", ""),
    "global in a function": ("def bind():\n    global {0}\n    {0} = other\nbind()", "", ""),
    "walrus": ("({0} := other)", "", ""),
    "for": ("for {0} in [other]:\n    pass", "", ""),
    "under a condition": ("if other:\n    {0} = other", "", ""),
    "local": ("", "{0} = other", ""),
    "local def": ("", "def {0}(xs=3, ys=3):\n    return xs", ""),
    "local for": ("", "for {0} in [other]:\n    pass", ""),
    "local import": ("", "from operator import pos as {0}", ""),
    "local walrus": ("", "if ({0} := other) is None:\n    return 0", ""),
    "pattern": ("", "match other:\n    case {0}:\n        pass", ""),
    "parameter": ("", "", ", {0}=other"),
    "comprehension of this name": ("", "k = [1 for {0} in [1, 2]]", ""),
    "function of this name elsewhere": ("def elsewhere({0}):\n    return {0}", "", ""),
    "class with this name": ("class Holder:\n    {0} = 3\n    def other(self):\n        return {0}", "", ""),
}
PYTHONS = ("comprehension of this name", "function of this name elsewhere", "class with this name")
"""Bindings after which the name stands for Python's own function where it is used."""


def with_name(name: str, body: str, binding: str) -> str:
    outside, inside, parameter = (each.format(name) for each in BINDINGS[binding])
    whole = f"name, n = row\nd = [n, 7]\n{inside}\n{body}"
    function = f"def f(row{parameter}):\n{indented(whole, 1)}"
    program = "def p(r: 'RDD[tuple[str, int]]'):\n    return r.map(f)"
    return f"from pyspark import RDD\n{MODULE}\n{outside}\n\n{function}\n\n{program}\n"


@pytest.mark.parametrize("every", [3, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("binding", BINDINGS)
def test_a_name_means_what_its_scope_gives_it(
    binding: str, every: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In each third of the bodies, and in all if slow."""
    monkeypatch.syspath_prepend(tmp_path)
    others = "\n".join(f"{name} = other" for name in MEANINGS)
    (tmp_path / "helpers.py").write_text(f"{MODULE}\n{others}\n")
    sources = [with_name(name, body, binding) for name, bodies in MEANINGS.items() for body in bodies]
    tally = compared(sources, tmp_path / "jobs.py", every)
    assert tally.refused <= (4 if binding in PYTHONS else tally.programs), tally.reasons


def test_an_import_that_stands_twice_is_one(read: Callable[..., SourceProgram]) -> None:
    twice = "from pyspark import RDD\nfrom operator import add\nfrom pyspark import RDD\nfrom operator import add\n"
    found = read(f"{twice}def p(r: RDD[int]): return r.reduceByKey(add) if False else r.map(lambda x: add(x, 1))")
    assert run_by_terms(found, [[1, 2]]) == bag_of([2, 3])


def test_two_imports_of_different_things_are_refused(refusal: Callable[..., str]) -> None:
    imports = "from operator import add\nfrom operator import sub as add\n"
    text = f"{imports}def p(r: RDD[int]): return r.map(lambda x: add(x, 1))"
    assert refusal(text).startswith("jobs.py:3:44: `add` is bound more than once in jobs.py")


@pytest.mark.parametrize("listed", ["__all__ = ['inc']", "__all__ = ('inc', 'RDD')", ""])
def test_import_of_all_names_takes_those_that_the_file_lists(listed: str, read: Callable[..., SourceProgram]) -> None:
    helpers = f"from pyspark import RDD\n{listed}\ndef inc(x): return x + 1\ndef _hidden(x): return x"
    found = read(
        "from pyspark import RDD\nfrom helpers import *\ndef p(r: RDD[int]): return r.map(inc)", helpers=helpers
    )
    assert run_by_terms(found, [[1, 2]]) == bag_of([2, 3])


@pytest.mark.parametrize(
    ("helpers", "message"),
    [
        ("__all__ = ['g']\ndef f(x): return x", "the name `f` is not defined"),
        ("def _f(x): return x", "the name `f` is not defined"),
        ("__all__ = ['f']\n__all__ += ['g']\ndef f(x): return x", "`import *` in jobs.py may give `f` another value"),
        ("__all__ = list('f')\ndef f(x): return x", "`import *` in jobs.py may give `f` another value"),
        ("from more import *", "`import *` in jobs.py may give `f` another value"),
    ],
)
def test_import_of_all_names_gives_no_other(helpers: str, message: str, refusal: Callable[..., str]) -> None:
    text = "from helpers import *\ndef p(r: RDD[int]): return r.map(f)"
    assert message in refusal(text, helpers=helpers).splitlines()[0]
