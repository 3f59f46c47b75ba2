"""How the time of a verdict grows with the size of a pair, family by family (`experiments/queries/families.py`).

    python benchmarks/growth.py [FAMILY…] [--largest 32] [--seconds 10]

Times are of the processor, from the texts to the verdict with its certificate, beside that of one small pair in the
same run; a question mark stands for a verdict that is unknown.
"""

from __future__ import annotations

from time import process_time
from typing import Final

import click
from tallystick import check_sql
from tallystick.experiments.queries.families import FAMILIES, SCHEMA, Texts, derived
from tallystick.verdict import Answer

SIZES: Final = (1, 2, 4, 8, 16, 32)


def seconds_of(texts: Texts, limit: float) -> tuple[float, Answer]:
    """Seconds of the processor until the verdict on a pair, and the verdict."""
    started = process_time()
    verdict = check_sql(*texts, schema=SCHEMA, timeout=limit).verdict
    return process_time() - started, verdict


@click.command()
@click.argument("families", nargs=-1, type=click.Choice(list(FAMILIES)))
@click.option("--largest", default=32, help="size of a pair")
@click.option("--seconds", default=10.0, help="for one pair")
def main(families: tuple[str, ...], largest: int, seconds: float) -> None:
    """Print a line for each family: the seconds for each size."""
    sizes = [size for size in SIZES if size <= largest]
    seconds_of(derived(1), seconds)  # what is imported late
    click.echo(f"reference: {seconds_of(derived(1), seconds)[0]:.3f} s")
    click.echo(f"{'family':<10}" + "".join(f"{size:>9}" for size in sizes))
    for name in families or FAMILIES:
        click.echo(f"{name:<10}", nl=False)
        for size in sizes:
            taken, verdict = seconds_of(FAMILIES[name](size), seconds)
            click.echo(f"{taken:8.2f}" + ("?" if verdict is Answer.UNKNOWN else " "), nl=False)
        click.echo()


if __name__ == "__main__":
    main()
