"""Verdicts about random pairs of queries against brute force on random databases: none may be wrong.

    python benchmarks/random_queries.py --pairs 20000 --seed 1

Pairs are those of the seeds from `--seed` on (see `experiments/queries/verdicts.py`); the same for the same seeds, so
that a long run may be split. Ends with exit code 1 after a wrong verdict, and prints the pair and the database.
"""

from __future__ import annotations

import sys
from itertools import count, islice

import click
from tallystick.experiments.queries.verdicts import Tally, examine, random_pairs

BATCH = 100


@click.command()
@click.option("--pairs", default=20_000, help="how many")
@click.option("--seed", default=1, help="of the first pair")
@click.option("--seconds", default=1.0, help="for the decision of a pair")
@click.option("--databases", default=100, help="for each pair that is proved")
def main(pairs: int, seed: int, seconds: float, databases: int) -> None:
    """Print how many pairs were proved, refuted and unknown, and every wrong verdict."""
    total = Tally()
    drawn = random_pairs(count(seed))
    while total.pairs < pairs:
        part = examine(islice(drawn, min(BATCH, pairs - total.pairs)), seconds, databases)
        total.verdicts += part.verdicts
        total.databases += part.databases
        total.wrong += part.wrong
        for pair, answer, database in part.wrong:
            click.echo(f"WRONG: seed {pair.seed}, {pair.origin}, {answer}\n{pair.left}\n{pair.right}\n{database}")
        click.echo(f"{total.pairs} pairs, {len(total.wrong)} wrong", err=True)
    for (origin, answer), number in sorted(total.verdicts.items()):
        click.echo(f"{origin:10} {answer:8} {number:6}")
    wrong = len(total.wrong)
    click.echo(f"{total.pairs} pairs, the proved ones run on {total.databases} databases: {wrong} wrong verdicts")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
