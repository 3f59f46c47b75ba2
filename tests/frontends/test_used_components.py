"""By-key folds keep what the result uses: the same values, in every partitioning, and no dependence on the rest."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from tallystick import check
from tallystick.certificates.audit import audit
from tallystick.comparing import comparison
from tallystick.core.interpreter import evaluate
from tallystick.core.terms import Operator, build, variable
from tallystick.decision.partitioning.spark_folds import SparkMeaning, listed, partitionings
from tallystick.frontends.pyspark import SourceProgram, with_used_components
from tallystick.frontends.rdd import read_program

REDUCED = "r.map(lambda o: (o[0], o)).reduceByKey({0}).{1}"
LATER = "lambda a, b: a if a[1] >= b[1] else b"
SUMS = "lambda a, b: (a[0], a[1] + b[1], a[2] + b[2])"
CROSSED = "lambda a, b: (a[0], a[1] + b[2], a[2] if a[1] > 3 else b[2])"
BODIES = {
    "the latest": REDUCED.format(LATER, "mapValues(lambda o: o[1])"),
    "the first in a tie": REDUCED.format(LATER, "mapValues(lambda o: o[2])"),
    "one of two sums": REDUCED.format(SUMS, "mapValues(lambda o: o[1])"),
    "both sums, and a map": REDUCED.format(SUMS, "map(lambda kv: (kv[1][1] - kv[1][2], kv[0]))"),
    "sums that depend": REDUCED.format(CROSSED, "mapValues(lambda o: o[1])"),
    "what others do not depend on": REDUCED.format(CROSSED, "mapValues(lambda o: o[0])"),
    "two maps": REDUCED.format(LATER, "mapValues(lambda o: (o[0], (o[1], 1))).map(lambda kv: kv[1][1])"),
    "a filter between": REDUCED.format(LATER, "mapValues(lambda o: o[1]).filter(lambda kv: kv[1] > 0).keys()"),
}


def of(read: Callable[..., SourceProgram], body: str) -> SourceProgram:
    return read(f"def p(r: 'RDD[tuple[str, int, int]]'):\n    return {body}")


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_values_are_the_same(body: str, read: Callable[..., SourceProgram]) -> None:
    source = of(read, body)
    cut = with_used_components(source)
    assert cut is not source
    (rows,) = source.program.parameters
    generator = random.Random(1)
    for _ in range(60):
        bag = {("a" if generator.random() < 0.7 else "b", *numbers(generator)): 1 for _ in range(5)}
        one, other = (evaluate(each.program.expression, {rows: bag}) for each in (source, cut))
        assert one == other


def numbers(generator: random.Random) -> tuple[int, int]:
    return generator.randint(-2, 4), generator.randint(-2, 4)


@pytest.mark.parametrize("name", [name for name in BODIES if "filter" not in name])
def test_values_are_the_same_in_each_partitioning(name: str, read: Callable[..., SourceProgram]) -> None:
    source = of(read, BODIES[name])
    cut = with_used_components(source)
    (rows,) = source.program.parameters
    generator = random.Random(2)
    for _ in range(8):
        bag = {("a", *numbers(generator)): 1 for _ in range(3)}
        for parts in partitionings(listed({("a", each): 1 for each in bag})):
            assert spark(source, {rows: bag}, parts) == spark(cut, {rows: bag}, parts)


def spark(source: SourceProgram, environment: dict, parts: tuple) -> object:
    """What the maps of a program make of Spark's value of its one fold."""
    maps, fold = [], source.program.expression
    while fold.operator is Operator.MAP:
        maps.append(fold.arguments[0])
        fold = fold.arguments[1]
    (call,) = [each for each in source.folds if each.term is fold]
    made = variable("made", fold.type)
    term = made
    for udf in reversed(maps):
        term = build(Operator.MAP, (udf, term))
    return evaluate(term, {made: SparkMeaning(fold, call.merge, environment).value(parts)})  # type: ignore[arg-type]


def test_a_fold_of_which_all_is_used_stays(read: Callable[..., SourceProgram]) -> None:
    for body in (
        REDUCED.format(LATER, "values()"),
        REDUCED.format(LATER, "mapValues(lambda o: (o[2], o[1], o[0]))"),
        "r.map(lambda o: (o[0], o[1])).reduceByKey(max)",
        "r.map(lambda o: (o[0], (o[1], o[2]))).reduceByKey(max).mapValues(lambda p: p[0])",
        "r.map(lambda o: (o[0], o[1])).aggregateByKey((0, 0), lambda s, v: (s[0] + v, s[1] + 1), "
        "lambda a, b: (a[0] + b[0], a[1] + b[1])).mapValues(lambda s: s[0])",
    ):
        source = of(read, body)
        assert with_used_components(source) is source, body


JOBS = """
from pyspark import RDD

def latest(r: RDD[tuple[str, int, str]]):
    kept = r.map(lambda o: (o[0], o)).reduceByKey(lambda a, b: a if a[1] >= b[1] else b)
    return kept.mapValues(lambda o: o[1])

def latest_by_max(r: RDD[tuple[str, int, str]]):
    return r.map(lambda o: (o[0], o[1])).reduceByKey(max)

def earliest(r: RDD[tuple[str, int, str]]):
    return r.map(lambda o: (o[0], o[1])).reduceByKey(min)

def mark_of_latest(r: RDD[tuple[str, int, str]]):
    kept = r.map(lambda o: (o[0], o)).reduceByKey(lambda a, b: a if a[1] >= b[1] else b)
    return kept.mapValues(lambda o: o[2])

def mark_of_latest_mirrored(r: RDD[tuple[str, int, str]]):
    kept = r.map(lambda o: (o[0], o)).reduceByKey(lambda a, b: b if a[1] <= b[1] else a)
    return kept.mapValues(lambda o: o[2])

def changing(r: RDD[tuple[str, int, str]]):
    kept = r.map(lambda o: (o[0], (o[1], 1))).reduceByKey(lambda a, b: (a[0] + b[1], a[1]))
    return kept.mapValues(lambda p: p[0])
"""


@pytest.mark.parametrize(
    ("one", "other", "answer"),
    [
        ("latest", "latest_by_max", "equivalent"),
        ("latest", "earliest", "inequivalent"),
        ("mark_of_latest", "mark_of_latest", "unknown"),
        ("mark_of_latest", "mark_of_latest_mirrored", "unknown"),
        ("changing", "changing", "unknown"),
    ],
)
def test_what_is_dropped_alone_may_depend_on_the_order(tmp_path: Path, one: str, other: str, answer: str) -> None:
    path = tmp_path / "jobs.py"
    path.write_text(JOBS)
    found = check(f"{path}:{one}", f"{path}:{other}")
    assert found.verdict.value == answer, str(found)
    if found.certificate is not None:
        sources = (read_program(f"{path}:{name}") for name in (one, other))
        programs = comparison(*sources, as_sets=False, semantics="spark").programs_of(found.certificate)
        assert audit(found.certificate, programs, "spark").accepted
