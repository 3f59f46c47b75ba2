"""Sets of those items of a list of unknown length for which a condition holds."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tallystick import check
from tallystick.frontends.errors import SourceError
from tallystick.frontends.pyspark import SourceProgram

from .local_rdd import load, run_by_python, run_by_terms, same

LINES = ["", "a", "a b a", "b  b", " c a b c ", "a\tb\na"]
BODIES = (
    "s.flatMap(lambda l: {w for w in l.split() if w != 'a'})",
    "s.flatMap(lambda l: set([w for w in l.split() if w in ('a', 'c')]))",
    "s.flatMap(lambda l: [(w, len(l)) for w in set(w for w in l.split() if w > 'a')])",
    "s.flatMap(lambda l: frozenset([w for w in set(l.split()) if w > 'a']))",
    "s.flatMap(lambda l: [w + '!' for w in {w for w in {v for v in l.split() if v > 'a'} if w < 'c'}])",
    "s.flatMap(lambda l: {w for w in l.split()})",
)


@pytest.mark.parametrize("body", BODIES)
def test_they_mean_what_python_computes(body: str, read: Callable[..., SourceProgram]) -> None:
    text = f"def p(s: 'RDD[str]'): return {body}"
    assert same(run_by_terms(read(text), [LINES]), run_by_python(load(text), [LINES]))


def test_they_are_no_lists(write: Callable[[str, str], str]) -> None:
    text = """
from pyspark import RDD
def f(s: RDD[str]): return s.flatMap(lambda l: {w for w in l.split() if w != 'a'})
def g(s: RDD[str]): return s.flatMap(lambda l: [w for w in set(l.split()) if w != 'a'])
def h(s: RDD[str]): return s.flatMap(lambda l: [w for w in l.split() if w != 'a'])
"""
    path = write("jobs.py", text)
    assert check(f"{path}:f", f"{path}:g").verdict == "equivalent"
    assert check(f"{path}:f", f"{path}:h").verdict == "inequivalent"


def test_the_first_item_of_a_set_is_refused(read: Callable[..., SourceProgram]) -> None:
    with pytest.raises(SourceError):
        read("def p(s: 'RDD[str]'): return s.map(lambda l: list({w for w in l.split() if w != 'a'})[0])")
