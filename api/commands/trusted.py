"""`tallystick trusted`: lists what an audit relies on."""

from __future__ import annotations

import click


@click.command()
def trusted() -> None:
    """List the modules that an audit relies on, with their numbers of lines, docstrings and comments included."""
    from tallystick.certificates.trusted import trusted_modules

    modules = trusted_modules()
    for name, lines in modules.items():
        click.echo(f"{lines:6}  {name}")
    kernel = trusted_modules(("tallystick.certificates.kernel",))
    click.echo(f"{sum(kernel.values()):6}  the kernel and what it imports")
    click.echo(f"{sum(modules.values()):6}  in all")
