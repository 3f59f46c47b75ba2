"""Aggregates by two functions: the left fold by the first, and what the second makes of the results of partitions."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tallystick.core.terms import Term
from tallystick.frontends.pyspark import SourceProgram

from .local_rdd import load, run_by_python, run_by_terms, same

Read = Callable[..., SourceProgram]
BAGS = [[], [(0, 1)], [(0, 0), (0, 5), (1, -3)], [(1, 2), (1, 2), (2, 9)]]
PAIR = "lambda a, v: (a[0] + v, a[1] + 1), lambda a, b: (a[0] + b[0], a[1] + b[1])"
BEST = "lambda a, v: v if a is None else max(a, v), lambda a, b: b if a is None else a if b is None else max(a, b)"

BODIES = {
    "aggregate": f"return s.values().aggregate((0, 0), {PAIR})",
    "aggregate from None": f"return s.values().aggregate(None, {BEST})",
    "aggregate of what is always None": "return s.aggregate(None, lambda a, x: None, lambda a, b: a)",
    "treeAggregate": f"return s.values().treeAggregate((0, 0), {PAIR}, 3)",
    "treeAggregate by names": "return s.values().treeAggregate(combOp=max, seqOp=max, zeroValue=-9, depth=1)",
    "aggregateByKey": f"return s.aggregateByKey((0, 0), {PAIR})",
    "aggregateByKey from None": f"return s.aggregateByKey(None, {BEST}, 4)",
    "combineByKey": f"return s.combineByKey(lambda v: (v, 1), {PAIR})",
    "combineByKey of values that may be None": (
        "def plus(a, b):\n        return None if a is None or b is None else a + b\n"
        "    return s.mapValues(lambda v: None if v < 0 else v).combineByKey(lambda v: v, plus, plus)"
    ),
    "combineByKey whose state becomes wider": (
        "return s.combineByKey(lambda v: (v, None), lambda a, v: (a[0] + v, 1), lambda a, b: (a[0] + b[0], 1))"
    ),
    "treeReduce": "return s.values().treeReduce(max)",
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_the_program_means_what_python_computes(body: str, read: Read) -> None:
    text = f"def p(s: 'RDD[tuple[int, int]]'):\n    {body}\n"
    program, function = read(text), load(text)
    for bag in BAGS:
        assert same(run_by_terms(program, [bag]), run_by_python(function, [bag])), bag


@pytest.mark.parametrize("method", ["aggregate", "treeAggregate", "aggregateByKey", "combineByKey"])
def test_a_call_says_that_it_has_two_functions_and_how_it_merges(method: str, read: Read) -> None:
    first = "lambda v: v" if method == "combineByKey" else "0"
    on = "s" if "ByKey" in method else "s.values()"
    (call,) = read(f"def p(s: 'RDD[tuple[int, int]]'): return {on}.{method}({first}, max, lambda a, b: a + b)").folds
    assert call.two_functions
    assert isinstance(call.merge, Term)
    (other,) = read("def p(s: 'RDD[tuple[int, int]]'): return s.values().fold(0, max)").folds
    assert not other.two_functions


REFUSED = {
    "another type": (
        "s.aggregate(0, lambda a, x: x, lambda a, b: a)",
        "this function returns tuple[int, int], but the fold",
    ),
    "results of another type": (
        "s.aggregate(0, lambda a, x: a, lambda a, b: a > b)",
        "this function returns bool for results",
    ),
    "merged to None": (
        "s.aggregate(0, lambda a, x: a, lambda a, b: None)",
        "this function returns None for results of type",
    ),
    "combined to another type": ("s.combineByKey(lambda v: (v, v), max, max)", "an argument of `max` must be an int"),
    "a missing function": ("s.aggregate(0, max)", "`combOp` is missing: `aggregate(zeroValue, seqOp, combOp)`"),
    "a partitioner": ("s.aggregateByKey(0, max, max, 2, hash)", "one argument too many for `aggregateByKey("),
    "a depth": ("s.keys().treeAggregate(0, max, max, 0)", "`depth` must be a positive int"),
}


@pytest.mark.parametrize(("expression", "message"), REFUSED.values(), ids=REFUSED)
def test_functions_that_do_not_fit_are_refused(expression: str, message: str, refusal: Callable[..., str]) -> None:
    assert message in refusal(f"def p(s: RDD[tuple[int, int]]): return {expression}")
