"""`tallystick check`: compares two programs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from tallystick.commands.options import AS_JSON, AS_SETS, EXITS, OUTPUT_FILE, SEMANTICS, SOLVER, TYPES, timeout
from tallystick.commands.printing import print_json, print_text
from tallystick.decision.service.spawning import spawn_ahead
from tallystick.output import write
from tallystick.progress import waiting


@click.command()
@click.argument("before")
@click.argument("after")
@SOLVER
@TYPES
@timeout("deciding")
@click.option(
    "--replay",
    type=click.Choice(["reference", "spark"]),
    default="reference",
    show_default=True,
    help="Where a counterexample is evaluated again. Spark runs your functions; nothing else does.",
)
@SEMANTICS
@AS_SETS
@click.option("--certificate", type=OUTPUT_FILE, help="Write the certificate here.")
@click.option("--explain", is_flag=True, help="Walk through the answer, as `explain` does.")
@AS_JSON
def check(
    before: str,
    after: str,
    solver: str,
    types: str | None,
    timeout: float,
    replay: str,
    semantics: str,
    as_sets: bool,
    certificate: Path | None,
    explain: bool,
    as_json: bool,
) -> None:
    """Compare two PySpark functions, each given as PATH.py:FUNCTION. They are parsed, not run."""
    spawn_ahead()
    from tallystick.checking import check as check_pair

    options: Any = {"solver": solver, "replay": replay, "semantics": semantics, "as_sets": as_sets}
    with waiting("deciding"):
        verdict = check_pair(before, after, types=types, timeout=timeout, **options)
    if as_json:
        print_json(verdict.to_json())
    else:
        print_text(str(verdict))
        if explain:
            from tallystick.explaining import FORMATS, explained

            click.echo(f"\n{FORMATS['text'](explained(before, after, verdict, types))}", nl=False)
    if certificate is not None and verdict.certificate is not None:
        write(certificate, verdict.certificate)
    raise SystemExit(EXITS[str(verdict.verdict)])
