"""`tallystick trusted`: lists what an audit relies on."""

from __future__ import annotations

import click


@click.command()
@click.option("--coq", is_flag=True, help="List what a theorem exported to Coq relies on, besides Coq.")
def trusted(coq: bool) -> None:
    """List the modules that an audit relies on, with their numbers of lines, docstrings and comments included."""
    if coq:
        from tallystick.certificates.exports.auditors import DEVELOPMENT, STATEMENT

        lines = len((DEVELOPMENT / STATEMENT).read_text(encoding="utf-8").splitlines())
        click.echo(f"{lines:6}  coq/{STATEMENT}: the definitions in the statement; and the two programs of the theorem")
        return
    from tallystick.certificates.trusted import trusted_modules

    modules = trusted_modules()
    for name, lines in modules.items():
        click.echo(f"{lines:6}  {name}")
    kernel = trusted_modules(("tallystick.certificates.kernel",))
    click.echo(f"{sum(kernel.values()):6}  the kernel and what it imports")
    click.echo(f"{sum(modules.values()):6}  in all")
