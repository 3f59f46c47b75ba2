"""Joins, outer joins and groups of two RDDs: programs mean what Python computes, on all pairs of some small bags."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest
from tallystick.core.terms import Operator, subterms
from tallystick.frontends.pyspark import SourceProgram

from .local_rdd import load, run_by_python, run_by_terms, same

Read = Callable[..., SourceProgram]
BAGS = [[], [(0, 1)], [(0, 0), (0, 5), (1, -3)], [(1, 2), (1, 2), (2, 9)], [(2, -1), (0, 7), (3, 3)]]
OR_ZERO = "lambda p: (p[0] if p[0] is not None else 0) + (0 if p[1] is None else p[1])"

BODIES = {
    "left outer join of tables": "return s.reduceByKey(max).leftOuterJoin(t.reduceByKey(min))",
    "right outer join of tables": "return s.reduceByKey(max).rightOuterJoin(t.foldByKey(5, max))",
    "full outer join of tables": "return s.foldByKey(1, max).fullOuterJoin(t.groupByKey().mapValues(sum))",
    "full outer join and a default": (
        f"return t.reduceByKey(max).fullOuterJoin(s.reduceByKey(min)).mapValues({OR_ZERO})"
    ),
    "outer join of filtered tables": (
        "return s.reduceByKey(max).filter(lambda p: p[1] > 0)"
        ".leftOuterJoin(t.reduceByKey(max).filter(lambda p: p[0] < 2).mapValues(lambda v: (v, v > 2)))"
    ),
    "outer joins in a row": (
        "u = s.reduceByKey(max).fullOuterJoin(t.reduceByKey(min))\n"
        "    return u.leftOuterJoin(s.union(t).groupByKey().mapValues(len))"
    ),
    "full outer join of one bag, filtered twice": (
        "low = s.filter(lambda p: p[1] < 3).reduceByKey(max)\n"
        "    return low.fullOuterJoin(s.filter(lambda p: p[1] > 0).groupByKey().mapValues(len))"
    ),
    "join of two tables of one bag": "return s.reduceByKey(max).join(s.groupByKey().mapValues(len))",
    "join of two tables of one bag, filtered": (
        "return s.filter(lambda p: p[1] > 0).reduceByKey(max).join(s.filter(lambda p: p[1] < 5).reduceByKey(min))"
    ),
    "join of tables with other keys": (
        "return s.reduceByKey(max).join(s.map(lambda p: (p[0] + 1, p[1])).reduceByKey(min))"
    ),
    "outer join of keys of one bag that differ": (
        "return s.reduceByKey(max).fullOuterJoin(s.map(lambda p: (p[0] + 1, p[1])).reduceByKey(min))"
    ),
    "outer join and a filter that demands both": (
        "return s.leftOuterJoin(t).filter(lambda p: p[1][1] is not None).mapValues(lambda p: p[0] + p[1])"
    ),
    "full outer join and a filter that demands both": (
        "def both(p):\n        k, (v, w) = p\n        if v is None:\n            return False\n"
        "        return w is not None and v != w\n"
        "    return s.fullOuterJoin(t).filter(both).map(lambda p: (p[1][0] - p[1][1], p[0]))"
    ),
    "right outer join whose function returns no item": (
        "return s.rightOuterJoin(t).flatMap(lambda p: [p[1][0] + p[1][1], 1] if p[1][0] is not None else [])"
    ),
    "outer join, mapped and then filtered": (
        "return s.leftOuterJoin(t).mapValues(lambda p: None if p[1] is None else p[0] + p[1])"
        ".filter(lambda p: p[1] is not None).values()"
    ),
    "outer join, values and then filtered": (
        "return s.leftOuterJoin(t).values().filter(lambda p: p[1] is not None and p[1] > p[0]).keys()"
    ),
    "items of values that have a partner": (
        "return s.fullOuterJoin(t).flatMapValues(lambda p: [p] if p[0] is not None and p[1] is not None else [])"
    ),
    "cogroup": "return s.cogroup(t).mapValues(lambda p: (sum(p[0]), len(list(p[1]))))",
    "cogroup with unpacked groups": (
        "def f(row):\n        k, (left, right) = row\n        return k + sum(left), len(right), len(left)\n"
        "    return s.cogroup(t).map(f)"
    ),
    "cogroup that ignores its groups": "return s.cogroup(t).mapValues(lambda p: 1)",
    "cogroup of one bag": "return s.cogroup(s.filter(lambda p: p[1] > 0)).mapValues(lambda p: sum(p[0]) - sum(p[1]))",
    "cogroup of one bag with itself": "return s.cogroup(s).mapValues(lambda p: sum(p[0]) - 2 * len(p[1]))",
    "groups by several aggregates": "return s.groupByKey().mapValues(lambda g: (sum(g), len(g), min(g), max(list(g))))",
    "groups by map": "return s.groupByKey().map(lambda p: p[0] + max(p[1]) if len(p[1]) > 1 else -1)",
    "groups of which one thing is asked twice": "return s.groupByKey().mapValues(lambda g: (len(g), len(g) + max(g)))",
    "a helper for groups": (
        "def spread(g):\n        return max(g) - min(g)\n    return s.groupByKey().mapValues(spread)"
    ),
    "dictionary of an outer join": "return s.reduceByKey(max).leftOuterJoin(t.reduceByKey(max)).collectAsMap()",
    "a choice between dictionaries": "return s.countByKey() if t.isEmpty() else t.reduceByKey(max).collectAsMap()",
    "a mean of a join": "return s.join(t).map(lambda p: p[1][0] + p[1][1]).mean()",
    "a choice between means": "return s.keys().mean() if s.count() > t.count() else t.values().mean()",
    "repartitioned and kept tables": (
        "return s.reduceByKey(max, 3).cache().leftOuterJoin(t.reduceByKey(max).repartition(2).persist(), 4).coalesce(1)"
    ),
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_the_program_means_what_python_computes(body: str, read: Read) -> None:
    pairs = "'RDD[tuple[int, int]]'"
    text = f"def p(s: {pairs}, t: {pairs}):\n    {body}\n"
    program, function = read(text), load(text)
    for inputs in product(BAGS, BAGS):
        assert same(run_by_terms(program, list(inputs)), run_by_python(function, list(inputs))), inputs


def test_tables_of_one_bag_are_folded_in_one_pass(read: Read) -> None:
    text = "def p(s: RDD[tuple[int, int]]): return s.reduceByKey(max).leftOuterJoin(s.groupByKey().mapValues(len))"
    used = [node.operator for node in subterms(read(text).program.expression)]
    assert used.count(Operator.FOLD_BY_KEY) == 1
    assert Operator.UNION not in used


def test_the_folds_that_a_joined_table_is_made_of_are_remembered(read: Read) -> None:
    joined = "s.reduceByKey(max).fullOuterJoin(t.foldByKey(0, max))"
    text = f"def p(s: RDD[tuple[int, int]], t: RDD[tuple[int, int]]): return {joined}"
    *parts, whole = read(text).folds
    assert [call.method for call in parts] == ["reduceByKey", "foldByKey"]
    assert whole.parts == tuple(call.term for call in parts)


REFUSED = {
    "it is joined": (
        "t.join(s.leftOuterJoin(t))",
        "`join` needs an RDD here, and this is an RDD that `leftOuterJoin` made",
    ),
    "what may be missing is used": ("s.leftOuterJoin(t).map(lambda p: p[1][0] + p[1][1])", "is of type int | None"),
    "keys that changed": (
        "s.reduceByKey(max).map(lambda p: (p[1], p[0])).collectAsMap()",
        "keys of this RDD may repeat",
    ),
    "a dictionary of pairs": (
        "s.collectAsMap()",
        "keys of this RDD may repeat, and which value `collectAsMap` keeps depends",
    ),
    "a dictionary that is read": ("s.countByKey().pop(3)", "`.pop` is not supported: its left side is a dictionary"),
    "pairs whose keys repeat, as a dictionary": ("dict(s.collect())", "keys of this list may repeat"),
    "a generator as a result": ("(k for k, v in s.collect())", "and returns a list of the elements of an RDD"),
    "elements inside of a function": (
        "(lambda found: s.filter(lambda p: len(found) > 3))(s.collect())",
        "the elements of an RDD are used inside a function that runs on elements",
    ),
    "a comprehension of elements inside of a function": (
        "(lambda found: s.filter(lambda p: any([x == p for x in found])))(s.collect())",
        "the elements of an RDD are used inside a function that runs on elements",
    ),
    "a key that changes": (
        "{v: k for k, v in s.reduceByKey(max).collect()}",
        "keys of this list may repeat, and which value a dictionary keeps depends on the order",
    ),
    "an item of a dictionary": ("s.countByKey()[True]", "a look-up of bool among keys of type int is not supported"),
    "a mean of pairs": ("s.mean()", "`mean` needs an RDD[int] or RDD[float], and this is RDD[tuple[int, int]]"),
    "a group itself": (
        "s.groupByKey().mapValues(lambda g: g)",
        "a group as Spark gives it, or a generator, is no result",
    ),
    "an item of a group": ("s.groupByKey().mapValues(lambda g: list(g)[0])", "have no order that is fixed"),
    "groups of pairs": ("s.map(lambda p: (p[0], p)).groupByKey().mapValues(sum)", "`sum` needs groups of numbers"),
    "groups that are filtered": ("s.groupByKey().filter(lambda p: len(p[1]) > 1)", "returns an RDD of groups"),
    "keys of two types": (
        "s.leftOuterJoin(t.map(lambda p: (p, 1)))",
        "`leftOuterJoin` of keys of type int with keys of",
    ),
    "list of a tuple": ("s.map(lambda p: list(p))", "returns an RDD of what is a list"),
}


@pytest.mark.parametrize(("expression", "message"), REFUSED.values(), ids=REFUSED)
def test_what_no_term_says_is_refused_by_name(expression: str, message: str, refusal: Callable[..., str]) -> None:
    assert message in refusal(f"def p(s: RDD[tuple[int, int]], t: RDD[tuple[int, int]]): return {expression}")
