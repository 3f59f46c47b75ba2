"""RDDs of groups: without their keys, in the order of their keys, and lists of groups in an order by a key."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tallystick import check
from tallystick.comparing import SignatureError
from tallystick.frontends.pyspark import SourceProgram

from .local_rdd import load, run_by_python, run_by_terms, same

PAIRS = [("a", 3), ("b", -1), ("a", 3), ("a", -2), ("c", 0), ("b", 5), ("c", 7), ("a", 2)]
BODIES = {
    "values of groups": "s.groupByKey().values().map(lambda g: (sum(g), len(g)))",
    "filters of groups": "s.groupByKey().values().filter(lambda g: len(g) > 2).map(lambda g: max(g))",
    "filters before": "s.groupByKey().filter(lambda kv: kv[0] != 'a').values().filter(lambda g: min(g) < 0).count()",
    "items of groups": "s.groupByKey().values().flatMap(lambda g: [v + 1 for v in g])",
    "sets of groups": "s.groupByKey().values().map(set).map(len)",
    "no groups": "(s.groupByKey().isEmpty(), s.filter(lambda p: p[1] > 9).groupByKey().values().isEmpty())",
    "co-groups": "s.cogroup(s.mapValues(abs)).values().map(lambda p: (len(p[0]), sum(p[1])))",
    "lists in an order": (
        "s.groupByKey().mapValues(lambda g: sorted(g, key=lambda v: (-v, v))).mapValues(lambda l: l[0])"
    ),
    "items in an order": "s.groupByKey().mapValues(lambda g: sum(v for v in sorted(g, key=lambda v: -v)))",
    "items of what is sorted": (
        "s.groupByKey().mapValues(lambda g: (-3 in sorted(g, key=abs), len(sorted(g, key=abs))))"
    ),
    "sorted twice": "s.groupByKey().mapValues(lambda g: sorted(sorted(g), key=abs)[0])",
    "sorted twice downwards": (
        "s.groupByKey().mapValues(lambda g: sorted(sorted(g), key=lambda v: v * v, reverse=True)[0])"
    ),
    "the best of what is sorted": (
        "s.groupByKey().mapValues(lambda g: (max(sorted(g), key=abs), min(sorted(g), key=abs)))"
    ),
    "the first by a key": (
        "s.groupByKey().flatMap(lambda kv: [(kv[0], v) for v in sorted(sorted(kv[1]), key=abs)[:2]])"
    ),
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_it_means_what_python_computes(body: str, read: Callable[..., SourceProgram]) -> None:
    text = f"def p(s: 'RDD[tuple[str, int]]'):\n    return {body}"
    assert same(run_by_terms(read(text), [PAIRS]), run_by_python(load(text), [PAIRS]))


JOBS = """
from pyspark import RDD

S = RDD[tuple[str, tuple[int, int]]]

def in_order(s: RDD[tuple[str, int]]):
    return s.groupByKey().mapValues(sorted).sortByKey().collect()

def in_order_right(s: RDD[tuple[str, int]]):
    return s.map(lambda p: (p[0], p[1] + 0)).groupByKey().sortByKey().mapValues(lambda g: sorted(g)).collect()

def in_order_wrong(s: RDD[tuple[str, int]]):
    return s.groupByKey().mapValues(lambda g: sorted(set(g))).sortByKey().collect()

def downwards(s: RDD[tuple[str, int]]):
    return s.groupByKey().mapValues(sorted).sortByKey(ascending=False).collect()

def in_no_order(s: RDD[tuple[str, int]]):
    return s.groupByKey().mapValues(sorted).collect()

def sizes(s: RDD[tuple[str, int]]):
    return s.groupByKey().sortByKey().mapValues(len).collect()

def sizes_right(s: RDD[tuple[str, int]]):
    return s.mapValues(lambda _: 1).reduceByKey(lambda a, b: a + b).sortByKey().collect()

def seconds(s: RDD[tuple[str, tuple[int, int]]]):
    return s.groupByKey().mapValues(lambda g: sum(p[0] for p in sorted(g, key=lambda p: p[1])))

def seconds_right(s: RDD[tuple[str, tuple[int, int]]]):
    return s.mapValues(lambda p: p[0]).reduceByKey(lambda a, b: a + b)

