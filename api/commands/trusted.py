"""`tallystick trusted`: lists what an audit relies on."""

from __future__ import annotations

import click


@click.command()
def trusted() -> None:
    """List the modules that can change what an audit prints, with their numbers of lines, blank ones included.

    `audit --against` relies on more: on what reads PySpark functions.
    """
    import tallystick.certificates.audit
    import tallystick.comparing  # noqa: F401 - modules are found among those that are loaded
    from tallystick.certificates.trusted import AUDIT, KERNEL, trusted_modules

    audit = trusted_modules(AUDIT)
    command = trusted_modules((*AUDIT, "tallystick.commands.audit", "tallystick.comparing"))
    _listed(audit)
    click.echo(f"{sum(trusted_modules(KERNEL).values()):6}  the kernel and what it imports")
    click.echo(f"{sum(audit.values()):6}  what an audit relies on\n")
    _listed({name: lines for name, lines in command.items() if name not in audit})
    click.echo(f"{sum(command.values()):6}  what `tallystick audit --against` relies on")


def _listed(modules: dict[str, int]) -> None:
    for name, lines in modules.items():
        click.echo(f"{lines:6}  {name}")
