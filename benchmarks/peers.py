"""A peer beside us on suites of queries, pair by pair: see `experiments/peers`.

python benchmarks/peers.py /path/verieql-literature-64.jsonl --verieql CLONE --python CLONE/.venv/bin/python
"""

from __future__ import annotations

import sys
from pathlib import Path

import click
from tallystick.experiments.peers.comparing import Compared, compared, report
from tallystick.experiments.peers.verieql import PeerError, VeriEql
from tallystick.experiments.sql_suites.sources import records_of


@click.command()
@click.argument("suites", nargs=-1, required=True)
@click.option("--verieql", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True, help="a clone")
@click.option(
    "--python", type=click.Path(exists=True, path_type=Path), default=sys.executable, help="of its environment"
)
@click.option("--timeout", default=10.0, help="seconds of the processor for each pair and prover")
@click.option("--rows", default=10, help="the largest bound")
@click.option("--every", default=1, help="one pair of so many")
def main(suites: tuple[str, ...], verieql: Path, python: Path, timeout: float, rows: int, every: int) -> None:
    """Compare VeriEQL with this project on SUITES: `sql`, files or folders of records, or clones."""
    peer = VeriEql(verieql, python)
    pairs: list[Compared] = []
    for record in [record for name in suites for record in records_of(name)][::every]:
        try:
            pairs.append(compared(record, peer, timeout, rows))
        except PeerError as error:
            raise click.ClickException(str(error)) from error
        _, ours, seconds, theirs = pairs[-1]
        about = f" ({theirs.reason})" if theirs.reason else ""
        bound = f" up to {theirs.rows} rows" if theirs.outcome == "none" else ""
        click.echo(
            f"{record.suite} {record.name}: {ours.outcome} in {seconds:.2f} s; VeriEQL {theirs.outcome}{bound} "
            f"in {theirs.seconds:.2f} s{about}",
            err=True,
        )
    for line in report(pairs):
        click.echo(line)


if __name__ == "__main__":
    main()
