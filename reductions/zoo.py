"""The machines that come with Tallystick: `examples/`, one a file, each with a comment that says what it does."""

from __future__ import annotations

from pathlib import Path

from tallystick.reductions.errors import MachineError
from tallystick.reductions.machine_text import read_machine
from tallystick.reductions.two_counter_machine import Machine

EXAMPLES = Path(__file__).parent / "examples"


def example_names() -> tuple[str, ...]:
    """The names of the examples, in alphabetical order."""
    return tuple(sorted(path.stem for path in EXAMPLES.glob("*.txt")))


def example(name: str) -> Machine:
    """The example of a name; raises MachineError when there is none."""
    if name not in example_names():
        raise MachineError("there is no such example", name, hint=f"the examples are {', '.join(example_names())}")
    return read_machine(EXAMPLES / f"{name}.txt")
