"""Random machines, and the behaviour of the examples as their comments state it."""

from __future__ import annotations

import re

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from tallystick.reductions import Machine, example_names
from tallystick.reductions.two_counter_machine import Decrement, Increment, Instruction, Jump
from tallystick.reductions.zoo import example

HALTING = {
    name: int(found[1])
    for name in example_names()
    if (found := re.search(r"Halts after (\d+) steps", example(name).comment))
}
"""Steps to halting."""
PROVED_NOT_TO_HALT = ("balance", "count_up", "even_for_ever", "idle", "never_divisible", "positive", "pump", "see_saw")
NOT_DECIDED = ("five_n_plus_one", "powers_of_four")


@st.composite
def machines(draw: DrawFn, most_instructions: int = 6, largest_counter: int = 4) -> Machine:
    """Machines with any control flow."""
    size = draw(st.integers(0, most_instructions))
    location, counter = st.integers(0, size), st.sampled_from((1, 2))

    def instruction(here: int) -> Instruction:
        match draw(st.sampled_from(("inc", "dec", "dec", "jump"))):
            case "inc":
                return Increment(draw(counter), here + 1)
            case "dec":
                return Decrement(draw(counter), here + 1, draw(location))
            case _:
                return Jump(draw(location))

    initial = st.integers(0, largest_counter)
    return Machine("random", tuple(map(instruction, range(size))), counters=(draw(initial), draw(initial)))
