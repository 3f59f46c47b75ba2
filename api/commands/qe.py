"""`tallystick qe`: eliminates quantifiers."""

from __future__ import annotations

import click


@click.command()
@click.argument("formula")
@click.option("--steps", is_flag=True, help="Show Cooper's algorithm step by step.")
@click.option(
    "--format",
    "notation",
    type=click.Choice(["text", "latex"]),
    default="text",
    show_default=True,
    help="How to print.",
)
def qe(formula: str, steps: bool, notation: str) -> None:
    """Eliminate the quantifiers of a Presburger formula, such as "exists y. 2*y < x and x < 2*y + 2"."""
    from tallystick.core.presburger.command import eliminate_text

    click.echo(eliminate_text(formula, steps, notation))
