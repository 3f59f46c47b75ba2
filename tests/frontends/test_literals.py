"""RDDs of literals: where they meet an RDD, programs mean what Python computes; elsewhere they are refused by name."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tallystick.frontends.pyspark import SourceProgram

from .local_rdd import load, run_by_python, run_by_terms, same

Read = Callable[..., SourceProgram]
BAGS = [[], [(0, 1)], [(0, 0), (0, 5), (1, -3)], [(1, 2), (1, 2), (2, 9)]]

BODIES = {
    "join": "return s.join(s.context.parallelize([(0, 10), (1, 11), (0, 12)]))",
    "join from the literals": "return s.context.parallelize([(0, k), (k, 1)], 2).join(s)",
    "left outer join": "return s.leftOuterJoin(s.context.parallelize([(0, 10), (0, 20), (2, 30)]))",
    "left outer join and a default": (
        "names = s.context.parallelize(((0, 10), (1, 20)))\n"
        "    return s.leftOuterJoin(names).mapValues(lambda p: p[0] if p[1] is None else p[1])"
    ),
    "right outer join from the literals": "return s.context.parallelize([(0, (1, True))]).rightOuterJoin(s)",
    "product": "return s.cartesian(s.context.parallelize([1, k]))",
    "product from the literals": "return s.context.parallelize([(1, 2), (3, 4)]).cartesian(s.keys())",
    "mapped literals": "return s.keys().cartesian(s.context.parallelize([1, 2]).map(lambda x: (x, 2 * x + k)))",
    "keyed literals": (
        "return s.join(s.context.parallelize([1, 2, 3]).keyBy(lambda x: x - 1).mapValues(lambda x: -x))"
    ),
    "values and keys": "t = s.ctx.parallelize([(1, 5)])\n    return s.keys().cartesian(t.values()).cartesian(t.keys())",
    "None among literals": "return s.leftOuterJoin(s.context.parallelize([(0, None), (1, 4), (None, 5)]))",
    "by key afterwards": (
        "return s.join(s.context.parallelize([(0, 2), (1, 3)])).mapValues(lambda p: p[0] - p[1]).reduceByKey(max)"
    ),
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_the_program_means_what_python_computes(body: str, read: Read) -> None:
    text = f"def p(s: 'RDD[tuple[int, int]]', k: int):\n    {body}\n"
    program, function = read(text), load(text)
    for bag in BAGS:
        assert same(run_by_terms(program, [bag, 1]), run_by_python(function, [bag, 1])), bag


@pytest.mark.parametrize("annotation", ["SparkContext", "'SparkContext'", "pyspark.SparkContext"])
def test_a_spark_context_is_a_parameter_and_no_input(annotation: str, read: Read) -> None:
    text = f"""
        import pyspark
        from pyspark import SparkContext
        def p(sc: {annotation}, r: RDD[int]): return r.cartesian(sc.parallelize([7]))
    """
    program = read(text)
    assert program.parameters == "(r: RDD[int])"
    assert run_by_terms(program, [[1, 1]]) == {(1, 7): 2}


REFUSED = {
    "literals themselves": (
        "s.context.parallelize([1, 2])",
        "must return an RDD or a value, and returns an RDD of literals",
    ),
    "a union": (
        "s.keys().union(s.context.parallelize([1]))",
        "`union` needs an RDD here, and this is an RDD of literals",
    ),
    "a count": ("s.context.parallelize([1]).count()", "`count` of an RDD of literals is not supported"),
    "a full outer join": ("s.fullOuterJoin(s.context.parallelize([(1, 1)]))", "`fullOuterJoin` needs an RDD here"),
    "a right outer join": ("s.rightOuterJoin(s.context.parallelize([(1, 1)]))", "`rightOuterJoin` needs an RDD here"),
    "an empty list": ("s.cartesian(s.context.parallelize([]))", "`parallelize` of an empty list"),
    "items of two types": ("s.cartesian(s.context.parallelize([1, True]))", "the items have types bool and int"),
    "a number": ("s.cartesian(s.context.parallelize(3))", "`parallelize` of what is of type int"),
    "a list by condition": (
        "s.cartesian(s.context.parallelize([1] if k > 0 else [2]))",
        "a list that depends on a condition",
    ),
    "another method": ("s.context.range(k)", "`range` of a SparkContext is not supported"),
    "keys of another type": (
        "s.join(s.context.parallelize([(True, 1)]))",
        "`join` of keys of type int with keys of type bool",
    ),
    "no pairs": ("s.join(s.context.parallelize([1]))", "`join` needs an RDD of pairs, and this is RDD[int]"),
    "inside a function": ("s.map(lambda p: s.context.parallelize([p]))", "an RDD is used inside a function"),
}


@pytest.mark.parametrize(("expression", "message"), REFUSED.values(), ids=REFUSED)
def test_what_would_be_a_constant_bag_is_refused(expression: str, message: str, refusal: Callable[..., str]) -> None:
    assert message in refusal(f"def p(s: RDD[tuple[int, int]], k: int): return {expression}")
