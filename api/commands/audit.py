"""`tallystick audit`: checks certificates without a solver."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click
from tallystick.commands.options import INPUT_FILE


@click.command()
@click.argument("certificates", nargs=-1, required=True, type=INPUT_FILE)
@click.option("--against", nargs=2, metavar="BEFORE AFTER", help="Also check that it is about these two functions.")
@click.option("--types", help="Types of parameters without annotations, for --against.")
@click.option("--set", "as_sets", is_flag=True, help="With --against: it is about the sets that they return.")
def audit(certificates: tuple[Path, ...], against: tuple[str, str] | None, types: str | None, as_sets: bool) -> None:
    """Check certificates without a solver: replay each proof, or each counterexample, in the kernel."""
    from tallystick.certificates.audit import audit as audit_certificate

    if as_sets and not against:
        raise click.UsageError(
            "--set says what --against compares; a certificate's claim says by itself what it is about"
        )
    programs, assumed = None, ()
    if against:
        from tallystick.checking import compared
        from tallystick.frontends.pyspark import assumptions_of, read_program

        before, after = (read_program(each, types) for each in against)
        left, right = compared(before, after, as_sets)
        programs, assumed = (left.program, right.program), assumptions_of(left, right)
    accepted = True
    for path in certificates:
        report = audit_certificate(path, against=programs)
        report = replace(report, assumptions=tuple(dict.fromkeys((*report.assumptions, *assumed))))
        accepted &= report.accepted
        click.echo(f"{path}\n{report}" if len(certificates) > 1 else str(report))
    raise SystemExit(0 if accepted else 1)
