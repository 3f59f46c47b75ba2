"""Parameters that are lists, sets and dicts, and elements that hold these."""

from __future__ import annotations

import json
from datetime import date
from fractions import Fraction

import pytest
from tallystick import check
from tallystick.comparing import SignatureError
from tallystick.core.types import INT, TupleType
from tallystick.frontends.errors import SourceError
from tallystick.frontends.pyspark.named_functions.coding import canonical_code
from tallystick.frontends.pyspark.named_functions.inputs import input_value
from tallystick.frontends.pyspark.named_functions.pure_types import pure_type
from tallystick.frontends.pyspark.values.coded_types import coded_type
from tallystick.frontends.pyspark.values.describing import show_type
from tallystick.frontends.rdd import read_program

HEAD = """
from datetime import date
from decimal import Decimal
from typing import Dict, List, Mapping, NamedTuple, Optional
from pyspark import RDD

class Doc(NamedTuple):
    name: str
    tags: list[str]

TABLE = {"a": date(2020, 1, 1)}
"""

RATES = "r: RDD[tuple[str, int]], rates: Dict[str, int]"
WANTED = "r: RDD[str], wanted: list[str]"

EQUIVALENT = {
    "get or []": (
        RATES,
        "return r.map(lambda p: p[1] * rates.get(p[0], 0))",
        "return r.map(lambda p: p[1] * (rates[p[0]] if p[0] in rates else 0))",
    ),
    "try": (
        "r: RDD[tuple[str, int]], rates: dict[str, Decimal]",
        """
    def rate(key):
        try:
            return rates[key]
        except KeyError:
            return Decimal(1)
    return r.map(lambda p: rate(p[0]))""",
        "return r.map(lambda p: rates.get(p[0], Decimal(1)))",
    ),
    "try of constants": (
        "r: RDD[str]",
        """
    def day(key):
        try:
            return TABLE[key]
        except KeyError:
            return date(2000, 1, 1)
    return r.map(day)""",
        "return r.map(lambda s: TABLE.get(s, date(2000, 1, 1)))",
    ),
    "a set of it": (
        WANTED,
        "return r.filter(lambda s: s in wanted)",
        "some = frozenset(wanted)\n    return r.filter(lambda s: not s not in some)",
    ),
    "None as a value": (
        "r: RDD[str], names: dict[str, Optional[int]]",
        "return r.map(lambda s: names.get(s))",
        "return r.map(lambda s: names[s] if s in names else None)",
    ),
    "elements that hold lists": (
        "r: RDD[Doc]",
        "return r.flatMap(lambda d: d.tags).countByValue()",
        "return r.flatMap(lambda d: [(t, 1) for t in d.tags]).reduceByKey(lambda a, b: a + b).collectAsMap()",
    ),
    "pure code": (
        "r: RDD[int], edges: List[int]",
        "return r.map(lambda n: sorted(e for e in edges if e <= n)[-1])",
        "return r.filter(lambda n: True).map(lambda m: sorted(e for e in edges if e <= m)[-1])",
    ),
    "sorted": (
        "r: RDD[int], edges: list[int]",
        "edges = sorted(edges)\n    return r.map(lambda n: len(edges) - n)",
        "some = sorted(edges)\n    return r.map(lambda n: -n + len(some))",
    ),
    "the length": (WANTED, "return r.map(lambda s: len(wanted))", "n = len(wanted)\n    return r.map(lambda s: n)"),
}

INEQUIVALENT = {
    "another default": (
        RATES,
        "return r.map(lambda p: rates.get(p[0], 0))",
        "return r.map(lambda p: rates.get(p[0], 1))",
    ),
    "a key that is missing raises": (
        "r: RDD[int], rates: Mapping[str, int], k: str",
        "return r.count() + rates[k]",
        "return r.count() + rates.get(k, 0)",
    ),
    "duplicates": (WANTED, "return r.count() + len(wanted)", "return r.count() + len(set(wanted))"),
    "try of constants": (
        "r: RDD[str]",
        """
    def day(key):
        try:
            return TABLE[key]
        except KeyError:
            return date(2000, 1, 1)
    return r.map(day)""",
        "return r.map(lambda s: TABLE.get(s, date(2000, 1, 2)))",
    ),
    "the order of a list": (
        "r: RDD[int], edges: list[int]",
        "return r.map(lambda n: [i for i, e in enumerate(edges) if n < e])",
        "return r.map(lambda n: [i for i, e in enumerate(sorted(edges)) if n < e])",
    ),
    "sorted downwards": (
        "r: RDD[int], edges: list[int]",
        "edges = sorted(edges)\n    return r.map(lambda n: max([i for i, e in enumerate(edges) if e > n], default=-1))",
        "edges = sorted(edges)\n"
        "    return r.map(lambda n: max([i for i, e in enumerate(edges[::-1]) if e > n], default=-1))",
    ),
    "sorted elements": (
        "r: RDD[tuple[int, set[str]]]",
        "return r.mapValues(sorted)",
        "return r.mapValues(lambda s: sorted(x for x in s if x))",
    ),
    "an empty list": (
        "r: RDD[tuple[int, list[int]]]",
        "return r.mapValues(sum)",
        "return r.flatMapValues(lambda ns: ns).reduceByKey(lambda a, b: a + b)",
    ),
    "keys for items": (
        RATES,
        "return r.flatMap(lambda p: [k for k in rates])",
        "return r.flatMap(lambda p: [k for k, v in rates.items() if v != p[1]])",
    ),
    "dates in a tuple": (
        "r: RDD[date], days: tuple[date, ...]",
        "return r.filter(lambda d: d in days)",
        "return r.filter(lambda d: d not in days)",
    ),
}

