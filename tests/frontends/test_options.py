"""Values that may be None: programs mean what Python computes, and None has one code."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tallystick.core.interpreter import evaluate
from tallystick.core.terms import variable
from tallystick.core.types import BOOL, INT, BagType, TupleType
from tallystick.frontends.pyspark import SourceProgram, aligned
from tallystick.frontends.pyspark.values.options import (
    NONE,
    common_type,
    core_value,
    holds_options,
    optional,
    python_value,
)

from .local_rdd import load, run_by_python, run_by_terms, same

Read = Callable[..., SourceProgram]
OPTIONS = [[], [None], [3], [None, None, 0], [-2, None, 5, 5]]
PAIRS = [[], [(0, None)], [(1, 4), (1, None), (None, 2)], [(0, 0), (None, None), (0, 7)]]

BODIES = {
    "a filter that demands a value": "return r.filter(lambda x: x is not None).map(lambda x: x + 1)",
    "a filter for what is missing": "return r.filter(lambda x: x is None)",
    "a default": "return r.map(lambda x: x if x is not None else -1)",
    "a default, the other way round": "return r.map(lambda x: 7 if x is None else 2 * x)",
    "a default by or": "return r.map(lambda x: (x or 0) + 1)",
    "a default by or that is not the falsy value": "return r.map(lambda x: x or 1)",
    "a falsy value by or of what is there": "return s.filter(lambda p: p[0] is not None).map(lambda p: p[0] or 0)",
    "None by or": "return r.map(lambda x: x or None)",
    "a rate by a condition": "return r.map(lambda x: (x or 0) * (5 if x is None or x > 2 else 9))",
    "an early return": (
        "def f(x):\n        if x is None:\n            return 0\n        y = x + 1\n        return y * 2\n"
        "    return r.map(f)"
    ),
    "guarded by and": "return r.filter(lambda x: x is not None and x > 1)",
    "guarded by or": "return r.filter(lambda x: x is None or x > 1)",
    "two conditions": "return r.filter(lambda x: not (x is None or x < 0)).map(lambda x: -x)",
    "None that is made": "return r.map(lambda x: None if x is None or x < 0 else (x, None))",
    "always None": "return r.map(lambda x: None)",
    "None in one branch of a tuple": "return r.map(lambda x: (x, None) if x is None else (1, x))",
    "equality with None": "return r.filter(lambda x: x == None or x != 3)",
    "equality of what may be missing": "return r.cartesian(r).filter(lambda p: p[0] == p[1])",
    "equality of tuples": "return r.map(lambda x: (1, x) == (1, 3))",
    "is None of a number": "return r.map(lambda x: x is None or (x is None) == ((3 + x) is None))",
    "None is None": "return r.map(lambda x: None is None)",
    "a pair that is unpacked": (
        "def f(p):\n        k, v = p\n        return k if v is None else v\n    return s.map(f)"
    ),
    "narrowed pairs": "return s.filter(lambda p: p[1] is not None).mapValues(lambda v: v + 1)",
    "narrowed keys and values": (
        "return s.filter(lambda p: p[0] is not None and p[1] is not None).map(lambda p: p[0] + p[1])"
    ),
    "a helper that gets a tuple": (
        "def f(p):\n        return p[1] + 1\n    return s.map(lambda p: f(p) if p[1] is not None else p[0])"
    ),
    "missing keys are one key": "return s.groupByKey().mapValues(len)",
    "missing keys join": "return s.join(s.keys().keyBy(lambda k: k))",
    "distinct": "return r.distinct()",
    "a union with what is never missing": "return r.union(r.filter(lambda x: x is not None)).union(r.map(lambda x: 1))",
    "a fold that starts from None": (
        "return r.fold(None, lambda a, x: x if a is None else a if x is None else max(a, x))"
    ),
    "a fold over what may be missing": "return r.fold(0, lambda a, x: a if x is None else a + x)",
    "a reduce": "return r.reduce(lambda a, b: b if a is None else a if b is None else a + b)",
    "by key": "return s.reduceByKey(lambda a, b: None if a is None or b is None else a + b)",
    "by key from None": (
        "return s.aggregateByKey(None, lambda a, v: v if a is None else a if v is None else max(a, v), "
        "lambda a, b: b if a is None else a if b is None else max(a, b))"
    ),
    "combined by key": (
        "return s.combineByKey(lambda v: v, lambda a, v: v if a is None else a if v is None else max(a, v), "
        "lambda a, b: b if a is None else a if b is None else max(a, b))"
    ),
    "items that may be None": "return r.flatMap(lambda x: [x, None] if x is None else [x, 1])",
    "a parameter": "return r.filter(lambda x: x == k)",
    "a parameter that is tested": (
        "if k is None:\n        return r.filter(lambda x: x is None)\n"
        "    return r.filter(lambda x: x is not None).filter(lambda x: x > k)"
    ),
    "a returned value": "return k if r.isEmpty() else None",
    "values counted": "return r.countByValue()",
    "keys counted": "return s.countByKey()",
}
TYPES = "r: RDD[int | None], s: 'RDD[tuple[Optional[int], int | None]]', k: Union[int, None]"


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_the_program_means_what_python_computes(body: str, read: Read) -> None:
    program, function = read(f"def p({TYPES}):\n    {body}\n"), load(f"def p(r, s, k):\n    {body}\n")
    for inputs in product(OPTIONS, PAIRS, (None, 3)):
        assert same(run_by_terms(program, list(inputs)), run_by_python(function, list(inputs))), inputs


def test_codes_of_none_that_differ_are_one_value(read: Read) -> None:
    program = read("def p(r: RDD[int | None], k: int | None): return r.filter(lambda x: x == k).distinct()").program
    r, k = program.parameters
    odd = evaluate(program.expression, {r: {((False,), 7): 1, ((False,), -1): 2}, k: ((False,), 4)})
    assert odd == {((False,), 0): 1}
    assert python_value(odd) == {None: 1}


def test_a_result_that_is_never_none_is_compared_with_one_that_may_be(read: Read) -> None:
    text = "def p(r: RDD[int]): return r.map(lambda x: (x, {}))"
    never, sometimes = read(text.format("x")), read(text.format("None if x < 0 else x"))
    for left, right in (aligned(never, sometimes), aligned(sometimes, never)):
        assert left.program.result == right.program.result == BagType(TupleType((INT, optional(INT))))
        assert run_by_terms(left, [[2]]) == run_by_terms(right, [[2]]) == {(2, 2): 1}


@pytest.mark.parametrize(
    ("left", "right", "common"),
    [
        (INT, INT, INT),
        (INT, NONE, optional(INT)),
        (NONE, NONE, NONE),
        (optional(INT), INT, optional(INT)),
        (optional(INT), BOOL, None),
        (TupleType((INT, NONE)), TupleType((optional(INT), BOOL)), TupleType((optional(INT), optional(BOOL)))),
        (TupleType((INT, INT)), TupleType((INT, INT, INT)), None),
        (optional(TupleType((INT, INT))), TupleType((INT, NONE)), optional(TupleType((INT, optional(INT))))),
        (BagType(INT), BagType(NONE), BagType(optional(INT))),
        (BagType(INT), INT, None),
        (INT, BOOL, None),
    ],
)
def test_types_have_a_smallest_type_in_common(left: Any, right: Any, common: Any) -> None:
    assert common_type(left, right) == common_type(right, left) == common


TYPE = st.recursive(
    st.sampled_from((INT, BOOL)),
    lambda inner: (
        st.builds(optional, inner)
        | st.lists(inner, min_size=1, max_size=3).map(tuple).filter(lambda parts: parts != (BOOL,)).map(TupleType)
    ),
    max_leaves=6,
)


def values(of: Any) -> st.SearchStrategy[Any]:
    """Python values of a type."""
    if not holds_options(of):
        match of:
            case TupleType(parts):
                return st.tuples(*map(values, parts))
        return st.integers(-9, 9) if of == INT else st.booleans()
    if len(of.components) == 2 and of == optional(of.components[1]):
        return st.none() | values(of.components[1])
    return st.tuples(*map(values, of.components))


@given(st.data(), TYPE)
def test_python_values_and_their_codes_determine_each_other(data: st.DataObject, of: Any) -> None:
    value = data.draw(values(of))
    code = core_value(value, of)
    assert repr(python_value(code)) == repr(value)
    assert evaluate(variable("x", of), {variable("x", of): code}) == code


REFUSED = {
    "a sum with what may be None": (
        "r.map(lambda x: x + 1)",
        "an operand of `+` must be an int, and is of type int | None",
    ),
    "a comparison with what may be None": ("r.filter(lambda x: x > 1)", "an operand of `>` must be an int, and is"),
    "a test that says the contrary": (
        "r.map(lambda x: x + 1 if x is None else 0)",
        "must be an int, and is of type int | N",
    ),
    "a test of something else": ("s.map(lambda p: p[0] if p[1] is None else p[0] + 1)", "is of type int | None"),
    "items of what may be None": (
        "r.map(lambda x: (x, 1) if x is None else None).map(lambda t: t[0])",
        "only tuples can be",
    ),
    "is of numbers": ("r.map(lambda x: x is k)", "`is` is supported with None only"),
    "the sum of RDD": ("r.sum()", "`sum` needs an RDD[int] or RDD[float], and this is RDD[int | None]"),
    "pairs": ("r.mapValues(lambda v: v)", "`mapValues` needs an RDD of pairs, and this is of type RDD[int | None]"),
    "a tuple of one bool": ("r.map(lambda x: (x is None,))", "a tuple of one bool is not supported"),
    "a fold whose merging meets None": (
        "r.filter(lambda x: x is not None).fold(None, lambda a, x: x if a is None else max(a, x))",
        "Spark also gives this function results of partitions, where an argument of `max` must be an int",
    ),
}


@pytest.mark.parametrize(("expression", "message"), REFUSED.values(), ids=REFUSED)
def test_where_none_would_raise_or_mislead_is_refused(
    expression: str, message: str, refusal: Callable[..., str]
) -> None:
    assert message in refusal(f"def p({TYPES}): return {expression}")


@pytest.mark.parametrize(
    "of", ["int | bool", "Union[int, bool, None]", "Optional[int, bool]", "RDD[int] | None", "tuple[bool]"]
)
def test_other_unions_are_no_types(of: str, refusal: Callable[..., str]) -> None:
    assert "not supported" in refusal(f"def p(r: RDD[int], k: {of}): return r")
