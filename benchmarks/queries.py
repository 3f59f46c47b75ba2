"""The pairs of SQL suites: rates, times from texts to verdicts, the slowest pairs, and those that stay unknown.

What a user waits for is timed: reading both texts, and deciding with the first look for databases, to the certificate
that its audit accepts. An audit is timed from the bytes, so that it reads the certificate and compiles both statements.

    python benchmarks/queries.py FOLDER [FILE…]

FOLDER has suites as JSON Lines (see `experiments/sql_suites`); all of them are run, or the files that are named; "sql"
is the suite of our own. Times are of the processor, in one process; while a pair is timed, Python's collector of
garbage does not look again at what was there before.
"""

from __future__ import annotations

import gc
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from time import process_time

import click
from tallystick.certificates.audit import audit
from tallystick.certificates.queries.certificates import QueryPair
from tallystick.decision.queries.certifying import certificate
from tallystick.decision.queries.deciding import Proved
from tallystick.decision.queries.portfolio import Portfolio
from tallystick.experiments.sql_suites.outcomes import looking
from tallystick.experiments.sql_suites.records import Record, is_suite, read_record, records
from tallystick.experiments.sql_suites.sources import records_of
from tallystick.frontends.errors import SourceError

SLOWEST = 10


@dataclass(slots=True)
class Tally:
    """What became of the pairs of one suite."""

    outcomes: Counter[tuple[str, str]] = field(default_factory=Counter)
    times: dict[str, list[tuple[float, str]]] = field(default_factory=lambda: defaultdict(list))
    sizes: list[int] = field(default_factory=list)
    rejected: list[tuple[str, str]] = field(default_factory=list)
    missing: list[tuple[str, str, str]] = field(default_factory=list)


@click.command()
@click.argument("folder")
@click.argument("files", nargs=-1)
@click.option("--seconds", default=10.0, help="for one pair")
@click.option("--unknown/--no-unknown", default=True, help="list the pairs that stay unknown, by what is missing")
def main(folder: str, files: tuple[str, ...], seconds: float, unknown: bool) -> None:
    """Print the rates and times of the suites in FOLDER."""
    if folder == "sql":
        suites: dict[str, Iterable[Record]] = {folder: records_of(folder)}
    else:
        paths = [path for path in sorted(Path(folder).iterdir()) if not files or path.name in files]
        suites = {path.name: records(path) for path in paths if is_suite(path)}
    for name, suite in suites.items():
        tally = Tally()
        for record in suite:
            _run(record, tally, seconds)
        _print(name, tally, unknown)


def _run(record: Record, tally: Tally, seconds: float) -> None:
    gc.collect()
    gc.freeze()
    start = process_time()
    try:
        pair = read_record(record)
    except SourceError:
        tally.outcomes[record.expected, "refused"] += 1
        return
    tally.times["reading"].append((process_time() - start, pair.name))
    portfolio = Portfolio(pair.left, pair.right, pair.catalogue, seconds, looking(pair))
    answer = next(portfolio.answers(), None)
    if answer is None:
        reason = portfolio.unproved.reason if portfolio.unproved is not None else portfolio.unrefuted
        tally.outcomes[pair.expected, "unknown"] += 1
        tally.missing.append((reason, pair.expected, pair.name))
        return
    became = "proved" if isinstance(answer, Proved) else "refuted"
    catalogue = pair.catalogue if became == "proved" else pair.searched or pair.catalogue
    meaning = (pair.dialect.name, pair.dialect.switches, pair.assumptions)
    asked = QueryPair(catalogue, pair.left, pair.right, frozenset(), *meaning)
    written = certificate(asked, answer)
    audited = process_time()
    report = audit(written, asked)
    end = process_time()
    tally.times[f"{became} pair, from its texts"].append((end - start, pair.name))
    tally.times["audit"].append((end - audited, pair.name))
    tally.sizes.append(len(written))
    tally.outcomes[pair.expected, became if report else f"{became}, but the audit rejects it"] += 1
    if not report:
        tally.rejected.append((pair.name, report.reason))


def _print(name: str, tally: Tally, unknown: bool) -> None:
    counts = ", ".join(f"{expected} {became}: {count}" for (expected, became), count in sorted(tally.outcomes.items()))
    click.echo(f"{name}\n  {counts}")
    for what, times in tally.times.items():
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
