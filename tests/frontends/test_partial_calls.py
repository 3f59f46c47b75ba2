"""Calls that raise on an empty RDD: a program raises just when Python reaches such a call with an empty RDD."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import product

import pytest
from tallystick.core.types import BOOL, INT, TupleType
from tallystick.frontends.pyspark import SourceProgram, aligned
from tallystick.frontends.pyspark.assumptions import NO_ERRORS

from .local_rdd import load, run_by_python, run_by_terms, same

Read = Callable[..., SourceProgram]
BAGS = [[], [0], [3], [-2, 5], [4, 4, -7]]

BODIES = {
    "the value itself": "return r.min()",
    "reduce by a function": "return r.reduce(lambda a, b: a + b)",
    "treeReduce with a depth": "return r.treeReduce(max, 3)",
    "a value that is used further": "return 2 * r.max() + s.count()",
    "two calls": "return r.max() - s.min()",
    "a value that is not used": "low = r.min()\n    return s.count()",
    "a value as a statement": "r.min()\n    return s.count()",
    "a value in the function of a filter": "low = r.min()\n    return s.filter(lambda x: x > low).count()",
    "guarded by if and else": "if r.isEmpty():\n        return 0\n    else:\n        return r.max()",
    "guarded by an early return": "if r.count() == 0:\n        return s.count()\n    return r.max()",
    "guarded wrongly": "if s.isEmpty():\n        return 0\n    return r.max()",
    "guarded by a conditional expression": "return r.max() if r.count() > 0 else -1",
    "in the other branch": "return 7 if s.isEmpty() else r.max()",
    "guarded by and": "return (not r.isEmpty()) and r.max() > 3",
    "guarded by or": "return r.isEmpty() or s.isEmpty() or r.max() > s.max()",
    "first in or": "return r.max() > 3 or r.isEmpty()",
    "last in a chain": "return 0 < r.count() <= r.max()",
    "last in a chain that ends early": "return 5 < s.count() < r.max()",
    "inside a helper": "def best(of):\n        return of.max()\n    return best(r) if r.count() > 1 else 0",
    "after an if without else": "x = 0\n    if not r.isEmpty():\n        x = r.max()\n    return x",
    "never reached": "if False:\n        return r.max()\n    return 1",
    "over a filtered bag": "return r.filter(lambda x: x > 0).min()",
    "nested conditions": (
        "if r.isEmpty():\n        return s.max() if s.count() > 0 else 0\n"
        "    return r.max() if s.isEmpty() else s.min()"
    ),
    "a tuple": "return (r.min(), r.max())",
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_the_program_raises_just_when_python_does(body: str, read: Read) -> None:
    text = f"def p(r: 'RDD[int]', s: 'RDD[int]'):\n    {body}\n"
    program, function = read(text), load(text)
    for inputs in product(BAGS, BAGS):
        assert same(run_by_terms(program, list(inputs)), run_by_python(function, list(inputs))), inputs


def test_a_reduce_of_pairs_starts_from_a_pair(read: Read) -> None:
    text = "def p(s: 'RDD[tuple[int, int]]'):\n    return s.reduce(lambda a, b: (a[0] + b[0], max(a[1], b[1])))\n"
    for bag in ([], [(1, 2)], [(1, 2), (3, -4), (3, -4)]):
        assert same(run_by_terms(read(text), [bag]), run_by_python(load(text), [bag]))


def test_the_result_is_a_pair_whose_first_component_says_whether_it_returns(read: Read) -> None:
    program = read("def p(r: 'RDD[int]'):\n    return r.max()\n")
    assert program.may_raise
    assert program.program.result == TupleType((BOOL, INT))


def test_a_call_that_is_never_reached_does_not_make_a_program_partial(read: Read) -> None:
    assert not read("def p(r: 'RDD[int]'):\n    return 1 if True else r.max()\n").may_raise


def test_a_total_program_is_aligned_with_one_that_may_raise(read: Read) -> None:
    partial = read("def p(r: 'RDD[int]'):\n    return r.max()\n")
    total = read("def p(r: 'RDD[int]'):\n    return r.fold(0, max)\n")
    for left, right in (aligned(partial, total), aligned(total, partial)):
        assert left.may_raise
        assert right.may_raise
        assert left.program.result == right.program.result
    assert aligned(total, total) == (total, total)


def test_a_program_that_returns_an_rdd_says_on_which_inputs_it_does(read: Read) -> None:
    text = "def p(r: 'RDD[int]', s: 'RDD[int]'):\n    low = s.min()\n    return r.filter(lambda x: x > low)\n"
    program, function = read(text), load(text)
    assert not program.may_raise
    assert NO_ERRORS in program.assumptions
    assert program.why_impossible([{}, {}]) == "`p` raises an exception on these"
    for inputs in product(BAGS, BAGS[1:]):
        assert program.why_impossible([dict(Counter(each)) for each in inputs]) is None
        assert same(run_by_terms(program, list(inputs)), run_by_python(function, list(inputs))), inputs


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("return r.map(lambda x: x > 0).max()", "`max` needs what Python orders, and this is bool"),
        ("return r.reduce(lambda a, b: a > b)", "this function returns bool for values of type int"),
        ("return r.map(lambda x: r.max())", "an RDD is used inside a function that runs on elements"),
        ("return r.max(lambda x: -x, 1)", "one argument too many for `max(key=None)`"),
    ],
)
def test_what_has_no_exact_meaning_is_refused(body: str, message: str, refusal: Callable[..., str]) -> None:
    assert message in refusal(f"def p(r: 'RDD[int]'):\n    {body}\n")
