"""`tallystick export`: writes certificates for other tools."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click
from tallystick.commands.options import INPUT_FILE, OUTPUT_FOLDER
from tallystick.output import writing

if TYPE_CHECKING:
    from collections.abc import Iterable

TOOLS = ("smtlib", "coq", "ocaml")


@click.command()
@click.argument("certificates", nargs=-1, required=True, type=INPUT_FILE)
@click.argument("folder", type=OUTPUT_FOLDER)
@click.option(
    "--to", type=click.Choice(["smtlib", "coq", "ocaml"]), default="smtlib", show_default=True, help="For which tool."
)
def export(certificates: tuple[Path, ...], folder: Path, to: str) -> None:
    """Write certificates for other tools into FOLDER.

    SMT-LIB: a script for each premise of one certificate, of expected status unsat. Coq: for each certificate a file
    that states its claim, and proves it by the checker in coq/ (make coq). OCaml: each certificate as the auditor that
    is extracted from that checker reads it.
    """
    if to == "coq":
        paths = _theorems(folder, certificates)
    elif to == "ocaml":
        paths = _for_ocaml(folder, certificates)
    else:
        from tallystick.certificates.codec import decode
        from tallystick.certificates.exports.smtlib import export as export_premises

        if len(certificates) != 1:
            raise click.UsageError("the premises of one certificate go into one folder")
        content = decode(certificates[0].read_bytes())
        with writing(folder):
            paths = export_premises(content, folder)
    for path in paths:
        click.echo(path)


def _theorems(folder: Path, certificates: Iterable[Path]) -> list[Path]:
    """A Coq file for each certificate; the names of Coq's modules are letters, digits and underscores."""
    from tallystick.theorems import theorem_of

    texts = {path.stem: theorem_of(path.read_bytes()) for path in certificates}
    paths = []
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        for stem, text in texts.items():
            name = re.sub(r"[^A-Za-z0-9]", "_", stem)
            path = folder / f"{name if name[:1].isalpha() else f'C_{name}'}.v"
            path.write_text(text, encoding="utf-8")
            paths.append(path)
    return paths


def _for_ocaml(folder: Path, certificates: Iterable[Path]) -> list[Path]:
    """Certificates in which the extracted auditor knows each rule, by their names."""
    from tallystick.theorems import for_ocaml

    contents = {folder / path.name: for_ocaml(path.read_bytes()) for path in certificates}
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        for path, data in contents.items():
            path.write_bytes(data)
    return [*contents]
