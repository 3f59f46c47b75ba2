"""`tallystick completion`: what a shell needs to complete commands, options, dialects and suites."""

from __future__ import annotations

import click

VARIABLE = "_TALLYSTICK_COMPLETE"
"""By which a shell asks for completions."""


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print what SHELL evaluates at its start to complete commands, options, dialects and suites.

    In ~/.bashrc or ~/.zshrc: eval "$(tallystick completion bash)", or zsh. In ~/.config/fish/config.fish:
    tallystick completion fish | source. Bash must be 4.4 or newer.
    """
    from click.shell_completion import get_completion_class

    root = click.get_current_context().find_root().command
    made = get_completion_class(shell)
    if made is None:
        raise click.UsageError(f"{shell} is not known to the installed click")
    click.echo(made(root, {}, "tallystick", VARIABLE).source())
