"""`tallystick playground`: a page on this machine that compares two programs while they are typed."""

from __future__ import annotations

import signal
import sys
from types import FrameType

import click


@click.command()
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, show_default=True, help="Where it listens; 0 is a free port."
)
@click.option("--no-browser", is_flag=True, help="Print the address, and open no browser.")
def playground(port: int, no_browser: bool) -> None:
    """Open a page that compares two queries, or two functions on RDDs, while they are typed. Ctrl-C ends it.

    The page is served to this machine alone, and to a browser that has the token of the address. Texts are parsed, not
    run, in a process of its own, which opens no files of yours and no connections; an answer takes 30 seconds at most.
    """
    from tallystick.playground.server import Playground

    signal.signal(signal.SIGTERM, _end)
    server = Playground(port)
    try:
        click.echo(f"the playground is at {server.address}; Ctrl-C ends it")
        sys.stdout.flush()
        if not no_browser:
            import webbrowser

            webbrowser.open(server.address)
        server.serve_forever(poll_interval=0.2)
    finally:
        server.close()


def _end(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)
