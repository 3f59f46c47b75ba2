"""Lists of the first elements in an order: how many, given by a number of the program, and whether there is one."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tallystick import check
from tallystick.frontends.errors import SourceError
from tallystick.frontends.pyspark import SourceProgram

from .local_rdd import load, run_by_python, run_by_terms, same

PAIRS = {
    "takeOrdered and sortBy differ below 0": ("r.takeOrdered(n)", "r.sortBy(lambda x: x).take(n)", "unknown"),
    "top is the first of the sorted": ("r.top(n)", "r.sortBy(lambda x: x, ascending=False).take(n)", "equivalent"),
    "as many": ("r.takeOrdered(n)", "r.takeOrdered(n, key=lambda x: x)", "equivalent"),
    "one more": ("r.takeOrdered(n)", "r.takeOrdered(n + 1)", "inequivalent"),
    "none below 0": ("r.top(n)", "r.top(max(n, 0))", "equivalent"),
    "at most two": ("r.top(n)[:2]", "r.top(n if n < 2 else 2)", "equivalent"),
    "two": ("r.top(n)[:2]", "r.top(2)", "inequivalent"),
    "two of five": ("r.top(5)[:2]", "r.top(2)", "equivalent"),
    "five of two": ("r.top(2)[:5]", "r.top(2)", "equivalent"),
    "is one there": ("1 if r.top(3) else n", "n if r.isEmpty() else 1", "equivalent"),
    "is none there": ("1 if not r.top(3) else n", "n if r.isEmpty() else 1", "inequivalent"),
    "the first, or another": ("(lambda t: t[0] if t else n)(r.top(2))", "n if r.isEmpty() else r.max()", "equivalent"),
    "the last": ("sorted(r.collect())[-1]", "r.max()", "equivalent"),
    "the last, downwards": ("sorted(r.collect(), reverse=True)[-1]", "r.min()", "equivalent"),
    "the last is not the first": ("sorted(r.collect())[-1]", "sorted(r.collect())[0]", "inequivalent"),
    "the last by a key": ("sorted(r.collect(), key=lambda x: x % 3)[-1]", "r.max()", "inequivalent"),
    "as long, in order": ("len(sorted(r.collect()))", "r.count()", "equivalent"),
    "in it, in order": ("n in sorted(r.collect())", "n in set(r.collect())", "equivalent"),
    "the sum, in order": ("sum(sorted(r.collect())) + n", "sum(sorted(set(r.collect()))) + n", "inequivalent"),
    "as many by a slice": ("r.top(n)", "sorted(r.collect(), reverse=True)[:max(0, n)]", "equivalent"),
    "as many by a slice or none": ("r.top(n)", "sorted(r.collect())[::-1][:n if n > 0 else 0]", "equivalent"),
    "a slice of none by a condition": ("r.top(n)", "[] if n <= 0 else sorted(r.collect())[::-1][:n]", "equivalent"),
    "a slice below 0": ("r.top(n)", "sorted(r.collect(), reverse=True)[:n]", "inequivalent"),
    "all but the last": (
        "sorted(r.collect())[:-1]",
        "(lambda x: x[:len(x) - 1] if x else [])(sorted(r.collect()))",
        "equivalent",
    ),
    "all but the last is not all": ("sorted(r.collect())[:-1]", "sorted(r.collect())", "inequivalent"),
    "all but the last of two": ("r.top(2)[:-1]", "r.top(1)", "inequivalent"),
    "backwards": ("sorted(r.collect())[::-1]", "sorted(r.collect(), key=lambda x: -x)", "equivalent"),
    "reversed": ("list(reversed(sorted(r.collect())))", "r.top(n)", "inequivalent"),
    "there and back": ("sorted(r.collect())[::-1][::-1]", "sorted(r.collect())", "equivalent"),
    "texts backwards": (
        "sorted(r.map(str).collect())[::-1]",
        "sorted(r.map(str).collect(), reverse=True)",
        "equivalent",
    ),
    "texts both ways": ("sorted(r.map(str).collect())[::-1]", "sorted(r.map(str).collect())", "inequivalent"),
    "the first of none": ("(lambda t: n if t else t[0])(r.top(2))", "n", "inequivalent"),
}


def _functions(left: str, right: str) -> str:
    functions = "".join(
        f"def {name}(r: RDD[int], n: int): return {body}\n" for name, body in (("f", left), ("g", right))
    )
    return f"from pyspark import RDD\n{functions}"


@pytest.mark.parametrize("name", PAIRS)
def test_they_are_told_apart(name: str, write: Callable[[str, str], str]) -> None:
    left, right, answer = PAIRS[name]
    path = write("jobs.py", _functions(left, right))
    assert check(f"{path}:f", f"{path}:g").verdict == answer


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("r.takeOrdered(0)[0]", "how many elements this list may have is not fixed, or 0"),
        ("r.top(n)[0]", "how many elements this list may have is not fixed, or 0"),
        ("1 if r.top(n) else 0", "how many elements this list may have is not fixed, or 0"),
        ("r.takeOrdered(-1)", "how many elements are taken is below 0"),
        ("len(r.take(n))", "how many elements are taken in no order must be a constant"),
    ],
)
def test_what_is_refused(body: str, message: str, read: Callable[..., SourceProgram]) -> None:
    with pytest.raises(SourceError, match=message):
        read(f"def p(r: 'RDD[int]', n: int): return {body}")


def test_names_of_one_assignment_are_constants(write: Callable[[str, str], str]) -> None:
    text = """
from pyspark import RDD
LOW, HIGH = -20, 60
(A, [B, C]), TABLE = (1, (2, 3)), {"x": 1}
def f(r: RDD[int]):
    return r.filter(lambda x: LOW <= x <= HIGH).map(lambda x: x + A * B - C + TABLE["x"])
def g(r: RDD[int]):
    return r.filter(lambda x: -20 <= x <= 60)
def h(r: RDD[int]):
    return r.filter(lambda x: 60 <= x <= -20)
"""
    path = write("jobs.py", text)
    assert check(f"{path}:f", f"{path}:g").verdict == "equivalent"
    assert check(f"{path}:f", f"{path}:h").verdict == "inequivalent"


PAIR = "def pair(): return 1, 2\n{}\ndef p(r: 'RDD[int]'): return r.map(lambda x: x + A)"


@pytest.mark.parametrize("statement", ["A, *B = 1, 2", "A, B = pair()", "A, B = 1, 2\nA = 3"])
def test_names_have_the_values_that_the_module_leaves(statement: str, read: Callable[..., SourceProgram]) -> None:
    text = PAIR.format(statement)
    assert same(run_by_terms(read(text), [[1, 5]]), run_by_python(load(text), [[1, 5]]))


def test_a_list_of_a_module_with_two_names_is_no_number(read: Callable[..., SourceProgram]) -> None:
    with pytest.raises(SourceError):
        read(PAIR.format("A = B = []"))
