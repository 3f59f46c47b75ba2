"""Quotients, floats, times, medians and the largest items in pure code: Python's own values, in a known order alone."""

from __future__ import annotations

import ast
import heapq
import random
import statistics
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from tallystick.core.errors import EvaluationError
from tallystick.frontends.pyspark.uninterpreted.code import PureCode, pure_code
from tallystick.frontends.pyspark.uninterpreted.names import Imported, Known, RecordClass
from tallystick.frontends.pyspark.uninterpreted.types import (
    DATETIME,
    INT,
    NotPureError,
    PureType,
    bag_of,
    list_of,
    optional,
    record_of,
    tuple_of,
)

BAG, PAIRS, LIST = bag_of(INT), bag_of(tuple_of(INT, INT)), list_of(INT)
MODULES: dict[str, Any] = {"heapq": heapq, "statistics": statistics}
NAMES: dict[str, Known] = {
    **{name: Imported(name) for name in MODULES},
    "timedelta": Imported("datetime.timedelta"),
}


def _read(body: str, of: PureType) -> PureCode:
    (tree,) = ast.parse(f"def f(g):\n {body}").body
    assert isinstance(tree, ast.FunctionDef)
    return pure_code(tree, [("g", of)], NAMES.get)


def _outcome(function: Callable[[Any], Any], value: Any) -> Any:
    try:
        return function(value)
    except EvaluationError:
        return "rounded"
    except (ValueError, LookupError, ArithmeticError):
        return "error"


@pytest.mark.parametrize(
    ("body", "of"),
    [
        ("return sum(g) / len(g) > 1.5", BAG),
        ("return sum(g) / len(g) if g else 0", BAG),
        ("return [x / 2 for x in g], 0.5", LIST),
        ("mean = sum(g) / len(g)\n return sorted(x for x in g if x > mean)", BAG),
        ("return [f'{x / 3:.2f}' for x in g], [round(x / 3, 1) == 0.3 for x in g]", LIST),
        ("t = 0\n for x in sorted(g):\n  t += x / 7\n return round(t), int(t), str(t)", BAG),
        ("t = 0.0\n for x in g:\n  t = max(t, x / 2)\n return t == 1", LIST),
        ("return sum(x / 10 for x in g) == 0.3, abs(-0.5) < 1", LIST),
        ("return statistics.median(g) > 1, statistics.mean(g) > 1, statistics.median_low(g)", BAG),
        ("return heapq.nlargest(2, g), heapq.nsmallest(2, g, key=lambda x: -x)", BAG),
        ("return round(sum(g), -1), float(len(g)) == len(g), 2 ** 3 / 4 == 2", BAG),
    ],
)
def test_numbers_are_pythons(body: str, of: PureType) -> None:
    code, chance = _read(body, of), random.Random(4)
    names = dict(MODULES)
    exec(f"def f(g):\n {body}", names)
    exact = 0
    for _ in range(150):
        values = [chance.randrange(-2, 6) for _ in range(chance.randrange(6))]
        mixed = chance.sample(values, len(values)) if of is BAG else values
        found = _outcome(code.value, list(mixed))
        assert found in ("rounded", _outcome(names["f"], list(values)))
        exact += found != "rounded"
    assert exact > 5


def test_times_are_pythons() -> None:
    body = (
        "o = sorted(g)\n return [(b - a).total_seconds() > 90.5 or b - a > timedelta(minutes=1, seconds=20)"
        " for a, b in zip(o, o[1:])]"
    )
    code, chance = _read(body, bag_of(DATETIME)), random.Random(5)
    names: dict[str, Any] = {"timedelta": timedelta}
    exec(f"def f(g):\n {body}", names)
    for _ in range(100):
        times = [datetime(2024, 1, 1) + timedelta(seconds=chance.randrange(400)) for _ in range(5)]
        assert code.value(times) == names["f"](times)


def test_the_largest_items_are_seen_by_their_key_alone() -> None:
    assert _read("return [k for k, v in heapq.nlargest(2, g, key=lambda r: r[0])]", PAIRS).value([(1, 5), (3, 1)]) == [
        3,
        1,
    ]
    with pytest.raises(NotPureError):
        _read("return [v for k, v in heapq.nlargest(2, g, key=lambda r: r[0])]", PAIRS)


