"""Lists, sets and dictionaries of a module that are handed to functions and classes which only read them are read."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tallystick import check
from tallystick.frontends.pyspark import SourceProgram

from .local_rdd import load, run_by_python, run_by_terms, same

MODULE = """
from functools import partial
RATES = {"EUR": 1, "USD": 2}
class Converter:
    def __init__(self, rates: dict[str, int], *, default: int = 0) -> None:
        self.rates = rates
        self.default = default
    def known(self, e): return e[0] in self.rates
    def euro(self, e): return e[1] * self.rates[e[0]]
    def euro_or_default(self, e): return e[1] * self.rates.get(e[0], self.default)
def converted(rates, e): return e[1] * rates.get(e[0], 0)
def only(codes, e): return e[0] in codes
"""
BODIES = (
    "s.filter(Converter(RATES).known).map(Converter(RATES).euro)",
    "s.map(Converter(rates=RATES, default=3).euro_or_default)",
    "s.map(partial(converted, RATES))",
    "s.map(lambda e: converted(RATES, e)).filter(lambda n: n)",
    "s.filter(partial(only, RATES)).map(lambda e: RATES[e[0]])",
    "s.map(Converter({'EUR': 4}).euro_or_default)",
)
PAIRS = [("EUR", 3), ("USD", 5), ("", 7), ("GBP", 1), ("EUR", 3)]


@pytest.mark.parametrize("body", BODIES)
def test_it_means_what_python_computes(body: str, read: Callable[..., SourceProgram]) -> None:
    text = f"{MODULE}\ndef p(s: 'RDD[tuple[str, int]]'):\n    return {body}"
    assert same(run_by_terms(read(text), [PAIRS]), run_by_python(load(text), [PAIRS]))


CHANGES = {
    "a method of the class": "class D(Converter):\n    def bad(self): self.rates.clear()",
    "an item of an attribute": "def g(c): c.rates['X'] = 1",
    "an attribute by another name": "def g(c):\n    x = c.rates\n    x['X'] = 1",
    "an attribute that is returned": "def g(c): return c.rates",
    "a broadcast variable at the driver": "def g(sc): sc.broadcast(RATES).value['X'] = 1",
    "its value by another name": "def g(sc):\n    m = sc.broadcast(RATES).value\n    m['X'] = 1",
    "a parameter": "def f(x): x.clear()\nf(RATES)",
    "a parameter by name": "def f(*, x): del x['EUR']\nf(x=RATES)",
    "a parameter that is handed on": "def f(x): h(x)\ndef h(y): y.clear()\nf(RATES)",
    "a parameter with an operator": "def f(x): x |= {'b': 1}\nf(RATES)",
    "a parameter that is returned": "def f(x): return x\nf(RATES)['z'] = 3",
    "a parameter that a function keeps": "def f(x): return lambda: x\nf(RATES)",
    "a starred parameter": "def f(*x): x[0].clear()\nf(RATES)",
    "a starred argument before": "def f(x, y): return y.get(1)\nf(*[{}], RATES)",
    "a function with two values": "def f(x): return 1\nf = print\nf(RATES)",
    "a function that is decorated": "@cleared\ndef f(x): return 1\nf(RATES)",
    "a class with __new__": "class D:\n    def __new__(cls, x): x.clear()\n    def __init__(self, x): pass\nD(RATES)",
    "a method that is bound": "def f(x): return partial(x.update)\nf(RATES)",
    "a generator": "def f(x):\n    for v in x: x[v] = 1\nf(RATES)",
    "an attribute elsewhere": "def f(x, c): c.kept = x\nf(RATES, [])",
    "a function that is given another value": "def f(x): return 1\nimport jobs\njobs.f = 2\nf(RATES)",
}


@pytest.mark.parametrize("name", CHANGES)
def test_what_may_be_changed_by_another_name_is_refused(name: str, refusal: Callable[..., str]) -> None:
    used = "c = Converter(RATES)\n    return s.filter(c.known)"
    message = refusal(f"{MODULE}\ndef p(s: 'RDD[tuple[str, int]]'):\n    {used}\n\n{CHANGES[name]}\n")
    assert "may change" in message or "another value" in message


def test_a_change_in_another_file_is_refused(refusal: Callable[..., str]) -> None:
    text = (
        f"from other import g\n{MODULE}\ndef p(s: 'RDD[tuple[str, int]]'):\n    return s.filter(Converter(RATES).known)"
    )
    assert "which other code in other.py may change" in refusal(text, other="def g(c): c.rates.clear()")


def test_an_attribute_that_holds_a_list_of_lists_is_refused(refusal: Callable[..., str]) -> None:
    text = (
        "class C:\n    def __init__(self, xs): self.xs = xs\n    def has(self, x): return x in self.xs['a']\n"
        "def p(r: 'RDD[int]'):\n    return r.filter(C({'a': [1]}).has)\n"
    )
    assert "may change" in refusal(text)


def test_tables_with_different_entries_are_told_apart(write: Callable[[str, str], str]) -> None:
    functions = (
        "def f(s: RDD[tuple[str, int]]): return s.map(Converter(RATES, default=1).euro_or_default)\n"
        "def g(s: RDD[tuple[str, int]]): return s.map(lambda e: converted(RATES, e) if e[0] in RATES else e[1])\n"
        "def h(s: RDD[tuple[str, int]]): return s.map(partial(converted, RATES))\n"
    )
    path = write("jobs.py", f"from pyspark import RDD\n{MODULE}\n{functions}")
    assert check(f"{path}:f", f"{path}:g").verdict == "equivalent"
    assert check(f"{path}:f", f"{path}:h").verdict == "inequivalent"
