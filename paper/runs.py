"""Runs of pairs as plain records for the paper, and their totals."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence
from typing import Any

from tallystick.certificates.audit import audit
from tallystick.certificates.codec import decode
from tallystick.certificates.proofs import Counterexample
from tallystick.core.pretty import text
from tallystick.experiments.questions import Options, Question, Task
from tallystick.experiments.records import Record
from tallystick.experiments.running import decide_here
from tallystick.explaining.evaluation import shown

Row = dict[str, Any]
SIZES = {"operators": 3, "udf_terms": 10, "folds": 1}
"""The measures of a pair's size, with the width of the ranges that a table groups them in."""


def decided(questions: Sequence[Question], options: Options, repetitions: int = 1) -> list[Row]:
    """A row for each question, decided here; times are medians over the repetitions, in milliseconds."""
    tasks = [Task(question, options) for question in questions]
    runs = [decide_here(tasks).records for _ in range(repetitions)]
    return [row(records) for records in zip(*runs, strict=True)]


def row(records: Sequence[Record]) -> Row:
    """What the records of one pair say, with median times in milliseconds."""
    first = records[0]
    return {
        "suite": first.suite,
        "pair": first.pair,
        "class": first.program_class,
        "expected": first.expected,
        "verdict": first.verdict,
        "method": first.method.partition(" > ")[0],
        "deciding": 1000 * statistics.median(each.deciding_seconds + each.certifying_seconds for each in records),
        "auditing": 1000 * statistics.median(each.audit_seconds for each in records),
        "bytes": first.certificate_bytes,
        "oracles": list(first.oracles),
        "solver_calls": first.solver_calls,
        "sizes": {size: getattr(first, size) for size in SIZES},
        "rules": dict(audit(first.certificate.encode()).rules) if first.certificate else {},
        **_difference(first.certificate),
    }


def _difference(certificate: str | None) -> dict[str, str]:
    """The input of a counterexample and what both programs return; nothing for a proof."""
    if certificate is None:
        return {}
    found = decode(certificate.encode())
    if not isinstance(found.result, Counterexample):
        return {}
    parts = zip(found.left.parameters, found.result.inputs, strict=True)
    left, right = map(shown, found.result.outputs)
    return {"input": ", ".join(f"{text(name)} = {shown(value)}" for name, value in parts), "left": left, "right": right}


def total(rows: Sequence[Row]) -> Row:
    """Sums, medians and extremes."""
    certified = [each["bytes"] for each in rows if each["bytes"]]
    used = Counter[str]()
    for each in rows:
        used.update(each["rules"])
    return {
        "pairs": len(rows),
        "right": sum(each["verdict"] == each["expected"] for each in rows),
        "wrong": sum(each["verdict"] not in (each["expected"], "unknown") for each in rows),
        "unknown": sum(each["verdict"] == "unknown" for each in rows),
        "equivalent": sum(each["verdict"] == "equivalent" for each in rows),
        "oracles": sum(bool(each["oracles"]) for each in rows),
        "solver_calls": sum(each["solver_calls"] for each in rows),
        "deciding": sum(each["deciding"] for each in rows),
        "auditing": sum(each["auditing"] for each in rows),
        "median": statistics.median(each["deciding"] for each in rows),
        "slowest": max(each["deciding"] for each in rows),
        "largest": max(certified),
        "median_bytes": statistics.median_low(certified),
        "rules": dict(used.most_common()),
    }


def totals(rows: Sequence[Row], suites: Sequence[str]) -> dict[str, Any]:
    """Totals of each suite, and of all."""
    by_suite = {suite: total([each for each in rows if each["suite"] == suite]) for suite in suites}
    return {"suites": by_suite, "all": total(rows)}


def by_size(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """For each measure of size, totals of the rows in each range, with the range's ends."""
    tables: dict[str, list[Row]] = {}
    for size, width in SIZES.items():
        starts = sorted({each["sizes"][size] // width * width for each in rows})
        for start in starts:
            group = [each for each in rows if each["sizes"][size] // width * width == start]
            tables.setdefault(size, []).append({"from": start, "to": start + width - 1, **total(group)})
    return tables
