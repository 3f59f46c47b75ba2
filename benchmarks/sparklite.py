"""How long the papers' 23 pairs take, in process and warm, against the published prototype.

The reference is what the prototype of CAV 2017 takes for its 23 pairs with a current Z3 on a machine like ours: 0.37 s
altogether. It leaves no certificates; ours are searched for, written and audited within the time that is given.
"""

from __future__ import annotations

import statistics
import time

from rich.console import Console
from rich.table import Table
from tallystick.certificates.audit import audit
from tallystick.decision.prover import Prover
from tallystick.decision.service.settle import settle
from tallystick.experiments.suites import load
from tallystick.frontends.rdd import read_program

PROTOTYPE_SECONDS = 0.37
ROUNDS = 5


def main() -> None:
    """Prints a row for each pair: the median of some rounds, after one that does not count."""
    pairs = load("sparklite-cav")
    rounds = [[_measure(pair.left, pair.right) for pair in pairs] for _ in range(ROUNDS + 1)][1:]
    table = Table(title="The 23 pairs of CAV 2017, in process and warm (medians, milliseconds)")
    for heading in ("pair", "read", "decide", "certify", "audit", "certificate, bytes"):
        table.add_column(heading, justify="left" if heading == "pair" else "right")
    for index, pair in enumerate(pairs):
        *times, size = (statistics.median(row[index][column] for row in rounds) for column in range(5))
        table.add_row(pair.name, *(f"{1000 * seconds:.1f}" for seconds in times), f"{size:.0f}")
    Console().print(table)
    totals = [sum(sum(row[:4]) for row in measured) for measured in rounds]
    audits = [row[3] for measured in rounds for row in measured]
    total = statistics.median(totals)
    print(f"altogether {total:.3f} s, {total / PROTOTYPE_SECONDS:.2f} of the prototype's {PROTOTYPE_SECONDS} s")
    print(f"median audit {1000 * statistics.median(audits):.1f} ms")


def _measure(left: str, right: str) -> tuple[float, float, float, float, int]:
    started = time.perf_counter()
    sources = read_program(left), read_program(right)
    read = time.perf_counter() - started
    programs = sources[0].program, sources[1].program
    settlement = settle(*programs, (sources[0].source, sources[1].source), Prover())
    assert settlement.certificate is not None, (left, right, settlement.reasons)
    certificate = settlement.certificate.encode()
    started = time.perf_counter()
    report = audit(certificate, against=programs)
    audited = time.perf_counter() - started
    assert report.accepted, report.reason
    seconds = settlement.seconds
    return read, seconds["deciding"], seconds["certifying"], audited, len(certificate)


if __name__ == "__main__":
    main()
