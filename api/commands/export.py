"""`tallystick export`: writes premises for other tools."""

from __future__ import annotations

from pathlib import Path

import click
from tallystick.commands.options import INPUT_FILE, OUTPUT_FOLDER
from tallystick.output import writing


@click.command()
@click.argument("certificate", type=INPUT_FILE)
@click.argument("folder", type=OUTPUT_FOLDER)
def export(certificate: Path, folder: Path) -> None:
    """Write the premises of a certificate as SMT-LIB scripts, of expected status unsat, into FOLDER."""
    from tallystick.certificates.codec import decode
    from tallystick.certificates.smtlib import export as export_premises

    content = decode(certificate.read_bytes())
    with writing(folder):
        paths = export_premises(content, folder)
    for path in paths:
        click.echo(path)
