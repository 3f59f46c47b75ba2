"""The programs and properties of the paper, with planted faults."""

from tallystick.streaming.examples.banned_users import example_1
from tallystick.streaming.examples.example import Example
from tallystick.streaming.examples.hashtag_properties import (
    example_10,
    example_11,
    example_12,
    example_13,
    example_14,
    example_15,
    example_16,
    example_17,
    example_18,
)
from tallystick.streaming.examples.positive_numbers import example_3


def all_examples() -> list[Example]:
    """Return Examples 1, 3 and 10 to 18; Example 18 for each number of repetitions from 1 to 5."""
    fixed = (example_1, example_3, example_10, example_11, example_12, example_13, example_14)
    more = (example_15, example_16, example_17)
    return [*(make() for make in (*fixed, *more)), *(example_18(n) for n in range(1, 6))]


def figure_1() -> list[Example]:
    """Return the six properties of the paper's Fig. 1, in its order."""
    return [make() for make in (example_10, example_12, example_14, example_15, example_16, example_17)]