@pytest.mark.parametrize(
    ("body", "of"),
    [
        ("return sum(x / 10 for x in g) > 1", BAG),
        ("t = 0\n for x in g:\n  t += x / 10\n return t > 1", BAG),
        ("t = 0.0\n for x in g:\n  t = max(t, x / 2)\n return t == 1", BAG),
        ("t = 1.5\n for x in g:\n  if x:\n   t = 0.0\n  else:\n   t = -0.0\n return str(t)", BAG),
        ("for x in g:\n  if x > 1:\n   return '1' if 0.0 else '2'\n  if x:\n   return '3'\n return ''", BAG),
        ("return str(min(x / 2 for x in g))", BAG),
        ("return str(sorted(x / 2 for x in g)[0])", BAG),
        ("return len({x / 2 for x in g})", BAG),
        ("return {x / 2: 1 for x in g}[0]", BAG),
        ("return len(set([0.5]))", BAG),
        ("return sorted(g, key=lambda x: x / 2)[0]", BAG),
        ("return statistics.median(x / 2 for x in g) > 1", BAG),
        ("return {sum(g) / 2}", BAG),
        ("return [1 | 0.5]", BAG),
        ("return list(range(g[0] / 2))", LIST),
        ("return g[g[0] / 2]", LIST),
        ("return timedelta(days=0.5) > timedelta(1)", BAG),
        ("return [True, 0.5] == [1]", BAG),
    ],
)
def test_floats_without_an_order_are_refused(body: str, of: PureType) -> None:
    with pytest.raises(NotPureError):
        _read(body, of)


def test_zeros_of_both_signs_and_numbers_of_both_types_have_texts_of_their_own() -> None:
    texts = {_read(f"return str({number})", LIST).text for number in ("0.0", "-0.0", "0", "False", "1e0", "1", "True")}
    assert len(texts) == 7


def test_rounding_is_bounded() -> None:
    with pytest.raises(EvaluationError):
        _read("return round(5, -1000000000)", LIST).value([])


def test_names_that_are_not_none_are_values() -> None:
    ones = bag_of(optional(INT))
    for body in (
        "return sorted(x for x in g if x is not None)",
        "return sorted([x for x in g if not (x is None or x < 1)])",
        "return sorted({x for x in g if x})",
        "return sorted((0 if x is None else x) for x in g)",
        "return sorted((x if x is not None else 0) for x in g)",
    ):
        names: dict[str, Any] = {}
        exec(f"def f(g):\n {body}", names)
        for values in ([None, 3, 0, 2], [2, None, 0, 3], [None], []):
            assert _read(body, ones).value(values) == names["f"](values)
    for body in (
        "return sorted(x for x in g if x is None)",
        "return sorted(x for x in g if not x)",
        "return sorted(x for x in g if x is not None or len(g) > 1)",
        "return sorted(x for x in g if x is not None is not True)",
        "return sorted((x if x is None else 0) for x in g)",
    ):
        with pytest.raises(NotPureError):
            _read(body, ones)


def test_records_are_made_of_their_fields_in_any_order_and_groups_are_counted() -> None:
    of = record_of("R", (("a", INT), ("b", INT)), ordered=True)
    tree = ast.parse("lambda g: R(b=len(g), a=list(g).count(1))", mode="eval").body
    assert isinstance(tree, ast.Lambda)
    code = pure_code(tree, [("g", BAG)], {"R": RecordClass(of)}.get)
    assert code.value([1, 2, 1]) == (2, 3)
    wrong = ast.parse("lambda g: R(b=len(g))", mode="eval").body
    assert isinstance(wrong, ast.Lambda)
    with pytest.raises(NotPureError):
        pure_code(wrong, [("g", BAG)], {"R": RecordClass(of)}.get)


@pytest.mark.parametrize(
    "body", ["return g[0] / 10 + g[1] / 10 == 0.3", "return sum([0.1, 0.2]) == 0.3", "return 1 / g[0] > 0"]
)
def test_floats_that_are_rounded_have_no_value(body: str) -> None:
    with pytest.raises(EvaluationError):
        _read(body, LIST).value([3, 2])
