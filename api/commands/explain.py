"""`tallystick explain`: walks through a pair."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from tallystick.commands.options import AS_SETS, OUTPUT_FILE, SEMANTICS, SOLVER, TYPES, timeout
from tallystick.decision.service.spawning import spawn_ahead
from tallystick.output import write
from tallystick.progress import waiting


@click.command()
@click.argument("before")
@click.argument("after")
@click.option(
    "--format",
    "format_name",
    type=click.Choice(["text", "markdown", "latex", "html"]),
    default="text",
    show_default=True,
    help="How to write the explanation.",
)
@click.option("--output", "-o", type=OUTPUT_FILE, help="Write it to this file.")
@SOLVER
@TYPES
@timeout("deciding")
@SEMANTICS
@AS_SETS
def explain(before: str, after: str, format_name: str, output: Path | None, **options: Any) -> None:
    """Walk through a pair: the counterexample, or programs, program terms, class, formulas, proof and evidence.

    The exit status is 0 whatever the verdict is: an explanation of a difference is an explanation.
    """
    spawn_ahead()
    from tallystick.explaining import FORMATS
    from tallystick.explaining import explain as explain_pair

    with waiting("deciding"):
        document = explain_pair(before, after, **options)
    written = FORMATS[format_name](document)
    if output is None:
        click.echo(written, nl=False)
    else:
        write(output, written)
