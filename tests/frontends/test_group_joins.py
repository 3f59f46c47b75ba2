"""Joins of pairs with groups, and of groups with groups: they mean what Python computes, or are refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from tallystick import check
from tallystick.frontends.pyspark import SourceProgram

from .local_rdd import load, run_by_python, run_by_terms, same

RANDOM = Random(11)


def _pairs() -> list[tuple[int, int]]:
    return [(RANDOM.randrange(4), RANDOM.randrange(-3, 4)) for _ in range(RANDOM.randrange(9))]


INPUTS = [([], []), ([(1, 2)], []), ([], [(1, 2)]), *((_pairs(), _pairs()) for _ in range(20))]
PREAMBLE = """
def early(p):
    v, g = p
    if g is None:
        return v, 1
    return v, max(g)
def branches(kv):
    k, (v, g) = kv
    if g:
        total = sum(x for x in g if x > 0)
    else:
        total = -1
    return k, v + total
"""
G, H = "s.groupByKey()", "t.groupByKey()"
READ = (
    f"t.join({G}).mapValues(lambda p: p[0] + sum(p[1]))",
    f"{G}.join(t).mapValues(lambda p: (p[1], max(p[0]), len(p[0])))",
    f"{G}.join(t).values().map(lambda p: (p[1], min(p[0])))",
    f"t.join({G}.mapValues(set)).map(lambda kv: (kv[0], kv[1][0], len(kv[1][1])))",
    f"t.join({G}.mapValues(sorted)).map(lambda kv: (kv[1][0], kv[1][1][0]))",
    f"t.join({G}.mapValues(set)).flatMap(lambda kv: [(g, kv[1][0]) for g in kv[1][1]])",
    f"t.join({G}).flatMap(lambda kv: [(kv[0], v) for v in kv[1][1] if v <= kv[1][0]])",
    f"t.join({G}).flatMapValues(lambda p: [p[0] - v for v in p[1]])",
    f"t.join({G}).flatMap(lambda kv: [kv[1][0], max(kv[1][1])] if kv[0] else [])",
    f"{G}.join(t).filter(lambda kv: len(kv[1][0]) > 1).map(lambda kv: (kv[0], kv[1][1], sum(kv[1][0])))",
    f"{G}.join(t).values().filter(lambda p: len(p[0]) > p[1]).map(lambda p: sum(p[0]))",
    f"t.join({G}).keys()",
    f"t.join({G}).filter(lambda kv: kv[1][0] > 0).count()",
    f"t.leftOuterJoin({G}).mapValues(lambda p: p[0] + sum(p[1] or []))",
    f"t.leftOuterJoin({G}).mapValues(lambda p: p[0] + (sum(p[1]) if p[1] else 5))",
    f"t.leftOuterJoin({G}).mapValues(lambda p: (p[0], len(p[1]) if p[1] is not None else -1))",
    f"t.leftOuterJoin({G}).mapValues(lambda p: (p[0], p[1] is None))",
    f"t.leftOuterJoin({G}).mapValues(lambda p: all(v > 0 for v in p[1] or []))",
    f"t.leftOuterJoin({G}).mapValues(lambda p: min(p[1] or [], default=7))",
    f"t.leftOuterJoin({G}.mapValues(set)).mapValues(lambda p: len(p[1]) if p[1] else 0)",
    f"t.leftOuterJoin({G}.mapValues(sorted)).mapValues(lambda p: p[1][-1] if p[1] else p[0])",
    f"t.leftOuterJoin({G}).mapValues(early)",
    f"t.leftOuterJoin({G}).map(branches)",
    f"t.leftOuterJoin({G}).flatMapValues(lambda p: [v + p[0] for v in p[1] or []])",
    f"t.leftOuterJoin({G}).filter(lambda kv: kv[1][1] is None).mapValues(lambda p: p[0])",
    f"t.leftOuterJoin({G}).filter(lambda kv: not kv[1][1]).keys()",
    f"t.rightOuterJoin({G}).mapValues(lambda p: (p[0] or 0) + sum(p[1]))",
    f"{G}.leftOuterJoin(t).mapValues(lambda p: sum(p[0]) if p[1] is None else p[1])",
    f"{G}.leftOuterJoin(t.reduceByKey(max)).mapValues(lambda p: sum(p[0]) if p[1] is None else p[1])",
    f"{G}.rightOuterJoin(t).mapValues(lambda p: len(p[0] or []) * p[1])",
    f"t.reduceByKey(min).leftOuterJoin({G}).mapValues(lambda p: p[0] + sum(p[1] or []))",
    f"{G}.join({H}).mapValues(lambda p: sum(p[0]) - sum(p[1]))",
    f"{G}.join({H}).filter(lambda kv: len(kv[1][0]) == len(kv[1][1])).keys()",
    f"{G}.join({H}).count()",
    f"{G}.mapValues(list).join({H}.mapValues(list)).map(lambda kv: (kv[0], max(kv[1][0]) > max(kv[1][1])))",
)
REFUSED = (
    (f"t.leftOuterJoin({G}).mapValues(lambda p: p[0] + sum(p[1]))", "or None"),
    (f"t.leftOuterJoin({G}).mapValues(lambda p: len([v for v in p[1]]))", "or None"),
    (f"t.fullOuterJoin({G}).mapValues(lambda p: 1)", "groups"),
    (f"t.leftOuterJoin({G}).flatMapValues(lambda p: p[1] if p[1] else [0])", ""),
    (f"{G}.leftOuterJoin({H}).mapValues(lambda p: 1)", "groups"),
    (f"{G}.join({H}.mapValues(list)).mapValues(lambda p: len(p[0]))", "two kinds"),
    (f"{G}.filter(lambda kv: len(kv[1]) > 1).join({H}).mapValues(lambda p: len(p[0]))", "filtered"),
    (f"{G}.filter(lambda kv: len(kv[1]) > 1).join(t).mapValues(lambda p: len(p[0]))", "join before"),
    (f"{G}.values().join(t).mapValues(lambda p: len(p[0]))", ""),
    (f"{G}.mapValues(lambda g: [v for v in g if v]).join(t).mapValues(lambda p: len(p[0]))", "join before"),
    (f"{G}.join(t).values().keys()", "without their keys"),
    (f"{G}.join(t).values().values()", "without their keys"),
    (f"t.join({G}).values().mapValues(lambda g: sum(g))", "without their keys"),
    (f"{G}.values().join({H}.values()).map(lambda p: 1)", ""),
    (f"{G}.sortByKey().join({H}).mapValues(lambda p: len(p[0]))", ""),
    (f"{G}.join(t)", "must return"),
    (f"t.join({G}).groupByKey()", "is not supported"),
    (f"t.join({G}.collect()).mapValues(lambda p: 1)", "groups"),
    ("s.map(lambda p: (str(p[0]), p[1])).groupByKey().join(t).mapValues(lambda p: 1)", "groups"),
)
SAME = (
    (
        f"t.join({G}).mapValues(lambda p: sum(p[1]))",
        "t.join(s.reduceByKey(lambda a, b: a + b)).mapValues(lambda p: p[1])",
    ),
    (f"t.join({G}.mapValues(set)).flatMapValues(lambda p: p[1])", "t.join(s.distinct()).mapValues(lambda p: p[1])"),
    (f"t.leftOuterJoin({G}).filter(lambda kv: not kv[1][1]).mapValues(lambda p: p[0])", "t.subtractByKey(s)"),
)
OTHERS = (
    (f"t.join({G}.mapValues(set)).flatMapValues(lambda p: p[1])", "t.join(s).mapValues(lambda p: p[1])"),
    (f"t.join({G}).mapValues(lambda p: len(p[1]))", f"t.leftOuterJoin({G}).mapValues(lambda p: len(p[1] or []))"),
    (f"t.join({G}).mapValues(lambda p: len(p[1]))", f"t.distinct().join({G}).mapValues(lambda p: len(p[1]))"),
    (f"{G}.join({H}).mapValues(lambda p: len(p[0]))", f"{G}.mapValues(len)"),
)  # fmt: skip


def _text(name: str, body: str) -> str:
    return f"def {name}(s: 'RDD[tuple[int, int]]', t: 'RDD[tuple[int, int]]'):\n    return {body}\n"


@pytest.mark.parametrize("body", READ)
def test_they_mean_what_python_computes(body: str, read: Callable[..., SourceProgram]) -> None:
    text = f"{PREAMBLE}\n{_text('p', body)}"
    function, program = load(text), read(text)
    for one, other in INPUTS:
        assert same(run_by_terms(program, [one, other]), run_by_python(function, [one, other]))


@pytest.mark.parametrize(("body", "message"), REFUSED)
def test_what_is_refused(body: str, message: str, refusal: Callable[..., str]) -> None:
    assert message in refusal(_text("p", body))


def _verdict(path: Path, one: str, other: str) -> str:
    path.write_text(f"from pyspark import RDD\n{_text('p', one)}{_text('q', other)}", encoding="utf-8")
    return check(f"{path}:p", f"{path}:q").verdict.value


@pytest.mark.parametrize(("one", "other"), SAME)
def test_they_are_proved_equal_to_joins_of_pairs(one: str, other: str, tmp_path: Path) -> None:
    assert _verdict(tmp_path / "jobs.py", one, other) == "equivalent"


@pytest.mark.parametrize(("one", "other"), OTHERS)
def test_they_differ_in_keys_without_groups_and_repeated_pairs(one: str, other: str, tmp_path: Path) -> None:
    assert _verdict(tmp_path / "jobs.py", one, other) == "inequivalent"
