"""How much of suites of SQL queries becomes closed theorems of Coq, and what the rest lacks, by name.

Run it from the root of the repository, after `make coq`: `.venv/bin/python benchmarks/coq_queries.py`. The suite is
`sql`, or those that `--suite FILE` names, JSON Lines in a file or a folder (see `experiments/sql_suites`). With
`--export`, Coq is not asked. With names of pairs, only those are tried; `--each` prints what becomes of every pair, as
names do. Of each suite, pairs are counted by what is expected of them, and then certificates, as pairs may have none.
"""

from __future__ import annotations

from collections import Counter
from statistics import median
from time import process_time

import click
from tallystick.certificates.exports.auditors import CLOSED, compiled
from tallystick.certificates.queries.certificates import QueryPair
from tallystick.core.errors import FragmentError
from tallystick.decision.queries.certifying import certificate
from tallystick.decision.queries.deciding import Proved
from tallystick.decision.queries.portfolio import Portfolio
from tallystick.experiments.sql_suites.outcomes import looking
from tallystick.experiments.sql_suites.records import Record, read_record
from tallystick.experiments.sql_suites.sources import OWN, records_of
from tallystick.frontends.errors import SourceError
from tallystick.theorems import theorem_of

SECONDS = 10.0
"""For deciding one pair."""
NONE = "it has no certificate"
GOOD = ("closed", "exported")


def certificate_of(record: Record) -> bytes | None:
    """The certificate about a pair, if it has one; raises SourceError where the pair is refused."""
    pair = read_record(record)
    portfolio = Portfolio(pair.left, pair.right, pair.catalogue, SECONDS, looking(pair))
    answer = next(portfolio.answers(), None)
    if answer is None:
        return None
    catalogue = pair.catalogue if isinstance(answer, Proved) else pair.searched or pair.catalogue
    meaning = (pair.dialect.name, pair.dialect.switches, pair.assumptions)
    return certificate(QueryPair(catalogue, pair.left, pair.right, frozenset(), *meaning), answer)


def outcome(data: bytes, ask: bool) -> str:
    """What becomes of a certificate: "closed", "exported", or why it is no theorem."""
    try:
        text = theorem_of(data)
    except FragmentError as error:
        return str(error)
    if not ask:
        return "exported"
    done = compiled(text)
    return "closed" if (done.returncode, done.stdout.strip()) == (0, CLOSED) else f"REJECTED {done.stderr[-500:]}"


def measure(suite: str, names: tuple[str, ...], ask: bool, each: bool) -> None:
    """Print how many pairs of a suite become theorems."""
    reasons: dict[str, Counter[str]] = {}
    times = []
    for record in records_of(suite):
        name = str(record.data["id"])
        if names and name not in names:
            continue
        found = reasons.setdefault(record.expected, Counter())
        try:
            data = certificate_of(record)
        except SourceError as error:
            found[NONE] += 1
            reason = f"it is not read: {error.message}"
        else:
            if data is None:
                reason = NONE
            else:
                start = process_time()
                reason = outcome(data, ask)
                times.append(process_time() - start)
            found[reason] += 1
        if names or each or reason.startswith("REJECTED"):
            click.echo(f"{name}: {reason}")
    said = "closed theorems" if ask else "exported"
    click.echo(suite)
    for expected, found in reasons.items():
        click.echo(f"{expected}: {_good(found)} of {found.total()} are {said}")
        for reason, count in found.most_common():
            if reason not in GOOD:
                click.echo(f"{count:4}  {reason}")
    everything = sum(reasons.values(), Counter[str]())
    total = everything.total() - everything[NONE]
    click.echo(f"certificates: {_good(everything)} of {total} are {said}")
    if times:
        click.echo(f"seconds to export one: {median(times):.2f} in the median, {max(times):.1f} at most")


def _good(found: Counter[str]) -> int:
    return sum(found[each] for each in GOOD)


@click.command()
@click.argument("names", nargs=-1)
@click.option("--suite", "suites", multiple=True, default=[OWN], show_default=True, help="A suite of pairs of queries.")
@click.option("--export", is_flag=True, help="Coq is not asked.")
@click.option("--each", is_flag=True, help="Print what becomes of each pair.")
def main(names: tuple[str, ...], suites: tuple[str, ...], export: bool, each: bool) -> None:
    """Print how many pairs become theorems."""
    for suite in suites:
        measure(suite, names, not export, each)


if __name__ == "__main__":
    main()