def seconds_wrong(s: RDD[tuple[str, tuple[int, int]]]):
    return s.groupByKey().mapValues(lambda g: sum(p[1] for p in g))

def by_second(s: RDD[tuple[str, tuple[int, int]]]):
    return s.groupByKey().mapValues(lambda g: sorted(g, key=lambda p: (p[1], p[0])))

def pairs_of_keys(s: RDD[tuple[str, tuple[int, int]]]):
    return s.groupByKey().mapValues(lambda g: sorted(g, key=lambda p: (p[0], p[1])))

def best(s: RDD[tuple[str, tuple[int, int]]]):
    return s.groupByKey().mapValues(lambda g: max(sorted(g, key=lambda p: p[0]), key=lambda p: p[1]))

def best_right(s: RDD[tuple[str, tuple[int, int]]]):
    return s.reduceByKey(lambda a, b: min(a, b, key=lambda p: (-p[1], p[0])))

def best_wrong(s: RDD[tuple[str, tuple[int, int]]]):
    return s.reduceByKey(lambda a, b: max(a, b, key=lambda p: (p[1], p[0])))
"""


@pytest.fixture(scope="module")
def jobs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("jobs") / "jobs.py"
    path.write_text(JOBS)
    return path


@pytest.mark.parametrize(
    ("one", "other", "answer"),
    [
        ("in_order", "in_order_right", "equivalent"),
        ("in_order", "in_order_wrong", "inequivalent"),
        ("in_order", "downwards", "refused"),
        ("in_order", "in_no_order", "refused"),
        ("sizes", "sizes_right", "equivalent"),
        ("seconds", "seconds_right", "equivalent"),
        ("seconds", "seconds_wrong", "inequivalent"),
        ("by_second", "by_second", "equivalent"),
        ("by_second", "pairs_of_keys", "refused"),
        ("best", "best_right", "equivalent"),
        ("best", "best_wrong", "inequivalent"),
    ],
)
def test_refactorings_are_told_apart(jobs: Path, one: str, other: str, answer: str) -> None:
    if answer == "refused":
        with pytest.raises(SignatureError, match="that differ"):
            check(f"{jobs}:{one}", f"{jobs}:{other}")
    else:
        assert check(f"{jobs}:{one}", f"{jobs}:{other}").verdict.value == answer


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("s.groupByKey().values().mapValues(len)", "needs pairs"),
        ("s.groupByKey().values()", "must return an RDD or a value"),
        ("s.groupByKey().mapValues(list).values()", "must return an RDD or a value"),
        ("s.groupByKey().sortByKey().map(lambda kv: kv[0])", "in an order"),
        ("s.map(lambda p: (p[1] > 0, p[1])).groupByKey().sortByKey()", "keys that Python orders"),
        ("s.groupByKey().mapValues(lambda g: sorted([v + 1 for v in g], key=abs))", "whose items are made of others"),
    ],
)
def test_what_is_not_read_is_refused_by_name(body: str, message: str, refusal: Callable[..., str]) -> None:
    assert message in refusal(f"def p(s: 'RDD[tuple[str, int]]'):\n    return {body}")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("sorted([sum(g) for _, g in r.groupByKey()])", "an RDD of groups cannot be gone through"),
        ("{k: sum(g) for k, g in r.groupByKey()}", "an RDD of groups cannot be gone through"),
        ("{k: sum(g) for k, g in r.groupByKey().cache()}", "an RDD of groups cannot be gone through"),
        ("r.groupByKey().collect().mapValues(sum)", "`mapValues` of a list of groups at the driver"),
        ("r.groupByKey().collect().collect()", "`collect` of a list of groups at the driver"),
        ("r.groupByKey().collectAsMap().items().mapValues(sum)", "`mapValues` of a list of groups at the driver"),
    ],
)
def test_groups_are_at_the_driver_or_not(body: str, message: str, refusal: Callable[..., str]) -> None:
    """Python raises an exception for these."""
    assert message in refusal(f"def p(r: 'RDD[tuple[int, int]]'):\n    return {body}")


def test_a_loop_goes_through_no_rdd_of_groups(refusal: Callable[..., str]) -> None:
    loop = "out = []\n    for k, g in r.groupByKey():\n        out.append(sum(g))\n    return sorted(out)"
    assert "cannot be gone through" in refusal(f"def p(r: 'RDD[tuple[int, int]]'):\n    {loop}")
