"""`tallystick trusted`: lists what an audit relies on."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import click
from tallystick.commands.options import INPUT_FILE


@click.command()
@click.argument("certificates", nargs=-1, type=INPUT_FILE)
@click.option("--coq", is_flag=True, help="List what a theorem exported to Coq relies on, besides Coq.")
def trusted(certificates: tuple[Path, ...], coq: bool) -> None:
    """List the modules that can change what an audit prints, with their numbers of lines, blank ones included.

    For certificates: those that the audit of each loads. Without: all that audits of each kind may load.
    `audit --against` relies on more: on what reads PySpark functions, or SQL texts.
    """
    if coq:
        from tallystick.certificates.exports.auditors import DEVELOPMENT, STATEMENTS

        for file, two in STATEMENTS:
            lines = len((DEVELOPMENT / file).read_text(encoding="utf-8").splitlines())
            click.echo(f"{lines:6}  coq/{file}: the definitions in the statement; and the two {two} of the theorem")
        return
    for path in certificates:
        from tallystick.certificates.audit import audit as audited

        report = audited(path)
        click.echo(f"{path}: {'accepted' if report else 'not accepted'}")
        _print_modules(report.trusted)
        click.echo(f"{sum(report.trusted.values()):6}  what its audit relies on, in {len(report.trusted)} modules")
    if certificates:
        return
    from tallystick.certificates.trusted import KINDS, all_of

    of_kinds = {kind: all_of(kind) for kind in KINDS}
    audit = {name: lines for modules in of_kinds.values() for name, lines in modules.items()}
    _print_modules(dict(sorted(audit.items())))
    for kind, modules in of_kinds.items():
        click.echo(f"{sum(modules.values()):6}  what audits of certificates about {kind} may rely on")
    click.echo("        what one of them relies on: `tallystick trusted CERTIFICATE`")
    _against("for functions", ("tallystick.commands.audit", "tallystick.comparing"), audit)
    if find_spec("sqlglot") is None:
        click.echo("\nFor queries, `tallystick audit --against` needs sqlglot, which is not installed.")
        return
    from tallystick.frontends.sql.expressions import handlers

    handlers()  # loads the modules that read expressions
    _against("for queries, and sqlglot", ("tallystick.queries.reading",), audit)


def _against(what: str, roots: tuple[str, ...], audit: dict[str, int]) -> None:
    """What the roots load, and audits do not: of what they import inside of functions, that which is loaded by now."""
    from tallystick.certificates.trusted import trusted_modules

    for module in roots:
        import_module(module)
    found = trusted_modules(roots, inside=True)
    modules = {name: lines for name, lines in found.items() if name in sys.modules and name not in audit}
    click.echo()
    _print_modules(modules)
    click.echo(f"{sum(modules.values()):6}  what `tallystick audit --against` relies on besides, {what}")


def _print_modules(modules: dict[str, int]) -> None:
    for name, lines in modules.items():
        click.echo(f"{lines:6}  {name}")
