"""Equal programs that differ in how a default, a rate, a length or a bound is written, and near misses of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from tallystick import check
from tallystick.certificates.audit import audit

HEAD = """from decimal import Decimal
from typing import Optional
from pyspark import RDD

def third(line):
    fields = line.split("\\t")
    try:
        last = fields[3]
    except IndexError:
        return []
    return [fields[2]] if last == "x" else []

def words(line):
    fields = line.split()
    try:
        return [fields[-2]]
    except IndexError:
        return []
"""
TRADES = "s: RDD[tuple[str, int]], p: RDD[tuple[str, int]]"
FEES = "s: RDD[tuple[str, Decimal]]"
LINES = "s: RDD[str]"
OPTIONS = "s: RDD[Optional[str]]"
BEST = (
    "s.aggregateByKey((Decimal(0), 0), lambda a, f: (max(a[0], f), a[1] + 1),"
    " lambda a, b: (max(a[0], b[0]), a[1] + b[1]))"
)
PAIRS = {
    # fact: (parameters, left, right, verdict)
    "what is not in a table is worth nothing": (
        TRADES,
        "s.leftOuterJoin(p.reduceByKey(max)).map(lambda kv: (kv[0], kv[1][0] * (kv[1][1] or 0)))"
        ".reduceByKey(lambda a, b: a + b)",
        "s.leftOuterJoin(p.reduceByKey(max)).map(lambda kv: (kv[0], 0 if kv[1][1] is None else kv[1][0] * kv[1][1]))"
        ".groupByKey().mapValues(sum)",
        "equivalent",
    ),
    "another default": (
        TRADES,
        "s.leftOuterJoin(p.reduceByKey(max)).mapValues(lambda v: v[0] * (v[1] or 1))",
        "s.leftOuterJoin(p.reduceByKey(max)).mapValues(lambda v: v[0] * (1 if v[1] is None else v[1]))",
        "inequivalent",
    ),
    "a piece that there is": (
        LINES,
        "s.map(lambda l: l.split('\\t')).filter(lambda f: len(f) >= 4 and f[3] == 'x').map(lambda f: f[2])",
        "s.flatMap(third)",
        "equivalent",
    ),
    "a piece that there is, one off": (
        LINES,
        "s.map(lambda l: l.split('\\t')).filter(lambda f: len(f) > 4 and f[3] == 'x').map(lambda f: f[2])",
        "s.flatMap(third)",
        "inequivalent",
    ),
    "a word from the end": (
        LINES,
        "s.map(lambda l: l.split()).filter(lambda f: len(f) >= 2).map(lambda f: f[-2])",
        "s.flatMap(words)",
        "equivalent",
    ),
    "a word from the end, one off": (
        LINES,
        "s.map(lambda l: l.split()).filter(lambda f: len(f) >= 3).map(lambda f: f[-2])",
        "s.flatMap(words)",
        "inequivalent",
    ),
    "a blank text or none": (
        OPTIONS,
        "s.filter(lambda t: t is None or t.strip() == '').map(lambda t: 1)",
        "s.filter(lambda t: not (t or '').strip()).map(lambda t: 1)",
        "equivalent",
    ),
    "an empty text or none": (
        OPTIONS,
        "s.filter(lambda t: t is None or t.strip() == '').map(lambda t: 1)",
        "s.filter(lambda t: not t).map(lambda t: 1)",
        "inequivalent",
    ),
    "a text in capitals where there is one": (
        OPTIONS,
        "s.map(lambda t: 'NONE' if t is None else t.upper())",
        "s.map(lambda t: ('none' if t is None else t).upper())",
        "equivalent",
    ),
    "a maximum of exact numbers from 0 on": (
        FEES,
        BEST,
        "s.mapValues(lambda f: (max(Decimal(0), f), 1)).reduceByKey(lambda a, b: (max(a[0], b[0]), a[1] + b[1]))",
        "equivalent",
    ),
    "a maximum of exact numbers, below 0 too": (
        FEES,
        BEST,
        "s.mapValues(lambda f: (f, 1)).reduceByKey(lambda a, b: (max(a[0], b[0]), a[1] + b[1]))",
        "inequivalent",
    ),
}


@pytest.mark.parametrize("fact", PAIRS)
def test_they_are_decided(fact: str, tmp_path: Path) -> None:
    parameters, left, right, verdict = PAIRS[fact]
    path = tmp_path / "programs.py"
    functions = (f"\ndef {name}({parameters}):\n    return {body}\n" for name, body in (("f", left), ("g", right)))
    path.write_text(HEAD + "".join(functions))
    answer = check(f"{path}:f", f"{path}:g")
    assert answer.verdict.value == verdict, str(answer)
    assert audit(answer.certificate)  # type: ignore[arg-type]
