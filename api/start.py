"""Where the command line starts: an interrupt ends it with status 130, whatever is being loaded."""

from __future__ import annotations

import gc
import os
import signal
from types import FrameType

EXIT_INTERRUPTED = 130
OBJECTS = 50_000
"""New objects between two looks for cycles of garbage. Nearly all that is made while a command is loaded stays, and to
look through it each 700 objects, as Python does, takes long for a short command."""


def main() -> None:
    """Runs `tallystick`; the command itself is interrupted by an exception, so that it can clean up."""
    signal.signal(signal.SIGINT, _end)
    gc.set_threshold(OBJECTS)
    from tallystick.cli import main as command_line
    from tallystick.core.interrupts import no_interrupt_lost

    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with no_interrupt_lost():
            command_line(prog_name="tallystick")
    finally:
        signal.signal(signal.SIGINT, _end)
        # An interrupt inside of an `exec` of text, such as a dataclass's, would have Python end by a signal in place of
        # our status, though it was caught: Python remembers it until the next such `exec`.
        exec("")
        gc.freeze()  # else Python looks through all that is left, for long, before it ends


def _end(number: int, frame: FrameType | None) -> None:
    os._exit(EXIT_INTERRUPTED)
