"""`tallystick audit`: checks certificates without a solver."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click
from tallystick.certificates.proofs import ORACLES
from tallystick.commands.options import INPUT_FILE
from tallystick.core.programs import SEMANTICS, SPARKLITE


@click.command()
@click.argument("certificates", nargs=-1, required=True, type=INPUT_FILE)
@click.option("--against", nargs=2, metavar="BEFORE AFTER", help="Also check that it is about these two functions.")
@click.option("--types", help="Types of parameters without annotations, for --against.")
@click.option("--set", "as_sets", is_flag=True, help="With --against: it is about the sets that they return.")
@click.option("--semantics", type=click.Choice(SEMANTICS), help="With --against: what folds mean; default: sparklite.")
@click.option("--allow-oracle", "allowed", multiple=True, type=click.Choice(ORACLES), help="Take this solver's word.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for each certificate.")
def audit(
    certificates: tuple[Path, ...],
    against: tuple[str, str] | None,
    types: str | None,
    as_sets: bool,
    semantics: str | None,
    allowed: tuple[str, ...],
    as_json: bool,
) -> None:
    """Check certificates without a solver: replay each proof, or each counterexample, in the kernel.

    The exit status is 0 when all are accepted, 1 when one is rejected, and 2 when one rests on the word of a solver
    that is not allowed.
    """
    from tallystick.certificates.audit import audit as audit_certificate

    if (as_sets or semantics) and not against:
        option = "--set" if as_sets else "--semantics"
        raise click.UsageError(
            f"{option} says what --against compares; a certificate's claim says by itself what it is about"
        )
    meaning, programs = semantics or SPARKLITE, None
    if against:
        from tallystick.comparing import comparison
        from tallystick.frontends.pyspark import read_program

        before, after = (read_program(each, types) for each in against)
        programs = comparison(before, after, as_sets, meaning).programs
    statuses = []
    for path in certificates:
        report = audit_certificate(path, programs, meaning, allowed)
        statuses.append(report.exit_status)
        if as_json:
            click.echo(json.dumps({"certificate": str(path), **asdict(report)}))
        else:
            click.echo(f"{path}\n{report}" if len(certificates) > 1 else str(report))
    raise SystemExit(1 if 1 in statuses else max(statuses))
