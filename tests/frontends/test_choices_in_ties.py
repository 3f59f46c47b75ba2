"""Lists of some of the first elements with equal keys: equal where the elements come alike, and else unknown."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tallystick.checking import check_programs
from tallystick.comparing import comparison
from tallystick.frontends.pyspark import SourceProgram
from tallystick.frontends.pyspark.program import read_text
from tallystick.frontends.rdd.program import read_on_store

READERS = {"text": read_text, "store": read_on_store}
TIES = (
    "both keep some of several elements with equal keys, and nothing fixes which: "
    "{}, jobs.py line 5; {}, jobs.py line 7"
)
BY_FIRST = "key=lambda x: x[0]"
COUNTS = "r.map(lambda x: (x[0], 1)).reduceByKey(lambda a, b: a + b)"

UNKNOWN = {
    "sorted before": (
        f"r.sortBy(lambda x: -x[1]).takeOrdered(1, {BY_FIRST})",
        f"r.sortBy(lambda x: x[1]).takeOrdered(1, {BY_FIRST})",
        "takeOrdered(1)",
        "takeOrdered(1)",
    ),
    "the sides of a union": (
        f"r.union(s).takeOrdered(1, {BY_FIRST})",
        f"s.union(r).takeOrdered(1, {BY_FIRST})",
        "takeOrdered(1)",
        "takeOrdered(1)",
    ),
    "sorted twice": (
        "r.sortBy(lambda x: -x[1]).sortBy(lambda x: x[0]).take(1)",
        "r.sortBy(lambda x: x[0]).take(1)",
        "take(1)",
        "take(1)",
    ),
    "repartitioned": (
        f"[b for a, b in r.top(2, {BY_FIRST})]",
        f"[b for a, b in r.repartition(3).top(2, {BY_FIRST})]",
        "top(2)",
        "top(2)",
    ),
    "in more partitions": (
        f"r.repartition(3).takeOrdered(1, {BY_FIRST})",
        f"r.repartition(4).takeOrdered(1, {BY_FIRST})",
        "takeOrdered(1)",
        "takeOrdered(1)",
    ),
    "filtered before it is spread": (
        f"r.filter(lambda x: x[1] > 0).repartition(3).takeOrdered(1, {BY_FIRST})",
        f"r.repartition(3).filter(lambda x: x[1] > 0).takeOrdered(1, {BY_FIRST})",
        "takeOrdered(1)",
        "takeOrdered(1)",
    ),
    "mapped between": (
        "r.sortBy(lambda x: x[0]).map(lambda x: x[1]).take(2)",
        "r.sortBy(lambda x: x[1]).sortBy(lambda x: x[0]).map(lambda x: x[1]).take(2)",
        "take(2)",
        "take(2)",
    ),
    "sorted by what a map makes": (
        f"r.sortBy(lambda x: x[1]).takeOrdered(1, {BY_FIRST})",
        f"r.map(lambda x: (x[1], x[0])).sortBy(lambda x: x[1]).map(lambda x: (x[1], x[0])).takeOrdered(1, {BY_FIRST})",
        "takeOrdered(1)",
        "takeOrdered(1)",
    ),
    "at the driver, backwards": (
        f"sorted(r.collect(), {BY_FIRST})[:1]",
        "list(reversed(sorted(r.collect(), key=lambda x: -x[0])))[:1]",
        "[:1]",
        "[:1]",
    ),
    "parts of one RDD": (
        f"r.filter(lambda x: x[1] > 0).union(r.filter(lambda x: x[1] <= 0)).takeOrdered(1, {BY_FIRST})",
        f"r.filter(lambda x: x[1] <= 0).union(r.filter(lambda x: x[1] > 0)).takeOrdered(1, {BY_FIRST})",
        "takeOrdered(1)",
        "takeOrdered(1)",
    ),
    "the items of flatMap": (
        f"r.flatMap(lambda x: [x, (x[0], -x[1])]).takeOrdered(1, {BY_FIRST})",
        f"r.flatMap(lambda x: [(x[0], -x[1]), x]).takeOrdered(1, {BY_FIRST})",
        "takeOrdered(1)",
        "takeOrdered(1)",
    ),
    "flatMap and union": (
        f"r.flatMap(lambda x: [x, (x[0], -x[1])]).takeOrdered(1, {BY_FIRST})",
        f"r.union(r.map(lambda x: (x[0], -x[1]))).takeOrdered(1, {BY_FIRST})",
        "takeOrdered(1)",
        "takeOrdered(1)",
    ),
    "keys in other partitions": (
        f"{COUNTS}.takeOrdered(2, key=lambda x: -x[1])",
        "r.map(lambda x: (x[0], 1)).reduceByKey(lambda a, b: a + b, 3).takeOrdered(2, key=lambda x: -x[1])",
        "takeOrdered(2)",
        "takeOrdered(2)",
    ),
    "sorted in one part": (
        f"r.sortBy(lambda x: x[1]).takeOrdered(2, {BY_FIRST})",
        f"r.sortBy(lambda x: x[1], numPartitions=1).takeOrdered(2, {BY_FIRST})",
        "takeOrdered(2)",
        "takeOrdered(2)",
    ),
    "by a sort": (f"r.takeOrdered(2, {BY_FIRST})", "r.sortByKey().take(2)", "takeOrdered(2)", "take(2)"),
    "downwards": (
        f"r.top(2, {BY_FIRST})",
        "r.sortBy(lambda x: x[0], ascending=False).take(2)",
        "top(2)",
        "take(2)",
    ),
    "a join, sorted": (
        f"r.join(s).takeOrdered(1, {BY_FIRST})",
        "r.join(s).sortByKey().take(1)",
        "takeOrdered(1)",
        "take(1)",
    ),
    "keys by another method": (
        f"{COUNTS}.takeOrdered(2, key=lambda x: -x[1])",
        "r.groupByKey().mapValues(len).takeOrdered(2, key=lambda x: -x[1])",
        "takeOrdered(2)",
        "takeOrdered(2)",
    ),
    "other keys": (
        f"{COUNTS}.takeOrdered(2, key=lambda x: -x[1])",
        "r.map(lambda x: (-x[0], 1)).reduceByKey(lambda a, b: a + b).map(lambda x: (-x[0], x[1]))"
        ".takeOrdered(2, key=lambda x: -x[1])",
        "takeOrdered(2)",
        "takeOrdered(2)",
    ),
    "the sides of a join": (
        f"r.join(s).takeOrdered(1, {BY_FIRST})",
        f"s.join(r).mapValues(lambda v: (v[1], v[0])).takeOrdered(1, {BY_FIRST})",
        "takeOrdered(1)",
        "takeOrdered(1)",
    ),
    "a set and distinct": (
        f"sorted(set(r.collect()), {BY_FIRST})[:1]",
        f"r.distinct().takeOrdered(1, {BY_FIRST})",
        "[:1]",
        "takeOrdered(1)",
    ),
}

EQUIVALENT = {
    "sorts, mapped": (
        "r.sortBy(lambda x: x[0]).map(lambda x: (x[0], x[1] + 1)).take(2)",
        "r.map(lambda x: (x[0], 1 + x[1])).sortByKey().take(2)",
    ),
    "itself": (f"r.union(s).takeOrdered(1, {BY_FIRST})", f"r.union(s).takeOrdered(1, {BY_FIRST})"),
    "elements are the key": ("r.sortBy(lambda x: x[1]).takeOrdered(2)", "r.repartition(3).takeOrdered(2)"),
    "all parts are in the key": (
        "r.takeOrdered(2, key=lambda x: (x[1], -x[0]))",
        "r.coalesce(1).takeOrdered(2, key=lambda x: (x[1], -x[0]))",
    ),
    "what is kept is in the key": (
        f"[x[0] + 1 for x in r.takeOrdered(2, {BY_FIRST})]",
        "[x + 1 for x in r.repartition(2).map(lambda x: x[0]).takeOrdered(2)]",
    ),
    "at the driver": (f"r.takeOrdered(2, {BY_FIRST})", f"sorted(r.collect(), {BY_FIRST})[:2]"),
    "mapped before and after": (
        f"r.takeOrdered(1, {BY_FIRST})",
        "[(a, b) for b, a in r.map(lambda x: (x[1], x[0])).takeOrdered(1, key=lambda x: x[1])]",
    ),
    "filtered before and after a sort": (
        f"r.filter(lambda x: x[1] > 0).sortBy(lambda x: x[1]).takeOrdered(1, {BY_FIRST})",
        f"r.sortBy(lambda x: x[1]).filter(lambda x: not x[1] <= 0).takeOrdered(1, {BY_FIRST})",
    ),
    "more is counted": (
        f"{COUNTS}.takeOrdered(2, key=lambda x: -x[1])",
        "r.map(lambda x: (x[0], (1, x[1]))).reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))"
        ".mapValues(lambda v: v[0]).top(2, key=lambda x: x[1])",
    ),
}


def _read(write: Callable[[str, str], str], reader: str, left: str, right: str) -> tuple[SourceProgram, SourceProgram]:
    of = "r: RDD[tuple[int, int]], s: RDD[tuple[int, int]]"
    functions = "".join(f"def {name}({of}):\n    return {body}\n" for name, body in (("f", left), ("g", right)))
    path = write("jobs.py", f"from pyspark import RDD\n\n\n{functions}")
    one, other = (READERS[reader](f"{path}:{name}") for name in "fg")
    return one, other


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("name", UNKNOWN)
def test_choices_from_elements_that_come_otherwise_are_not_known_to_be_equal(
    name: str, reader: str, write: Callable[[str, str], str]
) -> None:
    left, right, one, other = UNKNOWN[name]
    verdict = check_programs(*_read(write, reader, left, right))
    assert verdict.verdict == "unknown"
    assert verdict.reasons["result"].replace(str(write("jobs.py", "")), "jobs.py") == TIES.format(one, other)


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("name", EQUIVALENT)
def test_choices_that_are_fixed_or_made_alike_are_equal(
    name: str, reader: str, write: Callable[[str, str], str]
) -> None:
    assert check_programs(*_read(write, reader, *EQUIVALENT[name])).verdict == "equivalent"


LINES = "from pyspark import RDD\n\nFOUR = 4\ndef f(r: RDD[int], {}): return r.filter(lambda x: x > k)\n"
OTHER_DEFAULTS = {
    "k: int = 4": "the default of `k` differs: 3 and 4; compared for every `k`",
    "k: int = FOUR": "the default of `k` differs: 3 and FOUR; compared for every `k`",
    "k: int": "the default of `k` differs: 3 and none; compared for every `k`",
    "*, k: int = 5": "the default of `k` differs: 3 and 5; compared for every `k`",
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(("parameter", "reason"), OTHER_DEFAULTS.items())
def test_programs_with_other_defaults_are_not_known_to_be_equivalent(
    parameter: str, reason: str, reader: str, write: Callable[[str, str], str]
) -> None:
    one, other = (LINES.format(each) for each in ("k: int = 3", parameter))
    pair = [READERS[reader](f"{write(name, text)}:f") for name, text in (("one.py", one), ("other.py", other))]
    verdict = check_programs(*pair)
    assert (verdict.verdict, verdict.reasons) == ("unknown", {"result": reason})


@pytest.mark.parametrize("parameter", ["k: int = 4", "k=4", "k: int = FOUR", "k: int = 2 + 2", "*, k: int = 4"])
def test_defaults_of_one_value_are_one(parameter: str, write: Callable[[str, str], str]) -> None:
    one, other = (LINES.format(each) for each in ("k: int = 4", parameter))
    pair = [read_text(f"{write(name, text)}:f") for name, text in (("one.py", one), ("other.py", other))]
    assert check_programs(*pair).verdict == "equivalent"


CALLS = {
    "a name that is bound twice": ("K = 3", "K = 4", "K"),
    "a list that is changed": ("K = [3]", "K[0] = 4", "K[0]"),
    "a length that is changed": ("K = [3]", "K.append(4)", "len(K)"),
    "a function that is bound twice": ("def n(): return 3", "def n(): return 4", "n()"),
}


@pytest.mark.parametrize("name", CALLS)
def test_one_text_of_a_default_may_have_two_values(name: str, write: Callable[[str, str], str]) -> None:
    before, between, default = CALLS[name]
    functions = [f"def {each}(r: RDD[int], k: int = {default}): return r.filter(lambda x: x > k)" for each in "fg"]
    path = write("jobs.py", "\n".join(("from pyspark import RDD", before, functions[0], between, functions[1])))
    one, other = (read_on_store(f"{path}:{each}") for each in "fg")
    assert check_programs(one, one).verdict == "equivalent"
    reason = f"the default of `k` differs: {default} and {default}; compared for every `k`"
    assert check_programs(one, other).reasons == {"result": reason}


def test_a_default_that_calls_is_read_on_the_store(write: Callable[[str, str], str]) -> None:
    lines = "from datetime import date\n\nfrom pyspark import RDD\n\n\n"
    day = "k: date = date(2020, 1, {})): return r.filter(lambda x: x > k)\n"
    path = write(
        "jobs.py", lines + "".join(f"def {each}(r: RDD[date], {day.format(n)}" for n, each in enumerate("fg", 1))
    )
    one, other = (read_on_store(f"{path}:{each}") for each in "fg")
    assert check_programs(one, one).verdict == "equivalent"
    assert check_programs(one, other).verdict == "unknown"


def test_an_audit_against_the_sources_asks_for_choices_too(write: Callable[[str, str], str]) -> None:
    of = "r: RDD[tuple[int, int]], s: RDD[tuple[int, int]]"
    bodies = ("r.union(s)", "s.union(r)")
    path = write(
        "jobs.py",
        "from pyspark import RDD\n"
        + "".join(
            f"def {name}({of}): return {body}.takeOrdered(1, key=lambda x: x[0])\n"
            for name, body in zip("fg", bodies, strict=True)
        ),
    )
    found = comparison(read_text(f"{path}:f"), read_text(f"{path}:g"), False, "spark")
    assert found.why_not_equivalent is not None
    assert comparison(found.left, found.left, False, "spark").why_not_equivalent is None
