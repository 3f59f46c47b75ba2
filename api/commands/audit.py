"""`tallystick audit`: checks certificates without a solver."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click
from tallystick.commands.options import INPUT_FILE

if TYPE_CHECKING:
    from tallystick.certificates.exports.auditors import Opinion


def asked(auditor: Literal["coq", "ocaml"], paths: tuple[Path, ...]) -> Sequence[Opinion]:
    """What another auditor says of the certificates; a usage error when it is not there."""
    from tallystick.certificates.exports.auditors import MissingAuditorError, opinions

    try:
        return opinions(auditor, paths)
    except MissingAuditorError as error:
        raise click.UsageError(str(error)) from error


@click.command()
@click.argument("certificates", nargs=-1, required=True, type=INPUT_FILE)
@click.option("--against", nargs=2, metavar="BEFORE AFTER", help="Also check that it is about these two functions.")
@click.option("--types", help="Types of parameters without annotations, for --against.")
@click.option("--set", "as_sets", is_flag=True, help="With --against: it is about the sets that they return.")
@click.option("--with", "auditor", type=click.Choice(["coq", "ocaml"]), help="Also ask this auditor, and compare.")
def audit(
    certificates: tuple[Path, ...],
    against: tuple[str, str] | None,
    types: str | None,
    as_sets: bool,
    auditor: Literal["coq", "ocaml"] | None,
) -> None:
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
    others = asked(auditor, certificates) if auditor else [None] * len(certificates)
    for path, other in zip(certificates, others, strict=True):
        report = audit_certificate(path, against=programs)
        report = replace(report, assumptions=tuple(dict.fromkeys((*report.assumptions, *assumed))))
        accepted &= report.accepted
        click.echo(f"{path}\n{report}" if len(certificates) > 1 else str(report))
        if other is not None:
            accepted &= other.accepted
            agrees = "" if other.accepted is report.accepted else "; THE AUDITORS DISAGREE"
            click.echo(f"{auditor:<10}{'accepted' if other.accepted else f'rejected: {other.reason}'}{agrees}")
    raise SystemExit(0 if accepted else 1)