REFUSED = {
    "changes": (RATES, 'rates["x"] = 1\n    return r.map(lambda p: rates[p[0]])', "can be assigned to"),
    "appending": (WANTED, "wanted.append('a')\n    return r.filter(lambda s: s in wanted)", "append"),
    "sorting": (WANTED, "wanted.sort()\n    return r.filter(lambda s: s in wanted)", "sort"),
    "the first of a dict": (RATES, "return r.map(lambda p: next(iter(rates)))", "iter"),
    "lists as elements of a set": ("r: RDD[int], s: set[list[int]]", "return r", "have no hash"),
    "lists that are hashed": ("r: RDD[list[int]]", "return r.distinct()", "has no hash"),
    "no types of items": ("r: RDD[int], s: list", "return r", "needs its elements in brackets"),
    "keys of another type": (
        "r: RDD[int], rates: dict[str, int]",
        "return r.map(lambda n: rates.get(n, 0))",
        "a look-up of int in",
    ),
}


def _file(tmp_path, parameters, *bodies):
    functions = "".join(f"\ndef f{i}({parameters}):\n    {body.strip()}\n" for i, body in enumerate(bodies))
    path = tmp_path / "jobs.py"
    path.write_text(HEAD + functions)
    return [f"{path}:f{i}" for i in range(len(bodies))]


@pytest.mark.parametrize("case", EQUIVALENT)
def test_equal_programs_are_equivalent(tmp_path, case):
    assert check(*_file(tmp_path, *EQUIVALENT[case])).verdict == "equivalent"


@pytest.mark.parametrize("case", INEQUIVALENT)
def test_a_difference_is_found_on_a_list_or_dict(tmp_path, case):
    verdict = check(*_file(tmp_path, *INEQUIVALENT[case]))
    assert verdict.counterexample is not None


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(tmp_path, case):
    parameters, body, message = REFUSED[case]
    with pytest.raises(SourceError, match=message):
        read_program(_file(tmp_path, parameters, body)[0])


def test_a_list_and_a_set_are_not_compared(tmp_path):
    (one,) = _file(tmp_path, WANTED, "return r.filter(lambda s: s in wanted)")
    other = tmp_path / "other.py"
    other.write_text((tmp_path / "jobs.py").read_text().replace("wanted: list", "wanted: set"))
    with pytest.raises(SignatureError, match="lists, sets or dicts of types that differ"):
        check(one, f"{other}:f0")


TYPES = {
    "list[int]": [[], [0], [1, 1, -7]],
    "set[str]": [set(), {"a", "é", '"'}],
    "dict[str, float]": [{}, {"a": Fraction(1, 2), "b": Fraction(-3)}],
    "tuple[date, ...]": [(), (date(1, 1, 1), date(9999, 12, 31))],
    "list[tuple[int, Optional[str]]]": [[(1, None), (1, "")]],
    "dict[int, list[bool]]": [{3: [], 0: [True, False]}],
}


@pytest.mark.parametrize("name", TYPES)
def test_a_code_stands_for_itself_and_other_texts_for_some_value(tmp_path, name):
    of = read_program(_file(tmp_path, f"r: RDD[int], x: {name}", "return r")[0]).declared[1]
    held = pure_type(of, {})
    codes = [canonical_code(held, value) for value in TYPES[name]]
    assert len(set(codes)) == len(codes)
    for code in codes:
        assert input_value(of, (code,)) == (code,)
    for text in ("", "a", "[", "[9, 9, 9]", "é\ud800", "[[1]]", '["b","a"]', "[1.5]", "null", '[["a",[]],["a",[]]]'):
        (code,) = input_value(of, (text,))
        assert canonical_code(held, code) == code


def test_sets_and_dicts_have_one_code_whatever_their_order(tmp_path):
    of = read_program(_file(tmp_path, "r: RDD[int], x: dict[str, int]", "return r")[0]).declared[1]
    held = pure_type(of, {})
    assert canonical_code(held, {"a": 1, "b": 2}) == canonical_code(held, {"b": 2, "a": 1})


@pytest.mark.spark
@pytest.mark.parametrize("case", ["duplicates", "an empty list", "keys for items", "dates in a tuple"])
def test_counterexamples_are_lists_and_dicts_on_spark(tmp_path, replayer, case):
    verdict = check(*_file(tmp_path, *INEQUIVALENT[case]), replay="spark", replayer=replayer)
    assert verdict.counterexample is not None
    assert "spark" in verdict.counterexample.replayed_on


def test_a_text_stands_for_a_value_of_a_type_of_any_size() -> None:
    row = TupleType((INT,) * 900)
    of = coded_type("list", row, show_type(row))
    (code,) = input_value(of, ("a text",))
    rows = json.loads(code)
    assert len(rows) == 3
    assert {len(each) for each in rows} == {900}
