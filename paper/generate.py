"""Every number, table and figure of the paper, from runs of the suites: build/paper/.

    python paper/generate.py [REPETITIONS]

    evaluation.json   a record for each pair of each suite, and totals
    errata.json       the pairs of the errata on which programs differ, with their inputs and values
    trusted.json      the modules that an audit relies on, with their lines
    times.svg, sizes.svg

A run decides each pair in this process and audits what was found. Times are medians over the repetitions.
"""

from __future__ import annotations

import json
import platform
import statistics
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import figures
from tallystick.certificates.audit import AuditReport, audit
from tallystick.certificates.codec import decode
from tallystick.certificates.proofs import Counterexample
from tallystick.certificates.trusted import trusted_modules
from tallystick.core.pretty import text
from tallystick.decision.prover import Prover
from tallystick.decision.settle import Settlement, settle
from tallystick.experiments.suites import Pair, load
from tallystick.explaining.evaluation import shown
from tallystick.frontends.pyspark import SourceProgram, read_program

OUTPUT = Path(__file__).parents[1] / "build" / "paper"
SUITES = ("sparklite-cav", "sparklite-tr", "errata")
REPETITIONS = 3
SECONDS = 60.0


@dataclass(frozen=True)
class Run:
    """One run of a pair: what was found, its audit, and the times of both in milliseconds."""

    settlement: Settlement
    certificate: bytes
    report: AuditReport
    deciding: float
    auditing: float


def run(left: SourceProgram, right: SourceProgram) -> Run:
    """Decides two programs and audits the certificate; raises ValueError without a certificate that is accepted."""
    programs = left.program, right.program
    started = time.perf_counter()
    settlement = settle(*programs, (left.source, right.source), Prover("auto", time.monotonic() + SECONDS))
    decided = time.perf_counter()
    if settlement.certificate is None:
        raise ValueError(f"{left.function_name} and {right.function_name} were not decided: {settlement.reasons}")
    certificate = settlement.certificate.encode()
    report = audit(certificate, against=programs)
    audited = time.perf_counter()
    if not report.accepted:
        raise ValueError(f"{left.function_name} and {right.function_name}: the audit rejects: {report.reason}")
    return Run(settlement, certificate, report, 1000 * (decided - started), 1000 * (audited - decided))


def record(suite: str, pair: Pair, repetitions: int) -> dict[str, Any]:
    """What happens to a pair: verdict, method, certificate, and median times of deciding and auditing."""
    left, right = read_program(pair.left), read_program(pair.right)
    runs = [run(left, right) for _ in range(repetitions)]
    settlement, certificate, report = runs[0].settlement, runs[0].certificate, runs[0].report
    return {
        "suite": suite,
        "pair": pair.name,
        "class": settlement.program_class,
        "expected": pair.expected,
        "verdict": report.verdict,
        "method": settlement.method[0],
        "rules": dict(report.rules),
        "deciding": statistics.median(each.deciding for each in runs),
        "auditing": statistics.median(each.auditing for each in runs),
        "bytes": len(certificate),
        "oracles": list(report.oracles),
        "solver_calls": settlement.solver_calls,
        "note": pair.note,
        **difference(decode(certificate).result, left.program.parameters),
    }


def difference(result: object, parameters: tuple[Any, ...]) -> dict[str, str]:
    """The input of a counterexample and what both programs return; nothing for a proof."""
    if not isinstance(result, Counterexample):
        return {}
    inputs = (f"{text(name)} = {shown(value)}" for name, value in zip(parameters, result.inputs, strict=True))
    left, right = map(shown, result.outputs)
    return {"input": ", ".join(inputs), "left": left, "right": right}


def totals(records: list[dict[str, Any]]) -> dict[str, Any]:
    """Sums and extremes over all records."""
    used = Counter[str]()
    for each in records:
        used.update(each["rules"])
    return {
        "pairs": len(records),
        "right": sum(each["verdict"] == each["expected"] for each in records),
        "equivalent": sum(each["verdict"] == "equivalent" for each in records),
        "oracles": sum(bool(each["oracles"]) for each in records),
        "solver_calls": sum(each["solver_calls"] for each in records),
        "deciding": sum(each["deciding"] for each in records),
        "auditing": sum(each["auditing"] for each in records),
        "slowest": max(each["deciding"] for each in records),
        "largest": max(each["bytes"] for each in records),
        "median_bytes": statistics.median_low(each["bytes"] for each in records),
        "rules": dict(used.most_common()),
    }


def write(name: str, content: Any) -> None:
    """Writes a record file."""
    (OUTPUT / name).write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def main(repetitions: int = REPETITIONS) -> None:
    """Runs everything and writes all files."""
    OUTPUT.mkdir(parents=True, exist_ok=True)
    records = [record(suite, pair, repetitions) for suite in SUITES for pair in load(suite)]
    by_suite = {suite: totals([each for each in records if each["suite"] == suite]) for suite in SUITES}
    setting = {"python": platform.python_version(), "repetitions": repetitions}
    write("evaluation.json", {"run": setting, "records": records, "suites": by_suite, "all": totals(records)})
    write("errata.json", [each for each in records if each["suite"] == "errata" and "input" in each])
    write("trusted.json", trusted_modules())
    figures.times(records).savefig(OUTPUT / "times.svg")
    figures.sizes(records).savefig(OUTPUT / "sizes.svg")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
