"""How many lines an audit relies on, in the median: of the suite `sql`, and of the RDD programs of the papers.

    python benchmarks/trusted.py [SUITE…]

What an audit relies on are the modules that it loads for its certificate (`tallystick trusted CERTIFICATE`).
"""

from __future__ import annotations

from collections import defaultdict
from statistics import median

import click
from tallystick import check
from tallystick.certificates.audit import audit
from tallystick.experiments.sql_suites.own_pairs import OwnPair, own_pairs
from tallystick.experiments.suites import load
from tallystick.frontends.errors import SourceError
from tallystick.queries.checking import decided


@click.command()
@click.argument("suites", nargs=-1)
@click.option("--seconds", default=3.0, help="for one pair of queries")
def main(suites: tuple[str, ...], seconds: float) -> None:
    """Print the medians of the suites, by default `sql` and those of RDD programs."""
    found: dict[str, list[int]] = defaultdict(list)
    for name in suites or ("sql", "sparklite-cav", "sparklite-tr"):
        if name == "sql":
            made = (_certificate(pair, seconds) for pair in own_pairs())
        else:
            made = (check(pair.left, pair.right, semantics="sparklite").certificate for pair in load(name))
        for certificate in made:
            if certificate is not None:
                report = audit(certificate)
                found[f"{name}, {report.verdict}"].append(sum(report.trusted.values()))
    for name, lines in found.items():
        click.echo(f"{median(lines):8.0f} lines in the median of {len(lines)}, {max(lines)} at most: {name}")


def _certificate(pair: OwnPair, seconds: float) -> bytes | None:
    """The certificate of a pair; None where there is none, or it is not read."""
    try:
        return decided(pair.read(), seconds).certificate
    except SourceError:
        return None


if __name__ == "__main__":
    main()
