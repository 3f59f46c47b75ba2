"""Proofs of the pairs of SQL suites: rates, times of decisions and audits, the slowest pairs and those without a proof.

A decision is timed from the statements to the certificate that its audit accepts; an audit from the bytes, so that it
reads the certificate and compiles both statements.

    python benchmarks/queries.py FOLDER [FILE…]

FOLDER has suites as JSON Lines (see `experiments/sql_suites`); all of them are run, or the files that are named. Times
are of this machine, in one process, without reading the texts; while a pair is timed, Python's collector of garbage
does not look again at what was there before.
"""

from __future__ import annotations

import gc
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from time import perf_counter

import click
from tallystick.certificates.audit import audit
from tallystick.certificates.queries.certificates import QueryPair
from tallystick.decision.queries.certifying import certificate
from tallystick.decision.queries.deciding import ProofLimits, Proved, decide
from tallystick.experiments.sql_suites.records import is_suite, read_record, records
from tallystick.frontends.errors import SourceError

SLOWEST = 10


@dataclass(slots=True)
class Tally:
    """What became of the pairs of one suite."""

    outcomes: Counter[tuple[str, str]] = field(default_factory=Counter)
    decisions: list[tuple[float, str]] = field(default_factory=list)
    audits: list[tuple[float, str]] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    rejected: list[tuple[str, str]] = field(default_factory=list)
    missing: list[tuple[str, str, str]] = field(default_factory=list)


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("files", nargs=-1)
@click.option("--seconds", default=10.0, help="for one pair")
@click.option("--unknown/--no-unknown", default=True, help="list the pairs without a proof, by what is missing")
def main(folder: Path, files: tuple[str, ...], seconds: float, unknown: bool) -> None:
    """Print the rates and times of the suites in FOLDER."""
    for path in sorted(folder.iterdir()):
        if (not files or path.name in files) and is_suite(path):
            tally = Tally()
            for record in records(path):
                _run(record, tally, ProofLimits(seconds))
            _print(path.name, tally, unknown)


def _run(record: object, tally: Tally, limits: ProofLimits) -> None:
    try:
        pair = read_record(record)  # type: ignore[arg-type]
    except SourceError:
        tally.outcomes[record.expected, "refused"] += 1  # type: ignore[attr-defined]
        return
    gc.collect()
    gc.freeze()
    start = perf_counter()
    outcome = decide(pair.left, pair.right, pair.catalogue, limits)
    if not isinstance(outcome, Proved):
        tally.decisions.append((perf_counter() - start, pair.name))
        tally.outcomes[pair.expected, "unknown"] += 1
        tally.missing.append((outcome.reason, pair.expected, pair.name))
        return
    dialect = pair.dialect
    meaning = (dialect.name, dialect.switches, pair.assumptions)
    asked = QueryPair(pair.catalogue, pair.left, pair.right, frozenset(), *meaning)
    written = certificate(asked, outcome)
    audited = perf_counter()
    report = audit(written, asked)
    end = perf_counter()
    tally.decisions.append((end - start, pair.name))
    tally.audits.append((end - audited, pair.name))
    tally.sizes.append(len(written))
    tally.outcomes[pair.expected, "proved" if report else "proved, but the audit rejects it"] += 1
    if not report:
        tally.rejected.append((pair.name, report.reason))


def _print(name: str, tally: Tally, unknown: bool) -> None:
    counts = ", ".join(f"{expected} {became}: {count}" for (expected, became), count in sorted(tally.outcomes.items()))
    click.echo(f"{name}\n  {counts}")
    for what, times in (("decision", tally.decisions), ("audit", tally.audits)):
        if times:
            median_time = 1000 * median(time for time, _ in times)
            click.echo(f"  median {what} {median_time:.1f} ms of {len(times)}, the slowest:")
            for time, pair in sorted(times, reverse=True)[:SLOWEST]:
                click.echo(f"  {1000 * time:8.1f} ms  {pair}")
    if tally.sizes:
        click.echo(f"  certificates of {median(tally.sizes):.0f} bytes in the median, {max(tally.sizes)} at most")
    for pair, reason in tally.rejected:
        click.echo(f"  REJECTED {pair}: {reason}")
    if unknown:
        for reason, expected, pair in sorted(tally.missing):
            click.echo(f"  {expected:12} {pair}: {reason}")


if __name__ == "__main__":
    main()
