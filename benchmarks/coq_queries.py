"""How much of the suite of SQL queries becomes closed theorems of Coq, and what the rest lacks, by name.

Run it from the root of the repository, after `make coq`: `.venv/bin/python benchmarks/coq_queries.py`. With `--export`,
Coq is not asked. With names of pairs, only those are tried, and the reason of each is printed.
"""

from __future__ import annotations

from collections import Counter
from statistics import median
from time import process_time

import click
from tallystick.certificates.exports.auditors import CLOSED, compiled
from tallystick.core.errors import FragmentError
from tallystick.experiments.sql_suites.own_pairs import OwnPair, own_pairs
from tallystick.frontends.errors import SourceError
from tallystick.queries.checking import decided
from tallystick.theorems import theorem_of


def outcome(pair: OwnPair, ask: bool) -> str:
    """What becomes of a pair: "closed", "exported", or why it is no theorem."""
    try:
        verdict = decided(pair.read())
    except SourceError as error:
        return f"it is not read: {str(error).splitlines()[0].partition(': ')[2]}"
    if verdict.certificate is None:
        return "it has no certificate"
    try:
        text = theorem_of(verdict.certificate)
    except FragmentError as error:
        return str(error)
    if not ask:
        return "exported"
    done = compiled(text)
    return "closed" if (done.returncode, done.stdout.strip()) == (0, CLOSED) else f"REJECTED {done.stderr[-500:]}"


@click.command()
@click.argument("names", nargs=-1)
@click.option("--export", is_flag=True, help="Coq is not asked.")
def main(names: tuple[str, ...], export: bool) -> None:
    """Print how many pairs become theorems."""
    reasons: dict[str, Counter[str]] = {"equivalent": Counter(), "inequivalent": Counter()}
    times = []
    for pair in own_pairs():
        if names and pair.name not in names:
            continue
        start = process_time()
        reason = outcome(pair, not export)
        times.append(process_time() - start)
        reasons[pair.expected][reason] += 1
        if names or reason.startswith("REJECTED"):
            click.echo(f"{pair.name}: {reason}")
    for expected, found in reasons.items():
        total = found.total()
        good = found["closed"] + found["exported"]
        click.echo(f"{expected}: {good} of {total} are {'exported' if export else 'closed theorems'}")
        for reason, count in found.most_common():
            if reason not in ("closed", "exported"):
                click.echo(f"{count:4}  {reason}")
    click.echo(f"seconds for a pair: {median(times):.2f} in the median, {max(times):.1f} at most")


if __name__ == "__main__":
    main()
