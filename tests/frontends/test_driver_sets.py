"""Sets and dictionaries of an RDD's elements at the driver: operators, comparisons, and look-ups in comprehensions."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from tallystick import check
from tallystick.comparing import SignatureError
from tallystick.frontends.errors import SourceError
from tallystick.frontends.pyspark import SourceProgram
from tallystick.frontends.pyspark.named_functions.showing import as_python

from .local_rdd import load, run_by_python, run_by_terms

PREAMBLE = """
from collections import defaultdict
from enum import Enum
from operator import add
from pyspark import RDD
class Step(Enum):
    VIEW = 1
    BUY = 3
"""
R, S = "set(r.collect())", "set(s.collect())"
SETS = {
    "both": (f"len({R} & {S})", "r.intersection(s).count()", "equivalent"),
    "one alone": (f"len({R} - {S})", "r.subtract(s).distinct().count()", "equivalent"),
    "one alone, repeated": (f"len({R} - {S})", "r.subtract(s).count()", "inequivalent"),
    "the other alone": (f"len({R} - {S})", f"len({S} - {R})", "inequivalent"),
    "some": (f"len({R} | {S})", "r.union(s).distinct().count()", "equivalent"),
    "some, repeated": (f"len({R}.union({S}))", "r.union(s).count()", "inequivalent"),
    "one of them": (f"len({R} ^ {S})", f"len({R}.symmetric_difference({S}))", "equivalent"),
    "inside": (f"{R} <= {S}", "r.subtract(s).isEmpty()", "equivalent"),
    "inside, a method": (f"{R}.issubset({S})", f"{S}.issuperset({R})", "equivalent"),
    "around": (f"{R} >= {S}", "r.subtract(s).isEmpty()", "inequivalent"),
    "the same": (f"{R} == {S}", f"{R} <= {S} and {S} <= {R}", "equivalent"),
    "not the same": (f"{R} != {S}", f"{R} != {S} or not {S} <= {R}", "equivalent"),
    "the same, one side": (f"{R} == {S}", f"{R} <= {S}", "inequivalent"),
    "nothing in common": (f"{R}.isdisjoint({S})", "r.intersection(s).isEmpty()", "equivalent"),
    "without constants": (
        f"len({R} - {{0, 1}})",
        "r.filter(lambda x: x not in (0, 1)).distinct().count()",
        "equivalent",
    ),
    "constants inside": (
        "{0, 1} <= set(r.collect())",
        "r.filter(lambda x: x in (0, 1)).distinct().count() == 2",
        "equivalent",
    ),
    "constants inside, a method": ("{0, 1} <= " + R, "{0, 1}.issubset(r.collect())", "equivalent"),
    "constants around": (R + " <= {0, 1}", "r.filter(lambda x: x not in (0, 1)).isEmpty()", "equivalent"),
    "constants around, the wrong way": (R + " <= {0, 1}", "{0, 1} <= " + R, "inequivalent"),
    "constants, strictly": (R + " < {0, 1}", R + " <= {0, 1} and " + R + " != {0, 1}", "equivalent"),
    "constants, not strictly": (R + " < {0, 1}", R + " <= {0, 1}", "inequivalent"),
    "the same as constants": (R + " == {0, 1}", "{1, 0}.issuperset(r.collect()) and " + R + " >= {0, 1}", "equivalent"),
    "the same as no constants": (R + " == set()", "r.isEmpty()", "equivalent"),
    "strictly inside": (R + " < " + S, R + " <= " + S + " and not " + S + " <= " + R, "equivalent"),
    "not strictly inside": (R + " > " + S, R + " >= " + S, "inequivalent"),
    "a set as a result": ("{x + 1 for x in r.collect()}", "set(r.map(lambda x: x + 1).collect())", "equivalent"),
    "a set of some as a result": ("{x for x in r.collect() if x}", "set(r.toLocalIterator()) - {0}", "equivalent"),
    "a set with others as a result": (R, "set(r.map(abs).collect())", "inequivalent"),
    "with constants": (f"len({R} - ({S} | {{0, 1}}))", f"len({R} - {S} - {{0, 1}})", "equivalent"),
    "with constants, not without": (f"len({R} - ({S} | {{0, 1}}))", f"len({R} - {S})", "inequivalent"),
    "with constants, a method": (f"len({R} - {S}.union([1]))", f"len({R}.difference({{1}} | {S}))", "equivalent"),
    "with constants, twice": (f"len({R} - ({{0}} | {S} | {{1}}))", f"len({R} - ({S} | {{0, 1}}))", "equivalent"),
    "with constants and others": (f"{S} <= {R} | {{1}} | {S}", "r.count() >= 0", "equivalent"),
    "inside with constants": (f"{R} <= {S} | {{1}}", f"{R} - {{1}} <= {S}", "equivalent"),
    "inside with other constants": (f"{R} <= {S} | {{1}}", f"{R} <= {S} | {{2}}", "inequivalent"),
    "constants inside with constants": (f"{{1, 2}} <= {S} | {{1}}", f"2 in {S}", "equivalent"),
    "nothing in common with constants": (f"{R}.isdisjoint({S} | {{1}})", f"not ({R} & ({{1}} | {S}))", "equivalent"),
    "of constants": (f"len({{0, 1}} & {R})", "r.filter(lambda x: 0 <= x <= 1).distinct().count()", "equivalent"),
}


def _answer(write: Callable[[str, str], str], parameters: str, left: str, right: str) -> str:
    functions = "".join(f"def {name}({parameters}):\n    {body}\n" for name, body in (("f", left), ("g", right)))
    path = write("jobs.py", PREAMBLE + functions)
    return check(f"{path}:f", f"{path}:g").verdict


@pytest.mark.parametrize("name", SETS)
def test_sets_at_the_driver(name: str, write: Callable[[str, str], str]) -> None:
    left, right, answer = SETS[name]
    assert _answer(write, "r: RDD[int], s: RDD[int]", f"return {left}", f"return {right}") == answer


WIDER = {
    "a difference": f"sorted({R} - (known | {{0, 7}}))",
    "an intersection": f"sorted({R} & (known | {{0, 7}}))",
    "an intersection, the other way": f"len(({{0, 7}} | known) & {R})",
    "all inside": f"{R} <= known | {{0, 7}}",
    "nothing in common": f"(known | {{0, 7}}).isdisjoint({R})",
    "constants inside": "{0, 1} <= {7, 0} | known",
    "two of them": f"sorted({R} - (known | {{0, 7}} | known.union({{1}})))",
    "an element inside": "r.filter(lambda x: x in wider).count()",
    "an element outside": "r.filter(lambda x: x not in wider).count()",
}


@pytest.mark.parametrize("name", WIDER)
def test_sets_with_constants_are_those_of_python(name: str, read: Callable[..., SourceProgram]) -> None:
    header = "def p(r: 'RDD[int]', s: 'RDD[int]'):\n    known = set(s.collect())\n    wider = {0, 7}.union(known)\n"
    body = f"{header}    return {WIDER[name]}"
    program, function = read(body), load(body.replace(".collect()", ".collect().elements"))
    generator = random.Random(3)
    for _ in range(30):
        lists = [[generator.randint(-1, 8) for _ in range(generator.randint(0, 4))] for _ in range(2)]
        meant = as_python(run_by_terms(program, lists), program.result_type)
        assert meant == run_by_python(function, lists)


TABLES = "b, a = r.reduceByKey(add).collectAsMap(), s.reduceByKey(add).collectAsMap(); "
JOINED = "r.reduceByKey(add).join(s.reduceByKey(add)).filter(lambda kv: kv[1][0] != kv[1][1]).keys().collect()"
LOOKUPS = {
    "in both, and other": ("return sorted(k for k in b if k in a and b[k] != a[k])", JOINED, "equivalent"),
    "other, or in one": ("return sorted(k for k in b if b[k] != a.get(k))", JOINED, "inequivalent"),
    "of keys": ("return sorted(k for k in b if k in a)", "r.join(s).keys().distinct().collect()", "equivalent"),
    "of all keys": ("return sorted(k for k in b)", "r.join(s).keys().distinct().collect()", "inequivalent"),
}


@pytest.mark.parametrize("name", LOOKUPS)
def test_look_ups_in_comprehensions(name: str, write: Callable[[str, str], str]) -> None:
    left, right, answer = LOOKUPS[name]
    parameters = "r: RDD[tuple[str, int]], s: RDD[tuple[str, int]]"
    assert _answer(write, parameters, TABLES + left, f"return sorted({right})") == answer


def test_a_dictionary_gives_its_own_values(write: Callable[[str, str], str]) -> None:
    pairs, summed = "r: RDD[tuple[str, int]]", "d = r.reduceByKey(add).collectAsMap(); "
    doubled = "return r.reduceByKey(add).mapValues(lambda v: 2 * v).collectAsMap()"
    assert _answer(write, pairs, summed + "return sum(d[k] for k in d)", "return r.values().sum()") == "equivalent"
    assert _answer(write, pairs, summed + "return {k: 2 * d[k] for k in d}", doubled) == "equivalent"
    assert _answer(write, pairs, summed + "return {k: d[k] for k in d}", doubled) == "inequivalent"
    assert (
        _answer(write, pairs, summed + "return sum(d[k + 'x'] for k in d)", "return r.values().sum()") != "equivalent"
    )


def test_a_default_dictionary_of_a_dictionary(write: Callable[[str, str], str]) -> None:
    parameters = "r: RDD[tuple[str, int]], s: RDD[str]"
    left = "d = defaultdict(int, r.reduceByKey(min).collectAsMap()); return s.map(lambda x: d[x]).sum()"
    right = "return s.map(lambda x: (x, 1)).join(r.reduceByKey(min)).map(lambda kv: kv[1][1]).sum()"
    assert _answer(write, parameters, left, right) == "equivalent"
    assert _answer(write, parameters, left, right.replace(".reduceByKey(min)", "")) == "inequivalent"


def test_members_of_values(write: Callable[[str, str], str]) -> None:
    known = "return r.filter(lambda n: n in (1, 3)).map(lambda n: Step(n).name)"
    chosen = "return r.filter(lambda n: n == 1 or n == 3).map(lambda n: 'VIEW' if n == 1 else 'BUY')"
    assert _answer(write, "r: RDD[int]", known, chosen) == "equivalent"
    assert _answer(write, "r: RDD[int]", known, chosen.replace("n == 1 else", "n == 3 else")) == "inequivalent"
    everything = "return r.map(lambda n: Step(n).name)"
    assert _answer(write, "r: RDD[int]", everything, "return r.map(lambda n: 'VIEW' if n == 1 else 'BUY')") == "unknown"
    assert _answer(write, "r: RDD[Step]", "return r.map(lambda e: Step(e))", "return r") == "equivalent"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("len(set(r.collect()) - [1])", "this operator of what is"),
        ("len(set(r.collect()) + set(r.collect()))", "this operator of what is"),
        ("set(r.collect()) < [1]", "this comparison of a set"),
        ("r.filter(lambda x: {1} <= set(r.collect()))", "inside a function that runs on elements"),
        ("set(r.collect()).pop()", "argument"),
        ("set(r.collect()).add(1)", "`add` of a set"),
        ("r.map(lambda x: x in (set(r.collect()) & set(r.collect())))", "inside a function that runs on elements"),
        ("[x for x in r.collect() if False]", "this comprehension never has an item"),
        ("Step(r.count(), 2)", "is called with one value"),
        ("Step('a').value", "of a value of another type"),
    ],
)
def test_what_is_refused(body: str, message: str, read: Callable[..., SourceProgram]) -> None:
    with pytest.raises(SourceError, match=message):
        read(f"{PREAMBLE}\ndef p(r: RDD[int]):\n    return {body}")


def test_a_default_dictionary_whose_keys_are_seen_is_refused(read: Callable[..., SourceProgram]) -> None:
    made = "d = defaultdict(int, r.reduceByKey(min).collectAsMap())"
    body = f"{made}\n    return s.map(lambda x: d[x]).filter(lambda v: v in d)"
    with pytest.raises(SourceError, match="makes a key that is not there"):
        read(f"{PREAMBLE}\ndef p(r: RDD[tuple[str, int]], s: RDD[str]):\n    {body}")


def test_a_set_is_no_list(write: Callable[[str, str], str]) -> None:
    with pytest.raises(SignatureError, match="lists that differ"):
        _answer(write, "r: RDD[int], s: RDD[int]", f"return {R}", "return r.distinct().collect()")
    of_none = "[x for x in r.filter(lambda x: x != x).collect()]"  # equal to no set, where both are empty, too
    with pytest.raises(SignatureError, match="cannot be compared"):
        _answer(
            write, "r: RDD[int], s: RDD[int]", f"return set({of_none})", f"return {of_none.replace('[x ', '[str(x) ')}"
        )
