"""`xs.sort()` of a new list of an RDD's elements is `sorted`; other names of the list are never sorted with it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tallystick import check
from tallystick.frontends.errors import SourceError
from tallystick.frontends.pyspark import SourceProgram
from tallystick.validation import tried

HEADER = "(r: RDD[tuple[int, str]]):\n    "
SORTED = "return sorted(r.filter(lambda p: p[0] > 1).values().collect())"
SAME = {
    "collected": "xs = r.filter(lambda p: p[0] > 1).values().collect()\n    xs.sort()\n    return xs",
    "a comprehension": "xs = [s for n, s in r.collect() if n > 1]\n    xs.sort()\n    return xs",
    "made of values": "xs = list(r.filter(lambda p: p[0] > 1).values().collect())\n    xs.sort()\n    return xs",
    "a list that grows": (
        "xs = []\n    for n, s in r.collect():\n        if n > 1:\n            xs.append(s)\n"
        "    xs.sort()\n    return xs"
    ),
    "another name afterwards": "xs = [s for n, s in r.collect() if n > 1]\n    xs.sort()\n    ys = xs\n    return ys",
}


def _decided(left: str, right: str, tmp_path: Path) -> str:
    path = tmp_path / "jobs.py"
    path.write_text(f"from pyspark import RDD\ndef f{HEADER}{left}\ndef g{HEADER}{right}\n")
    return str(check(f"{path}:f", f"{path}:g").verdict)


@pytest.mark.parametrize("body", SAME.values(), ids=SAME)
def test_it_is_sorted(body: str, tmp_path: Path) -> None:
    assert _decided(SORTED, body, tmp_path) == "equivalent"


ORDERS = {
    "key=lambda p: (-p[0], p[1])": "equivalent",
    "key=lambda p: (p[0], p[1])": "inequivalent",
    "key=lambda p: (p[0], p[1]), reverse=True": "inequivalent",
}


@pytest.mark.parametrize(("order", "expected"), ORDERS.items(), ids=ORDERS)
def test_keys_and_reverse(order: str, expected: str, tmp_path: Path) -> None:
    body = f"xs = r.collect()\n    xs.sort({order})\n    return xs[:3]"
    assert _decided(body, "return r.takeOrdered(3, key=lambda p: (-p[0], p[1]))", tmp_path) == expected


REVERSED = {
    "sorted before": "xs = r.collect()\n    xs.sort()\n    xs.reverse()\n    return xs",
    "sorted by a function": "xs = sorted(r.collect())\n    xs.reverse()\n    return xs",
    "there and back and there": (
        "xs = r.collect()\n    xs.sort()\n    xs.reverse()\n    xs.reverse()\n    xs.reverse()\n    return xs"
    ),
}


@pytest.mark.parametrize("body", REVERSED.values(), ids=REVERSED)
def test_it_is_reversed(body: str, tmp_path: Path) -> None:
    assert _decided("return sorted(r.collect(), reverse=True)", body, tmp_path) == "equivalent"
    assert _decided("return sorted(r.collect())", body, tmp_path) == "inequivalent"


NOT_ALONE = {
    "another name": "xs = r.collect()\n    ys = xs\n    xs.sort()\n    return ys",
    "a lambda before": "xs = r.collect()\n    f = lambda: xs\n    xs.sort()\n    return f()",
    "a list of lists": "xs = r.collect()\n    both = [xs]\n    xs.sort()\n    return both[0]",
    "under a condition": "xs = r.collect()\n    if r.isEmpty():\n        xs.sort()\n    return xs",
    "a view": "xs = r.collectAsMap().keys()\n    xs.sort()\n    return xs",
    "another name, reversed": "xs = sorted(r.collect())\n    ys = xs\n    xs.reverse()\n    return ys",
    "kept in a list, reversed": "xs = sorted(r.collect())\n    both = [xs]\n    xs.reverse()\n    return both[0]",
    "made twice": "xs = r.collect()\n    xs = xs\n    xs.sort()\n    return xs",
}


@pytest.mark.parametrize("body", NOT_ALONE.values(), ids=NOT_ALONE)
def test_lists_with_other_names_change_under_all_of_them_or_are_refused(
    body: str, read: Callable[..., SourceProgram]
) -> None:
    try:
        program = read(f"def p(r: 'RDD[tuple[int, str]]'):\n    {body}")
    except SourceError:
        return
    assert tried(program).compared


KEEPS = """
class Keeps:
    def __init__(self, xs):
        self.xs = xs
    def collect(self):
        return self.xs
def p(r: 'RDD[int]'):
    keeps = Keeps(r.collect())
    xs = keeps.collect()
    xs.sort()
    return keeps.xs
"""
SAME_LIST = """
def list(xs):
    return xs
def p(r: 'RDD[int]'):
    ys = r.collect()
    xs = list(ys)
    xs.sort()
    return ys
"""


@pytest.mark.parametrize("text", [KEEPS, SAME_LIST])
def test_functions_of_the_source_may_keep_a_list(text: str, read: Callable[..., SourceProgram]) -> None:
    program = read(text)
    assert program.returns == "list"
    assert tried(program).compared
